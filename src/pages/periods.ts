// Filters for days, as the API's list takes them.
import { type DaysInput, endingFrom, instantFilter } from '../queries/upcoming.ts';
import type { Zone } from '../time/zone.ts';
import { addDays, type Day, startOf } from './dates.ts';

/**
 * What takes place on these days, the last one included. What ends as the first one begins is in it, too: an event
 * without a duration may begin there.
 */
export const onDays = (first: Day, last: Day, zone: Zone): DaysInput => ({
  ...endingFrom(startOf(first, zone)),
  starts_before: instantFilter(startOf(addDays(last, 1), zone)),
});
