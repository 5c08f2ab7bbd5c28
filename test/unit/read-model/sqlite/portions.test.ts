import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openPortions, type Portion } from '../../../../src/read-model/sqlite/portions.ts';
import { event } from '../../../support/documents.ts';

const long = (id: number, characters: number) =>
  event(id, { fragments: { full: 'x'.repeat(characters), masked: null, jsonLd: '{}' } });

test('long documents are handed over in portions of half a megabyte, complete and in order', () => {
  const portions = openPortions();
  const documents = [long(1, 900_000), long(2, 200_000), null, long(3, 200_000), long(4, 200_000), long(5, 900_000)];
  const handed: Portion[] = [portions.first(documents)];
  for (let rest = handed[0]?.rest ?? null; rest !== null; rest = handed.at(-1)?.rest ?? null)
    handed.push(portions.next(rest));
  assert.equal(
    handed.map(({ items }) => items.map((document) => document?.id ?? null)),
    [[1], [2, null, 3], [4], [5]],
  );
  assert.equal(portions.first([long(1, 10), null]), { items: [long(1, 10), null], rest: null });
  assert.equal(portions.first([]), { items: [], rest: null });
});

test.run();
