import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeCalendarEvent, createCalendarEvent } from '../../../src/calendar/event/commands/events.ts';
import { changeLinkedPost, createLinkedPost, VENUES } from '../../../src/calendar/linked-post/commands/linked-posts.ts';
import { loadEvent } from '../../../src/calendar/resource/commands/references.ts';
import { createTermOf } from '../../../src/calendar/term/commands/terms.ts';
import { metadataOf } from '../../../src/commands/context.ts';
import { beginUnitOfWork } from '../../../src/commands/unit-of-work.ts';
import type { Evolve, Fact } from '../../../src/domain/decider.ts';
import { AppendOutcomeUnknown, type EventStore, EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { EDITOR, elsewhere, HOUR, NOW, openWorld, refusal, type World, written } from '../../support/given.ts';

interface Context {
  world: World;
}

const test = suite<Context>('unit of work');
test.before.each((context) => {
  context.world = openWorld();
});
test.after.each(({ world }) => world.store.close());

const TIMES = { start: '2027-03-01 20:00', end: '2027-03-01 23:00' };
const create = (world: World, title = 'Jazz') =>
  createCalendarEvent(world.dependencies, world.context(), { title, times: TIMES });

type Note = Fact<'Noted', { readonly text: string }>;
const evolveNotes: Evolve<string, Note> = (state, { data }) => (state ?? '') + data.text;
const noted = (text: string): Note => ({ type: 'Noted', data: { text } });

const begin = (world: World) =>
  beginUnitOfWork(world.dependencies.store, metadataOf(world.context()), world.dependencies.newEventId);

async function seed(world: World, stream: string, ...texts: readonly string[]): Promise<void> {
  const unit = begin(world);
  await unit.record(stream, texts.map(noted));
  await unit.commit();
}

test('records of a unit are visible to its later decisions, and to no other unit', async ({ world }) => {
  await seed(world, 'notes-1', 'a', 'b');
  const unit = begin(world);
  await unit.record('notes-1', [noted('c')]);
  await unit.record('notes-1', [noted('d')]);
  const { state, revision } = await unit.load('notes-1', evolveNotes);
  assert.equal([state, revision], ['abcd', 3]);
  assert.is((await world.store.readStream('notes-1')).length, 2);
  assert.equal(await unit.commit().then(({ kind }) => kind), 'appended');
  assert.is((await world.store.readStream('notes-1')).length, 4);
});

/** What commands of a world need, and the streams that they have read. */
function watched({ dependencies }: World) {
  const read: string[] = [];
  const store: EventStore = {
    ...dependencies.store,
    readStream(stream, options) {
      read.push(stream);
      return dependencies.store.readStream(stream, options);
    },
  };
  return { dependencies: { ...dependencies, store }, read };
}

test('a command reads each stream once', async ({ world }) => {
  const { dependencies, read } = watched(world);
  const venue = await written(createLinkedPost(dependencies, world.context(), VENUES, { name: 'Barn' }));
  // Slugs of what is new are searched for with those of others, past the unit.
  await written(createTermOf(dependencies, world.context(), 'category', { name: 'Music' }));
  const linked = { venues: [{ id: venue.id }], categories: [{ text: 'Music' }] };
  read.length = 0;
  const event = await written(
    createCalendarEvent(dependencies, world.context(), { title: 'Jazz', times: TIMES, ...linked }),
  );
  assert.equal(read, [...new Set(read)]);
  read.length = 0;
  const moved = { start: '2027-03-02 20:00', end: '2027-03-02 23:00' };
  await written(changeCalendarEvent(dependencies, world.context(), event.id, { times: moved, ...linked }));
  assert.equal(read, [...new Set(read)]);
});

test('what is created with an id of its own is begun without reading its stream', async ({ world }) => {
  const { dependencies, read } = watched(world);
  const venue = await written(createLinkedPost(dependencies, world.context(), VENUES, { name: 'Barn' }));
  const term = await written(createTermOf(dependencies, world.context(), 'category', { name: 'Music' }));
  const event = await written(createCalendarEvent(dependencies, world.context(), { title: 'Jazz', times: TIMES }));
  assert.is(event.revision, 1);
  const own = [`venue-${venue.id}`, `category-${term.id}`, `event-${event.id}`];
  assert.equal(
    read.filter((stream) => own.includes(stream)),
    [],
  );
});

test('a stream that is there although its id was drawn is not continued', async ({ world }) => {
  await seed(world, 'notes-1', 'a');
  const unit = begin(world);
  unit.begin('notes-1', [noted('b')]);
  assert.equal(await unit.commit(), { kind: 'conflict', stream: 'notes-1', actual: 0 });
  assert.is((await world.store.readStream('notes-1')).length, 1);
});

test('a stream that is not there has no state', async ({ world }) => {
  assert.equal(await begin(world).load('notes-1', evolveNotes), { state: null, revision: -1, position: '' });
});

test('the log as it will be reads in pages and in both directions', async ({ world }) => {
  await seed(world, 'notes-1', 'a', 'b');
  const unit = begin(world);
  await unit.record('notes-1', [noted('c')]);
  const read = async (options: Parameters<typeof unit.store.readStream>[1]) =>
    (await unit.store.readStream('notes-1', options)).map(({ data }) => (data as Note['data']).text).join('');
  assert.is(await read({}), 'abc');
  assert.is(await read({ from: 1 }), 'bc');
  assert.is(await read({ limit: 2 }), 'ab');
  assert.is(await read({ direction: 'backwards' }), 'cba');
  assert.is(await read({ direction: 'backwards', from: 1 }), 'ba');
  assert.is(await read({ direction: 'backwards', limit: 1 }), 'c');
});

test('the stream of a new resource is written without being read', async ({ world }) => {
  const read: string[] = [];
  const store: EventStore = {
    ...world.store,
    readStream(stream, options) {
      read.push(stream);
      return world.store.readStream(stream, options);
    },
  };
  const titled = { title: 'Jazz', times: TIMES };
  const { id } = await written(createCalendarEvent({ ...world.dependencies, store }, world.context(), titled));
  assert.ok(read.includes('slug-event-jazz'));
  assert.not.ok(read.some((stream) => stream.startsWith(`event-${id}`) || stream.startsWith('occurrences-')));
});

test('an id that something else has is not used, and the next one is', async ({ world }) => {
  await seed(world, 'event-1', 'from elsewhere');
  await seed(world, 'event-3', 'from elsewhere');
  assert.is((await written(create(world))).id, 2);
  // A draft has no slug: its own stream is the first to be written.
  const draft = { title: 'Jazz', times: TIMES, status: 'draft' } as const;
  assert.is((await written(createCalendarEvent(world.dependencies, world.context(), draft))).id, 4);
  for (const id of [1, 3]) assert.is((await world.store.readStream(`event-${id}`)).length, 1);
});

test('streams are written in their turn, within it in the order in which they were planned', async ({ world }) => {
  const unit = begin(world);
  await unit.record('notes-3', [noted('x')], 'last');
  await unit.record('notes-2', [noted('x')]);
  await unit.record('notes-4', [noted('x')]);
  await unit.record('notes-1', [noted('x')], 'first');
  assert.equal(
    unit.planned().map(({ stream }) => stream),
    ['notes-1', 'notes-2', 'notes-4', 'notes-3'],
  );
});

test('nothing planned, nothing appended', async ({ world }) => {
  const unit = begin(world);
  await unit.record('notes-1', []);
  assert.equal(await unit.commit(), { kind: 'appended', written: [] });
  assert.is(world.appends, 0);
});

test('a unit expects the revision at which it has read', async ({ world }) => {
  await seed(world, 'notes-1', 'a');
  const unit = begin(world);
  await unit.load('notes-1', evolveNotes);
  await seed(world, 'notes-1', 'b');
  await unit.record('notes-1', [noted('c')]);
  assert.equal(await unit.commit(), { kind: 'conflict', stream: 'notes-1', actual: 1 });
});

test('slugs and names are reserved before the resource is written, and released after it', async ({ world }) => {
  let order: readonly string[] = [];
  world.onAppend = (appends, pass) => {
    order = appends.map(({ stream }) => stream.replace(/(name-venue)-.*/, '$1'));
    return pass();
  };
  const { id } = await written(createLinkedPost(world.dependencies, world.context(), VENUES, { name: 'Hall' }));
  assert.equal(order, ['ids-post', 'slug-venue-hall', 'name-venue', 'venue-1']);
  const renamed = { name: 'Barn', slug: 'barn' };
  await written(changeLinkedPost(world.dependencies, world.context(), VENUES, id, renamed));
  assert.equal(order, ['slug-venue-barn', 'name-venue', 'venue-1', 'slug-venue-hall', 'name-venue']);
});

test('every event has actor, instant, reason, correlation, and the version of its data', async ({ world }) => {
  const told = { correlationId: 'request-9', reason: 'the poster says so', now: NOW + HOUR };
  const input = {
    title: 'Jazz',
    times: TIMES,
    tags: [{ text: 'Loud' }],
    venues: [{ input: { name: 'Hall', image: 'https://pictures.example/a.jpg' } }],
  };
  await written(createCalendarEvent(world.dependencies, world.context({ ...told, idempotencyKey: 'once' }), input));
  const log = await world.log();
  assert.ok(log.length >= 10);
  for (const { metadata, schemaVersion, type } of log) {
    assert.equal(
      metadata,
      {
        actor: { id: EDITOR.id, name: EDITOR.login },
        instant: '2026-03-01T11:00:00.000Z',
        correlationId: 'request-9',
        causationId: 'request-9',
        reason: 'the poster says so',
      },
      type,
    );
    assert.is(schemaVersion, 1, type);
  }
  assert.is(new Set(log.map(({ id }) => id)).size, log.length);
});

test('events of a type whose shape has changed are stored in its newest version', async ({ world }) => {
  const { id } = await written(createLinkedPost(world.dependencies, world.context(), VENUES, { name: 'Hall' }));
  const versions: unknown[] = [];
  world.onAppend = (appends, pass) => {
    for (const { events } of appends) versions.push(...events.map(({ type, schemaVersion }) => [type, schemaVersion]));
    return pass();
  };
  await written(changeLinkedPost(world.dependencies, world.context(), VENUES, id, { city: 'Leeds' }));
  assert.equal(versions, [['VenueRelocated', 2]]);
});

test('without a caller the actor is the system; without a reason the member is absent', async ({ world }) => {
  const { actor, ...rest } = metadataOf(world.context({ caller: null }));
  assert.equal(actor, { id: null, name: 'daybook' });
  assert.not('reason' in rest);
});

test('a written resource has its position', async ({ world }) => {
  const { id, revision, position } = await written(create(world));
  const last = (await world.store.readStream(`event-${id}`)).at(-1);
  assert.equal([revision, position], [last?.revision, last?.position]);
  const same = await written(changeCalendarEvent(world.dependencies, world.context(), id, { title: 'Jazz' }));
  assert.equal([same.revision, same.position], [last?.revision, last?.position]);
});

/** Another process comes in between, a number of times. */
function interrupt(world: World, times: number, other: () => Promise<unknown>): void {
  world.onAppend = async (_appends, pass) => {
    if (times > 0) {
      times -= 1;
      const own = world.onAppend;
      world.onAppend = (_others, passOther) => passOther();
      await other();
      world.onAppend = own;
    }
    return pass();
  };
}

const change = (world: World, id: number, input: object, ifRevision?: number) =>
  changeCalendarEvent(world.dependencies, world.context({ ifRevision }), id, input);

test('a lost race is decided again on the new state', async ({ world }) => {
  const { id } = await written(create(world));
  interrupt(world, 2, () => written(change(elsewhere(world), id, { description: `at ${world.appends}` })));
  const { state, revision } = await written(change(world, id, { title: 'Blues' }));
  assert.equal([state.title, state.description, revision], ['Blues', 'at 4', 4]);
  assert.equal(await loadEvent(world.store, id), state);
});

test('a race lost to the same change ends without another append', async ({ world }) => {
  const { id } = await written(create(world));
  interrupt(world, 1, () => written(change(elsewhere(world), id, { title: 'Blues' })));
  await written(change(world, id, { title: 'Blues' }));
  assert.equal(await world.typesIn(`event-${id}`), ['EventDrafted', 'EventPublished', 'EventRetitled']);
});

test('a race that makes the command wrong ends in a refusal', async ({ world }) => {
  const venue = await written(createLinkedPost(world.dependencies, world.context(), VENUES, { name: 'Hall' }));
  const remove = { status: 'trash' } as const;
  interrupt(world, 1, () => written(changeLinkedPost(world.elsewhere, world.context(), VENUES, venue.id, remove)));
  const same = { ifRevision: venue.revision };
  const edit = changeLinkedPost(world.dependencies, world.context(same), VENUES, venue.id, { city: 'Leeds' });
  assert.equal(await refusal(edit), { code: 'precondition_failed' });
});

test('with an expected revision a lost race is final', async ({ world }) => {
  const { id, revision } = await written(create(world));
  interrupt(world, 1, () => written(change(elsewhere(world), id, { description: 'x' })));
  const refused = await refusal(change(world, id, { title: 'Blues' }, revision));
  assert.equal(refused, { code: 'precondition_failed' });
});

test('with an expected revision a race for a slug may be lost', async ({ world }) => {
  const { id, revision } = await written(create(world));
  interrupt(world, 1, () => written(create(elsewhere(world), 'Blues')));
  const { state } = await written(change(world, id, { slug: 'blues' }, revision));
  assert.is(state.slug, 'blues-2');
});

test('two concurrent requests for one slug get two slugs', async ({ world }) => {
  const [one, other] = await Promise.all([written(create(world)), written(create(world))]);
  assert.equal([one.state.slug, other.state.slug].sort(), ['jazz', 'jazz-2']);
});

test('two concurrent creations of the same venue, or the same term, create one', async ({ world }) => {
  const venue = () => createLinkedPost(world.dependencies, world.context(), VENUES, { name: 'Hall' });
  const venues = await Promise.all([written(venue()), written(venue())]);
  assert.is(venues[0]?.id, venues[1]?.id);
  assert.equal(venues.map(({ created }) => created).sort(), [false, true]);
  const term = () => createTermOf(world.dependencies, world.context(), 'tag', { name: 'Loud' });
  const kinds = (await Promise.all([term(), term()])).map(({ kind }) => kind);
  assert.equal(kinds.sort(), ['rejected', 'written']);
});

test('a hundred lost races in a row are enough', async ({ world }) => {
  const { id } = await written(create(world));
  const before = world.appends;
  let lost = 0;
  world.onAppend = async () => {
    lost += 1;
    return { kind: 'conflict', stream: `event-${id}`, actual: 1 };
  };
  assert.equal(await refusal(change(world, id, { title: 'Blues' })), { code: 'busy' });
  assert.equal([lost, world.appends - before], [100, 100]);
});

test('an append that was cut off is repeated with the same events, and written once', async ({ world }) => {
  const sent: string[] = [];
  world.onAppend = async (appends, pass) => {
    sent.push(JSON.stringify(appends));
    const outcome = await pass();
    if (sent.length < 3) throw new AppendOutcomeUnknown('cut off');
    return outcome;
  };
  const { id, state } = await written(create(world));
  assert.equal([sent.length, new Set(sent).size], [3, 1]);
  assert.is(state.slug, 'jazz');
  assert.equal(await world.typesIn(`event-${id}`), ['EventDrafted', 'EventPublished']);
});

test('an append that is cut off again and again is given up', async ({ world }) => {
  world.onAppend = async () => {
    throw new AppendOutcomeUnknown('cut off');
  };
  const failed = await create(world).catch((error: unknown) => error);
  assert.instance(failed, AppendOutcomeUnknown);
  assert.is(world.appends, 3);
});

test('a store that cannot be reached is not asked twice', async ({ world }) => {
  world.onAppend = async () => {
    throw new EventStoreUnavailable('gone');
  };
  const failed = await create(world).catch((error: unknown) => error);
  assert.instance(failed, EventStoreUnavailable);
  assert.is(world.appends, 1);
});

test.run();
