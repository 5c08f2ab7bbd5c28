// Calendars in JSON: jCal, JSCalendar and the feeds of FullCalendar; pages that are not all; and what takes time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { priceIn } from '../../../src/calendar/event/domain/price.ts';
import { openImportSummary } from '../../../src/exchange/import/import-summary.ts';
import { SILENT } from '../../../src/exchange/import/progress.ts';
import { readAll } from '../../../src/exchange/import/read-all.ts';
import { DEFAULT_LIMITS } from '../../../src/exchange/import/read-source.ts';
import { zoneNamed } from '../../support/given.ts';

const test = suite('calendars in JSON');
const NOW = Date.UTC(2027, 0, 1) / 1000;

const folder = mkdtempSync(path.join(tmpdir(), 'daybook-json-calendars-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Each event as a line, and what is said of the records. */
async function read(content: unknown, name = 'calendar.json') {
  const file = path.join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  const summary = openImportSummary();
  const { plan } = await readAll(
    {
      ...{ sources: [file], limits: DEFAULT_LIMITS, authors: 'drop', html: 'cleaned', rules: 'kept' },
      display: { signBefore: '', signAfter: '', freeLabel: 'Free', siteZone: zoneNamed('Europe/Berlin') },
      ...{ until: NOW + 730 * 86_400, ownOrigin: null, now: NOW },
    },
    summary,
    SILENT,
  );
  const venues = new Map(plan.venues.map(({ origin, input }) => [origin.key, input]));
  const terms = new Map(plan.terms.map(({ origin, name }) => [origin.key, name]));
  const events = [...plan.events].map(({ input, venues: keys = [], categories = [], series }) => ({
    input,
    venues: keys.map((key) => venues.get(key)),
    categories: categories.map((key) => terms.get(key)),
    when: `${input.title} ${input.times?.start} to ${input.times?.end}${input.times?.allDay ? ', whole' : ''}`,
    repeating: series?.repeating,
    changed: series?.overrides.map(([date, one]) => `${date}: ${one.input.title} ${one.input.times?.start}`),
  }));
  const said = ({ reason }: { readonly reason: string }): string => reason;
  return { events, refused: summary.refused.map(said), notes: summary.notes.map(said) };
}

const BERLIN = { tzid: 'Europe/Berlin' };

test('an end that cannot be read costs the end alone, in each format', async () => {
  const start = '2027-06-10T20:00:00';
  const whole = { '@context': 'https://schema.org', '@type': 'Event', name: 'A', startDate: start };
  const ical = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:a', 'SUMMARY:A', 'DTSTART:20270610T200000', 'DTEND:open end'];
  const jcal = [
    ['summary', {}, 'text', 'A'],
    ['dtstart', {}, 'date-time', start],
    ['dtend', {}, 'date-time', 'open end'],
  ];
  const forms: readonly (readonly [name: string, content: unknown, note: string])[] = [
    ['a.tsv', `title\tstart\tend\nA\t${start}\topen end\n`, 'end'],
    ['list.json', [{ title: 'A', start, end: 'open end' }], 'end'],
    ['google.json', { items: [{ summary: 'A', start: { dateTime: start }, end: { dateTime: 'open end' } }] }, 'end'],
    ['linked.json', { ...whole, endDate: 'open end' }, 'end'],
    [
      'a.html',
      `<script type="application/ld+json">${JSON.stringify({ ...whole, endDate: 'open end' })}</script>`,
      'end',
    ],
    [
      'api.json',
      { events: [{ id: 5, title: 'A', start_date: start.replace('T', ' '), end_date: 'open end', all_day: false }] },
      'end_date',
    ],
    ['a.ics', [...ical, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n'), 'DTEND in line 6'],
    ['jcal.json', ['vcalendar', [], [['vevent', jcal, []]]], 'DTEND in line 5'],
    ['js.json', { '@type': 'Event', title: 'A', start, duration: 'open end' }, 'DURATION in line 5'],
  ];
  for (const [name, content, property] of forms) {
    const { events, refused, notes } = await read(content, name);
    assert.equal(
      { name, refused, events: events.map(({ when }) => when.replace(/ GMT.*/, '')) },
      { name, refused: [], events: ['A 2027-06-10 20:00:00 to 2027-06-10 20:00:00'] },
    );
    assert.match(notes.join('\n'), new RegExp(`^taken without its ${property}: "open ?end" `, 'm'), name);
    assert.is(notes.length, 1, notes.join());
  }
});

test('a list in place of a text of jCal is joined as in a line', async () => {
  const concert = [
    ['summary', {}, 'text', ['Concert', 'big; one']],
    ['dtstart', {}, 'date-time', '2027-06-12T20:00:00'],
    ['location', {}, 'text', ['Old Mill', 'Bonn']],
    ['description', {}, 'text', ['Doors', ['at 7']], 'or 8'],
    ['categories', {}, 'text', ['Jazz', 'Live'], 'Late, late'],
    ['rdate', {}, 'period', ['2027-06-19T20:00:00', 'PT1H']],
    ['url', {}, 'uri', 'https://hall.example/'],
  ];
  const { events, refused, notes } = await read(['vcalendar', [], [['vevent', concert, []]]]);
  const [first] = events;
  const { title, description, website } = first?.input ?? {};
  assert.equal(
    { title, description, website, names: first?.venues.map((venue) => venue?.name), refused, notes },
    {
      ...{ title: 'Concert,big; one', description: 'Doors,at 7,or 8', website: 'https://hall.example/' },
      ...{ names: ['Old Mill,Bonn'], refused: [], notes: [] },
    },
  );
  assert.is(first?.repeating?.added.length, 1);
  assert.equal(first?.categories, ['Jazz', 'Live', 'Late, late']);
});

test('jCal is read as the iCalendar that it is', async () => {
  const concert = [
    ['uid', {}, 'text', 'a@hall.example'],
    ['summary', {}, 'text', 'Concert, big; one'],
    ['dtstart', BERLIN, 'date-time', '2027-06-10T20:00:00'],
    ['dtend', BERLIN, 'date-time', '2027-06-10T22:00:00'],
    ['rrule', {}, 'recur', { freq: 'WEEKLY', until: '2027-07-10', byday: ['MO', 'TH'] }],
    ['exdate', BERLIN, 'date-time', '2027-06-17T20:00:00'],
    ['location', {}, 'text', 'Old Mill'],
    ['geo', {}, 'float', [52.5, 13.4]],
  ];
  const fair = [
    ['summary', {}, 'text', 'Fair'],
    ['dtstart', {}, 'date', '2027-06-12'],
    ['duration', {}, 'duration', 'P2D'],
    ['geo', {}, 'float', ['north']],
    ['rrule', {}, 'recur', 'FREQ=DAILY;INTERVAL=2;COUNT=3'],
  ];
  const calendar = ['vcalendar', [['version', {}, 'text', '2.0']], [concert, fair].map((one) => ['vevent', one, []])];
  for (const content of [calendar, [calendar]]) {
    const { events, refused, notes } = await read(content);
    const [first] = events;
    assert.equal(
      events.map(({ when }) => when),
      ['Concert, big; one 2027-06-10 20:00:00 to 2027-06-10 22:00:00', 'Fair 2027-06-12 to 2027-06-13, whole'],
    );
    assert.equal(first?.repeating, {
      ...{ rules: ['FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20270710'], added: [], skipped: ['2027-06-17 20:00:00'] },
    });
    assert.equal(events[1]?.repeating?.rules, ['FREQ=DAILY;INTERVAL=2;COUNT=3'], 'a rule as a text');
    assert.equal(first?.venues, [{ name: 'Old Mill', coordinates: { lat: 52.5, lng: 13.4 } }]);
    assert.equal(refused, []);
    assert.match(notes.join(), /^taken without its GEO in line \d+: "north" cannot be read$/, 'it costs itself alone');
  }
});

test('JSCalendar: rules, changed dates, places, privacy', async () => {
  const choir = {
    ...{ '@type': 'Event', uid: '1', title: 'Choir', start: '2027-06-10T20:00:00', timeZone: 'Europe/Berlin' },
    ...{ duration: 'PT2H', status: 'confirmed', privacy: 'public', keywords: { Music: true } },
    recurrenceRules: [{ '@type': 'RecurrenceRule', frequency: 'weekly', count: 4, byDay: [{ day: 'th' }] }],
    recurrenceOverrides: {
      '2027-06-17T20:00:00': { excluded: true },
      '2027-06-24T20:00:00': { title: 'Open choir', start: '2027-06-24T21:00:00', 'locations/1/name': 'New Hall' },
    },
    locations: { 1: { name: 'Old Mill', coordinates: 'geo:52.5,13.4' } },
    virtualLocations: { a: { uri: 'https://meet.google.com/abc-defg-hij' } },
    links: {
      a: { href: 'https://hall.example/a.jpg', contentType: 'image/jpeg' },
      b: { href: 'https://hall.example/' },
    },
  };
  const days = { '@type': 'Event', uid: '2', title: 'Days', start: '2027-06-10T00:00:00', showWithoutTime: true };
  const entries = [
    choir,
    { ...days, duration: 'P2D', privacy: 'secret' },
    { '@type': 'Task', uid: '3', title: 'Task' },
  ];
  const { events, refused } = await read({ '@type': 'Group', uid: 'g', entries });
  const [first, second] = events;
  assert.equal(
    events.map(({ when }) => when),
    ['Choir 2027-06-10 20:00:00 to 2027-06-10 22:00:00', 'Days 2027-06-10 to 2027-06-11, whole'],
  );
  assert.equal(first?.repeating, {
    ...{ rules: ['FREQ=WEEKLY;COUNT=4;BYDAY=TH'], added: [], skipped: ['2027-06-17 20:00:00'] },
  });
  assert.equal(first?.changed, ['2027-06-24 20:00:00: Open choir 2027-06-24 21:00:00']);
  assert.equal(first?.venues, [{ name: 'Old Mill', coordinates: { lat: 52.5, lng: 13.4 } }]);
  const { image, website, online, status } = first?.input ?? {};
  assert.equal(
    { image, website, url: online?.virtualUrl, status },
    {
      ...{ image: 'https://hall.example/a.jpg', website: 'https://hall.example/' },
      ...{ url: 'https://meet.google.com/abc-defg-hij', status: undefined },
    },
  );
  assert.is(second?.input.status, 'private');
  assert.equal(refused, []);
});

test('FullCalendar: ends of whole days, members of its own, rules, backgrounds', async () => {
  const { events, refused } = await read([
    {
      ...{ id: 1, title: 'Fair', start: '2027-06-10', end: '2027-06-12', allDay: true },
      extendedProps: { description: 'Large', location: 'Old Mill' },
    },
    { id: 2, title: 'Day', start: '2027-06-13', end: '2027-06-13', allDay: true },
    {
      ...{ id: 3, title: 'Weekly', duration: '02:00' },
      rrule: { freq: 'weekly', byweekday: ['mo', 'fr'], dtstart: '2027-02-02T10:30:00', until: '2027-03-01' },
    },
    {
      ...{ id: 4, title: 'Lessons', daysOfWeek: ['1', 3], startTime: '18:00', endTime: '19:30', allDay: false },
      ...{ startRecur: '2027-06-01', endRecur: '2027-07-01' },
    },
    { id: 5, title: 'Holiday', start: '2027-06-11', display: 'background', allDay: true },
    { id: 6, title: 'Text', rrule: 'DTSTART:20270201T103000Z\nRRULE:FREQ=WEEKLY', allDay: false },
  ]);
  assert.equal(
    events.map(({ when, repeating }) => [when, ...(repeating?.rules ?? [])].join(', ')),
    [
      'Fair 2027-06-10 to 2027-06-11, whole',
      'Day 2027-06-13 to 2027-06-13, whole',
      'Weekly 2027-02-05 10:30:00 to 2027-02-05 12:30:00, FREQ=WEEKLY;BYDAY=MO,FR;UNTIL=20270301',
      'Lessons 2027-06-02 18:00:00 to 2027-06-02 19:30:00, FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20270630T235959',
    ],
  );
  assert.equal([events[0]?.input.description, events[0]?.venues], ['Large', [{ name: 'Old Mill' }]]);
  assert.match(refused.join('\n'), /^it is a background of its calendar, and no event\nit repeats, and its dates/);
});

test('a page of several says so, and a country has its name', async () => {
  const meeting = { title: 'A', dateTime: '2027-06-10T20:00:00+02:00', id: '1' };
  const one = 'it is one page of several, and the others are not read';
  const group = (hasNextPage: boolean) => ({
    data: { group: { events: { pageInfo: { hasNextPage, endCursor: 'x' }, edges: [{ node: meeting }] } } },
  });
  assert.equal((await read(group(true))).notes, [one], 'a cursor of GraphQL');
  assert.equal((await read(group(false))).notes, []);
  const google = { id: '1', summary: 'A', start: { date: '2027-06-10' }, end: { date: '2027-06-11' } };
  assert.equal((await read({ items: [google], nextPageToken: 'two' })).notes, [one], 'a saved page');
  const place = { name: 'Hall', address: { addressLocality: 'Berlin', addressCountry: 'DE' } };
  const { events } = await read([{ '@type': 'Event', name: 'A', startDate: '2027-06-10', location: place }]);
  assert.equal(events[0]?.venues, [{ name: 'Hall', city: 'Berlin', country: 'Germany' }]);
});

test('many rules of one event are named, and do not take their time', async () => {
  const rules = 'RRULE:FREQ=WEEKLY;COUNT=2\r\n'.repeat(5_000);
  const event = `BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:A\r\nDTSTART:20270610T200000Z\r\n${rules}END:VEVENT\r\n`;
  const { events, notes } = await read(`BEGIN:VCALENDAR\r\n${event}END:VCALENDAR\r\n`, 'rules.ics');
  assert.is(events.length, 2, 'its two dates');
  assert.is(notes.filter((note) => note.endsWith('it is one of more than 20')).length, 100);
});

/** Where time grew by the square of the length, this was half a minute and more. */
test('prices of any length are read at once', () => {
  const LENGTH = 200_000;
  for (const text of ['0'.repeat(LENGTH), `5${' '.repeat(LENGTH)}x6`, '5k'.repeat(LENGTH / 2)]) {
    const before = process.cpuUsage();
    priceIn(text);
    assert.ok(process.cpuUsage(before).user < 5_000_000, text.slice(0, 5));
  }
});

test('JSCalendar: addresses with commas stay as they are, and what is private in words of its own is not published', async () => {
  const event = {
    '@type': 'Event',
    title: 'Tea',
    start: '2027-06-10T20:00:00',
    timeZone: 'Europe/Berlin',
    duration: 'PT1H',
  };
  const page = 'https://hall.example/tea,1;2?a=b';
  const picture = { href: 'https://hall.example/w_300,h_200/tea.jpg', contentType: 'image/jpeg' };
  const { events } = await read([
    { ...event, uid: 'a', links: { page: { href: page }, picture } },
    { ...event, uid: 'b', privacy: 'hall.example:members' },
    { ...event, uid: 'c', privacy: 'public' },
  ]);
  assert.equal(
    events.map(({ input }) => [input.website, input.image, input.status]),
    [
      [page, picture.href, undefined],
      [undefined, undefined, 'private'],
      [undefined, undefined, undefined],
    ],
  );
});

test('FullCalendar: what cannot be read costs that event alone', async () => {
  const weekly = { title: 'Choir', allDay: false, daysOfWeek: [4], startRecur: '2027-06-01', startTime: '20:00' };
  const rrule = { freq: 'weekly', dtstart: '2027-06-10T20:00:00', count: 2 };
  const { events, refused } = await read([
    { ...weekly, id: 1, endRecur: 'soon' },
    { ...weekly, id: 2, startRecur: '2027-13-45' },
    { title: 'Tea', id: 3, rrule, duration: { hours: 'two' } },
    { title: 'Pie', id: 6, rrule, duration: { hours: 0.0001 } },
    { title: 'Cake', id: 4, rrule: { ...rrule, dtstart: '2027-02-31T20:00:00' } },
    { title: 'Jam', id: 5, allDay: false, start: '2027-06-10T20:00:00', end: '2027-06-10T21:00:00' },
  ]);
  assert.equal([events.map(({ input }) => input.title), refused.length], [['Jam'], 5]);
});

test.run();
