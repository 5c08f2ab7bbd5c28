// Filters for days, as the API's list and its feeds take them.
import { type DaysInput, endingFrom, instantFilter } from '../editorial/schedule/queries/upcoming.ts';
import type { Zone } from '../kernel/time/zone.ts';
import { addDays, type Day, startOf } from './dates.ts';
import { address, type Query } from './links.ts';

/**
 * What takes place on these days, the last one included. What ends as the first one begins is in it, too: an event
 * without a duration may begin there.
 */
export const onDays = (first: Day, last: Day, zone: Zone): DaysInput => ({
  ...endingFrom(startOf(first, zone)),
  starts_before: instantFilter(startOf(addDays(last, 1), zone)),
});

/** Addresses of the feeds that a page offers: they have the same events as the page. */
export interface Feeds {
  readonly calendar: string;
  /** What was published lately, which may take place at any time. */
  readonly news?: string;
}

/**
 * The feeds of a list: `root` is that of the API, `filters` are as it takes them. Without days a calendar has what is to
 * come, each time it is asked for; news are of all days, so that a list of certain days has none.
 */
export function feedsOf(root: string, filters: Query, { ends_after: after, starts_before: before }: DaysInput): Feeds {
  const calendar = `${root}/events.ics`;
  if (before === undefined)
    return { calendar: address(calendar, filters), news: address(`${root}/events.atom`, filters) };
  const days = Object.entries({ ends_after: after, starts_before: before }).map(
    ([name, date]) => [name, textOf(date)] as const,
  );
  return { calendar: address(calendar, [...filters, ...days, ['strict_dates', '1']]) };
}

const textOf = (date: DaysInput['ends_after']): string => (typeof date === 'object' ? date.text : '');
