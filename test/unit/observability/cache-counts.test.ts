import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSharedAnswers, type SharedRequest } from '../../../src/http/caches/shared-answers.ts';
import type { ListPlan } from '../../../src/queries/arguments.ts';
import { EDITOR, NOW } from '../http/shell.ts';

const test = suite('counts of caches');

const ASKING: SharedRequest = {
  password: undefined,
  context: undefined,
  caller: null,
  now: NOW,
  links: { site: 'https://cal.example', root: 'https://cal.example/api', host: 'cal.example' },
};

const plan = (): ListPlan => ({ key: 'all', read: async () => ({ body: ['[]'], total: 0, pages: 0 }) });

test('a computed list is a miss, one that was kept when it was asked for again a hit', async () => {
  const cache = openSharedAnswers({ version: async () => 'one' });
  for (let turn = 0; turn < 4; turn++) await cache.list(ASKING, plan, 'event-archive-page-not-found');
  assert.equal(cache.lists.counts(), { hits: 2, misses: 2 });
});

test('a list that its address alone finds is a hit, and an unknown address counts as nothing yet', async () => {
  const cache = openSharedAnswers({ version: async () => 'one' });
  await cache.list(ASKING, plan, 'event-archive-page-not-found');
  const answer = await cache.list(ASKING, plan, 'event-archive-page-not-found');
  cache.rememberList('here', answer, ['allow', 'GET']);
  assert.ok(await cache.recall('here', NOW));
  assert.is(await cache.recall('elsewhere', NOW), null);
  assert.equal(cache.lists.counts(), { hits: 1, misses: 2 });
});

test('a list for a password is looked for nowhere and counts as nothing', async () => {
  const cache = openSharedAnswers({ version: async () => 'one' });
  await cache.list({ ...ASKING, password: 'open' }, plan, 'event-archive-page-not-found');
  assert.equal(cache.lists.counts(), { hits: 0, misses: 0 });
});

test('reads of the public count, those of callers do not', async () => {
  const reads = openSharedAnswers({ version: async () => 'one' });
  const make = async () => ({ text: '{}', etag: '"1"' });
  for (const caller of [null, null, null, null, EDITOR]) await reads.read({ ...ASKING, caller }, 'event 1', make);
  assert.equal(reads.reads.counts(), { hits: 2, misses: 2 });
});

test.run();
