// VEVENTs as they are read, which of them belong together, and which of several versions counts.

import { createHash } from 'node:crypto';
import type { EpochSeconds, Zone } from '../../../../kernel/time/zone.ts';
import type { Fault, Place } from '../../import-plan.ts';
import { type IcalEvent, parseIcalEvent } from './ical.ts';
import { type ContentLine, lineOf, linesIn, unescaped } from './ical-lines.ts';
import { type Moment, momentOf } from './ical-moments.ts';
import type { SeriesLimits } from './ical-series.ts';
import type { CalendarZones } from './ical-zones.ts';

export interface CalendarReading {
  readonly file: string;
  /** The host that it was fetched from; null for files. */
  readonly site: string | null;
  /** Whose records these are, if others may use the same UIDs. */
  readonly owner?: string;
  readonly siteZone: Zone;
  /** The horizon of series. */
  readonly until: EpochSeconds;
  /** Most occurrences of one series. */
  readonly most?: number;
  /** Whether events that repeat stay series; `expanded`: their dates become single events. */
  readonly rules: RulesOfSeries;
}

export type RulesOfSeries = 'kept' | 'expanded';

/** What holds for the events of one calendar; a file may have several. */
export interface Scope extends CalendarReading {
  readonly source: string;
  readonly zones: CalendarZones;
  readonly limits: SeriesLimits;
  readonly isCancelled: boolean;
  /** Written by `events.ics` of a Daybook. */
  readonly isOurs: boolean;
  readonly access: string;
}

/** One readable VEVENT. */
export interface CalendarRecord {
  readonly event: IcalEvent;
  readonly start: Moment;
  readonly title: string;
  readonly uid: string;
  readonly place: Place;
  readonly scope: Scope;
}

/** The UID of a VEVENT. Without one, an equal title and start mean the same event. */
export const uidOf = (block: string): string => plainUidIn(block) ?? uidIn(block);

/** The UID that the versions of a VEVENT share; null if only its lines can tell: none, several, or an escaped one. */
function plainUidIn(block: string): string | null {
  const [own = ''] = block.split(/\n\d+ BEGIN:/i, 1); // What is nested, such as an alarm, may have a UID as well.
  const [first, ...others] = own.match(/^\d+ UID[^\n]*/gim) ?? [];
  const [, uid = ''] = /^\d+ UID:([^\\]*)$/i.exec(first ?? '') ?? [];
  return others.length > 0 || uid.trim() === '' ? null : uid.trim();
}

function uidIn(block: string): string {
  const lines = new Map<string, ContentLine>();
  for (const line of linesIn(block)) if (!lines.has(line.name)) lines.set(line.name, line);
  const text = (name: string): string => unescaped(lines.get(name)?.value ?? '').trim();
  return text('UID') || digestOf(lineOf(text('SUMMARY')), written(lines.get('RECURRENCE-ID') ?? lines.get('DTSTART')));
}

function written(line: ContentLine | undefined): string {
  try {
    return line ? momentOf(line.value, line.parameters).wallClock : '';
  } catch {
    return line?.value ?? '';
  }
}

const digestOf = (...parts: readonly string[]): string =>
  `no-uid-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`;

export const reasonOf = (error: unknown): string => lineOf(error instanceof Error ? error.message : String(error));

export function knownIn(
  block: string,
  { place, ...own }: Pick<CalendarRecord, 'uid' | 'scope' | 'place'>,
): CalendarRecord | Fault {
  // Its name is reported even if nothing else of it can be read.
  const name = lineOf(unescaped(/^\d+ SUMMARY[^:\n]*:(.*)$/im.exec(block)?.[1] ?? ''));
  const fault = (reason: string): Fault => ({ kind: 'event', name, place, reason });
  try {
    const event = parseIcalEvent(block, own.scope.zones);
    const { start } = event;
    const title = lineOf(event.texts['x-daybook-summary'] || event.texts.summary);
    if (title === '' && event.recurrenceId === null) return fault('no SUMMARY');
    return { ...own, event, start, title, place };
  } catch (error) {
    return fault(reasonOf(error));
  }
}

/** A text that sorts as versions do: by SEQUENCE, whose digits are counted first, then by the last change. */
export function versionOf({ event: { sequence, modified } }: CalendarRecord): string {
  const digits = String(sequence ?? 0);
  return `${String(digits.length).padStart(2, '0')} ${digits} ${modified}`;
}

/** Of several versions of an event the newest counts. */
export const newer = (earlier: CalendarRecord | undefined, later: CalendarRecord): CalendarRecord =>
  earlier && versionOf(earlier) > versionOf(later) ? earlier : later;

const startText = ({ start: { kind, tzid, wallClock } }: CalendarRecord): string =>
  `${wallClock} ${kind} ${tzid ?? ''}`;

/**
 * Those of one UID that count. Of versions of an event it is the newest. A version with another start has another SEQUENCE
 * (RFC 5546, 2.1.4): records of one SEQUENCE with several starts are events of their own, by start.
 */
export function eventsAmong(versions: readonly CalendarRecord[]): readonly CalendarRecord[] {
  const sequenceOf = ({ event: { sequence } }: CalendarRecord): bigint => sequence ?? 0n;
  const highest = versions.reduce((most, version) => (sequenceOf(version) > most ? sequenceOf(version) : most), 0n);
  const byStart = new Map<string, CalendarRecord>();
  for (const version of versions)
    if (sequenceOf(version) === highest)
      byStart.set(startText(version), newer(byStart.get(startText(version)), version));
  return [...byStart].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, version]) => version);
}
