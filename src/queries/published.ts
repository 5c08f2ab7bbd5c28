// The public's view of the calendar as pages need it beside what routes answer: lists, posts by their slugs, and what
// both depend on. Pages ask this, and never a read model.

import { seriesOfState } from '../../projections/series.ts';
import type { ListedFlag } from '../calendar/event/domain/event-traits.ts';
import type { EventListInput } from '../calendar/event/http/event-schema.ts';
import { eventListRequest, familyOf } from '../calendar/event/queries/list-events.ts';
import type { Picture } from '../calendar/picture/domain/picture.ts';
import { postOfSlug, presentOf, termMovedFrom } from '../calendar/resource/queries/find-by-slug.ts';
import { readEvent, readLinkedPost, type Unreadable } from '../calendar/resource/queries/get-one.ts';
import { withStaying } from '../editorial/merges/queries/merged.ts';
import { type DaysInput, upcoming } from '../editorial/schedule/queries/upcoming.ts';
import { inPortions, nextTurn, openTurns } from '../kernel/event-loop/turns.ts';
import type { EpochSeconds } from '../kernel/time/zone.ts';
import type { Wording } from '../locales/phrases.ts';
import { recurrenceWords } from '../locales/recurrence/recurrence-words.ts';
import type { DocumentKind } from '../read-model/documents.ts';
import type { Facets, TermView } from '../read-model/queries.ts';
import { pageCount } from './arguments.ts';
import { assembleEvents } from './assemble.ts';
import type { BeyondViews, SingleSource } from './log-fallback.ts';
import { inOneState } from './one-state.ts';
import type { QueryDependencies, Reader } from './reader.ts';

export type { FacetCounts, TermView } from '../read-model/queries.ts';

type PostKind = Extract<DocumentKind, 'event' | 'venue' | 'organizer'>;

export interface PublishedList {
  /** Each as the API answers it. */
  readonly events: readonly unknown[];
  /** Those of them that were uploaded, by their ids. */
  readonly pictures: ReadonlyMap<number, Picture>;
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

export interface PublishedPost {
  /** As the API answers it. */
  readonly body: unknown;
  readonly id: number;
  readonly revision: number;
  /** Null: it has no uploaded one. */
  readonly picture: Picture | null;
  /** How the series repeats that an event is a date of. */
  readonly repeats: Wording | null;
}

/** Nothing to read there, or another slug that the address leads to. */
export type Elsewhere = { readonly missing: Unreadable } | { readonly movedTo: string };

export type Published = ReturnType<typeof openPublished>;

/** Ways to narrow a list. */
export interface FacetWays {
  /** Those of the list, and others in their place. */
  readonly days: DaysInput;
  readonly periods: readonly DaysInput[];
  readonly flags: readonly ListedFlag[];
  readonly labels: Facets['labels'];
  /** Ids. */
  readonly categories: readonly number[];
}

export interface PublishedSources {
  readonly queries: QueryDependencies;
  readonly beyondViews: Pick<BeyondViews, 'newest' | 'views'>;
}

export function openPublished({ queries, beyondViews }: PublishedSources) {
  const { readModel } = queries;

  async function readPost(
    source: SingleSource,
    kind: PostKind,
    slug: string,
    reader: Reader,
  ): Promise<PublishedPost | Elsewhere> {
    const dependencies = { ...queries, readModel: source };
    const named = await postOfSlug(source, kind, slug, reader.caller);
    if (!named) return { missing: 'unknown' };
    if ('moved' in named) return { movedTo: named.moved.slug };
    const present = await presentOf(source, named.post, reader.caller);
    if (present && present.id !== named.post.id) return { movedTo: present.slug };
    const result =
      named.post.kind === 'event'
        ? await readEvent(dependencies, named.post, reader, 'reading')
        : await readLinkedPost(dependencies, named.post, reader);
    if ('unreadable' in result) return { missing: result.unreadable };
    const { id, revision, picture } = result.document;
    const body: { readonly series?: { readonly id: number } } = JSON.parse(result.answer.text);
    const repeats = body.series ? await publicSeriesWords(source, body.series.id) : null;
    return {
      body,
      id,
      revision,
      repeats,
      picture: (await picturesOf(source, picture === undefined ? [] : [picture])).get(picture ?? 0) ?? null,
    };
  }

  return {
    /** The version of everything below. */
    version: readModel.version,
    /** When the next event starts or ends; undefined if none will. */
    nextEdge: async (now: EpochSeconds) => (await readModel.nextEdge(now)) ?? undefined,
    /** The filter for what has not ended: as `upcoming`. */
    upcoming: (now: EpochSeconds) => upcoming(readModel, now),
    /** Categories and tags, by their ids. */
    terms: () => readModel.terms(),
    /** The term that had this slug last; null if there is none. */
    termMovedFrom: async (kind: TermView['kind'], slug: string) =>
      termMovedFrom(readModel, await readModel.terms(), kind, slug),
    /** A page of the list that these filters select, or the parameter that selects nothing. */
    async list(filters: EventListInput, reader: Reader) {
      const staying = await withStaying(readModel, filters);
      const request = eventListRequest(staying, queries, reader, await readModel.terms());
      if ('refused' in request) return request;
      const { bodies, pictures, total } = await inOneState({
        version: readModel.version,
        startVersion: await readModel.version(),
        content: (answer) => JSON.stringify(answer.bodies),
        async read() {
          const page = await readModel.listEvents(request.query);
          const ids = page.items.flatMap(({ picture }) => picture ?? []);
          const pictures = await picturesOf(readModel, ids);
          return { ...page, pictures, bodies: await assembleEvents(queries, page.items, reader, 'plain', new Set()) };
        },
      });
      const turn = openTurns();
      const events: unknown[] = [];
      for (const { text } of bodies) {
        await turn();
        events.push(JSON.parse(text));
      }
      return { events, pictures, total, page: request.paging.page, pages: pageCount(total, request.paging) };
    },
    /** How many events the list of these filters, without days, has with each of the ways on these days; null: that is not known. */
    async facets(filters: EventListInput, { days, periods, flags, labels, categories }: FacetWays, reader: Reader) {
      const terms = await readModel.terms();
      const staying = await withStaying(readModel, filters);
      const queryOf = (period: DaysInput) => {
        const request = eventListRequest({ ...staying, ...period }, queries, reader, terms);
        return 'refused' in request ? null : request.query;
      };
      const query = queryOf(days);
      // The list that they are counted for may have taken as long as they do.
      await nextTurn();
      return (
        query &&
        readModel.countFacets(query, {
          flags,
          labels,
          categories: categories.map(familyOf(terms)),
          periods: periods.map((period) => queryOf(period)?.bounds ?? query.bounds),
        })
      );
    },
    /** Whether an event was ever published that is still there, at whatever time it takes place. */
    hasEvents: async () => (await readModel.newestEvents({ limit: 1 })).length > 0,
    /** Slugs of the first events that these filters select. */
    async slugs(filters: EventListInput, reader: Reader, limit: number) {
      const request = eventListRequest(filters, queries, reader, new Map());
      if ('refused' in request) return [];
      const { items } = await readModel.findEvents({ ...request.query, page: { offset: 0, limit } });
      const events = await inPortions(items, (some) => readModel.fetch(some.map((id) => ({ kind: 'event', id }))));
      return events.flatMap((event) => (event?.kind === 'event' && event.status === 'publish' ? [event.slug] : []));
    },
    /** From the read model, or the log while that is unavailable. */
    async post(kind: PostKind, slug: string, reader: Reader) {
      return beyondViews.newest(
        (source) => readPost(source, kind, slug, reader),
        async () =>
          inOneState({
            version: readModel.version,
            startVersion: await readModel.version(),
            read: () => readPost(beyondViews.views, kind, slug, reader),
            content: JSON.stringify,
          }),
      );
    },
    /** What a published post is called in addresses, whatever its kind; null if there is none. */
    nameOf: (id: number) => beyondViews.newest((source) => nameIn(source, id)),
  };
}

/** The rules of a published series in words; null for another one. */
async function publicSeriesWords(source: Pick<SingleSource, 'fetch'>, id: number): Promise<Wording | null> {
  const [document] = await source.fetch([{ kind: 'series', id }]);
  if (document?.kind !== 'series' || document.seriesStatus !== 'publish') return null;
  return recurrenceWords(seriesOfState(document.state));
}

/** Uploaded pictures by their ids. */
async function picturesOf(
  source: Pick<SingleSource, 'fetch'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Picture>> {
  const pictures = ids.length === 0 ? [] : await source.fetch(ids.map((id) => ({ kind: 'picture', id })));
  // As the projection of pictures stores them.
  return new Map(pictures.flatMap((one) => (one ? [[one.id, one.state as unknown as Picture] as const] : [])));
}

const KINDS = ['event', 'venue', 'organizer'] as const;

async function nameIn(source: Pick<SingleSource, 'fetch'>, id: number) {
  const posts = await source.fetch(KINDS.map((kind) => ({ kind, id })));
  for (const post of posts)
    if (post && 'status' in post && post.status === 'publish' && post.slug !== '')
      return { kind: post.kind, slug: post.slug };
  return null;
}
