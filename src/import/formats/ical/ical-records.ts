// Events of an iCalendar file as an import plan: each occurrence is an event of its own.

import type { EventInput } from '../../../domain/calendar-event.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../time/civil-time.ts';
import type { EpochSeconds, Zone } from '../../../time/zone.ts';
import { eventStatusNamed } from '../../attendance.ts';
import {
  EMPTY_PLAN,
  type Fault,
  type Origin,
  type PlannedEvent,
  type Reading,
  type Remark,
} from '../../import-plan.ts';
import { openPackedTexts } from '../../packed.ts';
import { type IcalEvent, type IcalZone, type Moment, parseIcalZone } from './ical.ts';
import { eventKey, inputOf, type Referred, readComponents, referredBy, seriesKey } from './ical-fields.ts';
import { type Known, knownIn, newer, plainUidIn, reasonOf, versionOf } from './ical-known.ts';
import { keepSeries } from './ical-recurrence.ts';
import { EndlessRule, isSeries, keyOfMoment, occurrencesOf, type SeriesLimits } from './ical-series.ts';
import { type CalendarZones, openCalendarZones } from './ical-zones.ts';

interface CalendarReading {
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

const MAX_OCCURRENCES = 1_000;
/** Most dates that are searched for all series of one file. */
const MAX_DATES = 2_000_000;

interface Scope extends CalendarReading {
  readonly source: string;
  readonly zones: CalendarZones;
  readonly limits: SeriesLimits;
  readonly isCancelled: boolean;
}

interface CalendarRead {
  /** One per series or single event, made when it is asked for: all of a large file at once would not fit into memory. */
  readonly readings: Iterable<Reading>;
  /** The broken VEVENTs, by their places; all of them once the readings have been read. */
  readonly broken: () => readonly Fault[];
  /** How many VEVENTs there are. */
  readonly records: number;
}

/** Throws `Unreadable`. */
export function readCalendar(text: string, reading: CalendarReading): CalendarRead {
  const blocks = openPackedTexts();
  const broken: Fault[] = [];
  /** The blocks of each event in the file, by their numbers. */
  const byUid = new Map<string, number[]>();
  const own = new Map<string, IcalZone>();
  const knownAt = (index: number, until?: 'for good'): Known | undefined => {
    const known = knownIn(blocks.at(index), { file: reading.file, index });
    if (until === 'for good') blocks.drop(index);
    if (!('reason' in known)) return known;
    broken.push(known);
    return undefined;
  };
  let records = 0;
  const properties = readComponents(text, {
    VEVENT(block) {
      records += 1;
      const index = blocks.add(block);
      const uid = plainUidIn(block) ?? knownAt(index)?.uid;
      if (uid === undefined) return;
      const indexes = byUid.get(uid);
      if (indexes) indexes.push(index);
      else byUid.set(uid, [index]);
    },
    VTIMEZONE(block) {
      for (const zone of zoneIn(block)) own.set(zone.tzid, zone);
    },
  });
  const shownIn = properties.get('X-WR-TIMEZONE') ?? '';
  const scope: Scope = {
    ...reading,
    source: reading.site ?? 'an iCalendar file',
    zones: openCalendarZones({ own, shownIn, siteZone: reading.siteZone }),
    limits: { until: reading.until, most: reading.most ?? MAX_OCCURRENCES, dates: { left: MAX_DATES } },
    isCancelled: /^cancel$/i.test(properties.get('METHOD') ?? ''),
  };
  function* readings(): Generator<Reading> {
    for (const indexes of byUid.values())
      yield* readSeries(
        indexes.flatMap((index) => knownAt(index, 'for good') ?? []),
        scope,
      );
  }
  const inPlace = (one: Fault, other: Fault): number => (one.place.index ?? 0) - (other.place.index ?? 0);
  return { readings: readings(), broken: () => [...broken].sort(inPlace), records };
}

/** A broken zone counts as missing: only events that refer to it are refused. */
function zoneIn(block: string): IcalZone[] {
  try {
    return [parseIcalZone(block)];
  } catch {
    return [];
  }
}

const refused = (fault: Fault): Reading => ({ plan: EMPTY_PLAN, faults: [fault] });

function readSeries(versions: readonly Known[], scope: Scope): Reading[] {
  const overrides = new Map<string, Known>();
  let main: Known | undefined;
  const faults: Reading[] = [];
  for (const known of versions) {
    const { recurrenceId } = known.event;
    if (!recurrenceId) main = newer(main, known);
    else
      attempt(known, () => void overrides.set(keyIn(recurrenceId), newer(overrides.get(keyIn(recurrenceId)), known)));
  }
  const readings = main ? [attempt(main, () => mainReading(main, overrides, scope))] : [];
  const rest = [...overrides].map(([key, known]) => attempt(known, () => overrideReading(known, key, scope)));
  const singles = [...readings, ...rest].filter((one) => one !== undefined);
  return [...faults, ...(main && readings[0] ? keptAsSeries(main, overrides, singles, scope) : singles)];

  function keyIn(recurrenceId: Moment): string {
    return keyOfMoment(recurrenceId, scope.zones);
  }
  function attempt<Result>({ title, place }: Known, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      const reason =
        error instanceof EndlessRule ? 'its rule does not come to an end, or repeats far too often' : reasonOf(error);
      faults.push(refused({ kind: 'event', name: title, place, reason }));
      return undefined;
    }
  }
}

/** A master and its overrides as one series, if it can be; `singles`: the readings of its dates. */
function keptAsSeries(
  known: Known,
  overrides: ReadonlyMap<string, Known>,
  singles: readonly Reading[],
  scope: Scope,
): readonly Reading[] {
  const { event, start, uid } = known;
  if (!isSeries(event) || scope.rules === 'expanded') return singles;
  const events = singles.flatMap(({ plan }) => plan.events);
  const [first] = events;
  const kept = keepSeries(event, start, [...overrides.values()], { zones: scope.zones, until: scope.limits.until });
  if (first === undefined) return singles;
  if ('reason' in kept) return [...singles, noteOn(first.origin, `taken as single events: ${kept.reason}`)];
  const planned = plannedEventOf(known, referredBy(event, scope.source, known.place), start, '', scope);
  const byKey = new Map(events.map((one) => [one.origin.key, one]));
  const differing = [...kept.overrides].flatMap(
    ([
      date,
      {
        event: { recurrenceId },
      },
    ]) => {
      const single = recurrenceId && byKey.get(eventKey(uid, keyOfMoment(recurrenceId, scope.zones)));
      return single ? [[date, single] as const] : [];
    },
  );
  const origin = { ...planned.origin, key: seriesKey(uid) };
  const series = { repeating: kept.repeating, overrides: differing, singles: events };
  return [
    {
      plan: {
        terms: singles.flatMap(({ plan }) => plan.terms),
        venues: singles.flatMap(({ plan }) => plan.venues),
        organizers: singles.flatMap(({ plan }) => plan.organizers),
        events: [{ ...planned, origin, series }],
      },
      faults: singles.flatMap(({ faults }) => faults),
      // What is said about single dates; the first reading is that of all dates.
      remarks: singles.slice(1).flatMap(({ remarks = [] }) => remarks),
    },
  ];
}

const noteOn = (origin: Origin, text: string): Reading => ({
  plan: EMPTY_PLAN,
  faults: [],
  remarks: [{ kind: 'event', origin, text }],
});

/** The event itself; removes overrides of excluded occurrences. */
function mainReading(known: Known | undefined, overrides: Map<string, Known>, scope: Scope): Reading {
  if (!known) return { plan: EMPTY_PLAN, faults: [] };
  const { event, start, place } = known;
  const referred = referredBy(event, scope.source, place);
  if (!isSeries(event)) return readingOf(referred, [plannedEventOf(known, referred, start, '', scope)], []);
  const { occurrences, leftOut, cutFrom } = occurrencesOf(event, start, scope.zones, scope.limits);
  const own = occurrences.filter(({ key }) => !overrides.has(key));
  const plan = own.map((one) => plannedEventOf(known, referred, one.start, one.key, scope));
  const gone = leftOut
    .filter((key) => !overrides.has(key))
    .map((key): PlannedEvent => ({ ...plannedEventOf(known, referred, start, key, scope), disposition: 'gone' }));
  const [first] = plan;
  const origin = first?.origin ?? eventOrigin(known, '', scope);
  const horizon = formatCivil(scope.limits.until).slice(0, 10);
  const remarks: Remark[] =
    cutFrom === null
      ? []
      : [
          {
            kind: 'event',
            origin,
            text: `it repeats ${cutFrom} times until ${horizon}; the last ${occurrences.length} are taken`,
          },
        ];
  return readingOf(referred, [...plan, ...gone], remarks);
}

function overrideReading(known: Known, key: string, scope: Scope): Reading {
  const { event, start, place } = known;
  const isBeyond = scope.zones.instantOf(start) > scope.limits.until;
  if (isBeyond) return { plan: EMPTY_PLAN, faults: [] };
  const referred = referredBy(event, scope.source, place);
  const planned = plannedEventOf(known, referred, start, key, scope);
  const text = 'it changes later occurrences, too (RANGE=THISANDFUTURE); only this one was changed';
  return readingOf(referred, [planned], event.isForFuture ? [{ kind: 'event', origin: planned.origin, text }] : []);
}

const readingOf = (referred: Referred, events: readonly PlannedEvent[], remarks: readonly Remark[]): Reading => {
  // An excluded event needs no other data.
  const isWanted = events.some(({ disposition }) => disposition === 'stay');
  const { categories, venues, organizers } = isWanted ? referred : { categories: [], venues: [], organizers: [] };
  return { plan: { terms: categories, venues, organizers, events }, faults: [], remarks };
};

const eventOrigin = ({ uid, title, place }: Known, occurrence: string, { source, owner }: Scope): Origin => ({
  ...{ source, key: eventKey(uid, occurrence), name: title, place },
  ...(owner !== undefined && { owner }),
});

function plannedEventOf(
  known: Known,
  referred: Referred,
  start: Moment,
  occurrence: string,
  scope: Scope,
): PlannedEvent {
  const { event, title } = known;
  // TENTATIVE says that a date is not certain, not that there is none.
  const eventStatus = scope.isCancelled ? 'canceled' : eventStatusNamed(event.texts.status);
  const keys = (plan: readonly { readonly origin: { readonly key: string } }[]) =>
    plan.length === 0 ? undefined : plan.map(({ origin }) => origin.key);
  return {
    origin: eventOrigin(known, occurrence, scope),
    id: undefined,
    input: { ...inputOf(event, title), times: timesOf(known, start, scope.zones), ...(eventStatus && { eventStatus }) },
    categories: keys(referred.categories),
    tags: undefined,
    venues: keys(referred.venues),
    organizers: keys(referred.organizers),
    merging: 'newest',
    modified: versionOf(known),
    disposition: 'stay',
  };
}

/** The times of an occurrence that begins at `start`, with the duration of the event. */
function timesOf(
  { event, start: first }: Known,
  start: Moment,
  zones: CalendarZones,
): NonNullable<EventInput['times']> {
  const { shown, toInput } = zones.of(start);
  if (start.kind === 'day') {
    const day = parseCivil(start.wallClock);
    const days = Math.max(1, Math.ceil(daySpan(event, first) / SECONDS_PER_DAY));
    const last = formatCivil(day + (days - 1) * SECONDS_PER_DAY);
    return { start: start.wallClock.slice(0, 10), end: last.slice(0, 10), allDay: true, timezone: shown.name };
  }
  const begin = zones.instantOf(start);
  const end = endOf(event, first, start, zones);
  if (end < begin) throw new Error('it ends before it starts');
  // An end in another form than the start is not a wall clock of the shown zone.
  const isInOtherTerms = event.end && (event.end.kind !== first.kind || event.end.tzid !== first.tzid);
  return { start: toInput(begin), end: isInOtherTerms ? end : toInput(end), allDay: false, timezone: shown.name };
}

const daySpan = ({ end, duration }: IcalEvent, first: Moment): number =>
  end ? parseCivil(end.wallClock) - parseCivil(first.wallClock) : (duration ?? 0);

/** Wall-clock duration between two times of one zone; otherwise elapsed time. */
function endOf({ end, duration }: IcalEvent, first: Moment, start: Moment, zones: CalendarZones): EpochSeconds {
  if (!end) return zones.instantOf(start) + (duration ?? 0);
  if (end.kind !== first.kind || end.tzid !== first.tzid)
    return zones.instantOf(start) + zones.instantOf(end) - zones.instantOf(first);
  const span = parseCivil(end.wallClock) - parseCivil(first.wallClock);
  return zones.instantOf({ ...start, wallClock: formatCivil(parseCivil(start.wallClock) + span) });
}
