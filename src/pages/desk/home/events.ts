// One's own drafts, what takes place within seven days, and what is at one place at the same time.

import { STATES } from '../../../calendar/event/desk/list-page.ts';
import { OPEN_STATES } from '../../../calendar/event/desk/list-query.ts';
import type { EventsPage } from '../../../calendar/event/desk/reading.ts';
import type { SchedulePage } from '../../../editorial/schedule/desk/routes.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import { mayAssignAuthors, mayListUnpublished } from '../../../people/auth/policy.ts';
import { type EventAnswer, venueNames, venuesOf } from '../../answers.ts';
import { momentText, whenInList } from '../../dates.ts';
import type { DeskRequest } from '../page.ts';
import { unsavedWork } from '../unsaved.ts';
import type { WorkItem, WorkList } from './work.ts';

const EVENTS = '/desk/events';
const SHOWN = 6;
/** As many as one page of the API has: double bookings are looked for among them. */
const LOOKED_AT = 50;
const WEEK = 7 * 86_400;
/** What was typed and not saved, and what has not ended yet: a draft of the past is not work any more. */
export async function myDrafts(request: DeskRequest): Promise<WorkList> {
  const { user, now } = request;
  const query = { author: user.id, status: 'draft,pending', ends_after: `@${now}`, strict_dates: '1', per_page: SHOWN };
  const { events, total } = await request.api.read<EventsPage>('/events', query);
  return {
    heading: 'home_drafts',
    empty: 'home_drafts_none',
    items: [
      ...(await unsavedWork(request)),
      ...events.map((event): WorkItem => ({ ...eventItem(request, event), action: 'home_go_on' })),
    ],
    more: total > events.length ? { path: `${EVENTS}?state=${query.status}&author=${user.id}`, total } : undefined,
  };
}

/** The events of the next seven days, in the order of their starts. */
export function soon(request: DeskRequest): Promise<EventsPage> {
  const { user, now, api } = request;
  return api.read('/events', {
    ends_after: `@${now}`,
    starts_before: `@${now + WEEK}`,
    strict_dates: '1',
    per_page: LOOKED_AT,
    ...(mayListUnpublished(user) && { status: OPEN_STATES }),
  });
}

export async function nextDays(request: DeskRequest, { events, total }: EventsPage): Promise<WorkList> {
  const first = events.slice(0, SHOWN);
  return {
    heading: 'home_next',
    empty: 'home_next_none',
    items: [
      ...(await byItself(request)),
      ...first.map((event): WorkItem => ({ ...eventItem(request, event), action: 'home_change' })),
    ],
    more: total > first.length ? { path: EVENTS, total } : undefined,
  };
}

async function byItself(request: DeskRequest): Promise<readonly WorkItem[]> {
  const { api, user, words, language, now } = request;
  if (!mayAssignAuthors(user)) return [];
  const { schedule } = await api.read<SchedulePage>('/schedule', { to: `@${now + WEEK}`, per_page: SHOWN });
  return schedule.map(({ date, action, kind, id, title, author }) => ({
    title: lineOfHtml(title),
    path: `/desk/${kind}s/${id}`,
    action: 'home_change',
    hint: [momentText(language.code, date), author.name],
    label: { text: words(`next_${action}`), tone: 'plain' },
  }));
}

function eventItem(request: DeskRequest, event: EventAnswer): Omit<WorkItem, 'action'> {
  const { words } = request;
  const { id, title, status, event_status: takesPlace = 'scheduled' } = event;
  const state = STATES.find((one) => one === status && one !== 'publish');
  const label =
    takesPlace === 'scheduled'
      ? state && ({ text: words(`state_${state}`), tone: 'plain' } as const)
      : ({ text: words(`takes_place_${takesPlace}`), tone: 'bad' } as const);
  return {
    title: lineOfHtml(title),
    path: `${EVENTS}/${id}`,
    ...(label && { label }),
    hint: [whenInList(request, event), venueNames(event).join(', ')],
  };
}

/** Pairs of events that take place at one venue at the same time, each with the next one that meets it. */
export function doubleBookings(request: DeskRequest, { events }: EventsPage): readonly WorkItem[] {
  const { words } = request;
  const taking = events.filter(({ event_status: takesPlace = 'scheduled' }) => takesPlace === 'scheduled');
  return taking.flatMap((event, at) => {
    const other = taking
      .slice(at + 1)
      .find((one) => one.utc_start_date < event.utc_end_date && isAtSamePlace(event, one));
    return other === undefined
      ? []
      : {
          title: `${lineOfHtml(event.title)} – ${lineOfHtml(other.title)}`,
          path: `${EVENTS}/${other.id}`,
          action: 'home_change' as const,
          hint: [venueNames(event).join(', '), whenInList(request, other)],
          label: { text: words('home_double'), tone: 'bad' as const },
        };
  });
}

function isAtSamePlace(one: EventAnswer, other: EventAnswer): boolean {
  const places = new Set(venuesOf(one).map(({ id }) => id));
  return venuesOf(other).some(({ id }) => places.has(id));
}
