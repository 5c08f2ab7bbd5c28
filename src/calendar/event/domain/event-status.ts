// Whether a calendar event takes place, and what its readers are told when that or its date changes: public notices,
// apart from the reason that a client may give for a change. A published notice is never edited: a correction is a
// further one.

import type { Fact } from '../../../domain/decider.ts';
import type { EpochSeconds, WallClock } from '../../../kernel/time/zone.ts';
import type { PostStatus } from '../../resource/domain/post.ts';
import { type Schedule, sameSchedule } from './schedule.ts';

/** `postponed`: it has no date yet; the last one stays in its schedule. */
export type EventStatus = 'scheduled' | 'canceled' | 'postponed';
export const EVENT_STATUSES: readonly EventStatus[] = ['scheduled', 'canceled', 'postponed'];

/** The start that was public before. */
interface PreviousStart {
  readonly start: WallClock;
  readonly startsAt: EpochSeconds;
}

/** What a fact says to the public. Its kind follows from the fact. */
interface Announcement {
  /** Plain text; `''` if only the change itself is public. */
  readonly text: string;
  /** Only if the start has changed. */
  readonly previous?: PreviousStart;
}

/** `notice`: nothing has changed but this text. */
export const NOTICE_TYPES = ['rescheduled', 'canceled', 'postponed', 'confirmed', 'notice'] as const;
type NoticeType = (typeof NOTICE_TYPES)[number];

export interface Notice extends Announcement {
  readonly type: NoticeType;
  readonly date: EpochSeconds;
}

/** In the state of an event. */
export interface PublicTrace {
  /** Absent: as scheduled. */
  readonly eventStatus?: Exclude<EventStatus, 'scheduled'>;
  /** From the first to the last. Absent: none. */
  readonly notices?: readonly Notice[];
}

interface Announcing {
  /** Absent: nothing that concerns the public. */
  readonly notice?: Announcement | undefined;
}

export type EventStatusFact =
  | Fact<'EventCanceled', Announcing>
  | Fact<'EventPostponed', Announcing>
  | Fact<'EventConfirmed', Announcing>
  | Fact<'EventNoticePublished', { readonly notice: Announcement }>
  /** A revert or an import has set all notices at once. */
  | Fact<'EventNoticesRestored', { readonly notices: readonly Notice[] }>;

export type Rescheduled = Schedule & Announcing;
type ReschedulingFact = Fact<'EventRescheduled', Rescheduled>;

/** What commands take; absent members stay as they are. */
export interface EventStatusPatch {
  readonly eventStatus?: EventStatus;
  /** The text of a notice to publish; `''` publishes none. */
  readonly notice?: string;
  /** Only from reverts and imports: all notices. Then the change itself publishes none. */
  readonly notices?: readonly Notice[];
}

export const eventStatusOf = ({ eventStatus }: PublicTrace): EventStatus => eventStatus ?? 'scheduled';

interface Scheduled extends PublicTrace {
  readonly status: PostStatus;
  readonly schedule: Schedule;
}

/** Whether a patch has a notice that cannot be published, because the public will not see the event. */
export const isUnpublishable = ({ notice = '' }: EventStatusPatch, statusAfter: PostStatus): boolean =>
  notice !== '' && statusAfter !== 'publish';

/**
 * The facts that change status and schedule, with at most one notice. What happens to an event that is not public
 * leaves no trace.
 */
export function attendanceFacts(
  event: Scheduled,
  patch: EventStatusPatch,
  after: { readonly status: PostStatus; readonly schedule: Schedule },
): (ReschedulingFact | EventStatusFact)[] {
  const isRescheduled = !sameSchedule(event.schedule, after.schedule);
  const { eventStatus = eventStatusOf(event) } = patch;
  const isSwitched = eventStatus !== eventStatusOf(event);
  const change = isSwitched ? 'switched' : isRescheduled ? 'rescheduled' : 'none';
  const notice = announcementOf(event, patch, after, change);
  const announcing = notice && { notice };
  const facts: (ReschedulingFact | EventStatusFact)[] = [];
  if (isRescheduled)
    facts.push({ type: 'EventRescheduled', data: { ...after.schedule, ...(isSwitched ? {} : announcing) } });
  if (isSwitched) facts.push({ type: SWITCHED[eventStatus], data: { ...announcing } });
  if (notice && facts.length === 0) facts.push({ type: 'EventNoticePublished', data: { notice } });
  return [...facts, ...restoredFacts(event, patch)];
}

const SWITCHED = {
  scheduled: 'EventConfirmed',
  canceled: 'EventCanceled',
  postponed: 'EventPostponed',
} as const satisfies { readonly [Status in EventStatus]: string };

function announcementOf(
  { status, schedule, notices = [] }: Scheduled,
  { notice: text = '', notices: restored }: EventStatusPatch,
  after: { readonly status: PostStatus; readonly schedule: Schedule },
  change: 'switched' | 'rescheduled' | 'none',
): Announcement | null {
  if (restored !== undefined || after.status !== 'publish') return null;
  // What is sent again says nothing new.
  if (change === 'none') return text === '' || text === notices.at(-1)?.text ? null : { text };
  if (status !== 'publish') return text === '' ? null : { text };
  const { start, startsAt } = schedule;
  const isMoved = start !== after.schedule.start || startsAt !== after.schedule.startsAt;
  if (isMoved) return { text, previous: { start, startsAt } };
  return text === '' && change === 'rescheduled' ? null : { text };
}

function restoredFacts({ notices = [] }: PublicTrace, patch: EventStatusPatch): EventStatusFact[] {
  if (patch.notices === undefined || JSON.stringify(patch.notices) === JSON.stringify(notices)) return [];
  return [{ type: 'EventNoticesRestored', data: { notices: patch.notices } }];
}

/** The status of a new event, and its first notice. Its start was not public before. */
export function firstAttendanceFacts({
  eventStatus = 'scheduled',
  notice: text = '',
}: EventStatusPatch): EventStatusFact[] {
  const announcing = text === '' ? null : { notice: { text } };
  if (eventStatus !== 'scheduled') return [{ type: SWITCHED[eventStatus], data: { ...announcing } }];
  return announcing ? [{ type: 'EventNoticePublished', data: announcing }] : [];
}

const NOTICE_TYPE_OF = {
  EventRescheduled: 'rescheduled',
  EventCanceled: 'canceled',
  EventPostponed: 'postponed',
  EventConfirmed: 'confirmed',
  EventNoticePublished: 'notice',
} as const satisfies { readonly [type: string]: NoticeType };

/** The trace with the notice of a fact, if it has one. */
export const noticesAfter = (
  { notices = [] }: PublicTrace,
  type: keyof typeof NOTICE_TYPE_OF,
  { notice }: Announcing,
  at: EpochSeconds,
): Pick<PublicTrace, 'notices'> =>
  notice === undefined ? {} : { notices: [...notices, { type: NOTICE_TYPE_OF[type], ...notice, date: at }] };

/** Folds these facts; null for others. */
export function evolveStatus<State extends PublicTrace>(state: State, fact: Fact, at: EpochSeconds): State | null {
  switch (fact.type) {
    case 'EventCanceled':
    case 'EventPostponed':
      return {
        ...state,
        eventStatus: fact.type === 'EventCanceled' ? 'canceled' : 'postponed',
        // The data of such a fact, as below.
        ...noticesAfter(state, fact.type, fact.data as Announcing, at),
      };
    case 'EventConfirmed': {
      const { eventStatus: _before, ...rest } = state;
      // The other members are those of the state, as below.
      return { ...(rest as State), ...noticesAfter(state, fact.type, fact.data as Announcing, at) };
    }
    case 'EventNoticePublished':
      return { ...state, ...noticesAfter(state, fact.type, fact.data as Announcing, at) };
    case 'EventNoticesRestored': {
      const { notices: _before, ...rest } = state;
      const { notices } = fact.data as { readonly notices: readonly Notice[] };
      return (notices.length === 0 ? rest : { ...rest, notices }) as State;
    }
    default:
      return null;
  }
}

/** Whether facts change the date of a public event without a text for its readers. */
export const lacksNotice = ({ status }: Pick<Scheduled, 'status'>, facts: readonly Fact[]): boolean =>
  status === 'publish' &&
  facts.some(({ type }) => type === 'EventRescheduled') &&
  // A notice is carried by one fact of a change.
  !facts.some(({ data }) => ((data as Announcing).notice?.text ?? '') !== '');

// What the notices say about earlier starts.

/** Every start that was public before, from the first to the last, each once. */
export function previousStarts({ notices = [] }: PublicTrace): PreviousStart[] {
  const starts = notices.flatMap(({ previous }) => (previous ? [previous] : []));
  return starts.filter(({ startsAt }, at) => starts.findIndex((other) => other.startsAt === startsAt) === at);
}

/** The start that was public before the present one. */
export const previousStart = ({ notices = [] }: PublicTrace): PreviousStart | undefined =>
  notices.findLast(({ previous }) => previous !== undefined)?.previous;
