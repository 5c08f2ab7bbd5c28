// What pages show, from the queries of the API: the public's view of the calendar.

import type { EventListInput } from '../calendar/event/http/event-schema.ts';
import type { PictureFocus } from '../calendar/picture/domain/picture.ts';
import type { Unreadable } from '../calendar/resource/queries/get-one.ts';
import type { DaysInput } from '../editorial/schedule/queries/upcoming.ts';
import type { EpochSeconds } from '../kernel/time/zone.ts';
import type { Wording } from '../locales/phrases.ts';
import type { QueryRefusal } from '../queries/arguments.ts';
import {
  type FacetCounts,
  type FacetWays,
  openPublished,
  type PublishedSources,
  type TermView,
} from '../queries/published.ts';
import type { LinkTargets, Reader } from '../queries/reader.ts';
import type { EventAnswer, OrganizerAnswer, TermAnswer, VenueAnswer } from './answers.ts';
import { todayIn } from './dates.ts';
import { eventPath, organizerPath, termPath, venuePath } from './links.ts';
import type { PictureDetails } from './picture-details.ts';
import { type Places, placesOf } from './places.ts';

/** When a page is visited, and the base of its links. */
export interface Visit {
  readonly now: EpochSeconds;
  readonly links: LinkTargets;
}

export interface EventPage {
  readonly events: readonly EventAnswer[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

export type Published<Body> =
  | {
      readonly post: Body;
      readonly id: number;
      readonly revision: number;
      /** Null: it has no uploaded one. */
      readonly picture: PictureDetails | null;
      /** How the series repeats that an event is a date of. */
      readonly repeats: Wording | null;
    }
  | { readonly missing: Unreadable }
  /** The path of its page today. */
  | { readonly movedTo: string };

export type PageCalendar = ReturnType<typeof openPageCalendar>;

export function openPageCalendar(sources: PublishedSources) {
  const published = openPublished(sources);
  const { queries } = sources;
  const { siteZone, site } = queries;
  const readerOf = ({ now, links }: Visit): Reader => ({
    caller: null,
    now,
    links,
    siteZone,
    password: undefined,
    prices: site.prices,
  });

  async function bySlug<Body>(
    kind: 'event' | 'venue' | 'organizer',
    slug: string,
    visit: Visit,
  ): Promise<Published<Body>> {
    const post = await published.post(kind, slug, readerOf(visit));
    if ('missing' in post) return post;
    if ('movedTo' in post) return { movedTo: PATHS[kind](post.movedTo) };
    const { body, ...others } = post;
    return { ...others, post: body as Body }; // What the API answers for this kind.
  }

  /** Places of one version and day: they are the same for all visitors. */
  let knownPlaces: { readonly of: string; readonly places: Promise<Places> } | null = null;

  async function places(visit: Visit): Promise<Places> {
    const of = `${await published.version()} ${todayIn(siteZone, visit.now)}`;
    if (knownPlaces?.of === of) return knownPlaces.places;
    const places = placesOf(queries, readerOf(visit));
    knownPlaces = { of, places };
    places.catch(() => {
      knownPlaces = null;
    });
    return places;
  }

  return {
    /** A page of the list that these filters select, or the parameter that selects nothing. */
    async events(visit: Visit, filters: EventListInput): Promise<EventPage | QueryRefusal> {
      const list = await published.list(filters, readerOf(visit));
      if ('refused' in list) return list;
      const terms = await published.terms();
      // What the API answers.
      const events = (list.events as readonly EventAnswer[]).map((event) => withFocus(event, list.pictures));
      return { ...list, events: events.map((event) => withPaths(event, terms)) };
    },
    /** Slugs of what has not ended yet, the soonest first. */
    upcomingSlugs: async (visit: Visit, limit: number): Promise<readonly string[]> =>
      published.slugs(await published.upcoming(visit.now), readerOf(visit), limit),
    /** How many events the list of these filters, without days, has with each of the ways on these days; null: that is not known. */
    facets: (visit: Visit, filters: EventListInput, ways: FacetWays): Promise<FacetCounts | null> =>
      published.facets(filters, ways, readerOf(visit)),
    /** Whether an event was ever published that is still there, at whatever time it takes place. */
    hasEvents: published.hasEvents,
    /** The filter for what has not ended yet. It is the same until an event starts or ends. */
    upcoming: ({ now }: Visit): Promise<DaysInput> => published.upcoming(now),
    /** When the next event starts or ends; undefined if none will. */
    nextEdge: ({ now }: Visit): Promise<EpochSeconds | undefined> => published.nextEdge(now),
    async event(visit: Visit, slug: string): Promise<Published<EventAnswer>> {
      const event = await bySlug<EventAnswer>('event', slug, visit);
      return !('post' in event) ? event : { ...event, post: withPaths(event.post, await published.terms()) };
    },
    /** An event with the paths of its categories and tags. */
    linked: async (event: EventAnswer): Promise<EventAnswer> => withPaths(event, await published.terms()),
    venue: (visit: Visit, slug: string): Promise<Published<VenueAnswer>> => bySlug('venue', slug, visit),
    organizer: (visit: Visit, slug: string): Promise<Published<OrganizerAnswer>> => bySlug('organizer', slug, visit),
    /** The path of the page of a published post, whatever its kind; null if there is none. */
    async pathOf(id: number): Promise<string | null> {
      const post = await published.nameOf(id);
      return post && PATHS[post.kind](post.slug);
    },
    /** Categories and tags by their ids; the same object until one of them or a count changes. */
    terms: published.terms,
    /** The term that had this slug last; null if there is none. */
    termMovedFrom: published.termMovedFrom,
    /** Where something is to come. */
    places,
    /** The version of everything that pages are made from. */
    version: published.version,
  };
}

/** An event whose picture, where it is cut, is cut around the point that was chosen. */
function withFocus(event: EventAnswer, pictures: ReadonlyMap<number, PictureFocus>): EventAnswer {
  const focus = event.image === false ? undefined : pictures.get(event.image.id);
  return focus === undefined || event.image === false ? event : { ...event, image: { ...event.image, focus } };
}

/** An event whose categories and tags lead to their pages. */
function withPaths(event: EventAnswer, terms: ReadonlyMap<number, TermView>): EventAnswer {
  const linked = (answer: TermAnswer): TermAnswer => {
    const term = terms.get(answer.id);
    return term ? { ...answer, path: termPath(term) } : answer;
  };
  return { ...event, categories: event.categories.map(linked), tags: event.tags.map(linked) };
}

const PATHS = { event: eventPath, venue: venuePath, organizer: organizerPath } as const;
