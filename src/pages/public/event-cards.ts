// Events in lists: a card each, below the name of its month.
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import { type EventAnswer, type TermAnswer, venueNamesWithCities } from '../answers.ts';
import { dateText, dayOf, type Month, monthOf, whenInList } from '../dates.ts';
import { type Html, html } from '../html.ts';
import { eventPath } from '../links.ts';
import type { Words } from '../words.ts';
import type { Surroundings } from './layout.ts';
import { cardPicture } from './picture.ts';

export function eventCards(surroundings: Surroundings, events: readonly EventAnswer[]): Html {
  const { thisMonth } = surroundings;
  const months = Map.groupBy(events, (event) => monthShown(event, thisMonth));
  return html`<div class="cards">${[...months].map(
    ([month, some]) =>
      html`<section>
        <h2>${dateText(surroundings.language.code, 'month', `${month}-01`)}</h2>
        ${ordered(surroundings, some)}
      </section>`,
  )}</div>`;
}

const ordered = (surroundings: Surroundings, events: readonly EventAnswer[]): Html =>
  html`<ol>${events.map((event) => card(surroundings, event, 'later'))}</ol>`;

/** Without months. */
export const cardList = (surroundings: Surroundings, events: readonly EventAnswer[]): Html =>
  html`<div class="cards">${ordered(surroundings, events)}</div>`;

/** What has begun earlier and goes on is among the events of this month. */
function monthShown({ start_date: start, end_date: end }: EventAnswer, thisMonth: Month): Month {
  const month = monthOf(dayOf(start));
  return month < thisMonth && monthOf(dayOf(end)) >= thisMonth ? thisMonth : month;
}

/** Featured events, above the list: the large one has a picture, if any of them has. */
export const heroOf = (surroundings: Surroundings, events: readonly EventAnswer[]): Html =>
  html`<section class="hero" aria-labelledby="featured">
    <h2 id="featured">${surroundings.words('featured')}</h2>
    <ol>${events.toSorted((one, other) => Number(other.image !== false) - Number(one.image !== false)).map((event, at) => card(surroundings, event, at === 0 ? 'first' : 'later'))}</ol>
  </section>`;

function card(surroundings: Surroundings, event: EventAnswer, place: 'first' | 'later'): Html {
  const { language, words, site } = surroundings;
  const venues = venueNamesWithCities(event);
  return html`<li class=${`card ${hueOfEvent(event)}${event.event_status === 'canceled' ? ' canceled' : ''}`}>
    ${art(language.code, event, cardPicture(site, event.image, place))}
    <div class="text">
      <h3><a class="title" href=${eventPath(event.slug)}>${lineOfHtml(event.title)}</a></h3>
      <p class="when"><time datetime=${isoOf(event)}>${whenInList(surroundings, event)}</time></p>
      ${venues.length > 0 && html`<p class="where">${venues.join(' · ')}</p>`}
      <p class="labels">
        ${statusLabel(event, words)}
        ${event.featured === true && html`<span class="label strong">${words('featured')}</span>`}
        ${event.is_virtual === true && html`<span class="label">${words('online')}</span>`}
        ${event.cost !== '' && html`<span class="label">${priceOf(surroundings, event)}</span>`}
        ${event.categories.map((term) => termLink(term, `label ${hueOf(term)}`))}
      </p>
    </div>
  </li>`;
}

/** The day of an event beside its picture, or on the colour of its category; its text says the same. */
export const art = (code: string, { start_date: start }: EventAnswer, picture?: Html): Html =>
  html`<div class="art" aria-hidden="true">${picture}<p class="date"><span>${dateText(code, 'shortMonth', start)}</span>
    <b>${dateText(code, 'day', start)}</b></p></div>`;

/** site.css has so many colours for categories, and one for events without. */
const HUES = 8;
export const hueOf = ({ id }: Pick<TermAnswer, 'id'>): string => `hue-${1 + (id % HUES)}`;

/** The colour of its first category, the same wherever it is shown. */
export const hueOfEvent = ({ categories: [first] }: Pick<EventAnswer, 'categories'>): string =>
  first === undefined ? 'hue-0' : hueOf(first);

/** The price, with what costs nothing in the language of the page. */
export const priceOf = ({ freeLabel, language }: Surroundings, { cost }: EventAnswer): string =>
  cost
    .split(' – ')
    .map((end) => (end === freeLabel ? language.free : end))
    .join(' – ');

/** A category or tag, leading to its page. */
export const termLink = ({ name, path }: TermAnswer, kind?: string): Html =>
  path === undefined
    ? html`<span class=${kind}>${lineOfHtml(name)}</span>`
    : html`<a class=${kind} href=${path}>${lineOfHtml(name)}</a>`;

/** Unmistakable, wherever the event is shown; nothing for one that takes place. */
export function statusLabel({ event_status: status = 'scheduled' }: EventAnswer, words: Words): Html | false {
  return status !== 'scheduled' && html`<strong class="label alert">${words(status)}</strong>`;
}

/** The beginning as HTML's `datetime`: a day, or an instant. */
export const isoOf = ({ all_day: isAllDay, start_date: start, utc_start_date: utc }: EventAnswer): string =>
  isAllDay === true ? dayOf(start) : instantOf(utc);

/** `2026-12-05 18:00:00` as an instant. */
export const instantOf = (utc: string): string => `${utc.replace(' ', 'T')}Z`;
