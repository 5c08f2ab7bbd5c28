// Documents as they were read last, for as long as the index that follows the changes knows of none: in the hot way nothing
// is asked of a store. Without it a list of ten events, of which each embeds a venue and an organizer, read twenty documents.
import { LRUCache } from 'lru-cache';
import { shareOf } from '../kernel/memory/limit.ts';
import { DOCUMENT_KINDS, type Document, type DocumentKey, type DocumentKind } from './documents.ts';
import type { Purpose } from './storage.ts';

export interface KeptDocuments {
  /** Forgets all documents. */
  clear(): void;
  /** Forgets documents that have changed. */
  forget(keys: readonly DocumentKey[]): void;
  /** All of them as they were kept for this purpose; null: one is not kept. */
  recall(keys: readonly DocumentKey[], purpose: ReadPurpose): (Document | null)[] | null;
  /** `documents` are those of `keys`; null: there is none. */
  keep(keys: readonly DocumentKey[], purpose: ReadPurpose, documents: readonly (Document | null)[]): void;
}

type ReadPurpose = Exclude<Purpose, 'fold'>;

/** What answers show, and who asks for them. Others are seldom read twice, and may be as long as what they propose. */
const KEPT: ReadonlySet<DocumentKind> = new Set(['event', 'venue', 'organizer', 'category', 'tag', 'series', 'user']);
const MAX_BYTES = shareOf(24 * 1_048_576, 1 / 32);
/** What a document takes beside its texts, roughly. */
const DOCUMENT_BYTES = 4_000;
const ABSENT_BYTES = 150;

const NUMBERS = new Map(DOCUMENT_KINDS.map((kind, index) => [kind, index]));

/** A number is looked up faster than a text. */
const placeOf = ({ kind, id }: DocumentKey, purpose: ReadPurpose): number =>
  (id * DOCUMENT_KINDS.length + (NUMBERS.get(kind) ?? 0)) * 2 + (purpose === 'list' ? 1 : 0);

function bytesOf(document: Document | null, purpose: ReadPurpose): number {
  if (document === null) return ABSENT_BYTES;
  const fragments = 'fragments' in document ? document.fragments : null;
  const shown = fragments ? fragments.full.length + (fragments.masked?.length ?? 0) : 0;
  // The state has the same texts again, as a text and perhaps parsed: a look at it would parse it.
  const state = fragments && purpose === 'show' ? 2 * fragments.full.length : 0;
  return DOCUMENT_BYTES + shown + state;
}

export function openKeptDocuments(maxBytes = MAX_BYTES): KeptDocuments {
  const kept = new LRUCache<number, { readonly document: Document | null }>({ maxSize: maxBytes });
  return {
    clear: () => kept.clear(),
    forget(keys) {
      for (const key of keys) {
        kept.delete(placeOf(key, 'list'));
        kept.delete(placeOf(key, 'show'));
      }
    },
    recall(keys, purpose) {
      const found: (Document | null)[] = [];
      for (const key of keys) {
        // A whole document is enough for a list.
        const entry = kept.get(placeOf(key, purpose)) ?? kept.get(placeOf(key, 'show'));
        if (entry === undefined) return null;
        found.push(entry.document);
      }
      return found;
    },
    keep(keys, purpose, documents) {
      for (const [index, key] of keys.entries()) {
        const document = documents[index];
        if (document === undefined || !KEPT.has(key.kind)) continue;
        kept.set(placeOf(key, purpose), { document }, { size: bytesOf(document, purpose) });
      }
    },
  };
}
