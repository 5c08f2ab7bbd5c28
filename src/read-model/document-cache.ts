// Documents as they were read last, for as long as the index that follows the changes knows of none: in the hot way nothing
// is asked of a store. Without it a list of twelve events, of which each embeds a venue and an organizer, reads thirty-six documents
// instead of twelve: among 100,000 events 2.4 to 3.0 ms of processor time instead of 1.6 to 2.0.
import { LRUCache } from 'lru-cache';
import { shareOf } from '../kernel/memory/limit.ts';
import { type Document, type DocumentKey, type DocumentKind, keyText } from './documents.ts';
import type { Purpose } from './storage.ts';

export type DocumentCache = ReturnType<typeof openDocumentCache>;

type ReadPurpose = Exclude<Purpose, 'fold'>;

interface CachedDocument {
  readonly document: Document | null;
  readonly purpose: ReadPurpose;
}

/** What answers show, and who asks for them. Others are seldom read twice, and may be as long as what they propose. */
const KEPT: ReadonlySet<DocumentKind> = new Set(['event', 'venue', 'organizer', 'category', 'tag', 'series', 'user']);
const MAX_BYTES = shareOf(24 * 1_048_576, 1 / 32);
/** What a document takes beside its texts, roughly; and a key without one: most of what is looked for in vain, one id as every kind. */
const DOCUMENT_BYTES = 2_000;
const MISSING_BYTES = 200;

/** The state has the same texts again, as a text and perhaps parsed: a look at it would parse it. */
const bytesOf = (document: Document | null): number =>
  document === null
    ? MISSING_BYTES
    : DOCUMENT_BYTES + ('fragments' in document ? 3 * document.fragments.full.length : 0);

export function openDocumentCache(maxBytes = MAX_BYTES) {
  const open = () => new LRUCache<string, CachedDocument>({ maxSize: maxBytes / 2 });
  // Events are many: they would drive out the few things that all of them embed.
  const [events, others] = [open(), open()];
  const keptOf = ({ kind }: DocumentKey) => (kind === 'event' ? events : others);
  return {
    /** Forgets all documents. */
    clear() {
      events.clear();
      others.clear();
    },
    /** Forgets documents that have changed. */
    forget(keys: readonly DocumentKey[]) {
      for (const key of keys) keptOf(key).delete(keyText(key));
    },
    /** Each of them as it was kept for this purpose; undefined: it is not kept. */
    recall: (keys: readonly DocumentKey[], purpose: ReadPurpose) =>
      keys.map((key) => {
        const cached = keptOf(key).get(keyText(key));
        // A whole document is enough for a list.
        return purpose === 'list' || cached?.purpose === 'show' ? cached?.document : undefined;
      }),
    /** `documents` are those of `keys`; null: there is none. */
    keep(keys: readonly DocumentKey[], purpose: ReadPurpose, documents: readonly (Document | null)[]) {
      for (const [index, key] of keys.entries()) {
        const document = documents[index] ?? null;
        // Lists are kept as answers: with their events old space filled, and collections of garbage took an eighth of the time.
        if (!KEPT.has(key.kind) || (key.kind === 'event' && purpose === 'list')) continue;
        keptOf(key).set(keyText(key), { document, purpose }, { size: bytesOf(document) });
      }
    },
  };
}
