// An index that is larger than its first columns, blocks of words and slices of postings, loaded and changed, says what the
// oracle says.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Document, EventDocument } from '../../../../src/read-model/documents.ts';
import { type ListIndex, openListIndex } from '../../../../src/read-model/list-index/list-index.ts';
import { packRow, rowOf, unpackRow } from '../../../../src/read-model/list-index/rows.ts';
import type { EventQuery } from '../../../../src/read-model/queries.ts';
import { category, event, eventQuery, organizer, seriesOfDates, tag, venue } from '../../../support/documents.ts';
import { oracle } from '../../../support/oracle.ts';
import { eventQueries } from '../../../support/random-calendar.ts';
import { seeded } from '../../../support/seeded.ts';

const EVENTS = 3_000;
const CHANGES = 3_000;
const DAY = 86_400;
const FIRST = Date.UTC(2027, 2, 13) / 1_000;

const random = seeded(20_270_314);
const below = (count: number): number => Math.floor(random() * count);
const some = (from: number, count: number): number[] =>
  Array.from(new Set(Array.from({ length: below(4) }, () => from + below(count))));
/** Some words are in most texts, most words in a few. */
const words = (count: number): string =>
  Array.from({ length: count }, () => `w${Math.floor(9_000 * random() ** 3)}`).join(' ');

function anyEvent(id: number): EventDocument {
  const startsAt = FIRST + (below(33) - 16) * DAY + below(48) * 1_800;
  return event(id, {
    startsAt,
    endsAt: startsAt + below(5) * 3_600 + (below(20) === 0 ? 40 * DAY : 0),
    date: 1_000 + 1_000 * below(3),
    status: (['publish', 'publish', 'publish', 'draft', 'future', 'private'] as const)[below(6)] ?? 'publish',
    author: 1 + below(3),
    hidden: below(20) === 0,
    protected: below(10) === 0,
    featured: below(5) === 0,
    parent: below(3) === 0 ? 1 + below(5) : null,
    categories: some(1, 9),
    tags: some(11, 6),
    venues: some(41, 6).map((venueId) => ({ id: venueId, life: below(3) === 0 ? 1 : 0 })),
    organizers: some(51, 5).map((organizerId) => ({ id: organizerId, life: 0 })),
    title: words(3),
    description: words(12),
  });
}

const others: Document[] = [
  ...Array.from({ length: 9 }, (_, at) => category(1 + at)),
  ...Array.from({ length: 6 }, (_, at) => tag(11 + at)),
  // Three at each place: their events are equally far.
  ...Array.from({ length: 6 }, (_, at) =>
    venue(41 + at, { coordinates: { lat: 10 * Math.floor(at / 3), lng: 5 * Math.floor(at / 3) }, life: at % 2 }),
  ),
  ...Array.from({ length: 5 }, (_, at) => organizer(51 + at)),
  ...[1, 2, 3].map((id) => seriesOfDates(id)),
];

const calendar = new Map<string, Document>();

/** By the bytes of its row, as they come from a storage. */
function enter(index: ListIndex, document: Document): void {
  calendar.set(`${document.kind} ${document.id}`, document);
  const row = rowOf(document);
  if (row === null) throw new Error(`a ${document.kind} has a row`);
  index.apply([{ key: document, row: unpackRow(document, packRow(row)) }]);
}

function remove(index: ListIndex, id: number): void {
  calendar.delete(`event ${id}`);
  index.apply([{ key: { kind: 'event', id }, row: null }]);
}

const queries: EventQuery[] = [
  ...fc.sample(eventQueries, { numRuns: 40, seed: 7 }),
  ...[{}, { collapse: 'series' }, { tags: [12], featured: true }, { search: { words: ['w1'], without: [] } }].map(
    (members) =>
      eventQuery({
        ...members,
        nearby: { lat: 12, lng: 6, radiusKm: 4_000 },
        order: 'distance',
      } as Partial<EventQuery>),
  ),
  ...['w0', 'w1', '9', 'w12', 'w8999', 'w', '11', 'none'].map((word) =>
    eventQuery({ search: { words: [word], without: word === '9' ? ['w1'] : [] } }),
  ),
];

function compare(index: ListIndex): void {
  const told = oracle([...calendar.values()]);
  for (const query of queries) {
    const { items, total, unproven } = index.findEvents(query);
    // What is a phrase is said by texts, which an index does not have.
    if (unproven !== null) continue;
    const asked = JSON.stringify(query);
    assert.equal({ ids: items.map(({ id }) => id), total }, told.listEvents(query), asked);
    const { ids } = told.listEvents({ ...query, page: { offset: 0, limit: Infinity } });
    for (const id of [1, 60, EVENTS, ids[0], ids[ids.length >> 1], ids.at(-1)]) {
      if (id === undefined) continue;
      const place = ids.includes(id) ? ids.indexOf(id) + 1 : null;
      assert.equal(index.placeOf(query, id), { place, total: ids.length }, `event ${id} in ${asked}`);
    }
  }
  for (const of of [null, ...queries]) {
    const { items, unproven } = index.newestEvents({ limit: 50, of });
    if (unproven !== null) continue;
    assert.equal(
      items.map(({ id }) => id),
      told.newestEvents({ limit: 50, of }),
    );
  }
  for (const now of [0, FIRST, FIRST + 5 * DAY]) assert.equal(index.nextEdge(now), told.nextEdge(now));
  assert.equal(
    [...index.terms().values()].map(({ id, count }) => [id, count]),
    told.terms().map(({ id, count }) => [id, count]),
  );
}

test('a large index, loaded and then changed event by event, says what the oracle says', () => {
  const index = openListIndex();
  for (const one of others) enter(index, one);
  for (let id = EVENTS; id > 0; id--) enter(index, anyEvent(id));
  // Rows come twice, and go, while they are read.
  for (let id = 1; id <= 50; id++) enter(index, anyEvent(id));
  for (let id = 51; id <= 100; id++) remove(index, id);
  for (const _ of index.loaded());
  for (const _ of index.indexWords());
  compare(index);
  for (let at = 0; at < CHANGES; at++) {
    const id = 1 + below(EVENTS + 200);
    if (below(4) === 0) remove(index, id);
    else enter(index, anyEvent(id));
  }
  compare(index);
  // Texts change while the words of a search are looked through: a few, and more than are kept as they came.
  const longest = event(1, { description: `w19 ${'x'.repeat(2 ** 19)}` });
  for (const [word, latest] of [
    ['w1', []],
    ['9', [longest, anyEvent(2)]],
  ] as const) {
    const query = eventQuery({ search: { words: [word], without: ['w0'] } });
    const steps = index.searching(query);
    for (let changes = 0; steps.next().done === false; changes++)
      if (changes < 5) enter(index, anyEvent(1 + below(EVENTS)));
    for (const one of latest) enter(index, one);
    const { items, total } = index.findEvents(query);
    assert.equal({ ids: items.map(({ id }) => id), total }, oracle([...calendar.values()]).listEvents(query), word);
  }
  for (let id = 1; id <= EVENTS + 200; id++) remove(index, id);
  compare(index);
});

test.run();
