import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../../projections/catalogue.ts';
import { historyEntries, loadHistory } from '../../../../src/editorial/history/queries/history.ts';
import type { HistoryReader } from '../../../../src/editorial/history/queries/reference-names.ts';
import { AUTHOR, CONTRIBUTOR, EDITOR, NOW } from '../../../support/given.ts';
import { DISPLAY, eventDrafted, givenLog, schedule, termCreated, venueDrafted } from './given-log.ts';

const test = suite('history of a resource');

test('an entry has instant, author, reason and request', async () => {
  const log = givenLog();
  log.add('event-12', 'EventDrafted', eventDrafted(), 0, { actor: { id: null, name: 'daybook import' } });
  log.add('event-12', 'EventFeatured', {}, 60, { reason: 'für die Startseite', correlationId: 'request-2' });
  const [second, first] = await log.history('event', 12);
  assert.equal(second, {
    revision: 1,
    instant: '2026-03-01T10:01:00.000Z',
    date: '2026-03-01 05:01:00',
    actor: { id: 2, name: 'ann' },
    reason: 'für die Startseite',
    type: 'EventFeatured',
    summary: 'Featured.',
    changes: [{ field: 'featured', before: false, after: true }],
    correlation_id: 'request-2',
  });
  assert.equal([first?.revision, first?.reason, first?.actor], [0, null, { id: null, name: 'daybook import' }]);
});

test('a creation lists the fields that are not empty, without earlier values', async () => {
  const log = givenLog();
  log.add('tag-9', 'TagCreated', termCreated());
  const { changes } = await log.last('tag', 9);
  assert.equal(changes, [
    { field: 'name', before: null, after: 'Music' },
    { field: 'slug', before: null, after: 'music' },
  ]);
});

test('a date that was never set is none, and none of its moves is described', async () => {
  const log = givenLog();
  log.add('event-12', 'EventDrafted', eventDrafted({ dateFloats: true }));
  log.add('event-12', 'EventRetitled', { title: 'Two' }, 3_600);
  log.add('event-12', 'EventPublished', { date: NOW + 7_200 }, 7_200);
  const [published, retitled] = await log.history('event', 12);
  assert.equal(
    retitled?.changes.map(({ field }) => field),
    ['title'],
  );
  assert.equal(published?.changes, [
    { field: 'status', before: 'draft', after: 'publish' },
    { field: 'date', before: null, after: '2026-03-01 07:00:00' },
  ]);
});

test('setting, changing and removing a password is described without the password or its hash', async () => {
  const log = givenLog();
  log.add('event-12', 'EventDrafted', eventDrafted({ passwordHash: 'scrypt$zero' }));
  log.add('event-12', 'EventPasswordRemoved', {});
  log.add('event-12', 'EventPasswordSet', { hash: 'scrypt$one' });
  log.add('event-12', 'EventPasswordSet', { hash: 'scrypt$two' });
  log.add('event-12', 'EventPasswordRemoved', {});
  const entries = await log.history('event', 12);
  assert.equal(
    entries.slice(0, 4).map(({ summary, changes }) => [summary, changes[0]?.before, changes[0]?.after]),
    [
      ['Password removed.', true, false],
      ['Password changed.', true, true],
      ['Password set.', false, true],
      ['Password removed.', true, false],
    ],
  );
  assert.ok(entries.every(({ changes }) => changes.filter(({ field }) => field === 'password').length <= 1));
  assert.not.match(JSON.stringify(entries), 'scrypt');
});

test('the details of a cost show only where they alone differ', async () => {
  const log = givenLog();
  const cost = (...entries: string[]) => ({ cost: { entries, symbol: '', position: '' } });
  log.add('event-12', 'EventDrafted', eventDrafted(cost('5', '10')));
  log.add('event-12', 'EventPriced', cost('5', '7', '10'));
  log.add('event-12', 'EventPriced', cost('6'));
  log.add('event-12', 'EventPriced', { cost: null });
  const fields = (await log.history('event', 12)).map(({ changes }) => changes.map(({ field }) => field));
  assert.equal(fields.slice(0, 3), [['cost'], ['cost'], ['cost_details']]);
});

test('a change of the zone alone is described', async () => {
  const log = givenLog();
  log.add('event-12', 'EventDrafted', eventDrafted());
  log.add('event-12', 'EventRescheduled', schedule('2026-12-21 10:00:00', '2026-12-21 12:00:00', 'Europe/Berlin'));
  assert.equal((await log.last('event', 12)).changes, [{ field: 'timezone', before: 'UTC', after: 'Europe/Berlin' }]);
});

test('venues and terms are called as they were called then', async () => {
  const log = givenLog();
  log.add('venue-4', 'VenueDrafted', venueDrafted());
  log.add('venue-4', 'VenuePublished', { date: NOW });
  log.add('category-9', 'CategoryCreated', termCreated());
  log.add('event-12', 'EventDrafted', eventDrafted({ venues: [{ id: 4, life: 0 }], categories: [9] }));
  log.add('venue-4', 'VenueRenamed', { name: 'New Hall' });
  log.add('category-9', 'CategoryRenamed', { name: 'Songs' });
  log.add('event-12', 'EventMoved', { venues: [] });
  const [moved, drafted] = await log.history('event', 12, { caller: AUTHOR });
  assert.equal(moved?.changes, [{ field: 'venue', before: [{ id: 4, venue: 'New Hall' }], after: [] }]);
  assert.equal(drafted?.changes.find(({ field }) => field === 'categories')?.after, [{ id: 9, name: 'Music' }]);
  assert.equal(drafted?.changes.find(({ field }) => field === 'venue')?.after, [{ id: 4, venue: 'Town Hall' }]);
});

test('a venue that the reader may not see shows by its id alone', async () => {
  const log = givenLog();
  log.add('venue-4', 'VenueDrafted', venueDrafted({ author: 77 }));
  log.add('event-12', 'EventDrafted', eventDrafted({ venues: [{ id: 4, life: 0 }] }));
  log.add('event-12', 'EventMoved', { venues: [] });
  const before = async (reader: HistoryReader) => (await log.last('event', 12, reader)).changes[0]?.before;
  const known = [{ id: 4, venue: 'Town Hall' }];
  assert.equal(await before({ caller: CONTRIBUTOR }), [{ id: 4 }]);
  assert.equal(await before({ caller: EDITOR }), known);
  assert.equal(await before('operator'), known);
});

test('of erased data the fact of the erasure stays, and none of the texts', async () => {
  const log = givenLog();
  // A resource of which nothing is left after its last event.
  const foldings = allProjections(DISPLAY).map((projection) => ({
    ...projection,
    fold: (state: unknown, event: { type: string }) =>
      event.type === 'EventErased' ? null : projection.fold(state, event as never),
  }));
  log.add('event-12', 'EventDrafted', eventDrafted({ title: 'Birthday of Zoe' }), 0, { reason: 'for Zoe' });
  log.add('event-12', 'EventFeatured', {}, 60);
  log.add('event-12', 'EventErased', {}, 120, { reason: 'a request by mail' });
  const dependencies = { ...log.dependencies, foldings };
  const history = await loadHistory(dependencies, { kind: 'event', id: 12 });
  assert.ok(history);
  assert.is(history.state, null);
  const entries = await historyEntries(dependencies, history, { offset: 0, limit: 10 }, 'operator');
  assert.equal(
    entries.map(({ type, summary, reason, changes }) => [type, summary, reason, changes]),
    [
      ['EventErased', 'Changed in a way that this version does not know (EventErased).', 'a request by mail', []],
      ['EventFeatured', 'Featured.', null, []],
      ['EventDrafted', 'What was said here has been erased.', null, []],
    ],
  );
  assert.not.match(JSON.stringify(entries), 'Zoe');
});

test('pages run from the newest to the oldest without a gap, each with what stood before it', async () => {
  const log = givenLog();
  log.add('event-12', 'EventDrafted', eventDrafted({ title: 'Title 0' }));
  for (let count = 1; count < 7; count++) log.add('event-12', 'EventRetitled', { title: `Title ${count}` });
  const history = await loadHistory(log.dependencies, { kind: 'event', id: 12 });
  assert.ok(history);
  const page = async (offset: number, limit: number) =>
    (await historyEntries(log.dependencies, history, { offset, limit }, 'operator')).map(({ revision, changes }) => {
      const title = changes.find(({ field }) => field === 'title');
      return [revision, title?.before, title?.after];
    });
  assert.equal(await page(0, 3), [
    [6, 'Title 5', 'Title 6'],
    [5, 'Title 4', 'Title 5'],
    [4, 'Title 3', 'Title 4'],
  ]);
  assert.equal(await page(6, 3), [[0, null, 'Title 0']]);
  assert.equal(await page(7, 3), []);
  assert.is((await page(0, 1_000)).length, 7);
});

test('a resource that was never recorded has no history', async () => {
  assert.is(await loadHistory(givenLog().dependencies, { kind: 'event', id: 12 }), null);
});

test.run();
