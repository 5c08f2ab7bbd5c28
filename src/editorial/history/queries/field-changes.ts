// The differences between two states of a resource, field by field, under the API's names.

import type { Json } from '../../../log/envelope.ts';
import { ERASED } from '../../../people/personal-data/domain/erasure.ts';
import type { RenderingSettings } from '../../../rendering/post-fragment.ts';
import {
  eventFields,
  type Fields,
  organizerFields,
  REFERENCES,
  termFields,
  venueFields,
} from '../../../rendering/public-fields.ts';
import type { Names } from './reference-names.ts';
import type { ResourceKind, StateOf } from './resource.ts';

/** One field. `before` is null for a new resource. */
export interface Change {
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
}

const MAKERS: { readonly [Kind in ResourceKind]: (state: StateOf[Kind], settings: RenderingSettings) => Fields } = {
  event: eventFields,
  venue: venueFields,
  organizer: organizerFields,
  category: termFields,
  tag: termFields,
};

/** The fields of a state of a resource of this kind. */
export function fieldsOf(kind: ResourceKind, state: StateOf[ResourceKind], settings: RenderingSettings): Fields {
  // What was folded as a kind is a state of that kind.
  const make = MAKERS[kind] as (state: StateOf[ResourceKind], settings: RenderingSettings) => Fields;
  return make(state, settings);
}

/** Whether a value is so empty that it can be left out. */
export const saysNothing = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/**
 * The names of the fields in which two states differ, in field order; `before` is null for a new resource: then those
 * with content.
 */
export function changedFields(before: Fields | null, after: Fields): string[] {
  const changed = Object.keys(after).filter((field) => {
    if (before === null) return !saysNothing(after[field]);
    return JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  });
  return changed.filter((field) => !FOLLOWS_FROM[field]?.some((other) => changed.includes(other)));
}

/** These fields in two states; `before` is null for a new resource. */
export const changesOf = (fields: readonly string[], before: Fields | null, after: Fields): Change[] =>
  fields.map((field) => ({ field, before: before?.[field] ?? null, after: after[field] ?? null }));

/** Fields that follow from these others, unless only they differ. */
const FOLLOWS_FROM: { readonly [field: string]: readonly string[] } = {
  cost_details: ['cost'],
  utc_start_date: ['start_date', 'timezone'],
  utc_end_date: ['end_date', 'timezone'],
};

/** The fields that say something of their own. */
export const ownFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !Object.hasOwn(FOLLOWS_FROM, field)));

/** The fields that a fact has set to something that has been erased since: that they were set is told all the same. */
export function erasedFields(data: Json, after: Fields): string[] {
  if (!isObject(data)) return [];
  return Object.keys(after).filter((field) => after[field] === ERASED && data[FACT_MEMBER[field] ?? field] === ERASED);
}

/** Where facts name a field differently from the API. */
const FACT_MEMBER: { readonly [field: string]: string } = { organizer: 'name' };

/** The fields; those of `fieldNames` that refer to other resources also with their former names. */
export async function withNames(
  kind: ResourceKind,
  fields: Fields,
  fieldNames: readonly string[],
  names: Names,
): Promise<Fields> {
  if (kind !== 'event') return fields;
  const references = Object.entries(REFERENCES).filter(([field]) => fieldNames.includes(field));
  const named = references.map(async ([field, of]) => {
    const ids = idsIn(fields[field]);
    return [field, await Promise.all(ids.map((id) => names.of({ kind: of, id })))] as const;
  });
  return { ...fields, ...Object.fromEntries(await Promise.all(named)) };
}

const idsIn = (value: Json | undefined): number[] =>
  Array.isArray(value) ? value.map((member) => Number(isObject(member) ? member.id : member)) : [];

export const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
