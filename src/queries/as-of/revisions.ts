// A read model in memory that knows the revision of each event, venue and organizer in it.
import { POST_KINDS } from '../../domain/post.ts';
import type { Revision } from '../../event-store/envelope.ts';
import { isPostKind } from '../../read-model/documents.ts';
import type { DocumentChange, ReadModel } from '../../read-model/read-model.ts';
import type { ReplaySummary } from './replay-as-of.ts';

export type Revisions = ReplaySummary['revisions'];

export interface RevisedModel {
  readonly readModel: ReadModel;
  /** Of what it has now. */
  readonly revisions: Revisions;
}

/** `model` is empty and written through the result alone. */
export function withRevisions(model: ReadModel): RevisedModel {
  const revisions = { event: noRevisions(), venue: noRevisions(), organizer: noRevisions() };

  function note({ key: { kind, id }, document }: DocumentChange): void {
    if (!isPostKind(kind)) return;
    if (document === null) revisions[kind].delete(id);
    else revisions[kind].set(id, document.revision);
  }

  return {
    revisions,
    readModel: {
      ...model,
      async apply(batch) {
        const outcome = await model.apply(batch);
        if (outcome === 'applied') for (const change of batch.changes) note(change);
        return outcome;
      },
      async clear() {
        await model.clear();
        for (const kind of POST_KINDS) revisions[kind].clear();
      },
    },
  };
}

const noRevisions = (): Map<number, Revision> => new Map();
