// Fills a read model from the whole log, stream by stream, so that each document is folded in one go and written once.
// The result is, to the byte, that of following the log from its start.
import { randomUUID } from 'node:crypto';
import { LOG_START, type Position, type RecordedEvent } from '../../src/event-store/envelope.ts';
import { type EventMark, type EventStore, markOf } from '../../src/event-store/event-store.ts';
import type { DocumentChange, ReadModel } from '../../src/read-model/read-model.ts';
import { type AnyProjection, changeOf, keyOf, ProjectionError } from '../projection.ts';

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
 * so an interrupted fill is simply started again. `stale`: another process is filling it, or has done so. If events
 * cannot be folded, everything before the earliest of them is applied, and that one is thrown as `ProjectionError`.
 */
export async function replay(
  store: EventStore,
  readModel: ReadModel,
  projections: readonly AnyProjection[],
  options: ReplayOptions,
): Promise<'replayed' | 'stale'> {
  let obstacle: ProjectionError | null = null;
  for (;;) {
    const outcome: Outcome = await fill(store, readModel, projections, { ...options, obstacle });
    if (outcome === 'stale') return outcome;
    if (outcome === 'filled' && obstacle) throw obstacle;
    if (outcome === 'filled') return 'replayed';
    obstacle = outcome;
  }
}

/** The result: an event that cannot be folded, before all that were known so far. */
type Outcome = 'filled' | 'stale' | ProjectionError;

interface FillOptions extends ReplayOptions {
  /** Events from here on are omitted. */
  readonly obstacle: ProjectionError | null;
}

async function fill(
  store: EventStore,
  readModel: ReadModel,
  projections: readonly AnyProjection[],
  { upTo, onProgress = () => {}, obstacle }: FillOptions,
): Promise<Outcome> {
  await readModel.clear();
  const prefixes = projections.map(({ prefix }) => prefix);
  const writer = portionWriter(readModel);
  let failure: ProjectionError | null = null;
  let last: RecordedEvent | null = null;
  try {
    for await (const batch of store.readByStream({ upTo, prefixes })) {
      const events = obstacle ? batch.filter(({ position }) => position < obstacle.position) : batch;
      const folded = foldStreams(events, projections);
      failure = earlier(failure, folded.failure);
      // Once this fill is known to fail, the rest is only searched for an earlier failing event.
      if (!failure && (await writer.add(folded.changes)) === 'stale') return 'stale';
      for (const event of events) if (last === null || event.position > last.position) last = event;
      onProgress(batch.length);
    }
    if (failure) return failure;
    const end = last === null ? NOTHING : { upTo: last.position, mark: markOf(last) };
    return (await writer.end(end)) === 'stale' ? 'stale' : 'filled';
  } finally {
    await writer.settled();
  }
}

interface Place {
  readonly upTo: Position;
  readonly mark: EventMark;
}

const NOTHING: Place = { upTo: LOG_START, mark: '' };

/** Writes one portion while the next one is built. */
function portionWriter(readModel: ReadModel) {
  const id = randomUUID();
  let changes: DocumentChange[] = [];
  let writing: ReturnType<ReadModel['apply']> = Promise.resolve('applied');

  async function write(place: Place): Promise<'applied' | 'stale'> {
    if ((await writing) === 'stale') return 'stale';
    writing = readModel.apply({ after: LOG_START, ...place, changes, fill: id });
    // Thrown at the next await.
    writing.catch(() => {});
    changes = [];
    return 'applied';
  }

  return {
    async add(more: readonly DocumentChange[]): Promise<'applied' | 'stale'> {
      for (const change of more) changes.push(change);
      return changes.length < PORTION ? 'applied' : write(NOTHING);
    },
    async end(place: Place): Promise<'applied' | 'stale'> {
      const outcome = await write(place);
      return outcome === 'stale' ? outcome : writing;
    },
    /** Resolves when no write is pending. */
    settled: (): Promise<unknown> => writing.catch(() => {}),
  };
}

interface Folded {
  readonly changes: readonly DocumentChange[];
  readonly failure: ProjectionError | null;
}

/** The documents of complete, consecutive streams. */
function foldStreams(events: readonly RecordedEvent[], projections: readonly AnyProjection[]): Folded {
  const changes: DocumentChange[] = [];
  let failure: ProjectionError | null = null;
  for (const stream of cutIntoStreams(events)) {
    try {
      const change = foldStream(stream, projections);
      if (change?.document) changes.push(change);
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      failure = earlier(failure, error);
    }
  }
  return { changes, failure };
}

function* cutIntoStreams(events: readonly RecordedEvent[]): Iterable<readonly RecordedEvent[]> {
  let from = 0;
  for (let at = 1; at <= events.length; at++) {
    if (events[at]?.stream === events[from]?.stream) continue;
    yield events.slice(from, at);
    from = at;
  }
}

/** Null for a stream without a document. Throws `ProjectionError` for the first event that cannot be folded. */
function foldStream(events: readonly RecordedEvent[], projections: readonly AnyProjection[]): DocumentChange | null {
  const stream = events[0]?.stream ?? '';
  const projection = projections.find(({ prefix }) => stream.startsWith(prefix));
  const key = projection && keyOf(projection, stream);
  if (!key) return null;
  const fold = (some: readonly RecordedEvent[]): DocumentChange => changeOf({ key, projection, events: some }, null);
  try {
    return fold(events);
  } catch (error) {
    // If a document cannot be built, an earlier event of the stream may be the cause.
    for (let count = 1; count < events.length; count++) fold(events.slice(0, count));
    throw error;
  }
}

const earlier = (one: ProjectionError | null, other: ProjectionError | null): ProjectionError | null =>
  one && other ? (other.position < one.position ? other : one) : (one ?? other);
