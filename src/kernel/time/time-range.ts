// A range of time as people write it: two dates, of which a day without a time is all of that day.
import { type DateInput, type DateValue, resolveDate, toInstantIn } from './date-input.ts';
import type { EpochSeconds, Zone } from './zone.ts';

/** Both inclusive; absent: unlimited. */
export interface TimeRange {
  readonly from?: EpochSeconds;
  readonly to?: EpochSeconds;
}

interface RangeInput {
  readonly from?: DateValue | undefined;
  readonly to?: DateValue | undefined;
}

/** Returns the name of a date that cannot be read. Whether the range ends before it begins is for the caller to say. */
export function resolveRange(
  range: RangeInput,
  context: { readonly now: EpochSeconds; readonly zone: Zone },
): TimeRange | 'from' | 'to' {
  const [first, last] = [range.from, range.to].map((date) =>
    date === undefined ? undefined : resolveDate(date, context),
  );
  if (first === null) return 'from';
  if (last === null) return 'to';
  return {
    ...(first && { from: toInstantIn(first, context.zone) }),
    ...(last && { to: toInstantIn(endOf(last), context.zone) }),
  };
}

const endOf = (date: DateInput): DateInput =>
  date.kind === 'wall' && !date.timeGiven ? { ...date, wallClock: `${date.wallClock.slice(0, 10)} 23:59:59` } : date;
