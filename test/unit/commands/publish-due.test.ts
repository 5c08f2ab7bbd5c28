import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  changeCalendarEvent,
  createCalendarEvent,
  trashCalendarEvent,
} from '../../../src/calendar/event/commands/events.ts';
import { createLinkedPost, ORGANIZERS, VENUES } from '../../../src/calendar/linked-post/commands/linked-posts.ts';
import { publishDue } from '../../../src/editorial/schedule/commands/publish-due.ts';
import { changeRepeatingEvent } from '../../../src/editorial/series/commands/change.ts';
import { createRepeatingEvent } from '../../../src/editorial/series/commands/create.ts';
import { withOccurrences } from '../../../src/editorial/series/facts/occurrences.ts';
import { CannotFold } from '../../../src/log/envelope.ts';
import { type AppendOutcome, AppendOutcomeUnknown, EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { HOUR, NOW, openWorld, type World, written } from '../../support/given.ts';

interface Context {
  world: World;
}

const test = suite<Context>('publishing what is due');
test.before.each((context) => {
  context.world = openWorld();
});
test.after.each(({ world }) => world.store.close());

const TIMES = { start: '2027-03-01 20:00', end: '2027-03-01 23:00' };
const DUE = NOW + HOUR;

/** As clients write an instant. */
const utc = (at: number): string => new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ');

/** The id of an event that is to be published at `DUE`. */
const scheduled = async (world: World): Promise<number> => {
  const input = { title: 'Jazz', times: TIMES, dateUtc: utc(DUE) };
  const { state } = await written(createCalendarEvent(world.dependencies, world.context(), input));
  assert.is(state.status, 'future');
  return state.id;
};

const publish = (world: World, id: number, now = DUE) =>
  publishDue(world.dependencies, { now, correlationId: 'run-1' }, { kind: 'event', id });

test('a scheduled event that is due gets one fact, with its date, in the name of the schedule', async ({ world }) => {
  const id = await scheduled(world);
  const stream = `event-${id}`;
  const before = await world.store.readStream(stream);
  const { kind, position } = await publish(world, id, DUE + 5);
  const [published, ...others] = (await world.store.readStream(stream)).slice(before.length);
  assert.equal([kind, others.length], ['published', 0]);
  assert.equal([published?.type, published?.data], ['EventPublished', { date: DUE }]);
  assert.is(position, published?.position);
  const cause = before.find(({ type }) => type === 'EventPublicationScheduled');
  assert.equal(published?.metadata, {
    ...published?.metadata,
    actor: { id: null, name: 'schedule' },
    instant: new Date((DUE + 5) * 1000).toISOString(),
    correlationId: 'run-1',
    causationId: cause?.id ?? '',
  });
});

test('nothing is appended before the date, after the publication, in the trash, or where nothing ever was', async ({
  world,
}) => {
  const [early, done, trashed] = [await scheduled(world), await scheduled(world), await scheduled(world)];
  await publish(world, done);
  await trashCalendarEvent(world.dependencies, world.context(), trashed);
  const appends = world.appends;
  for (const [id, now] of [
    [early, DUE - 1] as const,
    [done, DUE] as const,
    [trashed, DUE] as const,
    [999, DUE] as const,
  ])
    assert.is((await publish(world, id, now)).kind, 'unchanged');
  assert.is(world.appends, appends);
});

test('an unchanged result names the position that shows why', async ({ world }) => {
  const id = await scheduled(world);
  const first = await publish(world, id);
  assert.equal(await publish(world, id), { kind: 'unchanged', position: first.position });
});

test('a lost race is decided again: a post published by another process is published once', async ({ world }) => {
  const id = await scheduled(world);
  let isFirst = true;
  world.onAppend = async (_, pass) => {
    if (isFirst) {
      isFirst = false;
      assert.is((await publish(world, id)).kind, 'published');
    }
    return pass();
  };
  assert.is((await publish(world, id)).kind, 'unchanged');
  const types = await world.typesIn(`event-${id}`);
  assert.is(types.filter((type) => type === 'EventPublished').length, 1);
});

test('a faster editor wins: a draft stays a draft', async ({ world }) => {
  const id = await scheduled(world);
  let isFirst = true;
  world.onAppend = async (_, pass) => {
    if (isFirst) {
      isFirst = false;
      await written(changeCalendarEvent(world.dependencies, world.context(), id, { status: 'draft' }));
    }
    return pass();
  };
  assert.is((await publish(world, id)).kind, 'unchanged');
  assert.is((await world.typesIn(`event-${id}`)).at(-1), 'EventReturnedToDraft');
});

test('a faster editor who only renamed it does not delay publication', async ({ world }) => {
  const id = await scheduled(world);
  let isFirst = true;
  world.onAppend = async (_, pass) => {
    if (isFirst) {
      isFirst = false;
      await written(changeCalendarEvent(world.dependencies, world.context(), id, { title: 'Folk' }));
    }
    return pass();
  };
  assert.is((await publish(world, id)).kind, 'published');
  assert.equal((await world.typesIn(`event-${id}`)).slice(-2), ['EventRetitled', 'EventPublished']);
});

test('dates of a series that are due together publish it once', async ({ world }) => {
  const store = withOccurrences(world.dependencies.store);
  const commands = { ...world.dependencies, store };
  const input = { title: 'Choir', times: TIMES, dateUtc: utc(DUE) };
  const { id, state } = await written(
    createRepeatingEvent(commands, world.context(), input, { rules: ['FREQ=WEEKLY;COUNT=3'] }),
  );
  const series = `series-${state.series?.id}`;
  const told = { now: DUE, correlationId: 'run-1' };
  let isFirst = true;
  const readStream: typeof store.readStream = async (stream, options) => {
    if (stream === series && options?.direction === 'backwards' && isFirst) {
      isFirst = false;
      await publishDue(commands, told, { kind: 'event', id: id + 1 });
    }
    return store.readStream(stream, options);
  };
  const late = { ...commands, store: { ...store, readStream } };
  assert.is((await publishDue(late, told, { kind: 'event', id })).kind, 'unchanged');
  assert.equal(await world.typesIn(series), ['SeriesOpened', 'SeriesContentChanged']);
});

test('a date is read once where its series is known', async ({ world }) => {
  const store = withOccurrences(world.dependencies.store);
  const commands = { ...world.dependencies, store };
  const input = { title: 'Choir', times: TIMES, dateUtc: utc(DUE) };
  const { id, state } = await written(
    createRepeatingEvent(commands, world.context(), input, { rules: ['FREQ=WEEKLY;COUNT=3'] }),
  );
  const read: string[] = [];
  const readStream: typeof store.readStream = (stream, options) => {
    read.push(stream);
    return store.readStream(stream, options);
  };
  const series = state.series?.id ?? 0;
  const noting = { ...commands, store: { ...store, readStream } };
  const told = { now: DUE, correlationId: 'run-1' };
  assert.is((await publishDue(noting, told, { kind: 'event', id, series })).kind, 'published');
  assert.equal(read, [`series-${series}`, `event-${id}`]);
  assert.is((await publishDue(commands, told, { kind: 'event', id: id + 1, series: 999 })).kind, 'unchanged');
});

test('a date that is set apart says so, and one that is published with its series does not', async ({ world }) => {
  const store = withOccurrences(world.dependencies.store);
  const commands = { ...world.dependencies, store };
  const input = { title: 'Choir', times: TIMES, dateUtc: utc(DUE) };
  const { id, state } = await written(
    createRepeatingEvent(commands, world.context(), input, { rules: ['FREQ=WEEKLY;COUNT=3'] }),
  );
  await written(changeCalendarEvent(commands, world.context(), id, { title: 'Big choir' }));
  const told = { now: DUE, correlationId: 'run-1' };
  const publications = [];
  for (const date of [id, id + 1, id + 2])
    publications.push(await publishDue(commands, told, { kind: 'event', id: date, series: state.series?.id ?? 0 }));
  assert.equal(
    publications.map(({ kind, isApart }) => [kind, isApart]),
    [
      ['published', true],
      ['published', false],
      ['unchanged', undefined],
    ],
  );
});

test('a date that is split off while it is to be published is published with its new series', async ({ world }) => {
  const store = withOccurrences(world.dependencies.store);
  const commands = { ...world.dependencies, store };
  let count = 0;
  const context = () => {
    count += 1;
    return world.context({ correlationId: `request-${count}`, now: NOW + count });
  };
  const input = { title: 'Choir', times: TIMES, dateUtc: utc(DUE) };
  const { id, state } = await written(
    createRepeatingEvent(commands, context(), input, { rules: ['FREQ=WEEKLY;COUNT=4'] }),
  );
  const one = `series-${state.series?.id}`;
  let other = '';
  const readStream: typeof store.readStream = async (stream, options) => {
    if (stream === one && options?.direction === 'backwards' && other === '') {
      other = 'being split';
      const change = { input: { title: 'Big choir' } };
      const split = await written(changeRepeatingEvent(commands, context(), id + 2, 'following', change));
      other = `series-${split.state.series?.id}`;
    }
    return store.readStream(stream, options);
  };
  const late = { ...commands, store: { ...store, readStream } };
  const told = { now: DUE, correlationId: 'run-1' };
  assert.is((await publishDue(late, told, { kind: 'event', id: id + 2 })).kind, 'published');
  assert.not.ok((await world.typesIn(one)).includes('SeriesContentChanged'), 'the former series stays as it is');
  assert.is((await store.readStream(`event-${id + 2}`)).at(-1)?.type, 'EventPublished');
  assert.is((await world.typesIn(other)).at(-1), 'SeriesContentChanged');
});

test('an append with unknown outcome is repeated, and counts once', async ({ world }) => {
  const id = await scheduled(world);
  let lost = 2;
  world.onAppend = async (_, pass): Promise<AppendOutcome> => {
    const outcome = await pass();
    if (lost-- > 0) throw new AppendOutcomeUnknown('cut off');
    return outcome;
  };
  assert.is((await publish(world, id)).kind, 'published');
  const types = await world.typesIn(`event-${id}`);
  assert.is(types.filter((type) => type === 'EventPublished').length, 1);
});

test('an unavailable log is reported to the caller', async ({ world }) => {
  const id = await scheduled(world);
  world.onAppend = async () => {
    throw new EventStoreUnavailable('away');
  };
  const told = await publish(world, id).catch((error: unknown) => error);
  assert.instance(told, EventStoreUnavailable);
});

test('a stream that cannot be folded is not published on top of', async ({ world }) => {
  const id = await scheduled(world);
  const [event] = await world.store.readStream(`event-${id}`, { direction: 'backwards', limit: 1 });
  if (!event) throw new Error('the event is gone');
  const odd = { ...event, id: '00000000-0000-4000-9000-000000000001', type: 'EventFrobnicated', schemaVersion: 1 };
  await world.store.append([{ stream: event.stream, expected: event.revision, events: [odd] }]);
  assert.instance(await publish(world, id).catch((error: unknown) => error), CannotFold);
});

test('venues and organizers are published by facts of their own', async ({ world }) => {
  const dateUtc = utc(DUE);
  const place = createLinkedPost(world.dependencies, world.context(), VENUES, { name: 'Hall', dateUtc });
  const club = createLinkedPost(world.dependencies, world.context(), ORGANIZERS, { name: 'Club', dateUtc });
  const [venue, organizer] = [await written(place), await written(club)];
  const told = { now: DUE, correlationId: 'run-1' };
  await publishDue(world.dependencies, told, { kind: 'venue', id: venue.id });
  await publishDue(world.dependencies, told, { kind: 'organizer', id: organizer.id });
  assert.is((await world.typesIn(`venue-${venue.id}`)).at(-1), 'VenuePublished');
  assert.is((await world.typesIn(`organizer-${organizer.id}`)).at(-1), 'OrganizerPublished');
});

test.run();
