import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSlugSearches } from '../../../src/commands/reservations/slug-searches.ts';
import {
  findFreeSlug,
  ownerOfSlug,
  releaseSlug,
  type SlugOrigin,
  type SlugRelease,
} from '../../../src/commands/reservations/slugs.ts';
import { suffixedSlug } from '../../../src/kernel/text/slug.ts';
import type { EventStore, StreamAppend } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { metadataAt, newEvent, newEvents } from '../../support/events.ts';

interface Context {
  store: EventStore;
}

const test = suite<Context>('slugs');
const START = '2026-03-01T10:00:00.000Z';

test.before.each((context) => {
  context.store = openSqliteEventStore({ file: ':memory:' });
});
test.after.each((context) => context.store.close());

interface Asking {
  readonly kind?: string;
  readonly base?: string;
  readonly instant?: string;
  readonly origin?: SlugOrigin;
}

function find(store: Pick<EventStore, 'readStream'>, owner: string, asking: Asking = {}) {
  const { kind = 'event', base = 'concert', instant = START, origin = 'derived' } = asking;
  const metadata = metadataAt(instant);
  return findFreeSlug(store, { kind, base, origin, owner, metadata, newEventId: randomUUID });
}

function resourceOf(owner: string): StreamAppend {
  return { stream: owner, expected: 'no_stream', events: newEvents(1) };
}

async function create(store: EventStore, owner: string, asking: Asking = {}): Promise<string> {
  const { slug, append } = await find(store, owner, asking);
  await store.append([...(append === null ? [] : [append]), resourceOf(owner)]);
  return slug;
}

async function release(
  store: EventStore,
  slug: string,
  owner: string,
  leaving: SlugRelease['leaving'] = 'free at once',
): Promise<void> {
  const request = { kind: 'event', slug, owner, metadata: metadataAt(START), newEventId: randomUUID, leaving };
  const append = await releaseSlug(store, request);
  if (append !== null) await store.append([append]);
}

test('a slug that leads on is kept for a year, unless it is given by name or the former owner wants it', async ({
  store,
}) => {
  await create(store, 'event-1');
  await release(store, 'concert', 'event-1', 'leads on');
  const inDays = (days: number): string => new Date(Date.parse(START) + days * 86_400_000).toISOString();
  assert.is(await ownerOfSlug(store, 'event', 'concert'), null);
  assert.is((await find(store, 'event-2')).slug, 'concert-2');
  assert.is((await find(store, 'event-2', { instant: inDays(365) })).slug, 'concert-2');
  assert.is((await find(store, 'event-2', { instant: inDays(367) })).slug, 'concert');
  assert.is((await find(store, 'event-1')).slug, 'concert', 'the former owner');
  assert.is((await find(store, 'event-2', { origin: 'given' })).slug, 'concert');
  await create(store, 'event-2');
  await release(store, 'concert-2', 'event-2', 'leads on');
  await create(store, 'event-3', { origin: 'given' });
  const numbered = await find(store, 'event-4', { origin: 'given' });
  assert.is(numbered.slug, 'concert-3', 'a number behind it was not given');
});

async function occupy(store: EventStore, numbers: readonly number[]): Promise<void> {
  await store.append(
    numbers.map((n) => ({
      stream: `slug-event-${n === 1 ? 'concert' : suffixedSlug('concert', n)}`,
      expected: 'no_stream',
      events: [{ ...newEvent('SlugReserved', { owner: `event-${n}` }), metadata: metadataAt(START) }],
    })),
  );
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('the first one gets the slug, those after it the smallest free suffix', async ({ store }) => {
  assert.is(await create(store, 'event-1'), 'concert');
  assert.is(await create(store, 'event-2'), 'concert-2');
  assert.is(await create(store, 'event-3'), 'concert-3');
  await release(store, 'concert-2', 'event-2');
  assert.is(await create(store, 'event-4'), 'concert-2');
  assert.is(await create(store, 'event-5'), 'concert-4');
});

test('each kind has slugs of its own', async ({ store }) => {
  await create(store, 'event-1');
  assert.is(await create(store, 'venue-2', { kind: 'venue' }), 'concert');
});

test('the reservation is in the stream of its slug, at the revision that was read', async ({ store }) => {
  const { append } = await find(store, 'event-1');
  assert.is(append?.stream, 'slug-event-concert');
  assert.is(append?.expected, 'no_stream');
  assert.equal(append?.events[0]?.data, { owner: 'event-1' });
});

test('of two that were offered the same slug, the later one gets a conflict', async ({ store }) => {
  const [one, other] = [await find(store, 'event-1'), await find(store, 'event-2')];
  assert.is(one.slug, other.slug);
  await store.append([one.append as StreamAppend, resourceOf('event-1')]);
  const outcome = await store.append([other.append as StreamAppend, resourceOf('event-2')]);
  assert.is(outcome.kind, 'conflict');
  assert.is(await create(store, 'event-2'), 'concert-2');
});

test('an owner that asks for what it holds needs no append', async ({ store }) => {
  await create(store, 'event-1');
  await create(store, 'event-2');
  assert.equal(await find(store, 'event-1'), { slug: 'concert', n: 1, append: null });
  assert.equal(await find(store, 'event-2'), { slug: 'concert-2', n: 2, append: null });
});

test('what is promised to one is offered to no other, however it is wanted, before it is given back', async ({
  store,
}) => {
  const { find: search } = openSlugSearches();
  const metadata = metadataAt(START);
  const wanting = (owner: string, base: string, origin: SlugOrigin) =>
    search(store, { kind: 'event', base, origin, owner, metadata, newEventId: randomUUID });
  const promised = await Promise.all([
    wanting('event-1', 'concert', 'derived'),
    wanting('event-2', 'concert', 'derived'),
    wanting('event-3', 'concert', 'given'),
    wanting('event-4', 'concert-2', 'given'),
  ]);
  assert.is(new Set(promised.map(({ slug }) => slug)).size, 4);
  promised[0]?.release();
  assert.is((await wanting('event-5', 'concert', 'given')).slug, 'concert');
});

test('who searches behind another one reads no more, and keeps what it has', async ({ store }) => {
  for (let n = 1; n <= 200; n++) await create(store, `event-${n}`);
  await release(store, 'concert-5', 'event-5');
  let reads = 0;
  const counted = {
    readStream: (...asked: Parameters<EventStore['readStream']>) => {
      reads += 1;
      return store.readStream(...asked);
    },
  };
  const { find: search } = openSlugSearches();
  const wanting = (owner: string) =>
    search(counted, {
      ...{ kind: 'event', base: 'concert', origin: 'derived', owner },
      ...{ metadata: metadataAt(START), newEventId: randomUUID },
    });
  const found = await Promise.all(['event-301', 'event-302', 'event-3'].map(wanting));
  assert.is(found[0]?.slug, 'concert-5');
  assert.is(found[2]?.slug, 'concert-3');
  assert.ok(reads < 150, `${reads} reads`);
});

test('a released slug is free and has no owner; only its owner can release it', async ({ store }) => {
  await create(store, 'event-1');
  await release(store, 'concert', 'event-2');
  assert.is(await ownerOfSlug(store, 'event', 'concert'), 'event-1');
  await release(store, 'concert', 'event-1');
  assert.is(await ownerOfSlug(store, 'event', 'concert'), null);
  assert.is(await ownerOfSlug(store, 'event', 'unheard-of'), null);
  assert.is(await create(store, 'event-3'), 'concert');
});

test('a reservation whose owner was never written is taken over after a minute, not before', async ({ store }) => {
  const { append } = await find(store, 'event-1');
  await store.append([append as StreamAppend]);
  assert.is((await find(store, 'event-2', { instant: '2026-03-01T10:01:00.000Z' })).slug, 'concert-2');
  assert.is((await find(store, 'event-2', { instant: '2026-03-01T10:01:00.001Z' })).slug, 'concert');
});

test('a reservation whose owner was written is never taken over', async ({ store }) => {
  await create(store, 'event-1');
  assert.is((await find(store, 'event-2', { instant: '2031-01-01T00:00:00Z' })).slug, 'concert-2');
});

test('an unwritten owner that comes back loses to the one that took over', async ({ store }) => {
  const lost = await find(store, 'event-1');
  await store.append([lost.append as StreamAppend]);
  const back = await find(store, 'event-1');
  assert.is(back.slug, 'concert');
  assert.is(await create(store, 'event-2', { instant: '2026-03-01T10:05:00Z' }), 'concert');
  const outcome = await store.append([back.append as StreamAppend, resourceOf('event-1')]);
  assert.is(outcome.kind, 'conflict');
});

test('up to -32 the smallest free suffix is given', async ({ store }) => {
  await occupy(
    store,
    upTo(60).filter((n) => n !== 32),
  );
  assert.is((await find(store, 'event-99')).slug, 'concert-32');
});

for (const last of [32, 33, 63, 64, 65, 100, 1000, 1027]) {
  test(`after ${last} of the same title comes -${last + 1}`, async ({ store }) => {
    await occupy(store, upTo(last));
    assert.is((await find(store, 'event-9999')).slug, `concert-${last + 1}`);
  });
}

test('with gaps among thousands a suffix is found that is free', async ({ store }) => {
  await occupy(
    store,
    upTo(3000).filter((n) => n < 40 || n % 7 !== 0),
  );
  for (let index = 0; index < 20; index += 1) {
    const slug = await create(store, `event-${10_000 + index}`);
    assert.is(await ownerOfSlug(store, 'event', slug), `event-${10_000 + index}`);
    assert.is((await store.readStream(`slug-event-${slug}`)).length, 1);
  }
});

test('thousands of the same title do not cost thousands of reads', async ({ store }) => {
  await occupy(store, upTo(5000));
  let reads = 0;
  const counting: Pick<EventStore, 'readStream'> = {
    readStream(stream, options) {
      reads += 1;
      return store.readStream(stream, options);
    },
  };
  assert.is((await find(counting, 'event-9999')).slug, 'concert-5001');
  assert.ok(reads < 150, `${reads} reads`);
});

test.run();
