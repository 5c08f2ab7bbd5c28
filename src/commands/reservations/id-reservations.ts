// Id blocks in the log: each `IdsReserved` begins where the previous one ends.

import type { EventMetadata, Json, NewEvent, RecordedEvent } from '../../event-store/envelope.ts';
import type { EventStore, ExpectedRevision } from '../../event-store/event-store.ts';
import { appendRepeatedly, eventOf } from '../../event-store/writing.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import type { IdRange } from './ids.ts';

/** Lost races before giving up. Each one is another writer's success, so that many in a row indicate a bug. */
const MAX_ATTEMPTS = 100;
const PAGE = 500;

type Reservation = CreateBlock | ImportBlock;

export interface CreateBlock extends IdRange {
  readonly purpose: 'create';
}

export interface ImportBlock extends IdRange {
  readonly purpose: 'import';
  readonly claimant: string;
  /** The ids that a reservation gave to its claimant. */
  readonly granted: readonly IdRange[];
}

export interface ReservationLog {
  /**
   * Appends what `plan` makes of the first unreserved id, again for each new such id while others are faster. Null if
   * there is nothing to reserve.
   */
  reserve<Planned extends Reservation>(
    plan: (free: number) => Planned | null,
    metadata: EventMetadata,
  ): Promise<Planned | null>;
  /** Claims one id in its own stream unless it is claimed; returns the claimant who has it. */
  claim(id: number, claimant: string, metadata: EventMetadata): Promise<string>;
  /** The import blocks from `lowest` on. */
  importsDownTo(lowest: number): Promise<ImportBlock[]>;
}

/** The end of the stream: the revision that the next reservation expects, and the first unreserved id. */
interface Tail {
  readonly expected: ExpectedRevision;
  readonly free: number;
}

export function openReservationLog(
  store: EventStore,
  { stream, first, newEventId }: { stream: string; first: number; newEventId: () => string },
): ReservationLog {
  // Cached between reservations. It may be behind the log, also because of another request of this process: then the
  // append conflicts and the log is read.
  let tail: Tail | undefined;

  async function readTail(): Promise<Tail> {
    const [last] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
    if (last === undefined) return { expected: 'no_stream', free: first };
    return { expected: last.revision, free: decode(last).last + 1 };
  }

  function eventFor(type: string, data: Json, metadata: EventMetadata): NewEvent {
    return eventOf({ type, data }, { metadata, newEventId });
  }

  return {
    async reserve(plan, metadata) {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const { expected, free } = tail ?? (await readTail());
        const reservation = plan(free);
        if (reservation === null) return null;
        const event = eventFor('IdsReserved', encode(reservation), metadata);
        const outcome = await appendRepeatedly(() => store.append([{ stream, expected, events: [event] }]));
        const revision = outcome.kind === 'appended' ? outcome.written[0]?.revision : undefined;
        tail = revision === undefined ? undefined : { expected: revision, free: reservation.last + 1 };
        if (revision !== undefined) return reservation;
      }
      throw new Error(`No ids could be reserved in ${stream}: ${MAX_ATTEMPTS} other reservations came first.`);
    },
    async claim(id, claimant, metadata) {
      const idStream = `${stream.replace('ids-', 'id-')}-${id}`;
      const events = [eventFor('IdClaimed', { claimant }, metadata)];
      const outcome = await appendRepeatedly(() => store.append([{ stream: idStream, expected: 'no_stream', events }]));
      if (outcome.kind === 'appended') return claimant;
      const [claimed] = await store.readStream(idStream, { limit: 1 });
      if (claimed === undefined) throw new Error(`${idStream} has events and shows none.`);
      return (claimed.data as { claimant: string }).claimant;
    },
    async importsDownTo(lowest) {
      const blocks: Reservation[] = [];
      for (let from: number | undefined; ; ) {
        const page = await store.readStream(stream, {
          direction: 'backwards',
          limit: PAGE,
          ...(from === undefined ? {} : { from }),
        });
        blocks.push(...page.map(decode));
        const oldest = page.at(-1);
        if (oldest === undefined || oldest.revision === 0 || decode(oldest).first <= lowest) break;
        from = oldest.revision - 1;
      }
      return blocks.filter((block) => block.purpose === 'import');
    },
  };
}

/**
 * Reserves the next id in the append of the unit that uses it: a unit that is refused, or loses its race, draws none.
 * For what is created one at a time: concurrent units need each other's end of the stream.
 */
export async function reserveIdIn(unit: Pick<UnitOfWork, 'store' | 'record'>, stream: string): Promise<number> {
  const [last] = await unit.store.readStream(stream, { direction: 'backwards', limit: 1 });
  const first = last === undefined ? 1 : decode(last).last + 1;
  await unit.record(
    stream,
    [{ type: 'IdsReserved', data: encode({ first, last: first, purpose: 'create' }) }],
    'first',
  );
  return first;
}

function encode(block: Reservation): Json {
  const { first, last, purpose } = block;
  const range = { first, count: last - first + 1, purpose };
  if (block.purpose === 'create') return range;
  return { ...range, claimant: block.claimant, granted: block.granted.map((granted) => [granted.first, granted.last]) };
}

interface StoredBlock {
  readonly first: number;
  readonly count: number;
  readonly purpose: 'create' | 'import';
  readonly claimant?: string;
  readonly granted?: readonly (readonly [first: number, last: number])[];
}

function decode({ data }: RecordedEvent): Reservation {
  // Only `encode` above writes to these streams.
  const { first, count, purpose, claimant = '', granted = [] } = data as unknown as StoredBlock;
  const range = { first, last: first + count - 1 };
  if (purpose === 'create') return { ...range, purpose };
  return { ...range, purpose, claimant, granted: granted.map(([from, to]) => ({ first: from, last: to })) };
}
