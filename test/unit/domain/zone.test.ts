import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseOffset, resolveZone, toInstant, toWallClock, type Zone } from '../../../src/kernel/time/zone.ts';

const zones = suite('zone');

function zoneOf(text: string): Zone {
  const zone = resolveZone(text);
  if (zone === null) throw new Error(`no zone: ${text}`);
  return zone;
}

function utc(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`) / 1000;
}

const summer = utc('2026-07-01 12:00:00');
const winter = utc('2026-01-01 12:00:00');

zones('a zone keeps the text it was given', () => {
  for (const text of ['europe/paris', 'America/New_York', 'EST', 'est', '+3', 'UTC+5.5', 'utc']) {
    assert.is(zoneOf(text).name, text);
  }
});

zones('IANA names are understood in any case and follow daylight saving', () => {
  assert.is(zoneOf('EUROPE/paris').offsetAt(winter), 3600);
  assert.is(zoneOf('EUROPE/paris').offsetAt(summer), 7200);
  assert.is(zoneOf('America/Argentina/Buenos_Aires').offsetAt(summer), -10_800);
  assert.is(zoneOf('Etc/GMT+5').offsetAt(summer), -18_000);
  assert.is(zoneOf('Japan').offsetAt(summer), 32_400);
});

zones('abbreviations are fixed offsets without daylight saving', () => {
  assert.is(zoneOf('CET').offsetAt(summer), 3600);
  assert.is(zoneOf('EST').offsetAt(summer), -18_000);
  assert.is(zoneOf('cest').offsetAt(winter), 7200);
  assert.is(zoneOf('est').abbreviationAt(summer), 'EST');
});

zones('offsets are read with and without colon, minutes and leading zero', () => {
  const cases = { '+02:00': 7200, '-0330': -12_600, '+3': 10_800, '-11': -39_600, '+930': 34_200, Z: 0, z: 0, '-0': 0 };
  for (const [text, offset] of Object.entries(cases)) assert.is(zoneOf(text).offsetAt(summer), offset, text);
});

zones('UTC with hours applies its offset, decimals and minutes included', () => {
  const cases = {
    UTC: 0,
    'UTC+0': 0,
    'UTC-0': 0,
    'UTC+2': 7200,
    'UTC-12': -43_200,
    'UTC+14': 50_400,
    'UTC+5.5': 19_800,
    'UTC-5.5': -19_800,
    'UTC+5.75': 20_700,
    'UTC+5:30': 19_800,
    'utc-3': -10_800,
  };
  for (const [text, offset] of Object.entries(cases)) assert.is(zoneOf(text).offsetAt(summer), offset, text);
});

zones('what names no zone is null', () => {
  const nonsense = [
    '',
    ' ',
    'UTC+99',
    'UTC+14:30',
    'UTC+14.5',
    'UTC-15',
    'UTCfoo',
    'UTC+',
    'UTC 2',
    'UTC+5:60',
    '+25',
    '+02:60',
    '+12345',
    'Mars/Olympus',
    'Europe',
    'Europe/',
    'ACT',
    'SystemV/EST5',
    'constructor',
    '__proto__',
    '\u00dft',
    'Europe/Paris\n',
    'a/'.repeat(40),
    'x'.repeat(100_000),
  ];
  for (const text of nonsense) assert.is(resolveZone(text), null, text.slice(0, 40));
});

zones('an offset beyond 14 hours is no offset', () => {
  assert.is(parseOffset('+14:00'), 50_400);
  assert.is(parseOffset('+14:01'), null);
  assert.is(parseOffset('-1400'), -50_400);
  assert.is(parseOffset('2'), null);
});

zones('the abbreviation is the one in force at the instant', () => {
  const cases: readonly [zone: string, winter: string, summer: string][] = [
    ['America/New_York', 'EST', 'EDT'],
    ['US/Pacific', 'PST', 'PDT'],
    ['America/Anchorage', 'AKST', 'AKDT'],
    ['America/St_Johns', 'NST', 'NDT'],
    ['America/Halifax', 'AST', 'ADT'],
    ['America/Phoenix', 'MST', 'MST'],
    ['America/Puerto_Rico', 'AST', 'AST'],
    ['Pacific/Honolulu', 'HST', 'HST'],
    ['Europe/London', 'GMT', 'BST'],
    ['Europe/Dublin', 'GMT', 'IST'],
    ['europe/paris', 'CET', 'CEST'],
    ['Europe/Kyiv', 'EET', 'EEST'],
    ['Europe/Lisbon', 'WET', 'WEST'],
    ['Europe/Moscow', 'MSK', 'MSK'],
    ['Africa/Johannesburg', 'SAST', 'SAST'],
    ['Africa/Lagos', 'WAT', 'WAT'],
    ['Africa/Nairobi', 'EAT', 'EAT'],
    ['Asia/Tokyo', 'JST', 'JST'],
    ['Asia/Kolkata', 'IST', 'IST'],
    ['Asia/Hong_Kong', 'HKT', 'HKT'],
    ['Asia/Jerusalem', 'IST', 'IDT'],
    ['Australia/Sydney', 'AEDT', 'AEST'],
    ['Australia/Adelaide', 'ACDT', 'ACST'],
    ['Australia/Perth', 'AWST', 'AWST'],
    ['Pacific/Auckland', 'NZDT', 'NZST'],
    ['Etc/UTC', 'UTC', 'UTC'],
  ];
  for (const [name, inWinter, inSummer] of cases) {
    const zone = zoneOf(name);
    assert.equal([zone.abbreviationAt(winter), zone.abbreviationAt(summer)], [inWinter, inSummer], name);
  }
});

zones('zones without letters show their offset', () => {
  assert.is(zoneOf('America/Sao_Paulo').abbreviationAt(summer), '-03');
  assert.is(zoneOf('Asia/Dubai').abbreviationAt(summer), '+04');
  assert.is(zoneOf('Asia/Kathmandu').abbreviationAt(summer), '+0545');
  assert.is(zoneOf('Europe/Istanbul').abbreviationAt(summer), '+03');
  assert.is(zoneOf('America/Sao_Paulo').abbreviationAt(utc('1900-06-01 00:00:00')), 'LMT');
});

zones('a zone given as an offset shows GMT and the offset, a UTC zone its own text', () => {
  assert.is(zoneOf('+02:00').abbreviationAt(summer), 'GMT+0200');
  assert.is(zoneOf('-0330').abbreviationAt(summer), 'GMT-0330');
  assert.is(zoneOf('Z').abbreviationAt(summer), 'GMT+0000');
  assert.is(zoneOf('UTC+5.75').abbreviationAt(summer), 'UTC+5.75');
  assert.is(zoneOf('UTC').abbreviationAt(summer), 'UTC');
});

zones('the offset changes at the very second of the transition', () => {
  const newYork = zoneOf('America/New_York');
  assert.is(newYork.offsetAt(utc('2027-03-14 06:59:59')), -18_000);
  assert.is(newYork.offsetAt(utc('2027-03-14 07:00:00')), -14_400);
  const lordHowe = zoneOf('Australia/Lord_Howe');
  assert.is(lordHowe.offsetAt(utc('2026-10-03 15:29:59')), 37_800);
  assert.is(lordHowe.offsetAt(utc('2026-10-03 15:30:00')), 39_600);
});

zones('odd offsets of former times are kept to the second', () => {
  assert.is(toWallClock(utc('1905-01-01 00:00:00'), zoneOf('Europe/Paris')), '1905-01-01 00:09:21');
  assert.is(toWallClock(utc('1960-01-01 00:00:00'), zoneOf('Africa/Monrovia')), '1959-12-31 23:15:30');
  assert.is(toInstant('1905-01-01 00:09:21', zoneOf('Europe/Paris')), utc('1905-01-01 00:00:00'));
});

zones('short changes of offset are seen: Ramadan in Casablanca', () => {
  const casablanca = zoneOf('Africa/Casablanca');
  assert.is(casablanca.offsetAt(utc('2025-02-10 12:00:00')), 3600);
  assert.is(casablanca.offsetAt(utc('2025-03-15 12:00:00')), 0);
  assert.is(casablanca.offsetAt(utc('2025-04-20 12:00:00')), 3600);
});

zones('a reading skipped in spring moves forward by the gap', () => {
  const cases: readonly [zone: string, reading: string, shown: string][] = [
    ['America/New_York', '2027-03-14 02:30:00', '2027-03-14 03:30:00'],
    ['America/New_York', '2027-03-14 02:00:00', '2027-03-14 03:00:00'],
    ['Europe/Paris', '2026-03-29 02:30:00', '2026-03-29 03:30:00'],
    ['Australia/Sydney', '2026-10-04 02:15:00', '2026-10-04 03:15:00'],
    ['Australia/Lord_Howe', '2026-10-04 02:10:00', '2026-10-04 02:40:00'],
    ['America/Santiago', '2026-09-06 00:30:00', '2026-09-06 01:30:00'],
  ];
  for (const [name, reading, shown] of cases) {
    const zone = zoneOf(name);
    assert.is(toWallClock(toInstant(reading, zone), zone), shown, `${name} ${reading}`);
  }
});

zones('of a reading that occurs twice in autumn the first one counts', () => {
  assert.is(toInstant('2026-11-01 01:30:00', zoneOf('America/New_York')), utc('2026-11-01 05:30:00'));
  assert.is(toInstant('2026-11-01 02:00:00', zoneOf('America/New_York')), utc('2026-11-01 07:00:00'));
  assert.is(toInstant('2026-10-25 02:30:00', zoneOf('Europe/Paris')), utc('2026-10-25 00:30:00'));
  assert.is(toInstant('2026-04-05 02:30:00', zoneOf('Australia/Sydney')), utc('2026-04-04 15:30:00'));
});

zones('a malformed reading, or one of a day that does not exist, is a RangeError', () => {
  const newYork = zoneOf('America/New_York');
  for (const reading of ['', '2027-02-30 00:00:00', '2027-13-01 00:00:00', '2027-01-01 24:00:00', '2027-01-01', 'x']) {
    assert.throws(
      () => toInstant(reading, newYork),
      (error: unknown) => error instanceof RangeError,
    );
  }
});

zones('the ends of the years that four digits can show are not crossed', () => {
  assert.is(toWallClock(utc('0001-01-01 00:00:00'), zoneOf('UTC')), '0001-01-01 00:00:00');
  assert.is(toWallClock(utc('0001-01-01 00:00:00'), zoneOf('-01:00')), '0000-12-31 23:00:00');
  assert.is(toWallClock(utc('9999-12-31 23:59:59'), zoneOf('+01:00')), '9999-12-31 23:59:59');
  assert.is(toInstant('0001-01-01 00:00:00', zoneOf('UTC')), -62_135_596_800);
});

const sampleZones = [
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'Europe/London',
  'Europe/Paris',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'UTC-5.5',
  '+0330',
].map(zoneOf);
const anyInstant = fc.integer({ min: utc('1900-01-02 00:00:00'), max: utc('2199-12-31 00:00:00') });

zones('an instant survives the way to its wall clock and back, except in the second pass of an ambiguous hour', () => {
  fc.assert(
    fc.property(fc.constantFrom(...sampleZones), anyInstant, (zone, instant) => {
      const wallClock = toWallClock(instant, zone);
      const back = toInstant(wallClock, zone);
      assert.is(toWallClock(back, zone), wallClock);
      assert.ok(back <= instant);
      if (back !== instant) assert.is.not(zone.offsetAt(back), zone.offsetAt(instant));
    }),
    { numRuns: 2000 },
  );
});

zones('wall clocks agree with the calendar of the language', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (instant) => {
      const expected = new Date(instant * 1000).toISOString().slice(0, 19).replace('T', ' ');
      assert.is(toWallClock(instant, zoneOf('UTC')), expected);
      assert.is(toInstant(expected, zoneOf('UTC')), instant);
    }),
  );
});

zones.run();
