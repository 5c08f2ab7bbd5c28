// Parked resources: which there are, and folding each of them anew, alone, when it may have become possible.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { changesOfAll, wholeStream } from '../../../projections/changes.ts';
import type { AnyProjection } from '../../../projections/projection.ts';
import type { RecordedEvent } from '../../log/envelope.ts';
import type { StreamReader } from '../../log/event-store.ts';
import { ALL, type DocumentKey, type ParkedDocument } from '../documents.ts';
import type { DocumentChange, ReadModel } from '../read-model.ts';
import { CONTROL_STREAM } from './control.ts';

/** Resources of which the whole streams are read and folded for one batch. */
const AT_ONCE = 20;

/** The parked resources of a read model, by kind and id. */
export async function parkedIn(model: Pick<ReadModel, 'named' | 'fetch'>): Promise<readonly ParkedDocument[]> {
  const ids = await model.named('parked', ALL);
  const documents = await model.fetch(ids.map((id) => ({ kind: 'parked', id })));
  return documents.filter((document) => document?.kind === 'parked');
}

/** Whether an operator has told the projectors something. */
export const isInstructed = (events: readonly RecordedEvent[]): boolean =>
  events.some(({ stream }) => stream === CONTROL_STREAM);

interface Replaying {
  readonly store: StreamReader;
  /** As the projector has it. */
  readonly readModel: ReadModel;
  readonly projections: readonly AnyProjection[];
}

/**
 * Folds parked resources anew, each from its first event up to the checkpoint, and replaces what differs. Returns those
 * that are not parked any more. Another writer at the same time is harmless. Rejections: those of the stores.
 */
export async function replayParked(replaying: Replaying): Promise<readonly DocumentKey[]> {
  const parked = await parkedIn(replaying.readModel);
  const mended: DocumentKey[] = [];
  for (let from = 0; from < parked.length; from += AT_ONCE) {
    mended.push(...(await replaySome(replaying, parked.slice(from, from + AT_ONCE))));
    await nextTurn();
  }
  return mended;
}

async function replaySome(
  { store, readModel, projections }: Replaying,
  parked: readonly ParkedDocument[],
): Promise<readonly DocumentKey[]> {
  for (;;) {
    const { checkpoint: after, mark } = await readModel.progress();
    const changes: DocumentChange[] = [];
    const mended: DocumentKey[] = [];
    for (const parkedDocument of parked) {
      const key = parkedDocument.resource;
      const projection = projections.find(({ kind }) => kind === key.kind);
      if (!projection) continue;
      const [change, note] = changesOfAll(await wholeStream(store, { key, projection }, after));
      if (!change || !note || isSame(parkedDocument, note.document)) continue;
      changes.push(change, note);
      if (note.document === null) mended.push(key);
    }
    if (changes.length === 0) return [];
    if ((await readModel.apply({ after, upTo: after, mark, changes })) === 'applied') return mended;
  }
}

const isSame = (one: ParkedDocument, other: DocumentChange['document']): boolean =>
  other?.kind === 'parked' &&
  other.position === one.position &&
  other.at.position === one.at.position &&
  other.why === one.why &&
  other.withheld === one.withheld;
