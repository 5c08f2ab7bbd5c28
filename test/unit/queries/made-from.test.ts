import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isUntouched, notingReads } from '../../../src/queries/made-from.ts';
import type { EventDocument } from '../../../src/read-model/documents.ts';
import type { TermView } from '../../../src/read-model/queries.ts';
import type { ReadModel } from '../../../src/read-model/read-model.ts';
import { event, eventQuery } from '../../support/documents.ts';

const test = suite('what a list was made from');

const jazz = { kind: 'category', id: 7, name: 'Jazz' } as TermView;

/** A read model that lists these events, and has gone on to a version. */
const listing = (events: readonly EventDocument[], { version = '1', terms = [jazz], total = events.length } = {}) =>
  ({
    listEvents: async () => ({ items: events, total }),
    findEvents: async () => ({ items: events.map(({ id }) => id), total }),
    terms: async () => new Map(terms.map((term) => [term.id, term])),
    version: async () => version,
  }) as unknown as ReadModel;

const EVENTS = [event(1, { categories: [7] }), event(2)];

async function listed() {
  const { readModel, madeFrom } = notingReads(listing(EVENTS), eventQuery());
  await readModel.listEvents(eventQuery());
  return madeFrom();
}

test('a list is the same where the same is found, and nothing of it was changed', async () => {
  const same = async (changed: readonly EventDocument[], now: ReadModel) =>
    isUntouched(await listed(), changed, now, '1');
  assert.is(await same([], listing(EVENTS)), true);
  assert.is(await same([event(3)], listing(EVENTS)), true);
  assert.is(await same([event(2)], listing(EVENTS)), false, 'one of its events was changed');
  assert.is(await same([event(3)], listing(EVENTS.toReversed())), false, 'another order');
  assert.is(await same([event(3)], listing([event(1), event(3)])), false, 'other events');
  assert.is(await same([event(3)], listing(EVENTS, { total: 3 })), false, 'more behind the page');
  assert.is(
    await same([], listing(EVENTS, { terms: [{ ...jazz, count: 2 }] })),
    false,
    'another count of its category',
  );
  assert.is(await same([], listing(EVENTS, { version: '2' })), false, 'what was found is of a later version');
});

test.run();
