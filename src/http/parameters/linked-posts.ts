// Venues and organizers within an event: ids, or objects to create, in every notation of clients.
import type { TObject } from 'typebox';
import { type LookupKind, parametersOf, wireSchema } from '../schemas/keywords.ts';
import * as allow from './allowed.ts';
import { validatorOf } from './checks.ts';
import { coerced } from './coercion.ts';
import { isEmpty, positiveInteger } from './readers.ts';
import { allowing, MAX_LIST_MEMBERS, type ValidationContext, type Validator } from './validators.ts';

/** An existing post, or the fields of a new one, coerced by its own table. */
export type LinkedEntry = { readonly id: number } | { readonly fields: { readonly [name: string]: unknown } };

type LinkedKind = Exclude<LookupKind, 'event'>;
type Fields = { readonly [name: string]: unknown };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a value in any notation: a single one, a comma-separated list of ids, an array. */
function membersOf(value: unknown): readonly unknown[] {
  if (isEmpty(value)) return [];
  if (Array.isArray(value)) return value.filter((member) => !isEmpty(member));
  if (typeof value === 'string') return value.split(',').filter((member) => member.trim() !== '');
  return [value];
}

/** An id given as such or as `{ "id": 5 }`; null for anything else. */
const idOf = (member: unknown): number | null =>
  positiveInteger(isFields(member) && 'id' in member ? member.id : member);

/**
 * Accepts an empty value, ids of posts of this kind outside the trash, and objects that the kind's own create table
 * accepts. An object's name must be present but may be blank: the handler decides about that.
 */
export function linkedPosts(kind: LinkedKind, table: TObject): Validator {
  return allowing(
    allow.links(kind),
    async (value, context) => {
      const members = membersOf(value);
      if (members.length > MAX_LIST_MEMBERS) return false;
      const entries = members.filter((member) => isFields(member) && !('id' in member)) as Fields[]; // Narrowed by the filter.
      const ids = members.filter((member) => !entries.some((entry) => entry === member)).map(idOf);
      if (!(await allLinkable(kind, ids, context))) return false;
      for (const entry of entries) if (!(await acceptsEntry(kind, table, entry, context))) return false;
      return true;
    },
    (value) => linkedEntries(value, table),
  );
}

async function allLinkable(kind: LinkedKind, ids: readonly (number | null)[], context: ValidationContext) {
  const known = ids.filter((id) => id !== null);
  if (known.length < ids.length) return false;
  if (known.length === 0) return true;
  const posts = await context.lookups.posts(known);
  return posts.every((post) => post?.kind === kind && post.status !== 'trash');
}

async function acceptsEntry(kind: LinkedKind, table: TObject, entry: Fields, context: ValidationContext) {
  if (typeof entry[kind] !== 'string') return false;
  const inner: ValidationContext = { ...context, sent: { ...entry } };
  for (const [name, schema] of parametersOf(table)) {
    const value = entry[name];
    if (value === undefined || value === null || (name === kind && isBlankName(value))) continue;
    const { check } = wireSchema(schema);
    if (check && !(await validatorOf(check)(value, inner))) return false;
    if (coerced(value, schema).kind === 'mistyped') return false;
  }
  return true;
}

const isBlankName = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** The parsed members, in order; duplicate ids are kept, an empty list if nothing is linked. */
export const linkedEntries = (value: unknown, table: TObject): LinkedEntry[] =>
  membersOf(value).map((member) => {
    const id = idOf(member);
    return id === null ? { fields: isFields(member) ? coercedFields(member, table) : {} } : { id };
  });

function coercedFields(entry: Fields, table: TObject): Fields {
  const fields: { [name: string]: unknown } = {};
  for (const [name, schema] of parametersOf(table)) {
    const value = entry[name];
    if (value === undefined || value === null) continue;
    const outcome = coerced(value, schema);
    if (outcome.kind !== 'value') continue;
    const { check } = wireSchema(schema);
    const read = check && validatorOf(check).read;
    const field = read ? read(outcome.value) : outcome.value;
    if (field !== undefined) fields[name] = field;
  }
  return fields;
}
