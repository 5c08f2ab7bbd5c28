import { writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readCalendar } from '../../../src/exchange/import/formats/ical/ical-records.ts';
import { zoneNamed } from '../../support/given.ts';
import { type Desk, type Json, openDesk, row } from './desk.ts';

const test = suite<{ desk: Desk }>('import of iCalendar files');

test.before.each(async (context) => {
  context.desk = await openDesk();
});
test.after.each(({ desk }) => desk.close());

const calendar = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Daybook//tests//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');

const vevent = (...lines: readonly string[]): string =>
  ['BEGIN:VEVENT', 'DTSTAMP:20300101T000000Z', ...lines, 'END:VEVENT'].join('\r\n');

const single = (...lines: readonly string[]): string => vevent('UID:one@example.org', 'SUMMARY:One', ...lines);

async function eventsOf(desk: Desk): Promise<readonly Json[]> {
  const { events } = await desk.get('/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50');
  return events as readonly Json[];
}

const times = ({ start_date, end_date, utc_start_date, timezone, all_day }: Json) =>
  [start_date, end_date, utc_start_date, timezone, all_day].join(' | ');

/** Imports one calendar and answers when each event is. */
async function timesAfter(desk: Desk, text: string, ...flags: string[]): Promise<string[]> {
  const { refused } = await desk.run(desk.file('calendar.ics', text), ...flags);
  assert.equal(refused, []);
  return (await eventsOf(desk)).map(times);
}

test('a calendar is recognised by its content, not by its name', async ({ desk }) => {
  const text = calendar(single('DTSTART:20300301T100000Z'));
  assert.is((await desk.run(desk.file('list.json', text))).events?.created, 1);
  const { refused } = await desk.run(desk.file('wrong.ics', 'hello'));
  assert.is(refused[0]?.reason, 'it is neither JSON, CSV nor an iCalendar file');
});

test('title, text, place, organizer, categories, website and picture are taken', async ({ desk }) => {
  const text = calendar(
    single(
      'DTSTART:20300301T100000Z',
      'DTEND:20300301T120000Z',
      'DESCRIPTION:Tea \\; cake\\nand <b>more</b>\\, at',
      '  last',
      'LOCATION:Town Hall\\, Market 1\\, Freiburg',
      'GEO:47.99;7.85',
      'ORGANIZER;CN="Friends%20of Tea":mailto:tea@example.org',
      'CATEGORIES:Food,Talks & more',
      'CATEGORIES:food',
      'URL:https://example.org/tea',
      'ATTACH;FMTTYPE=image/png:https://example.org/tea.png',
    ),
  );
  await desk.run(desk.file('calendar.ics', text));
  const [event = {}] = await eventsOf(desk);
  assert.is(event.title, 'One');
  assert.match(String(event.description), /Tea ; cake/);
  assert.match(String(event.description), /and <b>more<\/b>, at last/);
  const venue = event.venue as Json;
  assert.equal([venue.venue, venue.address, venue.city, venue.geo_lat], ['Town Hall', 'Market 1', 'Freiburg', 47.99]);
  const [organizer] = event.organizer as Json[];
  assert.is(organizer?.organizer, 'Friends of Tea');
  assert.equal(
    (event.categories as readonly Json[]).map(({ name }) => name),
    ['Food', 'Talks &amp; more'],
  );
  assert.is(event.website, 'https://example.org/tea');
  assert.is((event.image as Json | undefined)?.url, 'https://example.org/tea.png');
});

test('equal places, organizers and categories are one', async ({ desk }) => {
  const common = ['LOCATION:Town Hall', 'CONTACT:Maria', 'CATEGORIES:Food'];
  const of = (uid: string) => vevent(`UID:${uid}`, `SUMMARY:${uid}`, 'DTSTART:20300301T100000Z', ...common);
  const { venues, organizers, categories } = await desk.run(desk.file('a.ics', calendar(of('a'), of('b'), of('c'))));
  assert.equal([venues?.created, organizers?.created, categories?.created], [1, 1, 1]);
});

const ZONES: readonly (readonly [what: string, lines: readonly string[], expected: string])[] = [
  [
    'UTC is shown in the zone of the site',
    ['DTSTART:20300701T100000Z', 'DTEND:20300701T113000Z'],
    '2030-07-01 10:00:00 | 2030-07-01 11:30:00 | 2030-07-01 10:00:00 | UTC | false',
  ],
  [
    'a zone by its IANA name',
    ['DTSTART;TZID=Europe/Berlin:20300701T100000', 'DURATION:PT90M'],
    '2030-07-01 10:00:00 | 2030-07-01 11:30:00 | 2030-07-01 08:00:00 | Europe/Berlin | false',
  ],
  [
    'a zone behind a prefix',
    ['DTSTART;TZID=/example.org/2030/Europe/Berlin:20300701T100000'],
    '2030-07-01 10:00:00 | 2030-07-01 10:00:00 | 2030-07-01 08:00:00 | Europe/Berlin | false',
  ],
  [
    'a zone by its Windows name',
    ['DTSTART;TZID="W. Europe Standard Time":20300701T100000'],
    '2030-07-01 10:00:00 | 2030-07-01 10:00:00 | 2030-07-01 08:00:00 | Europe/Berlin | false',
  ],
  [
    'a zone that only the calendar knows, by its offsets',
    ['DTSTART;TZID=Castle Time:20300701T100000'],
    '2030-07-01 06:30:00 | 2030-07-01 06:30:00 | 2030-07-01 06:30:00 | UTC | false',
  ],
  [
    'no zone at all is that of the site',
    ['DTSTART:20300701T100000', 'DTEND:20300701T110000'],
    '2030-07-01 10:00:00 | 2030-07-01 11:00:00 | 2030-07-01 10:00:00 | UTC | false',
  ],
  [
    'an end in another zone',
    ['DTSTART;TZID=Europe/Berlin:20300701T100000', 'DTEND;TZID=America/New_York:20300701T070000'],
    '2030-07-01 10:00:00 | 2030-07-01 13:00:00 | 2030-07-01 08:00:00 | Europe/Berlin | false',
  ],
  [
    'days end before the day that is named',
    ['DTSTART;VALUE=DATE:20300701', 'DTEND;VALUE=DATE:20300704'],
    '2030-07-01 00:00:00 | 2030-07-03 23:59:59 | 2030-07-01 00:00:00 | UTC | true',
  ],
  [
    'one day when no end is named',
    ['DTSTART;VALUE=DATE:20300701'],
    '2030-07-01 00:00:00 | 2030-07-01 23:59:59 | 2030-07-01 00:00:00 | UTC | true',
  ],
];

const CASTLE = [
  'BEGIN:VTIMEZONE',
  'TZID:Castle Time',
  'BEGIN:STANDARD',
  'DTSTART:20300101T000000',
  'TZOFFSETFROM:+0230',
  'TZOFFSETTO:+0230',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:20300401T000000',
  'TZOFFSETFROM:+0230',
  'TZOFFSETTO:+0330',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
].join('\r\n');

for (const [what, lines, expected] of ZONES)
  test(`times: ${what}`, async ({ desk }) => {
    assert.equal(await timesAfter(desk, calendar(CASTLE, single(...lines))), [expected]);
  });

test('times in UTC are shown in the zone that the calendar names', async ({ desk }) => {
  const text = calendar('X-WR-TIMEZONE:Europe/Berlin', single('DTSTART:20300701T100000Z'));
  assert.match((await timesAfter(desk, text))[0] ?? '', /^2030-07-01 12:00:00 .* Europe\/Berlin/);
});

const series = (...lines: readonly string[]): string =>
  single('DTSTART;TZID=Europe/Berlin:20300325T100000', 'DTEND;TZID=Europe/Berlin:20300325T120000', ...lines);

const startsOf = (found: readonly string[]): string[] => found.map((one) => one.slice(0, 16)).sort();

test('a time of a zone is taken as its wall clock, a time in UTC as the instant', () => {
  const given = (...lines: string[]): unknown[] => {
    const text = calendar('X-WR-TIMEZONE:Europe/Berlin', single(...lines));
    const until = Date.UTC(2040, 0, 1) / 1000;
    const {
      readings: [...readings],
    } = readCalendar(text, {
      file: 'a.ics',
      site: null,
      siteZone: zoneNamed('UTC'),
      rules: 'expanded',
      until,
    });
    const times = readings[0]?.plan.events[0]?.input.times;
    return [times?.start, times?.end, times?.timezone];
  };
  const zoned = 'DTSTART;TZID=America/Vancouver:20271215T190000';
  const [start, end] = ['2027-12-15 19:00:00', '2027-12-15 21:00:00'];
  assert.equal(given(zoned, 'DTEND;TZID=America/Vancouver:20271215T210000'), [start, end, 'America/Vancouver']);
  assert.equal(given(zoned, 'DURATION:PT2H'), [start, end, 'America/Vancouver']);
  const nine = Date.UTC(2027, 5, 15, 9) / 1000;
  assert.equal(given('DTSTART:20270615T090000Z', 'DURATION:PT1H'), [nine, nine + 3_600, 'Europe/Berlin']);
  assert.equal(given('DTSTART;TZID=Europe/Berlin:20270615T110000', 'DTEND:20270615T100000Z'), [
    ...['2027-06-15 11:00:00', nine + 3_600, 'Europe/Berlin'],
  ]);
  const second = Date.UTC(2027, 9, 31, 1, 30) / 1000;
  assert.equal(given('DTSTART;TZID=Europe/Berlin:20271031T013000', 'DURATION:PT2H')[1], second, 'the second 02:30');
});

test('a rule makes events of their own, by the clock of its zone', async ({ desk }) => {
  const found = await timesAfter(desk, calendar(series('RRULE:FREQ=WEEKLY;COUNT=3')));
  assert.equal(startsOf(found), ['2030-03-25 10:00', '2030-04-01 10:00', '2030-04-08 10:00']);
  assert.ok(found.some((one) => one.includes('2030-03-25 09:00:00')));
  assert.ok(found.some((one) => one.includes('2030-04-01 08:00:00')));
});

const YEARLY: readonly (readonly [rule: string, first: string, days: string])[] = [
  ['BYWEEKNO=1;BYDAY=MO', '20300101', '2030-01-01 2030-12-30 2031-12-29'],
  ['BYDAY=20TU', '20300514', '2030-05-14 2031-05-20'],
  ['BYDAY=-1SU', '20301229', '2030-12-29 2031-12-28'],
  ['BYYEARDAY=60;BYDAY=SA', '20300301', '2030-03-01 2031-03-01'],
];

for (const [rule, first, days] of YEARLY)
  test(`${rule} is once a year, not every week`, async ({ desk }) => {
    const text = calendar(single(`DTSTART;TZID=Europe/Berlin:${first}T190000`, `RRULE:FREQ=YEARLY;${rule}`));
    const found = startsOf(await timesAfter(desk, text, '--until', '2032-01-01'));
    assert.equal(found.map((one) => one.slice(0, 10)).join(' '), days);
  });

test('a date in a gap of daylight saving keeps its day, and an hour that comes twice is the first', async ({
  desk,
}) => {
  const daily = (uid: string, first: string) =>
    vevent(`UID:${uid}`, `SUMMARY:${uid}`, `DTSTART;TZID=Europe/Berlin:${first}T023000`, 'RRULE:FREQ=DAILY;COUNT=2');
  const found = await timesAfter(desk, calendar(daily('spring', '20300330'), daily('autumn', '20301026')));
  assert.equal(
    found.map((one) =>
      one
        .split(' | ')
        .filter((_, index) => index !== 1 && index < 3)
        .join(' | '),
    ),
    [
      '2030-03-30 02:30:00 | 2030-03-30 01:30:00',
      '2030-03-31 03:30:00 | 2030-03-31 01:30:00',
      '2030-10-26 02:30:00 | 2030-10-26 00:30:00',
      '2030-10-27 02:30:00 | 2030-10-27 00:30:00',
    ],
  );
});

test('the last instant of a rule is included, in any zone', async ({ desk }) => {
  const found = await timesAfter(desk, calendar(series('RRULE:FREQ=DAILY;UNTIL=20300327T090000Z')));
  assert.equal(startsOf(found), ['2030-03-25 10:00', '2030-03-26 10:00', '2030-03-27 10:00']);
});

test('single dates are added, left out and changed', async ({ desk }) => {
  const text = calendar(
    series(
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'RDATE;TZID=Europe/Berlin:20300501T100000',
      'EXDATE:20300401T080000Z',
      'EXDATE;VALUE=DATE:20300415',
    ),
    vevent(
      'UID:one@example.org',
      'RECURRENCE-ID:20300408T080000Z',
      'SUMMARY:Moved',
      'DTSTART;TZID=Europe/Berlin:20300409T150000',
    ),
  );
  assert.equal(startsOf(await timesAfter(desk, text)), ['2030-03-25 10:00', '2030-04-09 15:00', '2030-05-01 10:00']);
  const moved = (await eventsOf(desk)).filter(({ title }) => title === 'Moved');
  assert.is(moved.length, 1);
});

test('a rule without an end is followed for two years, or until a day', async ({ desk }) => {
  const monthly = calendar(single('DTSTART:20300115T100000Z', 'RRULE:FREQ=MONTHLY'));
  assert.is((await timesAfter(desk, monthly, '--until', '2030-06-30')).length, 6);
  // Two years from its first date.
  assert.is((await timesAfter(desk, monthly)).length, 25);
});

test('of a rule with too many occurrences the last are imported, with a note', () => {
  const hourly = calendar(single('DTSTART:20300101T000000Z', 'RRULE:FREQ=HOURLY;COUNT=1005'));
  const until = Date.UTC(2030, 5, 30) / 1000;
  const {
    readings: [...readings],
  } = readCalendar(hourly, {
    file: 'a.ics',
    site: null,
    siteZone: zoneNamed('UTC'),
    rules: 'expanded',
    until,
    most: 3,
  });
  assert.equal(
    readings.flatMap(({ plan }) => plan.events.map(({ input }) => input.times?.start)),
    [1002, 1003, 1004].map((hour) => Date.UTC(2030, 0, 1, hour) / 1000),
  );
  assert.equal(
    readings.flatMap(({ remarks = [] }) => remarks.map(({ text }) => text)),
    ['it repeats 1005 times until 2030-06-30; the last 3 are taken'],
  );
});

const ENDLESS = ['FREQ=SECONDLY', 'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30'];

for (const rule of ENDLESS)
  test(`a rule such as ${rule} is refused, and the rest is taken`, async ({ desk }) => {
    const text = calendar(
      single('DTSTART:20000101T000000Z', `RRULE:${rule}`),
      vevent('UID:two', 'SUMMARY:Two', 'DTSTART:20300301T100000Z'),
    );
    const { code, refused, events } = await desk.run(desk.file('a.ics', text));
    assert.is(code, 1);
    assert.is(refused.length, 1);
    assert.is(refused[0]?.name, 'One');
    assert.is(events?.created, 1);
  });

test('a day that a month has not is no day of the next one', async ({ desk }) => {
  const text = calendar(single('DTSTART:20300228T100000Z', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5'));
  assert.equal(startsOf(await timesAfter(desk, text, '--until', '2035-01-01')), ['2030-02-28 10:00']);
});

test('a second import changes what has changed, and nothing else', async ({ desk }) => {
  const text = (title: string) =>
    calendar(series('RRULE:FREQ=WEEKLY;COUNT=3')).replace('SUMMARY:One', `SUMMARY:${title}`);
  await desk.run(desk.file('a.ics', text('One')));
  const before = (await desk.log()).length;
  const same = await desk.run(desk.file('a.ics', text('One')));
  assert.is(same.events?.unchanged, 3);
  assert.is((await desk.log()).length, before);
  const renamed = await desk.run(desk.file('a.ics', text('Two')));
  assert.is(renamed.events?.changed, 3);
  // One fact of the series.
  assert.is((await desk.log()).length, before + 1);
  const longer = text('Two').replace('COUNT=3', 'COUNT=4');
  const { events } = await desk.run(desk.file('a.ics', longer));
  assert.equal([events?.created, events?.changed, events?.unchanged], [1, 0, 3]);
});

test('occurrences excluded later go to the trash, canceled ones are kept as canceled', async ({ desk }) => {
  const whole = calendar(series('RRULE:FREQ=WEEKLY;COUNT=3'));
  await desk.run(desk.file('a.ics', whole));
  const less = calendar(
    series('RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE;TZID=Europe/Berlin:20300401T100000'),
    vevent(
      'UID:one@example.org',
      'RECURRENCE-ID;TZID=Europe/Berlin:20300408T100000',
      'SUMMARY:One',
      'STATUS:CANCELLED',
      'DTSTART;TZID=Europe/Berlin:20300408T100000',
    ),
  );
  assert.is((await desk.run(desk.file('a.ics', less))).events?.changed, 2);
  const kept = await eventsOf(desk);
  assert.equal(startsOf(kept.map(times)), ['2030-03-25 10:00', '2030-04-08 10:00']);
  assert.equal(
    kept.map(({ event_status }) => event_status),
    [undefined, 'canceled'],
  );
  assert.is((await desk.run(desk.file('a.ics', less))).events?.changed, 0);
});

test('a canceled event that is not there yet is created as canceled, and confirmed by its calendar only', async ({
  desk,
}) => {
  const concert = (...lines: readonly string[]) =>
    desk.file(
      'b.ics',
      calendar(vevent('UID:x', 'SUMMARY:Concert', ...lines, 'DTSTART:20300301T100000Z', 'LOCATION:X')),
    );
  const statusOf = async () => (await eventsOf(desk)).map(({ event_status }) => event_status);
  const first = await desk.run(concert('STATUS:CANCELLED'));
  assert.equal([first.events, first.venues?.created], [row({ created: 1 }), 1]);
  assert.equal(await statusOf(), ['canceled']);
  assert.equal((await desk.run(concert('STATUS:CANCELLED'))).events, row({ unchanged: 1 }));
  await desk.run(concert());
  await desk.run(concert('STATUS:TENTATIVE'));
  assert.equal(await statusOf(), ['canceled']);
  await desk.run(concert('STATUS:CONFIRMED'));
  assert.equal(await statusOf(), ['scheduled']);
});

test('METHOD:CANCEL cancels what it has', async ({ desk }) => {
  const text = calendar(vevent('UID:x', 'SUMMARY:Concert', 'DTSTART:20300301T100000Z'));
  await desk.run(desk.file('a.ics', text));
  await desk.run(desk.file('a.ics', text.replace('BEGIN:VEVENT', 'METHOD:CANCEL\r\nBEGIN:VEVENT')));
  assert.is((await eventsOf(desk))[0]?.event_status, 'canceled');
});

test('of two versions of one event the higher sequence counts', async ({ desk }) => {
  const of = (title: string, sequence: number) =>
    vevent('UID:a', `SUMMARY:${title}`, `SEQUENCE:${sequence}`, 'DTSTART:20300301T100000Z');
  await desk.run(desk.file('a.ics', calendar(of('New', 10), of('Old', 9))));
  assert.equal(
    (await eventsOf(desk)).map(({ title }) => title),
    ['New'],
  );
});

test('private events stay private', async ({ desk }) => {
  await desk.run(desk.file('a.ics', calendar(single('DTSTART:20300301T100000Z', 'CLASS:CONFIDENTIAL'))));
  assert.equal(await eventsOf(desk), []);
  assert.ok((await desk.log()).some(({ type }) => type === 'EventMadePrivate'));
});

const PUBLICATIONS: readonly (readonly [line: string, status: string, note: string | null])[] = [
  ['STATUS:DRAFT', 'draft', null],
  ['STATUS:Entwurf', 'draft', null],
  ['STATUS:Privé', 'private', null],
  ['STATUS:X-SECRET', 'draft', 'taken as a draft: its status "X-SECRET" is not known'],
  ['STATUS:needs-action', 'publish', null],
  ['STATUS:TENTATIVE', 'publish', null],
  ['CLASS:X-INTERNAL', 'private', null],
  ['CLASS:public', 'publish', null],
  ['X-CALENDARSERVER-ACCESS:RESTRICTED', 'private', null],
  ['X-CALENDARSERVER-ACCESS:PUBLIC', 'publish', null],
];

for (const [line, status, note] of PUBLICATIONS)
  test(`what ${line} says of who may see an event is told or followed`, async ({ desk }) => {
    const { notes } = await desk.run(desk.file('a.ics', calendar(single('DTSTART:20300301T100000Z', line))));
    assert.equal(
      notes.map(({ reason }) => reason),
      note === null ? [] : [note],
    );
    const types = (await desk.log()).map(({ type }) => type);
    assert.is(types.includes('EventPublished'), status === 'publish');
    assert.is(types.includes('EventMadePrivate'), status === 'private');
  });

const BROKEN: readonly (readonly [line: string, reason: RegExp])[] = [
  ['X-NOTHING:1', /^no DTSTART$/],
  ['DTSTART:tomorrow', /^DTSTART "tomorrow" is not a date and time$/],
  ['DTSTART:20300231T100000Z', /is not a date and time/],
  ['DTSTART;TZID=Middle Earth:20300301T100000', /^the time zone "Middle Earth" is not known$/],
];

for (const [line, reason] of BROKEN)
  test(`an event with ${JSON.stringify(line)} is refused in one line, and the rest is taken`, async ({ desk }) => {
    const text = calendar(single(line), vevent('UID:two', 'SUMMARY:Two', 'DTSTART:20300301T100000Z'));
    const { code, refused, events } = await desk.run(desk.file('a.ics', text));
    assert.is(code, 1);
    assert.is(refused.length, 1);
    assert.equal([refused[0]?.kind, refused[0]?.name, refused[0]?.index], ['event', 'One', 0]);
    assert.match(refused[0]?.reason ?? '', reason);
    assert.not.match(refused[0]?.reason ?? '', '\n');
    assert.is(events?.created, 1);
  });

test('a file that breaks off, or is put together wrongly, is refused as a whole', async ({ desk }) => {
  const whole = calendar(single('DTSTART:20300301T100000Z'), vevent('UID:b', 'SUMMARY:B', 'DTSTART:20300302T100000Z'));
  const bad: readonly (readonly [text: string, reason: RegExp])[] = [
    [whole.slice(0, whole.lastIndexOf('END:VCALENDAR')), /breaks off without END:VCALENDAR/],
    [whole.slice(0, -5), /breaks off in END:VCALENDAR/],
    [whole.slice(0, whole.lastIndexOf('DTSTART')), /breaks off without END:VEVENT/],
    [whole.replace('END:VEVENT\r\n', ''), /a VEVENT begins within another, in line \d+$/],
    [whole.replace(/END:VEVENT\r\n(?=END:VCALENDAR)/, ''), /END:VCALENDAR where END:VEVENT belongs/],
    ['<html></html>', /HTML/],
  ];
  for (const [text, reason] of bad) {
    const { code, refused } = await desk.run(desk.file('a.ics', text));
    assert.is(code, 1);
    assert.is(refused.length, 1);
    assert.match(refused[0]?.reason ?? '', reason);
    assert.equal(await desk.log(), []);
  }
});

test('text that is no UTF-8 is taken as Windows-1252', async ({ desk }) => {
  const file = desk.file('a.ics', '');
  writeFileSync(file, Buffer.from(calendar(single('DTSTART:20300301T100000Z')).replace('One', 'Café'), 'latin1'));
  await desk.run(file);
  assert.is((await eventsOf(desk))[0]?.title, 'Café');
});

test('a SEQUENCE is a number of any size', async ({ desk }) => {
  const version = (uid: string, sequence: string, title: string) =>
    vevent(`UID:${uid}`, `SEQUENCE:${sequence}`, `SUMMARY:${title}`, 'DTSTART:20300301T100000Z');
  await desk.run(
    desk.file(
      'a.ics',
      calendar(
        ...[version('one', '9999999999', 'older'), version('one', '1792346234567', 'newer')],
        ...[version('two', '10', 'newer'), version('two', '9', 'older'), version('two', 'x', 'none')],
      ),
    ),
  );
  const { events } = await desk.get('/events?start_date=2030-01-01&end_date=2031-01-01');
  assert.equal(
    (events as Json[]).map(({ title }) => title),
    ['newer', 'newer'],
  );
});

test.run();
