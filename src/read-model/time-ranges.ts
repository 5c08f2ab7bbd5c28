// Time bounds of a query as two closed ranges of whole seconds.
import type { TimeBounds } from './queries.ts';

export interface TimeRanges {
  readonly startFrom: number;
  readonly startTo: number;
  readonly endFrom: number;
  readonly endTo: number;
}

const least = (...values: (number | undefined)[]): number =>
  Math.min(Infinity, ...values.filter((value) => value !== undefined));
const greatest = (...values: (number | undefined)[]): number =>
  Math.max(-Infinity, ...values.filter((value) => value !== undefined));
const upwards = (value: number | undefined): number | undefined => (value === undefined ? undefined : Math.ceil(value));
const downwards = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.floor(value);
const above = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.floor(value) + 1;
const below = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.ceil(value) - 1;

/** What the bounds allow. No event ends before it starts, so each range narrows the other one. */
export function timeRanges(bounds: TimeBounds): TimeRanges {
  const startFrom = greatest(upwards(bounds.startsFrom), above(bounds.startsAfter));
  const endTo = least(downwards(bounds.endsUntil), below(bounds.endsBefore));
  return {
    startFrom,
    startTo: Math.min(least(below(bounds.startsBefore)), endTo),
    endFrom: Math.max(greatest(above(bounds.endsAfter)), startFrom),
    endTo,
  };
}
