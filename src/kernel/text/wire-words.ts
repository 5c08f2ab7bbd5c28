// Words of the wire: truthy values, lists in any notation, differences of lists.

const TRUTHY: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'y', 'on', 'enable', 'enabled']);
const STRICT_TRUTHY: ReadonlySet<string> = new Set(['1', 'true', 'on', 'yes']);

/** Truthy values of `has_events`, `only_with_upcoming` and a venue's map flags; anything else is false. */
export const truthy = (value: unknown): boolean => value === true || TRUTHY.has(textOf(value).toLowerCase());

/** The shorter list of truthy values of `strict_dates`. */
export const strictTruthy = (value: unknown): boolean =>
  value === true || STRICT_TRUTHY.has(textOf(value).toLowerCase());

/** A scalar as text; `''` for null, lists and objects. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/**
 * The members of a list in any notation (array, object, comma-separated, single value), trimmed, without empty ones.
 */
export function listOf(value: unknown): string[] {
  if (typeof value === 'string') return trimmedMembers(value.split(','));
  if (Array.isArray(value)) return trimmedMembers(value);
  if (typeof value === 'object' && value !== null) return trimmedMembers(Object.values(value));
  return trimmedMembers([value]);
}

const trimmedMembers = (members: readonly unknown[]): string[] =>
  members.map((member) => textOf(member).trim()).filter(Boolean);

/** A filter by ids: those that are meant, and how links show it. */
export interface IdFilter {
  readonly ids: readonly number[];
  readonly text: string;
}

export const idFilter = (ids: readonly number[], value: unknown): IdFilter => ({ ids, text: argumentText(value) });

/** An argument as it was sent, lists joined by commas, booleans as `1` and `0`. */
export function argumentText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'object' && value !== null ? listOf(value).join(',') : String(value);
}

/** What may become of an event between two lists. `cancelled`: canceled, or not public any more. `removed`: still public, but not in the list. */
export const DIFFERENCES = ['added', 'removed', 'moved', 'changed', 'cancelled'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** How feeds show canceled events. `omit` leaves these out; postponed ones have a prefix then. */
export const CANCELLED_MODES = ['status', 'prefix', 'omit'] as const;
export type CancelledMode = (typeof CANCELLED_MODES)[number];
