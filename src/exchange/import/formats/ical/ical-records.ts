// Events of an iCalendar file as an import plan: each occurrence is an event of its own.

import type { EventInput } from '../../../../calendar/event/domain/calendar-event.ts';
import { present } from '../../../../domain/present.ts';
import { HORIZON_SECONDS } from '../../../../editorial/series/domain/facts.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../../kernel/time/civil-time.ts';
import { type EpochSeconds, toWallClock } from '../../../../kernel/time/zone.ts';
import { eventStatusNamed } from '../../attendance.ts';
import {
  ANY_FILE,
  EMPTY_PLAN,
  type Fault,
  joined,
  type Origin,
  type PlannedEvent,
  type Reading,
  type Remark,
} from '../../import-plan.ts';
import { openPackedTexts } from '../../packed.ts';
import { unknownStatus } from '../../publication.ts';
import { dateOfSeries, type IcalEvent } from './ical.ts';
import { eventKey, inputOf, publicationOf, type Referred, referredBy, seriesKey } from './ical-fields.ts';
import {
  type CalendarReading,
  type CalendarRecord,
  eventsAmong,
  knownIn,
  newer,
  reasonOf,
  type Scope,
  uidOf,
  versionOf,
} from './ical-known.ts';
import { readComponents, textOfBlock } from './ical-lines.ts';
import type { Length, Moment } from './ical-moments.ts';
import { keepSeries } from './ical-recurrence.ts';
import { EndlessRule, isSeries, keyOfMoment, occurrencesOf } from './ical-series.ts';
import { type IcalZone, parseIcalZone } from './ical-time-zone.ts';
import { type CalendarZones, openCalendarZones } from './ical-zones.ts';

const MAX_OCCURRENCES = 1_000;
/** So many dates are searched at most for all series of one file. */
const MAX_DATES = 2_000_000;
/** Different definitions in one file: each takes some milliseconds. */
const MAX_ZONES = 200;
/** src/exchange/feeds/icalendar writes it so. */
const OUR_PRODUCT = '-//Daybook//Daybook//EN';

/** Throws `Unreadable`. */
export function readCalendar(text: string, reading: CalendarReading) {
  const blocks = openPackedTexts();
  /** The scope of each block; it is complete once its calendar has been read. */
  const scopes: (Scope | undefined)[] = [];
  const fileFaults: Fault[] = [];
  /** The blocks of each event in the file, by their numbers. */
  const byUid = new Map<string, number[]>();
  const parsedZones = new Map<string, readonly IcalZone[]>();
  const limits = { until: reading.until, most: reading.most ?? MAX_OCCURRENCES, dates: { remainder: MAX_DATES } };
  let own = new Map<string, IcalZone>();
  const knownAt = (index: number, uid: string): CalendarRecord[] => {
    const scope = scopes[index];
    if (!scope) return [];
    const record = knownIn(blocks.at(index), { uid, scope, place: { file: reading.file, index } });
    blocks.drop(index);
    if (!('reason' in record)) return [record];
    fileFaults.push(record);
    return [];
  };
  let records = 0;
  const others = new Map<string, number>();
  readComponents(text, {
    other: (name) => void others.set(name, (others.get(name) ?? 0) + 1),
    VEVENT(block) {
      records += 1;
      const index = blocks.add(block);
      const uid = uidOf(block);
      const indexes = byUid.get(uid);
      if (indexes) indexes.push(index);
      else byUid.set(uid, [index]);
    },
    VTIMEZONE(block) {
      const text = textOfBlock(block);
      const zones = parsedZones.get(text) ?? (parsedZones.size < MAX_ZONES ? zoneIn(text) : []);
      parsedZones.set(text, zones);
      for (const zone of zones) own.set(zone.tzid, zone);
    },
    VCALENDAR(properties) {
      const shownIn = (properties.get('X-WR-TIMEZONE') ?? properties.get('TIMEZONE-ID') ?? '').replaceAll('"', '');
      const scope: Scope = {
        ...{ ...reading, limits },
        source: reading.site ?? ANY_FILE,
        zones: openCalendarZones({ own, shownIn, siteZone: reading.siteZone }),
        isCancelled: /^cancel$/i.test(properties.get('METHOD') ?? ''),
        isOurs: properties.get('PRODID') === OUR_PRODUCT,
        access: properties.get('X-CALENDARSERVER-ACCESS') ?? '',
      };
      scopes.push(...Array<Scope>(records - scopes.length).fill(scope));
      own = new Map();
    },
  });
  function* readings(): Generator<Reading> {
    for (const [uid, indexes] of byUid) yield* readSeries(indexes.flatMap((index) => knownAt(index, uid)));
  }
  const inPlace = (one: Fault, other: Fault): number => (one.place.index ?? 0) - (other.place.index ?? 0);
  const counts = [...others]
    .slice(0, 9)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
  const leftOut = counts === '' ? [] : [`only events are taken; left out: ${counts}`];
  return {
    /** One per series or single event, made when it is asked for: all of a large file at once would not fit into memory. */
    readings: readings(),
    /** The broken VEVENTs, by their places; all of them once the readings have been read. */
    fileFaults: (): readonly Fault[] => [...fileFaults].sort(inPlace),
    /** How many VEVENTs there are. */
    records,
    /** What it has besides, which is not read: one line, or none. */
    leftOut,
  };
}

/** A broken zone counts as missing: only events that refer to it are refused. */
function zoneIn(text: string): IcalZone[] {
  try {
    return [parseIcalZone(text)];
  } catch {
    return [];
  }
}

const refused = (fault: Fault): Reading => ({ plan: EMPTY_PLAN, faults: [fault] });

function readSeries(versions: readonly CalendarRecord[]): Reading[] {
  const overrides = new Map<string, CalendarRecord>();
  const faults: Reading[] = [];
  const [mains, dates] = [versions.filter(isMain), versions.filter((record) => !isMain(record))];
  const masters = mains.filter(({ event }) => !event.isUnplaced);
  // It is known of which event it is a date, and not which date it is.
  for (const record of masters.length === 0 ? [] : mains)
    if (record.event.isUnplaced) faults.push(refused(faultOf(record, 'RECURRENCE-ID is not a date or time')));
  const counting = masters.length === 0 ? mains : masters;
  const [first, ...others] = eventsAmong(counting);
  const main = first && withDatesOf(first, first);
  for (const one of dates) {
    const record = main ? withDatesOf(one, main) : one;
    attempt(record, () => {
      if (record.title === '') throw new Error('no SUMMARY');
      const { event, scope } = record;
      const recurrenceId =
        event.recurrenceId && dateOfSeries(main?.start ?? event.recurrenceId, event.recurrenceId, scope.zones);
      if (!recurrenceId) return;
      const key = keyOfMoment(recurrenceId, scope.zones);
      overrides.set(key, newer(overrides.get(key), { ...record, event: { ...event, recurrenceId } }));
    });
  }
  if (main) attempt(main, () => addImplied(main, overrides));
  const readings = main ? [attempt(main, () => mainReading(main, overrides))] : [];
  const rest = [...overrides].map(([key, record]) => attempt(record, () => overrideReading(record, key)));
  const singles = besideEachOther([...readings, ...rest].filter((one) => one !== undefined));
  const notes = [...(main ? [main] : []), ...dates].flatMap(notesOn);
  const horizon = formatCivil(main?.scope.limits.until ?? 0).slice(0, 10);
  const forFuture = dates.filter(({ event }) => event.isForFuture);
  for (const record of main && forFuture.length > 0 && goesOn(main) ? forFuture : [])
    notes.push(noteOn(eventOrigin(record, ''), `it changes all later dates; those until ${horizon} were changed`));
  if (main) notes.push(...sharingNotes(main, { records: counting.length, events: others.length + 1 }));
  return [
    ...faults,
    ...(main && readings[0] ? keptAsSeries(main, overrides, singles) : singles),
    ...notes,
    ...others.flatMap((other) => readSeries([{ ...other, uid: `${other.uid} ${other.start.wallClock}` }])),
  ];

  function attempt<Result>(record: CalendarRecord, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      const reason =
        error instanceof EndlessRule ? 'its rule does not come to an end, or repeats far too often' : reasonOf(error);
      faults.push(refused(faultOf(record, reason)));
      return undefined;
    }
  }
}

/** What is told now is nothing that it was instead: some calendars tell changed dates of an event that does not repeat. */
function besideEachOther(singles: readonly Reading[]): Reading[] {
  const keys = new Set(singles.flatMap(({ plan }) => plan.events.map(({ origin }) => origin.key)));
  const beside = (event: PlannedEvent): PlannedEvent => ({
    ...event,
    instead: (event.instead ?? []).filter((key) => !keys.has(key)),
  });
  return singles.map((one) => ({ ...one, plan: { ...one.plan, events: one.plan.events.map(beside) } }));
}

/**
 * A date without a name or an end has those of its series. Dates of a series that is kept exist for two years from its start:
 * what differs of them is read as far.
 */
function withDatesOf(
  record: CalendarRecord,
  { start, title, event: main, scope: { zones } }: CalendarRecord,
): CalendarRecord {
  const { scope, event } = record;
  const ending = (event.end ?? event.duration) ? {} : { duration: lengthOf(main, start, zones) };
  const whole = { ...record, title: record.title || title, event: { ...event, ...ending } };
  if (scope.rules === 'expanded') return whole;
  const until = Math.max(scope.limits.until, scope.zones.instantOf(start) + HORIZON_SECONDS);
  return { ...whole, scope: { ...scope, limits: { ...scope.limits, until } } };
}

function lengthOf({ end, duration }: IcalEvent, start: Moment, zones: CalendarZones): Length | null {
  if (!end) return duration;
  const isAlike = end.kind === start.kind && end.tzid === start.tzid;
  const seconds = isAlike
    ? parseCivil(end.wallClock) - parseCivil(start.wallClock)
    : zones.instantOf(end) - zones.instantOf(start);
  return { days: Math.floor(seconds / SECONDS_PER_DAY), seconds: seconds % SECONDS_PER_DAY };
}

/** Whether it has dates behind the horizon. */
const goesOn = ({ event, start, scope: { zones, limits } }: CalendarRecord): boolean =>
  event.rules.some(({ text, until }) => {
    if (until !== null) return zones.instantOf(until) > limits.until;
    const [, count = Number.POSITIVE_INFINITY] = /COUNT=(\d+)/.exec(text) ?? [];
    const { occurrences, leftOut, cutFrom } = occurrencesOf(event, start, zones, limits);
    return (cutFrom ?? occurrences.length) + leftOut.length < Number(count);
  });

const isMain = ({ event }: CalendarRecord): boolean => event.recurrenceId === null;

const faultOf = ({ title, place }: CalendarRecord, reason: string): Fault => ({
  kind: 'event',
  name: title,
  place,
  reason,
});

/** What could not be read of an event. */
function notesOn(record: CalendarRecord): Reading[] {
  const origin = eventOrigin(record, '');
  const { event, place, scope } = record;
  return [
    ...(publicationOf(event, scope) === null ? [noteOn(origin, unknownStatus(event.texts.status))] : []),
    ...event.unreadProperties.map(({ name, line, reason }) =>
      noteOn({ ...origin, place: { ...place, line } }, `taken without its ${name} in line ${line}: ${reason}`),
    ),
  ];
}

/** What became of records that share a UID. */
function sharingNotes(
  main: CalendarRecord,
  { records, events }: { readonly records: number; readonly events: number },
): Reading[] {
  const origin = eventOrigin(main, '');
  return [
    ...(events > 1 ? [noteOn(origin, `${events} events have this UID: each is taken as one of its own`)] : []),
    ...(records > events ? [noteOn(origin, `${records} records have this UID: of versions the newest counts`)] : []),
  ];
}

/** A master and its overrides as one series, if it can be; `singles`: the readings of its dates. */
function keptAsSeries(
  record: CalendarRecord,
  overrides: ReadonlyMap<string, CalendarRecord>,
  singles: readonly Reading[],
): readonly Reading[] {
  const { event, start, uid, scope } = record;
  if (!isSeries(event) || scope.rules === 'expanded') return singles;
  const { plan, faults } = joined(singles);
  const { events } = plan;
  const [first] = events;
  const outcome = keepSeries(event, start, [...overrides.values()], { zones: scope.zones, until: scope.limits.until });
  if (first === undefined) return singles;
  if ('reason' in outcome) return [...singles, noteOn(first.origin, `taken as single events: ${outcome.reason}`)];
  const planned = plannedEventOf(record, referredBy(event, scope, record.place), start, '');
  const byKey = new Map(events.map((one) => [one.origin.key, one]));
  const differing = [...outcome.overrides].flatMap(
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
  const series = { repeating: outcome.repeating, overrides: differing, singles: events };
  const instead = [eventKey(uid, ''), ...differing.map(([, single]) => single.origin.key)];
  return [
    {
      plan: { ...plan, events: [{ ...planned, origin, series, instead }] },
      faults,
      // What is said about single dates; the first reading is that of all dates.
      remarks: joined(singles.slice(1)).remarks,
    },
  ];
}

const noteOn = (origin: Origin, text: string): Reading => ({
  plan: EMPTY_PLAN,
  faults: [],
  remarks: [{ kind: 'event', origin, text }],
});

/** The event itself; removes overrides of excluded occurrences. */
function mainReading(record: CalendarRecord, overrides: ReadonlyMap<string, CalendarRecord>): Reading {
  const { event, start, place, scope } = record;
  const referred = referredBy(event, scope, place);
  if (!isSeries(event)) {
    const own = overrides.has(keyOfMoment(start, scope.zones)) ? [] : [plannedEventOf(record, referred, start, '')];
    return readingOf(referred, own, []);
  }
  const { occurrences, leftOut, cutFrom } = occurrencesOf(event, start, scope.zones, scope.limits);
  const own = occurrences.filter(({ key }) => !overrides.has(key));
  const plan = own.map((one) => plannedEventOf(record, referred, one.start, one.key));
  const gone = leftOut
    .filter((key) => !overrides.has(key))
    .map((key): PlannedEvent => ({ ...plannedEventOf(record, referred, start, key), disposition: 'gone' }));
  const [first] = plan;
  const origin = first?.origin ?? eventOrigin(record, '');
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

function overrideReading(record: CalendarRecord, key: string): Reading {
  const { event, start, place, scope } = record;
  const isBeyond = scope.zones.instantOf(start) > scope.limits.until;
  if (isBeyond) return { plan: EMPTY_PLAN, faults: [] };
  const referred = referredBy(event, scope, place);
  return readingOf(referred, [plannedEventOf(record, referred, start, key)], []);
}

const readingOf = (referred: Referred, events: readonly PlannedEvent[], remarks: readonly Remark[]): Reading => {
  // An excluded event needs no other data.
  const isWanted = events.some(({ disposition }) => disposition === 'stay');
  const { categories, tags, venues, organizers } = isWanted ? referred : NOTHING_REFERRED;
  return { plan: { terms: [...categories, ...tags], venues, organizers, events }, faults: [], remarks };
};

const NOTHING_REFERRED: Referred = { categories: [], tags: [], venues: [], organizers: [] };

const eventOrigin = (
  { event, uid, title, place, scope: { source, owner } }: CalendarRecord,
  occurrence: string,
): Origin =>
  present({ source, key: eventKey(uid, occurrence), name: title, place, owner, sequence: event.sequence?.toString() });

function plannedEventOf(record: CalendarRecord, referred: Referred, start: Moment, occurrence: string): PlannedEvent {
  const { event, title, uid, scope } = record;
  // TENTATIVE says that a date is not certain, not that there is none.
  const eventStatus = scope.isCancelled
    ? 'canceled'
    : eventStatusNamed(event.texts['x-daybook-status'] || event.texts.status);
  const keys = (plan: readonly { readonly origin: { readonly key: string } }[]) =>
    plan.length === 0 ? undefined : plan.map(({ origin }) => origin.key);
  return {
    origin: eventOrigin(record, occurrence),
    id: undefined,
    input: {
      ...inputOf(event, title, scope),
      times: timesOf(record, start, scope.zones),
      ...(eventStatus && { eventStatus }),
    },
    categories: keys(referred.categories),
    tags: keys(referred.tags),
    venues: keys(referred.venues),
    organizers: keys(referred.organizers),
    merging: 'newest',
    modified: versionOf(record),
    instead: [seriesKey(uid), ...(occurrence === '' ? [] : [eventKey(uid, '')])],
    disposition: 'stay',
  };
}

// When an occurrence of a calendar event begins and ends, in the terms of commands.

/** The times of an occurrence that begins at `start`, with the duration of the event. */
function timesOf(
  { event, start: first }: { readonly event: IcalEvent; readonly start: Moment },
  start: Moment,
  zones: CalendarZones,
): NonNullable<EventInput['times']> {
  const { displayZone, toInput } = zones.of(start);
  if (start.kind === 'day') {
    const day = parseCivil(start.wallClock);
    const days = Math.max(1, Math.ceil(daySpan(event, first) / SECONDS_PER_DAY));
    const last = formatCivil(day + (days - 1) * SECONDS_PER_DAY);
    return { start: start.wallClock.slice(0, 10), end: last.slice(0, 10), allDay: true, timezone: displayZone.name };
  }
  const begin = zones.instantOf(start);
  const end = endOf(event, first, start, zones);
  if (end < begin) throw new Error('it ends before it starts');
  // An end in another form than the start is not a wall clock of the shown zone.
  const isInOtherTerms = event.end && (event.end.kind !== first.kind || event.end.tzid !== first.tzid);
  return { start: toInput(begin), end: isInOtherTerms ? end : toInput(end), allDay: false, timezone: displayZone.name };
}

const daySpan = ({ end, duration }: IcalEvent, first: Moment): number =>
  end ? parseCivil(end.wallClock) - parseCivil(first.wallClock) : secondsIn(duration);

const secondsIn = (length: Length | null): number => (length ? length.days * SECONDS_PER_DAY + length.seconds : 0);

/** Wall-clock duration between two times of one zone; otherwise elapsed time. Days of a length are by the clock. */
function endOf({ end, duration }: IcalEvent, first: Moment, start: Moment, zones: CalendarZones): EpochSeconds {
  const later = (seconds: number): EpochSeconds =>
    zones.instantOf({ ...start, wallClock: formatCivil(parseCivil(start.wallClock) + seconds) });
  if (!end) return later((duration?.days ?? 0) * SECONDS_PER_DAY) + (duration?.seconds ?? 0);
  if (end.kind !== first.kind || end.tzid !== first.tzid)
    return zones.instantOf(start) + zones.instantOf(end) - zones.instantOf(first);
  return later(parseCivil(end.wallClock) - parseCivil(first.wallClock));
}

// Dates of a series that differ though no component says so for each of them.

/** Adds to the overrides of a series, by their keys, its dates that were added with another length, or changed with all that follow. */
function addImplied(main: CalendarRecord, overrides: Map<string, CalendarRecord>): void {
  const { event, start, scope } = main;
  const { zones, limits } = scope;
  for (const rdate of event.rdates) {
    const key = keyOfMoment(rdate.start, zones);
    if ((rdate.end ?? rdate.duration) === null || overrides.has(key)) continue;
    const { end, duration } = rdate;
    overrides.set(key, asDate(main, rdate.start, rdate.start, { end, duration }));
  }
  const changes = [...overrides.values()]
    .flatMap((record) => {
      const { recurrenceId, isForFuture } = record.event;
      return recurrenceId && isForFuture
        ? [{ record, from: recurrenceId, instant: zones.instantOf(recurrenceId) }]
        : [];
    })
    .sort((one, other) => one.instant - other.instant);
  if (changes.length === 0) return;
  for (const occurrence of occurrencesOf(event, start, zones, limits).occurrences) {
    if (overrides.has(occurrence.key)) continue;
    const last = changes.findLast(({ instant }) => instant < occurrence.instant);
    if (last) overrides.set(occurrence.key, movedTo(last.record, occurrence.start, last.from));
  }
}

/** A change of all later dates, at one of them: as far from it by the clock as it is from its own date. */
function movedTo(record: CalendarRecord, date: Moment, from: Moment): CalendarRecord {
  const { zones } = record.scope;
  const clockOf = (moment: Moment): number =>
    moment.kind === date.kind && moment.tzid === date.tzid
      ? parseCivil(moment.wallClock)
      : parseCivil(toWallClock(zones.instantOf(moment), zones.of(date).displayZone));
  const shift = clockOf(date) - clockOf(from);
  const moved = (moment: Moment): Moment => ({
    ...moment,
    wallClock: formatCivil(parseCivil(moment.wallClock) + shift),
  });
  const { end, duration } = record.event;
  return asDate(record, date, moved(record.start), { end: end && moved(end), duration });
}

function asDate(
  record: CalendarRecord,
  recurrenceId: Moment,
  start: Moment,
  ending: Pick<IcalEvent, 'end' | 'duration'>,
): CalendarRecord {
  const event = {
    ...record.event,
    ...ending,
    recurrenceId,
    start,
    rules: [],
    rdates: [],
    exdates: [],
    unreadProperties: [],
  };
  return { ...record, start, event };
}
