import { readFileSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { linesOf, sealedLines } from '../../unit/export/log-room.ts';
import { onServer, restoreSuite } from './restore-suite.ts';

const test = restoreSuite('files that daybook restore refuses');

interface Damage {
  readonly what: string;
  readonly spoil: (lines: readonly string[]) => readonly string[];
  readonly said: RegExp;
}

const DAMAGES: readonly Damage[] = [
  { what: 'no trailer', spoil: (lines) => lines.slice(0, -1), said: /truncated/ },
  {
    what: 'half a line',
    spoil: (lines) => [...lines.slice(0, 4), lines[4]?.slice(0, 40) ?? ''],
    said: /line 5 is not an event/,
  },
  { what: 'a line less', spoil: (lines) => lines.filter((_, index) => index !== 3), said: /incomplete/ },
  {
    what: 'a changed word',
    spoil: (lines) => lines.map((line) => line.replace('IdsReserved', 'IdsPreserved')),
    said: /digest/,
  },
  {
    what: 'a changed word and a digest that fits',
    spoil: (lines) => sealedLines(lines.map((line) => line.replaceAll('IdsReserved', 'IdsPreserved'))),
    said: /does not match: ids-post revision 0.*: hash: expected sha256:/,
  },
  {
    what: 'two lines in the wrong order',
    spoil: ([header = '', one = '', two = '', ...rest]) => sealedLines([header, two, one, ...rest]),
    said: /does not match/,
  },
  { what: 'more behind the end', spoil: (lines) => [...lines, '{}'], said: /after its last line/ },
  { what: 'another format', spoil: () => ['{"format":"something"}'], said: /not written by `daybook export --log`/ },
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
  assert.match((await site.restore([compressed])).lines[0] ?? '', 'truncated');
  assert.match((await site.restore([`${file}.none`])).lines[0] ?? '', 'there is no such file');
  assert.match((await site.restore([room.folder])).lines[0] ?? '', 'it is a folder');
  assert.equal(await site.log(), []);
});

test.run();
