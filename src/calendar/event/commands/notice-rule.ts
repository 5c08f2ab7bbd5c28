// The rule that the date of an event which readers have seen does not change without a notice for them.

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { present } from '../../../domain/present.ts';
import type { Rejection } from '../../../domain/rejections.ts';
import { demandsNotice } from '../../../editorial/review-rules/commands/review-gate.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { factOf, instantOf, type RecordedEvent } from '../../../log/envelope.ts';
import { defaultStatus, lifeSent, newPostOf } from '../../resource/commands/post-input.ts';
import { settledStatus, statusAfter } from '../../resource/domain/post.ts';
import {
  type CalendarEvent,
  changeEvent,
  type EventFact,
  type EventInput,
  evolveEvent,
} from '../domain/calendar-event.ts';
import { isUnpublishable, lacksNotice } from '../domain/event-status.ts';
import type { Schedule } from '../domain/schedule.ts';

/**
 * Refuses a notice of an event that will not be public, and a new date without the notice that the rules demand, before
 * anything is looked up or created along the way.
 */
export async function noticeProblem(
  unit: Pick<UnitOfWork, 'store'>,
  dependencies: CommandDependencies,
  context: CommandContext,
  input: EventInput,
  event: CalendarEvent | null,
): Promise<Rejection | null> {
  if (!input.notice && (event === null || !mayMoveWhatIsShown(input))) return null;
  const life = lifeSent(dependencies, context, input, event ?? newPostOf(context, input.author ?? 0));
  if ('rejection' in life) return life.rejection;
  const { now } = context;
  const { status = defaultStatus(context), date = now } = life.patch;
  const after = event ? statusAfter(event, life.patch, now) : settledStatus(status, date, now);
  if (isUnpublishable(input, after)) return { code: 'notice_unpublished' };
  // One that is planned is published by itself, without another chance to say something.
  if (event === null || !['publish', 'future'].includes(after)) return null;
  if (!(await demandsNotice(unit, context))) return null;
  const { siteZone } = dependencies;
  const moved = changeEvent(event, attendanceOf(input), { now, siteZone, slug: event.slug });
  if (moved.kind === 'rejected') return null;
  const lacks =
    event.status === 'publish' && after === 'publish'
      ? lacksNotice(event, moved.facts)
      : !input.notice && (await isShownAnew(unit, event, after, moved.facts));
  return lacks ? { code: 'notice_required' } : null;
}

const mayMoveWhatIsShown = ({ times, status, date, dateUtc }: EventInput): boolean =>
  [times, status, date, dateUtc].some((value) => value !== undefined);

type Facts = readonly { readonly type: string; readonly data: unknown }[];

/** Whether an event is published, now or at its time, with another date than the one that readers saw last. */
async function isShownAnew(
  unit: Pick<UnitOfWork, 'store'>,
  event: CalendarEvent,
  after: string,
  facts: Facts,
): Promise<boolean> {
  const rescheduled = facts.find(({ type }) => type === 'EventRescheduled');
  if (rescheduled === undefined && after === event.status) return false;
  const lastSchedule = lastShown(await unit.store.readStream(streamOf('event', event.id)));
  // The data of such a fact is a schedule.
  const schedule = (rescheduled?.data as Schedule | undefined) ?? event.schedule;
  return lastSchedule !== null && !isSameDate(lastSchedule, schedule);
}

/** The dates that readers saw last; null: it never was public. What one request has written was seen as a whole. */
function lastShown(events: readonly RecordedEvent[]): Schedule | null {
  let event: CalendarEvent | null = null;
  let lastSchedule: Schedule | null = null;
  for (const [at, recorded] of events.entries()) {
    event = evolveEvent(event, factOf<EventFact>(recorded), instantOf(recorded));
    const isEnd = events[at + 1]?.metadata.correlationId !== recorded.metadata.correlationId;
    if (isEnd && event?.status === 'publish') lastSchedule = event.schedule;
  }
  return lastSchedule;
}

/** In the words of its zone: rules of zones change instants, and no dates. */
const isSameDate = (one: Schedule, other: Schedule): boolean =>
  (['timezone', 'allDay', 'start', 'end'] as const).every((member) => one[member] === other[member]);

/** When, whether and where it takes place, and what the public is told about it. */
export const attendanceOf = ({ times, eventStatus, notice, notices, online }: EventInput) =>
  present({ times, eventStatus, notice: notice && oneLine(notice), notices, online });
