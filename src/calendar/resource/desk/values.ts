// The values of the forms: from the fields as they were written, from what was typed, and to a write.

import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import { decodeEntities } from '../../../kernel/text/plain-text.ts';
import { imageText, typedText, type Values } from '../../../pages/desk/form-values.ts';
import type { User } from '../../../people/auth/caller.ts';
import { mayPublish } from '../../../people/auth/policy.ts';
import { COORDINATES, type DeskKind, type FormField, fieldsOf } from './kinds.ts';

/** Texts as texts, flags as '1' or '', numbers as they are written. */
export type ResourceValues = Values<string>;

/** The fields of a resource, as `GET …/fields` answers them. */
export interface WrittenFields {
  readonly [field: string]: unknown;
}

const valuesFrom = (kind: DeskKind, textOf: (field: FormField) => string): ResourceValues =>
  Object.fromEntries(fieldsOf(kind).map((field) => [field.name, textOf(field)]));

/** The values of a new resource: published where its creator may do so, with maps, until something else is chosen. */
export const blankValues = (kind: DeskKind, user: User): ResourceValues =>
  valuesFrom(kind, ({ input }) => {
    if (input === 'status') return mayPublish(user) ? 'publish' : 'draft';
    return input === 'flag' ? '1' : '';
  });

export const emptyValues = (kind: DeskKind): ResourceValues => valuesFrom(kind, () => '');

export const writtenValues = (kind: DeskKind, fields: WrittenFields): ResourceValues =>
  valuesFrom(kind, ({ name, isEncoded }) => {
    const text = textFrom(fields[name]);
    return isEncoded ? decodeEntities(text) : text;
  });

function textFrom(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? '1' : '';
  return imageText(value);
}

export const typedValues = (kind: DeskKind, form: ParameterMap): ResourceValues =>
  valuesFrom(kind, ({ name }) => typedText(form, name));

/** The members of a write for these fields; `id` of one that exists. */
export function membersOf(
  kind: DeskKind,
  values: ResourceValues,
  names: readonly string[],
  id: string | undefined,
): WrittenFields {
  const isPlaced = names.some((name) => COORDINATES.includes(name));
  const written = fieldsOf(kind).filter(({ name }) => names.includes(name) || (isPlaced && COORDINATES.includes(name)));
  return Object.fromEntries(written.map((field) => [field.name, memberOf(field, values[field.name] ?? '', id)]));
}

function memberOf({ input }: FormField, value: string, id: string | undefined): unknown {
  if (input === 'flag') return value !== '';
  // The API moves a term to the top that is to be its own parent.
  if (input === 'parent') return Number(value || id);
  return input === 'decimal' && value === '' ? null : value;
}
