import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { daybook } from '../../support/process.ts';
import { temporaryFolder } from '../../support/service.ts';

const test = suite('settings that the machine refuses');

const { folder, remove } = temporaryFolder();
const file = path.join(folder, 'file');
test.before(() => writeFileSync(file, ''));
test.after(remove);

/** It ends with 1 and one line that says this, and has served nothing. */
async function endsWith(settings: { readonly [name: string]: string }, line: RegExp): Promise<void> {
  const failed = daybook(['serve'], { PORT: '0', DAYBOOK_DATA_DIR: folder, ...settings });
  assert.is(await failed.ended, 1, failed.errors());
  assert.match(failed.errors(), line);
  assert.is(failed.out(), '');
}

test('a data folder below a file, or that is a file, is one line with the name of the setting', async () => {
  await Promise.all([
    endsWith(
      { DAYBOOK_DATA_DIR: path.join(file, 'a', 'b') },
      /^daybook: DAYBOOK_DATA_DIR: [^\n]*(?:ENOTDIR|EEXIST)[^\n]*\n$/,
    ),
    endsWith({ DAYBOOK_DATA_DIR: file }, /^daybook: DAYBOOK_DATA_DIR: [^\n]*EEXIST[^\n]*\n$/),
  ]);
});

test('a store in a folder that cannot be made names the setting of that store', async () => {
  await Promise.all([
    endsWith({ DAYBOOK_EVENT_STORE: `sqlite:${file}/log.db` }, /^daybook: DAYBOOK_EVENT_STORE: [^\n]*EEXIST[^\n]*\n$/),
    endsWith(
      { DAYBOOK_READ_MODEL: `sqlite:${file}/a/v.db` },
      /^daybook: DAYBOOK_READ_MODEL: [^\n]*(?:ENOTDIR|EEXIST)[^\n]*\n$/,
    ),
  ]);
});

test('a cluster that is not there, or that is given the number of a database, is one line without the password', () =>
  Promise.all([
    endsWith(
      { DAYBOOK_READ_MODEL: 'redis+cluster://me:secret@127.0.0.1:1,127.0.0.1:2' },
      /^daybook: DAYBOOK_READ_MODEL: (?![^\n]*secret)[^\n]*nothing listens there[^\n]*\n$/,
    ),
    endsWith(
      { DAYBOOK_READ_MODEL: 'redis+cluster://me:secret@127.0.0.1:1/2' },
      /^daybook: DAYBOOK_READ_MODEL (?![^\n]*secret)[^\n]*redis\+cluster:[^\n]*\n$/,
    ),
  ]).then(() => {}));

if (process.platform === 'linux')
  test('a data folder that cannot be created ends startup at once', () =>
    endsWith({ DAYBOOK_DATA_DIR: '/proc/nowhere/data' }, /^daybook: DAYBOOK_DATA_DIR: [^\n]*ENOENT[^\n]*\n$/));

test('a host that is no address of this machine is one line', () =>
  endsWith({ HOST: '192.0.2.1' }, /^daybook: HOST must be an address of this machine[^\n]*[^\n]*\n$/));

test.run();
