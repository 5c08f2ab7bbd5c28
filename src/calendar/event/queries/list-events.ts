// The list of calendar events: from the query string to a read-model query, and back to an answer.

import { present } from '../../../domain/present.ts';
import { withStaying } from '../../../editorial/merges/queries/merged.ts';
import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import { argumentText, type IdFilter, strictTruthy } from '../../../kernel/text/wire-words.ts';
import { accessibleTo, readableBy } from '../../../people/auth/policy.ts';
import {
  type Arguments,
  type ListPlan,
  type Paging,
  pageCount,
  pagingOf,
  postList,
  type QueryRefusal,
  statusFilter,
  windowOf,
} from '../../../queries/arguments.ts';
import { assembleEvents } from '../../../queries/assemble.ts';
import { type ListedBody, listedBody } from '../../../queries/bodies.ts';
import { madeFromBodies } from '../../../queries/made-from.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import { textSearch } from '../../../queries/text-search.ts';
import { unlockedBy } from '../../../queries/unlock.ts';
import type { EventQuery, Nearby, TermView, Visibility } from '../../../read-model/queries.ts';
import { EVENT_FILTERS } from '../domain/calendar-event.ts';
import { LABEL_PARAMETERS } from '../domain/event-labels.ts';
import { EVENT_TRAITS, TRAIT_PARAMETERS } from '../domain/event-traits.ts';
import type { EventListInput } from '../http/event-schema.ts';
import { dateWindow } from './date-window.ts';

export interface EventListRequest {
  readonly query: EventQuery;
  readonly paging: Paging;
  readonly args: Arguments;
}

const DEFAULT_RADIUS_KM = 25;

/** A parsed request, with terms by id. */
export function eventListRequest(
  input: EventListInput,
  { siteZone, perPage }: Pick<QueryDependencies, 'siteZone' | 'perPage'>,
  reader: Reader,
  terms: ReadonlyMap<number, TermView>,
): EventListRequest | QueryRefusal {
  const paging = pagingOf(input, perPage);
  const { series, post_parent: parent } = input;
  if (series !== undefined && parent !== undefined && series !== parent) return { refused: 'series' };
  const status = statusFilter(input.status, 'event', reader);
  if (status === 'refused') return { refused: 'status' };
  const nearby = nearbyOf(input);
  if (nearby === 'incomplete') return { refused: input.geoloc_lat === undefined ? 'geoloc_lat' : 'geoloc_lng' };
  const strict = strictTruthy(input.strict_dates) ? 'strict' : 'whole days';
  const dates = dateWindow(input, { now: reader.now, siteZone, strict });
  const query: EventQuery = {
    visibility: input.author === undefined ? status.visibility : writtenBy(input.author, status.visibility),
    unmasked: accessibleTo(reader.caller).unmasked,
    linked: { venue: readableBy(reader.caller, 'venue'), organizer: readableBy(reader.caller, 'organizer') },
    page: windowOf(paging),
    bounds: dates.bounds,
    ...plainFilters(input),
    ...(input.search === undefined ? {} : { search: textSearch(input.search) }),
    ...(input.categories === undefined ? {} : { categories: withDescendants(input.categories, terms) }),
    ...(input.tags === undefined ? {} : { tags: withDescendants(input.tags, terms) }),
    ...(nearby ? { nearby } : {}),
    order: nearby ? 'distance' : input.include === undefined ? 'start' : 'date',
  };
  const args: Arguments = [
    ['page', String(paging.page)],
    ['per_page', String(paging.perPage)],
    ...dates.windowArguments,
    ...pairsOf(input, ['search', 'geoloc', 'geoloc_lat', 'geoloc_lng']),
    ...status.args,
    ...pairsOf(input, ['post_parent']),
    ...shownFilters(input, ['include']),
    ...dates.boundArguments,
    ...shownFilters(input, ['venue', 'organizer']),
    ...pairsOf(input, FILTERS),
    ...(strict === 'strict' ? [['strict_dates', '1'] as const] : []),
    ...shownFilters(input, ['categories', 'tags']),
    ...pairsOf(input, ADDED_FILTERS),
    ...(input.event_status ? [['event_status', input.event_status.join()] as const] : []),
    ...pairsOf(input, [
      'series',
      'author',
      'collapse',
      ...TRAIT_PARAMETERS,
      ...LABEL_PARAMETERS,
      'geoloc_radius',
      'as_of',
      'with',
    ]),
  ];
  return { query, paging, args };
}

/** What one author has written of what may be seen. */
function writtenBy(author: number, { statuses, own }: Visibility): Visibility {
  const further = own?.author === author ? own.statuses : [];
  return { statuses: [], own: { author, statuses: [...statuses, ...further] } };
}

/** Answers with a page of events. */
export async function planEventList(
  dependencies: QueryDependencies,
  input: EventListInput,
  reader: Reader,
): Promise<ListPlan | QueryRefusal> {
  const { readModel } = dependencies;
  const request = eventListRequest(await withStaying(readModel, input), dependencies, reader, await readModel.terms());
  if ('refused' in request) return request;
  const { query, paging, args } = request;
  return {
    key: JSON.stringify(['events', query, args]),
    async read() {
      const { bodies, total } = await listBodies(dependencies, query, reader);
      const answer = postList('events', bodies, total, paging, args, reader.links, pageCount(total, paging));
      return { ...answer, madeFrom: madeFromBodies(readModel, query, bodies, total) };
    },
  };
}

/** The bodies of a page: of events that were listed lately as they were then, of others made of their documents. */
async function listBodies(dependencies: QueryDependencies, query: EventQuery, reader: Reader) {
  const { readModel } = dependencies;
  const texts = dependencies.texts?.forList(reader, readModel) ?? null;
  const { items, total } = await readModel.listEvents(query, texts?.recall);
  const events = items.filter((item) => 'fragments' in item);
  const unlocked = await unlockedBy(dependencies, events, reader);
  const assembled = await assembleEvents(dependencies, events, reader, 'plain', unlocked);
  texts?.keep(events, assembled);
  const answers = assembled.values();
  const bodies = items.flatMap((item): ListedBody[] => {
    if (!('fragments' in item)) return [item];
    const { value } = answers.next();
    return value ? [listedBody(item.id, value)] : [];
  });
  return { bodies, total };
}

/** Flags, as links show them: those that clients of the contract expect, and later ones. */
const FILTERS = EVENT_FILTERS.filter(({ addition }) => !addition).map(({ wire }) => wire);
const ADDED_FILTERS = EVENT_FILTERS.filter(({ addition }) => addition).map(({ wire }) => wire);

/** Filters that a query has as they were sent, by the names of their parameters. */
const DIRECT = [
  ...EVENT_FILTERS.map(({ wire, member }) => [wire, member] as const),
  ['geoloc', 'geolocated'],
  ['collapse', 'collapse'],
  ['event_status', 'eventStatuses'],
  ...EVENT_TRAITS.map(({ wire, member }) => [wire, member] as const),
  ...LABEL_PARAMETERS.map((wire) => [wire, wire] as const),
] as const;

function plainFilters(input: EventListInput): Partial<EventQuery> {
  // The parent of a date is its series.
  const parent = input.series ?? input.post_parent;
  return present({
    venues: input.venue?.ids,
    organizers: input.organizer?.ids,
    include: input.include?.ids,
    parent,
    ...Object.fromEntries(DIRECT.map(([wire, member]) => [member, input[wire]])),
  });
}

function nearbyOf({
  geoloc_lat: lat,
  geoloc_lng: lng,
  geoloc_radius: radius = DEFAULT_RADIUS_KM,
}: EventListInput): Nearby | null | 'incomplete' {
  if (lat === undefined && lng === undefined) return null;
  if (lat === undefined || lng === undefined) return 'incomplete';
  return { lat, lng, radiusKm: radius };
}

/** Terms by their parent. Read models return the same set until a term changes. */
const byParent = askedOnce(
  (terms: ReadonlyMap<number, TermView>) => Map.groupBy(terms.values(), ({ parent }) => parent),
  new WeakMap(),
);

/** The terms of a filter with everything below them. */
function withDescendants({ ids }: Pick<IdFilter, 'ids'>, terms: ReadonlyMap<number, TermView>): number[] {
  const below = byParent(terms);
  const all = new Set(ids);
  // Those that are added meanwhile follow.
  for (const id of all) for (const term of below.get(id) ?? []) all.add(term.id);
  return [...all];
}

/** A term and all below it, computed once for each set of terms. */
export const familyOf = askedOnce(
  (terms: ReadonlyMap<number, TermView>) => askedOnce((id: number) => withDescendants({ ids: [id] }, terms)),
  new WeakMap(),
);

/** Arguments as they were sent. */
export const pairsOf = <Input extends object>(input: Input, names: readonly (keyof Input & string)[]): Arguments =>
  names.flatMap((name) => (input[name] === undefined ? [] : [[name, argumentText(input[name])] as const]));

const shownFilters = (
  input: EventListInput,
  names: readonly ('categories' | 'tags' | 'venue' | 'organizer' | 'include')[],
): Arguments => names.flatMap((name) => (input[name] ? [[name, input[name].text] as const] : []));
