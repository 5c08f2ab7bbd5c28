// The range of time that a request asks for by `from` and `to`, in the site's zone.
import type { FastifyRequest } from 'fastify';
import type { DateValue } from '../../kernel/time/date-input.ts';
import { shortInstant } from '../../kernel/time/instant.ts';
import { resolveRange, type TimeRange } from '../../kernel/time/time-range.ts';
import { phrase } from '../../locales/phrases.ts';
import { invalidParameters, refusedParameter } from '../errors.ts';

/** Throws 400 if it ends before it begins. */
export function timeRangeIn(
  { now, siteZone }: Pick<FastifyRequest, 'now' | 'siteZone'>,
  bounds: { readonly from?: DateValue | undefined; readonly to?: DateValue | undefined },
): TimeRange {
  const range = resolveRange(bounds, { now, zone: siteZone });
  if (typeof range === 'string') throw invalidParameters(range);
  const { from, to } = range;
  if (from !== undefined && to !== undefined && from > to)
    throw refusedParameter('from', phrase('instants_reversed', { from: shortInstant(from), to: shortInstant(to) }));
  return range;
}
