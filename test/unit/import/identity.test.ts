// Records are known by their source and their UID: other sources may use the same UID for events of their own.
import { createHash, randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCalendarEvent } from '../../../src/calendar/event/commands/events.ts';
import { changeLinkedPost, VENUES as VENUE } from '../../../src/calendar/linked-post/commands/linked-posts.ts';
import { postsNamed } from '../../../src/calendar/resource/commands/references.ts';
import { ownersOf, releaseName } from '../../../src/commands/reservations/reservations.ts';
import { IMPORTER } from '../../../src/exchange/import/write/writing.ts';
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

const NFC = 'Caf\u00e9 Gr\u00f6\u00dfe';
const AS_ONE = [
  NFC,
  NFC.normalize('NFD'),
  'CAF\u00c9 GR\u00d6SSE',
  'Caf\u00e9\u00a0Gr\u00f6\u00dfe ',
  'Caf\u00e9\u200b Gr\u00f6\u00ad\u00dfe\ufeff',
];

test('a name is one however it was typed: in a calendar, in a table, by hand, and where it was entered before', async ({
  desk,
}) => {
  const named = (name: string, index: number) =>
    vevent(
      `Evening ${index}`,
      `2030030${index + 1}`,
      `LOCATION:${name}`,
      `ORGANIZER;CN=${name}:mailto:a@b.example`,
    ).replace('UID:1', `UID:${index}`);
  const { venues, organizers } = await desk.run(desk.file('a.ics', calendar(...AS_ONE.map(named))));
  assert.equal([venues?.created, organizers?.created], [1, 1]);
  const rows = AS_ONE.map((name, index) => `Row ${index},2030-04-0${index + 1} 10:00,${name}`);
  const table = await desk.run(desk.file('a.csv', ['title,start,venue', ...rows].join('\n')));
  assert.is(table.venues?.created ?? 0, 0);
  const cafe = await desk.run(desk.file('b.csv', 'title,start,venue\nOther,2030-04-09 10:00,Cafe Grosse\n'));
  assert.is(cafe.venues?.created, 1, 'accents count');
  // As builds before have entered it.
  const digest = createHash('sha256').update('stra\u00dfenfest').digest('hex').slice(0, 32);
  const metadata = {
    actor: { id: 0, name: 'a' },
    instant: '2026-01-01T00:00:00.000Z',
    correlationId: 'a',
    causationId: 'a',
  };
  const taken = { id: randomUUID(), type: 'NameTaken', schemaVersion: 1, metadata };
  const stream = `name-organizer-${digest}`;
  const data = { owner: 'organizer-77', name: 'Stra\u00dfenfest' };
  await desk.store.append([{ stream, expected: 'no_stream', events: [{ ...taken, data }] }]);
  for (const name of ['Stra\u00dfenfest', 'stra\u00dfenfest\u200b'])
    assert.equal(await postsNamed(desk.store, 'organizer', name), [77]);
  const change = { owner: 'organizer-77', metadata, newEventId: randomUUID };
  const released = releaseName(await ownersOf(desk.store, 'organizer', 'STRA\u00dfENFEST'), change);
  assert.is(released?.stream, stream);
});

test('placeholders of other calendars name no organizer, and are the address of none', async ({ desk }) => {
  const organizers = [
    'CN=unknownorganizer@calendar.google.com:mailto:unknownorganizer@calendar.google.com',
    'CN=Hall programme:mailto:abc@group.calendar.google.com',
    'CN=Hall:MAILTO:noreply@facebookmail.com',
    'CN=Hall:MAILTO:no-reply+7@tickets.example',
    'CN="":invalid:nomail',
    'CN=Noone:mailto:noemail',
    'CN=Unknown Organizer:mailto:grace@hall.example',
    'CN=Ada:mailto:ada@hall.example',
    `CN="'bob@hall.example'":mailto:bob@hall.example`,
    'CN="mailto:cleo@hall.example":mailto:cleo@hall.example',
    'CN=Do Not Reply:mailto:donotreply@hall.example',
  ];
  const events = organizers.map((one, index) =>
    vevent(`Evening ${index}`, `203003${index + 10}`, `ORGANIZER;${one}`).replace('UID:1', `UID:${index}`),
  );
  await desk.run(desk.file('a.ics', calendar(...events)));
  const shown = (await desk.get('/organizers?per_page=50')).organizers as Json[];
  assert.equal(shown.map(({ organizer, email = '' }) => `${organizer} ${email}`).toSorted(), [
    'Ada ada@hall.example',
    'Hall ',
    'Hall programme ',
    'bob@hall.example bob@hall.example',
    'cleo@hall.example cleo@hall.example',
    'grace@hall.example grace@hall.example',
  ]);
});

test('an older version in a later file is ignored with a note, under the same name and another one', async ({
  desk,
}) => {
  for (const names of [
    ['a.ics', 'a.ics', 'a.ics'],
    ['1.ics', '2.ics', '3.ics'],
  ] as const) {
    const title = `New ${names[0]}`;
    const version = (sequence: number, called: string) =>
      calendar(vevent(called, '20300304', `SEQUENCE:${sequence}`).replace('UID:1', `UID:${title}`));
    await desk.run(desk.file(names[0], version(5, title)));
    const old = await desk.run(desk.file(names[1], version(4, 'Old')));
    assert.equal([old.events?.created, old.events?.changed, old.events?.unchanged], [0, 0, 1]);
    assert.match(old.notes[0]?.reason ?? '', /^its SEQUENCE is lower/);
    const same = await desk.run(desk.file(names[2], version(5, title)));
    assert.is(same.events?.unchanged, 1);
    const newest = await desk.run(desk.file(names[2], version(1_792_346_234_567, `${title}!`)));
    assert.is(newest.events?.changed, 1);
    await desk.run(desk.file(names[2], version(9_999_999_999, 'Old')));
    assert.equal((await shown(desk)).at(-1), `2030-03-04 ${title}!`);
  }
});

const CASES: readonly (readonly [
  what: string,
  ownPlaces: readonly string[],
  before: 'alone' | 'edited' | 'of another',
])[] = [
  ['where a venue is that it has brought by its name alone', ['Old Mill in Berlin'], 'alone'],
  ['nothing of one that an editor has changed', ['Old Mill in ', 'Old Mill in Berlin'], 'edited'],
  ['nothing of one that another source has brought', ['Old Mill in ', 'Old Mill in Berlin'], 'of another'],
];
for (const [what, places, before] of CASES)
  test(`a source that tells more of its places later changes ${what}`, async ({ desk }) => {
    const table = (name: string, columns: string, cells: string) =>
      desk.run(desk.file(name, `Title,Start,${columns}\nFair,2030-03-04 19:00,${cells}\n`));
    const venues = async () => (await desk.get('/venues')).venues as Json[];
    await table(before === 'of another' ? 'b.csv' : 'a.csv', 'Venue', 'Old Mill');
    const [id = 0] = await postsNamed(desk.store, 'venue', 'Old Mill');
    if (before === 'edited') {
      const context = { caller: IMPORTER, now: NOW, correlationId: 'edit' };
      await changeLinkedPost(desk.commands, context, VENUE, id, { phone: '1' });
    }
    for (let run = 0; run < 2; run += 1) {
      const { refused } = await table('a.csv', 'Venue,Address,City', 'Old Mill,River Lane 12,Berlin');
      assert.equal(refused, []);
    }
    assert.equal((await venues()).map(({ venue, city }) => `${venue} in ${city ?? ''}`).sort(), places);
  });

test.run();
