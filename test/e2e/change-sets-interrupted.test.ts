// A set whose application is interrupted between its appends, on the event store that has no transactions across
// streams: readers see none of it, and then all of it.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventStore, EventStoreUnavailable } from '../../src/log/event-store.ts';
import { eventOf } from '../../src/log/writing.ts';
import { endOf } from '../support/ends.ts';
import { type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { daybook as command } from '../support/process.ts';
import { type Body, someEvent, startTestService, type TestService, temporaryFolder } from '../support/service.ts';

interface Interruption {
  after: number | null;
  /** Reading this stream, or writing the end of a set (`end`), meets a fault. */
  fault: string | null;
}

interface Context {
  server: EventStoreDbServer;
  /** How many appends of a set are written before its process is gone; null: all. */
  interrupted: Interruption;
}

const test = suite<Context>('interrupted sets on EventStoreDB');

test.before.each(async (context) => {
  context.server = await startEventStoreDb();
  context.interrupted = { after: null, fault: null };
});
test.after.each(({ server }) => server.stop());

const interruptible = (store: EventStore, interrupted: Interruption): EventStore => ({
  ...store,
  async readStream(stream, options) {
    if (stream === interrupted.fault) throw new Error('a fault');
    return store.readStream(stream, options);
  },
  async append(appends) {
    const { after, fault } = interrupted;
    if (fault === 'end' && appends.some(({ events }) => events.some(({ type }) => type === 'ChangeSetEnded')))
      throw new Error('a fault');
    const isSet = appends[0]?.events.some(({ type }) => type === 'ChangeSetBegun');
    if (after === null || !isSet) return store.append(appends);
    await store.append(appends.slice(0, after));
    throw new EventStoreUnavailable('interrupted');
  },
});

const started = ({ server, interrupted }: Context, settings = {}): Promise<TestService> =>
  startTestService({
    environment: { DAYBOOK_EVENT_STORE: server.connectionString, ...settings },
    wrap: (stores) => ({ ...stores, store: interruptible(stores.store, interrupted) }),
  });

const TITLES = ['First', 'Second'] as const;
/** `change-sets`, two events and their proposals, `set-1`, `change-sets`. */
const APPENDS = 7;

for (let after = 1; after < APPENDS; after++)
  test(`after ${after} of its appends nothing is shown, and in the end all of it, once`, async (context) => {
    const daybook = await started(context);
    const events: number[] = [];
    const proposals: number[] = [];
    for (const title of TITLES) {
      const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Before' }));
      events.push(id);
      const { body } = await daybook.request('contributor', 'POST', `/events/${id}/proposals`, { title });
      proposals.push(body.id);
    }
    await daybook.request('editor', 'POST', '/sets', { name: 'Both', proposals });
    context.interrupted.after = after;
    assert.is((await daybook.request('editor', 'POST', '/sets/1/apply', {})).status, 503);
    context.interrupted.after = null;
    const titles = async (): Promise<unknown> => {
      const { body } = await daybook.get('/events?start_date=2000-01-01');
      return body.events.map(({ title }: Body) => title).sort();
    };
    assert.equal(await titles(), ['Before', 'Before']);
    daybook.clock.at += 1;
    const then = new Date(daybook.clock.at * 1000).toISOString();
    for (const id of events) {
      assert.is(await retitled(daybook, id), 0, 'not in the history');
      assert.is((await daybook.get(`/events/${id}?as_of=${then}`)).body.title, 'Before', 'not as of now');
    }
    assert.equal(await changed(daybook), [], 'not in the feed of changes');
    assert.is((await daybook.get('/sets/1', 'editor')).body.state, 'open');
    assert.equal(await reviewed(daybook, proposals, events), TITLES.flatMap(unwritten), 'not in proposals');
    daybook.clock.at += 60;
    const begun = performance.now();
    const seen = new Set<string>();
    while (!seen.has(String(TITLES))) {
      seen.add(String(await titles()));
      assert.ok(performance.now() - begun < 30_000, `it was not completed: ${[...seen].join(' | ')}`);
      await sleep(50);
    }
    assert.equal([...seen], ['Before,Before', String(TITLES)].slice(-seen.size));
    assert.is((await daybook.get('/sets/1', 'editor')).body.state, 'applied');
    for (const id of events) assert.is(await retitled(daybook, id), 1);
    assert.equal(await changed(daybook), events, 'once in the feed of changes');
    await daybook.close();
  });

/** What proposals say of themselves, alone, in their list and in place. */
async function reviewed(daybook: TestService, proposals: readonly number[], events: readonly number[]) {
  const seen: unknown[] = [];
  const { body: list } = await daybook.get('/proposals', 'editor');
  for (const [at, id] of proposals.entries()) {
    const { body: one } = await daybook.get(`/proposals/${id}`, 'editor');
    const listed = list.proposals.find((shown: Body) => shown.id === id);
    const { body: placed } = await daybook.get(`/events/${events[at]}?proposal=${id}`, 'editor');
    seen.push([one.state, one.fits, one.conflicts, one.changes[0]?.before, listed?.state], [placed.title]);
  }
  return seen;
}

const unwritten = (title: string) => [['open', true, [], 'Before', 'open'], [title]];

async function retitled(daybook: TestService, id: number): Promise<number> {
  const { history } = (await daybook.get(`/events/${id}/history`, 'editor')).body;
  return history.filter(({ type }: Body) => type === 'EventRetitled').length;
}

/** The events that were retitled, in the order of the feed. */
async function changed(daybook: TestService): Promise<unknown[]> {
  const { changes } = (await daybook.get('/changes?types=EventRetitled', 'editor')).body;
  return changes.map(({ id }: Body) => id);
}

/** Two proposals, in a set of which so many appends are written. */
async function begunSet(context: Context, daybook: TestService, after = 1): Promise<readonly Body[]> {
  const events: Body[] = [];
  const proposals: number[] = [];
  for (const title of TITLES) {
    const event = await daybook.created('editor', 'events', someEvent({ title: 'Before' }));
    events.push(event);
    proposals.push((await daybook.request('contributor', 'POST', `/events/${event.id}/proposals`, { title })).body.id);
  }
  await daybook.request('editor', 'POST', '/sets', { name: 'Both', proposals });
  context.interrupted.after = after;
  assert.is((await daybook.request('editor', 'POST', '/sets/1/apply', {})).status, 503);
  context.interrupted.after = null;
  return events;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - begun < 30_000, 'it did not come');
    await sleep(50);
  }
}

test('a member that meets a fault is left out, told, and holds up nothing', async (context) => {
  const daybook = await started(context);
  const [first, second] = await begunSet(context, daybook);
  context.interrupted.fault = `event-${second?.id}`;
  daybook.clock.at += 60;
  await until(async () => (await daybook.get('/sets/1', 'editor')).body.state === 'applied');
  context.interrupted.fault = null;
  const { problems } = (await daybook.get('/sets/1', 'editor')).body;
  assert.equal(
    problems.map(({ proposal }: Body) => proposal),
    [2],
  );
  const titleOf = async ({ id }: Body) => (await daybook.get(`/events/${id}`)).body.title;
  assert.equal([await titleOf(first ?? {}), await titleOf(second ?? {})], [TITLES[0], 'Before']);
  await daybook.close();
});

test('a proposal of a set that has begun stays as it is, and what was revised all the same is not carried out', async (context) => {
  const daybook = await started(context);
  const [first, second] = await begunSet(context, daybook);
  const revise = () =>
    daybook.request('contributor', 'POST', `/events/${second?.id}/proposals`, { title: 'Unseen', revises: 2 });
  const step = (name: string) => daybook.request('editor', 'POST', `/proposals/2/${name}`, { text: 'So.' });
  for (const take of [revise, () => step('approve'), () => step('reject'), () => step('request-changes')]) {
    const { status, headers, text } = await take();
    assert.equal([status, headers['retry-after']], [503, '1'], text);
  }
  assert.is((await step('comments')).status, 200);
  // Another process had read the agenda before the set began.
  const [opened] = await daybook.store.readStream('proposal-2');
  assert.ok(opened);
  const { base, subject } = opened.data as { base: number; subject: null };
  const data = { base, subject, wish: { title: 'Unseen' }, facts: { EventRetitled: { title: 'Unseen' } } };
  await daybook.store.append([
    {
      stream: 'proposal-2',
      expected: await endOf(daybook.store, 'proposal-2'),
      events: [
        eventOf(
          { type: 'ProposalRevised', data: { ...data, by: daybook.userId('contributor'), text: '' } },
          { metadata: opened.metadata, newEventId: randomUUID },
        ),
      ],
    },
  ]);
  daybook.clock.at += 60;
  await until(async () => (await daybook.get('/sets/1', 'editor')).body.state === 'applied');
  const { problems } = (await daybook.get('/sets/1', 'editor')).body;
  assert.equal(
    problems.map(({ proposal }: Body) => proposal),
    [2],
  );
  const titleOf = async ({ id }: Body) => (await daybook.get(`/events/${id}`)).body.title;
  assert.equal([await titleOf(first ?? {}), await titleOf(second ?? {})], [TITLES[0], 'Before']);
  assert.is((await daybook.get('/proposals/2', 'editor')).body.state, 'open', 'it can still be approved');
  assert.is((await step('approve')).status, 200);
  assert.is(await titleOf(second ?? {}), 'Unseen');
  await daybook.close();
});

test('a log that was copied amid a set shows none of it where it is restored, and then all of it', async (context) => {
  const { folder, remove } = temporaryFolder();
  const keys = { DAYBOOK_KEYS: `sqlite:${folder}/keys.db` };
  const daybook = await started(context, keys);
  // `change-sets`, the first event, its proposal, the second event.
  const events = await begunSet(context, daybook, 4);
  const { at } = daybook.clock;
  const backup = `${folder}/backup`;
  const run = async (settings: { readonly [name: string]: string }, ...args: string[]) => {
    const { ended, errors } = command(args, settings);
    assert.is(await ended, 0, errors());
  };
  await run(
    { ...keys, DAYBOOK_EVENT_STORE: context.server.connectionString, DAYBOOK_DATA_DIR: folder },
    'backup',
    backup,
  );
  await daybook.close();
  const other = await startEventStoreDb();
  for (const store of [`sqlite:${folder}/restored.db`, other.connectionString]) {
    const settings = { DAYBOOK_EVENT_STORE: store, DAYBOOK_KEYS: `sqlite:${folder}/${store.length}-keys.db` };
    await run({ ...settings, DAYBOOK_DATA_DIR: folder }, 'restore', backup);
    const restored = await startTestService({ environment: settings, copiedFrom: daybook });
    restored.clock.at = at + 1;
    // It fills its read model, as far as the log is whole.
    await until(async () => (await restored.get('/events')).status === 200);
    const titles = async (): Promise<unknown> => {
      const { body, status, text } = await restored.get('/events?start_date=2000-01-01');
      assert.is(status, 200, text);
      const singles = events.map(async ({ id }) => (await restored.get(`/events/${id}`)).body.title);
      return [body.events.map(({ title }: Body) => title).sort(), await Promise.all(singles)];
    };
    assert.equal(await titles(), [Array(2).fill('Before'), Array(2).fill('Before')], store);
    assert.equal(await changed(restored), [], store);
    restored.clock.at += 60;
    await until(async () => (await restored.get('/sets/1', 'editor')).body.state === 'applied');
    assert.equal(await titles(), [[...TITLES], [...TITLES]], store);
    for (const { id } of events) assert.is(await retitled(restored, id), 1, store);
    await restored.close();
  }
  await other.stop();
  remove();
});

test('a set that cannot be completed is seen by operators, and completed when it can be', async (context) => {
  const daybook = await started(context);
  await begunSet(context, daybook);
  context.interrupted.fault = 'end';
  daybook.clock.at += 60;
  const ready = async () => (await daybook.service.app.inject('/readyz')).json();
  await until(async () => (await ready()).set !== undefined);
  const { set } = await ready();
  assert.equal([set.status, set.set], ['under way', 1]);
  assert.ok(set.seconds >= 60);
  const metrics = (await daybook.service.app.inject('/metrics')).payload;
  assert.match(metrics, /^daybook_set_under_way_seconds 6\d$/m);
  context.interrupted.fault = null;
  await until(async () => (await daybook.get('/sets/1', 'editor')).body.state === 'applied');
  await until(async () => (await ready()).set === undefined);
  await daybook.close();
});

test('an applied set is taken back by one revert of its request', async (context) => {
  const daybook = await started(context);
  const events: number[] = [];
  const proposals: number[] = [];
  for (const title of TITLES) {
    const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Before' }));
    events.push(id);
    proposals.push((await daybook.request('contributor', 'POST', `/events/${id}/proposals`, { title })).body.id);
  }
  await daybook.request('editor', 'POST', '/sets', { name: 'Both', proposals });
  const { body: applied } = await daybook.request('editor', 'POST', '/sets/1/apply', {});
  const titles = () => Promise.all(events.map(async (id) => (await daybook.get(`/events/${id}`)).body.title));
  assert.equal(await titles(), [...TITLES]);
  const tried = await daybook.request('editor', 'POST', '/reverts', { request: applied.request, dry_run: true });
  assert.equal([tried.status, await titles()], [200, [...TITLES]], tried.text);
  const reverted = await daybook.request('editor', 'POST', '/reverts', { request: applied.request });
  assert.is(reverted.status, 200, reverted.text);
  assert.equal(await titles(), ['Before', 'Before']);
  await daybook.close();
});

test.run();
