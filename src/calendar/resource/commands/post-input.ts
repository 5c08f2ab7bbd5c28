// The input that all posts share, and how it becomes a patch for a decider.

import { createHash } from 'node:crypto';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { slugForChanged, streamOf } from '../../../commands/reservations/reservations.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Rejected, rejected } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { cleanHtml } from '../../../kernel/text/clean-html.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { type DateValue, resolveInstant } from '../../../kernel/time/date-input.ts';
import { type EpochSeconds, resolveZone, type Zone } from '../../../kernel/time/zone.ts';
import { fold, type RecordedEvent } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { mayAssignAuthors, mayPublish, mayWriteRawHtml } from '../../../people/auth/policy.ts';
import { agesText, languagesText } from '../../event/domain/audience.ts';
import { findPicture } from '../../picture/commands/pictures.ts';
import { imageOf } from '../../picture/domain/picture.ts';
import type { PartialFields, PlainKind, Row } from '../domain/fields.ts';
import { evolveImage, type Image, type ImageReference } from '../domain/image.ts';
import {
  type Post,
  type PostInput,
  type PostKind,
  type PostNoun,
  type PostPatch,
  type PostStatus,
  postFacts,
  scaledStatus,
  wantedSlug,
} from '../domain/post.ts';

/** What determines how a patch is read. A new post has no status yet. */
type PresentPost = Pick<Post, 'author' | 'passwordHash'> & { readonly status?: PostStatus };

/**
 * The part of a patch that every post has. `present` is the current post; for a new one, the caller's and without a
 * password.
 */
export async function postPatch(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  context: CommandContext,
  input: PostInput & { readonly image?: ImageReference | null },
  present: PresentPost,
) {
  const life = lifeSent(dependencies, context, input, present);
  if ('rejection' in life) return life;
  const image = await imagePatch(unit, dependencies, input.image);
  if (image === 'unknown') return rejected(invalidParameter('image'));
  return {
    patch: {
      ...life.patch,
      ...(image === undefined ? {} : { image }),
      ...(await passwordPatch(dependencies, input.password, present.passwordHash)),
    },
  };
}

/** Author, status and date. Nothing is looked up, and nothing recorded. */
export function lifeSent(
  dependencies: CommandDependencies,
  { caller, now }: CommandContext,
  input: PostInput,
  present: PresentPost,
): { readonly patch: Pick<PostPatch, 'author' | 'status' | 'date'> } | Rejected {
  if (input.author !== undefined && input.author !== present.author && !mayAssignAuthors(caller))
    return rejected({ code: 'forbidden', parameter: 'author' });
  const when = publicationDate({ local: input.date, utc: input.dateUtc }, { now, siteZone: dependencies.siteZone });
  if ('unreadable' in when) return rejected(invalidParameter(when.unreadable));
  const right = mayPublish(caller) ? 'may publish' : 'may not publish';
  // Sending a value back unchanged is no request: it must not demote the post.
  const wished = input.status === present.status ? undefined : input.status;
  return {
    patch: {
      ...(input.author === undefined ? {} : { author: input.author }),
      ...(wished === undefined ? {} : { status: scaledStatus(wished, right) }),
      ...(when.date === undefined ? {} : { date: when.date }),
    },
  };
}

/** Setting the same password is no change, although its hash would differ. */
async function passwordPatch(
  { hashPassword, verifyPassword }: CommandDependencies,
  password: string | undefined,
  hash: string | null,
): Promise<Pick<PostPatch, 'passwordHash'>> {
  if (password === undefined) return {};
  if (password === '') return { passwordHash: null };
  if (hash !== null && (await verifyPassword(password, hash))) return {};
  return { passwordHash: await hashPassword(password) };
}

async function imagePatch(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  reference: ImageReference | null | undefined,
): Promise<Image | null | undefined | 'unknown'> {
  if (reference === undefined || reference === null) return reference;
  return (await imageFor(unit, dependencies, reference)) ?? 'unknown';
}

/** A post before its creation: the author is the caller. */
export const newPostOf = ({ caller }: CommandContext, author: number): PresentPost => ({
  author: caller?.id ?? author,
  passwordHash: null,
});

/** The status of a new post if none was requested. */
export const defaultStatus = ({ caller }: CommandContext): PostStatus => (mayPublish(caller) ? 'publish' : 'draft');

/** The plain fields of an input as stored. */
export function storedFields<R extends Row>(
  context: CommandContext,
  rows: readonly R[],
  input: PartialFields<R>,
): PartialFields<R> {
  const values: { readonly [member: string]: boolean | string | undefined } = input;
  const stored: { [member: string]: boolean | string } = {};
  for (const { member, kind } of rows) {
    const value = values[member];
    if (value !== undefined) stored[member] = typeof value === 'string' ? STORED[kind](value, context) : value;
  }
  // A flag for a flag, a text for a text.
  return stored as PartialFields<R>;
}

const STORED: { readonly [Kind in PlainKind]: (text: string, context: CommandContext) => string } = {
  flag: (text) => text,
  html: (text, context) => storedText(context, text),
  line: oneLine,
  url: (text) => text.trim(),
  ages: agesText,
  languages: languagesText,
};

/** A text as stored: unchanged from callers who may write any HTML, cleaned from others. */
export function storedText<T extends string | undefined>({ caller }: CommandContext, text: T): T | string {
  if (text === undefined || mayWriteRawHtml(caller)) return text;
  return cleanHtml(text);
}

// Publication dates as clients send them.

/** A publication date: `local` is wall clock of the site, `utc` of UTC; offsets are honoured in both. */
interface PublicationInput {
  readonly local: DateValue | undefined;
  readonly utc: DateValue | undefined;
}

/**
 * The instant that a client means; undefined if none was sent, or the name of the invalid member. If both are sent, the
 * UTC form wins because it is unambiguous.
 */
function publicationDate(
  { local, utc }: PublicationInput,
  { now, siteZone }: { readonly now: EpochSeconds; readonly siteZone: Zone },
): { readonly date: EpochSeconds | undefined } | { readonly unreadable: 'date' | 'date_utc' } {
  if (utc !== undefined) {
    const date = resolveInstant(utc, { now, zone: resolveZone('UTC') ?? siteZone });
    return date === null ? { unreadable: 'date_utc' } : { date };
  }
  if (local === undefined) return { date: undefined };
  const date = resolveInstant(local, { now, zone: siteZone });
  return date === null ? { unreadable: 'date' } : { date };
}

// Images: ids of this calendar for external addresses.

/** An image by id, elsewhere or uploaded; or null. */
export async function findImage(store: StreamReader, id: number): Promise<Image | null> {
  const elsewhere = fold(await store.readStream(streamOf('image', id)), evolveImage);
  if (elsewhere) return elsewhere;
  const picture = await findPicture(store, id);
  return picture && imageOf(picture);
}

/** The stream that records the id of an address. */
const addressStream = (url: string): string => `image-url-${createHash('sha256').update(url).digest('hex')}`;

/**
 * The image of a reference: an existing one by id (null if unknown), or by address. A new address gets an id, and keeps
 * it.
 */
async function imageFor(
  unit: UnitOfWork,
  { postIds }: CommandDependencies,
  reference: ImageReference,
): Promise<Image | null> {
  if (typeof reference === 'number') return findImage(unit.store, reference);
  if (typeof reference === 'object' && 'id' in reference) return reference;
  const described = typeof reference === 'string' ? { url: reference, width: null, height: null } : reference;
  const stream = addressStream(described.url);
  const existing = idIn(await unit.store.readStream(stream, { limit: 1 }));
  if (existing !== null) return findImage(unit.store, existing);
  const image: Image = { id: await unit.nextId(postIds, 'image'), ...described };
  await unit.record(stream, [{ type: 'ImageAddressTaken', data: { id: image.id } }]);
  await unit.record(streamOf('image', image.id), [{ type: 'ImageRegistered', data: image }]);
  return image;
}

function idIn([reservation]: readonly RecordedEvent[]): number | null {
  const data = reservation?.data;
  if (data === null || typeof data !== 'object' || !('id' in data)) return null;
  return Number(data.id);
}

/** The facts that put a post into the trash; its slug becomes free. */
export async function trashFacts<Noun extends PostNoun>(
  unit: UnitOfWork,
  { kind, noun }: { readonly kind: PostKind; readonly noun: Noun },
  post: Post,
  { now }: CommandContext,
) {
  const wish = { kind, id: post.id, preferred: wantedSlug(post, 'trash', undefined, ''), origin: 'derived' } as const;
  const slug = await slugForChanged(unit, post, wish, 'trash');
  return postFacts(noun, post, {}, { status: 'trash', slug, now });
}

/** An input as plain JSON that can be decided later: dates as they were sent, links and images by their ids. */
export const storable = <Input extends object>(input: Input): Input =>
  // The same members, of which commands take either form.
  JSON.parse(
    JSON.stringify(input, (_member, value: unknown) => {
      if (typeof value !== 'object' || value === null) return value;
      if ('reading' in value && 'text' in value) return value.text;
      if ('life' in value && 'id' in value) return { id: value.id };
      return 'url' in value && 'id' in value ? value.id : value;
    }),
  ) as Input;
