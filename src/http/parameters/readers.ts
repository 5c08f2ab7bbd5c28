// Values as handlers want them: lists, ids, flags, out of whatever notation the client used. They expect accepted values.

const TRUTHY: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'y', 'on', 'enable', 'enabled']);
const STRICT_TRUTHY: ReadonlySet<string> = new Set(['1', 'true', 'on', 'yes']);

/** The words for yes of `has_events`, `only_with_upcoming` and a venue's map flags; anything else is no. */
export const truthy = (value: unknown): boolean => value === true || TRUTHY.has(textOf(value).toLowerCase());

/** The fewer words for yes of `strict_dates`. */
export const strictTruthy = (value: unknown): boolean =>
  value === true || STRICT_TRUTHY.has(textOf(value).toLowerCase());

/** A scalar as text; `''` for null, lists and objects. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The members of a list in any notation (array, object, comma list, single value), trimmed, empty ones left out. */
export function listOf(value: unknown): string[] {
  if (typeof value === 'string') return trimmedMembers(value.split(','));
  if (Array.isArray(value)) return trimmedMembers(value);
  if (typeof value === 'object' && value !== null) return trimmedMembers(Object.values(value));
  return trimmedMembers([value]);
}

const trimmedMembers = (members: readonly unknown[]): string[] =>
  members.map((member) => textOf(member).trim()).filter((member) => member !== '');

const INTEGER_TEXT = /^\+?\d+(?:\.0*)?$|^\d+(?:\.\d+)?e\+?\d{1,2}$/i;

/** A positive integer in the forms that clients write (`5`, `"5"`, `" 5"`, `"5.0"`, `"1e1"`); null for anything else. */
export function positiveInteger(value: unknown): number | null {
  const number = typeof value === 'string' && INTEGER_TEXT.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0
    ? Math.min(number, Number.MAX_SAFE_INTEGER)
    : null;
}

/** The ids in a list, each once, in the order given; members that are none are left out. */
export function idList(value: unknown): number[] {
  const ids = listOf(value).map(positiveInteger);
  return [...new Set(ids.filter((id) => id !== null))];
}

/** What `image` says: an id, an address, or none. */
export type ImageInput = { readonly id: number } | { readonly url: string } | null;

export function imageInput(value: unknown): ImageInput {
  const text = textOf(value).trim();
  if (text === '' || text === '0' || value === false) return null;
  const id = positiveInteger(text);
  return id === null ? { url: text } : { id };
}

/** Whether a value says nothing: null, false, `''`, `0`, `'0'`, an empty list or object. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '' || value === 0 || value === '0')
    return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
