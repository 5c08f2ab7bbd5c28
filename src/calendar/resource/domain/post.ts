// What events, venues and organizers share: author, status, slug, publication date, trash.

import { type Fact, UnexpectedFact } from '../../../domain/decider.ts';
import { trashedSlug } from '../../../kernel/text/slug.ts';
import type { DateValue } from '../../../kernel/time/date-input.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';

export type PostKind = 'event' | 'venue' | 'organizer';
export const POST_KINDS: readonly PostKind[] = ['event', 'venue', 'organizer'];

export const isPostKind = (kind: string | undefined): kind is PostKind => POST_KINDS.some((one) => one === kind);
export type PostNoun = 'Event' | 'Venue' | 'Organizer';

export interface Post extends FormerlyNamed {
  readonly id: number;
  readonly author: number;
  readonly status: PostStatus;
  /** `''` if never published and no slug was given. */
  readonly slug: string;
  /** The date of publication, or of creation if never published. */
  readonly date: EpochSeconds;
  /** True while `date` is not fixed: it becomes the instant at which the post leaves draft or pending. */
  readonly dateFloats: boolean;
  /** When the first fact was recorded. */
  readonly created: EpochSeconds;
  readonly modified: EpochSeconds;
  /** Only in the trash: the status before. */
  readonly before: { readonly status: PostStatus; readonly slug: string } | null;
  /** Salted hash of the password that readers must send; null if there is none. */
  readonly passwordHash: string | null;
  /** Only of a venue or organizer in the trash because it was merged: the one that stays. */
  readonly mergedInto?: number;
}

/** Facts of the life of a post; `N` is the noun in their types. */
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
  /** The date is no longer fixed: it floats until the post leaves draft or pending. */
  | Fact<`${N}Undated`, Record<string, never>>
  /** Names the revision that the accompanying facts restore; changes nothing by itself. */
  | Fact<`${N}Reverted`, { readonly toRevision: number }>;

/** What commands take for every post, beside its fields; absent members were not sent. */
export interface PostInput {
  readonly status?: PostStatus;
  readonly author?: number;
  readonly date?: DateValue;
  readonly dateUtc?: DateValue;
  /** `''` takes it away. */
  readonly password?: string;
  readonly slug?: string;
  /** A wish of an import. */
  readonly id?: number;
}

/** The part of a command that concerns the life of a post; absent members stay as they are. */
export interface PostPatch {
  readonly author?: number;
  /** Already reduced to what the caller may do. */
  readonly status?: PostStatus;
  readonly date?: EpochSeconds;
  /** Null removes it. */
  readonly passwordHash?: string | null;
}

/** The status after a patch: a future publication date makes it `future`, and a past one `publish`. */
export function statusAfter(post: Post, patch: PostPatch, now: EpochSeconds): PostStatus {
  if (patch.status === undefined && patch.date === undefined) return post.status;
  if (patch.status === undefined && post.status === 'trash') return 'trash';
  return settledStatus(patch.status ?? post.status, dateAfter(post, patch, now), now);
}

/** The post's date unless another is sent. Publishing overrides a planned or floating date. */
function dateAfter(post: Post, { status, date }: PostPatch, now: EpochSeconds): EpochSeconds {
  if (date !== undefined) return date;
  return post.dateFloats || (post.status === 'future' && status === 'publish') ? now : post.date;
}

/**
 * The slug that a post asks for after a patch, before uniqueness is checked. `slug` is the client's, `fallback` is
 * derived from title or name.
 */
export function wantedSlug(post: Post, status: PostStatus, slug: string | undefined, fallback: string): string {
  if (status === 'trash' && post.status !== 'trash') return trashedSlug(slug ?? post.slug);
  if (slug !== undefined) return status === 'trash' ? trashedSlug(slug) : slug;
  const current = post.status === 'trash' && status !== 'trash' ? (post.before?.slug ?? '') : post.slug;
  if (current !== '' || !needsOwnSlug(status)) return current;
  return fallback;
}

/** The facts that apply a patch to a post. `status` and `slug` are settled; `now` fixes a floating date. */
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

/** The fact by which a post gets a status; a post created in the trash keeps its `slug`. */
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

/** The fact that publishes a scheduled post once it is due, keeping its date; none before, or for any other post. */
export const publicationFacts = <N extends PostNoun>(noun: N, post: Post, now: EpochSeconds): PostFact<N>[] =>
  post.status === 'future' && post.date <= now ? [{ type: `${noun}Published`, data: { date: post.date } }] : [];

/** Members of every fact that drafts a post. */
export type DraftedPost = Pick<Post, 'id' | 'author' | 'slug' | 'date' | 'dateFloats' | 'passwordHash'>;

/** A patch that creates a post: author and settled status are known. */
export type NewPostPatch = PostPatch & { readonly author: number; readonly status: PostStatus };

/** What a command receives besides the content. */
export interface PostContext {
  readonly now: EpochSeconds;
  /** The slug reserved for `wantedSlug`. */
  readonly slug: string;
}

/** The life of a new post. Its date stays floating until publication is at least planned. */
export function draftedPost(
  id: number,
  { author, status, date, passwordHash }: NewPostPatch,
  { now, slug }: PostContext,
): DraftedPost {
  const dateFloats = date === undefined && !isPublicOrPlanned(status) && status !== 'trash';
  return { id, author, slug, date: date ?? now, dateFloats, passwordHash: passwordHash ?? null };
}

/** The facts that bring a newly drafted post into its status. */
export function firstStatusFacts<N extends PostNoun>(
  noun: N,
  { status }: NewPostPatch,
  { date, slug }: DraftedPost,
): PostFact<N>[] {
  return status === 'draft' ? [] : [enteringFact(noun, status, date, slug)];
}

/**
 * The initial life of a post. Assign it to a copy of the drafted content instead of spreading it: engines then see all
 * posts of a kind with one shape, which makes folding several times faster.
 */
export const bornPost = (at: EpochSeconds) => ({ status: 'draft', before: null, created: at, modified: at }) as const;

/** What every fact at instant `at` does to a post: sets `modified`, and moves a floating date. */
export const touchedBy = (post: Post, at: EpochSeconds): Pick<Post, 'modified' | 'date'> => ({
  modified: at,
  date: post.dateFloats ? at : post.date,
});

/** What a fact of the life of a post changes. Throws `UnexpectedFact` for facts of another kind. */
export function evolvePost(post: Post, type: string, noun: PostNoun, data: unknown): Partial<Post> {
  const change = lifeChange(post, type, noun, data);
  return leavesSlug(post, change) ? { ...change, ...withFormerSlug(post, formerSlug(post)) } : change;
}

/** A slug of the trash is no address. */
const leavesSlug = (post: Post, { slug = post.slug, status = post.status }: Partial<Post>): boolean =>
  post.slug !== '' &&
  post.status !== 'trash' &&
  (slug !== post.slug || (post.status === 'publish' && status !== 'publish'));

/** `touchedBy` has set `modified` to the instant of the fact. */
const formerSlug = ({ slug, status, modified }: Post): FormerSlug => ({ slug, status, until: modified });

function lifeChange(post: Post, type: string, noun: PostNoun, data: unknown): Partial<Post> {
  // The data depends on the part of the type after the noun, which the compiler cannot narrow.
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
      throw new UnexpectedFact({ type });
  }
}

// The statuses of events, venues and organizers, and which status a request leads to.

export type PostStatus = 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash';

export const POST_STATUSES: readonly PostStatus[] = ['publish', 'future', 'draft', 'pending', 'private', 'trash'];

export const isPostStatus = (text: string): text is PostStatus => POST_STATUSES.some((status) => status === text);

/** The status for a caller without the right to publish: whatever would be public becomes pending. */
export function scaledStatus(status: PostStatus, mayPublish: 'may publish' | 'may not publish'): PostStatus {
  if (mayPublish === 'may publish') return status;
  return status === 'publish' || status === 'future' || status === 'private' ? 'pending' : status;
}

/** `publish` with a future date is `future`; `future` without one is `publish`. */
export function settledStatus(status: PostStatus, date: EpochSeconds, now: EpochSeconds): PostStatus {
  if (status === 'publish' && date > now) return 'future';
  if (status === 'future' && date <= now) return 'publish';
  return status;
}

/** Statuses in which the publication date is fixed. */
export const isPublicOrPlanned = (status: PostStatus): boolean =>
  status === 'publish' || status === 'future' || status === 'private';

/** Drafts and pending posts may share a slug or have none; slugs of all others are unique. */
export const needsOwnSlug = (status: PostStatus): boolean => status !== 'draft' && status !== 'pending';

// Slugs that a resource had before: its former addresses lead to it, until another one is given such a slug.
// decision 4

interface FormerSlug {
  readonly slug: string;
  /** The most public status that it had with this slug: who could not read it then is not led to it now. */
  readonly status: PostStatus;
  /** When it was given up last. */
  readonly until: EpochSeconds;
}

/** A resource that may have had other slugs. Absent: it has had none. */
export interface FormerlyNamed {
  readonly formerSlugs?: readonly FormerSlug[];
}

/** Each slug once, the latest at the end. */
export function withFormerSlug({ formerSlugs = [] }: FormerlyNamed, former: FormerSlug): Required<FormerlyNamed> {
  const others = formerSlugs.filter(({ slug }) => slug !== former.slug);
  const wasPublic = formerSlugs.some(({ slug, status }) => slug === former.slug && status === 'publish');
  return { formerSlugs: [...others, wasPublic ? { ...former, status: 'publish' } : former] };
}
