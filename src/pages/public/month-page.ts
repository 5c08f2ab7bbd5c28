// A month as a table of weeks: the first events of each day, and how many more there are.
import { lineOfHtml } from '../../text/html-text.ts';
import { addMonths, type Day, dateText, type Month, monthOf, weeksOf } from '../dates.ts';
import { type Html, html } from '../html.ts';
import { address, dayPath, eventPath, monthPath, type Query } from '../links.ts';
import type { ShownEvent } from '../shown.ts';
import { layout, type Surroundings } from './layout.ts';
import { listTools } from './list-tools.ts';

export interface DayShown {
  /** The first ones. */
  readonly events: readonly ShownEvent[];
  readonly total: number;
}

export interface MonthShown {
  readonly title: string;
  readonly month: Month;
  readonly today: Day;
  readonly days: ReadonlyMap<Day, DayShown>;
  readonly form: Html;
  /** As the address has them, and as feeds take them. */
  readonly filters: Query;
  readonly api: Query;
}

export function monthPage(surroundings: Surroundings, shown: MonthShown): Html {
  const { title, month, form, filters, api } = shown;
  const { words, language } = surroundings;
  const { code } = language;
  const weeks = weeksOf(month);
  const path = address(monthPath(month), filters);
  return layout(surroundings, {
    title,
    canonical: path,
    current: 'month',
    feeds: api,
    filters,
    main: [
      html`<h1>${title}</h1>`,
      form,
      html`<nav class="pages" aria-label=${words('pages')}>
        <a rel="prev" href=${address(monthPath(addMonths(month, -1)), filters)}>${words('previous')}</a>
        <a rel="next" href=${address(monthPath(addMonths(month, 1)), filters)}>${words('next')}</a>
      </nav>`,
      html`<table class="month">
        <caption class="hidden">${title}</caption>
        <thead><tr>${weeks[0]?.map((day) => html`<th scope="col">${dateText(code, 'weekday', day)}</th>`)}</tr></thead>
        <tbody>${weeks.map((week) => html`<tr>${week.map((day) => dayCell(surroundings, shown, day))}</tr>`)}</tbody>
      </table>`,
      listTools(surroundings, { title, path, api }),
    ],
  });
}

function dayCell({ words, language }: Surroundings, { month, today, days, filters }: MonthShown, day: Day): Html {
  const { code } = language;
  const shown = days.get(day);
  if (monthOf(day) !== month || !shown) return html`<td class="outside"></td>`;
  const path = address(dayPath(day), filters);
  const { events, total } = shown;
  const more = total - events.length;
  return html`<td class=${events.length === 0 ? 'empty' : undefined} aria-current=${day === today ? 'date' : undefined}>
    <p class="number"><a class="day" href=${path} aria-label=${dateText(code, 'long', day)}>${dateText(code, 'day', day)}</a></p>
    ${
      events.length > 0 &&
      html`<ul>${events.map(
        (event) =>
          html`<li><a href=${eventPath(event.slug)}>${timeOf(code, event, day)}${lineOfHtml(event.title)}</a></li>`,
      )}</ul>`
    }
    ${more > 0 && html`<p><a href=${path}>${words('more', { count: more })}</a></p>`}
  </td>`;
}

/** Of events that begin on this day. */
const timeOf = (code: string, { all_day: isAllDay, start_date: start }: ShownEvent, day: Day): Html | false =>
  isAllDay !== true && start.startsWith(day) && html`<time>${dateText(code, 'time', start)}</time>`;
