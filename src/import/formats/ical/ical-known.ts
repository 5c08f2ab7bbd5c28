// VEVENTs as they are read, and which of several versions counts.
import { createHash } from 'node:crypto';
import type { Fault, Place } from '../../import-plan.ts';
import { type IcalEvent, type Moment, parseIcalEvent } from './ical.ts';
import { lineOf } from './ical-fields.ts';

/** One readable VEVENT. */
export interface Known {
  readonly event: IcalEvent;
  readonly start: Moment;
  readonly title: string;
  readonly uid: string;
  readonly place: Place;
}

/** The UID that the versions of a VEVENT share; null if only parsing can tell: none, several, or an escaped one. */
export function plainUidIn(block: string): string | null {
  const [own = ''] = block.split(/[\r\n]BEGIN:/i, 1); // What is nested, such as an alarm, may have a UID as well.
  const [first, ...others] = own.match(/^UID[^\r\n]*/gim) ?? [];
  const [, uid = ''] = /^UID:([^\\]*)$/i.exec(first ?? '') ?? [];
  return others.length > 0 || uid.trim() === '' ? null : uid.trim();
}

export const reasonOf = (error: unknown): string => lineOf(error instanceof Error ? error.message : String(error));

export function knownIn(block: string, place: Place): Known | Fault {
  // Its name is reported even if nothing else of it can be read.
  const name = lineOf(/^SUMMARY[^:\r\n]*:(.*)$/im.exec(block)?.[1] ?? '');
  const fault = (reason: string): Fault => ({ kind: 'event', name, place, reason });
  try {
    const event = parseIcalEvent(block);
    const { start, end, recurrenceId } = event;
    const title = lineOf(event.texts.summary);
    if (!start) return fault('no DTSTART');
    if (title === '') return fault('no SUMMARY');
    if (end && end.kind === start.kind && end.tzid === start.tzid && end.wallClock < start.wallClock)
      return fault(`it ends (${end.wallClock}) before it starts (${start.wallClock})`);
    const uid = event.uid || digestOf(title, (recurrenceId ?? start).wallClock);
    return { event, start, title, uid, place };
  } catch (error) {
    return fault(reasonOf(error));
  }
}

/** Fallback without a UID: equal title and start mean the same event. */
const digestOf = (...parts: readonly string[]): string =>
  `no-uid-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`;

/** A text that sorts as versions do: by SEQUENCE, whose digits are counted first, then by the last change. */
export function versionOf({ event: { sequence, texts } }: Known): string {
  const digits = String(sequence ?? 0);
  return `${String(digits.length).padStart(2, '0')} ${digits} ${texts['last-modified'] || texts.dtstamp}`;
}

/** Of several versions of an event the newest counts. */
export const newer = (known: Known | undefined, further: Known): Known =>
  known && versionOf(known) > versionOf(further) ? known : further;
