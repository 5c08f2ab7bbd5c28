// What is to come, as pages and the calendars that they offer mean it: everything that has not ended.
import type { EventListInput } from '../../../calendar/event/http/event-schema.ts';
import { readDate, type WrittenDate } from '../../../kernel/time/date-input.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';

export type DaysInput = Pick<EventListInput, 'ends_after' | 'starts_before' | 'strict_dates'>;

export const instantFilter = (at: EpochSeconds): WrittenDate => readDate(`@${at}`) as WrittenDate; // Unix seconds can be read.

/** What has not ended before this instant. */
export const endingFrom = (edge: EpochSeconds): DaysInput => ({
  ends_after: instantFilter(edge - 1),
  strict_dates: '1',
});

/** What has not ended at `now`. The filter is the same until an event starts or ends. Rejections: those of the read model. */
export const upcoming = async ({ nextEdge }: Pick<ReadModel, 'nextEdge'>, now: EpochSeconds): Promise<DaysInput> =>
  endingFrom((await nextEdge(now)) ?? now + 1);

/** Any of these says which days are meant. */
const DATED = [
  ...(['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after', 'include'] as const),
];

/** A filter without days, as of what is to come. */
export const orUpcoming = async (
  source: Pick<ReadModel, 'nextEdge'>,
  input: EventListInput,
  now: EpochSeconds,
): Promise<EventListInput> =>
  DATED.some((name) => input[name] !== undefined) ? input : { ...input, ...(await upcoming(source, now)) };
