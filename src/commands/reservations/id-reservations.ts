// Id blocks in the log: each `IdsReserved` begins where the previous one ends.

import { setImmediate as endOfRound } from 'node:timers/promises';
import type { EventMetadata, Json, NewEvent, RecordedEvent } from '../../log/envelope.ts';
import {
  type AppendOutcome,
  type EventStore,
  type ExpectedRevision,
  lastEvent,
  type StreamAppend,
  type StreamReader,
} from '../../log/event-store.ts';
import { appendRepeatedly, eventOf } from '../../log/writing.ts';

export interface IdRange {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

/** Lost races before giving up. Each one is another writer's success, so that many in a row indicate a bug. */
const MAX_ATTEMPTS = 100;
/** So many reservations are made before their ids are used, once another process was faster. */
const CONTENDED_FOR = 1_000;
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

export type ReservationLog = ReturnType<typeof openReservationLog>;

/** Ids that are reserved by the append of what uses them. */
export interface Drawn extends IdRange {
  /** What goes before that append, in its order; nothing once it is written. Those of one turn share one. */
  reservations(): readonly StreamAppend[];
  /** To be told how that append went; null: it failed. */
  settled(outcome: AppendOutcome | null): void;
}

/** What is planned behind the end of the stream, and not known to be written yet. */
interface Plans {
  expected: ExpectedRevision;
  free: number;
  /** Still grows. */
  open: { readonly first: number; readonly metadata: EventMetadata } | null;
  closed: readonly { readonly first: number; readonly append: StreamAppend }[];
}

export function openReservationLog(
  store: EventStore,
  { stream, first, newEventId }: { stream: string; first: number; newEventId: () => string },
) {
  // It may be behind the log: then its appends conflict, and the log is read.
  let plans: Promise<Plans> | null = null;
  let contended = 0;
  /** Those who want their ids now and have drawn them in this turn: they share one append. */
  let wanting: Drawn[] = [];
  let round: Promise<AppendOutcome> | null = null;

  /** The end of the stream: the revision that the next reservation expects, and the first unreserved id. */
  async function readTail() {
    const last = await lastEvent(store, stream);
    if (last === undefined) return { expected: 'no_stream', free: first } as const;
    return { expected: last.revision, free: decode(last).last + 1 };
  }

  const lostTooOften = (): Error =>
    new Error(`No ids could be reserved in ${stream}: ${MAX_ATTEMPTS} other reservations came first.`);

  async function begin(): Promise<Plans> {
    try {
      return { ...(await readTail()), open: null, closed: [] };
    } catch (error) {
      plans = null;
      throw error;
    }
  }

  function closeOpen(plan: Plans): void {
    if (!plan.open) return;
    const { first, metadata } = plan.open;
    const block: CreateBlock = { first, last: plan.free - 1, purpose: 'create' };
    const append = { stream, expected: plan.expected, events: [eventFor('IdsReserved', encode(block), metadata)] };
    plan.closed = [...plan.closed, { first, append }];
    plan.expected = plan.expected === 'no_stream' ? 0 : plan.expected + 1;
    plan.open = null;
  }

  function eventFor(type: string, data: Json, metadata: EventMetadata): NewEvent {
    return eventOf({ type, data }, { metadata, newEventId });
  }

  async function draw(plan: (free: number) => CreateBlock, metadata: EventMetadata): Promise<Drawn> {
    plans ??= begin();
    const own = plans;
    const drawn = await own;
    const block = plan(drawn.free);
    drawn.open ??= { first: drawn.free, metadata };
    drawn.free = block.last + 1;
    return {
      ...block,
      reservations() {
        closeOpen(drawn);
        return drawn.closed.filter(({ first }) => first <= block.last).map(({ append }) => append);
      },
      settled(outcome) {
        if (outcome?.kind === 'appended') drawn.closed = drawn.closed.filter(({ first }) => first > block.last);
        else if (plans === own && (outcome === null || outcome.stream === stream)) {
          plans = null;
          if (outcome) contended = CONTENDED_FOR;
        }
      },
    };
  }

  function writeAtOnce(drawn: Drawn): Promise<AppendOutcome> {
    wanting.push(drawn);
    round ??= writeDrawn(wanting, (reservations) => {
      [wanting, round] = [[], null];
      return appendRepeatedly(() => store.append(reservations));
    });
    return round;
  }

  return {
    /**
     * Plans what `plan` makes of the first id that is neither reserved nor planned. It counts once what uses the ids is
     * written: with the reservations before it, in one append.
     */
    draw,
    /** Plans and writes the reservation now, together with what others plan in this turn, and again while others are faster. */
    async reserveAtOnce(plan: (free: number) => CreateBlock, metadata: EventMetadata): Promise<IdRange> {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const drawn = await draw(plan, metadata);
        const outcome = await writeAtOnce(drawn);
        if (outcome.kind !== 'appended') continue;
        contended = Math.max(0, contended - 1);
        return drawn;
      }
      throw lostTooOften();
    },
    /**
     * Appends what `plan` makes of the first unreserved id, again for each new such id while others are faster. Null if
     * there is nothing to reserve.
     */
    async reserve<Planned extends Reservation>(
      plan: (free: number) => Planned | null,
      metadata: EventMetadata,
    ): Promise<Planned | null> {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const { expected, free } = await readTail();
        const reservation = plan(free);
        if (reservation === null) return null;
        const event = eventFor('IdsReserved', encode(reservation), metadata);
        const outcome = await appendRepeatedly(() => store.append([{ stream, expected, events: [event] }]));
        // What was planned at this place cannot be written any more.
        plans = null;
        if (outcome.kind === 'appended') return reservation;
      }
      throw lostTooOften();
    },
    /** Whether others have lately reserved what was planned here. */
    isContended: () => contended > 0,
    /** Claims one id in its own stream unless it is claimed; returns the claimant who has it. */
    async claim(id: number, claimant: string, metadata: EventMetadata) {
      const idStream = `${stream.replace('ids-', 'id-')}-${id}`;
      const events = [eventFor('IdClaimed', { claimant }, metadata)];
      const outcome = await appendRepeatedly(() => store.append([{ stream: idStream, expected: 'no_stream', events }]));
      if (outcome.kind === 'appended') return claimant;
      const [claimed] = await store.readStream(idStream, { limit: 1 });
      if (claimed === undefined) throw new Error(`${idStream} has events and shows none.`);
      return (claimed.data as { claimant: string }).claimant;
    },
    /** The import blocks from `lowest` on. */
    async importsDownTo(lowest: number): Promise<ImportBlock[]> {
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

/** The part of a unit of work that takes a reservation. */
interface Reserving {
  readonly store: StreamReader;
  record(
    stream: string,
    facts: readonly { readonly type: string; readonly data: Json }[],
    place: 'first',
  ): Promise<void>;
}

/**
 * Reserves the next id in the append of the unit that uses it: a unit that is refused, or loses its race, draws none.
 * For what is created one at a time: concurrent units need each other's end of the stream.
 */
export async function reserveIdIn(unit: Reserving, stream: string): Promise<number> {
  const last = await lastEvent(unit.store, stream);
  const first = last === undefined ? 1 : decode(last).last + 1;
  await unit.record(
    stream,
    [{ type: 'IdsReserved', data: encode({ first, last: first, purpose: 'create' }) }],
    'first',
  );
  return first;
}

/** Writes what uses drawn ids: `append` puts the reservations before it, and answers for all of it. */
export async function writeDrawn(
  drawn: readonly Drawn[],
  append: (reservations: readonly StreamAppend[]) => Promise<AppendOutcome>,
): Promise<AppendOutcome> {
  // Others who draw in this turn share the reservation.
  if (drawn.length > 0) await endOfRound();
  let outcome: AppendOutcome | null = null;
  try {
    outcome = await append([...new Set(drawn.flatMap((one) => one.reservations()))]);
    return outcome;
  } finally {
    for (const one of drawn) one.settled(outcome);
  }
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
