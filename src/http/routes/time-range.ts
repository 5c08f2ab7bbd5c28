// The range of time that a request asks for by `from` and `to`, in the site's zone. A day without a time is all of it.
import type { FastifyRequest } from 'fastify';
import { phrase } from '../../locales/phrases.ts';
import { type DateInput, type DateSent, resolveDate, toInstantIn } from '../../time/date-input.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import { refusedParameter } from '../errors.ts';
import { isoOf } from './as-of-reads.ts';

/** Both inclusive; absent: unlimited. */
export interface TimeRange {
  readonly from?: EpochSeconds;
  readonly to?: EpochSeconds;
}

/** Throws 400 if it ends before it begins. */
export function timeRangeIn(
  { now, siteZone }: Pick<FastifyRequest, 'now' | 'siteZone'>,
  { from: sentFrom, to: sentTo }: { readonly from?: DateSent | undefined; readonly to?: DateSent | undefined },
): TimeRange {
  const read = (sent: DateSent | undefined): DateInput | null =>
    sent === undefined ? null : resolveDate(sent, { now, zone: siteZone });
  const [first, last] = [read(sentFrom), read(sentTo)];
  const from = first === null ? undefined : toInstantIn(first, siteZone);
  const to = last === null ? undefined : toInstantIn(endOf(last), siteZone);
  if (from !== undefined && to !== undefined && from > to)
    throw refusedParameter('from', phrase('instants_reversed', { from: isoOf(from), to: isoOf(to) }));
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

const endOf = (date: DateInput): DateInput =>
  date.kind === 'wall' && !date.timeGiven ? { ...date, wallClock: `${date.wallClock.slice(0, 10)} 23:59:59` } : date;
