// Date filters of event lists: parsing, the resulting instants, and how links show them.

import { type DateValue, resolveInstant } from '../../../kernel/time/date-input.ts';
import { type EpochSeconds, toInstant, toWallClock, type WallClock, type Zone } from '../../../kernel/time/zone.ts';
import type { Arguments } from '../../../queries/arguments.ts';
import type { TimeBounds } from '../../../read-model/queries.ts';

/** Each filter, the end of the day that it means unless dates are strict, and the bound that it sets. */
const FILTERS = [
  ['start_date', '00:00:00', 'startsFrom'],
  ['end_date', '23:59:59', 'endsUntil'],
  ['starts_before', '23:59:59', 'startsBefore'],
  ['starts_after', '23:59:59', 'startsAfter'],
  ['ends_before', '23:59:59', 'endsBefore'],
  ['ends_after', '23:59:59', 'endsAfter'],
] as const;

type FilterName = (typeof FILTERS)[number][0];

/** The filter that sets a bound. */
export const FILTER_OF_BOUND = Object.fromEntries(FILTERS.map(([name, , bound]) => [bound, name])) as {
  readonly [Bound in keyof TimeBounds]-?: FilterName; // Each bound is set by one filter.
};

/** Filters that replace the default window. */
const WINDOWLESS: readonly FilterName[] = ['starts_before', 'starts_after', 'ends_before', 'ends_after'];

const WINDOW_MONTHS = 24;
const DAY = 86_400;

/** Dates as sent; validation has made sure that they can be parsed. */
type DateFilters = { readonly [Name in FilterName]?: DateValue } & { readonly include?: unknown };

interface DateContext {
  readonly now: EpochSeconds;
  readonly siteZone: Zone;
  readonly strict: 'strict' | 'whole days';
}

const dayOf = (at: WallClock): string => at.slice(0, 10);

/**
 * The window of a request. Values without an offset are wall clock of the site; unless dates are strict their time of
 * day is replaced. Without any date filter the default window applies: from yesterday on, for two years. `include`
 * disables both `start_date` and `end_date`.
 */
export function dateWindow(filters: DateFilters, context: DateContext) {
  const { siteZone } = context;
  const values = new Map<FilterName, WallClock>();
  for (const [name, time] of FILTERS) {
    const value = filters[name];
    if (value === undefined) continue;
    const at = read(value, context);
    if (at) values.set(name, context.strict === 'strict' ? at : `${dayOf(at)} ${time}`);
  }
  if (filters.include !== undefined) {
    values.delete('start_date');
    values.delete('end_date');
  } else if (!WINDOWLESS.some((name) => filters[name] !== undefined)) {
    if (!values.has('start_date')) values.set('start_date', defaultStart(context));
    if (!values.has('end_date')) values.set('end_date', defaultEnd(context));
  }
  const bounds = Object.fromEntries(
    FILTERS.flatMap(([name, , bound]) => {
      const at = values.get(name);
      return at === undefined ? [] : [[bound, toInstant(at, siteZone)]];
    }),
  );
  const argumentsOf = (names: readonly FilterName[]): Arguments =>
    names.flatMap((name) => {
      const at = values.get(name);
      return at === undefined ? [] : [[name, at] as const];
    });
  return {
    bounds,
    /** `start_date` and `end_date`, if they have an effect. */
    windowArguments: argumentsOf(['start_date', 'end_date']),
    /** The other four, as far as given. */
    boundArguments: argumentsOf(WINDOWLESS),
  };
}

/** A value as wall clock of the site; null if it cannot be parsed. */
function read(value: DateValue, { now, siteZone }: DateContext): WallClock | null {
  const at = resolveInstant(value, { now, zone: siteZone });
  return at === null ? null : toWallClock(at, siteZone);
}

function defaultStart({ now, siteZone, strict }: DateContext): WallClock {
  const noonToday = toInstant(`${dayOf(toWallClock(now, siteZone))} 12:00:00`, siteZone);
  const yesterday = dayOf(toWallClock(noonToday - DAY, siteZone));
  return `${yesterday} ${strict === 'strict' ? '23:59:00' : '00:00:00'}`;
}

function defaultEnd({ now, siteZone, strict }: DateContext): WallClock {
  const ahead = monthsAhead(toWallClock(now, siteZone), WINDOW_MONTHS);
  return strict === 'strict' ? ahead : `${dayOf(ahead)} 23:59:59`;
}

/** The same day and time some whole years ahead; 29 February becomes 1 March in other years. */
function monthsAhead(at: WallClock, months: number): WallClock {
  const date = new Date(`${at.replace(' ', 'T')}Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 19).replace('T', ' ');
}
