// The revision of each event, venue and organizer in a read model in memory.
import { POST_KINDS, type PostKind } from '../../domain/post.ts';
import type { Revision } from '../../event-store/envelope.ts';
import { type DocumentKey, isPostKind } from '../../read-model/documents.ts';
import type { ReadModel } from '../../read-model/read-model.ts';

/** By kind and id. */
export type Revisions = { readonly [Kind in PostKind]: Map<number, Revision> };

export const noRevisions = (): Revisions => ({ event: new Map(), venue: new Map(), organizer: new Map() });

/** Null: it is gone. */
export function noteRevision(revisions: Revisions, { kind, id }: DocumentKey, revision: Revision | null): void {
  if (!isPostKind(kind)) return;
  if (revision === null) revisions[kind].delete(id);
  else revisions[kind].set(id, revision);
}

export interface RevisedModel {
  readonly readModel: ReadModel;
  /** Of what it has now. */
  readonly revisions: Revisions;
}

/** A read model with these revisions: from now on they follow what is written through the result. */
export function withRevisions(model: ReadModel, revisions: Revisions): RevisedModel {
  return {
    revisions,
    readModel: {
      ...model,
      async apply(batch) {
        const outcome = await model.apply(batch);
        if (outcome !== 'applied') return outcome;
        for (const { key, document } of batch.changes) noteRevision(revisions, key, document?.revision ?? null);
        return outcome;
      },
      async clear() {
        await model.clear();
        for (const kind of POST_KINDS) revisions[kind].clear();
      },
    },
  };
}
