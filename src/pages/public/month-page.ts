// A month as a table of weeks: the first events of each day, and how many more there are.
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import { addMonths, type Day, dateText, type Month, monthOf, weeksOf } from '../dates.ts';
import { type Html, html } from '../html.ts';
import { address, dayPath, eventPath, monthPath, type Query } from '../links.ts';
import type { Feeds } from '../periods.ts';
import type { ShownEvent } from '../shown.ts';
import { statusLabel } from './event-cards.ts';
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
  /** As the address has them. */
  readonly filters: Query;
  readonly feeds: Feeds;
  /** For the element that lists the events of the month elsewhere. */
  readonly embedded: Query;
}

export function monthPage(surroundings: Surroundings, shown: MonthShown): Html {
  const { title, month, form, filters, feeds, embedded } = shown;
  const { code } = surroundings.language;
  const weeks = weeksOf(month);
  const path = address(monthPath(month), filters);
  return layout(surroundings, {
    title,
    canonical: path,
    current: 'month',
    feeds,
    filters,
    main: [
      html`<h1>${title}</h1>`,
      form,
      monthLinks(surroundings, shown),
      html`<table class="month">
        <caption class="hidden">${title}</caption>
        <thead><tr>${weeks[0]?.map((day) => html`<th scope="col">${dateText(code, 'weekday', day)}</th>`)}</tr></thead>
        <tbody>${weeks.map((week) => html`<tr>${week.map((day) => dayCell(surroundings, shown, day))}</tr>`)}</tbody>
      </table>`,
      listTools(surroundings, { title, path, feeds, embedded }),
    ],
  });
}

function monthLinks({ words, language }: Surroundings, { month, filters }: MonthShown): Html {
  const link = (rel: 'prev' | 'next', other: Month) => {
    const name = dateText(language.code, 'month', `${other}-01`);
    const text = rel === 'prev' ? `← ${name}` : `${name} →`;
    return html`<a rel=${rel} href=${address(monthPath(other), filters)} aria-label=${name}>${text}</a>`;
  };
  return html`<nav class="pages months" aria-label=${words('pages')}>
    ${link('prev', addMonths(month, -1))}${link('next', addMonths(month, 1))}
  </nav>`;
}

function dayCell({ words, language }: Surroundings, { month, today, days, filters }: MonthShown, day: Day): Html {
  const { code } = language;
  const shown = days.get(day);
  if (monthOf(day) !== month || !shown) return html`<td class="outside"></td>`;
  const path = address(dayPath(day), filters);
  const { events, total } = shown;
  const more = total - events.length;
  return html`<td class=${events.length === 0 ? 'empty' : undefined} aria-current=${day === today ? 'date' : undefined}>
    <p class="number"><a class="day" href=${path} aria-label=${dateText(code, 'long', day)}>${dateText(code, 'day', day)}</a>
      <span class="weekday" aria-hidden="true">${dateText(code, 'shortWeekday', day)}</span></p>
    ${events.length > 0 && html`<ul>${events.map((event) => entry({ words, language }, event, day))}</ul>`}
    ${more > 0 && html`<p><a href=${path}>${words('more', { count: more })}</a></p>`}
  </td>`;
}

/** An event in a day: with its time, if it begins on that day at one. */
function entry({ words, language }: Pick<Surroundings, 'words' | 'language'>, event: ShownEvent, day: Day): Html {
  const { all_day: isAllDay, start_date: start, slug, title } = event;
  const isTimed = isAllDay !== true && start.startsWith(day);
  const kind = [isTimed ? '' : 'whole', event.event_status === 'canceled' ? 'canceled' : ''].join(' ').trim();
  return html`<li class=${kind || undefined}><a href=${eventPath(slug)}>${
    isTimed && html`<time>${dateText(language.code, 'time', start)}</time>`
  }${lineOfHtml(title)}</a>${statusLabel(event, words)}</li>`;
}
