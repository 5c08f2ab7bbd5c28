// Terms of the index: a write of an event changes the counts of its own terms, and nothing else is made anew.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Document, EventDocument } from '../../../../src/read-model/documents.ts';
import { openListIndex } from '../../../../src/read-model/list-index/list-index.ts';
import { type Row, rowOf } from '../../../../src/read-model/list-index/rows.ts';
import { category, event, tag } from '../../../support/documents.ts';

function indexOf(...documents: readonly Document[]) {
  const index = openListIndex();
  const enter = (...some: readonly Document[]): void =>
    index.apply(some.map((document) => ({ key: document, row: rowOf(document) })));
  enter(...documents);
  for (const _ of index.loaded());
  return { index, enter, counts: () => [...index.terms().values()].map(({ id, count }) => [id, count]) };
}

const open = (id: number, categories: readonly number[], rest: Partial<EventDocument> = {}): EventDocument =>
  event(id, { status: 'publish', protected: false, categories, tags: [], ...rest });

test('only the terms of which the count has changed are other ones', () => {
  const { index, enter, counts } = indexOf(category(1), category(2), tag(3), open(11, [1, 2], { tags: [3] }));
  const before = index.terms();
  assert.equal(counts(), [
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
  enter(open(12, [1]));
  const after = index.terms();
  assert.is.not(after, before);
  assert.is(before.get(1)?.count, 1);
  assert.is(after.get(1)?.count, 2);
  assert.is(after.get(2), before.get(2));
  assert.is(after.get(3), before.get(3));
});

test('a write that changes no count leaves the terms as they are', () => {
  const { index, enter } = indexOf(category(1), open(11, [1]));
  const before = index.terms();
  enter(open(11, [1], { title: 'Another title' }), open(12, [1], { status: 'draft' }));
  assert.is(index.terms(), before);
});

test('counts are right when terms and events change between two looks', () => {
  const { index, enter, counts } = indexOf(category(1), category(2), open(11, [1]));
  index.terms();
  enter(open(12, [1, 2]), category(2, { deleted: true }));
  assert.equal(counts(), [[1, 2]]);
  enter(open(13, [2]), open(12, [1]));
  assert.equal(counts(), [[1, 2]]);
  enter(category(2), category(4), open(14, [4]), open(11, []));
  assert.equal(counts(), [
    [1, 1],
    [2, 1],
    [4, 1],
  ]);
});

test('an event that names a term twice counts once, also after the loading', () => {
  const { enter, counts } = indexOf(category(1), open(11, [1, 1]));
  assert.equal(counts(), [[1, 1]]);
  enter(open(12, [1, 1]));
  assert.equal(counts(), [[1, 2]]);
});

test('an index that has other terms for an event does not show its row', () => {
  const { index } = indexOf(category(1), category(2), open(11, [1]), open(12, [2]));
  assert.equal(
    [[1], [2], [1, 2], []].map((categories) => index.shows(rowOf(open(11, categories)) as Row)),
    [true, false, false, false],
  );
});

test.run();
