// The addresses of the pages for visitors.
import type { FastifyInstance } from 'fastify';
import type { PageRequest, Pages } from '../page-request.ts';
import { descriptionHtml } from '../raw-html.ts';
import { shownHtml } from '../shown-html.ts';
import { type BySlug, foundIn } from './answers.ts';
import { eventPage } from './event-page.ts';
import { organizerPage, venuePage } from './linked-post-page.ts';
import { listRoutes } from './list-routes.ts';
import { robots, sitemap } from './sitemap.ts';

export function publicPages(app: FastifyInstance, pages: Pages): void {
  const { calendar, raw } = pages;
  listRoutes(app, pages);

  app.get<BySlug>('/event/:slug', async (request, reply) => {
    const page = pages.open(request);
    return pages.send(reply, page, ['event', request.params.slug], async () => {
      const {
        found: event,
        revision,
        ...more
      } = foundIn(await calendar.event(page.visit, request.params.slug), request);
      const description = await descriptionHtml(raw, { id: more.id, revision, text: event.description });
      return { api: `/events/${more.id}`, body: eventPage(page.surroundings, { ...more, event, description }) };
    });
  });

  /** What is to come at a venue, or by an organizer. */
  async function upcomingOf(page: PageRequest, filter: 'venue' | 'organizer', id: number) {
    const days = await calendar.upcoming(page.visit);
    return { days, list: await pages.events(page, { ...days, [filter]: { ids: [id], shown: String(id) } }) };
  }

  app.get<BySlug>('/venue/:slug', async (request, reply) => {
    const page = pages.open(request);
    const { slug } = request.params;
    const edge = await calendar.upcoming(page.visit);
    return pages.send(reply, page, ['venue', slug, edge], async () => {
      const { found: venue, id, pictureText } = foundIn(await calendar.venue(page.visit, slug), request);
      const description = await shownHtml(venue.description ?? '');
      const shown = { id, description, pictureText, ...(await upcomingOf(page, 'venue', id)) };
      return { api: `/events/?venue=${id}`, body: venuePage(page.surroundings, venue, shown) };
    });
  });

  app.get<BySlug>('/organizer/:slug', async (request, reply) => {
    const page = pages.open(request);
    const { slug } = request.params;
    const edge = await calendar.upcoming(page.visit);
    return pages.send(reply, page, ['organizer', slug, edge], async () => {
      const { found: organizer, id, pictureText } = foundIn(await calendar.organizer(page.visit, slug), request);
      const description = await shownHtml(organizer.description ?? '');
      const shown = { id, description, pictureText, ...(await upcomingOf(page, 'organizer', id)) };
      return { body: organizerPage(page.surroundings, organizer, shown) };
    });
  });

  app.get('/robots.txt', (request, reply) => reply.type('text/plain; charset=utf-8').send(robots(pages.open(request))));
  app.get('/sitemap.xml', async (request, reply) => {
    const page = pages.open(request);
    const edge = await calendar.upcoming(page.visit);
    return pages.send(reply.type('application/xml; charset=utf-8'), page, ['sitemap', edge], async () => ({
      body: await sitemap(calendar, page),
    }));
  });
}
