// A month as a table of weeks: the first events of each day, and how many more there are. What takes several days is a bar
// across them.
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import type { EventAnswer } from '../answers.ts';
import { addDays, addMonths, type Day, dateText, dayOf, type Month, monthOf, weeksOf } from '../dates.ts';
import { type Html, html } from '../html.ts';
import { address, dayPath, eventPath, monthPath, type Query } from '../links.ts';
import type { Feeds } from '../periods.ts';
import { hueOfEvent, statusLabel } from './event-cards.ts';
import { layout, type Surroundings } from './layout.ts';
import { listTools, onPaper } from './list-tools.ts';

export interface DayEvents {
  /** The first ones. */
  readonly events: readonly EventAnswer[];
  readonly total: number;
}

interface MonthPage {
  readonly title: string;
  readonly month: Month;
  readonly today: Day;
  readonly days: ReadonlyMap<Day, DayEvents>;
  readonly form: Html;
  /** As the address has them. */
  readonly filters: Query;
  readonly feeds: Feeds;
  /** For the element that lists the events of the month elsewhere. */
  readonly embedded: Query;
}

export function monthPage(surroundings: Surroundings, page: MonthPage): Html {
  const { title, month, form, filters, feeds, embedded } = page;
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
      monthLinks(surroundings, page),
      html`<table class="month">
        <caption class="hidden">${title}</caption>
        <thead><tr>${weeks[0]?.map((day) => html`<th scope="col">${dateText(code, 'weekday', day)}</th>`)}</tr></thead>
        <tbody>${weeks.map((week) => weekRow(surroundings, page, week))}</tbody>
      </table>`,
      listTools(surroundings, { title, path, printed: onPaper('/', embedded), feeds, embedded }),
    ],
  });
}

function weekRow(surroundings: Surroundings, page: MonthPage, week: readonly Day[]): Html {
  const lanes = lanesOf(week, page.days);
  return html`<tr>${week.map((day) => dayCell(surroundings, page, week, lanes, day))}</tr>`;
}

function monthLinks({ words, language }: Surroundings, page: MonthPage): Html {
  const { month, today, filters } = page;
  const link = (rel: 'prev' | 'next', other: Month) => {
    const name = dateText(language.code, 'month', `${other}-01`);
    const text = rel === 'prev' ? `← ${name}` : `${name} →`;
    return html`<a rel=${rel} href=${address(monthPath(other), filters)} aria-label=${name}>${text}</a>`;
  };
  const now = monthOf(today);
  const toToday = month === now ? nextDay(page) && '#next' : address(monthPath(now), filters);
  return html`<nav class="pages months" aria-label=${words('pages')}>
    ${link('prev', addMonths(month, -1))}${toToday && html`<a href=${toToday}>${words('today')}</a>`}${link('next', addMonths(month, 1))}
  </nav>`;
}

/** What is drawn across the days of a week, day by day: in each lane an event of several days, or nothing. */
type Lanes = ReadonlyMap<Day, readonly (EventAnswer | undefined)[]>;

function lanesOf(week: readonly Day[], days: ReadonlyMap<Day, DayEvents>): Lanes {
  const lanes = new Map<Day, (EventAnswer | undefined)[]>();
  let before: readonly (EventAnswer | undefined)[] = [];
  for (const day of week) {
    const lasting = (days.get(day)?.events ?? []).filter(lasts);
    const isOn = (event: EventAnswer | undefined): boolean => lasting.some(({ id }) => id === event?.id);
    const lane = before.map((event) => (isOn(event) ? event : undefined));
    for (const event of lasting.filter(({ id }) => !lane.some((one) => one?.id === id))) {
      const free = lane.indexOf(undefined);
      lane[free < 0 ? lane.length : free] = event;
    }
    while (lane.length > 0 && lane.at(-1) === undefined) lane.pop();
    lanes.set(day, lane);
    before = lane;
  }
  return lanes;
}

/** Events of a night are entries of their two days. */
const lasts = ({ start_date: start, end_date: end, all_day: isAllDay }: EventAnswer): boolean =>
  dayOf(start) !== dayOf(end) && (isAllDay === true || addDays(dayOf(start), 1) + start.slice(10) <= end);

/** The first day from today on that has events: where a list of days begins to matter. */
const nextDay = ({ days, today }: MonthPage): Day | undefined =>
  [...days.entries()].find(([day, { total }]) => day >= today && total > 0)?.[0];

function dayCell(surroundings: Surroundings, page: MonthPage, week: readonly Day[], lanes: Lanes, day: Day): Html {
  const { words, language } = surroundings;
  const { month, today, days, filters } = page;
  const { code } = language;
  const ofDay = days.get(day);
  if (monthOf(day) !== month || !ofDay) return html`<td class="outside"></td>`;
  const path = address(dayPath(day), filters);
  const { events, total } = ofDay;
  const more = total - events.length;
  return html`<td class=${events.length === 0 ? 'empty' : undefined} id=${day === nextDay(page) ? 'next' : undefined} aria-current=${day === today ? 'date' : undefined}>
    <p class="number"><a class="day" href=${path} aria-label=${dateText(code, 'long', day)}>${dateText(code, 'day', day)}</a>
      <span class="weekday" aria-hidden="true">${dateText(code, 'shortWeekday', day)}</span></p>
    ${
      events.length > 0 &&
      html`<ul>${(lanes.get(day) ?? []).map((event, lane) =>
        event === undefined
          ? html`<li class="lane gap" aria-hidden="true"></li>`
          : bar(
              surroundings,
              event,
              placeOf(week.indexOf(day), (at) => lanes.get(week[at] ?? '')?.[lane]?.id === event.id),
            ),
      )}${events.filter((event) => !lasts(event)).map((event) => entry(surroundings, event, day))}</ul>`
    }
    ${more > 0 && html`<p><a href=${path}>${words('more', { count: more })}</a></p>`}
  </td>`;
}

/** Whether a bar begins in the cell, and how many cells it has from there on. */
interface BarPlace {
  readonly begins: boolean;
  readonly days: number;
}

function placeOf(from: number, isIn: (at: number) => boolean): BarPlace {
  let days = 1;
  while (from + days < 7 && isIn(from + days)) days += 1;
  return { begins: from === 0 || !isIn(from - 1), days };
}

/** The first cell of a week has the bar, and those below it a link for the keyboard; in a list of days each has an entry. */
function bar({ words }: Surroundings, event: EventAnswer, { begins, days }: BarPlace): Html {
  const { event_status: status = 'scheduled' } = event;
  const kind = [
    ...['whole', 'lane', hueOfEvent(event), begins ? `days-${days}` : 'below'],
    ...(status === 'canceled' ? ['canceled'] : []),
  ].join(' ');
  const said = status === 'scheduled' ? '' : ` – ${words(status)}`;
  return html`<li class=${kind}><a href=${eventPath(event.slug)}>${`${lineOfHtml(event.title)}${said}`}</a></li>`;
}

/** An event in a day: with its time, if it begins on that day at one. */
function entry({ words, language }: Pick<Surroundings, 'words' | 'language'>, event: EventAnswer, day: Day): Html {
  const { all_day: isAllDay, start_date: start, slug, title } = event;
  const isTimed = isAllDay !== true && start.startsWith(day);
  const kind = [isTimed ? '' : `whole ${hueOfEvent(event)}`, event.event_status === 'canceled' ? 'canceled' : ''];
  return html`<li class=${kind.join(' ').trim() || undefined}><a href=${eventPath(slug)}>${
    isTimed && html`<time>${dateText(language.code, 'time', start)}</time>`
  }${lineOfHtml(title)}</a>${statusLabel(event, words)}</li>`;
}
