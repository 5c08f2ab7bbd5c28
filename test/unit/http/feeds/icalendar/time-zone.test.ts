// Times in zones, as another reader understands them from nothing but the calendar itself.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CALENDAR_END, calendarHead } from '../../../../../src/exchange/feeds/icalendar/calendar.ts';
import { eventComponent } from '../../../../../src/exchange/feeds/icalendar/event-component.ts';
import { timeZoneComponent, yearOf } from '../../../../../src/exchange/feeds/icalendar/time-zone.ts';
import { readCalendar } from '../ical-reader.ts';
import { during, PRESENTATION, secondsOf, someFeedEvent, zoneNamed } from '../sample-event.ts';

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Africa/El_Aaiun',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Europe/Dublin',
  'Asia/Gaza',
  'America/Sao_Paulo',
  'Antarctica/Troll',
  'Pacific/Kiritimati',
  'UTC',
  'UTC+2',
  'UTC+5:30',
  'UTC-3.5',
  '-0330',
  'EST',
  'europe/paris',
];

interface Span {
  readonly zone: string;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** A calendar of events that take place then, all of it. */
function calendarOf(spans: readonly Span[]): string {
  const years = new Map<string, Set<number>>();
  for (const { zone, startsAt, endsAt } of spans) {
    const known = years.get(zone) ?? new Set();
    years.set(zone, known.add(yearOf(startsAt)).add(yearOf(endsAt)));
  }
  const described = new Set(years.keys());
  const events = spans.map(({ zone, startsAt, endsAt }, id) =>
    eventComponent(someFeedEvent({ id, ...during(zone, startsAt, endsAt) }), {
      host: 'cal.example',
      described,
      presentation: PRESENTATION,
    }),
  );
  return calendarHead('cal.example', years) + events.join('') + CALENDAR_END;
}

const span = (zone: string, start: string, end: string): Span => ({
  zone,
  startsAt: secondsOf(start),
  endsAt: secondsOf(end),
});

function assertRead(spans: readonly Span[]): string {
  const text = calendarOf(spans);
  const { events } = readCalendar(text);
  assert.equal(
    events.map(({ startsAt, endsAt }) => [startsAt, endsAt]),
    spans.map(({ startsAt, endsAt }) => [startsAt, endsAt]),
  );
  return text;
}

const FROM = Date.UTC(1975, 0, 1) / 1000;
const TO = Date.UTC(2040, 0, 1) / 1000;

test('whatever the zone and the time, a reader finds the same instants', () => {
  const spans = fc.record({
    zone: fc.constantFrom(...ZONES),
    startsAt: fc.integer({ min: FROM, max: TO }),
    length: fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: 20_000_000 })),
  });
  fc.assert(
    fc.property(fc.array(spans, { minLength: 1, maxLength: 8 }), (drawn) => {
      assertRead(drawn.map(({ zone, startsAt, length }) => ({ zone, startsAt, endsAt: startsAt + length })));
    }),
    { numRuns: 60 },
  );
});

test('around each change of the clocks, a reader finds the same instants', () => {
  const changes: readonly (readonly [string, string])[] = [
    ['Europe/Berlin', '2026-03-29 01:00:00'],
    ['Europe/Berlin', '2026-10-25 01:00:00'],
    ['America/New_York', '2026-11-01 06:00:00'],
    ['Africa/Casablanca', '2026-02-15 02:00:00'],
    ['Africa/Casablanca', '2026-03-22 02:00:00'],
    ['Pacific/Apia', '2011-12-30 10:00:00'],
    ['Australia/Lord_Howe', '2026-04-04 15:00:00'],
  ];
  for (const [zone, change] of changes) {
    const at = secondsOf(change);
    const quarters = Array.from({ length: 33 }, (_, index) => at + (index - 16) * 900);
    assertRead([-1, 0, 1].map((beside) => ({ zone, startsAt: at + beside, endsAt: at + beside + 60 })));
    assertRead(quarters.map((startsAt) => ({ zone, startsAt, endsAt: startsAt + 600 })));
  }
});

test('an hour that the clock shows twice is written in UTC, both times, and the hours beside it are not', () => {
  const text = assertRead([
    span('Europe/Berlin', '2026-10-24 23:00:00', '2026-10-24 23:30:00'),
    span('Europe/Berlin', '2026-10-25 00:30:00', '2026-10-25 03:00:00'),
    span('Europe/Berlin', '2026-10-25 01:30:00', '2026-10-25 03:00:00'),
    span('Europe/Berlin', '2026-10-25 02:00:00', '2026-10-25 03:00:00'),
  ]);
  assert.equal(text.match(/(?<=\r\n)DTSTART(?:;TZID|:\d+T\d+Z).*/g), [
    'DTSTART;TZID=Europe/Berlin:20261025T010000',
    'DTSTART:20261025T003000Z',
    'DTSTART:20261025T013000Z',
    'DTSTART;TZID=Europe/Berlin:20261025T030000',
  ]);
});

test('a time that the clock skips under newer rules is written as its instant', () => {
  const event = someFeedEvent({
    timezone: 'Europe/Berlin',
    start: '2027-03-28 02:30:00',
    end: '2027-03-28 04:00:00',
    startsAt: secondsOf('2027-03-28 01:30:00'),
    endsAt: secondsOf('2027-03-28 02:00:00'),
  });
  const text = eventComponent(event, {
    host: 'cal.example',
    described: new Set(['Europe/Berlin']),
    presentation: PRESENTATION,
  });
  assert.match(text, 'DTSTART:20270328T013000Z\r\nDTEND:20270328T020000Z\r\n');
});

test('each change has the offset before it', () => {
  assert.is(
    // A year that is past: no rules to come change it.
    timeZoneComponent(zoneNamed('Africa/Casablanca'), new Set([2024])),
    [
      ...['BEGIN:VTIMEZONE', 'TZID:Africa/Casablanca'],
      ...['BEGIN:DAYLIGHT', 'DTSTART:20231130T010000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0100', 'TZNAME:+01'],
      ...['END:DAYLIGHT', 'BEGIN:STANDARD', 'DTSTART:20240310T030000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0000'],
      ...['TZNAME:+00', 'END:STANDARD', 'BEGIN:DAYLIGHT', 'DTSTART:20240414T020000', 'TZOFFSETFROM:+0000'],
      ...['TZOFFSETTO:+0100', 'TZNAME:+01', 'END:DAYLIGHT', 'END:VTIMEZONE', ''],
    ].join('\r\n'),
  );
});

test('years between which nothing takes place are left out', () => {
  const text = timeZoneComponent(zoneNamed('Europe/Berlin'), new Set([1990, 2026]));
  assert.equal(
    [...new Set([...text.matchAll(/DTSTART:(\d{4})/g)].map(([, year]) => year))],
    [...['1989', '1990', '2025', '2026']],
  );
});

test('years that follow one another have one beginning', () => {
  const text = timeZoneComponent(zoneNamed('Asia/Kolkata'), new Set([2028, 2026, 2027]));
  assert.is(text.match(/BEGIN:STANDARD/g)?.length, 1);
});

test('a named zone of one offset is described by it', () => {
  const text = assertRead([span('Asia/Kolkata', '2026-07-01 10:00:00', '2026-07-01 11:00:00')]);
  assert.match(text, 'TZID:Asia/Kolkata\r\n');
  assert.match(text, 'DTSTART;TZID=Asia/Kolkata:20260701T153000\r\n');
  assert.match(text, 'TZOFFSETTO:+0530\r\n');
});

test('UTC is not described, and its times end in Z', () => {
  const text = assertRead([span('UTC', '2026-07-01 10:00:00', '2026-07-01 11:00:00')]);
  assert.not.match(text, 'VTIMEZONE');
  assert.match(text, 'DTSTART:20260701T100000Z\r\n');
});

test('offsets of old have their seconds', () => {
  const text = timeZoneComponent(zoneNamed('Europe/Amsterdam'), new Set([1890]));
  assert.match(text, /TZOFFSETTO:\+00(1932|1730|1800)\r\n/);
});

test('the first and the last years that there are end', () => {
  for (const year of [0, 9999])
    assert.match(
      timeZoneComponent(zoneNamed('Pacific/Auckland'), new Set([year])),
      /^BEGIN:VTIMEZONE\r\n(.+\r\n)+END:VTIMEZONE\r\n$/,
    );
});

test.run();
