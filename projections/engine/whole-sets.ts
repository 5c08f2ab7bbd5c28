// Sets of changes are shown as a whole: what lies behind the beginning of one waits until its end has been read.
import type { AgendaFact } from '../../src/domain/change-set.ts';
import type { RecordedEvent } from '../../src/event-store/envelope.ts';

/** The stream with the beginnings and ends of sets. */
export const AGENDA = 'change-sets';

const BEGINNING: AgendaFact['type'] = 'ChangeSetBegun';
const END: AgendaFact['type'] = 'ChangeSetEnded';

interface Cut {
  /** What may be shown. */
  readonly whole: readonly RecordedEvent[];
  /** The beginning of a set without its end, and everything behind it. */
  readonly held: readonly RecordedEvent[];
}

/** Sets begin one after another, so only the last one can be without its end. */
export function cutAtOpenSet(events: readonly RecordedEvent[]): Cut {
  const at = events.findLastIndex(({ stream, type }) => stream === AGENDA && (type === BEGINNING || type === END));
  const begun = events[at]?.type === BEGINNING ? at : events.length;
  return { whole: events.slice(0, begun), held: events.slice(begun) };
}
