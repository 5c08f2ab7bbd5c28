// A revert takes a merge apart: its events are linked as before, but for those whose links have been changed since.
import {
  type CalendarEvent,
  EVENT_FIELDS,
  type EventFact,
  evolveEvent,
} from '../../../calendar/event/domain/calendar-event.ts';
import { fieldFacts } from '../../../calendar/resource/domain/fields.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { fold, type RecordedEvent } from '../../../log/envelope.ts';
import { isMergedFact, type MergedKind } from '../domain/merge.ts';
import { LINK_MEMBERS } from '../domain/relinking.ts';
import { relink } from './relink.ts';

/** Plans the facts of the events that the last merge in the stream of the merged one has linked to another. */
export async function planUnmerge(unit: UnitOfWork, kind: MergedKind, stream: readonly RecordedEvent[]): Promise<void> {
  const merged = stream.findLast((event) => isMergedFact(kind, event));
  if (!merged) return;
  // As `mergeFacts` makes it.
  const { events } = merged.data as unknown as { readonly events: readonly number[] };
  await relink(unit, events, async (_event, stream) =>
    stream === null ? [] : linkedAsBefore(await unit.store.readStream(stream), kind, merged.metadata.correlationId),
  );
}

/** The facts that link an event as before the merge of this request; none if its links are others by now. */
function linkedAsBefore(stream: readonly RecordedEvent[], kind: MergedKind, correlationId: string): EventFact[] {
  const member = LINK_MEMBERS[kind];
  const { fact } = EVENT_FIELDS[member];
  const isMerge = ({ type, metadata }: RecordedEvent): boolean =>
    type === fact && metadata.correlationId === correlationId;
  const at = stream.findLastIndex(isMerge);
  if (at < 0) return [];
  const [before, after, now] = [stream.slice(0, at), stream.slice(0, at + 1), stream].map((events) =>
    fold<CalendarEvent, EventFact>(events, evolveEvent),
  );
  if (!before || !now || JSON.stringify(now[member]) !== JSON.stringify(after?.[member])) return [];
  return fieldFacts(EVENT_FIELDS, now, { [member]: before[member] });
}
