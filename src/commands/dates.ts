// Publication dates as clients send them.
import { parseDateInput, toInstantIn } from '../time/date-input.ts';
import { type EpochSeconds, resolveZone, type Zone } from '../time/zone.ts';

/** A publication date: `local` is wall clock of the site, `utc` of UTC; offsets are honoured in both. */
export interface SentDates {
  readonly local: string | number | undefined;
  readonly utc: string | number | undefined;
}

/**
 * The instant that a client means; undefined when it sent none, or the member that cannot be read. The UTC form wins
 * where both are sent, being the one without doubt.
 */
export function publicationDate(
  { local, utc }: SentDates,
  { now, siteZone }: { readonly now: EpochSeconds; readonly siteZone: Zone },
): { readonly date: EpochSeconds | undefined } | { readonly unreadable: 'date' | 'date_utc' } {
  const read = (value: string | number, zone: Zone): EpochSeconds | null => {
    const input = parseDateInput(value, { now, zone });
    return input && toInstantIn(input, zone);
  };
  if (utc !== undefined) {
    const date = read(utc, resolveZone('UTC') ?? siteZone);
    return date === null ? { unreadable: 'date_utc' } : { date };
  }
  if (local === undefined) return { date: undefined };
  const date = read(local, siteZone);
  return date === null ? { unreadable: 'date' } : { date };
}
