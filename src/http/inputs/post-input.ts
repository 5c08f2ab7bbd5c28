// From what a client sent to the part of a command's input that every post has.
import type { PostInput } from '../../commands/post-input.ts';
import type { Row, Said } from '../../domain/fields.ts';
import { isPostStatus } from '../../domain/post-status.ts';
import { withoutControls } from '../../text/plain-text.ts';
import { imageInput } from '../parameters/readers.ts';

export type Given = { readonly [name: string]: unknown };

/** `{ [member]: text }` when the parameter was sent as a text, without control characters; else nothing. */
export function text<Member extends string>(given: Given, name: string, member: Member): { [Key in Member]?: string } {
  const value = given[name];
  // A computed key is not seen to be the type parameter.
  return typeof value === 'string' ? ({ [member]: withoutControls(value) } as { [Key in Member]?: string }) : {};
}

/** `{ [member]: flag }` when the parameter was sent. */
export function flag<Member extends string>(given: Given, name: string, member: Member): { [Key in Member]?: boolean } {
  const value = given[name];
  // A computed key is not seen to be the type parameter.
  return typeof value === 'boolean' ? ({ [member]: value } as { [Key in Member]?: boolean }) : {};
}

/** The plain fields that were sent, as members of an input; texts without control characters. */
export function plainInput<R extends Row>(given: Given, rows: readonly R[]): Said<R> {
  const said = rows.map(({ wire, member, kind }) => (kind === 'flag' ? flag : text)(given, wire, member));
  // A flag for a flag, a text for a text.
  return Object.assign({}, ...said) as Said<R>;
}

export function postInput(given: Given): PostInput {
  return {
    ...(typeof given.status === 'string' && isPostStatus(given.status) ? { status: given.status } : {}),
    ...(given.author === undefined ? {} : { author: Number(given.author) }),
    ...dateOf(given.date, 'date'),
    ...dateOf(given.date_utc, 'dateUtc'),
    ...(given.image === undefined ? {} : { image: imageReference(given.image) }),
    ...(typeof given.password === 'string' ? { password: given.password } : {}),
  };
}

const dateOf = (value: unknown, member: 'date' | 'dateUtc'): PostInput =>
  typeof value === 'string' || typeof value === 'number' ? { [member]: value } : {};

function imageReference(value: unknown): number | string | null {
  const image = imageInput(value);
  if (image === null) return null;
  return 'id' in image ? image.id : image.url;
}
