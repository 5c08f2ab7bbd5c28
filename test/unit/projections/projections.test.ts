import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import { changesOf } from '../../../projections/changes.ts';
import { keyOf } from '../../../projections/projection.ts';
import { termsProjection } from '../../../projections/terms.ts';
import {
  changeCalendarEvent,
  createCalendarEvent,
  trashCalendarEvent,
} from '../../../src/calendar/event/commands/events.ts';
import {
  changeLinkedPost,
  createLinkedPost,
  ORGANIZERS,
  trashLinkedPost,
  VENUES,
} from '../../../src/calendar/linked-post/commands/linked-posts.ts';
import { changeTermOf, createTermOf, deleteTermOf } from '../../../src/calendar/term/commands/terms.ts';
import type { RecordedEvent } from '../../../src/log/envelope.ts';
import type { Document, DocumentKey } from '../../../src/read-model/documents.ts';
import { catchUp } from '../../../src/read-model/projector/catch-up.ts';
import type { ReadModel } from '../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { HOUR, NEW_YORK, NOW, openWorld, type World } from '../../support/given.ts';

const test = suite('projections');
const SETTINGS = {
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
} as const;
const PROJECTIONS = allProjections(SETTINGS);
const PREFIXES = PROJECTIONS.map(({ prefix }) => prefix);
const openModel = (): ReadModel => openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });

const TIMES = { start: '2027-03-01 20:00', end: '2027-03-01 23:00' };

/** A little history in which every kind is created, changed, thrown away and brought back. */
async function live({ dependencies, context }: World): Promise<void> {
  let now = NOW;
  const told = () => {
    now += HOUR;
    return context({ now });
  };
  const idOf = async (result: Promise<{ kind: string }>): Promise<number> => {
    const answer = (await result) as { kind: string; written?: { id: number } };
    if (!answer.written) throw new Error(JSON.stringify(answer));
    return answer.written.id;
  };
  const music = await idOf(createTermOf(dependencies, told(), 'category', { name: 'Music' }));
  const folk = await idOf(createTermOf(dependencies, told(), 'category', { name: 'Folk', parent: music }));
  const event = await idOf(
    createCalendarEvent(dependencies, told(), {
      title: 'Jazz & more',
      times: TIMES,
      status: 'draft',
      categories: [{ id: folk }],
      tags: [{ text: 'Loud' }],
      venues: [{ input: { name: 'Hall', address: '1 Mill Lane' } }],
      organizers: [{ input: { name: 'Ann' } }],
      cost: '$20',
      password: 'secret',
    }),
  );
  await idOf(
    changeCalendarEvent(dependencies, told(), event, { description: 'All night', featured: true, hidden: true }),
  );
  await idOf(changeCalendarEvent(dependencies, told(), event, { status: 'publish', password: '' }));
  await idOf(deleteTermOf(dependencies, told(), 'category', music));
  await idOf(changeTermOf(dependencies, told(), 'category', folk, { name: 'Song', slug: 'song' }));
  const hall = await idOf(
    createLinkedPost(dependencies, told(), VENUES, {
      name: 'Hall',
      city: 'Leeds',
      country: 'UK',
      province: 'York',
      state: 'none',
      zip: 'LS1',
      phone: '12',
    }),
  );
  await idOf(trashLinkedPost(dependencies, told(), VENUES, hall));
  await idOf(
    changeLinkedPost(dependencies, told(), VENUES, hall, { status: 'private', coordinates: { lat: 1, lng: 2 } }),
  );
  await idOf(createLinkedPost(dependencies, told(), ORGANIZERS, { name: 'Ann', email: 'ann@example.org' }));
  const second = await idOf(createCalendarEvent(dependencies, told(), { title: 'Jazz', times: TIMES, parent: event }));
  await idOf(trashCalendarEvent(dependencies, told(), event));
  await idOf(changeCalendarEvent(dependencies, told(), event, { status: 'draft', times: { allDay: true } }));
  await idOf(changeCalendarEvent(dependencies, told(), second, { date: now + 100 * HOUR }));
}

const relevant = (world: World): Promise<readonly RecordedEvent[]> =>
  world.store.readAll({ after: '', prefixes: PREFIXES, limit: 10_000 });

const keysIn = (log: readonly RecordedEvent[]): readonly DocumentKey[] =>
  [...new Set(log.map(({ stream }) => stream))].flatMap((stream) => {
    const projection = PROJECTIONS.find(({ prefix }) => stream.startsWith(prefix));
    return (projection && keyOf(projection, stream)) ?? [];
  });

const streamsOf = (log: readonly RecordedEvent[]) => ({
  readStream: async (stream: string) => log.filter((event) => event.stream === stream),
});

/** Applies events in batches of the given sizes, the last one again and again. */
async function applyIn(model: ReadModel, log: readonly RecordedEvent[], sizes: readonly number[]): Promise<void> {
  let from = 0;
  for (let turn = 0; from < log.length; turn++) {
    const size = sizes[Math.min(turn, sizes.length - 1)] ?? 1;
    const events = log.slice(from, from + size);
    const after = await model.checkpoint();
    const changes = await changesOf(events, PROJECTIONS, model, streamsOf(log));
    const upTo = events.at(-1)?.position ?? after;
    assert.is(await model.apply({ after, upTo, changes }), 'applied');
    from += size;
  }
}

async function documentsBy(log: readonly RecordedEvent[], sizes: readonly number[]): Promise<(Document | null)[]> {
  const model = openModel();
  await applyIn(model, log, sizes);
  const documents = await model.fetch(keysIn(log));
  await model.close();
  return documents;
}

const world = openWorld();
test.before(() => live(world));
test.after(() => world.store.close());

test('every resource of the log has a document at the revision of its last event', async () => {
  const log = await relevant(world);
  const documents = await documentsBy(log, [log.length]);
  assert.is(documents.length, 7);
  for (const document of documents) {
    const stream = `${document?.kind}-${document?.id}`;
    const last = log.filter((event) => event.stream === stream).at(-1);
    assert.equal([document?.revision, document?.position], [last?.revision, last?.position], stream);
  }
});

test('documents say what was decided', async () => {
  const documents = await documentsBy(await relevant(world), [1000]);
  const [folk, event, hall, ann] = [
    documents.find((one) => one?.kind === 'category' && one.parent !== 0),
    documents.find((one) => one?.kind === 'event' && one.parent === null),
    documents.find((one) => one?.kind === 'venue'),
    documents.find((one) => one?.kind === 'organizer'),
  ];
  assert.ok(folk?.kind === 'category' && folk.slug === 'song' && folk.name === 'Song' && !folk.deleted);
  const music = documents.find((one) => one?.kind === 'category' && one.parent === 0);
  assert.ok(music?.kind === 'category' && music.deleted && music.id === folk.parent);
  assert.ok(event?.kind === 'event' && event.status === 'draft' && event.title === 'Jazz & more' && !event.protected);
  assert.equal([event.featured, event.hidden, event.ticketed, event.categories], [true, true, false, [folk.id]]);
  assert.is(event.endsAt - event.startsAt, 24 * HOUR - 1);
  assert.is(event.fragments.masked, null);
  assert.equal(event.venues, [{ id: hall?.id, life: 0 }]);
  assert.ok(hall?.kind === 'venue' && hall.life === 1 && hall.status === 'private');
  assert.equal(hall.searchable, ['Hall', '', '1 Mill Lane', 'Leeds', 'York', 'none', 'York', 'LS1', '12']);
  assert.equal(hall.coordinates, { lat: 1, lng: 2 });
  assert.ok(ann?.kind === 'organizer' && ann.searchable.includes('ann@example.org'));
});

test('one batch, one event at a time, and the same again make the same documents', async () => {
  const log = await relevant(world);
  const atOnce = await documentsBy(log, [log.length]);
  assert.equal(await documentsBy(log, [1]), atOnce);
  assert.equal(await documentsBy(log, [log.length]), atOnce);
});

test('however the log is cut into batches, the documents are the same', async () => {
  const log = await relevant(world);
  const atOnce = await documentsBy(log, [log.length]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }), async (sizes) => {
      assert.equal(await documentsBy(log, sizes), atOnce);
    }),
    { numRuns: 25 },
  );
});

test('a batch whose documents are there already, but not its checkpoint, changes nothing', async () => {
  const log = await relevant(world);
  const model = openModel();
  await applyIn(model, log, [log.length]);
  const keys = keysIn(log);
  const documents = await model.fetch(keys);
  for (let from = 0; from < log.length; from += 3) {
    const changes = await changesOf(log.slice(from), PROJECTIONS, model, streamsOf(log));
    for (const { key, document } of changes) {
      const index = keys.findIndex(({ kind, id }) => kind === key.kind && id === key.id);
      assert.equal(document, documents[index]);
    }
  }
  await model.close();
});

test('each document is rendered once a batch and fetched only when it can be there', async () => {
  const log = await relevant(world);
  const asked: DocumentKey[] = [];
  const model = {
    fetch: async (keys: readonly DocumentKey[]) => {
      asked.push(...keys);
      return keys.map(() => null);
    },
  };
  let rendered = 0;
  const counting = PROJECTIONS.map((projection) => ({
    ...projection,
    document: (...given: Parameters<typeof projection.document>) => {
      rendered += 1;
      return projection.document(...given);
    },
  }));
  let turns = 0;
  const turn = async () => {
    assert.ok(rendered <= turns, 'others have their turn before each of them');
    turns += 1;
  };
  assert.is((await changesOf(log, counting, model, streamsOf(log), turn)).length, rendered);
  assert.equal([rendered, turns], [keysIn(log).length, keysIn(log).length]);
  assert.equal(asked, []);
});

test('streams that no projection knows, or without an id, are passed over', async () => {
  const [event] = await relevant(world);
  if (!event) throw new Error('the log is empty');
  const others = ['slug-event-jazz', 'event-', 'event-x', 'event-0', 'event-1.5'].map((stream) => ({
    ...event,
    stream,
  }));
  assert.equal(await changesOf(others, PROJECTIONS, { fetch: async () => [] }, streamsOf([])), []);
  assert.equal(keyOf(termsProjection('tag'), 'tag-12'), { kind: 'tag', id: 12 });
});

test('catching up applies everything once and says how much', async () => {
  const model = openModel();
  const batches: number[] = [];
  await catchUp(world.store, model, PROJECTIONS, (events) => batches.push(events));
  await catchUp(world.store, model, PROJECTIONS, (events) => batches.push(events));
  const log = await relevant(world);
  assert.equal(batches, [log.length]);
  assert.is(await model.checkpoint(), log.at(-1)?.position);
  assert.equal(await model.fetch(keysIn(log)), await documentsBy(log, [log.length]));
  await model.close();
});

test('catching up continues where another projector was faster', async () => {
  const model = openModel();
  const log = await relevant(world);
  let ahead = 2;
  const contested: ReadModel = {
    ...model,
    apply: async (batch) => {
      if (ahead-- > 0) await applyIn(model, log.slice(2 - 1 - ahead, 2 - ahead), [1]);
      return model.apply(batch);
    },
  };
  const batches: number[] = [];
  await catchUp(world.store, contested, PROJECTIONS, (events) => batches.push(events));
  assert.equal(batches, [log.length - 2]);
  assert.equal(await model.fetch(keysIn(log)), await documentsBy(log, [log.length]));
  await model.close();
});

test.run();
