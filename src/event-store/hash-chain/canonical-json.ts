// One spelling for each JSON value, so that two programs that hold the same value compute the same hash.

/** Needs no escape: ASCII without quotes, backslashes and control characters. */
const PLAIN = /^[ !#-[\]-~]*$/;
const LONG = 100;

/**
 * JSON without white space, the members of every object ordered by their names, compared code unit by code unit. Strings
 * and numbers are spelled as `JSON.stringify` does (ECMA-262: the shortest decimal digits that give the number back, `-0`
 * as `0`; only `"`, `\`, control characters below U+0020 and lone surrogates are escaped, `\u` with lower-case digits).
 * Members that are undefined are left out, undefined items of arrays are null. For plain finite values this is RFC 8785.
 * Throws `TypeError` for what JSON cannot say: NaN, infinite numbers, functions and the like.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return stringText(value);
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(itemText).join(',')}]`;
  if (typeof value === 'object') return objectText(value);
  throw new TypeError(`A ${typeof value} cannot be written as JSON.`);
}

function numberText(number: number): string {
  if (!Number.isFinite(number)) throw new TypeError(`${number} cannot be written as JSON.`);
  return JSON.stringify(number);
}

const itemText = (item: unknown): string => (item === undefined ? 'null' : canonicalJson(item));

function objectText(object: object): string {
  // A view of the same object by the names of its members.
  const members = object as { readonly [name: string]: unknown };
  let text = '{';
  // `sort` compares strings by code unit unless told otherwise.
  for (const name of Object.keys(object).sort()) {
    const member = members[name];
    if (member === undefined) continue;
    text += `${text === '{' ? '' : ','}${stringText(name)}:${canonicalJson(member)}`;
  }
  return `${text}}`;
}

/** Nearly all strings are plain, and to see that is faster than to have them spelled. */
function stringText(text: string): string {
  return text.length < LONG && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
