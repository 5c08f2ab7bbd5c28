// Values as handlers want them: lists, ids, flags, out of whatever notation the client used. They expect accepted values.
import { listOf, textOf } from '../schemas/words.ts';

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
