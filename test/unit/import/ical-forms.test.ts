// What iCalendar files of other programs mean, in the forms in which they write it.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeText } from '../../../src/exchange/import/decode-text.ts';
import { momentOf } from '../../../src/exchange/import/formats/ical/ical-moments.ts';
import { readCalendar } from '../../../src/exchange/import/formats/ical/ical-records.ts';
import { openCalendarZones, zoneRemarks } from '../../../src/exchange/import/formats/ical/ical-zones.ts';
import windowsZones from '../../../src/exchange/import/formats/ical/windows-zones.json' with { type: 'json' };
import { placeIn } from '../../../src/exchange/import/formats/places.ts';
import { formatCivil } from '../../../src/kernel/time/civil-time.ts';
import { resolveZone, toInstant } from '../../../src/kernel/time/zone.ts';
import { zoneNamed } from '../../support/given.ts';

const test = suite('forms of iCalendar');

const BERLIN = zoneNamed('Europe/Berlin');

const calendar = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const vevent = (...lines: readonly string[]): string =>
  ['BEGIN:VEVENT', 'UID:one', 'SUMMARY:One', ...lines, 'END:VEVENT'].join('\r\n');

interface Found {
  /** `start to end`, in order; of days without a time. */
  readonly times: readonly string[];
  readonly notes: readonly string[];
  readonly refused: readonly string[];
  readonly titles: readonly string[];
}

function read(text: string, site = BERLIN): Found {
  const until = Date.UTC(2032, 0, 1) / 1000;
  const reading = { file: 'a.ics', site: null, siteZone: site, until, rules: 'expanded' } as const;
  const { readings, fileFaults } = readCalendar(text, reading);
  const all = [...readings];
  const events = all.flatMap(({ plan }) => plan.events).filter(({ disposition = 'stay' }) => disposition === 'stay');
  const shown = (time: unknown): string =>
    typeof time === 'number' ? `${formatCivil(time).slice(0, 16)}Z` : String(time).slice(0, 16);
  return {
    times: events.map(({ input: { times } }) => `${shown(times?.start)} to ${shown(times?.end)}`).sort(),
    notes: all.flatMap(({ remarks = [] }) => remarks.map(({ text: said }) => said)),
    refused: [...fileFaults(), ...all.flatMap(({ faults }) => faults)].map(({ reason }) => reason),
    titles: events.map(({ input }) => input.title ?? '').sort(),
  };
}

const TIMED = ['DTSTART;TZID=Europe/Berlin:20270601T190000', 'DTEND;TZID=Europe/Berlin:20270601T200000'];
const WEEKLY = [...TIMED, 'RRULE:FREQ=WEEKLY;COUNT=4'];
const DAYS = ['DTSTART;VALUE=DATE:20270601', 'RRULE:FREQ=WEEKLY;COUNT=4'];
const dates = (...days: readonly string[]): string[] => days.map((day) => `2027-${day} 19:00 to 2027-${day} 20:00`);
const whole = (...days: readonly string[]): string[] => days.map((day) => `2027-${day} to 2027-${day}`);
const WITHOUT_8 = ['06-01', '06-15', '06-22'];

const OLD_RULES: readonly (readonly [rule: string, days: readonly string[]])[] = [
  ['D1 #3', ['06-01', '06-02', '06-03']],
  ['D1', ['06-01', '06-02']],
  ['D2 20270606T000000', ['06-01', '06-03', '06-05']],
  ['W2 TU TH 20270616T000000Z', ['06-01', '06-03', '06-15']],
  ['W1 #3', ['06-01', '06-08', '06-15']],
  ['MP1 1+ TU 2- FR #4', ['06-01', '06-18', '07-06', '07-23']],
  ['MP1 1+ TU WE #3', ['06-01', '06-02', '07-06']],
  ['MP1 1- FR #2', ['06-01', '06-25', '07-30']],
  ['MD1 1 15 #3', ['06-01', '06-15', '07-01']],
  ['MD1 LD #2', ['06-01', '06-30', '07-31']],
  ['MD1 1+ 2- #3', ['06-01', '06-29', '07-01']],
  ['YM1 6 8 #2', ['06-01', '08-01']],
  ['YD1 152 244 #2', ['06-01', '09-01']],
];

test('rules of vCalendar 1.0 are those of today in other words', () => {
  for (const [rule, days] of OLD_RULES) {
    const { times, notes } = read(calendar(vevent(...TIMED, `RRULE:${rule}`)));
    assert.equal([times, notes], [dates(...days), []], rule);
  }
  assert.is(read(calendar(vevent(...TIMED, 'RRULE:W1 TU #0'))).times.length, 240);
  const left = vevent(...TIMED, 'RRULE:D1 #4', 'EXDATE:20270602T190000;20270603T190000');
  assert.equal(read(calendar(left)).times, dates('06-01', '06-04'));
  const alarms = ['DALARM:20270601T180000;PT5M;2;Hey', 'AALARM;TYPE=WAVE:20270601T180000;;;', 'PALARM:;;', 'RNUM:1'];
  assert.equal(read(calendar(vevent(...TIMED, ...alarms))), { ...read(calendar(vevent(...TIMED))) });
  // Several times a day, rules in rules, and what is no rule cost the rule and no more.
  for (const rule of [
    'D1 0800 1200 #4',
    'D1 M30 #3',
    'W1 TU #3 M60 #4',
    'MP1 1+ #3',
    'MP1 #3',
    'MP1 TU #3',
    'M1',
    'W1 TU #3 x',
  ]) {
    const { times, notes } = read(calendar(vevent(...TIMED, `RRULE:${rule}`)));
    assert.equal(times, dates('06-01'), rule);
    assert.match(notes.join(), /^taken without its RRULE in line 8/, rule);
  }
});

test('that later dates behind the horizon were not changed is told where a rule counts them, too', () => {
  const change = ['BEGIN:VEVENT', 'UID:one', 'SUMMARY:New', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20280601T170000Z'];
  const told = (rule: string): readonly string[] =>
    read(
      calendar(
        vevent(...TIMED, `RRULE:FREQ=YEARLY;${rule}`),
        ...[...change, 'DTSTART:20280601T180000Z', 'DTEND:20280601T190000Z', 'END:VEVENT'],
      ),
    ).notes;
  const note = ['it changes all later dates; those until 2032-01-01 were changed'];
  assert.equal(told('COUNT=6'), note);
  assert.equal(told('UNTIL=20330101T000000Z'), note);
  assert.equal(told('COUNT=5'), []);
  assert.equal(told('UNTIL=20310701T000000Z'), []);
});

const MEANT: readonly (readonly [what: string, lines: readonly string[], times: readonly string[]])[] = [
  ['a day without VALUE', ['DTSTART:20270601'], whole('06-01')],
  [
    'a day that is left out by its midnight',
    [...WEEKLY, 'EXDATE;TZID=Europe/Berlin:20270608T000000'],
    dates(...WITHOUT_8),
  ],
  ['a rule with escapes', [...TIMED, 'RRULE:RRULE:FREQ=WEEKLY\\;BYDAY=TU\\;COUNT=2'], dates('06-01', '06-08')],
  ['a day with a zone', ['DTSTART;TZID=Europe/Berlin:20270601', 'DTEND:20270602T000000'], whole('06-01')],
  ['a midnight that is called a day', ['DTSTART;VALUE=DATE:20270601T000000'], whole('06-01')],
  ['a day that ends at a time', ['DTSTART;VALUE=DATE:20270601', 'DTEND:20270602T220000'], ['2027-06-01 to 2027-06-02']],
  [
    'a time that ends on a day',
    [TIMED[0] ?? '', 'DTEND;VALUE=DATE:20270602'],
    ['2027-06-01 19:00 to 2027-06-02 00:00'],
  ],
  [
    'offsets and fractions',
    ['DTSTART:20270601T190000.000+0200', 'DTEND:2027-06-01T18:00:00,5Z'],
    ['2027-06-01 17:00Z to 2027-06-01 18:00Z'],
  ],
  ['no seconds, and small letters', ['dtstart:20270601t1900', 'dtend:20270601t2000'], dates('06-01')],
  ['midnight as the 24th hour', [TIMED[0] ?? '', 'DTEND:20270601T240000'], ['2027-06-01 19:00 to 2027-06-02 00:00']],
  ['an EXDATE as a day', [...WEEKLY, 'EXDATE:20270608'], dates(...WITHOUT_8)],
  ['an EXDATE without a zone', [...WEEKLY, 'EXDATE:20270608T190000'], dates(...WITHOUT_8)],
  [
    'an EXDATE without a zone, of a zone that is not that of the site',
    ['DTSTART;TZID=America/New_York:20270601T190000', 'RRULE:FREQ=WEEKLY;COUNT=2', 'EXDATE:20270608T190000'],
    ['2027-06-01 19:00 to 2027-06-01 19:00'],
  ],
  [
    'a zone whose name has a colon and no quotes',
    ['DTSTART;TZID=tzone://Microsoft/Utc:20270601T190000'],
    ['2027-06-01 19:00 to 2027-06-01 19:00'],
  ],
  [
    'an offset as a zone, without quotes',
    ['DTSTART;TZID=UTC+02:00:20270601T190000', 'DTEND;TZID=UTC+02:00:20270601T200000'],
    dates('06-01'),
  ],
  [
    'a zone with blanks for its underscores',
    ['DTSTART;TZID=America/New York:20270601T190000'],
    ['2027-06-01 19:00 to 2027-06-01 19:00'],
  ],
  ['a length with empty years', [TIMED[0] ?? '', 'DURATION:P0Y0M0DT1H'], dates('06-01')],
  ['days of a length', ['DTSTART;VALUE=DATE:20270601', 'DURATION:P3D'], ['2027-06-01 to 2027-06-03']],
  ['an EXDATE by another clock', [...WEEKLY, 'EXDATE;TZID=America/New_York:20270608T130000'], dates(...WITHOUT_8)],
  [
    'a day of a timed series that is left out by its midnight in UTC',
    [...WEEKLY, 'EXDATE:20270608T000000Z'],
    dates(...WITHOUT_8),
  ],
  [
    'a midnight in UTC that is the time of the series',
    ['DTSTART;TZID=America/New_York:20270601T200000', 'RRULE:FREQ=WEEKLY;COUNT=2', 'EXDATE:20270609T000000Z'],
    ['2027-06-01 20:00 to 2027-06-01 20:00'],
  ],
  ['an EXDATE with an offset', [...WEEKLY, 'EXDATE:20270608T130000-0400'], dates(...WITHOUT_8)],
  ['EXDATEs of which one is empty', [...WEEKLY, 'EXDATE:20270608T170000Z,'], dates(...WITHOUT_8)],
  ['an EXDATE of days as their midnight', [...DAYS, 'EXDATE;TZID=Europe/Berlin:20270608T000000'], whole(...WITHOUT_8)],
  ['an EXDATE of days as their midnight in UTC', [...DAYS, 'EXDATE:20270607T220000Z'], whole(...WITHOUT_8)],
  ['an EXDATE of days as midnight elsewhere', [...DAYS, 'EXDATE:20270608T040000Z'], whole(...WITHOUT_8)],
  ['an RDATE of days as a time', [...DAYS.slice(0, 1), 'RDATE:20270607T220000Z'], whole('06-01', '06-08')],
  [
    'an UNTIL of days as their midnight in UTC',
    ['DTSTART;VALUE=DATE:20270601', 'RRULE:FREQ=WEEKLY;UNTIL=20270607T220000Z'],
    whole('06-01', '06-08'),
  ],
  [
    'an UNTIL of days as the end of one',
    ['DTSTART;VALUE=DATE:20270601', 'RRULE:FREQ=WEEKLY;UNTIL=20270607T235959Z'],
    whole('06-01'),
  ],
  ['a rule in small letters', [...TIMED, 'rrule:freq=weekly;count=2;byday=tu'], dates('06-01', '06-08')],
  ['a rule with an end that is empty', [...TIMED, 'RRULE:FREQ=WEEKLY;UNTIL=;COUNT=2;'], dates('06-01', '06-08')],
  [
    'a day of a length by the clock, and hours by a stopwatch',
    ['DTSTART;TZID=Europe/Berlin:20270327T190000', 'DURATION:P1DT1H'],
    ['2027-03-27 19:00 to 2027-03-28 20:00'],
  ],
  [
    '24 hours over a change of clocks',
    ['DTSTART;TZID=Europe/Berlin:20270327T190000', 'DURATION:PT24H'],
    ['2027-03-27 19:00 to 2027-03-28 20:00'],
  ],
  [
    'periods with their own ends and lengths',
    [...TIMED, 'RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20270608T190000/20270608T230000,20270615T190000/PT45M'],
    [
      '2027-06-01 19:00 to 2027-06-01 20:00',
      '2027-06-08 19:00 to 2027-06-08 23:00',
      '2027-06-15 19:00 to 2027-06-15 19:45',
    ],
  ],
  [
    'whole days of Microsoft',
    [
      'DTSTART;TZID=W. Europe Standard Time:20270612T000000',
      'DTEND;TZID=W. Europe Standard Time:20270615T000000',
      'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
    ],
    ['2027-06-12 to 2027-06-14'],
  ],
  [
    'whole days of Microsoft in UTC',
    ['DTSTART:20270611T220000Z', 'DTEND:20270614T220000Z', 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'],
    ['2027-06-12 to 2027-06-14'],
  ],
  [
    'what is no whole day, whatever it says',
    [...TIMED, 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE', 'X-FUNAMBOL-ALLDAY:1'],
    dates('06-01'),
  ],
  ['dates left out by a rule', [...WEEKLY, 'EXRULE:FREQ=WEEKLY;INTERVAL=2'], dates('06-08', '06-22')],
  ['a rule that never comes', [...TIMED, 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'], dates('06-01')],
  [
    'a change of all later dates',
    [
      ...WEEKLY,
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:one',
      'SUMMARY:New',
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20270615T170000Z',
      'DTSTART;TZID=Europe/Berlin:20270616T203000',
      'DURATION:PT90M',
    ],
    [...dates('06-01', '06-08'), '2027-06-16 20:30 to 2027-06-16 22:00', '2027-06-23 20:30 to 2027-06-23 22:00'],
  ],
  [
    'changes of all later dates, one after another, and of one date',
    [
      ...TIMED,
      'RRULE:FREQ=WEEKLY;COUNT=5',
      ...['END:VEVENT', 'BEGIN:VEVENT', 'UID:one', 'SUMMARY:New', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20270615T170000Z'],
      ...['DTSTART:20270615T180000Z', 'DURATION:PT1H', 'END:VEVENT', 'BEGIN:VEVENT', 'UID:one', 'SUMMARY:Newer'],
      ...['RECURRENCE-ID;RANGE=THISANDFUTURE:20270608', 'DTSTART:20270608T160000Z', 'DTEND:20270608T163000Z'],
      ...['END:VEVENT', 'BEGIN:VEVENT', 'UID:one', 'SUMMARY:Alone', 'RECURRENCE-ID:20270622T190000'],
      ...['DTSTART:20270622T100000Z', 'DTEND:20270622T110000Z'],
    ],
    [
      '2027-06-01 19:00 to 2027-06-01 20:00',
      '2027-06-08 16:00Z to 2027-06-08 16:30Z',
      '2027-06-15 18:00Z to 2027-06-15 19:00Z',
      '2027-06-22 10:00Z to 2027-06-22 11:00Z',
      '2027-06-29 18:00Z to 2027-06-29 19:00Z',
    ],
  ],
];

for (const [what, lines, times] of MEANT)
  test(what, () => {
    const found = read(calendar(vevent(...lines)));
    assert.equal(found.refused, []);
    assert.equal(found.times, [...times].sort());
  });

const LOST: readonly (readonly [line: string, note: RegExp, times?: readonly string[]])[] = [
  ['EXDATE:', /^taken without its EXDATE in line 10: "" is not a date and time$/],
  ['EXDATE:20270608T170000Z,20279999', /^taken without its EXDATE in line 10: "20279999" is/, dates(...WITHOUT_8)],
  ['EXDATE;TZID=Middle Earth:20270608T190000', /^taken without its EXDATE in line 10: the time zone "Middle Earth" is/],
  ['RDATE:', /RDATE in line 10/],
  ['DURATION:', /DURATION in line 10/],
  ['DURATION:-PT1H', /^taken without its DURATION in line 10: "-PT1H" cannot be read$/],
  ['GEO:52.5;', /^taken without its GEO in line 10: "52.5;" cannot be read$/],
  ['GEO:520;13', /GEO in line 10/],
  ['LAST-MODIFIED:', /LAST-MODIFIED in line 10/],
  ['RECURRENCE-ID:', /RECURRENCE-ID in line 10/],
  ['no colon here', /^taken without its text in line 10: "no colon here" cannot be read$/],
  ['RRULE:', /RRULE in line 10/],
  ['RRULE:FREQ=SOMETIMES', /RRULE in line 10/],
  ['RRULE:FREQ=WEEKLY;COUNT=0', /^taken without its RRULE in line 10: COUNT is a number from 1$/],
  ['RRULE:FREQ=WEEKLY;UNTIL=soon', /RRULE in line 10/],
  [
    'RRULE:FREQ=YEARLY;BYEASTER=1',
    /^taken without its RRULE in line 10: BYEASTER is no part of a rule; try one of FREQ/,
  ],
];

for (const [line, note, times = dates('06-01', '06-08', '06-15', '06-22')] of LOST)
  test(`${JSON.stringify(line)} costs itself alone, and is named`, () => {
    // The tenth line, behind a folded one.
    const lines = [...TIMED, 'DESCRIPTION:a', ' b', line];
    const { refused, notes, times: found } = read(calendar(vevent(...lines, 'RRULE:FREQ=WEEKLY;COUNT=4')));
    assert.equal(refused, []);
    assert.is(notes.length, 1, notes.join());
    assert.match(notes[0] ?? '', note);
    assert.equal(found, times);
  });

for (const end of [
  'DTEND;TZID=Europe/Berlin:20270601T180000',
  'DTEND:20270601T165959Z',
  'DTEND;VALUE=DATE:20270601',
  'DTEND;TZID=America/New_York:20270601T120000',
])
  test(`${end}, before the start, costs itself alone, and is named`, () => {
    const { refused, notes, times } = read(calendar(vevent(TIMED[0] ?? '', end)));
    assert.equal([refused, times], [[], ['2027-06-01 19:00 to 2027-06-01 19:00']]);
    assert.is(notes.length, 1, notes.join());
    assert.match(notes[0] ?? '', /^taken without its DTEND in line 7: it ends \(.*\) before it starts/);
  });

test('times without a zone are in the zone that the calendar names, days in that of the site', () => {
  const inputs = (...lines: readonly string[]): unknown[] => {
    const until = Date.UTC(2032, 0, 1) / 1000;
    const reading = { file: 'a.ics', site: null, siteZone: BERLIN, until, rules: 'expanded' } as const;
    const { readings } = readCalendar(calendar(...lines), reading);
    return [...readings].flatMap(({ plan }) => plan.events).map(({ input }) => input.times?.timezone);
  };
  const [timed, day] = [vevent('DTSTART:20270601T190000'), vevent('UID:two', 'DTSTART;VALUE=DATE:20270601')];
  assert.equal(inputs('X-WR-TIMEZONE:America/New_York', timed), ['America/New_York']);
  assert.equal(inputs('X-WR-TIMEZONE:America/New_York', day), ['Europe/Berlin']);
  assert.equal(inputs(timed), ['Europe/Berlin']);
});

test('a date of a series whose RECURRENCE-ID cannot be read is refused, and changes nothing', () => {
  const date = vevent('RECURRENCE-ID:soon', 'SEQUENCE:9', ...TIMED).replace('SUMMARY:One', 'SUMMARY:Other');
  const { refused, titles } = read(calendar(vevent(...WEEKLY), date));
  assert.equal(refused, ['RECURRENCE-ID is not a date or time']);
  assert.equal([...new Set(titles)], ['One']);
});

test('one moment is read from each of its forms', () => {
  const anyMoment = fc.integer({ min: 0, max: 4_000_000_000 });
  fc.assert(
    fc.property(anyMoment, fc.integer({ min: -14 * 4, max: 14 * 4 }), (instant, quarters) => {
      const two = (number: number): string => String(number).padStart(2, '0');
      const [size, east] = [Math.abs(quarters), formatCivil(instant + quarters * 900)];
      const offset = `${quarters < 0 ? '-' : '+'}${two(Math.floor(size / 4))}${two((size % 4) * 15)}`;
      const basic = (wallClock: string): string => wallClock.replace(/[-:]/g, '').replace(' ', 'T');
      const expected = { wallClock: formatCivil(instant), kind: 'utc', tzid: '' };
      const forms = [
        `${basic(formatCivil(instant))}Z`,
        `${basic(east)}${offset}`,
        `${east.replace(' ', 'T')}.250${offset.slice(0, 3)}:${offset.slice(3)}`,
        ` ${basic(formatCivil(instant)).toLowerCase()}z`,
      ];
      for (const form of forms) assert.equal(momentOf(form, new Map()), expected, form);
    }),
    { seed: 33, numRuns: 200 },
  );
});

test('days are the same days in each form and zone in which calendars write them', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Asia/Kathmandu', 'Pacific/Auckland', 'UTC'];
  const dayAt = (index: number): string => formatCivil(Date.UTC(2027, 0, 1) / 1000 + index * 86_400).slice(0, 10);
  const anyIndex = fc.integer({ min: 0, max: 360 });
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      anyIndex,
      fc.nat({ max: 4 }),
      fc.nat({ max: 4 }),
      (name, start, left, form) => {
        const zone = zoneNamed(name);
        const basic = (day: string): string => day.replaceAll('-', '');
        const midnight = (day: string): string => formatCivil(toInstant(`${day} 00:00:00`, zone)).replace(/[-:]/g, '');
        const forms = (day: string): string[] => [
          `;VALUE=DATE:${basic(day)}`,
          `:${basic(day)}`,
          `:${basic(day)}T000000`,
          `;TZID=${name}:${basic(day)}T000000`,
          `:${midnight(day).replace(' ', 'T')}Z`,
        ];
        const last = forms(dayAt(start + 4))[form]?.split(':')[1];
        const lines = [
          `DTSTART;VALUE=DATE:${basic(dayAt(start))}`,
          `RRULE:FREQ=DAILY;UNTIL=${last}`,
          `EXDATE${forms(dayAt(start + left))[form]}`,
        ];
        const expected = [0, 1, 2, 3, 4].filter((index) => index !== left).map((index) => dayAt(start + index));
        const { times } = read(calendar(vevent(...lines)), zone);
        assert.equal(
          times,
          expected.map((day) => `${day} to ${day}`),
          lines.join(' '),
        );
      },
    ),
    { seed: 33, numRuns: 300 },
  );
});

const ONE_WORD = [
  ['CET', 2],
  ['MET', 2],
  ['EET', 3],
  ['WET', 1],
  ['CEST', 2],
  ['MESZ', 2],
  ['BST', 1],
  ['PDT', -7],
  ['Eastern', -4],
  ['Eastern Time (US & Canada)', -4],
  ['Romance Daylight Time', 2],
  ['Romance Standard Time 1', 2],
  ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 2],
  ['(UTC-05:00) Eastern Time (US & Canada)', -4],
] as const;

for (const [name, hours] of ONE_WORD)
  test(`${name} follows daylight saving`, () => {
    const zones = openCalendarZones({ own: new Map(), shownIn: '', siteZone: BERLIN });
    const at = (wallClock: string): number => zones.instantOf({ kind: 'zoned', tzid: name, wallClock });
    assert.is(at('2027-06-10 20:00:00'), Date.UTC(2027, 5, 10, 20 - hours) / 1000);
    assert.is(at('2027-01-10 20:00:00'), Date.UTC(2027, 0, 10, 21 - hours) / 1000);
  });

test('an offset behind GMT is one, in every season', () => {
  assert.equal(read(calendar(vevent('DTSTART;TZID=GMT+0200:20270610T200000'))).times, [
    '2027-06-10 20:00 to 2027-06-10 20:00',
  ]);
});

test('each zone of Windows is one that is known here', () => {
  const names = Object.entries(windowsZones);
  assert.is(names.length, 139);
  const zones = openCalendarZones({ own: new Map(), shownIn: '', siteZone: BERLIN });
  for (const [name, zone] of names) {
    const wallClock = '2027-06-10 20:00:00';
    const known = resolveZone(zone);
    assert.ok(known, zone);
    assert.is(
      zones.instantOf({ kind: 'zoned', tzid: name.toUpperCase(), wallClock }),
      toInstant(wallClock, known),
      name,
    );
  }
});

const REMARKED: readonly (readonly [zone: string, site: string, isRemarked: boolean])[] = [
  ['UTC+0', 'UTC', false],
  ['Etc/UTC', 'UTC', false],
  ['Europe/Vienna', 'Europe/Berlin', false],
  ['America/New_York', 'Europe/Berlin', true],
];

for (const [timezone, site, isRemarked] of REMARKED)
  test(`events in ${timezone} are ${isRemarked ? '' : 'not '}remarked on in ${site}`, () => {
    const { readings } = readCalendar(calendar(vevent('DTSTART:20270601T180000Z')), {
      ...{
        file: 'a.ics',
        site: null,
        siteZone: zoneNamed(timezone),
        until: Date.UTC(2032, 0, 1) / 1000,
        rules: 'kept',
      },
    });
    const events = [...readings].flatMap(({ plan }) => plan.events);
    assert.is(zoneRemarks(events, zoneNamed(site)).length, isRemarked ? 1 : 0);
  });

const definition = (tzid: string, summer: string): string =>
  [
    ...['BEGIN:VTIMEZONE', `TZID:${tzid}`, 'BEGIN:STANDARD', 'DTSTART:16010101T030000', 'TZOFFSETFROM:+0200'],
    ...['TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD', 'BEGIN:DAYLIGHT'],
    ...['DTSTART:16010101T020000', 'TZOFFSETFROM:+0100', `TZOFFSETTO:${summer}`],
    ...['RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
  ].join('\r\n');

test('a definition of its own wins over the name of a zone where they differ', () => {
  const zone = 'W. Europe Standard Time';
  const event = vevent(`DTSTART;TZID=${zone}:20270610T200000`);
  assert.equal(read(calendar(definition(zone, '+0200'), event)).times, ['2027-06-10 20:00 to 2027-06-10 20:00']);
  assert.equal(read(calendar(definition(zone, '+0300'), event)).times, ['2027-06-10 17:00Z to 2027-06-10 17:00Z']);
});

test('a midnight in UTC that is a date of the series is this one, also in a zone that the calendar defines', () => {
  const series = ['DTSTART;TZID=Castle:20270610T190000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'];
  const offset = definition('Castle', '-0500');
  const left = read(calendar(offset, vevent(...series, 'EXDATE:20270612T000000Z')));
  assert.equal(left.times, ['2027-06-11 00:00Z to 2027-06-11 01:00Z', '2027-06-13 00:00Z to 2027-06-13 01:00Z']);
  const moved = ['RECURRENCE-ID:20270612T000000Z', 'DTSTART:20270612T020000Z', 'DTEND:20270612T030000Z'];
  const changed = read(calendar(offset, vevent(...series), vevent(...moved)));
  assert.equal([...changed.times].sort(), [
    '2027-06-11 00:00Z to 2027-06-11 01:00Z',
    '2027-06-12 02:00Z to 2027-06-12 03:00Z',
    '2027-06-13 00:00Z to 2027-06-13 01:00Z',
  ]);
});

test('what ends a sentence behind a link makes no place', () => {
  const venuesOf = (location: string) => placeIn(location).venues.map(({ input }) => input.name);
  assert.equal(venuesOf('Zoom: https://zoom.us/j/123.'), []);
  assert.equal(venuesOf('Town Hall, https://hall.example/.'), ['Town Hall']);
  assert.is(placeIn('Zoom: https://zoom.us/j/123.').meeting, 'https://zoom.us/j/123');
});

test('categories of vCalendar are separated by semicolons, and a comma behind a link is no part of it', () => {
  const lines = ['CATEGORIES:MEETING;Music\\; loud,Wine', 'LOCATION:https://zoom.us/j/1?pwd=a, Old Mill'];
  const { readings } = readCalendar(calendar(vevent(...TIMED, ...lines)), {
    ...{ file: 'a.ics', site: null, siteZone: BERLIN, until: Date.UTC(2032, 0, 1) / 1000, rules: 'kept' },
  });
  const [plan] = [...readings].map((reading) => reading.plan);
  assert.equal(
    plan?.terms.map(({ name }) => name),
    ['MEETING', 'Music; loud', 'Wine'],
  );
  assert.is(plan?.events[0]?.input.online?.virtualUrl, 'https://zoom.us/j/1?pwd=a');
});

test('a definition without offsets defines nothing', () => {
  const nothing = (tzid: string): string => `BEGIN:VTIMEZONE\r\nTZID:${tzid}\r\nEND:VTIMEZONE`;
  const of = (zone: string) => read(calendar(nothing(zone), vevent(`DTSTART;TZID=${zone}:20270610T200000`)));
  assert.equal(of('Castle').refused, ['the time zone "Castle" is not known']);
  for (const zone of ['Europe/Berlin', 'W. Europe Standard Time'])
    assert.equal(of(zone).times, ['2027-06-10 20:00 to 2027-06-10 20:00']);
});

test('a changed date that is named by its midnight is no date more', () => {
  for (const midnight of [';TZID=Europe/Berlin:20270608T000000', ':20270608T000000Z', ';VALUE=DATE:20270608']) {
    const change = vevent(`RECURRENCE-ID${midnight}`, 'DTSTART:20270608T180000Z', 'DTEND:20270608T190000Z');
    const { times } = read(calendar(vevent(...WEEKLY), change));
    assert.is(times.length, dates(...WITHOUT_8).length + 1, JSON.stringify(times));
    assert.ok(!times.some((time) => time.startsWith('2027-06-08 19:00')), JSON.stringify(times));
  }
});

test('what a calendar says holds for its own events, of several calendars in one file', () => {
  const castle = definition('Castle', '+0300').replace('TZOFFSETTO:+0100', 'TZOFFSETTO:+0230');
  const zoned = (uid: string): string => vevent('DTSTART;TZID=Castle:20270110T200000').replace('UID:one', `UID:${uid}`);
  const text = calendar(zoned('a'), castle) + calendar(zoned('b'));
  const { times, refused } = read(text);
  assert.equal([times, refused], [['2027-01-10 17:30Z to 2027-01-10 17:30Z'], ['the time zone "Castle" is not known']]);
  const until = Date.UTC(2032, 0, 1) / 1000;
  const reading = { file: 'a.ics', site: null, siteZone: BERLIN, until, rules: 'kept' } as const;
  const utc = (uid: string): string => vevent('DTSTART:20270110T200000Z').replace('UID:one', `UID:${uid}`);
  const two = calendar('METHOD:CANCEL', 'X-WR-TIMEZONE:America/New_York', utc('a')) + calendar(utc('b'));
  const events = [...readCalendar(two, reading).readings].flatMap(({ plan }) => plan.events);
  assert.equal(
    events.map(({ input }) => [input.eventStatus, input.times?.timezone]),
    [
      ['canceled', 'America/New_York'],
      [undefined, 'Europe/Berlin'],
    ],
  );
});

test('line ends and empty lines of any kind separate the same lines', () => {
  const text = calendar(vevent(...TIMED, 'DESCRIPTION:long', '  text', 'GEO:x'));
  for (const [what, form] of [
    ['LF', text.replaceAll('\r\n', '\n')],
    ['CR', text.replaceAll('\r\n', '\r')],
    ['CR CR LF', text.replaceAll('\r\n', '\r\r\n')],
  ] as const) {
    const { times, notes } = read(form);
    assert.equal([times, notes], [dates('06-01'), ['taken without its GEO in line 10: "x" cannot be read']], what);
  }
  const folded = text.replace('SUMMARY:One', 'SUMMARY:One\r\n  more');
  const { times, refused, titles } = read(folded.replaceAll('\r\n', '\r\n\r\n'));
  assert.equal([times, refused, titles], [dates('06-01'), [], ['One more']]);
});

test('a text of line ends alone, or of blanks, costs no more than any other', () => {
  for (const filler of ['\r', '\n', ' ', '\r\n ', ';', '<a ', '\\']) {
    const begin = process.cpuUsage();
    const long = calendar(vevent(...TIMED, `DESCRIPTION:${filler.repeat(250_000)}`));
    assert.equal(read(long).times, dates('06-01'));
    assert.ok(process.cpuUsage(begin).user < 2_500_000, JSON.stringify(filler));
  }
});

/** A calendar of bytes, folded after so many of them. */
function folded(text: string, width: number): Buffer {
  const lines = text.split('\r\n').map((line) => {
    const bytes = Buffer.from(line);
    const pieces = [];
    for (let from = 0; from < Math.max(bytes.length, 1); from += width) pieces.push(bytes.subarray(from, from + width));
    return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [Buffer.from('\r\n '), piece]));
  });
  return Buffer.concat(lines.flatMap((pieces, at) => (at === 0 ? pieces : [Buffer.from('\r\n'), ...pieces])));
}

test('lines are unfolded before their characters are decoded, wherever they were folded', () => {
  const title = 'Grüße aus Köln 🎉🎉 für 東京, naïve';
  fc.assert(
    fc.property(fc.integer({ min: 17, max: 40 }), fc.nat({ max: 20 }), (width, shift) => {
      const text = calendar(
        vevent(...TIMED).replace('SUMMARY:One', `SUMMARY:${'x'.repeat(shift)}${title.replace(',', '\\,')}`),
      );
      assert.equal(read(decodeText(folded(text, width))).titles, [`${'x'.repeat(shift)}${title}`]);
    }),
    { seed: 33, numRuns: 60 },
  );
});

test('quoted-printable of vCalendar is read, over its own line ends', () => {
  const title = 'SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Gr=C3=BC=C3=9Fe=\r\n aus K=C3=B6ln';
  assert.equal(read(calendar(vevent(...TIMED).replace('SUMMARY:One', title))).titles, ['Grüße aus Köln']);
});

/** Behind its mark, the lowest byte first. */
const inUtf32 = (text: string): Buffer =>
  Buffer.from(Uint32Array.from(`\ufeff${text}`, (character) => character.codePointAt(0) ?? 0).buffer);

test('one broken byte is one broken character', () => {
  const bytes = Buffer.from(calendar(vevent(...TIMED).replace('SUMMARY:One', 'SUMMARY:Grüße _ Köln')));
  bytes[bytes.indexOf('_')] = 0xff;
  assert.equal(read(decodeText(bytes)).titles, ['Grüße \ufffd Köln']);
  const text = calendar(vevent(...TIMED)).replace('SUMMARY:One', 'SUMMARY:Łódź für 東京 🎉');
  const wide = (be: boolean): Buffer => (be ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le'));
  for (const [what, form, charset] of [
    ['UTF-16 without a mark', wide(false)],
    ['UTF-16 of the other order', wide(true)],
    ['UTF-16 with half a letter', Buffer.concat([Buffer.from('\ufeff', 'utf16le'), wide(false), Buffer.from('x')])],
    ['UTF-8 that is declared to be Latin-1', Buffer.from(text), 'iso-8859-1'],
    ['UTF-8 that is declared to be ASCII', Buffer.from(text), 'us-ascii'],
    ['UTF-8 that is declared to be UTF-16', Buffer.from(text), 'utf-16'],
    ['UTF-32', inUtf32(text)],
    ['UTF-32 with the other order of bytes', inUtf32(text).swap32()],
  ] as const)
    assert.equal(read(decodeText(form, charset)).titles, ['Łódź für 東京 🎉'], what);
  const two = read(decodeText(Buffer.from(`\ufeff${text}\ufeff${text.replace('UID:one', 'UID:two')}`)));
  assert.is(two.titles.length, 2, 'files that were joined with their marks');
  assert.match(decodeText(Buffer.from('\x1b$B8x1`\x1b(B', 'latin1'), 'iso-2022-jp'), '公園');
  const latin = Buffer.from('title;start\nGrüße aus Köln;2027-06-01\n', 'latin1');
  assert.match(decodeText(latin), /Grüße aus Köln/);
});

test('lines that are folded 300,000 times are joined once, and so are changes and categories by the thousand', () => {
  for (const fold of ['\r\n x', '=\r\nx']) {
    const begin = process.cpuUsage();
    const long = calendar(vevent(...TIMED, `COMMENT;ENCODING=QUOTED-PRINTABLE:a${fold.repeat(300_000)}`));
    assert.is(read(long).times.length, 1);
    assert.ok(process.cpuUsage(begin).user < 5_000_000, JSON.stringify(fold));
  }
  const changes = Array.from({ length: 20_000 }, (_, at) => {
    const day = new Date(Date.UTC(2027, 0, 1, at)).toISOString().replace(/[-:]|\.\d+/g, '');
    return vevent(`RECURRENCE-ID;RANGE=THISANDFUTURE:${day}`, ...TIMED);
  });
  assert.is(read(calendar(vevent(...TIMED, 'RRULE:FREQ=DAILY'), ...changes)).refused.length, 0);
  const many = Array.from({ length: 30_000 }, (_, at) => `c${at}`).join();
  assert.is(read(calendar(vevent(...TIMED, `CATEGORIES:${many}`))).times.length, 1);
});

test('what is told of an event and has no place here is named', () => {
  const { notes } = read(
    calendar(
      vevent(...WEEKLY, 'GEO:52.5;13.4', 'ATTACH;ENCODING=BASE64;VALUE=BINARY;FMTTYPE=image/png:iVBORw0KGgo='),
      vevent('RECURRENCE-ID;RANGE=THISANDPRIOR;TZID=Europe/Berlin:20270608T190000', ...TIMED),
    ),
  );
  assert.equal(
    notes.map((note) => note.replace(/ in line \d+/, '')),
    [
      'taken without its GEO: there is no LOCATION that it is of',
      'taken without its ATTACH: it is not an address on the web',
      'taken without its RANGE: "THISANDPRIOR" cannot be read',
    ],
  );
});

test.run();
