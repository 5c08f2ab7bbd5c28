// Notes a calendar whose zone is not that of the site.
import { resolveZone, type Zone } from '../../../time/zone.ts';
import type { PlannedEvent } from '../../import-plan.ts';

/** A note if most events are in one zone that is not the site's: their days would not be the days of lists. */
export function zoneRemarks(plan: readonly PlannedEvent[], siteZone: Zone): string[] {
  const events = plan.filter(({ disposition = 'stay' }) => disposition === 'stay');
  const counts = new Map<string, number>();
  for (const { input } of events) {
    const name = zoneOf(input.times?.timezone, siteZone);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  if (!most) return [];
  const [name, count] = most;
  if (name === siteZone.name || count * 2 <= events.length) return [];
  return [
    `${count} of ${events.length} events are in the zone ${name}, this site is in ${siteZone.name}: lists and feeds go by the ` +
      `days of the site. If the calendar is to be in that zone, set DAYBOOK_TIMEZONE=${name} before it is filled.`,
  ];
}

const zoneOf = (timezone: string | undefined, siteZone: Zone): string =>
  timezone ? (resolveZone(timezone)?.name ?? timezone) : siteZone.name;
