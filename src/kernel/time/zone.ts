// Time zones as clients name them, and conversion between instants and wall clocks. COMPAT: WordPress writes offsets as
// `UTC+5.5` and `UTC+5:30`; both are zones here.
import { LRUCache } from 'lru-cache';
import { formatCivil, parseCivil, SECONDS_PER_HOUR, type WallClock } from './civil-time.ts';
import { alphabeticAbbreviation, fixedAbbreviationOffset } from './zone-abbreviations.ts';

export type { WallClock } from './civil-time.ts';

/** Whole seconds since 1970-01-01T00:00:00Z. */
export type EpochSeconds = number;

/** A valid time zone. Made only by `resolveZone`; two zones of equal name behave the same. */
export interface Zone {
  /** The text as given, in its case; clients get it back unchanged. */
  readonly name: string;
  /** An IANA name, which other programs know too; false for offsets, abbreviations and `UTC` with or without hours. */
  readonly isNamed: boolean;
  /** Seconds east of UTC at an instant. */
  readonly offsetAt: OffsetLookup;
  /**
   * The abbreviation in force at an instant: `EST`, `CEST`; `+04`, `-0330` where no letters are in use; `GMT+0200` for
   * a zone given as an offset; the text itself for `UTC` zones.
   */
  readonly abbreviationAt: (instant: EpochSeconds) => string;
}

type UnnamedZone = Omit<Zone, 'name'>;

const MAX_TEXT_LENGTH = 64;
const MAX_OFFSET_SECONDS = 14 * SECONDS_PER_HOUR;
/**
 * Zone texts come from clients; the limit keeps different spellings (`europe/Paris`, `EUROPE/paris`) from filling
 * memory.
 */
const MAX_CACHED_TEXTS = 4096;
/** No wall clock is further from UTC than this, so both possible offsets of a reading are within it. */
const WIDEST_OFFSET = 16 * SECONDS_PER_HOUR;

const SIGNED_OFFSET = /^([+-])(\d{1,2})(?::?(\d\d))?$/;
const UTC_OFFSET = /^UTC([+-])(\d{1,2})(?::(\d\d)|(\.\d{1,2}))?$/i;
const IANA_NAME = /^[a-z][a-z0-9_+-]*(?:\/[a-z0-9_+-]+){0,2}$/i;
/** Names without an area; `Intl` accepts other three-letter names that mean something else elsewhere. */
const SINGLE_NAMES = new Set(
  (
    'cst6cdt cuba egypt eire est5edt gb gb-eire gmt+0 gmt-0 gmt0 greenwich hongkong iceland iran israel jamaica japan ' +
    'kwajalein libya mst7mdt navajo nz nz-chat poland portugal prc pst8pdt roc rok singapore turkey uct universal w-su zulu'
  ).split(' '),
);

const zonesByText = new LRUCache<string, Zone>({ max: MAX_CACHED_TEXTS });
const rulesByName = new Map<string, UnnamedZone>();

/**
 * The zone that a text names, or null. Accepted: IANA names in any case, abbreviations (`EST`, `CET`: a fixed offset
 * without daylight saving), offsets (`+02:00`, `-0330`, `+3`, `Z`) and `UTC` alone or with hours, which may be decimal
 * or carry minutes (`UTC-3`, `UTC+5.5`, `UTC+5:30`). Offsets go up to 14 hours either way.
 */
export function resolveZone(text: string): Zone | null {
  const cached = zonesByText.get(text);
  if (cached !== undefined) return cached;
  if (text.length === 0 || text.length > MAX_TEXT_LENGTH) return null;
  const rules = utcRules(text) ?? offsetRules(text) ?? abbreviationRules(text) ?? namedRules(text);
  if (rules === null) return null;
  const zone = Object.freeze({ name: text, ...rules });
  zonesByText.set(text, zone);
  return zone;
}

/**
 * The instant at which a clock in `zone` shows `wallClock`. A time that the clock skips in spring moves forward by the
 * size of the gap; of a repeated hour in autumn the first pass counts. Throws a RangeError if `wallClock` is malformed
 * or names a day that does not exist.
 */
export function toInstant(wallClock: WallClock, zone: Zone): EpochSeconds {
  const reading = parseCivil(wallClock);
  const before = zone.offsetAt(reading - WIDEST_OFFSET);
  const after = zone.offsetAt(reading + WIDEST_OFFSET);
  if (before === after) return reading - before;
  if (zone.offsetAt(reading - before) === before) return reading - before;
  if (zone.offsetAt(reading - after) === after) return reading - after;
  return reading - before;
}

/** The wall clock in `zone` at `instant`, clamped to the years 0..9999. */
export function toWallClock(instant: EpochSeconds, zone: Zone): WallClock {
  return formatCivil(instant + zone.offsetAt(instant));
}

/** Seconds east of UTC of `+02:00`, `-0330`, `+3`; null for anything else and beyond 14 hours. */
export function parseOffset(text: string): number | null {
  const match = SIGNED_OFFSET.exec(text);
  if (match === null) return null;
  return signedOffset(match[1], Number(match[2]) * 60 + Number(match[3] ?? 0), Number(match[3] ?? 0));
}

function signedOffset(sign: string | undefined, totalMinutes: number, minutePart: number): number | null {
  const seconds = totalMinutes * 60;
  if (minutePart > 59 || seconds > MAX_OFFSET_SECONDS) return null;
  return sign === '-' && seconds !== 0 ? -seconds : seconds;
}

function fixedRules(offset: number, label: string): UnnamedZone {
  return { isNamed: false, offsetAt: () => offset, abbreviationAt: () => label };
}

function utcRules(text: string): UnnamedZone | null {
  if (text.toUpperCase() === 'UTC') return fixedRules(0, text);
  const match = UTC_OFFSET.exec(text);
  if (match === null) return null;
  const [, sign, hours, minutes = '0', fraction = '0'] = match;
  const fractionMinutes = Math.round(Number(fraction) * 60);
  const offset = signedOffset(sign, Number(hours) * 60 + Number(minutes) + fractionMinutes, Number(minutes));
  return offset === null ? null : fixedRules(offset, text);
}

function offsetRules(text: string): UnnamedZone | null {
  const offset = text.toUpperCase() === 'Z' ? 0 : parseOffset(text);
  return offset === null ? null : fixedRules(offset, `GMT${formatOffset(offset, 'full')}`);
}

function abbreviationRules(text: string): UnnamedZone | null {
  const offset = fixedAbbreviationOffset(text);
  return offset === undefined ? null : fixedRules(offset, text.toUpperCase());
}

function namedRules(text: string): UnnamedZone | null {
  const name = text.toLowerCase();
  if (!IANA_NAME.test(name)) return null;
  if (!name.includes('/') && !SINGLE_NAMES.has(name)) return null;
  if (name.startsWith('systemv/')) return null;
  const cached = rulesByName.get(name);
  if (cached !== undefined) return cached;
  const offsetAt = namedZoneOffsets(name);
  if (offsetAt === null) return null;
  const abbreviationAt = (instant: number) => namedAbbreviation(name, offsetAt(instant));
  const rules = { isNamed: true, offsetAt, abbreviationAt };
  rulesByName.set(name, rules);
  return rules;
}

/**
 * The abbreviation of a zone at `offset` seconds east of UTC, like `abbreviation`. Uses no rules, so the answer is
 * independent of this process's rules and exists for zones that it does not know.
 */
export function abbreviationAtOffset(zoneText: string, offset: number): string {
  const fixed = utcRules(zoneText) ?? offsetRules(zoneText) ?? abbreviationRules(zoneText);
  return fixed?.abbreviationAt(0) ?? namedAbbreviation(zoneText.toLowerCase(), offset);
}

function namedAbbreviation(name: string, offset: number): string {
  return alphabeticAbbreviation(name, offset) ?? (offset % 60 === 0 ? formatOffset(offset, 'short') : 'LMT');
}

function formatOffset(offset: number, form: 'short' | 'full'): string {
  const size = Math.abs(offset);
  const hours = String(Math.floor(size / SECONDS_PER_HOUR)).padStart(2, '0');
  const minutes = String(Math.floor((size % SECONDS_PER_HOUR) / 60)).padStart(2, '0');
  const digits = form === 'short' && minutes === '00' ? hours : hours + minutes;
  return `${offset < 0 ? '-' : '+'}${digits}`;
}

// Time zone rules as of one release of the tz database. Governments change them, often at short notice, so two
// processes may have different ones.

export interface ZoneRules {
  /** The release of the tz database: a year and a letter (`2026c`). Texts compare in order of release. */
  readonly release: string;
  /** The zone that a text names, or null. */
  readonly zoneNamed: (text: string) => Zone | null;
}

// Offsets of named time zones. `Intl` is slow (a formatting call per answer), so the changes of offset are searched
// once per zone and period, to the second, and cached.

/** Seconds east of UTC at an instant (Unix seconds). */
type OffsetLookup = (instant: number) => number;

interface Period {
  /** Instants at which a further offset begins, ascending; the first offset holds from the start of the period. */
  readonly changes: readonly number[];
  readonly offsets: readonly number[];
}

/** About 194 days: few changes to step over, and few periods for the years that a calendar covers. */
const PERIOD_SECONDS = 2 ** 24;
/** Some zones had offsets for only a few weeks (a summer time suspended for Ramadan); a probe must fall into each. */
const PROBE_SECONDS = 2 ** 19;
/** Bounds the memory of one zone when distant years are requested; 300 years fit. */
const MAX_PERIODS = 640;
const MAX_INSTANT = 8_640_000_000_000;
const OFFSET_TEXT = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** The offsets of a named zone, or null if `Intl` does not know the name. */
function namedZoneOffsets(name: string): OffsetLookup | null {
  const formatter = offsetFormatter(name);
  if (formatter === null) return null;
  const probe = (instant: number): number => parseOffsetText(formatter.format(instant * 1000));
  // Not by lru-cache: every instant that is shown is looked up here, and that takes a third longer. Few zones ever fill it.
  const periods = new Map<number, Period>();

  function periodAt(index: number): Period {
    const cached = periods.get(index);
    if (cached !== undefined) return cached;
    if (periods.size >= MAX_PERIODS) periods.clear();
    const period = scanPeriod(probe, index * PERIOD_SECONDS);
    periods.set(index, period);
    return period;
  }

  return (instant) => {
    const bounded = Math.max(-MAX_INSTANT + 2 * PERIOD_SECONDS, Math.min(MAX_INSTANT - 2 * PERIOD_SECONDS, instant));
    const { changes, offsets } = periodAt(Math.floor(bounded / PERIOD_SECONDS));
    let passed = 0;
    while (passed < changes.length && bounded >= (changes[passed] ?? Number.POSITIVE_INFINITY)) passed += 1;
    return offsets[passed] ?? 0;
  };
}

function offsetFormatter(name: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset', year: 'numeric' });
  } catch {
    return null;
  }
}

function parseOffsetText(text: string): number {
  const match = OFFSET_TEXT.exec(text);
  if (match === null) throw new Error(`unexpected offset text: ${text}`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' && size !== 0 ? -size : size;
}

function scanPeriod(probe: OffsetLookup, start: number): Period {
  const changes: number[] = [];
  const offsets = [probe(start)];
  let last = offsets[0];
  for (let from = start; from < start + PERIOD_SECONDS; from += PROBE_SECONDS) {
    const next = probe(from + PROBE_SECONDS);
    if (next === last) continue;
    changes.push(firstInstantOf(probe, next, from, from + PROBE_SECONDS));
    offsets.push(next);
    last = next;
  }
  return { changes, offsets };
}

function firstInstantOf(probe: OffsetLookup, offset: number, before: number, after: number): number {
  let low = before;
  let high = after;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (probe(middle) === offset) high = middle;
    else low = middle;
  }
  return high;
}
