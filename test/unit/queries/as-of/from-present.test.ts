// A calendar of another instant that begins with the index of the present is the one that is made from the whole log.
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../../projections/catalogue.ts';
import { type AsOfCalendar, openAsOfLog } from '../../../../src/editorial/time-travel/queries/as-of-log.ts';
import { pastOf } from '../../../../src/editorial/time-travel/queries/folded-log.ts';
import { presentIndex } from '../../../../src/editorial/time-travel/queries/present-index.ts';
import type { Json, NewEvent } from '../../../../src/log/envelope.ts';
import type { EventStore } from '../../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../../src/log/sqlite/store.ts';
import type { Document } from '../../../../src/read-model/documents.ts';
import type { IndexedModel } from '../../../../src/read-model/indexed-model.ts';
import { catchUp } from '../../../../src/read-model/projector/catch-up.ts';
import { controlAppend, readControl } from '../../../../src/read-model/projector/control.ts';
import { type EventQuery, NO_POSTS, type Visibility } from '../../../../src/read-model/queries.ts';
import { ReadModelUnavailable } from '../../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../../src/read-model/sqlite/open.ts';
import { writeHistory } from '../../../perf/long-history.ts';
import { eventQuery } from '../../../support/documents.ts';
import { NEW_YORK } from '../../../support/given.ts';
import { oracle } from '../../../support/oracle.ts';
import { seededBelow } from '../../../support/seeded.ts';

const test = suite('lists of another instant, from the index of the present');

const rendering = { siteZone: NEW_YORK, signBefore: '$', signAfter: '', freeLabel: 'Free' } as const;
const projections = allProjections(rendering);
const DAY = 86_400;
/** When `writeHistory` begins, and how many facts it writes, one a second. */
const FIRST = 1_700_000_001;
const FACTS = 900;

/** What may happen to a post; the last two are of a later version. */
const DEEDS: readonly (readonly [type: string, data: Json])[] = [
  ['ReturnedToDraft', {}],
  ['SubmittedForReview', {}],
  ['MadePrivate', { date: FIRST }],
  ['PublicationScheduled', { date: FIRST * 2 }],
  ['Published', { date: FIRST }],
  ['PasswordSet', { hash: '*' }],
  ['PasswordRemoved', {}],
  ['Reassigned', { author: 3 }],
  ['Trashed', { slug: 'thrown-away', date: FIRST }],
  ['SetToMusic', {}],
  ['Erased', {}],
];

const NOUNS = { event: 'Event', venue: 'Venue' } as const;

type Below = (below: number) => number;

/** Something happens to a post, by a clock that is set forward and back. */
async function writeDeed(store: EventStore, below: Below): Promise<void> {
  const kind = below(5) === 0 ? 'venue' : 'event';
  const stream = `${kind}-${Math.floor(1 + below(180))}`;
  const [last] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
  const deed = DEEDS[Math.floor(below(DEEDS.length))];
  // Of what cannot be folded there are few.
  if (!last || !deed || (deed[0] === 'SetToMusic' && below(3) > 1)) return;
  const instant = new Date((FIRST + Math.floor(below(2 * FACTS))) * 1000).toISOString();
  const fact: NewEvent = {
    ...{ id: randomUUID(), type: `${NOUNS[kind]}${deed[0]}`, schemaVersion: 1, data: deed[1] },
    metadata: { ...last.metadata, instant },
  };
  const outcome = await store.append([{ stream, expected: last.revision, events: [fact] }]);
  assert.is(outcome.kind, 'appended');
}

const PUBLIC: Visibility = { statuses: ['publish'], own: null };
const READERS: readonly Visibility[] = [
  PUBLIC,
  { statuses: ['publish', 'private'], own: null },
  { statuses: ['publish'], own: { author: 3, statuses: ['private'] } },
];

const FILTERS = (below: Below): readonly Partial<EventQuery>[] => {
  const some = () => Math.floor(1 + below(150));
  const from = FIRST + Math.floor(below(2_000)) * DAY;
  return [
    {},
    { search: { words: ['jazz'], without: [] } },
    { search: { words: ['ö', 'w1'], without: ['river'] } },
    { search: { words: ['free entry'], without: ['concert'] } },
    { categories: [some(), some()] },
    { tags: [some()] },
    { venues: [some(), some(), some()] },
    { geolocated: true },
    { featured: true, order: 'date' },
    { bounds: { startsFrom: from, endsBefore: from + 90 * DAY } },
    { bounds: { endsAfter: from }, order: 'date' },
    { include: [some(), some(), some()] },
    { nearby: { lat: 50, lng: 60, radiusKm: 5_000 }, order: 'distance' },
  ];
};

async function compare({ readModel, ...calendar }: AsOfCalendar, documents: readonly Document[], below: Below) {
  const told = oracle(documents);
  for (const visibility of READERS) {
    const events = { visible: visibility, unmasked: NO_POSTS };
    for (const filter of FILTERS(below)) {
      const page = { offset: Math.floor(below(4)), limit: 30 };
      const linked = { venue: visibility, organizer: visibility };
      const query = eventQuery({ visibility, unmasked: NO_POSTS, linked, page, ...filter });
      const { items, total } = await readModel.listEvents(query);
      const found = { ids: items.map(({ id }) => id), total };
      assert.equal(found, told.listEvents(query), JSON.stringify(query));
      const facets = { flags: [], labels: [], categories: [[1, 2, 3, 4, 5]], periods: [{}, { endsAfter: FIRST }] };
      const counts = await readModel.countFacets(query, facets);
      const count = (narrowed: Partial<EventQuery>) => told.listEvents({ ...query, ...narrowed }).total;
      if (counts === null) continue;
      assert.equal(counts.categories, [count({ categories: [1, 2, 3, 4, 5] })]);
      assert.equal(counts.periods, [count({ bounds: {} }), count({ bounds: { endsAfter: FIRST } })]);
    }
    for (const kind of ['venue', 'organizer'] as const)
      for (const filter of [{}, { hasEvents: true }, { hasEvents: false }, { upcoming: { from: FIRST, visibility } }]) {
        const query = { kind, visibility, events, page: { offset: 0, limit: 50 }, ...filter };
        const { items, total } = await readModel.listLinkedPosts(query);
        assert.equal({ ids: items.map(({ id }) => id), total }, told.listLinkedPosts(query), JSON.stringify(query));
      }
  }
  const terms = documents.filter(({ kind }) => kind === 'category' || kind === 'tag');
  assert.equal(calendar.terms.map(({ id }) => id).sort(), terms.map(({ id }) => id).sort());
  assert.equal([...(await readModel.terms()).values()].sort(byId), told.terms().sort(byId));
  assert.is(await readModel.nextEdge(FIRST), told.nextEdge(FIRST));
}

const byId = (one: { readonly id: number }, other: { readonly id: number }) => one.id - other.id;

interface Given {
  readonly store: EventStore;
  readonly followed: IndexedModel;
  readonly below: Below;
}

async function given(seed: number, work: (given: Given) => Promise<void>): Promise<void> {
  const store = openSqliteEventStore({ file: ':memory:' });
  const followed = openSqliteReadModel({ file: ':memory:', fingerprint: 'followed' });
  const below = seededBelow(seed);
  try {
    await writeHistory(store, FACTS, seed);
    for (let deeds = 0; deeds < 200; deeds++) await writeDeed(store, below);
    await catchUp(store, followed, projections);
    await work({ store, followed, below });
  } finally {
    await followed.close();
    await store.close();
  }
}

/** The calendar that is made with the index of the present, and what the whole log says. */
async function compareAt({ store, followed, below }: Given, at: number): Promise<AsOfCalendar> {
  let isFromPresent = false;
  const present = async () => {
    const index = await presentIndex(followed);
    isFromPresent = index !== null;
    return index;
  };
  const calendar = await openAsOfLog({ store, projections, rendering, present }).make(at, 'user');
  assert.ok(isFromPresent);
  const past = await pastOf({ store, projections }, { at, beginning: null, rendering });
  const documents: Document[] = [];
  const all = past.all(calendar.upTo);
  for (let next = await all.next(); !next.done; next = await all.next()) documents.push(next.value);
  const { from, until, closedTerms, closedCounts } = past.summary();
  const { from: begins, until: ends, closedTerms: terms, closedCounts: counts } = calendar;
  assert.equal([begins, ends, terms, counts], [from, until, closedTerms, closedCounts], `as of ${at - FIRST}`);
  await compare(calendar, documents, below);
  return calendar;
}

const INSTANTS = [-5, 200, FACTS / 2, FACTS + 20, 2 * FACTS, 10 * FACTS];

for (const seed of [1, 2])
  test(`it is that of the whole log, at any instant, ${seed}`, () =>
    given(seed, async (one) => {
      for (const after of INSTANTS) await compareAt(one, FIRST + after);
      // What the present has been told of later is read from the log.
      for (let deeds = 0; deeds < 60; deeds++) await writeDeed(one.store, one.below);
      for (const after of INSTANTS.slice(seed)) await compareAt(one, FIRST + after);
    }));

test('what is written while it is made is in it, or comes behind it', () =>
  given(4, async (one) => {
    const { store, followed, below } = one;
    let isMade = false;
    const writing = (async () => {
      while (!isMade) {
        await writeDeed(store, below);
        await catchUp(store, followed, projections);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (const after of INSTANTS) await compareAt(one, FIRST + after);
    isMade = true;
    await writing;
  }));

test('a calendar stays as it is while the present goes on', () =>
  given(5, async (one) => {
    const { store, followed, below } = one;
    const calendar = await compareAt(one, FIRST + FACTS / 2);
    const ask = async (search: EventQuery['search']) => {
      const query = eventQuery({ visibility: PUBLIC, unmasked: NO_POSTS, page: { offset: 0, limit: 500 } });
      return (await calendar.readModel.findEvents({ ...query, ...(search && { search }) })).items;
    };
    const searches = [undefined, { words: ['jazz'], without: [] }, { words: ['nothing but this'], without: [] }];
    const before = await Promise.all(searches.map(ask));
    for (let deeds = 0; deeds < 60; deeds++) await writeDeed(store, below);
    const [event] = await store.readStream('event-1', { direction: 'backwards', limit: 1 });
    assert.ok(event);
    const retitled = {
      ...event,
      id: randomUUID(),
      type: 'EventRetitled',
      data: { title: 'jazz and nothing but this' },
    };
    await store.append([{ stream: 'event-1', expected: event.revision, events: [retitled] }]);
    await catchUp(store, followed, projections);
    assert.equal(await Promise.all(searches.map(ask)), before);
  }));

test('an index that cannot be read, or lags far behind, is done without', () =>
  given(6, async ({ store, followed }) => {
    const at = FIRST + FACTS / 2;
    const found = async (present: IndexedModel) => {
      const log = openAsOfLog({ store, projections, rendering, present: () => presentIndex(present) });
      const { readModel } = await log.make(at, 'user');
      return readModel.findEvents(eventQuery({ visibility: PUBLIC, page: { offset: 0, limit: 500 } }));
    };
    const page = await found(followed);
    const failing = (error: Error) => ({ ...followed, index: () => Promise.reject(error) });
    const broken = failing(new ReadModelUnavailable('not there'));
    assert.equal(await found(broken), page);
    const fault = new TypeError('our own');
    assert.is(await found(failing(fault)).catch((error: unknown) => error), fault);
    const empty = openSqliteReadModel({ file: ':memory:', fingerprint: 'empty' });
    assert.equal(await found(empty), page);
    await empty.close();
    // What operators have events passed over for is not in the index either.
    const [skipped] = await store.readStream('event-1', { from: 1, limit: 1 });
    assert.ok(skipped);
    const { position, stream, revision, type, metadata } = skipped;
    const fact = { type: 'EventSkipped', data: { position, stream, revision, type, reason: 'odd' } } as const;
    await store.append([controlAppend(await readControl(store), fact, { id: randomUUID(), metadata })]);
    const without = await found(followed);
    assert.equal(without, await found(broken));
    assert.not.equal(without, page);
  }));

test.run();
