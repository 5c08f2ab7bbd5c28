// Records are known by their source and their UID: other sources may use the same UID for events of their own.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCalendarEvent } from '../../../src/commands/events.ts';
import { IMPORTER } from '../../../src/import/write/writing.ts';
import { type Desk, type Json, NOW, openDesk } from './desk.ts';

const test = suite<{ desk: Desk }>('identity of imported records');

test.before.each(async (context) => {
  context.desk = await openDesk();
});
test.after.each(({ desk }) => desk.close());

const vevent = (title: string, day: string, ...lines: readonly string[]): string =>
  [
    ...['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20300101T000000Z', `SUMMARY:${title}`],
    ...[`DTSTART:${day}T190000Z`, `DTEND:${day}T210000Z`, ...lines, 'END:VEVENT'],
  ].join('\r\n');

const calendar = (...events: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Daybook//tests//EN', ...events, 'END:VCALENDAR', ''].join('\r\n');

async function shown(desk: Desk): Promise<readonly string[]> {
  const { events } = await desk.get('/events?start_date=2030-01-01&end_date=2032-01-01&per_page=50');
  return (events as Json[]).map(({ title, start_date }) => `${String(start_date).slice(0, 10)} ${title}`);
}

test('two calendars that use the same UID stay two, and each changes its own event', async ({ desk }) => {
  const theatre = (title: string) => desk.file('theatre.ics', calendar(vevent(title, '20300304')));
  const museum = (title: string) => desk.file('museum.ics', calendar(vevent(title, '20300501')));
  await desk.run(theatre('Hamlet'));
  const second = await desk.run(museum('Dinosaurs'));
  assert.equal([second.events?.created, second.events?.changed], [1, 0]);
  assert.equal(second.notes, [
    {
      ...{ kind: 'event', file: `${desk.folder}/museum.ics`, index: 0, name: 'Dinosaurs' },
      reason: 'the UID is also that of a record of theatre.ics, which stays as it is',
    },
  ]);
  const again = await desk.run(theatre('Hamlet at last'), museum('Dinosaurs!'));
  assert.equal([again.events?.created, again.events?.changed, again.notes], [0, 2, []]);
  assert.equal(await shown(desk), ['2030-03-04 Hamlet at last', '2030-05-01 Dinosaurs!']);
});

test('both in one run, and a table, are as apart as one after the other', async ({ desk }) => {
  const { events } = await desk.run(
    desk.file('theatre.ics', calendar(vevent('Hamlet', '20300304').replace('UID:1', 'UID:a@b'))),
    desk.file('museum.ics', calendar(vevent('Dinosaurs', '20300501').replace('UID:1', 'UID:a@b'))),
    desk.file('zoo.csv', 'uid,title,start\na@b,Elephants,2030-06-01 10:00\n'),
    desk.file('farm.csv', 'uid,title,start\na@b,Cows,2030-07-01 10:00\n'),
  );
  assert.is(events?.created, 4);
  assert.is((await shown(desk)).length, 4);
});

test('a file under another name is the same source with --source, or if it was downloaded once more', async ({
  desk,
}) => {
  await desk.run(desk.file('theatre.ics', calendar(vevent('Hamlet', '20300304'))));
  await desk.run(desk.file('theatre (1).ics', calendar(vevent('Macbeth', '20300305'))));
  await desk.run('--source', 'theatre.ics', desk.file('spring.ics', calendar(vevent('Othello', '20300306'))));
  assert.equal(await shown(desk), ['2030-03-06 Othello']);
  await desk.run(desk.file('spring.ics', calendar(vevent('Othello', '20300306'))));
  assert.equal(await shown(desk), ['2030-03-06 Othello'], 'the same in full');
  await desk.run(desk.file('autumn.ics', calendar(vevent('King Lear', '20300307'))));
  assert.is((await shown(desk)).length, 2);
});

test('what was imported before records had owners is found again by its own source, and by no other one', async ({
  desk,
}) => {
  const times = { start: 1_898_967_600, end: 1_898_974_800, timezone: 'UTC', allDay: false };
  await createCalendarEvent(
    desk.commands,
    {
      ...{ caller: IMPORTER, now: NOW, correlationId: 'before', reason: 'imported from an iCalendar file' },
      ...{ ifRevision: undefined, idempotencyKey: 'import:ical:event:["1",""]' },
    },
    { title: 'Hamlet', times },
  );
  const museum = await desk.run(desk.file('museum.ics', calendar(vevent('Dinosaurs', '20300501'))));
  assert.is(museum.events?.created, 1);
  assert.match(museum.notes[0]?.reason ?? '', 'an earlier import');
  const moved = await desk.run(desk.file('theatre.ics', calendar(vevent('Hamlet', '20300307'))));
  assert.equal([moved.events?.created, moved.events?.changed], [0, 1]);
  // It is known by now, whatever it looks like.
  await desk.run(desk.file('theatre.ics', calendar(vevent('Macbeth', '20300308'))));
  await desk.run(desk.file('zoo.ics', calendar(vevent('Hamlet', '20300601'))));
  assert.equal(await shown(desk), ['2030-03-08 Macbeth', '2030-05-01 Dinosaurs', '2030-06-01 Hamlet']);
});

test.run();
