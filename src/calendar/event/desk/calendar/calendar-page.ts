// Events of a month, a week or a day. Without script a month is a table; the script makes a calendar of it, in which events
// are moved and stretched.

import { ASSETS } from '../../../../pages/assets.ts';
import {
  addDays,
  addMonths,
  type Day,
  dateText,
  type Month,
  monthOf,
  todayIn,
  weeksOf,
} from '../../../../pages/dates.ts';
import type { Problem } from '../../../../pages/desk/api.ts';
import { problemNote } from '../../../../pages/desk/forms.ts';
import type { DeskPage, DeskRequest } from '../../../../pages/desk/page.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { address } from '../../../../pages/links.ts';
import type { SavedSearch } from '../../../../people/users/domain/saved-searches.ts';
import { filterForm, filtersOf } from '../list-page.ts';
import type { DeskTerm } from '../reading.ts';
import { queryOf, searchLinks } from '../searches.ts';
import type { Entries, Entry, Span } from './entries.ts';

export const CALENDAR = '/desk/calendar';

interface CalendarShown extends Entries {
  readonly month: Month;
  readonly categories: readonly DeskTerm[];
  readonly searches: readonly SavedSearch[];
  readonly problem: Problem | null;
}

/** The days of a month with those that fill its first and last week. */
export function spanOf(month: Month): Span {
  const weeks = weeksOf(month);
  return { first: weeks[0]?.[0] ?? `${month}-01`, last: weeks.at(-1)?.at(-1) ?? `${month}-28` };
}

export function calendarPage(request: DeskRequest, shown: CalendarShown): DeskPage {
  const { words, language } = request;
  const { month, categories, searches, problem, isCut } = shown;
  const filters = filtersOf(request).filter(([name]) => name !== 'period');
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
      searchLinks(request, searches, queryOf(filters), CALENDAR),
      isCut && html`<p class="note">${words('calendar_cut')}</p>`,
      html`<div id="calendar" ...${dataOf(request, month)}>
        <h2>${name}</h2>
        <nav class="pages" aria-label=${words('pages')}>
          <a rel="prev" href=${to(addMonths(month, -1))}>${words('previous')}</a>
          <a rel="next" href=${to(addMonths(month, 1))}>${words('next')}</a>
        </nav>
        <div class="scroll" role="region" tabindex="0" aria-label=${name}>${monthTable(request, shown)}</div>
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
  const filters = filtersOf(request).filter(([name]) => name !== 'period');
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
    'data-entries': address(`${CALENDAR}/entries`, filters),
    'data-move': `${CALENDAR}/move`,
    'data-token': formToken,
    'data-language': language.code,
    'data-date': monthOf(today) === month ? today : `${month}-01`,
    'data-words': JSON.stringify(texts),
  };
};

/** Each day with what takes place on it. */
function monthTable({ words, language }: DeskRequest, { month, entries }: CalendarShown): Html {
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
  { title, start, isAllDay, path, look, label }: Entry,
): Html =>
  html`<li class=${`is-${look}`}><a href=${path}>${!isAllDay && start.startsWith(day) && `${dateText(language, 'time', `${start.replace('T', ' ')}:00`)} `}${title || words('untitled')}</a>${label !== '' && html` <small>${label}</small>`}</li>`;

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
