// A document as every engine keeps it: two texts, each behind its checksum (damage.ts). `shown` is what lists need: a line of
// JSON, then the fragments unchanged, one after the other, so that a page of a list is assembled without parsing them.
// `state` is what single reads and the next event need besides; the texts of an event stand there alone.
import type { Json } from '../log/envelope.ts';
import { parseStored, withChecksum, withoutChecksum } from './damage.ts';
import type { Document, Fragments } from './documents.ts';

/** Lengths of `full` and `masked` (null if absent), in UTF-16 units. */
type Lengths = readonly [full: number, masked: number | null];

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

export const storedDocument = (document: Document) => ({
  body: withChecksum(shownText(document)),
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

const STATE_TEXT = Symbol('text of the state');

interface WithStateText {
  readonly [STATE_TEXT]: { readonly text: string; parsed?: Json };
}

function stateOf(document: WithStateText): Json {
  const stored = document[STATE_TEXT];
  stored.parsed ??= JSON.parse(stored.text) as Json;
  return stored.parsed;
}

/** A member of a document that is looked up in its state. */
const member = (read: (state: Json) => Json | undefined): PropertyDescriptor => ({
  enumerable: true,
  get(this: WithStateText) {
    return read(stateOf(this));
  },
});

/** What the projection of events made has them. */
const inState = (name: string) => member((state) => (state as Record<string, Json>)[name]);

// One function for the member of all documents: with functions of their own each document got a shape of its own in the old
// generation, and a quarter of what was read outlived its collection although it was no longer used.
const STATE = { state: member((state) => state) };
/** The state of an event has the texts of its document, too. */
const STATE_AND_TEXTS = {
  ...STATE,
  ...{ title: inState('title'), excerpt: inState('excerpt'), description: inState('description') },
};

/**
 * The whole document of what `shownDocument` made. The state is parsed with the first look at it, because most readers need
 * none. Throws `ReadModelDamaged`, naming the place.
 */
export function wholeDocument(document: Document, stored: string, place: string): Document {
  const members = document.kind === 'event' ? STATE_AND_TEXTS : STATE;
  const whole = Object.defineProperties({ ...document }, members);
  return Object.defineProperty(whole, STATE_TEXT, { value: { text: withoutChecksum(stored, place) } });
}
