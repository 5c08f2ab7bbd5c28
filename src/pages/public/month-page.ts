// A month as a table of weeks: the first events of each day, and how many more there are.
import { lineOfHtml } from '../../text/html-text.ts';
import { addMonths, type Day, dateText, type Month, monthOf, weeksOf } from '../dates.ts';
import { type Html, html } from '../html.ts';
import { dayPath, eventPath, monthPath } from '../links.ts';
import type { ShownEvent } from '../shown.ts';
import { layout, type Surroundings } from './layout.ts';

export interface DayShown {
  /** The first ones. */
  readonly events: readonly ShownEvent[];
  readonly total: number;
}

export interface MonthShown {
  readonly month: Month;
  readonly today: Day;
  readonly days: ReadonlyMap<Day, DayShown>;
}

export function monthPage(surroundings: Surroundings, { month, today, days }: MonthShown): Html {
  const { words, language } = surroundings;
  const { code } = language;
  const title = dateText(code, 'month', `${month}-01`);
  const weeks = weeksOf(month);
  return layout(surroundings, {
    title,
    canonical: monthPath(month),
    current: 'month',
    main: [
      html`<h1>${title}</h1>`,
      html`<nav class="pages" aria-label=${words('pages')}>
        <a rel="prev" href=${monthPath(addMonths(month, -1))}>${words('previous')}</a>
        <a rel="next" href=${monthPath(addMonths(month, 1))}>${words('next')}</a>
      </nav>`,
      html`<table class="month">
        <caption class="hidden">${title}</caption>
        <thead><tr>${weeks[0]?.map((day) => html`<th scope="col">${dateText(code, 'weekday', day)}</th>`)}</tr></thead>
        <tbody>${weeks.map(
          (week) =>
            html`<tr>${week.map((day) => dayCell(surroundings, { day, month, today, shown: days.get(day) }))}</tr>`,
        )}</tbody>
      </table>`,
    ],
  });
}

interface Cell {
  readonly day: Day;
  readonly month: Month;
  readonly today: Day;
  readonly shown: DayShown | undefined;
}

function dayCell({ words, language }: Surroundings, { day, month, today, shown }: Cell): Html {
  const { code } = language;
  if (monthOf(day) !== month || !shown) return html`<td class="outside"></td>`;
  const { events, total } = shown;
  const more = total - events.length;
  return html`<td class=${events.length === 0 ? 'empty' : undefined} aria-current=${day === today ? 'date' : undefined}>
    <p class="number"><a class="day" href=${dayPath(day)} aria-label=${dateText(code, 'long', day)}>${dateText(code, 'day', day)}</a></p>
    ${
      events.length > 0 &&
      html`<ul>${events.map(
        (event) =>
          html`<li><a href=${eventPath(event.slug)}>${timeOf(code, event, day)}${lineOfHtml(event.title)}</a></li>`,
      )}</ul>`
    }
    ${more > 0 && html`<p><a href=${dayPath(day)}>${words('more', { count: more })}</a></p>`}
  </td>`;
}

/** Of events that begin on this day. */
const timeOf = (code: string, { all_day: isAllDay, start_date: start }: ShownEvent, day: Day): Html | false =>
  isAllDay !== true && start.startsWith(day) && html`<time>${dateText(code, 'time', start)}</time>`;
