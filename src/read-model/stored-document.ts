// A document as every engine keeps it: two texts, each behind its checksum (damage.ts). `shown` is what lists need: a line of
// JSON, then the fragments unchanged, one after the other, so that a page of a list is assembled without parsing them.
// `state` is what single reads and the next event need besides; the texts of an event stand there alone.
import type { Json } from '../log/envelope.ts';
import { checksumOf, parseStored, ReadModelDamaged } from './damage.ts';
import type { Document, Fragments } from './documents.ts';

export interface StoredDocument {
  readonly shown: string;
  readonly state: string;
}

/** Lengths of `full` and `masked` (null if absent), in UTF-16 units. */
type Lengths = readonly [full: number, masked: number | null];

/** Digits of a checksum. */
const CHECKSUM_DIGITS = 16;

const checksumFor = (text: string): string => String(checksumOf(text)).padStart(CHECKSUM_DIGITS, '0');

const withChecksum = (text: string): string => checksumFor(text) + text;

function withoutChecksum(stored: string, place: string): string {
  const text = stored.slice(CHECKSUM_DIGITS);
  if (!stored.startsWith(checksumFor(text))) throw new ReadModelDamaged(place);
  return text;
}

/** Half of a surrogate pair would not survive an engine, while JSON escapes it. */
const isSafe = ({ full, masked }: Fragments): boolean => full.isWellFormed() && masked?.isWellFormed() !== false;

function shownText(document: Document): string {
  const small = {
    ...document,
    state: null,
    ...(document.kind === 'event' ? { title: '', excerpt: '', description: '' } : {}),
  };
  if (!('fragments' in small) || !isSafe(small.fragments)) return JSON.stringify(small);
  const { full, masked } = small.fragments;
  const lengths: Lengths = [full.length, masked?.length ?? null];
  return `${JSON.stringify({ ...small, fragments: lengths })}\n${full}${masked ?? ''}`;
}

export const storedDocument = (document: Document): StoredDocument => ({
  shown: withChecksum(shownText(document)),
  state: withChecksum(JSON.stringify(document.state)),
});

/** A document for lists: without its state (null) and the texts of an event (`''`). Throws `ReadModelDamaged`, naming the place. */
export function shownDocument(stored: string, place: string): Document {
  const text = withoutChecksum(stored, place);
  const line = text.indexOf('\n');
  if (line < 0) return parseStored(text, place);
  const small = parseStored<{ readonly fragments: Lengths }>(text.slice(0, line), place);
  const [full, masked] = small.fragments;
  const end = line + 1 + full;
  const fragments: Fragments = {
    full: text.slice(line + 1, end),
    masked: masked === null ? null : text.slice(end, end + masked),
  };
  // A document was written there, as the checksum confirms.
  return Object.assign(small, { fragments }) as unknown as Document;
}

/** Members of the state of an event that its document has, too. */
const TEXTS = ['title', 'excerpt', 'description'] as const;

/**
 * The whole document of what `shownDocument` made. The state is parsed with the first look at it, because most readers need
 * none. Throws `ReadModelDamaged`, naming the place.
 */
export function wholeDocument(shown: Document, stored: string, place: string): Document {
  const text = withoutChecksum(stored, place);
  let parsed: Json | undefined;
  const state = (): Json => {
    parsed ??= JSON.parse(text) as Json;
    return parsed;
  };
  const texts = shown.kind === 'event' ? TEXTS : [];
  return Object.defineProperties(
    { ...shown },
    {
      state: { enumerable: true, get: state },
      ...Object.fromEntries(
        // What the projection of events made has them.
        texts.map((name) => [name, { enumerable: true, get: () => (state() as Record<string, Json>)[name] }]),
      ),
    },
  );
}
