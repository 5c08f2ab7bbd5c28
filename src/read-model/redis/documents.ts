// Documents as JSON in two keys each: the body, which lists show, and the state, from which the next event goes on.
import type { Json } from '../../event-store/envelope.ts';
import type { Document, DocumentKey } from '../documents.ts';
import type { Keys } from './keys.ts';
import type { Reader } from './reader.ts';
import type { Entry } from './tracked-cache.ts';

const isThere = <Item>(item: Item | null): item is Item => item !== null;

/** A body, parsed once as long as it is kept. */
function bodyIn(entry: Entry): Document | null {
  if (entry.text === null) return null;
  // Only `apply` writes there.
  entry.parsed ??= JSON.parse(entry.text) as Document;
  return entry.parsed as Document;
}

const whole = (body: Document | null, state: string | null): Document | null =>
  body && { ...body, state: JSON.parse(state ?? 'null') as Json };

/** A document with its state, put together once as long as both are kept. */
function wholeIn(body: Entry, state: Entry): Document | null {
  state.parsed ??= whole(bodyIn(body), state.text);
  return state.parsed as Document | null;
}

export const bodyText = (document: Document): string => JSON.stringify({ ...document, state: null });

/** Documents of one kind without their states, in the order of their ids; those that have meanwhile gone are left out. */
export async function bodies<Found extends Document>(
  reader: Reader,
  keys: Keys,
  kind: Found['kind'],
  ids: readonly number[],
): Promise<Found[]> {
  if (ids.length === 0) return [];
  const entries = await reader.values(ids.map((id) => keys.body({ kind, id })));
  // The keys of a kind hold documents of that kind.
  return entries.map((entry) => bodyIn(entry) as Found | null).filter(isThere);
}

/** Documents with their states, from memory where they are still true. */
export async function documents(
  reader: Reader,
  keys: Keys,
  wanted: readonly DocumentKey[],
): Promise<(Document | null)[]> {
  if (wanted.length === 0) return [];
  const pairs = wanted.flatMap((key) => [keys.body(key), keys.state(key)]);
  // Both halves are of one moment: halves of different ones would not fit together.
  const entries = await reader.values(pairs);
  return wanted.map((_, at) => {
    const [body, state] = entries.slice(2 * at, 2 * at + 2);
    return body && state ? wholeIn(body, state) : null;
  });
}

/** The same from what the server answers to MGET for the same keys. */
export const documentsIn = (texts: readonly (string | null)[]): (Document | null)[] =>
  Array.from({ length: texts.length / 2 }, (_, at) => {
    const body = texts[2 * at] ?? null;
    return whole(body === null ? null : (JSON.parse(body) as Document), texts[2 * at + 1] ?? null);
  });
