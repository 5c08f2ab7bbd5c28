// The addresses of the pages for visitors.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inPortions } from '../../kernel/event-loop/turns.ts';
import { escapeHtml } from '../../kernel/text/escape-html.ts';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import { type EventAnswer, venuesOf } from '../answers.ts';
import type { PageCalendar } from '../calendar.ts';
import { dayOf, todayIn } from '../dates.ts';
import type { Html } from '../html.ts';
import { eventPath } from '../links.ts';
import type { PageContent, PageRequest, Pages } from '../page-request.ts';
import { onDays } from '../periods.ts';
import { descriptionHtml } from '../raw-html.ts';
import { safeHtml } from '../safe-html.ts';
import { type BySlug, publishedIn } from './answers.ts';
import { instantOf } from './event-cards.ts';
import { type EventContent, eventPage, type OtherEvents } from './event-page.ts';
import { organizerPage, venuePage } from './linked-post-page.ts';
import { listRoutes } from './list-routes.ts';

/** A row of cards. */
const MAX_OTHERS = 3;

const endOf = ({ utc_end_date: end }: EventAnswer): EpochSeconds => Date.parse(instantOf(end)) / 1_000;

export function publicPages(app: FastifyInstance, pages: Pages): void {
  const { calendar, raw } = pages;
  listRoutes(app, pages);

  /** What begins or ends meanwhile changes what is said of an event, and what is to come. */
  function bySlug(
    kind: 'event' | 'venue' | 'organizer',
    make: (page: PageRequest, slug: string, request: FastifyRequest) => Promise<PageContent>,
  ): void {
    app.get<BySlug>(`/${kind}/:slug`, async (request, reply) => {
      const page = pages.open(request);
      const { slug } = request.params;
      const edge = await calendar.upcoming(page.visit);
      return pages.send(reply, page, [kind, slug, edge], () => make(page, slug, request));
    });
  }

  bySlug('event', async (page, slug, request) => {
    const { post: event, revision, ...more } = publishedIn(await calendar.event(page.visit, slug), request);
    const description = await descriptionHtml(raw, { id: more.id, revision, text: event.description });
    return { api: `/events/${more.id}`, body: await eventPageOf(pages, page, { ...more, event, description }) };
  });

  /** What is to come at a venue, or by an organizer. */
  async function upcomingOf(page: PageRequest, filter: 'venue' | 'organizer', id: number) {
    const days = await calendar.upcoming(page.visit);
    return { days, list: await pages.events(page, { ...days, [filter]: { ids: [id], text: String(id) } }) };
  }

  bySlug('venue', async (page, slug, request) => {
    const { post: venue, id, picture } = publishedIn(await calendar.venue(page.visit, slug), request);
    const description = await safeHtml(venue.description ?? '');
    const content = { id, description, picture, ...(await upcomingOf(page, 'venue', id)) };
    return { api: `/events/?venue=${id}`, body: venuePage(page.surroundings, venue, content) };
  });

  bySlug('organizer', async (page, slug, request) => {
    const { post: organizer, id, picture } = publishedIn(await calendar.organizer(page.visit, slug), request);
    const description = await safeHtml(organizer.description ?? '');
    const content = { id, description, picture, ...(await upcomingOf(page, 'organizer', id)) };
    return { body: organizerPage(page.surroundings, organizer, content) };
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

/** The page of an event with what else is to come, also of one that an editor previews. */
export async function eventPageOf(
  pages: Pages,
  page: PageRequest,
  post: Omit<EventContent, 'isOver' | 'others'>,
): Promise<Html> {
  const isOver = endOf(post.event) <= page.visit.now;
  return eventPage(page.surroundings, { ...post, isOver, others: await othersOf(pages, page, post.id, post.event) });
}

/** What else is to come: at the first venue, and on the same day. */
async function othersOf(pages: Pages, page: PageRequest, id: number, event: EventAnswer): Promise<OtherEvents> {
  const { calendar, siteZone } = pages;
  const days = await calendar.upcoming(page.visit);
  const [venue] = venuesOf(event);
  const day = dayOf(event.start_date);
  const first = { page: 1, per_page: MAX_OTHERS + 1 };
  const at = venue && { ids: [venue.id], text: String(venue.id) };
  const atVenue = at ? (await pages.events(page, { ...days, venue: at, ...first })).events : [];
  const onDay =
    day >= todayIn(siteZone, page.visit.now)
      ? (await pages.events(page, { ...onDays(day, day, siteZone), ...first })).events
      : [];
  const others = (events: readonly EventAnswer[], besides: readonly EventAnswer[] = []): readonly EventAnswer[] =>
    events.filter((other) => other.id !== id && !besides.some((one) => one.id === other.id)).slice(0, MAX_OTHERS);
  const nearby = others(atVenue);
  return { atVenue: nearby, sameDay: others(onDay, nearby) };
}

// For search engines: where pages are.

const robots = ({ surroundings, visit }: PageRequest): string =>
  [
    'User-agent: *',
    `Disallow: ${new URL(visit.links.root).pathname}/`,
    `Sitemap: ${surroundings.site}/sitemap.xml`,
    '',
  ].join('\n');

/** The format allows 50,000. */
const MAX_EVENTS = 10_000;

/** The list, and what is to come, the soonest first. */
async function sitemap(calendar: PageCalendar, { visit, surroundings: { site } }: PageRequest): Promise<string> {
  const slugs = await calendar.upcomingSlugs(visit, MAX_EVENTS);
  const entries = await inPortions(['/', ...slugs.map(eventPath)], async (some) =>
    some.map((path) => `  <url><loc>${escapeHtml(site + path)}</loc></url>\n`),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`;
}
