import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type StoredAnswer, storedList } from '../../../src/http/answers/stored-list.ts';
import { openAnswerCache } from '../../../src/http/caches/answer-cache.ts';
import { openSharedAnswers, type SharedAnswers, type SharedRequest } from '../../../src/http/caches/shared-answers.ts';
import type { Caller } from '../../../src/people/auth/caller.ts';
import type { ListPlan } from '../../../src/queries/arguments.ts';
import { EDITOR, NOW } from './shell.ts';

const test = suite('kept lists');

const LINKS = { site: 'https://cal.example', root: 'https://cal.example/api', host: 'cal.example' };

const asking = (
  changes: { readonly caller?: Caller; readonly now?: number; readonly host?: string } = {},
): SharedRequest => {
  const { caller = null, now = NOW, host } = changes;
  const links = host === undefined ? LINKS : { site: `https://${host}`, root: `https://${host}/api`, host };
  return { password: undefined, context: undefined, caller, now, links };
};

/** A cache over a read model whose version a test sets, and the lists that were made for it. */
function set(maxBytes?: number) {
  const model = { version: 'one' };
  const made: string[] = [];
  const version = async () => model.version;
  const answers = openAnswerCache(maxBytes);
  const cache = openSharedAnswers({ version, answers });
  const plan = (key: string, body = `${key} of ${model.version}`): ListPlan => ({
    key,
    read: async () => {
      made.push(key);
      return { body: [body], total: 1, pages: 1 };
    },
  });
  const ask = (key: string, request = asking(), body?: string) =>
    cache.list(request, () => plan(key, body), 'event-archive-page-not-found');
  /** What is asked for again is kept. */
  const keep = async (...asked: Parameters<typeof ask>) => {
    await ask(...asked);
    return ask(...asked);
  };
  return { model, answers, cache, made, ask, keep, plan };
}

const textOf = ({ list }: StoredAnswer): string => list.text();

const remembered = (cache: SharedAnswers, answer: StoredAnswer, address: string): void =>
  cache.rememberList(address, answer, ['allow', 'GET']);

test('a list is kept for each key, caller and place that links point to, when it is asked for again', async () => {
  const { ask, made } = set();
  const other: Caller = { id: 3, login: 'other', name: 'Other', role: 'editor' };
  for (let round = 0; round < 4; round++) {
    await ask('a');
    await ask('b');
    await ask('a', asking({ caller: EDITOR }));
    await ask('a', asking({ caller: other }));
    await ask('a', asking({ host: 'evil.example' }));
  }
  assert.is(made.length, 10);
  await ask('a', asking({ now: NOW + 1_000 }));
  assert.is(made.length, 10);
});

test('with another version of the read model all is made anew', async () => {
  const { ask, model } = set();
  assert.is(textOf(await ask('a')), 'a of one');
  model.version = 'two';
  assert.is(textOf(await ask('a')), 'a of two');
});

test('lists begun before a write are not cached after it', async () => {
  const { cache, model, plan } = set();
  const [reading, goingOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const old = plan('a');
  const read = () => {
    reading.resolve();
    return goingOn.promise.then(() => old.read());
  };
  const begun = cache.list(asking(), () => ({ key: 'a', read }), 'event-archive-page-not-found');
  await reading.promise;
  model.version = 'two';
  await cache.list(asking(), () => plan('b'), 'event-archive-page-not-found');
  goingOn.resolve();
  assert.is(textOf(await begun), 'a of one');
  const after = await cache.list(asking(), () => plan('a'), 'event-archive-page-not-found');
  assert.is(textOf(after), 'a of two');
});

test('the version is read before anything is looked up', async () => {
  const { cache, model, plan } = set();
  const planning = async () => {
    const planned = plan('a');
    model.version = 'two';
    return planned;
  };
  await cache.list(asking(), planning, 'event-archive-page-not-found');
  const after = await cache.list(asking(), () => plan('a'), 'event-archive-page-not-found');
  assert.is(textOf(after), 'a of two');
});

test('concurrent requests wait for one list, which is kept when it is made for the second time', async () => {
  const { ask, made } = set();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('a')));
  assert.ok(made.length <= 2, `${made.length}`);
  assert.is(new Set(answers.map(textOf)).size, 1);
});

test('a failure is not cached', async () => {
  const { cache, ask } = set();
  const failing: ListPlan = { key: 'a', read: () => Promise.reject(new Error('away')) };
  const failed = await cache.list(asking(), () => failing, 'event-archive-page-not-found').catch(() => 'failed');
  assert.is(failed, 'failed');
  assert.is(textOf(await ask('a')), 'a of one');
});

test('the cache is bounded in bytes; the least recently used is dropped first', async () => {
  const body = 'x'.repeat(10_000);
  const { ask, keep, answers, made } = set(100_000);
  await keep('often', asking(), body);
  for (let number = 0; number < 50; number++) {
    await keep(`list ${number}`, asking(), body);
    await ask('often', asking(), body);
    assert.ok(answers.size() <= 100_000, `${answers.size()} bytes`);
  }
  assert.ok(answers.size() > 80_000);
  assert.is(made.length, 102);
  await ask('list 49', asking(), body);
  assert.is(made.length, 102);
  await ask('list 0', asking(), body);
  assert.is(made.length, 103);
});

test('compressed forms count', async () => {
  const body = Array.from({ length: 3_000 }, (_, at) => Math.imul(at, 2_654_435_761)).join();
  const { keep, answers } = set(45_000);
  const { list } = await keep('a', asking(), body);
  const before = answers.size();
  assert.ok(before > 30_000 && before < 45_000, `${before} bytes`);
  while (list.choose('br', undefined).form?.coding !== 'br') await new Promise((resolve) => setTimeout(resolve, 5));
  assert.is(answers.size(), 0, 'with its compressed form it is too big');
});

test('nothing is cached if nothing may be', async () => {
  const { ask, answers, made } = set(0);
  for (let time = 0; time < 3; time++) await ask('a');
  assert.is(made.length, 3);
  assert.is(answers.size(), 0);
});

test('all kinds of answers share one bound', async () => {
  const answers = openAnswerCache(100_000);
  const version = async () => 'one';
  const lists = ['one', 'other'].map((name) => openSharedAnswers({ version, answers, name }));
  const plan: ListPlan = { key: 'a', read: async () => ({ body: ['x'.repeat(60_000)], total: 1, pages: 1 }) };
  for (const list of [...lists, ...lists]) await list.list(asking(), () => plan, 'event-archive-page-not-found');
  assert.ok(answers.size() < 100_000, 'the first one had to go');
  assert.equal(
    lists.map((list) => list.lists.counts()),
    [1, 2].map(() => ({ hits: 0, misses: 2 })),
    'equal keys of two kinds are two answers',
  );
  answers.empty();
  assert.is(answers.size(), 0);
});

test('an address is recalled in its own second and version only', async () => {
  const { keep, cache, model } = set();
  const answer = await keep('a');
  remembered(cache, answer, 'https://cal.example /a');
  const recalled = await cache.recall('https://cal.example /a', NOW);
  assert.ok(recalled && 'list' in recalled);
  assert.equal([recalled.list.text(), recalled.lines], ['a of one', ['allow', 'GET']]);
  assert.is(await cache.recall('https://evil.example /a', NOW), null);
  assert.is(await cache.recall('https://cal.example /a', NOW + 1), null);
  model.version = 'two';
  assert.is(await cache.recall('https://cal.example /a', NOW), null);
});

test('nothing is waited for where the version of the read model is at hand', async () => {
  const cache = openSharedAnswers({ version: () => 'one' });
  const plan: ListPlan = { key: 'a', read: async () => ({ body: ['a'], total: 1, pages: 1 }) };
  await cache.list(asking(), () => plan, 'event-archive-page-not-found');
  remembered(cache, await cache.list(asking(), () => plan, 'event-archive-page-not-found'), 'here /a');
  const recalled = cache.recall('here /a', NOW);
  assert.ok(recalled && 'list' in recalled);
});

test('an address does not hold on to a list that had to go', async () => {
  const body = 'x'.repeat(10_000);
  const { keep, cache } = set(25_000);
  remembered(cache, await keep('a', asking(), body), 'here /a');
  await keep('b', asking(), body);
  assert.ok(await cache.recall('here /a', NOW));
  await keep('c', asking(), body);
  await keep('d', asking(), body);
  assert.is(await cache.recall('here /a', NOW), null);
});

test('a late entry of an earlier moment has no effect', async () => {
  const { ask, cache, model } = set();
  const early = await ask('a');
  model.version = 'two';
  const late = await ask('a', asking({ now: NOW + 1 }));
  remembered(cache, late, 'here /a');
  remembered(cache, early, 'here /a');
  assert.is(await cache.recall('here /a', NOW), null);
  assert.is(await cache.recall('here /a', NOW + 1), null);
});

test('a list of many megabytes is written in turns with others', async () => {
  const piece = 'é'.repeat(500_000);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const body = ['[', ...Array<string>(60).fill(piece), ']'];
  const list = await storedList({ body, total: 60, pages: 2 }, () => {});
  clearImmediate(next);
  assert.is(list.text(), body.join(''));
  assert.ok(turns >= 2, `${turns} turns`);
});

test.run();
