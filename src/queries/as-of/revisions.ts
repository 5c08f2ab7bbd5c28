// The revision of each event, venue and organizer in a read model in memory.
import { POST_KINDS, type PostKind } from '../../domain/post.ts';
import type { Revision } from '../../event-store/envelope.ts';
import { type Document, isPostKind } from '../../read-model/documents.ts';
import type { DocumentChange, FillableModel, ReadModel } from '../../read-model/read-model.ts';

/** By kind and id. */
export type Revisions = { readonly [Kind in PostKind]: Map<number, Revision> };

export const noRevisions = (): Revisions => ({ event: new Map(), venue: new Map(), organizer: new Map() });

/** Between threads: kind, id and revision of one after the other. */
export type PackedRevisions = Float64Array<ArrayBuffer>;

const MEMBERS = 3;

export const packedRevisions = (documents: readonly Document[]): PackedRevisions =>
  Float64Array.from(
    documents.flatMap(({ kind, id, revision }) => (isPostKind(kind) ? [POST_KINDS.indexOf(kind), id, revision] : [])),
  );

export function noteRevisions(revisions: Revisions, packed: PackedRevisions): void {
  for (let at = 0; at < packed.length; at += MEMBERS) {
    const [index = 0, id = 0, revision = 0] = packed.subarray(at, at + MEMBERS);
    const kind = POST_KINDS[index];
    if (kind !== undefined) revisions[kind].set(id, revision);
  }
}

export interface RevisedModel {
  readonly readModel: ReadModel;
  /** Of what it has now. */
  readonly revisions: Revisions;
}

/** A read model with these revisions: from now on they follow what is written through the result. */
export function withRevisions(model: FillableModel, revisions: Revisions): RevisedModel {
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
