// Filters of the feed of changes and its order, compared with a naive selection from the whole feed.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import type { ChangeFilter } from '../../../src/editorial/audit/queries/change-filter.ts';
import { type ChangeEntry, type ChangesOrder, openChanges } from '../../../src/editorial/audit/queries/changes.ts';
import { EVERYTHING } from '../../../src/editorial/audit/queries/selection.ts';
import type { HistoryReader } from '../../../src/editorial/history/queries/reference-names.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { NOW } from '../../support/given.ts';
import { type ChangesLog, EDITOR, openChangesLog, reader } from './changes-log.ts';
import { DISPLAY, eventDrafted, termCreated } from './history/given-log.ts';

const test = suite<{ log: ChangesLog }>('filters of the feed of changes');

const ANN = { id: 2, name: 'ann' };
const BOB = { id: 3, name: 'bob' };
const SCHEDULE = { id: null, name: 'schedule' };

const userAdded = (id: number, login: string, role: string) => ({
  id,
  login,
  email: '',
  name: login,
  role,
});

/** Bob becomes an editor between his two changes of event 1. */
test.before.each(async (context) => {
  const log = openChangesLog();
  context.log = log;
  await log.add('user-2', 'UserAdded', userAdded(2, 'ann', 'administrator'));
  await log.add('user-3', 'UserAdded', userAdded(3, 'bob', 'author'));
  await log.add('event-1', 'EventDrafted', eventDrafted({ id: 1, author: 3 }), { actor: BOB, correlationId: 'first' });
  await log.add('event-2', 'EventDrafted', eventDrafted({ id: 2, author: 4 }), { actor: ANN, instant: at(60) });
  await log.add('user-3', 'UserRoleChanged', { role: 'editor' }, { actor: ANN });
  await log.add('event-1', 'EventRetitled', { title: 'Concert' }, { actor: BOB, reason: 'A typing Érror' });
  await log.add('tag-9', 'TagCreated', termCreated(), { actor: SCHEDULE, instant: at(120) });
  await log.add('event-2', 'EventFeatured', {}, { actor: ANN, reason: 'sponsored', instant: at(180) });
});
test.after.each(({ log }) => log.store.close());

const at = (seconds: number): string => new Date((NOW + seconds) * 1000).toISOString();

async function readAll(
  { changes }: ChangesLog,
  filter: ChangeFilter,
  order: ChangesOrder = 'asc',
  who: HistoryReader = EDITOR,
  limit = 2,
): Promise<ChangeEntry[]> {
  const told: ChangeEntry[] = [];
  for (let after = ''; ; ) {
    const page = await changes.page({ after, order, filter, selection: EVERYTHING, reader: who, limit });
    told.push(...page.changes);
    after = page.next;
    if (!page.hasMore) return told;
  }
}

const brief = (told: readonly ChangeEntry[]): string[] => told.map(({ kind, id, type }) => `${kind} ${id} ${type}`);

const CASES: readonly (readonly [ChangeFilter, readonly string[]])[] = [
  [{ actors: ['3'] }, ['event 1 EventDrafted', 'event 1 EventRetitled']],
  [{ actors: ['Bob'] }, ['event 1 EventDrafted', 'event 1 EventRetitled']],
  [{ actors: ['schedule'] }, ['tag 9 TagCreated']],
  [{ actors: ['5', 'stranger'] }, []],
  [{ roles: ['author'] }, ['event 1 EventDrafted']],
  [{ roles: ['editor', 'system'] }, ['event 1 EventRetitled', 'tag 9 TagCreated']],
  [{ fields: ['title'] }, ['event 1 EventDrafted', 'event 2 EventDrafted', 'event 1 EventRetitled']],
  [{ fields: ['featured'] }, ['event 2 EventFeatured']],
  [{ fields: ['name'] }, ['tag 9 TagCreated']],
  [{ reason: 'TYPING error' }, ['event 1 EventRetitled']],
  [{ request: 'first' }, ['event 1 EventDrafted']],
  [{ from: NOW + 60, to: NOW + 120 }, ['event 2 EventDrafted', 'tag 9 TagCreated']],
  [{ actors: ['ann'], fields: ['featured'], from: NOW + 1 }, ['event 2 EventFeatured']],
];

for (const [filter, expected] of CASES)
  test(`filtered by ${JSON.stringify(filter)}, in both orders`, async ({ log }) => {
    assert.equal(brief(await readAll(log, filter)), expected);
    assert.equal(brief(await readAll(log, filter, 'desc')), expected.toReversed());
  });

test('newest first is the feed reversed, from any position on', async ({ log }) => {
  const forwards = await readAll(log, {});
  assert.equal(await readAll(log, {}, 'desc'), forwards.toReversed());
  const [, , third] = forwards;
  const question = { order: 'desc', selection: EVERYTHING, reader: EDITOR, limit: 50 } as const;
  const page = await log.changes.page({ ...question, after: third?.position ?? '' });
  assert.equal(page.changes, forwards.slice(0, 2).toReversed());
  assert.is(page.hasMore, false);
});

test('authors find only their own changes, whatever they filter by', async ({ log }) => {
  const author = reader('author', 4);
  assert.equal(brief(await readAll(log, {}, 'desc', author)), ['event 2 EventFeatured', 'event 2 EventDrafted']);
  assert.equal(await readAll(log, { actors: ['3'] }, 'asc', author), []);
  assert.equal(await readAll(log, { reason: 'error' }, 'desc', author), []);
});

test('the reason and the fields of what was erased are not found', async ({ log }) => {
  // A resource of which nothing is left after its last fact.
  const foldings = allProjections(DISPLAY).map((projection) => ({
    ...projection,
    fold: (state: unknown, event: { type: string }) =>
      event.type === 'EventErased' ? null : projection.fold(state, event as never),
  }));
  const erasing = { ...log, changes: openChanges({ ...log.dependencies, foldings }) };
  const typo: ChangeFilter = { reason: 'typing' };
  const titles: ChangeFilter = { fields: ['title'], request: 'first' };
  assert.equal([(await readAll(erasing, typo)).length, (await readAll(erasing, titles)).length], [1, 1]);
  await log.add('event-1', 'EventErased', {}, { reason: 'asked by the person' });
  assert.equal([await readAll(erasing, typo), await readAll(erasing, titles)], [[], []]);
  assert.equal(brief(await readAll(erasing, { reason: 'asked by' })), ['event 1 EventErased']);
});

test('a filter that matches little ends its page after a bounded part of the log, and says where to go on', async () => {
  const store = openSqliteEventStore({ file: ':memory:' });
  const reads: number[] = [];
  const log = openChangesLog(
    (real) => ({
      ...real,
      async readAll(options) {
        const events = await real.readAll(options);
        reads.push(events.length);
        return events;
      },
    }),
    store,
  );
  await log.add('event-1', 'EventDrafted', eventDrafted({ id: 1, author: 3 }), { correlationId: 'rare' });
  await Promise.all(Array.from({ length: 6_000 }, () => log.add('event-1', 'EventFeatured')));
  const question = { filter: { request: 'rare' }, selection: EVERYTHING, reader: EDITOR, limit: 10 } as const;
  const first = await log.changes.page({ ...question, order: 'desc', after: '' });
  assert.equal([first.changes, first.hasMore], [[], true]);
  assert.is(
    reads.reduce((sum, count) => sum + count, 0),
    5_000,
  );
  const second = await log.changes.page({ ...question, order: 'desc', after: first.next });
  assert.equal([brief(second.changes), second.hasMore], [['event 1 EventDrafted'], false]);
  await store.close();
});

const filters = fc.record(
  {
    actors: fc.subarray(['2', '3', 'ann', 'BOB', 'schedule'], { minLength: 1 }),
    fields: fc.subarray(['title', 'featured', 'name', 'venue'], { minLength: 1 }),
    reason: fc.constantFrom('e', 'error', 'spon', 'x'),
    request: fc.constantFrom('first', 'request-1', 'other'),
    from: fc.constantFrom(NOW, NOW + 60, NOW + 150),
    to: fc.constantFrom(NOW, NOW + 60, NOW + 150),
  },
  { requiredKeys: [] },
);

test('any filter, order and page size gives what a naive selection from the feed gives', async ({ log }) => {
  const all = await readAll(log, {});
  const fieldsOf = new Map<string, string[]>();
  for (const field of ['title', 'featured', 'name', 'venue'])
    for (const { position } of await readAll(log, { fields: [field] }))
      fieldsOf.set(position, [...(fieldsOf.get(position) ?? []), field]);
  const isWanted = (filter: ChangeFilter, entry: ChangeEntry): boolean => {
    const { actors, fields, reason, request, from, to } = filter;
    const second = Math.floor(Date.parse(entry.instant) / 1000);
    const names = [String(entry.actor.id), entry.actor.name];
    return (
      (actors === undefined || actors.some((one) => names.includes(one.toLowerCase()))) &&
      (fields === undefined || fields.some((one) => fieldsOf.get(entry.position)?.includes(one))) &&
      (reason === undefined || (entry.reason ?? '').replace('É', 'e').toLowerCase().includes(reason)) &&
      (request === undefined || entry.correlation_id === request) &&
      (from === undefined || second >= from) &&
      (to === undefined || second <= to)
    );
  };
  const property = fc.asyncProperty(
    filters,
    fc.constantFrom<ChangesOrder>('asc', 'desc'),
    fc.integer({ min: 1, max: 5 }),
    async (filter, order, limit) => {
      const expected = all.filter((entry) => isWanted(filter, entry));
      const told = await readAll(log, filter, order, EDITOR, limit);
      assert.equal(told, order === 'asc' ? expected : expected.toReversed());
    },
  );
  await fc.assert(property, { numRuns: 200 });
});

test.run();
