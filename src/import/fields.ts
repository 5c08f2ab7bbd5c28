// Members of records that somebody else wrote: nothing is known of them until it is looked at.
import { withoutControls } from '../text/plain-text.ts';

export type Given = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text without control characters; undefined when there is none. */
export function textIn(record: Given, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' ? withoutControls(value) : undefined;
}

/** A text that says something, without blanks around it. */
export const filledTextIn = (record: Given, name: string): string | undefined =>
  textIn(record, name)?.trim() || undefined;

/** A positive integer, also when it was written as a text. */
export function idIn(record: Given, name: string): number | undefined {
  const value = typeof record[name] === 'string' ? Number(record[name]) : record[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** `{ [member]: flag }` when there is one. */
export function flagIn<Member extends string>(
  record: Given,
  name: string,
  member: Member,
): { [Key in Member]?: boolean } {
  const value = record[name];
  // A computed key is not seen to be the type parameter.
  return typeof value === 'boolean' ? ({ [member]: value } as { [Key in Member]?: boolean }) : {};
}

/** The objects of a list, or the one object that stands in its place; undefined when the member is absent. */
export function objectsIn(record: Given, name: string): readonly Given[] | undefined {
  const value = record[name];
  if (value === undefined) return undefined;
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}
