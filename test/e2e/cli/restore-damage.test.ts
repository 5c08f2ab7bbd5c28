import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventStoreDbServer, startEventStoreDb } from '../../support/eventstoredb-server.ts';
import { linesOf, openRoom, type Room, type Site, sealedLines } from '../../unit/export/log-room.ts';
import { fixture } from '../../unit/import/desk.ts';

const test = suite<{ room: Room; server: EventStoreDbServer; source: Site; file: string }>(
  'files that daybook restore refuses',
);

test.before.each(async (context) => {
  context.room = openRoom();
  context.server = await startEventStoreDb();
  context.source = context.room.site('source');
  await context.source.import(fixture('events.json'));
  context.file = path.join(context.room.folder, 'log');
  await context.source.export('--log', '--out', context.file);
});
test.after.each(async ({ room, server }) => {
  await server.stop();
  await room.close();
});

const onServer = ({ room, server }: { room: Room; server: EventStoreDbServer }, name = 'server'): Site =>
  room.site(name, { DAYBOOK_EVENT_STORE: server.connectionString });

interface Damage {
  readonly what: string;
  readonly spoil: (lines: readonly string[]) => readonly string[];
  readonly said: RegExp;
}

const DAMAGES: readonly Damage[] = [
  { what: 'no trailer', spoil: (lines) => lines.slice(0, -1), said: /cut short/ },
  {
    what: 'half a line',
    spoil: (lines) => [...lines.slice(0, 4), lines[4]?.slice(0, 40) ?? ''],
    said: /line 5 is no event/,
  },
  { what: 'a line less', spoil: (lines) => lines.filter((_, index) => index !== 3), said: /not whole/ },
  {
    what: 'a changed word',
    spoil: (lines) => lines.map((line) => line.replace('IdsReserved', 'IdsPreserved')),
    said: /digest/,
  },
  {
    what: 'a changed word and a digest that fits',
    spoil: (lines) => sealedLines(lines.map((line) => line.replaceAll('IdsReserved', 'IdsPreserved'))),
    said: /does not fit: ids-post revision 0.*: hash: expected sha256:/,
  },
  {
    what: 'two lines in the wrong order',
    spoil: ([header = '', one = '', two = '', ...rest]) => sealedLines([header, two, one, ...rest]),
    said: /does not fit/,
  },
  { what: 'more behind the end', spoil: (lines) => [...lines, '{}'], said: /behind its last line/ },
  { what: 'another format', spoil: () => ['{"format":"something"}'], said: /no log/ },
  {
    what: 'a later format',
    spoil: (lines) => ['{"format":"daybook-log","version":2}', ...lines.slice(1)],
    said: /format 2/,
  },
  { what: 'nothing', spoil: () => [], said: /it is empty/ },
];

for (const { what, spoil, said } of DAMAGES)
  test(`a file with ${what} is refused in one line, and nothing is written`, async (context) => {
    const { room, file } = context;
    const lines = spoil(linesOf(file));
    writeFileSync(file, lines.length === 0 ? '' : `${lines.join('\n')}\n`);
    for (const site of [room.site('one'), onServer(context)]) {
      const answer = await site.restore([file]);
      assert.is(answer.code, 1);
      assert.is(answer.lines.length, 1);
      assert.match(answer.lines[0] ?? '', said);
      assert.not.match(answer.lines[0] ?? '', '\n');
      assert.equal(await site.log(), []);
    }
  });

test('a file that was cut short while compressed, a missing file and a folder say so', async ({
  room,
  source,
  file,
}) => {
  const compressed = `${file}.gz`;
  await source.export('--log', '--out', compressed);
  const bytes = readFileSync(compressed);
  writeFileSync(compressed, bytes.subarray(0, bytes.length - 20));
  const site = room.site('one');
  assert.match((await site.restore([compressed])).lines[0] ?? '', 'cut short');
  assert.match((await site.restore([`${file}.none`])).lines[0] ?? '', 'there is no such file');
  assert.match((await site.restore([room.folder])).lines[0] ?? '', 'it is a folder');
  assert.equal(await site.log(), []);
});

test.run();
