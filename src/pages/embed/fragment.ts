// A list of events as a piece of a page of another site. Its parts can be styled there by their names (`::part(title)`).
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import type { EventPage } from '../calendar.ts';
import { whenText } from '../dates.ts';
import { type Html, html } from '../html.ts';
import { address, eventPath, type Query } from '../links.ts';
import { isoOf } from '../public/event-cards.ts';
import type { Surroundings } from '../public/layout.ts';
import { type ShownEvent, venueNamesWithCities } from '../shown.ts';

interface Embedded {
  readonly list: EventPage;
  /** As the address of the list has them, without the page. */
  readonly filters: Query;
}

export function fragment(surroundings: Surroundings, { list, filters }: Embedded): Html {
  const { words, language } = surroundings;
  const { events, page, pages } = list;
  const whole = filters.filter(([name]) => name !== 'per_page');
  return html`<div part="list" lang=${language.code} tabindex="-1">
    ${
      events.length === 0
        ? html`<p part="empty">${words('none')}</p>`
        : html`<ol part="events">${events.map((event) => item(surroundings, event))}</ol>`
    }
    <p part="links">
      ${page > 1 && pageLink(surroundings, { name: 'previous', page: page - 1, filters })}
      ${page < pages && pageLink(surroundings, { name: 'next', page: page + 1, filters })}
      <a part="link all" href=${addressOf(surroundings, whole)}>${words('to_list')}</a>
    </p>
  </div>`;
}

function item({ site, words, language }: Surroundings, event: ShownEvent): Html {
  const { event_status: status = 'scheduled' } = event;
  const venues = venueNamesWithCities(event);
  return html`<li part=${`event ${status}`}>
    <a part="title" href=${`${site}${eventPath(event.slug)}`}>${lineOfHtml(event.title)}</a>
    ${status !== 'scheduled' && html`<strong part="status">${words(status)}</strong>`}
    <time part="when" datetime=${isoOf(event)}>${whenText(language.code, event, 'medium')}</time>
    ${venues.length > 0 && html`<span part="where">${venues.join(' · ')}</span>`}
    ${event.is_virtual === true && html`<span part="online">${words('online')}</span>`}
    ${event.cost !== '' && html`<span part="price">${event.cost}</span>`}
  </li>`;
}

interface PageLink {
  readonly name: 'previous' | 'next';
  readonly page: number;
  readonly filters: Query;
}

/** The element shows this page in its place; without it the link leads to the list. */
const pageLink = (surroundings: Surroundings, { name, page, filters }: PageLink): Html =>
  html`<a part=${`link ${name}`} data-page=${page} href=${addressOf(surroundings, [...filters, ['page', String(page)]])}>
    ${surroundings.words(name)}</a>`;

const addressOf = ({ site }: Surroundings, query: Query): string => address(`${site}/`, query);
