// Three processes over one EventStoreDB log and one Redis read model, all of which apply the same set at once: one of
// them does, readers see none of it or all of it, and nothing is written twice.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { until } from '../support/killed-appends.ts';
import { type Serving, serving } from '../support/process.ts';
import { addUser, call, type ProcessUser } from '../support/process-users.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { ON_ANY_DAY, someEvent, temporaryFolder } from '../support/service.ts';

interface Context {
  log: EventStoreDbServer;
  redis: RedisServer;
  /** Three of them. */
  running: readonly Serving[];
  author: ProcessUser;
  editor: ProcessUser;
  remove: () => void;
}

type Body = Record<string, unknown>;

const test = suite<Context>('sets applied by three processes');

test.before(async (context) => {
  const { folder, remove } = temporaryFolder();
  context.remove = remove;
  [context.log, context.redis] = await Promise.all([startEventStoreDb(), startRedisServer()]);
  const settings = {
    DAYBOOK_EVENT_STORE: context.log.connectionString,
    DAYBOOK_READ_MODEL: context.redis.url,
    DAYBOOK_KEYS: `sqlite:${folder}/keys.db`,
    DAYBOOK_DATA_DIR: folder,
  };
  context.author = await addUser(settings, 'carla', 'contributor');
  context.editor = await addUser(settings, 'edith', 'editor');
  context.running = await Promise.all([serving(settings), serving(settings), serving(settings)]);
});
test.after(async ({ running, log, redis, remove }) => {
  await Promise.all(running.map((one) => one.stop()));
  await Promise.all([log.stop(), redis.stop()]);
  remove();
});

const MEMBERS = ['a', 'b', 'c', 'd'];

/** A set that makes every "… old" a "… new"; `name` finds its events. */
async function opened({ running: [first], author, editor }: Context, name: string) {
  assert.ok(first);
  const [events, proposals]: [unknown[], unknown[]] = [[], []];
  for (const member of MEMBERS) {
    const event = await call(
      first,
      editor,
      '/events',
      someEvent({ title: `${name} ${member} old`, status: 'publish' }),
    );
    const change = { title: `${name} ${member} new` };
    events.push(event.body.id);
    proposals.push((await call(first, author, `/events/${event.body.id}/proposals`, change)).body.id);
  }
  const { body } = await call(first, editor, '/sets', { name, proposals });
  return { events, set: `/sets/${body.id}` };
}

/** Reads at all three until each has all of it; what was seen, each once. */
async function seenUntilNew({ running, editor }: Context, name: string): Promise<string[]> {
  const path = `/events?per_page=50&${ON_ANY_DAY}&search=${encodeURIComponent(`"${name}"`)}`;
  const seen = new Set<string>();
  const see = async (one: Serving): Promise<string> => {
    const shown = (await call(one, editor, path)).body.events as Body[];
    const state = [...new Set(shown.map(({ title }) => String(title).split(' ').at(-1)))].sort().join(' and ');
    seen.add(state);
    return state;
  };
  await until(async () => (await Promise.all(running.map(see))).every((state) => state === 'new'), `no new ${name}`);
  return [...seen].sort();
}

async function assertOnce({ running: [first], editor }: Context, events: readonly unknown[], set: string) {
  assert.ok(first);
  const { body: applied } = await call(first, editor, set);
  assert.equal([applied.state, applied.problems], ['applied', []]);
  for (const id of events) {
    const { body } = await call(first, editor, `/events/${id}/history`);
    const retitled = (body.history as Body[]).filter(({ type }) => type === 'EventRetitled');
    assert.is(retitled.length, 1, `event ${id}`);
  }
}

test('asked of all three at once, one applies it', async (context) => {
  const { running, editor } = context;
  const { events, set } = await opened(context, 'Asked');
  const [answers, seen] = await Promise.all([
    Promise.all(running.map((one) => call(one, editor, `${set}/apply`, {}))),
    seenUntilNew(context, 'Asked'),
  ]);
  const statuses = answers.map(({ status }) => status);
  assert.is(statuses.filter((status) => status === 200).length, 1, statuses.join());
  assert.not(seen.includes('new and old'), 'a part of it was seen');
  await assertOnce(context, events, set);
});

test('at its instant it is applied once', async (context) => {
  const { running, editor } = context;
  const { events, set } = await opened(context, 'Scheduled');
  const [first] = running;
  assert.ok(first);
  const at = new Date(Date.now() + 3_000).toISOString();
  const scheduled = await call(first, editor, `${set}/schedule`, { at });
  assert.is(scheduled.status, 200, JSON.stringify(scheduled.body));
  assert.not((await seenUntilNew(context, 'Scheduled')).includes('new and old'), 'a part of it was seen');
  await assertOnce(context, events, set);
});

test.run();
