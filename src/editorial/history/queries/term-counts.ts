// How many published, unprotected events had a category or tag at some moment of the past. No stream of a term records
// it, so all events are counted once, on the first query, and then as they are recorded.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CalendarEvent, type EventFact, evolveEvent } from '../../../calendar/event/domain/calendar-event.ts';
import type { TermKind } from '../../../calendar/term/domain/term.ts';
import { openQueue } from '../../../kernel/event-loop/shared-work.ts';
import { MemoryShort } from '../../../kernel/memory/watch.ts';
import { factOf, LOG_START, type Position, type RecordedEvent } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { ALL_EVENTS, EVENT_PREFIX } from '../../series/facts/occurrences.ts';
import { hadHappened, type Moment, type Recorded, recordedAt } from './moments.ts';

export type TermCounts = ReturnType<typeof openTermCounts>;

/** What counting needs of an event after its next fact, and no more. It is cached as JSON, because there are many. */
interface Counted extends Pick<CalendarEvent, 'status' | 'categories' | 'tags'> {
  readonly revision: number;
  readonly isProtected: boolean;
}

/** For each fact that changed the count of a term: its place among all of them, and the count from it on. */
interface Changes {
  steps: Uint32Array;
  length: number;
}

const FIRST_CHANGES = 8;

/** Read within some milliseconds, however long the events are. */
const PAGE = { limit: 100, maxCharacters: 250_000 };

interface Counts {
  readonly events: Map<number, string>;
  readonly recorded: Recorded[];
  readonly changes: Map<string, Changes>;
  after: Position;
}

const noCounts = (): Counts => ({ events: new Map(), recorded: [], changes: new Map(), after: LOG_START });

/** `openRoom`: whether there is memory to count them, and for more of them. Rejections: those of the store, and `MemoryShort`. */
export function openTermCounts(store: Pick<EventStore, 'readAll'>, openRoom = () => () => true) {
  let current = noCounts();
  /** Every event is counted once. */
  const inTurn = openQueue();

  async function advance(): Promise<Counts> {
    const counts = current;
    const hasRoom = openRoom();
    for (;;) {
      const page = await store.readAll({ after: counts.after, prefixes: ALL_EVENTS, ...PAGE });
      if (page.length === 0) return counts;
      if (!hasRoom()) throw new MemoryShort('there is too little memory for the counts of another instant');
      for (const event of page) {
        take(counts, event);
        counts.after = event.position;
      }
      // An embedded store answers without yielding: others must get their turn between two pages.
      await nextTurn();
    }
  }

  return {
    /** The number of such events per term at a moment. The first query reads the log of all events. */
    async at(moment: Moment): Promise<(kind: TermKind, id: number) => number> {
      const counts = await inTurn(advance);
      return (kind, id) => countAt(counts, `${kind} ${id}`, moment);
    },
    /** Gives back its memory; the next query reads the log of all events again. */
    empty() {
      current = noCounts();
    },
  };
}

function take({ events, recorded, changes }: Counts, event: RecordedEvent): void {
  if (!event.stream.startsWith(EVENT_PREFIX)) return;
  const id = Number(event.stream.slice(EVENT_PREFIX.length));
  const stored = events.get(id);
  const previous = stored === undefined ? null : (JSON.parse(stored) as Counted); // As it is kept below.
  // What a series told before is copied into the stream of a date that is set apart.
  if (previous && event.revision <= previous.revision) return;
  const now = counted(previous, event);
  events.set(id, JSON.stringify(now));
  const [were, are] = [previous ? keysOf(previous) : NONE, keysOf(now)];
  const gone = [...were].filter((key) => !are.has(key));
  const come = [...are].filter((key) => !were.has(key));
  if (gone.length + come.length === 0) return;
  const place = recorded.push(recordedAt(event)) - 1;
  for (const key of gone) count(changes, key, place, -1);
  for (const key of come) count(changes, key, place, 1);
}

function count(changes: Counts['changes'], key: string, place: number, by: 1 | -1): void {
  const history = changes.get(key) ?? { steps: new Uint32Array(2 * FIRST_CHANGES), length: 0 };
  const last = history.steps[history.length - 1] ?? 0;
  if (history.length === history.steps.length) {
    const larger = new Uint32Array(2 * history.length);
    larger.set(history.steps);
    history.steps = larger;
  }
  history.steps[history.length] = place;
  history.steps[history.length + 1] = last + by;
  history.length += 2;
  changes.set(key, history);
}

function counted(previous: Counted | null, event: RecordedEvent): Counted {
  // Folding reads no other members than those given here; a password is as good as its hash.
  const state =
    previous && ({ ...previous, slug: '', before: null, passwordHash: previous.isProtected ? '*' : null } as unknown);
  const next = evolveEvent(state as CalendarEvent | null, factOf<EventFact>(event), recordedAt(event).at);
  const { status, passwordHash, categories, tags } = next ?? GONE;
  return { revision: event.revision, status, isProtected: passwordHash !== null, categories, tags };
}

const GONE = { status: 'trash', passwordHash: null, categories: [], tags: [] } as const;

const NONE: ReadonlySet<string> = new Set();

const keysOf = ({ status, isProtected, categories, tags }: Counted): ReadonlySet<string> =>
  status === 'publish' && !isProtected
    ? new Set([...categories.map((id) => `category ${id}`), ...tags.map((id) => `tag ${id}`)])
    : NONE;

/** The count after the last earlier change. */
function countAt({ recorded, changes }: Counts, key: string, moment: Moment): number {
  const { steps, length } = changes.get(key) ?? { steps: [], length: 0 };
  let [from, to] = [0, length / 2];
  while (from < to) {
    const middle = (from + to) >> 1;
    const fact = recorded[steps[2 * middle] ?? 0];
    if (fact && hadHappened(moment, fact)) from = middle + 1;
    else to = middle;
  }
  return steps[2 * from - 1] ?? 0;
}
