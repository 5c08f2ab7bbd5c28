import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../../src/cli/errors.ts';
import { eraseCommand } from '../../../src/people/personal-data/cli/erase.ts';
import { runHere } from '../../support/here.ts';
import { perform } from '../../support/perform.ts';
import { NOON, startTestService, type TestService, temporaryFolder } from '../../support/service.ts';

const test = suite<{ daybook: TestService }>('daybook erase');
test.before(async (context) => {
  context.daybook = await startTestService();
});
test.after(({ daybook }) => daybook.close());

async function run({ stores }: TestService, ...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const { store, keys, project } = stores;
  await perform(eraseCommand, args, {
    store,
    keys,
    project,
    now: () => NOON + 60,
    newId: randomUUID,
    out: (line) => void lines.push(line),
  });
  return lines;
}

async function failure(work: Promise<unknown>): Promise<UsageError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('it was carried out');
}

const MISTAKES: readonly (readonly [string[], RegExp])[] = [
  [[], /'--reason <TEXT>' not specified/],
  [
    ['venue', '7', '--reason', 'x'],
    /'venue' is invalid for argument 'KIND'\. It must be one of organizer, user, submission, guest\./,
  ],
  [['organizer', '--reason', 'x'], /missing required argument 'ID'\. It must be a positive integer/],
  [['organizer', '07', '--reason', 'x'], /'07' is invalid for argument 'ID'\. It must be a positive integer/],
  [['organizer', '7', '8', '--reason', 'x'], /Expected 2 arguments but got 3: organizer, 7, 8/],
  [['organizer', '7'], /'--reason <TEXT>' not specified/],
  [['organizer', '7', '--reason', ' '], /argument ' ' is invalid\. It must be a text that is not blank/],
  [['organizer', '7', '--reason', 'x', '--force'], /unknown option '--force'/],
];

for (const [args, said] of MISTAKES) {
  test(`erase ${args.join(' ')} is not carried out, and says why and how`, async ({ daybook }) => {
    const error = await failure(run(daybook, ...args));
    assert.match(error.message, said);
    assert.match(error.message, / Try `daybook erase --help`\.$/);
    assert.is(error.exitCode, 2);
  });
}

test('an unknown user is reported in one line', async ({ daybook }) => {
  const error = await failure(run(daybook, 'organizer', '99', '--reason', 'asked for'));
  assert.equal([error.message, error.exitCode], ['erase: there is no organizer 99.', 1]);
});

test('an erasure reports what it did, and that it was done before', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'organizers', { organizer: 'Ann Archer' });
  const args = ['organizer', String(id), '--reason', 'asked for'];
  assert.match((await run(daybook, ...args)).join(), `The personal data of organizer ${id} is erased.`);
  assert.match((await run(daybook, ...args)).join(), 'had been erased before; nothing was written');
});

test('renaming an erased organizer answers 410 and says what to do', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'organizers', { organizer: 'Ann Archer' });
  await run(daybook, 'organizer', String(id), '--reason', 'asked for');
  const { status, body } = await daybook.request('editor', 'PUT', `/organizers/${id}`, { organizer: 'Bea' });
  assert.equal([status, body.code], [410, 'organizer-is-erased']);
  assert.match(body.message, 'Create a new organizer.');
});

test('without its keys a log is not served, and every command says what to put back', async () => {
  const { folder, remove } = temporaryFolder();
  const settings = { DAYBOOK_DATA_DIR: folder };
  try {
    assert.is((await runHere(['users', 'add', 'ann', '--role', 'editor'], settings)).code, 0);
    for (const companion of ['', '-wal', '-shm']) rmSync(path.join(folder, `keys.db${companion}`), { force: true });
    for (const args of [['users', 'list'], ['serve'], ['erase', 'user', '1', '--reason', 'x'], ['verify']]) {
      const { code, errors } = await runHere(args, settings);
      assert.is(code, 1, args.join(' '));
      assert.match(
        errors,
        /^daybook: The keys of personal data are gone: .*keys\.db has none, and user-1 is encrypted\. Put back the backup/,
      );
      assert.is(errors.trim().split('\n').length, 1, errors);
    }
  } finally {
    remove();
  }
});

test('keys that would end with the process are refused for a log on disk', async () => {
  const { code, errors } = await runHere(['users', 'list'], {
    DAYBOOK_KEYS: 'sqlite::memory:',
    DAYBOOK_DATA_DIR: '/nowhere',
  });
  assert.is(code, 1);
  assert.match(errors, /^daybook: DAYBOOK_KEYS must be sqlite:.*\n$/);
});

test.run();
