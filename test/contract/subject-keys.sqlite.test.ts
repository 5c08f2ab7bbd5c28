import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventStoreUnavailable } from '../../src/log/event-store.ts';
import { openSqliteKeys } from '../../src/people/personal-data/facts/sqlite-keys.ts';
import { temporaryDirectory } from '../support/events.ts';
import { subjectKeysContract } from './subject-keys.contract.ts';

subjectKeysContract('SQLite file', async () => {
  const { directory, remove } = await temporaryDirectory();
  const file = join(directory, 'below', 'keys.db');
  const opened = [openSqliteKeys({ file })];
  const [keys = openSqliteKeys({ file })] = opened;
  return {
    keys,
    async another() {
      const other = openSqliteKeys({ file });
      opened.push(other);
      return other;
    },
    async cleanup() {
      for (const one of opened) await one.close();
      await remove();
    },
  };
});

const test = suite<{ directory: string; file: string; remove(): Promise<void> }>('file of keys');
test.before.each(async (context) => {
  Object.assign(context, await temporaryDirectory());
  context.file = join(context.directory, 'keys.db');
});
test.after.each(({ remove }) => remove());

test('only its owner may read it, including the files that SQLite puts beside it', async ({ directory, file }) => {
  const keys = openSqliteKeys({ file });
  await keys.make(['user-1']);
  const names = await readdir(directory);
  assert.ok(names.length > 1, names.join());
  for (const name of names) assert.is(statSync(join(directory, name)).mode & 0o777, 0o600, name);
  await keys.close();
});

test('a destroyed key is removed from all files, while other processes have them open', async (context) => {
  const { directory, file } = context;
  const [keys, other] = [openSqliteKeys({ file }), openSqliteKeys({ file })];
  const subjects = Array.from({ length: 500 }, (_, index) => `organizer-${index}`);
  const made = await keys.make(subjects);
  await other.find(subjects);
  const bytes = async (): Promise<Buffer> =>
    Buffer.concat((await readdir(directory)).map((name) => readFileSync(join(directory, name))));
  const gone = subjects.filter((_, index) => index % 7 === 0);
  for (const subject of subjects) assert.ok((await bytes()).includes(made.get(subject) as Buffer), subject);
  for (const subject of gone) await other.destroy(subject);
  const left = await bytes();
  for (const subject of subjects)
    assert.is(left.includes(made.get(subject) as Buffer), !gone.includes(subject), subject);
  await keys.close();
  await other.close();
});

test('a file that is something else is left as it is, and named', ({ file }) => {
  const foreign = randomBytes(8_192);
  writeFileSync(file, foreign);
  try {
    openSqliteKeys({ file });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, EventStoreUnavailable);
    assert.match((error as Error).message, /keys\.db .*DAYBOOK_KEYS/);
  }
  assert.equal(readFileSync(file), foreign);
});

test.run();
