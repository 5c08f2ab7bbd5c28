// How an event is hashed. The rule, for other tools:
//
//   content  = canonical JSON (see canonical-json.ts) of the object with the members data, id, metadata (without its
//              member hash), revision, schemaVersion, stream, type, as they are stored
//   hash     = "sha256:" + SHA-256 of the UTF-8 text  previous + "\n" + content,  as 64 lower-case hexadecimal digits
//   previous = the hash of the event before it in its stream; GENESIS for the first event of a stream
//
// An event that was recorded without a hash has the one that this rule gives. So the first hash of an old stream covers
// everything before it. The position is left out: it is not known before an event is written.
import { hash as digest } from 'node:crypto';
import type { EventMetadata, RecordedEvent } from '../envelope.ts';

/** The hash before the first event of a stream. */
export const GENESIS = `sha256:${'0'.repeat(64)}`;

/** The hash of an event that follows one with the hash `previous`. Throws `TypeError` if it is not JSON. */
export function hashOf(previous: string, event: Omit<RecordedEvent, 'position'>): string {
  const text = `${previous}\n${contentOf(event)}`;
  return `sha256:${digest('sha256', text)}`;
}

/** The hashed content of an event, in canonical form. */
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
  return (
    `{"data":${canonicalJson(data)},"id":${stringText(id)},"metadata":${metadataText(metadata)},"revision":${revision},` +
    `"schemaVersion":${schemaVersion},"stream":${stringText(stream)},"type":${stringText(type)}}`
  );
}

/** The metadata of the event before: all events that a request writes have the same. */
let last: { readonly metadata: EventMetadata; readonly text: string } | null = null;

function metadataText(metadata: EventMetadata): string {
  if (last?.metadata !== metadata) last = { metadata, text: canonicalJson({ ...metadata, hash: undefined }) };
  return last.text;
}

// One text per JSON value, so that two programs with the same value compute the same hash.

/** Needs no escapes: ASCII without quotes, backslashes and control characters. */
const PLAIN = /^[ !#-[\]-~]*$/;
const LONG = 100;

/**
 * JSON without white space, the members of every object ordered by their names, compared code unit by code unit.
 * Strings and numbers are written like `JSON.stringify` does (ECMA-262: the shortest decimal digits that give the
 * number back, `-0` as `0`; only `"`, `\`, control characters below U+0020 and lone surrogates are escaped, `\u` with
 * lower-case digits). Undefined members are left out, undefined items of arrays are null. For plain finite values this
 * is RFC 8785. Throws `TypeError` for what JSON cannot express: NaN, infinite numbers, functions and the like.
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
  // The object with its members by name.
  const members = object as { readonly [name: string]: unknown };
  let text = '{';
  // `sort` compares strings by code unit by default.
  for (const name of Object.keys(object).sort()) {
    const member = members[name];
    if (member === undefined) continue;
    text += `${text === '{' ? '' : ','}${stringText(name)}:${canonicalJson(member)}`;
  }
  return `${text}}`;
}

/** Nearly all strings are plain, and checking that is faster than escaping them. */
function stringText(text: string): string {
  return text.length < LONG && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
