// What events, venues and organizers have in common: an author, a status, a slug, a publication date, a bin to be thrown into.

import { trashedSlug } from '../text/slug.ts';
import type { EpochSeconds } from '../time/zone.ts';
import { type Fact, UnfoldableFact } from './decider.ts';
import { isPublicOrPlanned, needsOwnSlug, type PostStatus, settledStatus } from './post-status.ts';

export type PostKind = 'event' | 'venue' | 'organizer';
export const POST_KINDS: readonly PostKind[] = ['event', 'venue', 'organizer'];
export type PostNoun = 'Event' | 'Venue' | 'Organizer';

export interface Post {
  readonly id: number;
  readonly author: number;
  readonly status: PostStatus;
  /** `''` for an event that was never published and was given none. */
  readonly slug: string;
  /** Publication, or creation while it was never published. */
  readonly date: EpochSeconds;
  /** True while `date` is not fixed: it is set to the instant at which the post leaves draft or pending. */
  readonly dateFloats: boolean;
  /** When the log took its first fact. */
  readonly created: EpochSeconds;
  readonly modified: EpochSeconds;
  /** Only in the trash: what it was before. */
  readonly before: { readonly status: PostStatus; readonly slug: string } | null;
  /** Salted hash of the password that readers must present; null when none is needed. */
  readonly passwordHash: string | null;
}

/** Facts of the life of a post; `N` is its kind as an editor says it. */
export type PostFact<N extends PostNoun> =
  | Fact<`${N}Published`, { readonly date: EpochSeconds }>
  | Fact<`${N}PublicationScheduled`, { readonly date: EpochSeconds }>
  | Fact<`${N}ReturnedToDraft`, Record<string, never>>
  | Fact<`${N}SubmittedForReview`, Record<string, never>>
  | Fact<`${N}MadePrivate`, { readonly date: EpochSeconds }>
  | Fact<`${N}Trashed`, { readonly slug: string; readonly date: EpochSeconds }>
  | Fact<`${N}Restored`, { readonly status: PostStatus; readonly slug: string; readonly date: EpochSeconds }>
  | Fact<`${N}SlugChanged`, { readonly slug: string }>
  | Fact<`${N}Dated`, { readonly date: EpochSeconds }>
  | Fact<`${N}Reassigned`, { readonly author: number }>
  | Fact<`${N}PasswordSet`, { readonly hash: string }>
  | Fact<`${N}PasswordRemoved`, Record<string, never>>
  /** The date is no longer fixed: it moves along until the post leaves draft or pending. */
  | Fact<`${N}Undated`, Record<string, never>>
  /** Says which revision the facts beside it lead back to; by itself it changes nothing. */
  | Fact<`${N}Reverted`, { readonly toRevision: number }>;

/** What a command wants of the life of a post; absent members stay as they are. */
export interface PostPatch {
  readonly author?: number;
  /** Already scaled to what the caller may do. */
  readonly status?: PostStatus;
  readonly date?: EpochSeconds;
  /** Null removes it. */
  readonly passwordHash?: string | null;
}

/** The status that a post gets by a patch: rules 2 and 3 of the calendar (publish in the future is future, and back). */
export function statusAfter(post: Post, patch: PostPatch, now: EpochSeconds): PostStatus {
  if (patch.status === undefined && patch.date === undefined) return post.status;
  if (patch.status === undefined && post.status === 'trash') return 'trash';
  return settledStatus(patch.status ?? post.status, dateAfter(post, patch, now), now);
}

/** Its date unless another is sent. Publishing does not wait for what was planned, nor for a date that floats. */
function dateAfter(post: Post, { status, date }: PostPatch, now: EpochSeconds): EpochSeconds {
  if (date !== undefined) return date;
  return post.dateFloats || (post.status === 'future' && status === 'publish') ? now : post.date;
}

/**
 * The slug that a post would like to have after a patch, before others are asked.
 * `given` is one that the client named, `fallback` one derived from title or name.
 */
export function wantedSlug(post: Post, status: PostStatus, given: string | undefined, fallback: string): string {
  if (status === 'trash' && post.status !== 'trash') return trashedSlug(given ?? post.slug);
  if (given !== undefined) return status === 'trash' ? trashedSlug(given) : given;
  const current = post.status === 'trash' && status !== 'trash' ? (post.before?.slug ?? '') : post.slug;
  if (current !== '' || !needsOwnSlug(status)) return current;
  return fallback;
}

/** Facts by which a post takes on a patch. `status` and `slug` are the settled ones; `now` fixes a floating date. */
export function postFacts<N extends PostNoun>(
  noun: N,
  post: Post,
  patch: PostPatch,
  settled: { readonly status: PostStatus; readonly slug: string; readonly now: EpochSeconds },
): PostFact<N>[] {
  const facts: PostFact<N>[] = [];
  if (patch.author !== undefined && patch.author !== post.author)
    facts.push({ type: `${noun}Reassigned`, data: { author: patch.author } });
  if (patch.date !== undefined && (patch.date !== post.date || post.dateFloats))
    facts.push({ type: `${noun}Dated`, data: { date: patch.date } });
  facts.push(...passwordFacts(noun, post, patch.passwordHash));
  if (settled.status !== post.status) {
    facts.push(...statusFacts(noun, post, dateAfter(post, patch, settled.now), settled));
  } else if (settled.slug !== post.slug) {
    facts.push({ type: `${noun}SlugChanged`, data: { slug: settled.slug } });
  }
  return facts;
}

function passwordFacts<N extends PostNoun>(noun: N, post: Post, hash: string | null | undefined): PostFact<N>[] {
  if (hash === undefined || hash === post.passwordHash) return [];
  return hash === null
    ? [{ type: `${noun}PasswordRemoved`, data: {} }]
    : [{ type: `${noun}PasswordSet`, data: { hash } }];
}

function statusFacts<N extends PostNoun>(
  noun: N,
  post: Post,
  date: EpochSeconds,
  { status, slug }: { readonly status: PostStatus; readonly slug: string },
): PostFact<N>[] {
  if (status === 'trash') return [{ type: `${noun}Trashed`, data: { slug, date } }];
  if (post.status === 'trash') return [{ type: `${noun}Restored`, data: { status, slug, date } }];
  const renamed: PostFact<N>[] = slug === post.slug ? [] : [{ type: `${noun}SlugChanged`, data: { slug } }];
  return [...renamed, enteringFact(noun, status, date, slug)];
}

/** The fact by which a post enters a status; one that is born in the trash keeps its `slug` as it is. */
function enteringFact<N extends PostNoun>(noun: N, status: PostStatus, date: EpochSeconds, slug: string): PostFact<N> {
  switch (status) {
    case 'publish':
      return { type: `${noun}Published`, data: { date } };
    case 'future':
      return { type: `${noun}PublicationScheduled`, data: { date } };
    case 'private':
      return { type: `${noun}MadePrivate`, data: { date } };
    case 'pending':
      return { type: `${noun}SubmittedForReview`, data: {} };
    case 'trash':
      return { type: `${noun}Trashed`, data: { slug, date } };
    case 'draft':
      return { type: `${noun}ReturnedToDraft`, data: {} };
  }
}

/** The fact by which a scheduled post goes public once its date has come, which stays as it is; nothing before, or for any other post. */
export const publicationFacts = <N extends PostNoun>(noun: N, post: Post, now: EpochSeconds): PostFact<N>[] =>
  post.status === 'future' && post.date <= now ? [{ type: `${noun}Published`, data: { date: post.date } }] : [];

/** What every fact by which a post is drafted says of its life. */
export interface DraftedPost {
  readonly id: number;
  readonly author: number;
  readonly slug: string;
  readonly date: EpochSeconds;
  readonly dateFloats: boolean;
  readonly passwordHash: string | null;
}

/** A patch that makes a new post: its author and its settled status are known. */
export type NewPostPatch = PostPatch & { readonly author: number; readonly status: PostStatus };

/** What a command is told beside its content. */
export interface PostContext {
  readonly now: EpochSeconds;
  /** The slug that the registry granted for what `wantedSlug` asked. */
  readonly slug: string;
}

/** The life of a new post. Its date is not fixed before it is at least planned to go public. */
export function draftedPost(
  id: number,
  { author, status, date, passwordHash }: NewPostPatch,
  { now, slug }: PostContext,
): DraftedPost {
  const dateFloats = date === undefined && !isPublicOrPlanned(status) && status !== 'trash';
  return { id, author, slug, date: date ?? now, dateFloats, passwordHash: passwordHash ?? null };
}

/** The facts by which a new post, drafted already, gets into its status. */
export function firstStatusFacts<N extends PostNoun>(
  noun: N,
  { status }: NewPostPatch,
  { date, slug }: DraftedPost,
): PostFact<N>[] {
  return status === 'draft' ? [] : [enteringFact(noun, status, date, slug)];
}

/**
 * How the life of a post begins; to be assigned to a copy of what was drafted, not spread into one: engines then know all
 * posts of a kind by one shape, which makes folding them several times faster.
 */
export const bornPost = (at: EpochSeconds) => ({ status: 'draft', before: null, created: at, modified: at }) as const;

/** What any fact of instant `at` does to a post: it is modified then, and a date that is not fixed moves along. */
export const touchedBy = (post: Post, at: EpochSeconds): Pick<Post, 'modified' | 'date'> => ({
  modified: at,
  date: post.dateFloats ? at : post.date,
});

/** What a fact of the life of a post changes. Throws `UnfoldableFact` when it is of another sort. */
export function evolvePost(post: Post, type: string, noun: PostNoun, data: unknown): Partial<Post> {
  // The data of a fact follows from the part of its type behind the noun, which the compiler cannot narrow by.
  const of = data as { date: EpochSeconds; slug: string; status: PostStatus; author: number; hash: string };
  switch (type.startsWith(noun) ? type.slice(noun.length) : '') {
    case 'Published':
      return { status: 'publish', date: of.date, dateFloats: false };
    case 'PublicationScheduled':
      return { status: 'future', date: of.date, dateFloats: false };
    case 'MadePrivate':
      return { status: 'private', date: of.date, dateFloats: false };
    case 'ReturnedToDraft':
      return { status: 'draft' };
    case 'SubmittedForReview':
      return { status: 'pending' };
    case 'Trashed':
      return {
        status: 'trash',
        slug: of.slug,
        date: of.date,
        dateFloats: false,
        before: { status: post.status, slug: post.slug },
      };
    case 'Restored':
      return {
        status: of.status,
        slug: of.slug,
        before: null,
        ...(isPublicOrPlanned(of.status) ? { date: of.date, dateFloats: false } : {}),
      };
    case 'SlugChanged':
      return { slug: of.slug };
    case 'Dated':
      return { date: of.date, dateFloats: false };
    case 'Reassigned':
      return { author: of.author };
    case 'PasswordSet':
      return { passwordHash: of.hash };
    case 'PasswordRemoved':
      return { passwordHash: null };
    case 'Undated':
      return { date: post.modified, dateFloats: true };
    case 'Reverted':
      return {};
    default:
      throw new UnfoldableFact(type);
  }
}
