// Fills a read model from the whole log, stream by stream, so that each document is folded in one go and written once.
// The result is, to the byte, that of following the log from its start.
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnyProjection } from '../../../projections/projection.ts';
import { LOG_START, type Position } from '../../log/envelope.ts';
import type { EventStore } from '../../log/event-store.ts';
import type { DocumentChange, ReadModel } from '../read-model.ts';
import { type FoldedPlace, folded, later, NOWHERE } from './folding.ts';

interface ReplayOptions {
  /** Inclusive: the checkpoint becomes the last relevant event up to here. */
  readonly upTo: Position;
  /** Called with the number of events folded since the last call. If it throws, the replay ends. */
  readonly onProgress?: (events: number) => void;
}

/** Documents per transaction: enough to be worth one, few enough to keep it short. */
const PORTION = 128;

/**
 * Empties the read model and fills it up to a position. The checkpoint stays at `LOG_START` until everything is there,
 * so an interrupted fill is simply started again. `stale`: another process is filling it, or has done so.
 */
export async function replay(
  store: EventStore,
  readModel: ReadModel,
  projections: readonly AnyProjection[],
  { upTo, onProgress = () => {} }: ReplayOptions,
): Promise<'replayed' | 'stale'> {
  await readModel.clear();
  const writer = portionWriter(readModel);
  let last = NOWHERE;
  try {
    for await (const streams of folded(store, projections, upTo)) {
      if ((await writer.add(streams.documents)) === 'stale') return 'stale';
      last = later(last, streams.last);
      onProgress(streams.events);
      await nextTurn();
    }
    return (await writer.end(last)) === 'stale' ? 'stale' : 'replayed';
  } finally {
    await writer.settled();
  }
}

/** Writes one portion while the next one is built. */
function portionWriter(readModel: ReadModel) {
  const fill = randomUUID();
  let changes: DocumentChange[] = [];
  let writing: ReturnType<ReadModel['apply']> = Promise.resolve('applied');

  async function inTurn(write: () => typeof writing): Promise<'applied' | 'stale'> {
    if ((await writing) === 'stale') return 'stale';
    writing = write();
    // Thrown at the next await.
    writing.catch(() => {});
    return 'applied';
  }

  function write(place: FoldedPlace): Promise<'applied' | 'stale'> {
    const portion = changes;
    changes = [];
    return inTurn(() => readModel.apply({ after: LOG_START, ...place, changes: portion, fill }));
  }

  return {
    async add(documents: readonly DocumentChange[]): Promise<'applied' | 'stale'> {
      for (const change of documents) changes.push(change);
      return changes.length < PORTION ? 'applied' : write(NOWHERE);
    },
    async end(place: FoldedPlace): Promise<'applied' | 'stale'> {
      const outcome = await write(place);
      return outcome === 'stale' ? outcome : writing;
    },
    /** Resolves when no write is pending. */
    settled: (): Promise<unknown> => writing.catch(() => {}),
  };
}
