// Pages of one list that are read one after the other are walked once, and are those of the present all the same.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findEvents, nextState } from '../../../../src/read-model/list-index/event-lists.ts';
import { openEventTable } from '../../../../src/read-model/list-index/event-table.ts';
import { openLinkedPosts } from '../../../../src/read-model/list-index/linked-posts.ts';
import { type ListIndex, openListIndex } from '../../../../src/read-model/list-index/list-index.ts';
import { type EventRow, rowOf } from '../../../../src/read-model/list-index/rows.ts';
import type { EventQuery } from '../../../../src/read-model/queries.ts';
import { event, eventQuery, venue } from '../../../support/documents.ts';

const EVENTS = 30;

const idsOf = (index: ListIndex, query: EventQuery): number[] => index.findEvents(query).items.map(({ id }) => id);

/** Three pages of ten, the first one again, and the total. */
function pagesOf(index: ListIndex, query: Partial<EventQuery>) {
  const pageAt = (offset: number) => eventQuery({ ...query, page: { offset, limit: 10 } });
  const pages = [0, 10, 20, 0].map((offset) => idsOf(index, pageAt(offset)));
  return { ids: pages.slice(0, 3).flat(), again: pages[3], total: index.findEvents(pageAt(0)).total };
}

function check(index: ListIndex, query: Partial<EventQuery>, expected: readonly number[], what: string): void {
  const { ids, again, total } = pagesOf(index, query);
  assert.equal(ids, expected, what);
  assert.equal(again, expected.slice(0, 10), what);
  assert.is(total, expected.length, what);
}

test('pages are of the present, whatever has changed since the list was read last', () => {
  const index = openListIndex();
  const place = venue(500, { coordinates: { lat: 1, lng: 2 } });
  const put = (document: Parameters<typeof rowOf>[0]) =>
    index.apply([{ key: { kind: document.kind, id: document.id }, row: rowOf(document) }]);
  const all = Array.from({ length: EVENTS }, (_, at) => at + 1);
  const venues = [{ id: 500, life: place.life }];
  for (const id of all) put(event(id, { startsAt: id, endsAt: id, categories: [7], parent: 900, venues }));
  put(place);
  for (const _ of index.loaded());

  const located: Partial<EventQuery> = { geolocated: true };
  const ofSeries: Partial<EventQuery> = { categories: [7], collapse: 'series' };
  check(index, located, all, 'with a place');
  check(index, ofSeries, all, 'of no series');
  put({ ...place, status: 'draft' });
  check(index, located, [], 'that place is a draft');
  put(place);
  check(index, located, all, 'it is public again');
  index.apply([{ key: { kind: 'series', id: 900 }, row: { kind: 'series', id: 900, revision: 0, recordedAt: 0 } }]);
  check(index, ofSeries, [1], 'they are dates of a series');
  index.apply([{ key: { kind: 'event', id: 1 }, row: null }]);
  check(index, ofSeries, [2], 'the first date is gone');
  check(index, located, all.slice(1), 'it is in no other list either');
});

test('what another reader may see is another list', () => {
  const index = openListIndex();
  for (let id = 1; id <= EVENTS; id++) {
    const status = id % 2 === 0 ? 'draft' : 'publish';
    const row = rowOf(event(id, { startsAt: id, endsAt: id, categories: [7], status }));
    index.apply([{ key: { kind: 'event', id }, row }]);
  }
  for (const _ of index.loaded());
  const odd = Array.from({ length: EVENTS / 2 }, (_, at) => 2 * at + 1);
  const visibility = { statuses: ['publish', 'draft'], own: null } as const;
  const all = Array.from({ length: EVENTS }, (_, at) => at + 1);
  for (const _ of [1, 2]) {
    check(index, { categories: [7] }, odd, 'of the public');
    check(index, { categories: [7], visibility }, all, 'of an editor');
  }
});

/** Reads pages of lists by their second bound, and says how many events are walked for each. */
function openWalks(): (page: { readonly offset: number; readonly list?: number }) => number {
  const table = openEventTable();
  for (let id = 1; id <= EVENTS; id++)
    table.replace(id, rowOf(event(id, { startsAt: id, endsAt: id, categories: [7] })) as EventRow);
  for (const _ of table.loaded());
  let walked = 0;
  const seriesOf = () => {
    walked += 1;
    return 0;
  };
  const sources = { table, posts: openLinkedPosts(), seriesOf, state: nextState() };
  return ({ offset, list = 0 }) => {
    walked = 0;
    const bounds = { startsBefore: 1_000 + list };
    findEvents(sources, eventQuery({ bounds, categories: [7], collapse: 'series', page: { offset, limit: 10 } }));
    return walked;
  };
}

test('from its second page on a list is walked no more', () => {
  const walkedFor = openWalks();
  assert.equal(
    [0, 10, 20, 0].map((offset) => walkedFor({ offset })),
    [EVENTS, EVENTS, 0, 0],
  );
});

test('only the lists that were read last are kept, however short they are', () => {
  const walkedFor = openWalks();
  for (let list = 0; list < 200; list++) for (const offset of [0, 10]) walkedFor({ offset, list });
  assert.is(walkedFor({ offset: 20, list: 199 }), 0);
  assert.is(walkedFor({ offset: 20, list: 0 }), EVENTS);
});

test.run();
