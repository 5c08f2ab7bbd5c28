import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openRoom, type Room } from '../export/log-room.ts';
import { type Desk, fixture, openDesk } from './desk.ts';

const test = suite<{ desk: Desk; room: Room }>('one correlation id for a run');

test.before.each(async (context) => {
  context.desk = await openDesk();
  context.room = openRoom();
});
test.after.each(async ({ desk, room }) => {
  await desk.close();
  await room.close();
});

const CALENDAR = `BEGIN:VCALENDAR
BEGIN:VEVENT
UID:1@example.org
SUMMARY:Tea
DTSTART:20300301T100000Z
RRULE:FREQ=DAILY;COUNT=2
LOCATION:Hall
CONTACT:Maria
CATEGORIES:Food
ATTACH;FMTTYPE=image/png:https://example.org/a.png
END:VEVENT
BEGIN:VEVENT
UID:2@example.org
SUMMARY:Cake
DTSTART:20300302T100000Z
END:VEVENT
END:VCALENDAR
`;

test('every event of a run has the correlation id of its last line, reservations included', async ({ desk, room }) => {
  const site = room.site('other');
  await site.import(fixture('events.json'));
  const exported = desk.file('export.jsonl', (await site.export()).written);
  const conference = [{ name: 'Conf', startDate: '2030-05-01', endDate: '2030-05-02', city: 'Graz', online: true }];
  const sources = [fixture('events.json'), desk.file('a.ics', CALENDAR), desk.file('lists.json', conference), exported];
  for (const source of sources) {
    const before = (await desk.log()).length;
    const { correlation_id, code, refused } = await desk.run(source);
    assert.equal([code, refused], [0, []]);
    const added = (await desk.log()).slice(before);
    const kinds = new Set(added.map(({ stream }) => stream.replace(/-.*/, '')));
    for (const kind of ['event', 'slug', 'request', 'ids']) assert.ok(kinds.has(kind), `${source}: ${kind}`);
    assert.equal([...new Set(added.map(({ metadata }) => metadata.correlationId))], [correlation_id]);
  }
});

test('the last line has it', async ({ desk }) => {
  const { lines } = await desk.say(desk.file('a.ics', CALENDAR));
  assert.is(lines.at(-1), `correlation id: ${(await desk.log())[0]?.metadata.correlationId}`);
});

test.run();
