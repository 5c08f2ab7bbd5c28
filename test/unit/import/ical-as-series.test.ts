// Calendars whose rules are kept: imported, imported again, changed at either end, reverted.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Desk, type Json, openDesk } from './desk.ts';

const test = suite<{ desk: Desk }>('iCalendar files as series');

test.before.each(async (context) => {
  context.desk = await openDesk();
});
test.after.each(({ desk }) => desk.close());

const vevent = (...lines: readonly string[]): string =>
  ['BEGIN:VEVENT', 'UID:one@example.org', 'DTSTAMP:20300101T000000Z', ...lines, 'END:VEVENT'].join('\r\n');

const calendar = (...events: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Daybook//tests//EN', ...events, 'END:VCALENDAR', ''].join('\r\n');

const BERLIN = (name: string, at: string): string => `${name};TZID=Europe/Berlin:${at}`;
const TIMES = [BERLIN('DTSTART', '20300304T190000'), BERLIN('DTEND', '20300304T210000')];

const weekly = (...lines: readonly string[]): string =>
  vevent('SUMMARY:Choir', ...TIMES, 'RRULE:FREQ=WEEKLY;COUNT=5', ...lines);

const MOVED = vevent(
  'SUMMARY:Choir\\, in the park',
  BERLIN('RECURRENCE-ID', '20300311T190000'),
  BERLIN('DTSTART', '20300312T180000'),
  BERLIN('DTEND', '20300312T200000'),
);

interface Shown {
  readonly id: number;
  readonly title: string;
  readonly start_date: string;
  readonly event_status?: string;
  readonly post_parent?: number;
  readonly series?: { readonly id: number; readonly index: number; readonly is_override: boolean };
}

async function shown(desk: Desk): Promise<readonly Shown[]> {
  const { events } = await desk.get('/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50');
  return events as readonly Shown[]; // As the API answers.
}

const startsOf = async (desk: Desk): Promise<string[]> =>
  (await shown(desk)).map(({ start_date }) => start_date.slice(0, 16));

const imported = (desk: Desk, ...events: readonly string[]) => desk.run(desk.file('a.ics', calendar(...events)));

test('an event that repeats becomes one series, whose dates are counted as events', async ({ desk }) => {
  const { events, notes, refused } = await imported(desk, weekly(BERLIN('EXDATE', '20300318T190000')), MOVED);
  assert.equal([events?.created, events?.changed, notes, refused], [4, 0, [], []]);
  const found = await shown(desk);
  assert.equal(
    found.map(({ title, start_date, series }) => [title, start_date.slice(0, 16), series?.is_override]),
    [
      ['Choir', '2030-03-04 19:00', false],
      ['Choir, in the park', '2030-03-12 18:00', true],
      ['Choir', '2030-03-25 19:00', false],
      ['Choir', '2030-04-01 19:00', false],
    ],
  );
  assert.is(new Set(found.map(({ series }) => series?.id)).size, 1);
});

test('a second run finds the series again, and writes nothing if nothing has changed', async ({ desk }) => {
  await imported(desk, weekly(), MOVED);
  const before = (await desk.log()).length;
  const { events } = await imported(desk, weekly(), MOVED);
  assert.equal([events?.created, events?.changed, events?.unchanged], [0, 0, 5]);
  assert.is((await desk.log()).length, before);
});

test('a dry run counts what would be written, of a new series and of one that is there', async ({ desk }) => {
  const dry = async (...events: readonly string[]) =>
    (await desk.run(desk.file('b.ics', calendar(...events)), '--dry-run')).events;
  assert.is((await dry(weekly(), MOVED))?.created, 5);
  assert.equal(await desk.log(), []);
  await imported(desk, weekly());
  const before = (await desk.log()).length;
  const longer = await dry(weekly().replace('COUNT=5', 'COUNT=6'), MOVED);
  assert.equal([longer?.created, longer?.changed, longer?.unchanged], [1, 1, 4]);
  assert.is((await desk.log()).length, before);
});

test('rules, times and texts follow the calendar, and dates keep their ids', async ({ desk }) => {
  await imported(desk, weekly());
  const ids = (await shown(desk)).map(({ id }) => id);
  const later = weekly()
    .replaceAll('T190000', 'T200000')
    .replaceAll('T210000', 'T213000')
    .replace('COUNT=5', 'COUNT=4');
  const { events, notes } = await imported(desk, later.replace('SUMMARY:Choir', 'SUMMARY:Singing'));
  assert.equal([events?.created, events?.changed, notes], [0, 5, []]);
  const found = await shown(desk);
  assert.equal(
    found.map(({ id }) => id),
    ids.slice(0, 4),
  );
  assert.equal(
    found.map(({ title, start_date }) => `${title} ${start_date.slice(11, 16)}`),
    Array(4).fill('Singing 20:00'),
  );
});

test('a date that a calendar had canceled takes place again once it says so no more', async ({ desk }) => {
  const canceled = vevent(BERLIN('RECURRENCE-ID', '20300311T190000'), 'STATUS:CANCELLED');
  const statuses = async () => (await shown(desk)).map(({ event_status = 'scheduled' }) => event_status);
  await imported(desk, weekly(), canceled);
  assert.is((await statuses())[1], 'canceled');
  await imported(desk, weekly());
  assert.equal(await statuses(), Array(5).fill('scheduled'));
});

test('dates with a length of their own, and all that follow a change, are dates of the series', async ({ desk }) => {
  const periods = BERLIN('RDATE;VALUE=PERIOD', '20300307T190000/PT45M');
  const following = vevent(
    ...['SUMMARY:Choir at eight', BERLIN('RECURRENCE-ID;RANGE=THISANDFUTURE', '20300318T190000')],
    ...[BERLIN('DTSTART', '20300318T200000'), BERLIN('DTEND', '20300318T220000')],
  );
  const { events, notes } = await imported(desk, weekly(periods), following);
  assert.equal([events?.created, notes], [6, []]);
  const all = await desk.get('/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50');
  assert.equal(
    (all.events as readonly Json[]).map(({ title, start_date, end_date }) => [title, start_date, end_date]),
    [
      ['Choir', '2030-03-04 19:00:00', '2030-03-04 21:00:00'],
      ['Choir', '2030-03-07 19:00:00', '2030-03-07 19:45:00'],
      ['Choir', '2030-03-11 19:00:00', '2030-03-11 21:00:00'],
      ['Choir at eight', '2030-03-18 20:00:00', '2030-03-18 22:00:00'],
      ['Choir at eight', '2030-03-25 20:00:00', '2030-03-25 22:00:00'],
      ['Choir at eight', '2030-04-01 20:00:00', '2030-04-01 22:00:00'],
    ],
  );
  const again = await imported(desk, weekly(periods), following);
  assert.equal([again.events?.changed, again.events?.unchanged], [0, 6]);
  const endless = weekly(periods).replace(';COUNT=5', '');
  const { notes: open } = await imported(desk, endless, following);
  assert.equal(
    open.map(({ reason }) => reason),
    ['it changes all later dates; those until 2032-03-04 were changed'],
  );
  // As far as there are dates.
  const { events: last } = await desk.get('/events?start_date=2032-02-20&end_date=2032-03-30&per_page=50');
  assert.equal(
    (last as readonly Json[]).map(({ title, start_date }) => [title, start_date]),
    [
      ['Choir at eight', '2032-02-23 20:00:00'],
      ['Choir at eight', '2032-03-01 20:00:00'],
    ],
  );
});

test('dates that were taken as single events by an earlier run stay single events', async ({ desk }) => {
  const file = desk.file('a.ics', calendar(weekly(), MOVED));
  await desk.run(file, '--until', '2031-01-01');
  const ids = (await shown(desk)).map(({ id }) => id);
  const { events } = await desk.run(file);
  assert.equal([events?.created, events?.unchanged], [0, 5]);
  const found = await shown(desk);
  assert.equal(
    found.map(({ id, series }) => [id, series]),
    ids.map((id) => [id, undefined]),
  );
});

test('a rule that cannot be kept is followed by single events, and the reason is said', async ({ desk }) => {
  const utc = vevent('SUMMARY:Call', 'DTSTART:20300304T190000Z', 'RRULE:FREQ=WEEKLY;COUNT=3');
  const paris = calendar('X-WR-TIMEZONE:Europe/Paris', utc);
  const { events, notes } = await desk.run(desk.file('a.ics', paris));
  assert.is(events?.created, 3);
  assert.match(
    notes[0]?.reason ?? '',
    /^taken as single events: it repeats by another clock than that of Europe\/Paris$/,
  );
});

test('a series by the clock of UTC is followed by a site in UTC', async ({ desk }) => {
  const utc = (rule: string) => vevent('SUMMARY:Call', 'DTSTART:20300304T190000Z', `RRULE:${rule}`);
  await imported(desk, utc('FREQ=WEEKLY;COUNT=3'));
  const { events, notes } = await imported(desk, utc('FREQ=WEEKLY;COUNT=4'));
  assert.equal([events?.created, events?.unchanged, notes], [1, 3, []]);
});

test('a calendar of another day or zone is followed, and says so', async ({ desk }) => {
  await imported(desk, weekly());
  const starts = await startsOf(desk);
  const { notes } = await imported(desk, weekly().replaceAll('20300304T', '20300305T'));
  assert.match(notes[0]?.reason ?? '', /^it begins on another day or in another time zone now/);
  assert.not.equal(await startsOf(desk), starts);
  assert.is((await startsOf(desk))[0], '2030-03-05 19:00');
});

test('the calendar of an import has its series in lists, with the series as the parent', async ({ desk }) => {
  await imported(desk, weekly());
  const { events } = (await desk.get('/events?start_date=2030-03-01&per_page=1')) as { events: readonly Json[] };
  const [event] = events;
  assert.is(event?.post_parent, (event?.series as { id: number } | undefined)?.id);
});

test.run();
