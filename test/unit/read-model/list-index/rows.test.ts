// What is read of a stored row is the row that was stored.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ReadModelDamaged } from '../../../../src/read-model/damage.ts';
import type { Document } from '../../../../src/read-model/documents.ts';
import { packRow, rowOf, unpackRow } from '../../../../src/read-model/list-index/rows.ts';
import { category, event, organizer, seriesOfDates, tag, user, venue } from '../../../support/documents.ts';

const DOCUMENTS: readonly Document[] = [
  event(1),
  event(2, {
    title: 'Zoë\u2028 "\\\n \ud800',
    parent: 9,
    featured: true,
    categories: [1],
    tags: [2, 3],
    startsAt: -1.5,
  }),
  event(3, { venues: [{ id: 4, life: 1 }], organizers: [{ id: 5, life: 0 }], labels: ['weekdays:monday'] }),
  venue(4),
  venue(5, { coordinates: { lat: 52.5, lng: -13.25 } }),
  organizer(6),
  category(7),
  category(8, { deleted: true, mergedInto: 7 }),
  tag(9, { name: 'half \udc00', parkedAt: '12' }),
  seriesOfDates(10),
];

test('what is packed is what is unpacked, member for member', () => {
  for (const document of DOCUMENTS) {
    const row = rowOf(document);
    assert.ok(row);
    const again = unpackRow(document, packRow(row));
    assert.equal(again, row);
    assert.equal(Object.keys(again).sort(), Object.keys(row).sort(), `members of ${document.kind} ${document.id}`);
  }
  assert.is(rowOf(user(11, 'ada', '')), null);
});

test('a byte that was changed is damage', () => {
  const row = rowOf(event(1));
  assert.ok(row);
  const bytes = packRow(row);
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.throws(
      () => unpackRow(event(1), changed),
      (error: unknown) => error instanceof ReadModelDamaged,
    );
  }
  assert.throws(
    () => unpackRow(event(1), bytes.subarray(1)),
    (error: unknown) => error instanceof ReadModelDamaged,
  );
});

test.run();
