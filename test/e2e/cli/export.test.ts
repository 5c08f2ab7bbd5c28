import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  changeCalendarEvent,
  createCalendarEvent,
  trashCalendarEvent,
} from '../../../src/calendar/event/commands/events.ts';
import {
  createLinkedPost,
  ORGANIZERS,
  trashLinkedPost,
  VENUES,
} from '../../../src/calendar/linked-post/commands/linked-posts.ts';
import { recordPicture } from '../../../src/calendar/picture/commands/pictures.ts';
import { createTermOf, deleteTermOf } from '../../../src/calendar/term/commands/terms.ts';
import type { CommandContext } from '../../../src/commands/context.ts';
import { commandDependencies } from '../../../src/commands/dependencies.ts';
import { openRawLog } from '../../../src/composition.ts';
import { proposeChange, stepProposal } from '../../../src/editorial/proposals/commands/proposals.ts';
import { exportCommand } from '../../../src/exchange/export/cli/export.ts';
import { written } from '../../support/given.ts';
import { perform } from '../../support/perform.ts';
import { linesOf, openRoom, type Room, type Site } from '../../unit/export/log-room.ts';

const test = suite<{ room: Room; site: Site }>('daybook export');

test.before.each(async (context) => {
  context.room = openRoom();
  context.site = context.room.site('source');
});
test.after.each(({ room }) => room.close());

const NOW = Date.UTC(2029, 5, 1) / 1000;
const EDITOR = { id: 7, login: 'ed', name: 'Ed', role: 'administrator' } as const;
const context: CommandContext = {
  caller: EDITOR,
  now: NOW,
  correlationId: 'c',
  reason: undefined,
  ifRevision: undefined,
  idempotencyKey: undefined,
};

/** A bit of everything, in every status. */
function fill(site: Site): Promise<void> {
  return site.with(async (stores) => {
    const commands = commandDependencies(stores, site.config);
    const term = (kind: 'category' | 'tag', name: string, parent = 0) =>
      written(createTermOf(commands, context, kind, { name, parent, description: `About ${name}` }));
    const top = await term('category', 'Arts & Crafts');
    const middle = await term('category', 'Gone', top.id);
    const low = await term('category', 'Wood', middle.id);
    await written(deleteTermOf(commands, context, 'category', middle.id));
    const tag = await term('tag', 'Free');
    const hall = await written(
      createLinkedPost(commands, context, VENUES, {
        name: 'Hall "A"',
        city: 'Graz',
        country: 'United States',
        state: 'Ohio',
        coordinates: { lat: 1.5, lng: -2 },
        showMap: false,
        image: 'https://example.org/hall.png',
      }),
    );
    const shed = await written(createLinkedPost(commands, context, VENUES, { name: 'Shed', status: 'draft' }));
    const maria = await written(
      createLinkedPost(commands, context, ORGANIZERS, { name: 'Maria', email: 'maria@example.org', phone: '+43 1' }),
    );
    const common = { times: { start: '2030-03-01 10:00:00', end: '2030-03-01 12:00:00', timezone: 'Europe/Vienna' } };
    const parent = await written(
      createCalendarEvent(commands, context, {
        ...common,
        title: 'Fair <em>&amp;</em> more',
        description: 'Text\nwith lines\u00a0and “quotes”',
        excerpt: 'Short',
        cost: ['$5', '10 children'],
        website: 'https://example.org/a?b=1&c=2',
        featured: true,
        ...{ accessible: true, accessibility: 'Lift', ageRange: '6-', languages: 'de, en' },
        registrationUrl: 'https://example.org/seats',
        sticky: true,
        hidden: true,
        categories: [{ id: top.id }, { id: middle.id }, { id: low.id }],
        tags: [{ id: tag.id }],
        venues: [{ id: hall.id }],
        organizers: [{ id: maria.id }],
        dateUtc: '2028-01-02 03:04:05',
        slug: 'the-fair',
      }),
    );
    const event = (title: string, more: object) =>
      written(createCalendarEvent(commands, context, { ...common, title, ...more }));
    const off = await event('In the shed', { venues: [{ id: shed.id }] });
    const later = { start: '2030-03-05 10:00:00', end: '2030-03-05 12:00:00' };
    await written(changeCalendarEvent(commands, context, off.id, { times: later, notice: 'Moved' }));
    await written(changeCalendarEvent(commands, context, off.id, { eventStatus: 'canceled', notice: 'No roof' }));
    await written(trashLinkedPost(commands, context, VENUES, shed.id));
    await event('Child', { status: 'pending' });
    const child = await event('Private', { status: 'private', website: '' });
    await written(changeCalendarEvent(commands, context, child.id, { parent: parent.id, website: '' }));
    await event('Later', { status: 'publish', dateUtc: '2039-01-01 00:00:00' });
    await event('Draft', {
      status: 'draft',
      times: { start: '2030-10-27 01:30:00Z', end: '2030-10-27 03:00:00Z', timezone: 'Europe/Vienna' },
    });
    await event('Days', { times: { start: '2030-03-01', end: '2030-03-03', allDay: true, timezone: 'UTC+2' } });
    const bin = await event('The Fair', { slug: 'binned' });
    await written(trashCalendarEvent(commands, context, bin.id));
    await event('Secret', { password: 'open sesame' });
  });
}

type Line = { readonly [name: string]: unknown };

const parsedLines = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** What may differ after a round trip. */
const comparable = (lines: readonly Line[]): Line[] =>
  lines
    .slice(1, -1)
    .map(({ created_utc: _created, modified_utc: _modified, ...rest }) =>
      rest.date_utc !== null && (rest.status === 'draft' || rest.status === 'pending')
        ? { ...rest, date_utc: 'x' }
        : rest,
    )
    .sort((one, other) => `${one.kind} ${one.id}`.localeCompare(`${other.kind} ${other.id}`));

test('uploaded pictures are named by their addresses, so that another calendar shows them', async ({ room, site }) => {
  const file = { name: 'one.jpg', width: 800, height: 600, mimeType: 'image/jpeg', filesize: 9 };
  const medium = { ...file, name: 'one-300x225.jpg', width: 300, height: 225 };
  await site.with(async (stores) => {
    const commands = commandDependencies(stores, site.config);
    const uploaded = { file, sizes: { medium }, title: '', alt: '', credit: '' };
    const { id: image } = await written(recordPicture(commands, context, uploaded));
    const times = { start: '2030-03-01 10:00:00', end: '2030-03-01 12:00:00', timezone: 'Europe/Vienna' };
    await written(createCalendarEvent(commands, context, { title: 'Fair', times, image }));
    await written(createLinkedPost(commands, context, VENUES, { name: 'Hall', image }));
  });
  const lines = parsedLines((await site.export()).written);
  const shown = lines.flatMap(({ image }) => (image ? [image as Line] : []));
  assert.equal(
    shown.map(({ url }) => url),
    ['https://cal.example/media/one.jpg', 'https://cal.example/media/one.jpg'],
  );
  assert.ok((await site.export('--format', 'csv')).written.includes(',https://cal.example/media/one.jpg,'));
  const from = path.join(room.folder, 'pictures.jsonl');
  await site.export('--out', from);
  const other = room.site('other');
  assert.is((await other.import(from)).code, 0);
  const arrived = parsedLines((await other.export()).written).flatMap(({ image }) => (image ? [image as Line] : []));
  const address = 'https://cal.example/media/one-300x225.jpg';
  const size = { url: address, width: 300, height: 225, mimeType: 'image/jpeg' };
  assert.equal(arrived[0], { url: shown[0]?.url, width: 800, height: 600, sizes: { medium: size } });
});

test('an export that is imported elsewhere is exported the same again', async ({ room, site }) => {
  await fill(site);
  const first = parsedLines((await site.export()).written);
  const file = path.join(room.folder, 'all.jsonl');
  assert.is((await site.export('--out', file)).code, 0);
  const other = room.site('other');
  const { code, lines } = await other.import(file, '--keep-authors');
  assert.is(code, 0, lines.join('\n'));
  const again = parsedLines((await other.export()).written);
  const secret = (line: Line) =>
    line.password_protected ? { ...line, status: 'private', password_protected: false } : line;
  assert.equal(comparable(again), comparable(first).map(secret));
  assert.is(comparable(first).length, 15);
  assert.ok(lines.some((line) => /note: event "Secret".*its password is not in the export/.test(line)));
  const before = (await other.log()).length;
  const repeated = await other.import(file, '--keep-authors');
  assert.ok(repeated.lines.includes('Nothing to do: everything was there already.'), repeated.lines.join('\n'));
  assert.is((await other.log()).length, before);
});

test('dates of an exported series arrive as single events, which is said once', async ({ room, site }) => {
  const series = path.join(room.folder, 'series.ics');
  const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:1', 'SUMMARY:Choir', 'DTSTART:20300605T193000'];
  writeFileSync(series, [...lines, 'RRULE:FREQ=WEEKLY;COUNT=3', 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n'));
  assert.is((await site.import(series)).code, 0);
  const file = path.join(room.folder, 'all.jsonl');
  await site.export('--out', file);
  const { lines: said } = await room.site('other').import(file);
  assert.is(
    said.filter((line) => /^note: event "Choir" .*: taken as single events: it is not told/.test(line)).length,
    1,
  );
  assert.is(said.filter((line) => line.startsWith('note: event')).length, 1, said.join('\n'));
});

test('resources stand behind what they refer to, with what only editors see and without secrets', async ({ site }) => {
  await fill(site);
  const { written: text, lines } = await site.export();
  const all = parsedLines(text);
  const kinds = all.slice(1, -1).map(({ kind }) => kind);
  assert.equal([...new Set(kinds)], ['category', 'tag', 'venue', 'organizer', 'event']);
  assert.is(lines.at(-1), '2 categories, 1 tag, 2 venues, 1 organizer, 9 events');
  assert.not.match(text, /scrypt|passwordHash/);
  const fair = all.find(({ slug }) => slug === 'the-fair') ?? {};
  assert.is((fair.categories as number[]).length, 2);
  const wood = all.find(({ slug }) => slug === 'wood');
  assert.is(wood?.parent, all.find(({ slug }) => slug === 'arts-crafts')?.id);
  assert.equal(all.find(({ title }) => title === 'In the shed')?.venues, []);
  const bin = all.find(({ kind, status }) => kind === 'event' && status === 'trash');
  assert.equal(bin?.trashed_from, { status: 'publish', slug: 'binned' });
  const off = all.find(({ title }) => title === 'In the shed') ?? {};
  assert.is(off.event_status, 'canceled');
  assert.equal((off.notices as Line[])[0], {
    type: 'rescheduled',
    text: 'Moved',
    date_utc: '2029-06-01 00:00:00',
    previous_start_date: '2030-03-01 10:00:00',
    previous_utc_start_date: '2030-03-01 09:00:00',
  });
});

test('proposals are exported, and left out of an import with a note', async ({ room, site }) => {
  await fill(site);
  await site.with(async (stores) => {
    const dependencies = { ...commandDependencies(stores, site.config), fieldsOf: () => ({}) };
    const target = { kind: 'organizer', id: 7 } as const;
    const { id } = await written(createLinkedPost(dependencies, context, ORGANIZERS, { name: 'Choir' }));
    const proposed = { wish: { name: 'Grand Choir' }, note: 'It has grown' };
    await written(proposeChange(dependencies, context, { ...target, id }, proposed));
    await written(stepProposal(dependencies, context, 1, 'comment', 'By how much?'));
  });
  const { written: text, lines } = await site.export('--kinds', 'proposals');
  assert.is(lines.at(-1), '1 proposal');
  const [, line] = parsedLines(text);
  assert.equal(
    [line?.kind, line?.state, line?.note, line?.wish, line?.comments],
    [
      ...['proposal', 'open', 'It has grown', { name: 'Grand Choir' }],
      [{ author: 7, date_utc: '2029-06-01 00:00:00', text: 'By how much?' }],
    ],
  );
  const file = path.join(room.folder, 'all.jsonl');
  await site.export('--out', file);
  const other = room.site('other');
  const imported = await other.import(file);
  assert.is(imported.code, 0, imported.lines.join('\n'));
  assert.ok(
    imported.lines.some((one) => /note: organizer "proposal 1".*not imported/.test(one)),
    imported.lines.join('\n'),
  );
  assert.is(parsedLines((await other.export('--kinds', 'proposals')).written).length, 2, 'a header and a trailer');
});

test('--kinds picks some, and says which there are', async ({ site }) => {
  await fill(site);
  const { lines } = await site.export('--kinds', 'venues,tag');
  assert.is(lines.at(-1), '1 tag, 2 venues');
  const { code, lines: refused } = await site.export('--kinds', 'rooms');
  assert.is(code, 2);
  assert.match(
    refused[0] ?? '',
    /argument 'rooms' is invalid\. It must be a list of categories, tags, venues, organizers, events, proposals\./,
  );
  assert.is((await site.export('--kinds', 'tags', '--log')).code, 2);
  assert.is((await site.export('--format', 'x')).code, 2);
});

test('an export that is not whole is refused, and nothing of it is taken', async ({ room, site }) => {
  await fill(site);
  const file = path.join(room.folder, 'all.jsonl');
  await site.export('--out', file);
  const whole = linesOf(file);
  const other = room.site('other');
  const bad: readonly (readonly [lines: readonly string[], said: RegExp])[] = [
    [whole.slice(0, -1), /truncated/],
    [[...whole.slice(0, 3), '{"kind":'], /line 4 is broken/],
    [whole.map((line) => line.replace('Maria', 'Marta')), /digest/],
    [whole.map((line) => line.replace('"version":1', '"version":2')), /format 2/],
  ];
  for (const [lines, said] of bad) {
    writeFileSync(file, `${lines.join('\n')}\n`);
    const answer = await other.import(file);
    assert.is(answer.code, 1);
    assert.is(answer.lines.filter((line) => line.startsWith('refused')).length, 1);
    assert.match(answer.lines[0] ?? '', said);
    assert.equal(await other.log(), []);
  }
});

test('an export is not brought into the calendar that it comes from, nor a log', async ({ room, site }) => {
  await fill(site);
  const [resources, log] = ['all.jsonl', 'log.gz'].map((name) => path.join(room.folder, name));
  await site.export('--out', resources ?? '');
  await site.export('--log', '--out', log ?? '');
  const before = (await site.log()).length;
  assert.match((await site.import(resources ?? '')).lines[0] ?? '', /this very calendar/);
  assert.match((await site.import(log ?? '')).lines[0] ?? '', /daybook restore/);
  assert.is((await site.log()).length, before);
});

test('a file is there wholly or not at all, and for its owner alone', async ({ room, site }) => {
  await fill(site);
  const file = path.join(room.folder, 'log');
  writeFileSync(file, 'what was there');
  const stopping = new AbortController();
  const said: string[] = [];
  const run = (signal: AbortSignal) =>
    perform(exportCommand, ['--log', '--out', file], {
      openLog: () => openRawLog(site.config),
      openRawLog: () => openRawLog(site.config),
      stdout: new Writable(),
      out: (line) => void said.push(line),
      warn: (line) => void said.push(line),
      progress: { begin: (what) => void (what === 'Writing' && stopping.abort()), reach() {}, end() {} },
      site: 'https://cal.example',
      signal,
      now: () => 1_893_456_000,
    });
  assert.is(await run(stopping.signal), 130);
  assert.equal(said, ['Interrupted. Nothing was written.']);
  assert.is(readFileSync(file, 'utf8'), 'what was there');
  assert.equal(readdirSync(room.folder).sort(), ['log', 'source']);
  assert.is(await run(new AbortController().signal), 0);
  assert.is(statSync(file).mode & 0o077, 0);
  assert.ok(linesOf(file).length > 10);
});

test('a file that cannot be created is reported in one line', async ({ room, site }) => {
  const file = path.join(room.folder, 'none', 'log');
  const { code, lines } = await site.export('--log', '--out', file);
  assert.is(code, 1);
  assert.match(lines[0] ?? '', /^export: .*cannot be written \(ENOENT[^\n]*$/);
  assert.is(existsSync(path.dirname(file)), false);
});

test('personal data in the log stay encrypted', async ({ site }) => {
  await fill(site);
  const { written: text, lines } = await site.export('--log');
  assert.not.match(text, 'maria@example.org');
  assert.match((await site.export()).written, 'maria@example.org');
  assert.match(lines.at(-1) ?? '', /DAYBOOK_KEYS, keys\.db/);
  assert.match(lines.at(-2) ?? '', /^\d+ domain events; digest sha256:[0-9a-f]{64}$/);
});

test.run();
