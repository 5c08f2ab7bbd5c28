// Lists from what is in memory, windows of time and the events of links, are those from the file, whatever has changed between
// them.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventQuery } from '../../src/read-model/queries.ts';
import type { Batch } from '../../src/read-model/read-model.ts';
import { openApplier } from '../../src/read-model/sqlite/applier.ts';
import { type Connection, connect } from '../../src/read-model/sqlite/connection.ts';
import { findEvents, UNLIMITED } from '../../src/read-model/sqlite/event-queries.ts';
import { registerFieldSearch } from '../../src/read-model/sqlite/linked-post-queries.ts';
import { emptyViews, prepareSchema } from '../../src/read-model/sqlite/schema.ts';
import { event, eventQuery, OPEN, PUBLIC, positionAfter, removed, saved, seriesOfDates } from '../support/documents.ts';
import { eventQueries, histories } from '../support/random-calendar.ts';

const test = suite<{ connection: Connection }>('windows of time in memory');
test.before.each((context) => {
  context.connection = connect(':memory:');
  registerFieldSearch(context.connection);
  prepareSchema(context.connection, ':memory:', 'any');
});
test.after.each(({ connection }) => {
  connection.db.close();
});

const IN_MEMORY = { ...UNLIMITED, few: 0, many: 0, linked: 0 };
const BY_LINKS = { ...UNLIMITED, many: Infinity };
const FROM_THE_FILE = { ...BY_LINKS, linked: 0 };

const ALL_TIMES: Partial<EventQuery> = { visibility: PUBLIC, unmasked: OPEN.unmasked, bounds: {}, order: 'start' };

function applying(connection: Connection) {
  const { apply } = openApplier(connection, ':memory:', 'any');
  return async (changes: Batch['changes']): Promise<void> => {
    const after = String(connection.column('SELECT checkpoint FROM meta').get());
    assert.is(await apply({ after, upTo: positionAfter(Number(after) + 1), changes }), 'applied');
  };
}

/** The list in memory; the first time the window is only asked for. */
function same(connection: Connection, query: EventQuery): void {
  const expected = findEvents(connection, query, FROM_THE_FILE);
  for (let time = 0; time < 2; time++)
    assert.equal(findEvents(connection, query, IN_MEMORY), expected, JSON.stringify(query));
  assert.equal(findEvents(connection, query, BY_LINKS), expected, JSON.stringify(query));
}

/** Of a query what lists by links may have, with one such filter at least. */
const linkedOnly = ({ visibility, unmasked, linked, page, bounds, ...others }: EventQuery): EventQuery => ({
  ...{ visibility, unmasked, linked, page, bounds, order: 'start' },
  categories: others.categories ?? [1, 2],
  ...(others.tags && { tags: others.tags }),
  ...(others.venues && { venues: others.venues }),
  ...(others.organizers && { organizers: others.organizers }),
});

test('every list of a random calendar is the one from the file, after each change', async ({ connection }) => {
  const apply = applying(connection);
  const queries = fc.array(eventQueries, { minLength: 5, maxLength: 15, size: 'max' });
  await fc.assert(
    fc.asyncProperty(histories, queries, async (history, asked) => {
      connection.db.transaction(() => emptyViews(connection))();
      for (const batch of history) {
        await apply(batch);
        for (const query of asked) {
          same(connection, query);
          same(connection, { ...query, ...ALL_TIMES });
          same(connection, linkedOnly(query));
        }
      }
    }),
    { numRuns: 40 },
  );
});

const ids = (connection: Connection, members: Partial<EventQuery>): readonly number[] =>
  findEvents(connection, eventQuery(members), IN_MEMORY)?.items ?? [];

test('a window follows events that come, move, change their series and go', async ({ connection }) => {
  const apply = applying(connection);
  const dates = (query: Partial<EventQuery> = {}) => ids(connection, { collapse: 'series', ...query });
  await apply([1, 2, 3].map((id) => saved(event(id, { startsAt: id * 1_000, parent: 9 }))));
  dates();
  assert.equal(dates(), [1, 2, 3], 'their parent is no series');
  await apply([saved(seriesOfDates(9))]);
  assert.equal(dates(), [1]);
  await apply([saved(event(1, { startsAt: 5_000, parent: 9 })), saved(event(4, { startsAt: 500 }))]);
  assert.equal(dates(), [4, 2]);
  await apply([removed('event', 2), saved(event(3, { startsAt: 3_000, status: 'draft', parent: 9 }))]);
  assert.equal(dates(), [4, 1]);
  connection.db.prepare('DELETE FROM event_change').run();
  connection.db.prepare('UPDATE event SET starts_at = 100 WHERE id = 1').run();
  connection.db.prepare('UPDATE meta SET changes = changes + 1').run();
  assert.equal(dates(), [1, 4], 'read again, as it is not known what has changed');
});

const linkedIds = (connection: Connection, members: Partial<EventQuery>): readonly number[] => {
  const found = findEvents(connection, eventQuery(members), BY_LINKS);
  // From memory, unlike from the file, although the file has been changed in silence.
  return found?.items ?? [];
};

test('events of a link are read once and follow what changes', async ({ connection }) => {
  const apply = applying(connection);
  const inFirst = (query: Partial<EventQuery> = {}) => linkedIds(connection, { categories: [1], ...query });
  await apply([1, 2, 3].map((id) => saved(event(id, { startsAt: id * 1_000, categories: [1], venues: [] }))));
  assert.equal(inFirst(), [1, 2, 3]);
  const silently = connection.db.prepare('UPDATE event SET starts_at = 9000 WHERE id = 1');
  silently.run();
  assert.equal(inFirst(), [1, 2, 3], 'the file is not read again');
  await apply([saved(event(2, { startsAt: 5_000, categories: [1] })), saved(event(4, { categories: [2] }))]);
  assert.equal(inFirst(), [1, 3, 2], 'one event alone has been read again');
  await apply([saved(event(3, { startsAt: 3_000, categories: [2] })), removed('event', 2)]);
  assert.equal(inFirst(), [1]);
  connection.db.prepare('UPDATE meta SET changes = changes + 1').run();
  await apply([saved(event(5, { startsAt: 100, categories: [1] }))]);
  assert.equal(inFirst(), [5, 1]);
});

const totalOfFirst = (connection: Connection, linked: number): number | undefined =>
  findEvents(connection, eventQuery({ categories: [1] }), { ...BY_LINKS, linked })?.total;
const inReverse = (count: number) =>
  Array.from({ length: count }, (_, at) => saved(event(at + 1, { startsAt: count - at, categories: [1] })));

test('what too many events are linked to is left to the file', async ({ connection }) => {
  await applying(connection)(inReverse(60));
  const hide = connection.db.prepare('UPDATE event SET hidden = ? WHERE id = 60');
  assert.is(totalOfFirst(connection, 59), 60);
  hide.run(1);
  assert.is(totalOfFirst(connection, 59), 59, 'from the file');
  assert.is(totalOfFirst(connection, 60), 59);
  hide.run(0);
  assert.is(totalOfFirst(connection, 60), 59, 'from memory');
  assert.is(totalOfFirst(connection, 59), 60, 'from the file, although it is in memory');
});

test('many events of a link are read when they are asked for again', async ({ connection }) => {
  await applying(connection)(inReverse(600));
  const hide = connection.db.prepare('UPDATE event SET hidden = ? WHERE id = 600');
  assert.is(totalOfFirst(connection, 1_000), 600);
  hide.run(1);
  assert.is(totalOfFirst(connection, 1_000), 599, 'it was not kept the first time');
  hide.run(0);
  assert.is(totalOfFirst(connection, 1_000), 599, 'now it is');
});

test.run();
