// Offsets of named time zones. `Intl` is slow (a formatting call per answer), so the changes of offset are searched
// once per zone and period, to the second, and cached.

/** Seconds east of UTC at an instant (Unix seconds). */
export type OffsetLookup = (instant: number) => number;

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
export function namedZoneOffsets(name: string): OffsetLookup | null {
  const formatter = offsetFormatter(name);
  if (formatter === null) return null;
  const probe = (instant: number): number => parseOffsetText(formatter.format(instant * 1000));
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
