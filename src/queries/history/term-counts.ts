// How many published, unprotected events had a category or tag at some moment of the past. No stream of a term records
// it, so all events are counted once, on the first query, and then as they are recorded.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CalendarEvent, type EventFact, evolveEvent } from '../../domain/calendar-event.ts';
import type { TermKind } from '../../domain/term.ts';
import { LOG_START, type RecordedEvent } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { ALL_EVENTS, EVENT_PREFIX } from '../../facts/occurrences.ts';
import { hadHappened, type Moment, type Recorded, recordedAt } from './moments.ts';

export interface TermCounts {
  /** The number of such events per term at a moment. The first query reads the log of all events. */
  at(moment: Moment): Promise<(kind: TermKind, id: number) => number>;
}

/** Of an event only what folding its next fact needs is kept. */
type Counted = Pick<CalendarEvent, 'status' | 'slug' | 'before' | 'passwordHash' | 'categories' | 'tags'>;

interface Change extends Recorded {
  /** From then on. */
  readonly count: number;
}

/** Read within some milliseconds, however long the events are. */
const PAGE = { limit: 100, maxCharacters: 250_000 };

export function openTermCounts(store: Pick<EventStore, 'readAll'>): TermCounts {
  const events = new Map<string, Counted>();
  const revisions = new Map<string, number>();
  const changes = new Map<string, Change[]>();
  let after = LOG_START;
  let turn: Promise<void> = Promise.resolve();

  function count(key: string, by: 1 | -1, recorded: Recorded): void {
    const known = changes.get(key) ?? [];
    known.push({ ...recorded, count: (known.at(-1)?.count ?? 0) + by });
    changes.set(key, known);
  }

  function take(event: RecordedEvent): void {
    // What a series told before is copied into the stream of a date that is set apart.
    const known = revisions.get(event.stream) ?? -1;
    if (!event.stream.startsWith(EVENT_PREFIX) || event.revision <= known) return;
    revisions.set(event.stream, event.revision);
    const before = events.get(event.stream) ?? null;
    const now = counted(before, event);
    events.set(event.stream, now);
    const [were, are] = [before ? keysOf(before) : NONE, keysOf(now)];
    for (const key of were) if (!are.has(key)) count(key, -1, recordedAt(event));
    for (const key of are) if (!were.has(key)) count(key, 1, recordedAt(event));
  }

  async function advance(): Promise<void> {
    for (;;) {
      const page = await store.readAll({ after, prefixes: ALL_EVENTS, ...PAGE });
      if (page.length === 0) return;
      for (const event of page) {
        take(event);
        after = event.position;
      }
      // An embedded store answers without yielding: others must get their turn between two pages.
      await nextTurn();
    }
  }

  /** One after the other: every event is counted once. */
  function upToNow(): Promise<void> {
    const done = turn.then(advance);
    turn = done.catch(() => {});
    return done;
  }

  return {
    async at(moment) {
      await upToNow();
      return (kind, id) => countAt(changes.get(`${kind} ${id}`) ?? [], moment);
    },
  };
}

function counted(before: Counted | null, event: RecordedEvent): Counted {
  // Folding reads no other members than those kept here; the others are carried along and dropped again.
  const state = before as CalendarEvent | null;
  const fact = { type: event.type, data: event.data } as unknown as EventFact; // Of a stream of events.
  const next = evolveEvent(state, fact, recordedAt(event).at) ?? GONE;
  return {
    status: next.status,
    slug: next.slug,
    before: next.before,
    passwordHash: next.passwordHash,
    categories: next.categories,
    tags: next.tags,
  };
}

const GONE: Counted = { status: 'trash', slug: '', before: null, passwordHash: null, categories: [], tags: [] };

const NONE: ReadonlySet<string> = new Set();

const keysOf = ({ status, passwordHash, categories, tags }: Counted): ReadonlySet<string> =>
  status === 'publish' && passwordHash === null
    ? new Set([...categories.map((id) => `category ${id}`), ...tags.map((id) => `tag ${id}`)])
    : NONE;

/** The count after the last earlier change. */
function countAt(changes: readonly Change[], moment: Moment): number {
  let [from, to] = [0, changes.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const change = changes[middle];
    if (change && hadHappened(moment, change)) from = middle + 1;
    else to = middle;
  }
  return changes[from - 1]?.count ?? 0;
}
