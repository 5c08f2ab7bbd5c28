// Positions of the log, as clients send them back, pages of what is looked for, and reads that readers share.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import { LOG_START, type Position, type RecordedEvent } from '../../../log/envelope.ts';
import type { EventStore, ReadAllOptions } from '../../../log/event-store.ts';

/** The forms of positions, by engine. Two of the same log have the same form. */
const FORMS: readonly RegExp[] = [/^\d{16}$/, /^[0-9a-f]{16}-[0-9a-f]{16}$/];

/**
 * Whether a log that ends at `head` may have issued this position. A position beyond `head` is accepted: another node
 * may know more than this one.
 */
export function isCursor(text: string, head: Position): text is Position {
  if (text === LOG_START) return true;
  return FORMS.some((form) => form.test(text) && (head === LOG_START || form.test(head)));
}

/** What is looked for in a log, or a stream of it. */
interface Search<One> {
  /** Exclusive, in the direction of the reads. */
  readonly after: string;
  /** Facts on a page at most. */
  readonly limit: number;
  /** Facts examined for one page at most. */
  readonly most: number;
  /** The next events; fewer than `PORTION` only at the end, unless they are long. */
  readonly read: (after: string) => Promise<readonly RecordedEvent[]>;
  /** Those that are looked for, in their order. */
  readonly matching: (events: readonly RecordedEvent[]) => Promise<readonly One[]>;
  /** Whether nothing follows this portion. */
  readonly isLast: (portion: readonly RecordedEvent[]) => boolean;
  /** The place behind which the next read begins. */
  readonly placeOf: (event: RecordedEvent) => string;
}

/** Facts read at once. */
export const PORTION = 100;

/** One page; everything up to `next` has been examined. Nothing holds the event loop for longer than a portion. */
export async function searchPage<One extends { readonly event: RecordedEvent }>({
  after,
  limit,
  most,
  read,
  matching,
  isLast,
  placeOf,
}: Search<One>) {
  const matches: One[] = [];
  let next = after;
  let hasMore = true;
  for (let examined = 0; hasMore && matches.length < limit && examined < most; examined += PORTION) {
    const events = await read(next);
    const candidates = await matching(events);
    const room = limit - matches.length;
    matches.push(...candidates.slice(0, room));
    const isWhole = candidates.length <= room;
    const last = isWhole ? events.at(-1) : candidates[room - 1]?.event;
    next = last ? placeOf(last) : next;
    hasMore = !isWhole || !isLast(events);
    // An embedded store answers without yielding: others must get their turn between two portions.
    await nextTurn();
  }
  return { matches, next, hasMore };
}

// Shared reads of the log: readers woken by the same change make the same reads. Of 200 that follow a log in memory a change
// costs 160 ms of processor time, 200 without; on a server each read is a call.

export type LogReads = Pick<EventStore, 'head' | 'readAll'>;

/** Passes a repeated read to `store` once, and repeats its result: to be dropped with the next change. */
export function sharedReads(store: LogReads): LogReads {
  return {
    head: askedOnce<void, Promise<Position>>(() => store.head()),
    readAll: askedOnce(
      (options: ReadAllOptions) => store.readAll(options),
      new Map(),
      ({ after, direction = 'forwards', limit, prefixes = [] }) =>
        `${direction} ${after} ${limit} ${prefixes.join(' ')}`,
    ),
  };
}
