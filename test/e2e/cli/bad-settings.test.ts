import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runHere } from '../../support/here.ts';
import { daybook } from '../../support/process.ts';
import { temporaryFolder } from '../../support/service.ts';

const test = suite('settings that the machine refuses');

const { folder, remove } = temporaryFolder();
const file = path.join(folder, 'file');
test.before(() => writeFileSync(file, ''));
test.after(remove);

/** Refused in one line that says this. */
async function endsWith(settings: { readonly [name: string]: string }, line: RegExp): Promise<void> {
  const { code, errors } = await runHere(['serve'], { DAYBOOK_DATA_DIR: folder, ...settings });
  assert.is(code, 1);
  assert.match(errors, line);
}

test('a data folder below a file, or that is a file, is one line with the name of the setting', async () => {
  await endsWith(
    { DAYBOOK_DATA_DIR: path.join(file, 'a', 'b') },
    /^daybook: DAYBOOK_DATA_DIR: .*(?:ENOTDIR|EEXIST).*\n$/,
  );
  await endsWith({ DAYBOOK_DATA_DIR: file }, /^daybook: DAYBOOK_DATA_DIR: .*EEXIST.*\n$/);
});

test('a store in a folder that cannot be made names the setting of that store', async () => {
  await endsWith({ DAYBOOK_EVENT_STORE: `sqlite:${file}/log.db` }, /^daybook: DAYBOOK_EVENT_STORE: .*EEXIST.*\n$/);
  await endsWith(
    { DAYBOOK_READ_MODEL: `sqlite:${file}/a/v.db` },
    /^daybook: DAYBOOK_READ_MODEL: .*(?:ENOTDIR|EEXIST).*\n$/,
  );
});

test('a cluster that is not there, or that is given the number of a database, is one line without the password', async () => {
  await endsWith(
    { DAYBOOK_READ_MODEL: 'redis+cluster://me:secret@127.0.0.1:1,127.0.0.1:2' },
    /^daybook: DAYBOOK_READ_MODEL: (?!.*secret).*nothing listens there.*\n$/,
  );
  await endsWith(
    { DAYBOOK_READ_MODEL: 'redis+cluster://me:secret@127.0.0.1:1/2' },
    /^daybook: DAYBOOK_READ_MODEL (?!.*secret).*redis\+cluster:.*\n$/,
  );
});

if (process.platform === 'linux')
  test('a data folder that cannot be created ends startup at once', () =>
    endsWith({ DAYBOOK_DATA_DIR: '/proc/nowhere/data' }, /^daybook: DAYBOOK_DATA_DIR: .*ENOENT.*\n$/));

test('a host that is no address of this machine is one line', async () => {
  const failed = daybook(['serve'], { PORT: '0', DAYBOOK_DATA_DIR: folder, HOST: '192.0.2.1' });
  assert.is(await failed.ended, 1, failed.errors());
  assert.match(failed.errors(), /^daybook: HOST must be an address of this machine[^\n]*\n$/);
  assert.is(failed.out(), '');
});

test.run();
