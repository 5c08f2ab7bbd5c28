import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCalendarEvent } from '../../../src/calendar/event/commands/events.ts';
import { changeLinkedPost, createLinkedPost, VENUES } from '../../../src/calendar/linked-post/commands/linked-posts.ts';
import { createTermOf } from '../../../src/calendar/term/commands/terms.ts';
import { earlierAnswer, keyStream } from '../../../src/commands/handle-command.ts';
import { AUTHOR, EDITOR, HOUR, NOW, openWorld, refusal, type World, written } from '../../support/given.ts';

interface Context {
  world: World;
}

const test = suite<Context>('creations with a key');
test.before.each((context) => {
  context.world = openWorld();
});
test.after.each(({ world }) => world.store.close());

const TIMES = { start: '2027-03-01 20:00', end: '2027-03-01 23:00' };
const create = (world: World, idempotencyKey: string | undefined, told: object = {}, title = 'Jazz') =>
  written(createCalendarEvent(world.dependencies, world.context({ idempotencyKey, ...told }), { title, times: TIMES }));

test('without a key every request creates', async ({ world }) => {
  assert.not.equal((await create(world, undefined)).id, (await create(world, undefined)).id);
});

test('the same key takes effect once, whatever the repetition contains', async ({ world }) => {
  const first = await create(world, 'once');
  const log = await world.log();
  const again = await create(world, 'once', { now: NOW + HOUR, correlationId: 'request-2' }, 'Blues');
  assert.equal(again, { ...first, created: false });
  assert.equal(await world.log(), log);
});

test('a repetition answers the resource in its present state', async ({ world }) => {
  const venue = (idempotencyKey: string) =>
    written(createLinkedPost(world.dependencies, world.context({ idempotencyKey }), VENUES, { name: 'Hall' }));
  const { id } = await venue('once');
  await written(changeLinkedPost(world.dependencies, world.context(), VENUES, id, { city: 'Leeds', name: 'Barn' }));
  const again = await venue('once');
  assert.equal([again.id, again.state.city, again.state.name], [id, 'Leeds', 'Barn']);
});

test('another key, or the key of another caller, is another request', async ({ world }) => {
  const ids = [
    (await create(world, 'once')).id,
    (await create(world, 'twice')).id,
    (await create(world, 'once', { caller: AUTHOR })).id,
  ];
  assert.is(new Set(ids).size, 3);
  assert.not.equal(keyStream(EDITOR, 'once'), keyStream(null, 'once'));
});

test('two concurrent requests with one key create one resource', async ({ world }) => {
  const both = await Promise.all([create(world, 'once'), create(world, 'once')]);
  assert.is(both[0]?.id, both[1]?.id);
  assert.equal(both.map(({ created }) => created).sort(), [false, true]);
});

test('a creation that the same one overtakes in another process is answered as it, not refused for it', async ({
  world,
}) => {
  const context = world.context({ idempotencyKey: 'once' });
  const tag = (dependencies: World['dependencies']) => createTermOf(dependencies, context, 'tag', { name: 'Loud' });
  let isOvertaken = false;
  const readStream: World['store']['readStream'] = async (stream, options) => {
    if (stream.startsWith('name-tag-') && !isOvertaken) {
      isOvertaken = true;
      await written(tag(world.elsewhere));
    }
    return world.store.readStream(stream, options);
  };
  const { id, created } = await written(tag({ ...world.dependencies, store: { ...world.store, readStream } }));
  assert.equal([created, await earlierAnswer(world.store, EDITOR, 'once')], [false, { stream: `tag-${id}`, id }]);
});

test('a refused creation leaves its key unused', async ({ world }) => {
  const context = world.context({ idempotencyKey: 'once' });
  await refusal(createCalendarEvent(world.dependencies, context, { title: 'Jazz', times: {} }));
  assert.is(await earlierAnswer(world.store, EDITOR, 'once'), null);
  assert.ok((await create(world, 'once')).created);
});

test('a key is written before everything else but ids, in one append with its resource', async ({ world }) => {
  let order: readonly string[] = [];
  world.onAppend = (appends, pass) => {
    order = appends.map(({ stream }) => stream);
    return pass();
  };
  const { id } = await create(world, 'once');
  assert.equal(order, ['ids-post', keyStream(EDITOR, 'once'), 'slug-event-jazz', `event-${id}`]);
  assert.equal(await earlierAnswer(world.store, EDITOR, 'once'), { stream: `event-${id}`, id });
});

test('a key without its resource counts as unused', async ({ world }) => {
  const stream = keyStream(EDITOR, 'once');
  world.onAppend = async (appends) => {
    world.onAppend = (_others, pass) => pass();
    await world.store.append(appends.filter((append) => append.stream === stream));
    return { kind: 'conflict', stream, actual: 0 };
  };
  const { id, created } = await create(world, 'once');
  assert.ok(created);
  assert.is((await world.typesIn(stream)).length, 2);
  assert.is((await create(world, 'once')).id, id);
});

test('an existing venue that was found is recorded for the key', async ({ world }) => {
  const venue = (told: object) =>
    written(createLinkedPost(world.dependencies, world.context(told), VENUES, { name: 'Hall' }));
  const { id } = await venue({});
  await venue({ idempotencyKey: 'once' });
  assert.equal(await earlierAnswer(world.store, EDITOR, 'once'), { stream: `venue-${id}`, id });
});

test('a key that led to another kind of resource is refused', async ({ world }) => {
  const context = world.context({ idempotencyKey: 'once' });
  const refused = { code: 'invalid_parameter', parameter: 'Idempotency-Key' };
  await written(createTermOf(world.dependencies, context, 'tag', { name: 'Loud' }));
  const input = { title: 'Jazz', times: TIMES };
  assert.equal(await refusal(createCalendarEvent(world.dependencies, context, input)), refused);
  assert.equal(await refusal(createLinkedPost(world.dependencies, context, VENUES, { name: 'Hall' })), refused);
  assert.equal(await refusal(createTermOf(world.dependencies, context, 'category', { name: 'Loud' })), refused);
});

test.run();
