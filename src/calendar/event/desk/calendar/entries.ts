// What the calendar of the desk draws: events of every state, what proposals would make of them, and what is planned.

import {
  nameIn,
  type Proposal,
  type ProposalsPage,
  type ReadProposal,
  UNDECIDED,
} from '../../../../editorial/proposals/desk/reading.ts';
import { lineOfHtml } from '../../../../kernel/text/html-text.ts';
import type { EventAnswer } from '../../../../pages/answers.ts';
import { addDays, type Day, startOf } from '../../../../pages/dates.ts';
import type { DeskRequest } from '../../../../pages/desk/page.ts';
import { hueOfEvent } from '../../../../pages/public/event-cards.ts';
import { may } from '../../../../people/auth/policy.ts';
import type { PostStatus } from '../../../resource/domain/post.ts';
import { stateWord } from '../list-page.ts';
import { filtersFor } from '../list-query.ts';
import type { EventsPage } from '../reading.ts';
import { toInput } from '../values.ts';

/** Days of the site's zone, both included. */
export interface Span {
  readonly first: Day;
  readonly last: Day;
}

export interface Entry {
  readonly id: string;
  readonly title: string;
  /** As inputs write them, in the zone of the event: `2026-12-05T19:00`. */
  readonly start: string;
  readonly end: string;
  readonly isAllDay: boolean;
  /** How it is drawn. */
  readonly look: 'publish' | 'draft' | 'pending' | 'future' | 'private' | 'cancelled' | 'proposed' | 'planned';
  /** The colour of its first category. */
  readonly hue: string;
  /** Beside the title; '' for what is public as it stands. */
  readonly label: string;
  readonly path: string;
  /** The number of the event; null: it cannot be moved here by this user. */
  readonly moves: number | null;
  readonly isOfSeries: boolean;
}

export interface Entries {
  readonly entries: readonly Entry[];
  /** There are more events than are drawn. */
  readonly isCut: boolean;
}

const PER_PAGE = 50;
/** So many pages of events are asked for: a calendar of more could not be read. */
const MAX_PAGES = 10;
/** Proposals are read one by one. */
const MAX_PROPOSALS = 30;

/** Throws `ApiProblem` for filters that cannot be used. */
export async function entriesWithin(request: DeskRequest, span: Span): Promise<Entries> {
  const [first, proposed] = await Promise.all([eventsOf(request, span, 1), proposedWithin(request, span)]);
  const pages = Math.min(first.total_pages, MAX_PAGES);
  const others = Array.from({ length: Math.max(pages - 1, 0) }, (_, at) => eventsOf(request, span, at + 2));
  const events = [first, ...(await Promise.all(others))].flatMap((page) => page.events);
  return {
    entries: [...events.map((event) => entryOf(request, event)), ...proposed],
    isCut: first.total_pages > MAX_PAGES,
  };
}

function eventsOf(request: DeskRequest, { first, last }: Span, page: number): Promise<EventsPage> {
  const { siteZone, api } = request;
  return api.read('/events', {
    ...filtersFor(request),
    ends_after: `@${startOf(first, siteZone)}`,
    starts_before: `@${startOf(addDays(last, 1), siteZone)}`,
    strict_dates: '1',
    per_page: PER_PAGE,
    page,
  });
}

function entryOf({ words, user }: DeskRequest, event: EventAnswer): Entry {
  const { id, title, status, author, event_status: takesPlace = 'scheduled', all_day: isAllDay, series } = event;
  const isOff = takesPlace !== 'scheduled';
  // What lists name is one of the statuses of posts.
  const subject = { author: Number(author), status: status as PostStatus, before: null };
  return {
    id: `event-${id}`,
    title: lineOfHtml(title) || words('untitled'),
    path: `/desk/events/${id}`,
    start: toInput(event.start_date),
    end: toInput(event.end_date),
    isAllDay: isAllDay === true,
    look: isOff ? 'cancelled' : lookOf(status),
    hue: hueOfEvent(event),
    label: isOff ? words(`takes_place_${takesPlace}`) : status === 'publish' ? '' : words(stateWord(status)),
    moves: may(user, 'update', 'event', subject) ? id : null,
    isOfSeries: series !== undefined,
  };
}

const LOOKS = ['publish', 'draft', 'pending', 'future', 'private'] as const;

const lookOf = (status: string): Entry['look'] => LOOKS.find((look) => look === status) ?? 'publish';

/** What is proposed of the dates of events, and where a set has an instant, what is planned. */
async function proposedWithin(request: DeskRequest, span: Span): Promise<readonly Entry[]> {
  const { api } = request;
  const query = { state: UNDECIDED, kind: 'event', per_page: MAX_PROPOSALS };
  const { proposals } = await api.read<ProposalsPage>('/proposals', query);
  const answers = await Promise.all(proposals.map(({ id }) => api.ask<ReadProposal>(`/proposals/${id}`)));
  return answers.flatMap(({ body, problem }) => (problem ? [] : (proposedEntry(request, body, span) ?? [])));
}

function proposedEntry(request: DeskRequest, proposal: ReadProposal, { first, last }: Span): Entry | null {
  const { words } = request;
  const { id, preview, creates, changes } = proposal;
  const isDated = creates || changes.some(({ field }) => field === 'start_date' || field === 'end_date');
  const [start, end] = [toInput(preview?.start_date), toInput(preview?.end_date)];
  if (!isDated || start === '' || end.slice(0, 10) < first || start.slice(0, 10) > last) return null;
  const isPlanned = isInScheduledSet(proposal);
  return {
    id: `proposal-${id}`,
    title: nameIn(proposal) || words('untitled'),
    path: `/desk/review/${id}`,
    start,
    end,
    isAllDay: preview?.all_day === true,
    moves: null,
    isOfSeries: false,
    look: isPlanned ? 'planned' : 'proposed',
    hue: '',
    label: words(isPlanned ? 'calendar_planned' : 'kind_proposal'),
  };
}

const isInScheduledSet = ({ sets }: Proposal): boolean => sets.some(({ state }) => state === 'scheduled');
