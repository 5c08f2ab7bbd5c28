// Lists for pages of other sites: the script with the element, and the piece of a page that it shows.
import type { FastifyInstance } from 'fastify';
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import { type EventAnswer, venueNamesWithCities } from '../answers.ts';
import { ASSETS, sendAsset } from '../assets.ts';
import type { EventPage } from '../calendar.ts';
import { whenText } from '../dates.ts';
import type { ErrorHandler } from '../failures.ts';
import { type Html, html, pieceText } from '../html.ts';
import { address, eventPath, type Query, without } from '../links.ts';
import type { Pages } from '../page-request.ts';
import { isoOf, priceOf } from '../public/event-cards.ts';
import type { Surroundings } from '../public/layout.ts';

/** Any page may read it: it is public, and nothing of a visitor is sent with it. */
const FOR_ALL_ORIGINS = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' } as const;

/** Its address is on pages of others and never changes, so it is asked for again after a while. */
const SCRIPT_CACHING = 'public, max-age=3600';

interface EmbedDependencies {
  readonly pages: Pages;
  readonly handleError: ErrorHandler;
}

export const embedding =
  ({ pages, handleError }: EmbedDependencies) =>
  async (app: FastifyInstance) => {
    app.addHook('onSend', async (_request, reply) => {
      reply.headers(FOR_ALL_ORIGINS).header('x-robots-tag', 'noindex');
    });
    app.setErrorHandler(handleError);

    app.get('/embed.js', (_request, reply) => sendAsset(reply, ASSETS.embed, SCRIPT_CACHING));

    app.get('/embed/events', async (request, reply) => {
      const page = pages.open(request);
      const filters = await pages.filters(page);
      const period = await pages.period(page);
      return pages.send(reply, page, ['embed', period], async () => {
        const list = await pages.events(page, { ...filters.input, ...period });
        return {
          body: pieceText(fragment(page.surroundings, list, filters.query), page.surroundings.site),
        };
      });
    });
  };

// A list of events as a piece of a page of another site. Its parts can be styled there by their names (`::part(title)`).

/** `filters`: as the address of the list has them, without the page. */
function fragment(surroundings: Surroundings, list: EventPage, filters: Query): Html {
  const { words, language } = surroundings;
  const { events, page, pages } = list;
  const whole = without(filters, 'per_page');
  // The element shows this page in its place; without it the link leads to the list.
  const pageLink = (name: 'previous' | 'next', to: number): Html =>
    html`<a part=${`link ${name}`} data-page=${to} href=${addressOf(surroundings, [...filters, ['page', String(to)]])}>
    ${words(name)}</a>`;
  return html`<div part="list" lang=${language.code} tabindex="-1">
    ${
      events.length === 0
        ? html`<p part="empty">${words('none')}</p>`
        : html`<ol part="events">${events.map((event) => item(surroundings, event))}</ol>`
    }
    <p part="links">
      ${page > 1 && pageLink('previous', page - 1)}
      ${page < pages && pageLink('next', page + 1)}
      <a part="link all" href=${addressOf(surroundings, whole)}>${words('to_list')}</a>
    </p>
  </div>`;
}

function item(surroundings: Surroundings, event: EventAnswer): Html {
  const { site, words, language } = surroundings;
  const { event_status: status = 'scheduled' } = event;
  const venues = venueNamesWithCities(event);
  return html`<li part=${`event ${status}`}>
    <a part="title" href=${`${site}${eventPath(event.slug)}`}>${lineOfHtml(event.title)}</a>
    ${status !== 'scheduled' && html`<strong part="status">${words(status)}</strong>`}
    <time part="when" datetime=${isoOf(event)}>${whenText(language.code, event, 'medium')}</time>
    ${venues.length > 0 && html`<span part="where">${venues.join(' · ')}</span>`}
    ${event.is_virtual === true && html`<span part="online">${words('online')}</span>`}
    ${event.cost !== '' && html`<span part="price">${priceOf(surroundings, event)}</span>`}
  </li>`;
}

const addressOf = ({ site }: Surroundings, query: Query): string => address(`${site}/`, query);
