// Documents are stored in two keys each: the body, which lists show, and the rest, which single reads and the next
// event need (../stored-document.ts).

import { openTurns } from '../../kernel/event-loop/turns.ts';
import { ReadModelDamaged } from '../damage.ts';
import type { Document, DocumentKey } from '../documents.ts';
import { shownDocument, wholeDocument } from '../stored-document.ts';
import type { Keys } from './keys.ts';
import type { Reader } from './reader.ts';
import type { Entry } from './tracked-cache.ts';

/** The keys of both halves of a document. */
interface Halves {
  readonly body: string;
  readonly rest: string;
}

const halvesOf = (keys: Keys, key: DocumentKey): Halves => ({ body: keys.body(key), rest: keys.rest(key) });

/** A body, parsed once for as long as it is cached. */
function bodyIn(entry: Entry, key: string): Document | null {
  if (entry.text === null) return null;
  entry.parsed ??= shownDocument(entry.text, key);
  return entry.parsed as Document;
}

/** A document with both parts. */
function whole(body: Document | null, stored: string | null, keys: Halves): Document | null {
  if (!body && stored === null) return null;
  // Both parts are always written together.
  if (!body || stored === null) throw new ReadModelDamaged(body ? keys.rest : keys.body);
  return wholeDocument(body, stored, keys.rest);
}

/** A document with its state, assembled once for as long as both parts are cached. */
function wholeIn(body: Entry, rest: Entry, keys: Halves): Document | null {
  rest.parsed ??= whole(bodyIn(body, keys.body), rest.text, keys);
  return rest.parsed as Document | null;
}

/** Values of a read, with that of the first key, which all of them are of one moment with. */
async function valuesWithVersion(reader: Reader, { version }: Keys, keys: readonly string[]) {
  const [first = { text: null }, ...entries] = await reader.values([version, ...keys]);
  return { version: first.text, entries };
}

/**
 * Documents in the requested order as lists show them, without their states and the texts of events; null for missing ones.
 * They are parsed where `take` is called, which rejects with `ReadModelDamaged`, as that of `documents` does.
 */
export async function bodies(reader: Reader, keys: Keys, documentKeys: readonly DocumentKey[]) {
  const places = documentKeys.map((key) => keys.body(key));
  const { version, entries } = await valuesWithVersion(reader, keys, places);
  return {
    version,
    async take(): Promise<(Document | null)[]> {
      const turn = openTurns();
      const result: (Document | null)[] = [];
      for (const [at, entry] of entries.entries()) {
        await turn();
        result.push(bodyIn(entry, places[at] ?? ''));
      }
      return result;
    },
  };
}

/** Whole documents in the requested order, from the cache where it is valid. */
export async function documents(reader: Reader, keys: Keys, documentKeys: readonly DocumentKey[]) {
  const halves = documentKeys.map((key) => halvesOf(keys, key));
  const pairs = halves.flatMap(({ body, rest }) => [body, rest]);
  // Both parts are from one moment; parts of different moments would not match.
  const { version, entries } = await valuesWithVersion(reader, keys, pairs);
  return {
    version,
    async take(): Promise<(Document | null)[]> {
      const turn = openTurns();
      const result: (Document | null)[] = [];
      for (const [at, pair] of halves.entries()) {
        await turn();
        const [body, rest] = [entries[2 * at], entries[2 * at + 1]];
        result.push(body && rest ? wholeIn(body, rest, pair) : null);
      }
      return result;
    },
  };
}

/** Documents from the server's reply to MGET for the body and rest of each. Throws `ReadModelDamaged`. */
export const documentsIn = (
  keys: Keys,
  documentKeys: readonly DocumentKey[],
  texts: readonly (string | null)[],
): (Document | null)[] =>
  documentKeys.map((key, at) => {
    const halves = halvesOf(keys, key);
    const body = texts[2 * at] ?? null;
    return whole(body === null ? null : shownDocument(body, halves.body), texts[2 * at + 1] ?? null, halves);
  });
