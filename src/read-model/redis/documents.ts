// Documents are stored in two keys each: the body, which lists show, and the rest, which single reads and the next
// event need.
//
// A body is a line of JSON, then the fragments unchanged, one after the other: a page of a list is assembled without
// parsing them. The rest is a line with the texts of an event, then the state. Each begins with its checksum (see
// ../damage.ts).

import { openTurns } from '../../event-loop/turns.ts';
import { checksumOf, parseStored, ReadModelDamaged } from '../damage.ts';
import { type Document, type DocumentKey, type Fragments, textsOf, withState, withTexts } from '../documents.ts';
import type { Keys } from './keys.ts';
import type { Reader } from './reader.ts';
import type { Entry } from './tracked-cache.ts';

/** Lengths of `full`, `masked` (null if absent) and `jsonLd`, in UTF-16 units. */
type Lengths = readonly [full: number, masked: number | null, jsonLd: number];

/** Half of a surrogate pair would not survive the server, while JSON escapes it. Whole pairs only cost time there. */
const mayBreak = (text: string | null): boolean => text !== null && /[\ud800-\udfff]/.test(text);

const isSafe = ({ full, masked, jsonLd }: Fragments): boolean => ![full, masked, jsonLd].some(mayBreak);

/** Digits of a checksum. */
const CHECKSUM_DIGITS = 16;

const checksumFor = (text: string): string => String(checksumOf([text])).padStart(CHECKSUM_DIGITS, '0');

const withChecksum = (text: string): string => checksumFor(text) + text;

/** Throws `ReadModelDamaged`. */
function withoutChecksum(stored: string, place: string): string {
  const text = stored.slice(CHECKSUM_DIGITS);
  if (stored.slice(0, CHECKSUM_DIGITS) !== checksumFor(text)) throw new ReadModelDamaged(place);
  return text;
}

/** The part of a document that lists show, as stored. */
export const storedBody = (document: Document): string => withChecksum(bodyText(document));

/** The part of a document that lists do not show, as stored. */
export const storedRest = (document: Document): string => withChecksum(restText(document));

function bodyText(document: Document): string {
  const small = {
    ...document,
    state: null,
    ...(document.kind === 'event' ? { title: '', excerpt: '', description: '' } : {}),
  };
  if (!('fragments' in small) || !isSafe(small.fragments)) return JSON.stringify(small);
  const { full, masked, jsonLd } = small.fragments;
  const lengths: Lengths = [full.length, masked?.length ?? null, jsonLd.length];
  return `${JSON.stringify({ ...small, fragments: lengths })}\n${full}${masked ?? ''}${jsonLd}`;
}

function restText(document: Document): string {
  return `${JSON.stringify(textsOf(document))}\n${JSON.stringify(document.state)}`;
}

/** The body of a document, parsed from what is stored at a key. Throws `ReadModelDamaged`. */
function parsedBody(stored: string, key: string): Document {
  const text = withoutChecksum(stored, key);
  const line = text.indexOf('\n');
  if (line < 0) return parseStored(text, key);
  const small = parseStored<{ readonly fragments: Lengths }>(text.slice(0, line), key);
  const [full, masked, jsonLd] = small.fragments;
  const ends = [full, full + (masked ?? 0), full + (masked ?? 0) + jsonLd].map((length) => line + 1 + length);
  const fragments: Fragments = {
    full: text.slice(line + 1, ends[0]),
    masked: masked === null ? null : text.slice(ends[0], ends[1]),
    jsonLd: text.slice(ends[1], ends[2]),
  };
  // The key holds a document of that kind, as its checksum confirms.
  return Object.assign(small, { fragments }) as unknown as Document;
}

/** The keys of both halves of a document. */
interface Halves {
  readonly body: string;
  readonly rest: string;
}

const halvesOf = (keys: Keys, key: DocumentKey): Halves => ({ body: keys.body(key), rest: keys.rest(key) });

/** A body, parsed once for as long as it is cached. */
function bodyIn(entry: Entry, key: string): Document | null {
  if (entry.text === null) return null;
  entry.parsed ??= parsedBody(entry.text, key);
  return entry.parsed as Document;
}

/** A document with both parts. */
function whole(body: Document | null, stored: string | null, keys: Halves): Document | null {
  if (!body && stored === null) return null;
  // Both parts are always written together.
  if (!body || stored === null) throw new ReadModelDamaged(body ? keys.rest : keys.body);
  const rest = withoutChecksum(stored, keys.rest);
  const line = rest.indexOf('\n');
  return withState(withTexts({ ...body }, rest.slice(0, line), keys.rest), rest.slice(line + 1));
}

/** A document with its state, assembled once for as long as both parts are cached. */
function wholeIn(body: Entry, rest: Entry, keys: Halves): Document | null {
  rest.parsed ??= whole(bodyIn(body, keys.body), rest.text, keys);
  return rest.parsed as Document | null;
}

/** Values of a read, with that of the first key, which all of them are of one moment with. */
interface Read {
  readonly version: string | null;
  readonly entries: readonly Entry[];
}

async function valuesWithVersion(reader: Reader, { version }: Keys, keys: readonly string[]): Promise<Read> {
  const [first = { text: null }, ...entries] = await reader.values([version, ...keys]);
  return { version: first.text, entries };
}

/**
 * Documents in the requested order as lists show them, without their states and the texts of events; null for missing ones.
 * They are parsed where `take` is called, which rejects with `ReadModelDamaged`, as that of `documents` does.
 */
export async function bodies(reader: Reader, keys: Keys, wanted: readonly DocumentKey[]) {
  const places = wanted.map((key) => keys.body(key));
  const { version, entries } = await valuesWithVersion(reader, keys, places);
  return {
    version,
    async take(): Promise<(Document | null)[]> {
      const turn = openTurns();
      const found: (Document | null)[] = [];
      for (const [at, entry] of entries.entries()) {
        await turn();
        found.push(bodyIn(entry, places[at] ?? ''));
      }
      return found;
    },
  };
}

/** Whole documents in the requested order, from the cache where it is valid. */
export async function documents(reader: Reader, keys: Keys, wanted: readonly DocumentKey[]) {
  const halves = wanted.map((key) => halvesOf(keys, key));
  const pairs = halves.flatMap(({ body, rest }) => [body, rest]);
  // Both parts are from one moment; parts of different moments would not match.
  const { version, entries } = await valuesWithVersion(reader, keys, pairs);
  return {
    version,
    async take(): Promise<(Document | null)[]> {
      const turn = openTurns();
      const found: (Document | null)[] = [];
      for (const [at, pair] of halves.entries()) {
        await turn();
        const [body, rest] = [entries[2 * at], entries[2 * at + 1]];
        found.push(body && rest ? wholeIn(body, rest, pair) : null);
      }
      return found;
    },
  };
}

/** The same from the server's reply to MGET for body and rest of each. Throws `ReadModelDamaged`. */
export const documentsIn = (
  keys: Keys,
  wanted: readonly DocumentKey[],
  texts: readonly (string | null)[],
): (Document | null)[] =>
  wanted.map((key, at) => {
    const halves = halvesOf(keys, key);
    const body = texts[2 * at] ?? null;
    return whole(body === null ? null : parsedBody(body, halves.body), texts[2 * at + 1] ?? null, halves);
  });
