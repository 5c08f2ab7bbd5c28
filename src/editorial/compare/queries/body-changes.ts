// Two renderings of an event, as lists show it, field by field.
import type { Json } from '../../../log/envelope.ts';
import { REFERENCES } from '../../../rendering/public-fields.ts';
import { type Change, changedFields, isObject, saysNothing } from '../../history/queries/field-changes.ts';

type Members = { readonly [name: string]: Json };

/** What follows from other fields, or changes without the resource. */
const DERIVED: ReadonlySet<string> = new Set([
  ...['modified', 'modified_utc', 'date_utc', 'count', 'urls', 'url', 'rest_url', 'json_ld'],
  ...['global_id', 'global_id_lineage', 'timezone_abbr', 'start_date_details', 'end_date_details'],
  ...['utc_start_date_details', 'utc_end_date_details', 'previous_start_date'],
]);

/** By the kind of resource, the member that has its name. */
const NAMES: readonly string[] = ['venue', 'organizer', 'name'];

/** Of what is embedded the fields have its name before them: `venue.address`. */
export function bodyChanges(before: Members, after: Members): Change[] {
  const [one, other] = [withTexts(before), withTexts(after)];
  return changedIn(one, other).flatMap((field): Change[] => {
    const [former, present] = [one[field] ?? null, other[field] ?? null];
    if (!Object.hasOwn(REFERENCES, field)) return [{ field, before: former, after: present }];
    return embeddedChanges(field, membersIn(former), membersIn(present));
  });
}

/** Notices by their texts: other fields say what else they tell. */
function withTexts(of: Members): Members {
  if (!Array.isArray(of.notices)) return of;
  const texts = of.notices.filter(isObject).flatMap(({ text = '' }) => (text === '' ? [] : [text]));
  return { ...of, notices: texts, event_status: of.event_status === 'scheduled' ? null : (of.event_status ?? null) };
}

function changedIn(before: Members, after: Members): string[] {
  const own = (of: Members): Members =>
    Object.fromEntries(Object.entries(of).filter(([name, value]) => !DERIVED.has(name) && !saysNothing(value)));
  const [former, present] = [own(before), own(after)];
  const names = new Set([...Object.keys(former), ...Object.keys(present)]);
  const all = (of: Members): Members => Object.fromEntries([...names].map((name) => [name, of[name] ?? null]));
  return changedFields(all(former), all(present));
}

function embeddedChanges(field: string, before: readonly Members[], after: readonly Members[]): Change[] {
  const isSame = before.length === after.length && before.every(({ id }, index) => id === after[index]?.id);
  if (!isSame) return [{ field, before: before.map(named), after: after.map(named) }];
  return before.flatMap((one, index) => {
    const other = after[index] ?? {};
    return changedIn(one, other).map((name) => ({
      field: `${field}.${name}`,
      before: one[name] ?? null,
      after: other[name] ?? null,
    }));
  });
}

/** A venue alone is no list. */
const membersIn = (value: Json): readonly Members[] => (Array.isArray(value) ? value : [value]).filter(isObject);

const named = (of: Members): Json => {
  const name = NAMES.find((member) => typeof of[member] === 'string') ?? 'name';
  return { id: of.id ?? null, [name]: of[name] ?? null };
};

/** When and where. */
const MOVING: ReadonlySet<string> = new Set([
  ...['start_date', 'end_date', 'utc_start_date', 'utc_end_date', 'timezone', 'all_day', 'venue'],
  ...['address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'geo_lat', 'geo_lng'].map(
    (name) => `venue.${name}`,
  ),
]);

/** It does not take place any more, and says so. */
export const isCancellation = ({ field, after }: Change): boolean => field === 'event_status' && after === 'canceled';

export const isMove = ({ field }: Change): boolean => MOVING.has(field);
