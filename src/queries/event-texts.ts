// The texts of events as lists showed them to the public, for as long as nothing that they were made of has changed: in a list of
// what was listed lately no document is read and nothing is rendered.
import { LRUCache } from 'lru-cache';
import { shareOf } from '../kernel/memory/limit.ts';
import { openRepeated } from '../kernel/memory/repeated.ts';
import type { TermView } from '../read-model/queries.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import { type ListedBody, listedBody } from './bodies.ts';
import type { EventTexts, Reader, TextsOfList } from './reader.ts';

interface CachedText {
  readonly body: ListedBody;
  readonly reader: Pick<Reader, 'links' | 'siteZone' | 'prices'>;
  readonly revision: number;
  /** The last version in which the text was found unchanged. */
  version: string;
}

/** The texts of 7,000 events of usual length. */
const MAX_BYTES = shareOf(24 * 1_048_576, 1 / 32);
/** What one takes beside its text, roughly. */
const TEXT_BYTES = 600;

const WIDE = /[^\0-\xff]/;
/** Bytes of memory, roughly. */
const bytesOf = (text: string): number => TEXT_BYTES + text.length * (WIDE.test(text) ? 2 : 1);

const isSameTerm = (one: TermView | undefined, other: TermView | undefined): boolean =>
  one === other ||
  (one?.revision === other?.revision &&
    one?.count === other?.count &&
    one?.parent === other?.parent &&
    one?.parkedAt === other?.parkedAt);

/** Texts of lists that are read from this read model. */
export function openEventTexts(readModel: ReadModel, maxBytes = MAX_BYTES): EventTexts {
  const texts = new LRUCache<number, CachedText>({ maxSize: maxBytes });
  const isRepeated = openRepeated();

  function textsFor(reader: Reader): TextsOfList {
    const { links, siteZone, prices } = reader;
    let version: string | null = null;
    const isForReader = (text: CachedText): boolean =>
      text.reader.links === links && text.reader.siteZone === siteZone && text.reader.prices === prices;
    return {
      recall({ id, revision }, state) {
        version = state.version;
        const text = texts.get(id);
        if (text === undefined || text.revision !== revision || !isForReader(text)) return undefined;
        if (text.version === state.version) return text.body;
        const { documents, termIds, terms } = text.body;
        if (state.haveChanged(documents.split(' '), text.version)) return undefined;
        if (!terms.every((term, index) => isSameTerm(term, state.terms.get(termIds[index] ?? 0)))) return undefined;
        text.version = state.version;
        return text.body;
      },
      keep(events, bodies) {
        // What has changed since the state of the list was read with the documents has changed since that version, too.
        if (version === null) return;
        for (const [index, event] of events.entries()) {
          const body = bodies[index];
          if (body === undefined || !isRepeated(event.id)) continue;
          const { id, revision } = event;
          const text = { body: listedBody(id, body), reader: { links, siteZone, prices }, version, revision };
          texts.set(id, text, { size: bytesOf(body.text) });
        }
      },
    };
  }

  return {
    forList: (reader, from) =>
      from === readModel && reader.caller === null && reader.password === undefined ? textsFor(reader) : null,
    empty: () => texts.clear(),
  };
}
