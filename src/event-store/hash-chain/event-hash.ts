// How an event is hashed. The rule, for other tools:
//
//   content  = canonical JSON (see canonical-json.ts) of the object with the members data, id, metadata (without its
//              member hash), revision, schemaVersion, stream, type, as they are stored
//   hash     = "sha256:" + SHA-256 of the UTF-8 text  previous + "\n" + content,  as 64 lower-case hexadecimal digits
//   previous = the hash of the event before it in its stream; GENESIS for the first event of a stream
//
// An event that was recorded without a hash has the one that this rule gives it. So the first hash of an old stream seals
// everything that stood in it before. The position is left out: it is not known before an event is written.
import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../envelope.ts';

/** The hash before the first event of a stream. */
export const GENESIS = `sha256:${'0'.repeat(64)}`;

/** The hash of an event behind one with the hash `previous`. Throws `TypeError` when it is not JSON. */
export function hashOf(previous: string, event: Omit<RecordedEvent, 'position'>): string {
  const text = `${previous}\n${contentOf(event)}`;
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** What is hashed of an event, spelled in the one way. */
export function contentOf({
  data,
  id,
  metadata,
  revision,
  schemaVersion,
  stream,
  type,
}: Omit<RecordedEvent, 'position'>): string {
  // The members in their canonical order.
  return canonicalJson({ data, id, metadata: { ...metadata, hash: undefined }, revision, schemaVersion, stream, type });
}

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
