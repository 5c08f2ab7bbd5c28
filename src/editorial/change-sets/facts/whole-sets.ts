// Sets of changes are shown as a whole: what a set has written is held back until its end is in the log. On an engine
// with transactions it always is.
// decision 22

import type { Position, RecordedEvent } from '../../../log/envelope.ts';
import type { EventStore, StreamReader } from '../../../log/event-store.ts';
import { excerpt } from '../../../log/excerpt.ts';
import type { AgendaFact } from '../domain/change-set.ts';

/** The stream with the beginnings and ends of sets. */
export const AGENDA = 'change-sets';

const BEGINNING: AgendaFact['type'] = 'ChangeSetBegun';
const END: AgendaFact['type'] = 'ChangeSetEnded';

/** Cuts events for projectors, whose checkpoint cannot pass by what is held back: sets begin one after another. */
export function cutAtOpenSet(events: readonly RecordedEvent[]) {
  const at = events.findLastIndex(isBoundary);
  const begun = events[at]?.type === BEGINNING ? at : events.length;
  return {
    /** What may be shown. */
    whole: events.slice(0, begun),
    /** The beginning of a set without its end, and everything behind it. */
    rest: events.slice(begun),
  };
}

const isBoundary = ({ stream, type }: RecordedEvent): boolean =>
  stream === AGENDA && (type === BEGINNING || type === END);

/** Up to where the log is whole: its end, or the beginning of a set whose end was not before that. */
export async function wholeHead(store: Pick<EventStore, 'head' | 'readStream'>): Promise<Position> {
  const head = await store.head();
  const last = await lastBoundary(store, ({ position }) => position <= head);
  return last?.type === BEGINNING ? last.position : head;
}

/** Other sets may be scheduled while one is being written; few are. */
const NEAR_THE_END = 8;

async function lastBoundary(
  { readStream }: StreamReader,
  isMeant: (event: RecordedEvent) => boolean = () => true,
): Promise<RecordedEvent | undefined> {
  const newest = await readStream(AGENDA, { direction: 'backwards', limit: NEAR_THE_END });
  const boundary = newest.find((event) => isBoundary(event) && isMeant(event));
  if (boundary || newest.length < NEAR_THE_END) return boundary;
  return (await readStream(AGENDA)).findLast((event) => isBoundary(event) && isMeant(event));
}

/**
 * The log for those who answer with it: nothing of a set before all of it. A stream ends before the first event of a
 * set that is being written, and so does a page of the log; what others write meanwhile is shown where it does not come
 * behind that. Writers decide on the log itself.
 */
export function withWholeSets(store: EventStore): EventStore {
  /** Which of these events are held back; the set of events that were read earlier may have ended by now. */
  async function heldAmong(events: readonly RecordedEvent[]): Promise<IsHeld> {
    if (!events.some(mayBelongToSet)) return () => false;
    return heldBehind(await lastBoundary(store));
  }

  return {
    ...store,
    head: () => wholeHead(store),
    readStream: untilHeld(store, heldAmong),
    async readAll(options) {
      const page = await store.readAll(options);
      const isHeld = await heldAmong(page);
      if (!page.some(isHeld)) return page;
      if (options.direction !== 'backwards') return until(page, isHeld);
      const begun = await lastBoundary(store);
      return begun?.type === BEGINNING ? store.readAll({ ...options, after: begun.position }) : page;
    },
  };
}

type IsHeld = (event: RecordedEvent) => boolean;

/** Reads of streams that end before the first event that is held back. */
const untilHeld =
  (store: StreamReader, heldAmong: (events: readonly RecordedEvent[]) => Promise<IsHeld>): StreamReader['readStream'] =>
  async (stream, options = {}) => {
    const events = await store.readStream(stream, options);
    const isHeld = await heldAmong(events);
    if (!events.some(isHeld)) return events;
    const all = await store.readStream(stream, options.unknown ? { unknown: options.unknown } : {});
    return excerpt(until(all, isHeld), options);
  };

/** Which events a set holds back whose last boundary was read after them. */
function heldBehind(last: RecordedEvent | undefined): IsHeld {
  if (last?.type !== BEGINNING) return () => false;
  const { correlationId } = last.metadata;
  return ({ position, metadata }) => position > last.position && metadata.correlationId === correlationId;
}

/**
 * The streams of the log as they are now, however long their readers take: what is appended meanwhile is left out, and so
 * is a set whose end is not in the log yet. For answers that are made from several streams. Rejections: those of the store.
 */
export async function streamsOfNow(store: Pick<EventStore, 'head' | 'readStream'>): Promise<StreamReader> {
  const upTo = await store.head();
  let last: Promise<RecordedEvent | undefined> | null = null;

  async function leftOutAmong(events: readonly RecordedEvent[]): Promise<IsHeld> {
    const isLater = ({ position }: RecordedEvent): boolean => position > upTo;
    if (!events.some(mayBelongToSet)) return isLater;
    last ??= lastBoundary(store, (event) => !isLater(event));
    const isHeld = heldBehind(await last);
    return (event) => isLater(event) || isHeld(event);
  }

  return { readStream: untilHeld(store, leftOutAmong) };
}

/** Members' facts name their proposal; besides, a set writes to the streams of its proposals and to its own. */
const mayBelongToSet = ({ stream, metadata }: RecordedEvent): boolean =>
  metadata.proposal !== undefined || stream.startsWith('proposal-') || stream.startsWith('set-');

function until(events: readonly RecordedEvent[], isHeld: IsHeld): RecordedEvent[] {
  const first = events.findIndex(isHeld);
  return events.slice(0, first < 0 ? events.length : first);
}
