import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { notingReads } from '../../../src/queries/made-from.ts';
import type { EventDocument } from '../../../src/read-model/documents.ts';
import type { TermView } from '../../../src/read-model/queries.ts';
import type { ReadModel } from '../../../src/read-model/read-model.ts';
import { event, eventQuery } from '../../support/documents.ts';

const test = suite('what a list was made from');

const jazz = { kind: 'category', id: 7, name: 'Jazz' } as TermView;

interface Listing {
  readonly events: readonly EventDocument[];
  readonly version?: string;
  readonly terms?: readonly TermView[];
  readonly total?: number;
}

/** A read model that lists these events, and has gone on to a version. */
const listing = (now: () => Listing) => {
  const page = () => ({ items: now().events, total: now().total ?? now().events.length });
  return {
    listEvents: async () => page(),
    findEvents: async () => ({ ...page(), items: page().items.map(({ id }) => id) }),
    fetch: async () => [],
    terms: async () => new Map((now().terms ?? [jazz]).map((term) => [term.id, term])),
    version: async () => now().version ?? '1',
  } as unknown as ReadModel;
};

const EVENTS = [event(1, { categories: [7] }), event(2)];

test('a list is found again where the index finds the same', async () => {
  let now: Listing = { events: EVENTS };
  const { readModel, madeFrom } = notingReads(
    listing(() => now),
    eventQuery(),
  );
  await readModel.listEvents(eventQuery());
  await readModel.fetch([{ kind: 'venue', id: 3 }]);
  const { documents, isFoundAgain } = await madeFrom();
  assert.is(documents, 'event-1 event-2 venue-3');
  const isSame = (then: Listing) => {
    now = then;
    return isFoundAgain('1');
  };
  assert.is(await isSame({ events: EVENTS }), true);
  assert.is(await isSame({ events: EVENTS.toReversed() }), false, 'another order');
  assert.is(await isSame({ events: [event(1), event(3)] }), false, 'other events');
  assert.is(await isSame({ events: EVENTS, total: 3 }), false, 'more behind the page');
  assert.is(await isSame({ events: EVENTS, terms: [{ ...jazz, count: 2 }] }), false, 'another count of its category');
  assert.is(await isSame({ events: EVENTS, version: '2' }), false, 'what was found is of a later version');
});

test.run();
