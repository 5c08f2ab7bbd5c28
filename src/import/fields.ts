// Members of foreign records: unknown until checked.
import type { Row, Said } from '../domain/fields.ts';
import { withoutControls } from '../text/plain-text.ts';

export type Given = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text without control characters; undefined if there is none. */
export function textIn(record: Given, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' ? withoutControls(value) : undefined;
}

/** A non-blank text, trimmed. */
export const filledTextIn = (record: Given, name: string): string | undefined =>
  textIn(record, name)?.trim() || undefined;

/** A positive integer, also given as a text. */
export function idIn(record: Given, name: string): number | undefined {
  const value = typeof record[name] === 'string' ? Number(record[name]) : record[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** The plain fields of a record, as members of an input. */
export function fieldsIn<R extends Row>(record: Given, rows: readonly R[]): Said<R> {
  const fields = rows.flatMap(({ wire, member, kind }) => {
    const value = kind === 'flag' ? flagIn(record, wire) : textIn(record, wire);
    return value === undefined ? [] : [[member, value] as const];
  });
  // A flag for a flag, a text for a text.
  return Object.fromEntries(fields) as Said<R>;
}

const flagIn = (record: Given, name: string): boolean | undefined => {
  const value = record[name];
  return typeof value === 'boolean' ? value : undefined;
};

/** The objects of a list, or a single object in its place; undefined if the member is absent. */
export function objectsIn(record: Given, name: string): readonly Given[] | undefined {
  const value = record[name];
  if (value === undefined) return undefined;
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}
