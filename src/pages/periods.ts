// Filters for days, as the API's list takes them.
import type { EventListInput } from '../http/schemas/event.ts';
import { readDate, type WrittenDate } from '../time/date-input.ts';
import type { EpochSeconds, Zone } from '../time/zone.ts';
import { addDays, type Day, startOf } from './dates.ts';

export type DaysInput = Pick<EventListInput, 'ends_after' | 'starts_before' | 'strict_dates'>;

const instantFilter = (at: EpochSeconds): WrittenDate => readDate(`@${at}`) as WrittenDate; // Unix seconds can be read.

/** What has not ended before this instant. */
export const endingFrom = (edge: EpochSeconds): DaysInput => ({
  ends_after: instantFilter(edge - 1),
  strict_dates: '1',
});

/**
 * What takes place on these days, the last one included. What ends as the first one begins is in it, too: an event
 * without a duration may begin there.
 */
export const onDays = (first: Day, last: Day, zone: Zone): DaysInput => ({
  ...endingFrom(startOf(first, zone)),
  starts_before: instantFilter(startOf(addDays(last, 1), zone)),
});
