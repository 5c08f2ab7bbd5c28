// From what a client sent to the part of a command's input that every post has.
import type { PostInput } from '../../commands/post-input.ts';
import type { Row, Said } from '../../domain/fields.ts';
import type { PostStatus } from '../../domain/post-status.ts';
import { withoutControls } from '../../text/plain-text.ts';

type Present<T> = { [Member in keyof T]?: Exclude<T[Member], undefined> };

/** The members that are there: an input has no member for what was not sent. */
export const present = <T extends object>(members: T): Present<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>;

/** The plain fields that were sent, as members of an input; texts without control characters. */
export function plainInput<R extends Row>(
  sent: { readonly [Wire in R['wire']]?: boolean | string },
  rows: readonly R[],
): Said<R> {
  const values: { readonly [wire: string]: boolean | string | undefined } = sent;
  const said = rows.flatMap(({ wire, member }) => {
    const value = values[wire];
    if (value === undefined) return [];
    return [[member, typeof value === 'string' ? withoutControls(value) : value] as const];
  });
  // A flag for a flag, a text for a text.
  return Object.fromEntries(said) as Said<R>;
}

export const slugSent = (slug: string | undefined): string | undefined => slug && withoutControls(slug);

/** What is sent of every post. */
interface PostSent {
  readonly status?: PostStatus;
  readonly author?: number;
  readonly date?: string;
  readonly date_utc?: string;
  readonly image?: number | string | null;
  readonly password?: string;
}

export const postInput = ({ status, author, date, date_utc: dateUtc, image, password }: PostSent): PostInput =>
  present({ status, author, date, dateUtc, image, password });
