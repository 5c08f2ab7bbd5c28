// Lists of dates alone are counted by two searches: they say what looking at every event says, also after changes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventDocument } from '../../../../src/read-model/documents.ts';
import { openListIndex } from '../../../../src/read-model/list-index/list-index.ts';
import { rowOf } from '../../../../src/read-model/list-index/rows.ts';
import type { TimeBounds } from '../../../../src/read-model/queries.ts';
import { event, eventQuery } from '../../../support/documents.ts';
import { seeded } from '../../../support/seeded.ts';

const random = seeded(34);
const below = (most: number): number => Math.floor(random() * most);
const page = { offset: 2, limit: 5 };

function documentFor(id: number): EventDocument {
  const startsAt = 100 * below(200);
  const status = (['publish', 'publish', 'publish', 'draft'] as const)[below(4)] ?? 'publish';
  return event(id, { startsAt, endsAt: startsAt + 100 * below(8), status, hidden: below(10) === 0 });
}

const changeTo = (document: EventDocument) => ({ key: document, row: rowOf(document) });

const isWithin = (
  { startsAt, endsAt }: EventDocument,
  { startsFrom = -1, startsBefore = 1e9, endsUntil = 1e9 }: TimeBounds,
) => startsAt >= startsFrom && startsAt < startsBefore && endsAt <= endsUntil;

const BOUNDS: readonly (() => TimeBounds)[] = [
  () => ({}),
  () => ({ startsFrom: 100 * below(200) }),
  () => ({ endsUntil: 100 * below(200) }),
  () => ({ startsFrom: 100 * below(100), startsBefore: 100 * (100 + below(100)) }),
  () => ({ startsFrom: 100 * below(100), endsUntil: 100 * (100 + below(100)) }),
  () => ({ startsFrom: 100 * below(200), endsUntil: 100 * below(200) }),
];

test('dates alone find and count what looking at every event does', () => {
  const index = openListIndex();
  const documents = new Map(Array.from({ length: 300 }, (_, at) => [at + 1, documentFor(at + 1)]));
  index.apply([...documents.values()].map(changeTo));
  for (const _ of index.loaded());
  for (let round = 0; round < 600; round++) {
    const id = 1 + below(320);
    const document = below(4) === 0 ? null : documentFor(id);
    if (document) documents.set(id, document);
    else documents.delete(id);
    index.apply([document ? changeTo(document) : { key: { kind: 'event', id }, row: null }]);
    const bounds = BOUNDS[round % BOUNDS.length]?.() ?? {};
    const expected = [...documents.values()]
      .filter((one) => one.status === 'publish' && !one.hidden && isWithin(one, bounds))
      .sort((one, other) => one.startsAt - other.startsAt || one.date - other.date || one.id - other.id);
    const { items, total } = index.findEvents(eventQuery({ bounds, page }));
    assert.is(total, expected.length, JSON.stringify(bounds));
    assert.equal(
      items.map((one) => one.id),
      expected.slice(2, 7).map((one) => one.id),
    );
  }
});

test('the last page by date has those published last, in their order', () => {
  const index = openListIndex();
  const documents = Array.from({ length: 200 }, (_, at) => ({ ...documentFor(at + 1), date: below(30) }));
  index.apply(documents.map(changeTo));
  for (const _ of index.loaded());
  const expected = documents
    .filter(({ status, hidden }) => status === 'publish' && !hidden)
    .sort((one, other) => one.date - other.date || one.id - other.id)
    .map(({ id }) => id);
  const offsets = [0, 1, expected.length - 50, expected.length - 7, expected.length - 1, expected.length, 1_000];
  for (const offset of offsets) {
    const page = { offset, limit: expected.length };
    const { items, total } = index.findEvents(eventQuery({ page, order: 'date' }));
    assert.is(total, expected.length);
    assert.equal(
      items.map(({ id }) => id),
      expected.slice(offset),
    );
    const [second = 0] = expected.slice(1);
    const where = index.placeOf(eventQuery({ page, order: 'date' }), second);
    assert.equal(where, { place: 2, total: expected.length }, 'wherever a page begins');
  }
  const { items } = index.newestEvents({ limit: 20 });
  assert.equal(
    items.map(({ id }) => id),
    expected.toReversed().slice(0, 20),
  );
});

test('a search that is asked again finds what has been written since', () => {
  const index = openListIndex();
  const titled = (title: string) => {
    const row = rowOf(event(1, { title }));
    index.apply([{ key: { kind: 'event', id: 1 }, row }]);
  };
  titled('Garden');
  for (const _ of index.loaded());
  for (const _ of index.indexWords());
  const found = () => index.findEvents(eventQuery({ search: { words: ['garden'], without: [] } })).total;
  assert.is(found(), 1);
  titled('Market');
  assert.is(found(), 0);
  titled('Garden again');
  assert.is(found(), 1);
});

test('words are searched once for eight searches that take turns', () => {
  const index = openListIndex();
  const stems = ['concert', 'music', 'garden', 'history', 'reading', 'dance', 'choir', 'jazz'];
  for (let id = 1; id <= 20; id++) {
    const title = stems.map((stem) => `${stem}${id}`).join(' ');
    index.apply([{ key: { kind: 'event', id }, row: rowOf(event(id, { title })) }]);
  }
  for (const _ of index.loaded());
  for (const _ of index.indexWords());
  const steps = () =>
    stems.map((stem) => [...index.searching(eventQuery({ search: { words: [stem], without: [] } }))].length);
  assert.ok(Math.min(...steps()) > 0);
  assert.equal(
    steps(),
    stems.map(() => 0),
  );
});

test.run();
