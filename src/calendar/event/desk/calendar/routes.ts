// The routes of the calendar at the desk.
import type { FastifyReply } from 'fastify';
import { ASSETS } from '../../../../pages/assets.ts';
import {
  addDays,
  addMonths,
  type Day,
  dateText,
  dayOf,
  isDay,
  isMonth,
  type Month,
  monthOf,
  todayIn,
  weeksOf,
} from '../../../../pages/dates.ts';
import { ApiProblem, type Problem, problemOf } from '../../../../pages/desk/api.ts';
import { problemNote } from '../../../../pages/desk/forms.ts';
import { results } from '../../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, type DeskSection, textOf } from '../../../../pages/desk/page.ts';
import { show } from '../../../../pages/desk/show.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { address, without } from '../../../../pages/links.ts';
import { may } from '../../../../people/auth/policy.ts';
import type { SavedSearch } from '../../../../people/users/domain/saved-searches.ts';
import { filterForm, filtersOf } from '../list-page.ts';
import { type DeskTerm, type FieldsAnswer, termsOf } from '../reading.ts';
import { scopeOf } from '../scope.ts';
import { queryOf, searchesOf, searchLinks } from '../searches.ts';
import { toInput } from '../values.ts';
import { type Entries, type Entry, entriesWithin, type Span } from './entries.ts';

const CALENDAR = '/desk/calendar';

export const calendarSection: DeskSection = {
  word: 'calendar',
  path: CALENDAR,
  may: (user) => may(user, 'create', 'event'),
  routes(app) {
    app.get(CALENDAR, (request, reply) => showMonth(request.desk, reply));
    app.get(`${CALENDAR}/entries`, async ({ desk }, reply) => reply.send((await entriesOf(desk)).entries));
    app.post(`${CALENDAR}/move`, async ({ desk }, reply) => {
      const { isProposed, problem } = await moved(desk, textOf(desk.form, 'id'));
      if (problem)
        return reply
          .code(problem.status)
          .send({ problem: [problem.message, ...Object.values(problem.fields)].join(' ') });
      return reply.send({ isProposed, said: desk.words(isProposed ? 'said_proposed' : 'said_saved') });
    });
  },
};

const NONE: Entries = { entries: [], isCut: false };

/** Between the instants that the calendar of the script asks for; of other ones it shows nothing. */
async function entriesOf(desk: DeskRequest): Promise<Entries> {
  const [first, last] = [dayOf(textOf(desk.parameters, 'from')), dayOf(textOf(desk.parameters, 'to'))];
  return isDay(first) && isDay(last) ? entriesWithin(desk, { first, last }) : NONE;
}

async function showMonth(desk: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  const text = textOf(desk.parameters, 'month');
  const month = isMonth(text) ? text : monthOf(todayIn(desk.siteZone, desk.now));
  let problem: Problem | null = null;
  const refused = (error: unknown): Entries => {
    if (!(error instanceof ApiProblem)) throw error;
    problem = error.problem;
    return NONE;
  };
  const [entries, categories, { searches }] = await Promise.all([
    entriesWithin(desk, spanOf(month)).catch(refused),
    termsOf(desk.api, 'categories'),
    searchesOf(desk),
  ]);
  return show(reply, calendarPage(desk, { ...entries, month, categories, searches, problem }));
}

// Moving and stretching an event in the calendar: the same write as that of its form, for one date or several.

const TIMES = ['start_date', 'end_date'] as const;

/**
 * What the calendar has shown is what is moved: of other times, and in between, nothing is overwritten. `isProposed`: it is not
 * carried out yet.
 */
async function moved(request: DeskRequest, id: string) {
  const { api, form, words } = request;
  const path = `/events/${encodeURIComponent(id)}`;
  const { body, problem } = await api.ask<FieldsAnswer>(`${path}/fields`);
  if (problem) return { isProposed: false, problem };
  const isAsShown = TIMES.every((name) => toInput(body.fields[name]) === textOf(form, `was_${name}`));
  if (!isAsShown) return { isProposed: false, problem: { ...problemOf(words('calendar_changed')), status: 412 } };
  const scope = scopeOf(request);
  const changed = TIMES.filter((name) => textOf(form, name) !== textOf(form, `was_${name}`));
  const members = {
    ...Object.fromEntries(changed.map((name) => [name, textOf(form, name)])),
    ...(scope !== 'this' && { scope }),
  };
  const answer = await api.send<unknown>('PATCH', path, members, { ifMatch: `"${body.revision}"` });
  return { isProposed: answer.status === 202, problem: answer.problem };
}

// Events of a month, a week or a day. Without script a month is a table; the script makes a calendar of it, in which events
// are moved and stretched.

interface CalendarContent extends Entries {
  readonly month: Month;
  readonly categories: readonly DeskTerm[];
  readonly searches: readonly SavedSearch[];
  readonly problem: Problem | null;
}

/** The days of a month with those that fill its first and last week. */
function spanOf(month: Month): Span {
  const weeks = weeksOf(month);
  return { first: weeks[0]?.[0] ?? `${month}-01`, last: weeks.at(-1)?.at(-1) ?? `${month}-28` };
}

function calendarPage(request: DeskRequest, page: CalendarContent): DeskPage {
  const { words, language } = request;
  const { month, categories, searches, problem, isCut } = page;
  const filters = without(filtersOf(request), 'period');
  const to = (other: Month): string => address(CALENDAR, [...filters, ['month', other]]);
  const name = dateText(language.code, 'month', `${month}-01`);
  return {
    title: words('calendar'),
    section: CALENDAR,
    problem,
    head: html`<link rel="stylesheet" href=${ASSETS.calendarStyle.path} />
      <script src=${ASSETS.calendarScript.path} defer></script>
      <script src=${ASSETS.deskCalendar.path} defer></script>`,
    main: [
      html`<div class="head"><h1>${words('calendar')}</h1>
        <a class="button" href=${address('/desk/events', filters)}>${words('calendar_list')}</a>
        <a class="button main" href="/desk/events/new">${words('new_event')}</a></div>`,
      problemNote(problem),
      filterForm(request, { categories, action: CALENDAR, periods: [] }),
      ...results('', [
        searchLinks(request, searches, queryOf(filters), CALENDAR),
        isCut && html`<p class="note">${words('calendar_cut')}</p>`,
        html`<data id="entries" value=${address(`${CALENDAR}/entries`, filters)}></data>`,
      ]),
      html`<div id="calendar" ...${dataOf(request, month)}>
        <h2>${name}</h2>
        <nav class="pages" aria-label=${words('pages')}>
          <a rel="prev" href=${to(addMonths(month, -1))}>${words('previous')}</a>
          <a rel="next" href=${to(addMonths(month, 1))}>${words('next')}</a>
        </nav>
        <div class="scroll" role="region" tabindex="0" aria-label=${name}>${monthTable(request, page)}</div>
      </div>`,
      html`<p id="calendar-said" role="status"></p>`,
      html`<p class="hint" id="calendar-keys" hidden>${words('calendar_keys')}</p>`,
      scopeDialog(request),
    ],
  };
}

/** What the script needs. */
const dataOf = (request: DeskRequest, month: Month) => {
  const { words, language, formToken, now, siteZone } = request;
  const today = todayIn(siteZone, now);
  const texts = {
    dayGridMonth: words('calendar_month'),
    timeGridWeek: words('calendar_week'),
    timeGridDay: words('calendar_day'),
    today: words('calendar_today'),
    prev: words('previous'),
    next: words('next'),
    close: words('close'),
    more: words('calendar_more'),
    moved: words('calendar_moved'),
    undo: words('calendar_undo'),
    undone: words('calendar_undone'),
    moving: words('calendar_moving'),
    failed: words('problem'),
    left: words('calendar_left'),
    form: words('calendar_form'),
    allDay: words('field_all_day'),
  };
  return {
    'data-move': `${CALENDAR}/move`,
    'data-token': formToken,
    'data-language': language.code,
    'data-date': monthOf(today) === month ? today : `${month}-01`,
    'data-words': JSON.stringify(texts),
  };
};

/** Each day with what takes place on it. */
function monthTable({ words, language }: DeskRequest, { month, entries }: CalendarContent): Html {
  const { code } = language;
  const weeks = weeksOf(month);
  return html`<table class="month">
    <thead><tr>${weeks[0]?.map((day) => html`<th scope="col">${dateText(code, 'weekday', day)}</th>`)}</tr></thead>
    <tbody>${weeks.map(
      (week) =>
        html`<tr>${week.map(
          (
            day,
          ) => html`<td><p><time datetime=${day}>${dateText(code, 'day', day)}<span class="unseen"> ${dateText(code, 'long', day)}</span></time></p>
            <ul>${on(day, entries).map((entry) => entryItem(words, code, day, entry))}</ul></td>`,
        )}</tr>`,
    )}</tbody>
  </table>`;
}

const on = (day: Day, entries: readonly Entry[]): readonly Entry[] =>
  entries
    .filter(({ start, end }) => start.slice(0, 10) <= day && day < lastDayOf(start, end))
    .toSorted((one, other) => (one.start < other.start ? -1 : 1));

/** The day after; what ends at midnight does not reach into the day that begins. */
function lastDayOf(start: string, end: string): Day {
  const day = end.slice(0, 10);
  return end.endsWith('T00:00') && day > start.slice(0, 10) ? day : addDays(day, 1);
}

const entryItem = (
  words: DeskRequest['words'],
  language: string,
  day: Day,
  { title, start, isAllDay, path, look, hue, label }: Entry,
): Html =>
  html`<li class=${`is-${look} ${hue}`}><a href=${path}>${!isAllDay && start.startsWith(day) && `${dateText(language, 'time', `${start.replace('T', ' ')}:00`)} `}${title || words('untitled')}</a>${label !== '' && html` <small>${label}</small>`}</li>`;

/** Asked for dates of a series. The script opens it. */
const scopeDialog = ({ words }: DeskRequest): Html =>
  html`<dialog id="calendar-scope" aria-labelledby="calendar-scope-title">
    <form method="dialog">
      <h2 id="calendar-scope-title">${words('scope')}</h2>
      <p class="actions">
        <button value="this" class="main">${words('scope_this')}</button>
        <button value="following">${words('scope_following')}</button>
        <button value="all">${words('scope_all')}</button>
        <button value="">${words('calendar_leave')}</button>
      </p>
      <p class="hint">${words('calendar_other_day')}</p>
    </form>
  </dialog>`;
