// The addresses of lists: all that is to come, a day, a month, a category, a tag; each with the filters of its form.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { COUNTED_LABELS } from '../../calendar/event/domain/event-labels.ts';
import type { EventListInput } from '../../calendar/event/http/event-schema.ts';
import type { DaysInput } from '../../editorial/schedule/queries/upcoming.ts';
import { ApiError, slugChanged } from '../../http/errors.ts';
import { askedOnce } from '../../kernel/event-loop/shared-work.ts';
import { compareLetters } from '../../kernel/text/ascii-folding.ts';
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import { queryOf } from '../../kernel/text/query-text.ts';
import type { TermView } from '../../queries/published.ts';
import type { EventAnswer } from '../answers.ts';
import type { EventPage } from '../calendar.ts';
import { type Day, dateText, daysOfMonth, isDay, isMonth, type Month, monthOf, todayIn, weeksOf } from '../dates.ts';
import { datesIn, daysOf, type Filters, filtersSent, periodIn } from '../filters.ts';
import { dayPath, monthPath, type Query, termPath, without } from '../links.ts';
import type { PageRequest, Pages } from '../page-request.ts';
import { feedsOf, onDays } from '../periods.ts';
import { safeHtml } from '../safe-html.ts';
import { type BySlug, notFound } from './answers.ts';
import type { Emptiness } from './empty-list.ts';
import { FACET_FLAGS, FACET_PERIODS } from './facets.ts';
import { type Choices, type Field, filterForm } from './filter-form.ts';
import { type ListContent, listPage, refusedList } from './list-page.ts';
import { type DayEvents, monthPage } from './month-page.ts';

/** As many as the API's list has at most. */
const DAY_LIMIT = 50;
const CELL_LIMIT = 4;
/** A large one, and two beside it. */
const MAX_FEATURED = 3;
/** Those that most events have. */
const MAX_TAGS = 100;
/** Categories of which it is counted how many events they leave. */
const MAX_COUNTED = 200;

/** A list, before its filters are known. */
interface List {
  readonly title: string;
  readonly path: string;
  /** Fields that the page itself decides. */
  readonly without?: readonly Field[];
}

export function listRoutes(app: FastifyInstance, pages: Pages): void {
  const { calendar, siteZone } = pages;

  /** What the form of a list offers. */
  async function choicesFor({ visit }: PageRequest): Promise<Choices> {
    const terms = await calendar.terms();
    return { ...offered(terms), places: await calendar.places(visit) };
  }

  /** What the form offers, and what filters would leave of a list: `input` are its own without days. */
  async function narrowing(
    page: PageRequest,
    { without = [] }: List,
    input: EventListInput,
    days: DaysInput,
  ): Promise<Pick<ListContent, 'choices' | 'facets'>> {
    const { visit } = page;
    const choices = await choicesFor(page);
    const counted = without.includes('categories') ? [] : choices.categories.slice(0, MAX_COUNTED);
    const counts = await calendar.facets(visit, input, {
      days,
      periods: FACET_PERIODS.map((period) => daysOf(period, siteZone, visit.now)),
      flags: FACET_FLAGS,
      labels: COUNTED_LABELS,
      categories: counted.map(({ id }) => id),
    });
    return { choices, facets: { categories: counted, counts } };
  }

  /** The filters of a list; null if they cannot be used, which is answered then. */
  async function filtersOf(reply: FastifyReply, page: PageRequest, list: List): Promise<Filters | null> {
    try {
      return await pages.filters(page);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      const problem = error.text(page.surroundings.language);
      const form = { ...list, filters: filtersSent(page.parameters), choices: await choicesFor(page), problem };
      pages.refuse(reply, refusedList(page.surroundings, form));
      return null;
    }
  }

  app.get('/', async (request, reply) => {
    const page = pages.open(request);
    const { p: id } = page.parameters;
    if (typeof id === 'string') return reply.redirect(await pathOfPost(id));
    const current = datesIn(page.parameters) ? null : periodIn(page.parameters);
    const list = { title: titleOf(page), path: '/' };
    const filters = await filtersOf(reply, page, list);
    if (!filters) return reply;
    const period = await pages.period(page);
    return pages.send(reply, page, ['list', period], async () => {
      const result = await pages.events(page, { ...filters.input, ...period });
      return {
        body: listPage(page.surroundings, {
          ...list,
          filters: filters.query,
          feeds: feedsOf(page.surroundings.root, filters.api, period),
          embedded: filters.query,
          list: result,
          featured: filters.query.length === 0 ? await featuredAmong(page, result) : [],
          ...(result.total === 0 && filters.query.length === 0 && { emptiness: await emptinessOfAll() }),
          ...(current !== null && { current }),
          ...(await narrowing(page, list, filters.input, period)),
        }),
      };
    });
  });

  /** What is to come of the featured events, on the first page of a list that is longer than they are. */
  async function featuredAmong(page: PageRequest, list: EventPage): Promise<readonly EventAnswer[]> {
    if (list.page > 1 || list.total <= MAX_FEATURED) return [];
    const days = await calendar.upcoming(page.visit);
    return (await pages.events(page, { ...days, featured: true, page: 1, per_page: MAX_FEATURED })).events;
  }

  const emptinessOfAll = async (): Promise<Emptiness> => ((await calendar.hasEvents()) ? 'nothing planned' : 'new');

  /** Feeds and drafts name posts by their id (`/?post_type=tribe_events&p=41`): it stays when titles and slugs change. */
  async function pathOfPost(id: string): Promise<string> {
    const path = /^\d{1,15}$/.test(id) ? await calendar.pathOf(Number(id)) : null;
    if (path === null) throw notFound();
    return path;
  }

  app.get('/events', (request, reply) => reply.redirect(`/${queryOf(request.url)}`, 301));

  app.get<BySlug>('/events/day/:slug', async (request, reply) => {
    const page = pages.open(request);
    const day = request.params.slug;
    if (!isDay(day)) throw notFound();
    const list: List = {
      title: dateText(page.surroundings.language.code, 'long', day),
      path: dayPath(day),
      without: ['when'],
    };
    const filters = await filtersOf(reply, page, list);
    if (!filters) return reply;
    const days = onDays(day, day, siteZone);
    const input = { ...filters.input, ...days, per_page: DAY_LIMIT };
    return pages.send(reply, page, ['day', day], async () => ({
      body: listPage(page.surroundings, {
        ...list,
        filters: filters.query,
        feeds: feedsOf(page.surroundings.root, filters.api, days),
        embedded: within(filters.query, day),
        list: await pages.events(page, input),
        ...(await narrowing(page, list, filters.input, days)),
      }),
    }));
  });

  app.get<BySlug>('/events/month/:slug', async (request, reply) => {
    const page = pages.open(request);
    const month = request.params.slug;
    if (!isMonth(month)) throw notFound();
    const title = dateText(page.surroundings.language.code, 'month', `${month}-01`);
    const list: List = { title, path: monthPath(month), without: ['when'] };
    const filters = await filtersOf(reply, page, list);
    if (!filters) return reply;
    return pages.send(reply, page, ['month', month], async () => {
      const days = new Map<Day, DayEvents>();
      for (const day of weeksOf(month).flat()) {
        if (monthOf(day) !== month) continue;
        // Some queries are answered without waiting: others get their turn between the days.
        await nextTurn();
        const input = { ...filters.input, ...onDays(day, day, siteZone), page: 1, per_page: CELL_LIMIT };
        days.set(day, await pages.events(page, input));
      }
      const { query, api } = filters;
      const form = filterForm(page.surroundings, { ...list, filters: query, choices: await choicesFor(page) });
      const content = {
        title,
        month,
        days,
        form,
        filters: query,
        embedded: within(query, month),
        today: todayIn(siteZone, page.visit.now),
        feeds: feedsOf(page.surroundings.root, api, onDays(...daysOfMonth(month), siteZone)),
      };
      return { body: monthPage(page.surroundings, content) };
    });
  });

  for (const kind of ['category', 'tag'] as const)
    app.get<{ readonly Params: { readonly '*': string } }>(
      kind === 'tag' ? '/tag/*' : '/events/category/*',
      async (request, reply) => {
        const page = pages.open(request);
        const path = request.params['*'].replace(/\/+$/, '').toLowerCase();
        const slug = path.slice(path.lastIndexOf('/') + 1);
        const term = termOfPath(await calendar.terms(), kind, slug) ?? (await calendar.termMovedFrom(kind, slug));
        if (!term) throw notFound();
        if (pathOfTerm(term) !== path) throw slugChanged(termPath(term) + queryOf(request.url));
        const list = termList(term);
        const filters = await filtersOf(reply, page, list);
        if (!filters) return reply;
        const filter = kind === 'tag' ? 'tags' : 'categories';
        const period = await pages.period(page);
        const input = { ...filters.input, ...period, [filter]: { ids: [term.id], text: term.slug } };
        const own = (query: Query): Query => [...without(query, filter), [filter, term.slug]];
        const alternate = `/events/?${filter}=${term.slug}`;
        return pages.send(reply, page, [kind, term.id, period], async () => ({
          api: alternate,
          body: listPage(page.surroundings, {
            ...list,
            description: await safeHtml(term.description),
            filters: without(filters.query, filter),
            feeds: feedsOf(page.surroundings.root, own(filters.api), period),
            embedded: own(filters.query),
            list: await pages.events(page, input),
            alternate,
            ...(await narrowing(page, list, input, period)),
          }),
        }));
      },
    );
}

/** What the list of `/` is called: after its period, or the day or month that the address names. */
function titleOf({ surroundings: { words, language }, parameters }: PageRequest): string {
  const dates = datesIn(parameters);
  if (dates) return dateText(language.code, dates[0] === dates[1] ? 'long' : 'month', dates[0]);
  const period = periodIn(parameters);
  return words(period === 'upcoming' ? 'events' : period);
}

/** Filters of a list of this day or month, for an element that shows it elsewhere. */
const within = (filters: Query, when: Day | Month): Query => [...without(filters, 'when'), ['when', when]];

const termList = (term: TermView): List => ({
  title: lineOfHtml(term.name),
  path: termPath(term),
  without: [term.kind === 'tag' ? 'tags' : 'categories'],
});

/** The term at a path. A path leads also to a term that is below another one today, or that its own was merged into. */
function termOfPath(terms: ReadonlyMap<number, TermView>, kind: TermView['kind'], slug: string): TermView | undefined {
  const ofKind = [...terms.values()].filter((term) => term.kind === kind);
  const has = (term: { readonly slug: string }): boolean => term.slug === slug;
  return ofKind.find(has) ?? ofKind.find(({ merged = [] }) => merged.some(has));
}

const pathOfTerm = ({ ancestorSlugs, slug }: TermView): string => [...ancestorSlugs, slug].join('/');

/** The terms that have events; categories each below those that contain it. */
const offered = askedOnce((byId: ReadonlyMap<number, TermView>): Pick<Choices, 'categories' | 'tags'> => {
  const terms = [...byId.values()];
  const all = terms.filter(({ kind }) => kind === 'category');
  const used = new Set(all.flatMap(({ count, slug, ancestorSlugs }) => (count > 0 ? [slug, ...ancestorSlugs] : [])));
  return {
    categories: all
      .filter(({ slug }) => used.has(slug))
      .sort((one, other) => compareLetters(pathOfTerm(one), pathOfTerm(other)) || one.id - other.id),
    tags: terms
      .filter(({ kind, count }) => kind === 'tag' && count > 0)
      .sort((one, other) => other.count - one.count || one.id - other.id)
      .slice(0, MAX_TAGS)
      .sort((one, other) => compareLetters(one.name, other.name) || one.id - other.id),
  };
}, new WeakMap());
