// Lists from windows in memory are those from the file, whatever has changed between them.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventQuery } from '../../src/read-model/queries.ts';
import type { Batch } from '../../src/read-model/read-model.ts';
import { applier } from '../../src/read-model/sqlite/applier.ts';
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

const IN_MEMORY = { ...UNLIMITED, few: 0, many: 0 };
const FROM_THE_FILE = { ...UNLIMITED, many: Infinity };

const ALL_TIMES: Partial<EventQuery> = { visibility: PUBLIC, unmasked: OPEN.unmasked, bounds: {}, order: 'start' };

function applying(connection: Connection) {
  const apply = applier(connection, ':memory:', 'any');
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
}

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

test.run();
