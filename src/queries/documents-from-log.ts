// Documents built from the log, for when the read model is unavailable or behind.

import { changesOf } from '../../projections/fold.ts';
import { type AnyProjection, keyOf } from '../../projections/projection.ts';
import type { Revision } from '../event-store/envelope.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Document, DocumentKey, DocumentKind, DocumentOf } from '../read-model/documents.ts';
import type { ReadModel } from '../read-model/read-model.ts';

/**
 * Rejections: those of the event store, and of a fold that fails: nothing is guessed. Each document costs a read of its
 * whole stream.
 */
export interface LogDocuments extends Pick<ReadModel, 'fetch' | 'findBySlug'> {
  /** Of the resource's last event, also after a deletion; null if it was never written. */
  revisionOf(key: DocumentKey): Promise<Revision | null>;
}

/** The stream of the resource that has reserved a slug of a kind; null if there is none. */
export type OwnerOfSlug = (kind: string, slug: string) => Promise<string | null>;

/** No document is older than the first event of its stream. */
const NOTHING_YET = { fetch: async () => [] };

/** The same documents that an up-to-date read model has: folded and rendered by the same projections. */
export function documentsFromLog(
  store: Pick<EventStore, 'readStream'>,
  projections: readonly AnyProjection[],
  ownerOfSlug: OwnerOfSlug,
): LogDocuments {
  function projectionOf(kind: DocumentKind): AnyProjection {
    const projection = projections.find((one) => one.kind === kind);
    if (!projection) throw new Error(`There is no projection of the kind ${kind}.`);
    return projection;
  }

  const streamOf = ({ kind, id }: DocumentKey): string => `${projectionOf(kind).prefix}${id}`;

  async function documentOf(key: DocumentKey): Promise<Document | null> {
    const events = await store.readStream(streamOf(key));
    const [change] = await changesOf(events, projections, NOTHING_YET);
    return change?.document ?? null;
  }

  async function findBySlug<Kind extends DocumentKind>(kind: Kind, slug: string): Promise<DocumentOf<Kind> | null> {
    const owner = await ownerOfSlug(kind, slug);
    const key = owner === null ? null : keyOf(projectionOf(kind), owner);
    const document = key && (await documentOf(key));
    // A reservation may outlive its resource.
    if (!document || !bears(document, slug)) return null;
    return document as DocumentOf<Kind>; // The projection of a kind makes documents of that kind.
  }

  return {
    fetch: (keys) => Promise.all(keys.map(documentOf)),
    findBySlug,
    async revisionOf(key) {
      const [last] = await store.readStream(streamOf(key), { direction: 'backwards', limit: 1 });
      return last?.revision ?? null;
    },
  };
}

function bears(document: Document, slug: string): boolean {
  if (document.kind === 'user') return [document.login, document.email].some((name) => name.toLowerCase() === slug);
  return document.slug === slug && !('deleted' in document && document.deleted);
}
