// Canceled and postponed events of other calendars are kept as such, with their notices.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Desk, type Json, openDesk, row } from './desk.ts';

const test = suite<{ desk: Desk }>('import of canceled events');

test.before.each(async (context) => {
  context.desk = await openDesk();
});
test.after.each(({ desk }) => desk.close());

const record = (id: number, members: object) => ({
  id,
  global_id: `calendar.example.org?id=${id}`,
  title: `Event ${id}`,
  start_date: '2030-03-01 10:00:00',
  end_date: '2030-03-01 11:00:00',
  ...members,
});

async function shown(desk: Desk): Promise<readonly Json[]> {
  const { events } = await desk.get('/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50');
  return (events as Json[]).toSorted((one, other) => String(one.title).localeCompare(String(other.title)));
}

const NOTICES = [
  {
    type: 'rescheduled',
    text: 'The hall is closed',
    date: '2030-01-02 05:00:00',
    date_utc: '2030-01-02 04:00:00',
    previous_start_date: '2030-02-01 10:00:00',
    previous_utc_start_date: '2030-02-01 09:00:00',
  },
  { type: 'canceled', text: '', date: '2030-01-03 05:00:00', date_utc: '2030-01-03 04:00:00' },
];

test('answers of an API keep status, notices and earlier starts, and import again without a change', async ({
  desk,
}) => {
  const events = [
    record(1, { event_status: 'canceled', notices: NOTICES, previous_start_date: '2030-02-01 10:00:00' }),
    record(2, { json_ld: { eventStatus: 'https://schema.org/EventPostponed' } }),
    record(3, {}),
  ];
  const file = desk.file('events.json', JSON.stringify({ events }));
  assert.equal((await desk.run(file)).events, row({ created: 3 }));
  const all = await shown(desk);
  assert.equal(
    all.map(({ event_status }) => event_status),
    ['canceled', 'postponed', undefined],
  );
  const [{ notices, previous_start_date, is_virtual } = {}] = all;
  const undated = (list: unknown) => (list as Json[]).map(({ date: _date, ...rest }) => rest);
  assert.equal(undated(notices), undated(NOTICES));
  assert.equal([previous_start_date, is_virtual], ['2030-02-01 10:00:00', undefined]);
  assert.equal((await desk.run(file)).events, row({ unchanged: 3 }));
});

test('a source that moves an event that is public here leaves a trace', async ({ desk }) => {
  const file = (start: string) =>
    desk.file('events.json', JSON.stringify({ events: [record(1, { start_date: start, end_date: start })] }));
  await desk.run(file('2030-03-01 10:00:00'));
  await desk.run(file('2030-03-02 10:00:00'));
  assert.is((await shown(desk))[0]?.previous_start_date, '2030-03-01 10:00:00');
});

test('a table says it in its column of states, or in one of its own', async ({ desk }) => {
  const table = (lines: readonly string[]) => desk.file('events.csv', lines.join('\n'));
  const byStatus = [
    'id,title,start,status',
    'a,A,2030-03-01 10:00,Cancelled',
    'b,B,2030-03-01 10:00,postponed',
    'c,C,2030-03-01 10:00,publish',
  ];
  await desk.run(table(byStatus));
  const states = async () => (await shown(desk)).map(({ event_status }) => event_status);
  assert.equal(await states(), ['canceled', 'postponed', undefined]);
  assert.equal((await desk.run(table(byStatus))).events, row({ unchanged: 3 }));
  await desk.run(
    table(['id,title,start,event_status', 'a,A,2030-03-01 10:00,scheduled', 'c,C,2030-03-01 10:00,canceled']),
  );
  assert.equal(await states(), ['scheduled', 'postponed', 'canceled']);
});

test.run();
