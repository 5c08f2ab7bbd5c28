import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ReadModelDamaged } from '../../../../src/read-model/damage.ts';
import { ReadModelUnavailable } from '../../../../src/read-model/read-model.ts';
import { startThread, type Thread, ThreadEnded } from '../../../../src/read-model/sqlite/threads.ts';
import { temporaryDirectory } from '../../../support/events.ts';

const from = (file: string): string => new URL(`../../../../src/read-model/${file}`, import.meta.url).href;

/** Answers with what it is asked, and does what some words say. */
const SCRIPT = `
import { answerQuestions } from '${from('sqlite/threads.ts')}';
import { ReadModelDamaged } from '${from('damage.ts')}';
import { ReadModelUnavailable } from '${from('read-model.ts')}';
answerQuestions((question) => {
  if (question === 'damaged') throw new ReadModelDamaged('row 7');
  if (question === 'unavailable') throw new ReadModelUnavailable('The disk is full.');
  if (question === 'bug') throw new TypeError('a bug');
  if (question === 'crash') setImmediate(() => { throw new Error('out of memory'); });
  return question === 'crash' ? new Promise(() => {}) : question;
});
`;

interface Context {
  script: URL;
  thread: Thread;
  remove(): Promise<void>;
}

const test = suite<Context>('threads of the read model');
test.before(async (context) => {
  const { directory, remove } = await temporaryDirectory();
  const file = join(directory, 'echo.mjs');
  writeFileSync(file, SCRIPT);
  Object.assign(context, { script: pathToFileURL(file), remove });
});
test.after(({ remove }) => remove());
test.before.each((context) => {
  context.thread = startThread(context.script);
});
test.after.each(({ thread }) => thread.end());

const failure = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (error: unknown) => error,
  );

test('each question gets its own answer', async ({ thread }) => {
  const asked = [1, 'two', { three: 3 }].map((question) => thread.ask(question));
  assert.is(thread.waiting, 3);
  assert.equal(await Promise.all(asked), [1, 'two', { three: 3 }]);
  assert.is(thread.waiting, 0);
});

test('an error of the read model comes back as what it was', async ({ thread }) => {
  const damaged = await failure(thread.ask('damaged'));
  assert.instance(damaged, ReadModelDamaged);
  assert.is((damaged as ReadModelDamaged).place, 'row 7');
  const unavailable = await failure(thread.ask('unavailable'));
  assert.instance(unavailable, ReadModelUnavailable);
  assert.is((unavailable as Error).message, 'The disk is full.');
  const bug = await failure(thread.ask('bug'));
  assert.not.instance(bug, ReadModelUnavailable);
  assert.is((bug as Error).message, 'a bug');
});

test('questions under way are rejected when the thread ends, and so are those that come later', async ({ thread }) => {
  const underWay = failure(thread.ask('crash'));
  const ended = await underWay;
  assert.instance(ended, ThreadEnded);
  assert.is((ended as Error).message, 'out of memory');
  assert.instance(await failure(thread.ask(1)), ThreadEnded);
});

test('the end of a thread is reported once, and awaited', async ({ script }) => {
  const ends: string[] = [];
  const other = startThread(script, { onEnd: () => ends.push('ended') });
  await other.ask(1);
  await other.end();
  assert.equal(ends, ['ended']);
  await other.end();
  assert.equal(ends, ['ended']);
});

test.run();
