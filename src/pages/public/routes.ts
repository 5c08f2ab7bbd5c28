// The addresses of the pages for visitors.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ApiError, invalidParameters } from '../../http/errors.ts';
import type { EventListInput } from '../../queries/list-events.ts';
import type { TermView } from '../../read-model/queries.ts';
import { compareLetters } from '../../text/ascii-folding.ts';
import { lineOfHtml } from '../../text/html-text.ts';
import { type EventPage, type Found, onDays } from '../calendar.ts';
import { addDays, type Day, dateText, isDay, isMonth, monthOf, todayIn, weekdayOf, weekOf, weeksOf } from '../dates.ts';
import { dayPath } from '../links.ts';
import type { PageRequest, Pages } from '../pages.ts';
import { shownHtml } from '../shown-html.ts';
import { eventPage } from './event-page.ts';
import type { View } from './layout.ts';
import { organizerPage, venuePage } from './linked-post-page.ts';
import { listPage } from './list-page.ts';
import { type DayShown, monthPage } from './month-page.ts';
import { robots, sitemap } from './sitemap.ts';

const notFound = (): ApiError => new ApiError('rest_no_route');

interface BySlug {
  readonly Params: { readonly slug: string };
}

/** As many as the API's list has at most. */
const DAY_LIMIT = 50;
const CELL_LIMIT = 4;
const SATURDAY = 6;

export function publicPages(app: FastifyInstance, pages: Pages): void {
  const { calendar, siteZone } = pages;

  async function eventsOf(page: PageRequest, filters: EventListInput): Promise<EventPage> {
    const found = await calendar.events(page.visit, filters);
    if ('refused' in found) throw invalidParameters(found.refused);
    if (found.page > Math.max(found.pages, 1)) throw notFound();
    return found;
  }

  /** The categories that have events, each below those that contain it. */
  async function categories(): Promise<TermView[]> {
    const all = (await calendar.terms()).filter(({ kind }) => kind === 'category');
    const used = new Set(all.flatMap(({ count, slug, ancestorSlugs }) => (count > 0 ? [slug, ...ancestorSlugs] : [])));
    return all
      .filter(({ slug }) => used.has(slug))
      .sort((one, other) => compareLetters(pathOfTerm(one), pathOfTerm(other)) || one.id - other.id);
  }

  app.get('/', async (request, reply) => {
    const page = pages.open(request);
    const { words } = page.surroundings;
    const { p: id } = page.sent;
    if (typeof id === 'string') return reply.redirect(await pathOfPost(id));
    const view = viewIn(page.sent.when);
    const filters = await pages.filters(page);
    const period = view === 'upcoming' ? await calendar.upcoming(page.visit) : periodOf(view, page.visit.now);
    return pages.send(reply, page, ['list', period], async () =>
      listPage(page.surroundings, {
        title: view === 'upcoming' ? words('events') : words(view),
        path: '/',
        filters: [...(view === 'upcoming' ? [] : [['when', view] as const]), ...pages.sentFilters(page)],
        list: await eventsOf(page, { ...filters, ...period }),
        current: view,
        categories: await categories(),
      }),
    );
  });

  /** Feeds and drafts name posts by their id (`/?post_type=tribe_events&p=41`): it stays when titles and slugs change. */
  async function pathOfPost(id: string): Promise<string> {
    const path = /^\d{1,15}$/.test(id) ? await calendar.pathOf(Number(id)) : null;
    if (path === null) throw notFound();
    return path;
  }

  app.get('/events', (_request, reply) => reply.redirect('/', 301));

  function periodOf(view: View, now: number): EventListInput {
    const today = todayIn(siteZone, now);
    if (view === 'today') return onDays(today, today, siteZone);
    const monday = weekOf(today);
    if (view === 'next_week') return onDays(addDays(monday, 7), addDays(monday, 13), siteZone);
    const saturday = addDays(monday, SATURDAY - 1);
    return onDays(weekdayOf(today) > SATURDAY ? today : saturday, addDays(monday, 6), siteZone);
  }

  app.get<BySlug>('/events/day/:slug', async (request, reply) => {
    const page = pages.open(request);
    const day = request.params.slug;
    if (!isDay(day)) throw notFound();
    const filters = { ...(await pages.filters(page)), ...onDays(day, day, siteZone), per_page: DAY_LIMIT };
    return pages.send(reply, page, ['day', day], async () =>
      listPage(page.surroundings, {
        title: dateText(page.surroundings.language.code, 'long', day),
        path: dayPath(day),
        filters: pages.sentFilters(page),
        list: await eventsOf(page, filters),
        categories: await categories(),
      }),
    );
  });

  app.get<BySlug>('/events/month/:slug', async (request, reply) => {
    const page = pages.open(request);
    const month = request.params.slug;
    if (!isMonth(month)) throw notFound();
    const filters = await pages.filters(page);
    return pages.send(reply, page, ['month', month], async () => {
      const days = new Map<Day, DayShown>();
      for (const day of weeksOf(month).flat()) {
        if (monthOf(day) !== month) continue;
        // Some queries are answered without waiting: others get their turn between the days.
        await nextTurn();
        days.set(day, await eventsOf(page, { ...filters, ...onDays(day, day, siteZone), per_page: CELL_LIMIT }));
      }
      return monthPage(page.surroundings, { month, today: todayIn(siteZone, page.visit.now), days });
    });
  });

  app.get<BySlug>('/event/:slug', async (request, reply) => {
    const page = pages.open(request);
    return pages.send(reply, page, ['event', request.params.slug], async () => {
      const { found: event, id } = foundIn(await calendar.event(page.visit, request.params.slug));
      return eventPage(page.surroundings, { id, event, description: await shownHtml(event.description) });
    });
  });

  /** What is to come at a venue, or by an organizer. */
  const upcomingOf = async (page: PageRequest, filter: 'venue' | 'organizer', id: number): Promise<EventPage> =>
    eventsOf(page, { ...(await calendar.upcoming(page.visit)), [filter]: { ids: [id], shown: String(id) } });

  app.get<BySlug>('/venue/:slug', async (request, reply) => {
    const page = pages.open(request);
    const { slug } = request.params;
    const edge = await calendar.upcoming(page.visit);
    return pages.send(reply, page, ['venue', slug, edge], async () => {
      const { found: venue, id } = foundIn(await calendar.venue(page.visit, slug));
      const description = await shownHtml(venue.description ?? '');
      return venuePage(page.surroundings, venue, { id, description, list: await upcomingOf(page, 'venue', id) });
    });
  });

  app.get<BySlug>('/organizer/:slug', async (request, reply) => {
    const page = pages.open(request);
    const { slug } = request.params;
    const edge = await calendar.upcoming(page.visit);
    return pages.send(reply, page, ['organizer', slug, edge], async () => {
      const { found: organizer, id } = foundIn(await calendar.organizer(page.visit, slug));
      const description = await shownHtml(organizer.description ?? '');
      return organizerPage(page.surroundings, organizer, {
        id,
        description,
        list: await upcomingOf(page, 'organizer', id),
      });
    });
  });

  for (const kind of ['category', 'tag'] as const)
    app.get<{ readonly Params: { readonly '*': string } }>(
      kind === 'tag' ? '/tag/*' : '/events/category/*',
      async (request, reply) => {
        const page = pages.open(request);
        const path = request.params['*'].replace(/\/+$/, '').toLowerCase();
        const term = (await calendar.terms()).find((one) => one.kind === kind && pathOfTerm(one) === path);
        if (!term) throw notFound();
        const filter = kind === 'tag' ? 'tags' : 'categories';
        const upcoming = await calendar.upcoming(page.visit);
        const filters = { ...(await pages.filters(page)), ...upcoming, [filter]: { ids: [term.id], shown: term.slug } };
        return pages.send(reply, page, [kind, term.id, upcoming], async () =>
          listPage(page.surroundings, {
            title: lineOfHtml(term.name),
            description: await shownHtml(term.description),
            path: kind === 'tag' ? `/tag/${term.slug}/` : `/events/category/${pathOfTerm(term)}/`,
            filters: pages.sentFilters(page),
            list: await eventsOf(page, filters),
            api: `/events/?${filter}=${term.slug}`,
            categories: [],
          }),
        );
      },
    );

  app.get('/robots.txt', (request, reply) => reply.type('text/plain; charset=utf-8').send(robots(pages.open(request))));
  app.get('/sitemap.xml', async (request, reply) => {
    const page = pages.open(request);
    const edge = await calendar.upcoming(page.visit);
    return pages.send(reply.type('application/xml; charset=utf-8'), page, ['sitemap', edge], () =>
      sitemap(calendar, page),
    );
  });
}

const pathOfTerm = ({ ancestorSlugs, slug }: TermView): string => [...ancestorSlugs, slug].join('/');

function foundIn<Shown>(result: Found<Shown>) {
  if ('found' in result) return result;
  throw new ApiError(MISSING[result.missing]);
}

const MISSING = {
  unknown: 'rest_no_route',
  'in trash': 'rest_no_route',
  'not accessible': 'rest_no_route',
  'password needed': 'event-password-protected',
} as const;

const viewIn = (sent: unknown): View => {
  if (sent === 'today' || sent === 'weekend' || sent === 'next_week') return sent;
  return 'upcoming';
};
