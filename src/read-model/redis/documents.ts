// Documents in two keys each: the body, which lists show, and the rest, which single reads and the next event need.
//
// A body is a line of JSON, then the fragments as they are, one after the other: a page of a list is put together
// without taking them apart. The rest is a line with the texts of an event, then the state.
import type { Json } from '../../event-store/envelope.ts';
import type { Document, DocumentKey, Fragments } from '../documents.ts';
import type { Keys } from './keys.ts';
import type { Reader } from './reader.ts';
import type { Entry } from './tracked-cache.ts';

const isThere = <Item>(item: Item | null): item is Item => item !== null;

/** Lengths of `full`, `masked` (null: there is none) and `jsonLd`, in UTF-16 units. */
type Lengths = readonly [full: number, masked: number | null, jsonLd: number];

/** Half of a surrogate pair would not come back from the server, while JSON spells it out. Whole pairs only cost time there. */
const mayBreak = (text: string | null): boolean => text !== null && /[\ud800-\udfff]/.test(text);

const isSafe = ({ full, masked, jsonLd }: Fragments): boolean => ![full, masked, jsonLd].some(mayBreak);

/** What lists show of a document. */
export function bodyText(document: Document): string {
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

/** What lists do not show. */
export function restText(document: Document): string {
  const texts = document.kind === 'event' ? [document.title, document.excerpt, document.description] : [];
  return `${JSON.stringify(texts)}\n${JSON.stringify(document.state)}`;
}

function parsedBody(text: string): Document {
  const line = text.indexOf('\n');
  // Only `apply` writes there.
  if (line < 0) return JSON.parse(text) as Document;
  const small = JSON.parse(text.slice(0, line)) as { readonly fragments: Lengths };
  const [full, masked, jsonLd] = small.fragments;
  const ends = [full, full + (masked ?? 0), full + (masked ?? 0) + jsonLd].map((length) => line + 1 + length);
  const fragments: Fragments = {
    full: text.slice(line + 1, ends[0]),
    masked: masked === null ? null : text.slice(ends[0], ends[1]),
    jsonLd: text.slice(ends[1], ends[2]),
  };
  return Object.assign(small, { fragments }) as unknown as Document;
}

/** A body, parsed once as long as it is kept. */
function bodyIn(entry: Entry): Document | null {
  if (entry.text === null) return null;
  entry.parsed ??= parsedBody(entry.text);
  return entry.parsed as Document;
}

/** A document with all that belongs to it. Its state is taken apart when somebody asks for it: most readers do not. */
function whole(body: Document | null, rest: string | null): Document | null {
  if (!body || rest === null) return null;
  const line = rest.indexOf('\n');
  const document = { ...body };
  if (document.kind === 'event') {
    const [title, excerpt, description] = JSON.parse(rest.slice(0, line)) as [string, string, string];
    Object.assign(document, { title, excerpt, description });
  }
  let state: Json | undefined;
  return Object.defineProperty(document, 'state', {
    enumerable: true,
    get: () => {
      state ??= JSON.parse(rest.slice(line + 1)) as Json;
      return state;
    },
  });
}

/** A document with its state, put together once as long as both are kept. */
function wholeIn(body: Entry, rest: Entry): Document | null {
  rest.parsed ??= whole(bodyIn(body), rest.text);
  return rest.parsed as Document | null;
}

/** Documents of one kind as lists show them, in the order of their ids; those that have meanwhile gone are left out. */
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

/** Whole documents, from memory where they are still true. */
export async function documents(
  reader: Reader,
  keys: Keys,
  wanted: readonly DocumentKey[],
): Promise<(Document | null)[]> {
  if (wanted.length === 0) return [];
  const pairs = wanted.flatMap((key) => [keys.body(key), keys.rest(key)]);
  // Both halves are of one moment: halves of different ones would not fit together.
  const entries = await reader.values(pairs);
  return wanted.map((_, at) => {
    const body = entries[2 * at];
    const rest = entries[2 * at + 1];
    return body && rest ? wholeIn(body, rest) : null;
  });
}

/** The same from what the server answers to MGET for the same keys. */
export const documentsIn = (texts: readonly (string | null)[]): (Document | null)[] =>
  Array.from({ length: texts.length / 2 }, (_, at) => {
    const body = texts[2 * at] ?? null;
    return whole(body === null ? null : parsedBody(body), texts[2 * at + 1] ?? null);
  });
