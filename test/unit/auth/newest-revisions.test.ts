import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOOK_EVERY_MS, openNewestRevisions } from '../../../src/people/auth/newest-revisions.ts';

const test = suite('newest revisions');

/** A log that tells one revision, fails, or does not answer at all. */
function setUp() {
  const log = { revision: 3 as number | null, mood: 'well' as 'well' | 'failing' | 'silent', asked: 0 };
  const time = { elapsed: 0 };
  const newest = openNewestRevisions({
    elapsed: () => time.elapsed,
    revisionOf() {
      log.asked += 1;
      if (log.mood === 'silent') return new Promise(() => {});
      return log.mood === 'well' ? Promise.resolve(log.revision) : Promise.reject(new Error('away'));
    },
  });
  return { log, time, newest };
}

test('half a second is the most that an answer is good for: two of them fit into the second', () =>
  assert.ok(LOOK_EVERY_MS <= 500));

test('an older revision than the log’s is outdated, an equal one is not', async () => {
  const { newest } = setUp();
  assert.not(newest.isOutdated(7, -1), 'before anything was told');
  await newest.look(7);
  assert.equal(
    [2, 3, 4].map((revision) => newest.isOutdated(7, revision)),
    [true, false, false],
  );
  assert.not(newest.isOutdated(8, 0), 'another user');
});

test('the log is read once in a while, however many ask', async () => {
  const { log, time, newest } = setUp();
  await Promise.all([newest.look(7), newest.look(7), newest.look(7)]);
  time.elapsed += LOOK_EVERY_MS - 1;
  await newest.look(7);
  assert.is(log.asked, 1);
  log.revision = 4;
  time.elapsed += 1;
  await newest.look(7);
  assert.ok(newest.isOutdated(7, 3));
  await newest.look(8);
  assert.is(log.asked, 3);
});

test('an unknown user has nothing newer', async () => {
  const { log, newest } = setUp();
  log.revision = null;
  await newest.look(7);
  assert.not(newest.isOutdated(7, -1));
});

test('a failing log is left alone for a moment, and its last answer stays', async () => {
  const { log, time, newest } = setUp();
  await newest.look(7);
  log.mood = 'failing';
  time.elapsed += LOOK_EVERY_MS;
  await newest.look(7);
  await newest.look(7);
  await newest.look(8);
  assert.is(log.asked, 2);
  assert.ok(newest.isOutdated(7, 2));
  log.mood = 'well';
  log.revision = 9;
  time.elapsed += LOOK_EVERY_MS;
  await newest.look(7);
  assert.ok(newest.isOutdated(7, 8));
});

test('a log that does not answer delays no caller', async () => {
  const { log, newest } = setUp();
  log.mood = 'silent';
  await newest.look(7);
  await newest.look(7);
  assert.is(log.asked, 1);
});

test('what others have read in the log counts, but never goes back', async () => {
  const { newest } = setUp();
  newest.note(7, 5);
  newest.note(7, 4);
  assert.equal([newest.isOutdated(7, 4), newest.isOutdated(7, 5)], [true, false]);
});

test.run();
