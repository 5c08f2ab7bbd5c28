// What pages show, from the queries of the API: the public's view of the calendar.

import type { Picture } from '../domain/picture.ts';
import type { EventListInput } from '../http/schemas/event.ts';
import type { Wording } from '../locales/phrases.ts';
import { pageCount, type QueryRefusal } from '../queries/arguments.ts';
import { assembleEvents } from '../queries/assemble.ts';
import { readEvent, readLinkedPost, type Unreadable } from '../queries/get-one.ts';
import { eventListRequest } from '../queries/list-events.ts';
import type { BeyondViews, SingleSource } from '../queries/log-fallback.ts';
import { withStaying } from '../queries/merged.ts';
import { inOneState } from '../queries/one-state.ts';
import type { LinkTargets, QueryDependencies, Reader } from '../queries/reader.ts';
import { publicSeriesWords } from '../queries/series-words.ts';
import { nextTurn, openTurns, portionsOf } from '../queries/time-slices.ts';
import type { DocumentKind } from '../read-model/documents.ts';
import type { TermView } from '../read-model/queries.ts';
import { joinedText } from '../text/pieces.ts';
import { normaliseForLookup } from '../text/slug.ts';
import type { EpochSeconds } from '../time/zone.ts';
import { todayIn } from './dates.ts';
import { eventPath, organizerPath, venuePath } from './links.ts';
import { endingFrom } from './periods.ts';
import { type Places, placesOf } from './places.ts';
import type { ShownEvent, ShownOrganizer, ShownVenue } from './shown.ts';

/** When a page is visited, and the base of its links. */
export interface Visit {
  readonly now: EpochSeconds;
  readonly links: LinkTargets;
}

export interface EventPage {
  readonly events: readonly ShownEvent[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

export type Found<Shown> =
  | {
      readonly found: Shown;
      readonly id: number;
      readonly revision: number;
      /** What its picture shows, in words; '' if it has none. */
      readonly pictureText: string;
      /** How the series repeats that an event is a date of. */
      readonly repeats: Wording | null;
    }
  | { readonly missing: Unreadable };

export interface PageCalendar {
  /** A page of the list that these filters select, or the parameter that selects nothing. */
  events(visit: Visit, filters: EventListInput): Promise<EventPage | QueryRefusal>;
  /** The filter for what has not ended yet. It is the same until an event starts or ends. */
  upcoming(visit: Visit): Promise<EventListInput>;
  /** When the next event starts or ends; undefined if none will. */
  nextEdge(visit: Visit): Promise<EpochSeconds | undefined>;
  event(visit: Visit, slug: string): Promise<Found<ShownEvent>>;
  venue(visit: Visit, slug: string): Promise<Found<ShownVenue>>;
  organizer(visit: Visit, slug: string): Promise<Found<ShownOrganizer>>;
  /** Slugs of what has not ended yet, the soonest first. */
  upcomingSlugs(visit: Visit, limit: number): Promise<readonly string[]>;
  /** The path of the page of a published post, whatever its kind; null if there is none. */
  pathOf(id: number): Promise<string | null>;
  /** Categories and tags. */
  terms(): Promise<readonly TermView[]>;
  /** Where something is to come. */
  places(visit: Visit): Promise<Places>;
  /** Of everything that pages are made from. */
  version(): Promise<string>;
}

export interface CalendarSources {
  readonly queries: QueryDependencies;
  readonly beyondViews: Pick<BeyondViews, 'newest'>;
}

export function openPageCalendar({ queries, beyondViews }: CalendarSources): PageCalendar {
  const { readModel, siteZone, perPage, site } = queries;
  const readerOf = ({ now, links }: Visit): Reader => ({
    ...{ caller: null, now, links, siteZone, password: undefined },
    free: site.language.free,
  });

  /** From the read model, or the log while that is unavailable. */
  function bySlug<Shown>(
    kind: Extract<DocumentKind, 'event' | 'venue' | 'organizer'>,
    slug: string,
    visit: Visit,
  ): Promise<Found<Shown>> {
    const name = normaliseForLookup(slug);
    if (name === '') return Promise.resolve({ missing: 'unknown' });
    const find = (source: SingleSource) => readBySlug<Shown>(source, kind, name, visit);
    return beyondViews.newest(
      async () =>
        inOneState({
          version: readModel.version,
          before: await readModel.version(),
          read: () => find(withTerms),
          shown: JSON.stringify,
        }),
      find,
    );
  }

  const withTerms: SingleSource = {
    ...readModel,
    term: async (_kind, id) => (await readModel.terms()).get(id) ?? null,
  };

  async function readBySlug<Shown>(
    source: SingleSource,
    kind: 'event' | 'venue' | 'organizer',
    slug: string,
    visit: Visit,
  ): Promise<Found<Shown>> {
    const turn = openTurns();
    const reader = readerOf(visit);
    const dependencies = { ...queries, readModel: source };
    const read =
      kind === 'event'
        ? await readEvent(dependencies, await source.findBySlug(kind, slug), reader, 'reading')
        : await readLinkedPost(dependencies, await source.findBySlug(kind, slug), reader);
    if ('unreadable' in read) return { missing: read.unreadable };
    await turn();
    const { id, revision, picture } = read.document;
    const found: Shown & Pick<ShownEvent, 'series'> = JSON.parse(joinedText(read.answer.pieces));
    const repeats = found.series ? await publicSeriesWords(source, found.series.id) : null;
    return { found, id, revision, repeats, pictureText: await textOfPicture(source, picture) };
  }

  const nextEdge = async ({ now }: Visit): Promise<EpochSeconds | undefined> =>
    (await readModel.nextEdge(now)) ?? undefined;

  const upcoming = async (visit: Visit): Promise<EventListInput> =>
    endingFrom((await nextEdge(visit)) ?? visit.now + 1);

  /** The same for all visitors until the calendar changes, or the day. */
  let knownPlaces: { readonly of: string; readonly found: Promise<Places> } | null = null;

  async function places(visit: Visit): Promise<Places> {
    const of = `${await readModel.version()} ${todayIn(siteZone, visit.now)}`;
    if (knownPlaces?.of === of) return knownPlaces.found;
    const found = nextTurn().then(() => placesOf(queries, readerOf(visit)));
    knownPlaces = { of, found };
    found.catch(() => {
      knownPlaces = null;
    });
    return found;
  }

  return {
    async events(visit, filters) {
      const reader = readerOf(visit);
      const staying = await withStaying(readModel, filters);
      const request = eventListRequest(staying, { siteZone, perPage }, reader, await readModel.terms());
      if ('refused' in request) return request;
      const { bodies, total } = await inOneState({
        version: readModel.version,
        before: await readModel.version(),
        shown: (made) => JSON.stringify(made.bodies),
        async read() {
          const found = await readModel.listEvents(request.query);
          // Finding them took some milliseconds, and so does each further step.
          await nextTurn();
          return { ...found, bodies: await assembleEvents(queries, found.items, reader, 'plain', new Set()) };
        },
      });
      const turn = openTurns();
      const events: ShownEvent[] = [];
      for (const { pieces } of bodies) {
        // A text may have a megabyte.
        await turn();
        events.push(JSON.parse(joinedText(pieces)));
      }
      return { events, total, page: request.paging.page, pages: pageCount(total, request.paging) };
    },
    async upcomingSlugs(visit, limit) {
      const request = eventListRequest(await upcoming(visit), { siteZone, perPage }, readerOf(visit), new Map());
      if ('refused' in request) return [];
      const { items } = await readModel.findEvents({ ...request.query, page: { offset: 0, limit } });
      const turn = openTurns();
      const slugs: string[] = [];
      const portions = portionsOf(items);
      for (let portion = portions.next(); portion.length > 0; portion = portions.next()) {
        await turn();
        const found = await readModel.fetch(portion.map((id) => ({ kind: 'event', id })));
        for (const event of found) if (event?.kind === 'event' && event.status === 'publish') slugs.push(event.slug);
        portions.weighed(
          found.reduce((sum, event) => sum + (event?.kind === 'event' ? event.fragments.full.length : 0), 0),
        );
      }
      return slugs;
    },
    upcoming,
    nextEdge,
    event: (visit, slug) => bySlug('event', slug, visit),
    venue: (visit, slug) => bySlug('venue', slug, visit),
    organizer: (visit, slug) => bySlug('organizer', slug, visit),
    pathOf: (id) =>
      beyondViews.newest(
        () => pathOf(readModel, id),
        (log) => pathOf(log, id),
      ),
    terms: async () => [...(await readModel.terms()).values()],
    places,
    version: () => readModel.version(),
  };
}

/** '' where an uploaded picture has no text, and for pictures from elsewhere. */
async function textOfPicture(source: Pick<SingleSource, 'fetch'>, id: number | undefined): Promise<string> {
  if (id === undefined) return '';
  const [found] = await source.fetch([{ kind: 'picture', id }]);
  // As the projection of pictures stores it.
  return found ? (found.state as unknown as Picture).alt : '';
}

const PATHS = { event: eventPath, venue: venuePath, organizer: organizerPath } as const;
const KINDS = ['event', 'venue', 'organizer'] as const;

async function pathOf(source: Pick<SingleSource, 'fetch'>, id: number): Promise<string | null> {
  const found = await source.fetch(KINDS.map((kind) => ({ kind, id })));
  for (const post of found)
    if (post && 'status' in post && post.status === 'publish' && post.slug !== '') return PATHS[post.kind](post.slug);
  return null;
}
