// Members of foreign records: unknown until checked.

import { EVENT_FIELDS, type Extensions } from '../../calendar/event/domain/calendar-event.ts';
import type { PartialFields, Row } from '../../calendar/resource/domain/fields.ts';
import { oneLine, withoutControls } from '../../kernel/text/plain-text.ts';
import { parseCivil } from '../../kernel/time/civil-time.ts';

export type ForeignRecord = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is ForeignRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text without control characters; undefined if there is none. */
export function textIn(record: ForeignRecord, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' ? withoutControls(value) : undefined;
}

/** A non-blank text, trimmed. */
export const filledTextIn = (record: ForeignRecord, name: string): string | undefined =>
  textIn(record, name)?.trim() || undefined;

/** A positive integer, also given as a text. */
export function idIn(record: ForeignRecord, name: string): number | undefined {
  const value = typeof record[name] === 'string' ? Number(record[name]) : record[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** The plain fields of a record, as members of an input. */
export function fieldsIn<R extends Row>(record: ForeignRecord, rows: readonly R[]): PartialFields<R> {
  const fields = rows.flatMap(({ wire, member, kind }) => {
    const value = kind === 'flag' ? flagIn(record, wire) : textIn(record, wire);
    return value === undefined ? [] : [[member, value] as const];
  });
  // A flag for a flag, a text for a text.
  return Object.fromEntries(fields) as PartialFields<R>;
}

/** Empty texts for the fields of these rows. */
export const emptyTexts = (rows: readonly Row[]): object =>
  Object.fromEntries(rows.flatMap(({ member, kind }) => (kind === 'flag' ? [] : [[member, '']])));

export const flagIn = (record: ForeignRecord, name: string): boolean | undefined => {
  const value = record[name];
  return typeof value === 'boolean' ? value : undefined;
};

/** The objects of a list, or a single object in its place; undefined if the member is absent. */
export function objectsIn(record: ForeignRecord, name: string): readonly ForeignRecord[] | undefined {
  const value = record[name];
  if (value === undefined) return undefined;
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

/** As many characters of a name as calendars are read with, in one line. */
const compared = (name: string): string => oneLine(withoutControls(name)).trim().slice(0, 200);

/**
 * The record of this name in a list; empty if there is none. `others`: all names that were read. Of records that none of them has, one that
 * withholds counts for a name that no record has: it was read in another way than it was written.
 */
export function recordNamed(
  record: ForeignRecord,
  kind: 'venue' | 'organizer',
  name: string,
  others: readonly string[] = [],
): ForeignRecord {
  const records = objectsIn(record, kind) ?? [];
  const nameOf = (one: ForeignRecord): string => compared(textIn(one, kind) ?? '');
  const names = new Set(others.map(compared));
  return (
    records.find((one) => nameOf(one) === compared(name)) ??
    records.find((one) => names.size > 0 && 'status' in one && !names.has(nameOf(one))) ??
    {}
  );
}

// Members of a record without a field of ours.

/** Members of an API event that are read, or derived from others. */
const OWN: ReadonlySet<string> = new Set([
  ...Object.values(EVENT_FIELDS).map(({ wire }) => wire),
  ...['id', 'global_id', 'global_id_lineage', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc'],
  ...['url', 'rest_url', 'slug', 'all_day', 'timezone', 'timezone_abbr'],
  ...['start_date', 'start_date_details', 'end_date', 'end_date_details', 'utc_start_date', 'utc_start_date_details'],
  ...['utc_end_date', 'utc_end_date_details', 'cost_details'],
  ...['event_status', 'notices', 'notice', 'previous_start_date'],
  ...['is_virtual', 'virtual_url', 'virtual_video_source'],
  ...['custom_fields', 'json_ld', '_links', 'password', 'type', 'series', 'recurrence'],
]);

const NAME = /^[a-z][a-z0-9_]{0,63}$/i;

/** All other members unchanged, as JSON. accept.ts decides which may be kept. */
export const extensionsOf = (record: ForeignRecord): Extensions =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !OWN.has(name) && NAME.test(name))) as Extensions;

// Dates in records are complete, or they are rejected.

/** Whether a text is an existing date and time (`YYYY-MM-DD HH:MM:SS`). */
export function isWallClock(text: string): boolean {
  try {
    return Number.isInteger(parseCivil(text));
  } catch {
    return false;
  }
}

/** Whether a text is an existing day (`YYYY-MM-DD`). */
export const isDay = (text: string): boolean => isWallClock(`${text} 00:00:00`);

// The site that a record comes from, according to the record.

/** The host in lower case; undefined if the record does not say. */
export function siteOf(record: ForeignRecord): string | undefined {
  const [site = ''] = (filledTextIn(record, 'global_id') ?? '').split(/[/?]/);
  if (site !== '') return site.toLowerCase();
  const links = isObject(record.urls) ? record.urls : {};
  return hostOf(filledTextIn(record, 'rest_url') ?? filledTextIn(links, 'self') ?? filledTextIn(record, 'url'));
}

/** The host of an absolute address. */
export const hostOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).host || undefined : undefined;

/** These statuses mean: not allowed, not found, gone. */
const ABSENT: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** A source, or a page of it, that cannot be read. The message is a line for people, without the name of the source. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  /** The failing page, if it is not the source as a whole. */
  readonly file: string | null;
  /** There is nothing at the address, for us at least. */
  readonly isAbsent: boolean;

  constructor(message: string, file: string | null = null, status = 0) {
    super(message);
    this.file = file;
    this.isAbsent = ABSENT.has(status);
  }
}
