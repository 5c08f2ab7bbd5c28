// The filters that addresses of pages have: those of the API's list that concern visitors, checked as the API checks them,
// and two of pages alone: a place by its name, and a period in words.
import { LABEL_PARAMETERS } from '../calendar/event/domain/event-labels.ts';
import { TRAIT_PARAMETERS } from '../calendar/event/domain/event-traits.ts';
import { type EventListInput, eventList } from '../calendar/event/http/event-schema.ts';
import type { DaysInput } from '../editorial/schedule/queries/upcoming.ts';
import { ApiError } from '../http/errors.ts';
import { compileInput } from '../http/parameters/compile.ts';
import type { Lookups } from '../http/parameters/lookups.ts';
import { emptyMap, type ParameterMap } from '../http/parameters/parameter-map.ts';
import type { EpochSeconds, Zone } from '../kernel/time/zone.ts';
import { addDays, type Day, daysOfMonth, isDay, isMonth, todayIn, weekdayOf, weekOf } from './dates.ts';
import type { Query } from './links.ts';
import { onDays } from './periods.ts';
import type { Places } from './places.ts';
import { wordsIn } from './words.ts';

/** Filters that the API's list has as well. */
const FILTERS = [
  'search',
  'categories',
  'tags',
  'venue',
  'organizer',
  'featured',
  ...TRAIT_PARAMETERS,
  ...LABEL_PARAMETERS,
  'series',
  'collapse',
  'geoloc_lat',
  'geoloc_lng',
  'geoloc_radius',
] as const;
const PARAMETERS = [...FILTERS, 'page', 'per_page'] as const;
/** Kept by the links between pages, and attributes of the element that embeds a list. */
export const ADDRESSED = [...FILTERS, 'near', 'when', 'per_page'] as const;
/** All that a page may depend on. `p` names a post. */
const READ = [...PARAMETERS, 'near', 'when', 'p', '_locale'] as const;

export interface Filters {
  /** As the address of the page has them, without the page. */
  readonly query: Query;
  /** As the API's feeds take them. */
  readonly api: Query;
  /** As the API's list takes them, with the page. */
  readonly input: EventListInput;
}

/** What pages read of a query. Forms send empty fields, which count as not sent. */
export const readQuery = (query: ParameterMap): ParameterMap =>
  Object.assign(
    emptyMap(),
    Object.fromEntries(
      READ.map((name) => [name, query[name]]).filter(([, value]) => value !== '' && value !== undefined),
    ),
  );

const PERIODS = ['today', 'weekend', 'next_week'] as const;
type Period = 'upcoming' | (typeof PERIODS)[number];

export const periodIn = ({ when }: ParameterMap): Period => PERIODS.find((period) => period === when) ?? 'upcoming';

/** The first and the last day of a `when` that is a day or a month (`2026-12-24`, `2026-12`); null if it is neither. */
export function datesIn({ when }: ParameterMap): readonly [first: Day, last: Day] | null {
  if (typeof when !== 'string') return null;
  if (isDay(when)) return [when, when];
  return isMonth(when) ? daysOfMonth(when) : null;
}

const SATURDAY = 6;

/** The days of a period of words. */
export function daysOf(period: (typeof PERIODS)[number], zone: Zone, now: EpochSeconds): DaysInput {
  const today = todayIn(zone, now);
  if (period === 'today') return onDays(today, today, zone);
  const monday = weekOf(today);
  if (period === 'next_week') return onDays(addDays(monday, 7), addDays(monday, 13), zone);
  const saturday = addDays(monday, SATURDAY - 1);
  return onDays(weekdayOf(today) > SATURDAY ? today : saturday, addDays(monday, 6), zone);
}

/** Filters as they were sent, unchecked: what forms show again. */
export const filtersSent = (parameters: ParameterMap): Query =>
  ADDRESSED.flatMap((name) => (typeof parameters[name] === 'string' ? [[name, parameters[name]] as const] : []));

interface FilterDependencies {
  readonly perPage: number;
  readonly siteZone: Zone;
  readonly lookups: Lookups;
}

interface FilterQuestion {
  readonly parameters: ParameterMap;
  readonly now: EpochSeconds;
  readonly places: () => Promise<Places>;
}

/** Reads filters. Throws the errors of the API, and one for a place that is not known. */
export function openFilters({ perPage, siteZone, lookups }: FilterDependencies) {
  const check = compileInput(eventList({ perPage }), 'read');
  return async ({ parameters, now, places }: FilterQuestion): Promise<Filters> => {
    const point = typeof parameters.near === 'string' ? await pointIn(parameters.near, places) : {};
    const raw: ParameterMap = { ...Object.fromEntries(PARAMETERS.map((name) => [name, parameters[name]])), ...point };
    const question = { caller: null, now, siteZone, lookups, slug: undefined, values: Object.assign(emptyMap(), raw) };
    return {
      query: filtersSent(parameters),
      api: FILTERS.flatMap((name) => (typeof raw[name] === 'string' ? [[name, raw[name]] as const] : [])),
      input: (await check(question)) as EventListInput, // What this schema's check makes.
    };
  };
}

async function pointIn(near: string, places: () => Promise<Places>) {
  const point = (await places()).find(near);
  if (!point)
    throw new ApiError('rest_invalid_param', {
      text: (language) => wordsIn(language)('unknown_place', { place: near.slice(0, 200) }),
    });
  return { geoloc_lat: String(point.lat), geoloc_lng: String(point.lng) };
}
