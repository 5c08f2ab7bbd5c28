// Fills a read model from the whole log, stream by stream, so that each document is folded in one go and written once.
// The result is, to the byte, that of following the log from its start.
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { changesIn } from '../../../projections/changes.ts';
import { type AnyProjection, keyOf } from '../../../projections/projection.ts';
import { LOG_START, type Position, type RecordedEvent } from '../../log/envelope.ts';
import { byStream, type EventMark, type EventStore, markOf } from '../../log/event-store.ts';
import type { DocumentChange, ReadModel } from '../read-model.ts';

interface ReplayOptions {
  /** Inclusive: the checkpoint becomes the last relevant event up to here. */
  readonly upTo: Position;
  /** Called with the number of events folded since the last call. If it throws, the replay ends. */
  readonly onProgress?: (events: number) => void;
}

/** A position with the mark of its event; `NOWHERE` before the first. */
interface FoldedPlace {
  readonly upTo: Position;
  readonly mark: EventMark;
}

const NOWHERE: FoldedPlace = { upTo: LOG_START, mark: '' };

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

/** Folds every stream up to a position, about in the order in which streams began. Rejections: those of the store. */
async function* folded(store: Pick<EventStore, 'readByStream'>, projections: readonly AnyProjection[], upTo: Position) {
  const prefixes = projections.map(({ prefix }) => prefix);
  for await (const events of store.readByStream({ upTo, prefixes }))
    yield { documents: foldStreams(events, projections), events: events.length, last: lastOf(events) };
}

function lastOf(events: readonly RecordedEvent[]): FoldedPlace {
  let last: RecordedEvent | null = null;
  for (const event of events) if (last === null || event.position > last.position) last = event;
  return last === null ? NOWHERE : { upTo: last.position, mark: markOf(last) };
}

const later = (one: FoldedPlace, other: FoldedPlace): FoldedPlace => (other.upTo > one.upTo ? other : one);

/** The documents of complete streams. */
function foldStreams(events: readonly RecordedEvent[], projections: readonly AnyProjection[]): DocumentChange[] {
  const documents: DocumentChange[] = [];
  for (const [stream, itsEvents] of byStream(events)) {
    const projection = projections.find(({ prefix }) => stream.startsWith(prefix));
    const key = projection && keyOf(projection, stream);
    const changes = key ? changesIn({ key, projection, events: itsEvents }, null) : [];
    for (const change of changes) if (change.document) documents.push(change);
  }
  return documents;
}
