import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { madeFromBodies } from '../../../src/queries/made-from.ts';
import type { TermView } from '../../../src/read-model/queries.ts';
import { eventQuery } from '../../support/documents.ts';

const test = suite('what a list was made from');

const jazz = { kind: 'category', id: 7, name: 'Jazz' } as TermView;

interface Listing {
  readonly events: readonly number[];
  readonly version?: string;
  readonly terms?: readonly TermView[];
  readonly total?: number;
}

/** A read model that lists these events, and has gone on to a version. */
const listing = (now: () => Listing) => ({
  findEvents: async () => ({ items: now().events, total: now().total ?? now().events.length }),
  terms: async () => new Map((now().terms ?? [jazz]).map((term) => [term.id, term])),
  version: async () => now().version ?? '1',
});

const body = (id: number, documents: string, terms: readonly TermView[] = []) => ({
  ...{ id, documents, terms },
  termIds: terms.map((term) => term.id),
  text: '{}',
});
const BODIES = [body(1, 'event-1 venue-3', [jazz]), body(2, 'event-2 venue-3')];

test('a list is found again where the index finds the same', async () => {
  let now: Listing = { events: [1, 2] };
  const { documents, isFoundAgain } = madeFromBodies(
    listing(() => now),
    eventQuery(),
    BODIES,
    2,
  );
  assert.equal(new Set(documents.split(' ')), new Set(['event-1', 'event-2', 'venue-3']));
  const isSame = (then: Listing) => {
    now = then;
    return isFoundAgain('1');
  };
  assert.is(await isSame({ events: [1, 2] }), true);
  assert.is(await isSame({ events: [2, 1] }), false, 'another order');
  assert.is(await isSame({ events: [1, 3] }), false, 'other events');
  assert.is(await isSame({ events: [1, 2], total: 3 }), false, 'more behind the page');
  assert.is(await isSame({ events: [1, 2], terms: [{ ...jazz, count: 2 }] }), false, 'another count of its category');
  assert.is(await isSame({ events: [1, 2], terms: [] }), false, 'its category is gone');
  assert.is(await isSame({ events: [1, 2], version: '2' }), false, 'what was found is of a later version');
});

test.run();
