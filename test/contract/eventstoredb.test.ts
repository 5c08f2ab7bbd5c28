// What the EventStoreDB adapter makes of a server that misbehaves; the contract suite has the rest.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../src/log/envelope.ts';
import { AppendOutcomeUnknown, EventStoreUnavailable } from '../../src/log/event-store.ts';
import { MAX_CALLS } from '../../src/log/eventstoredb/calls.ts';
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { createLogChecker, replayLog } from '../../src/log/hash-chain/verify.ts';
import { STREAM_PREFIXES } from '../../src/log/stream-prefixes.ts';
import { newEvents } from '../support/events.ts';
import { collect, failureOf, open, suiteOverServer, waitFor, within, write } from '../support/eventstoredb-given.ts';
import {
  type AppendFault,
  type EventStoreDbServer,
  SCHEME,
  writeSystemEvents,
} from '../support/eventstoredb-server.ts';

const test = suiteOverServer('EventStoreDB event store');

const faults: readonly AppendFault[] = [
  'drop the connection before writing',
  'drop the connection after writing',
  'wrong revision after writing',
  'cancelled after writing',
  'unavailable',
  'never answer after writing',
];
for (const fault of faults) {
  test(`an append that meets "${fault}" is applied once and answered as if nothing had happened`, async ({
    server,
    store,
  }) => {
    await write(store, 'event-0');
    server.appendFaults.push(fault);
    const events = newEvents(2);
    const outcome = await within(store.append([{ stream: 'event-1', expected: 'no_stream', events }]));
    const found = await store.readStream('event-1');
    assert.equal(
      found.map(({ id }) => id),
      events.map(({ id }) => id),
    );
    assert.equal(outcome, { kind: 'appended', written: [{ revision: 1, position: found[1]?.position }] });
  });
}

test('an append at a revision is applied once however often its connection breaks', async ({ server, store }) => {
  await write(store, 'event-1');
  server.appendFaults.push('drop the connection after writing', 'drop the connection after writing');
  const outcome = await within(store.append([{ stream: 'event-1', expected: 0, events: newEvents(1) }]));
  assert.is(outcome.kind, 'appended');
  assert.is((await store.readStream('event-1')).length, 2);
});

test('a wrong revision that is really one stays a conflict after a break', async ({ server, store }) => {
  await write(store, 'event-1');
  server.appendFaults.push('drop the connection before writing');
  const outcome = await within(store.append([{ stream: 'event-1', expected: 'no_stream', events: newEvents(1) }]));
  assert.equal(outcome, { kind: 'conflict', stream: 'event-1', actual: 0 });
});

test('a broken connection during many appends loses none, doubles none and ends no process', async ({
  server,
  store,
}) => {
  await write(store, 'event-0');
  const streams = Array.from({ length: 60 }, (_, index) => `venue-${index}`);
  server.appendFaults.push('unavailable', 'drop the connection after writing');
  const outcomes = await within(
    Promise.all(
      streams.map((stream) =>
        store.append([{ stream, expected: 'no_stream', events: newEvents(1) }]).catch((error: unknown) => error),
      ),
    ),
  );
  assert.equal(
    outcomes.map((outcome) => (outcome instanceof Error ? outcome.message : 'appended')),
    streams.map(() => 'appended'),
  );
  for (const stream of streams) assert.is((await store.readStream(stream)).length, 1);
});

test('a stopped server is unavailable: for a store that never reached it and for one that did', async ({
  server,
  store,
}) => {
  await write(store, 'event-1');
  await server.stop();
  for (const either of [store, await open(server)]) {
    // First: an append that is sent while the connection breaks has an unknown outcome.
    assert.instance(await failureOf(either.readStream('event-1')), EventStoreUnavailable);
    assert.instance(await failureOf(either.head()), EventStoreUnavailable);
    const append = await failureOf(write(either, 'event-1'));
    assert.instance(append, EventStoreUnavailable, String(append));
    assert.match(append.message, server.host);
    await either.close();
  }
});

test('a server that stops in the middle of an append leaves its outcome unknown, and the repeat reports it', async ({
  server,
  store,
}) => {
  await write(store, 'event-0');
  server.appendFaults.push('never answer after writing');
  const append = { stream: 'event-1', expected: 'no_stream', events: newEvents(1) } as const;
  const first = failureOf(store.append([append]));
  await within(waitFor(() => server.log.streamOf('event-1').length > 0));
  await server.stop();
  assert.instance(await first, AppendOutcomeUnknown);
  await server.start();
  const outcome = await within(store.append([append]));
  assert.is(outcome.kind, 'appended');
  assert.is((await store.readStream('event-1')).length, 1);
});

test('a stalled server is detected by the deadline, and works again when it continues', async ({ server, store }) => {
  await write(store, 'event-1');
  server.stall();
  const [append, probe, ...reads] = await Promise.all([
    failureOf(store.append([{ stream: 'event-1', expected: 0, events: newEvents(1) }])),
    failureOf(store.probe()),
    failureOf(store.readStream('event-1')),
    failureOf(store.readAll({ after: LOG_START, limit: 1 })),
    failureOf(store.head()),
  ]);
  assert.instance(append, AppendOutcomeUnknown);
  assert.match(probe.message, 'does not answer in time');
  assert.ok(reads.every((failure) => failure instanceof EventStoreUnavailable));
  server.resume();
  assert.is((await within(write(store, 'event-1'))).kind, 'appended');
});

/** What only one of the two clients does. */
const testOf = (scheme: typeof SCHEME): typeof test | (() => void) => (scheme === SCHEME ? test : () => {});

testOf('esdb')(
  'appends go over another call once nothing has come on the one in use for as long as the deadline',
  async ({ server, store }) => {
    await write(store, 'event-1');
    server.appendFaults.push('never answer before writing');
    const append = { stream: 'event-2', expected: 'no_stream', events: newEvents(1) } as const;
    assert.instance(await failureOf(store.append([append])), AppendOutcomeUnknown);
    const before = server.counts.appendCalls;
    assert.is((await within(store.append([append]))).kind, 'appended');
    assert.is(server.counts.appendCalls, before + 1);
    await within(write(store, 'event-1'));
    assert.is(server.counts.appendCalls, before + 1);
  },
);

test('an append that is not answered does not hold up others on the same call', async ({ server, store }) => {
  await write(store, 'event-1');
  server.appendFaults.push('never answer before writing');
  const silent = failureOf(store.append([{ stream: 'event-2', expected: 'no_stream', events: newEvents(1) }]));
  const before = server.counts.appendCalls;
  let isOver = false;
  void silent.then(() => {
    isOver = true;
  });
  while (!isOver) await within(write(store, 'event-1'));
  assert.instance(await silent, AppendOutcomeUnknown);
  await within(write(store, 'event-1'));
  assert.is(server.counts.appendCalls, before);
});

const inOrder = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    stream: `event-${index % 40}`,
    expected: index < 40 ? ('no_stream' as const) : 2 * Math.floor(index / 40) - 1,
    events: newEvents(2),
  }));
const idsOf = (events: readonly { readonly id: string }[]): readonly string[] => events.map(({ id }) => id);
const idsIn = (server: EventStoreDbServer, prefixes = ['event-']): readonly string[] =>
  idsOf(server.log.events.filter(({ stream }) => prefixes.some((prefix) => stream.startsWith(prefix))));

testOf('esdb')(
  'appends to a log without other writers are under way at the same time, and stay in order',
  async ({ server, store }) => {
    await write(store, 'venue-1');
    server.counts.appends = 0;
    const appends = inOrder(200);
    server.stall();
    const appending = store.appendInOrder?.(appends);
    await within(waitFor(() => server.counts.appends === MAX_CALLS));
    server.resume();
    const outcome = await within(Promise.resolve(appending));
    assert.equal(idsIn(server), idsOf(appends.flatMap(({ events }) => events)));
    assert.equal(outcome, { kind: 'appended', last: await store.head() });
  },
);

for (const fault of faults)
  testOf('esdb')(
    `of appends in order none is lost, doubled or moved unnoticed when one meets "${fault}"`,
    async ({ server, store }) => {
      server.appendFaults.push(...Array.from({ length: 50 }, (): AppendFault => 'none'), fault);
      const appends = inOrder(120);
      const outcome = await within(store.appendInOrder?.(appends) ?? Promise.reject(new Error('cannot')));
      const wanted = idsOf(appends.flatMap(({ events }) => events));
      assert.equal([...idsIn(server)].sort(), [...wanted].sort());
      if (outcome.kind === 'appended') assert.equal(idsIn(server), wanted);
      else assert.is(outcome.kind, 'disordered');
    },
  );

testOf('esdb')('an append in order that meets another writer is a conflict', async ({ server, store }) => {
  await write(store, 'event-7');
  const outcome = await within(store.appendInOrder?.(inOrder(10)) ?? Promise.reject(new Error('cannot')));
  assert.equal(outcome, { kind: 'conflict', stream: 'event-7', actual: 0 });
  assert.is(server.log.streamOf('event-7').length, 1);
});

const unitOf = (streams: readonly string[]) =>
  streams.map((stream) => ({ stream, expected: 'no_stream' as const, events: newEvents(1) }));

for (const fault of faults)
  testOf('kurrentdb')(
    `a unit of several streams that meets "${fault}" is written once and whole`,
    async ({ server, store }) => {
      await write(store, 'venue-1');
      server.appendFaults.push(fault);
      const unit = unitOf(['id-1', 'slug-event-a', 'event-1']);
      const outcome = await within(store.append(unit));
      assert.equal(idsIn(server, ['id-', 'slug-', 'event-']), idsOf(unit.flatMap(({ events }) => events)));
      assert.is(outcome.kind === 'appended' && outcome.written.at(-1)?.position, await store.head());
      assert.is(
        server.counts.appends,
        fault === 'wrong revision after writing' || fault === 'never answer after writing' ? 2 : 3,
      );
    },
  );

testOf('kurrentdb')(
  'a unit with a conflict writes nothing, and many writers leave whole units only',
  async ({ server, store }) => {
    const units = Array.from({ length: 40 }, (_, n) => unitOf([`id-${n % 10}`, `slug-event-${n}`, `event-${n}`]));
    const outcomes = await within(Promise.all(units.map((unit) => store.append(unit))));
    for (const [index, outcome] of outcomes.entries()) {
      const there = units[index]?.map(({ stream, events }) => server.log.streamOf(stream)[0]?.id === events[0]?.id);
      assert.equal(there, outcome.kind === 'appended' ? [true, true, true] : [false, false, false]);
    }
    assert.is(outcomes.filter(({ kind }) => kind === 'appended').length, 10);
  },
);

testOf('kurrentdb')('where a unit ends is read until the server was found to tell it', async ({ server, store }) => {
  server.tellsFirstPosition = true;
  const positions: unknown[] = [];
  for (const name of ['a', 'b']) {
    const outcome = await store.append(unitOf([`id-${name}`, `event-${name}`]));
    positions.push(outcome.kind === 'appended' && outcome.written.at(-1)?.position === (await store.head()));
  }
  server.tellsFirstPosition = false;
  for (const name of ['c', 'd']) {
    const reads = server.counts.reads;
    await store.append(unitOf([`id-${name}`, `event-${name}`]));
    positions.push(server.counts.reads - reads);
  }
  assert.equal(positions, [true, true, 1, 0]);
});

testOf('kurrentdb')(
  'what is too large for the server at once is written in parts, in order',
  async ({ server, store }) => {
    const data = { text: 'x'.repeat(400_000) };
    const unit = unitOf(['id-1', 'event-1', 'event-2', 'event-3']).map((append) => ({
      ...append,
      events: append.events.map((event) => ({ ...event, data })),
    }));
    assert.is((await within(store.append(unit))).kind, 'appended');
    assert.equal(idsIn(server, ['id-', 'event-']), idsOf(unit.flatMap(({ events }) => events)));
  },
);

test('a server that comes back is used again without a new store', async ({ server, store }) => {
  await write(store, 'event-1');
  await server.stop();
  assert.instance(await failureOf(store.head()), EventStoreUnavailable);
  await server.start();
  assert.is((await within(write(store, 'event-1'))).kind, 'appended');
});

test('a subscription goes on after each restart of the server and loses and doubles nothing', async ({
  server,
  store,
}) => {
  server.hasBadCheckpoints = true;
  const subscription = collect(store, ['event-']);
  let count = 0;
  for (let round = 0; round < 3; round += 1) {
    for (let index = 0; index < 12; index += 1) await write(store, `venue-${index}`);
    for (let index = 0; index < 12; index += 1) await write(store, `event-${index}`);
    count += 12;
    if (round === 1) server.dropConnections();
    else await subscription.until(count);
    await server.stop();
    await server.start();
    await within(store.head().catch(() => store.head()));
  }
  await write(store, 'event-12');
  await subscription.until(count + 1);
  await subscription.end();
  assert.equal(subscription.events, await store.readAll({ after: LOG_START, prefixes: ['event-'], limit: 1_000 }));
});

test('a subscription that is not confirmed is tried again until it is', async ({ server, store }) => {
  await write(store, 'event-1');
  server.stall();
  const subscription = collect(store);
  const reads = server.counts.reads;
  await within(waitFor(() => server.counts.reads > reads + 1));
  server.resume();
  await subscription.until(1);
  await subscription.end();
  assert.is(subscription.events.length, 1);
});

test('a subscription ends at once when asked to while the server is unavailable', async ({ server, store }) => {
  await server.stop();
  const subscription = collect(store);
  await sleep(20);
  await subscription.end();
  assert.equal(subscription.events, []);
});

test('a subscription that breaks is logged with the reason', async ({ server }) => {
  const lines: { readonly reason?: string }[] = [];
  const { connectionString } = server;
  const store = await openEventStoreDb({ connectionString, log: { warn: (details) => void lines.push(details) } });
  const subscription = collect(store);
  await write(store, 'event-1');
  await subscription.until(1);
  await server.stop();
  await within(waitFor(() => lines.length > 1));
  assert.ok(
    lines.every(({ reason }) => reason?.startsWith(`The event store at ${server.host} `)),
    JSON.stringify(lines),
  );
  await subscription.end();
  await store.close();
});

/** Much work for one answer, on a machine that may be busy. */
const LONG_MS = 30_000;

test('of very many calls at once so many are under way as the server takes well, and all are answered', async ({
  server,
}) => {
  const store = await openEventStoreDb({ connectionString: server.connectionString, deadlineMs: LONG_MS });
  await write(store, 'event-1');
  server.stall();
  const before = server.counts.reads;
  const reads = Array.from({ length: 1_500 }, (_, n) => store.readStream(`event-${n + 1}`));
  await within(waitFor(() => server.counts.reads === before + MAX_CALLS));
  server.resume();
  const [written, ...unwritten] = await within(Promise.all(reads));
  assert.is(written?.length, 1);
  assert.ok(unwritten.every(({ length }) => length === 0));
  await store.close();
});

test('calls that wait for a server that ends none fail soon, and an append among them was not written', async ({
  server,
  store,
}) => {
  await write(store, 'event-1');
  server.stall();
  const reads = Array.from({ length: 4 * MAX_CALLS }, (_, n) => failureOf(store.readStream(`event-${n}`)));
  const append = await failureOf(store.append([{ stream: 'event-1', expected: 0, events: newEvents(1) }]));
  assert.instance(append, EventStoreUnavailable, String(append));
  assert.ok((await Promise.all(reads)).every((failure) => failure instanceof EventStoreUnavailable));
  server.resume();
  assert.is((await within(store.readStream('event-1'))).length, 1);
});

test('closing ends subscriptions and reads under way and refuses what comes after', async ({ server, store }) => {
  const subscription = collect(store);
  await write(store, 'event-1');
  await subscription.until(1);
  server.stall();
  const reading = failureOf(store.head());
  await store.close();
  assert.instance(await reading, EventStoreUnavailable);
  await subscription.end();
  assert.instance(await failureOf(store.head()), EventStoreUnavailable);
  assert.instance(
    await failureOf(store.append([{ stream: 'event-1', expected: 0, events: newEvents(1) }])),
    EventStoreUnavailable,
  );
  await store.close();
});

test('system events and events of others are passed over, also by the head', async ({ server, store }) => {
  const foreign = { type: 'Paid', contentType: 'application/json', data: Buffer.from('{}'), metadata: Buffer.from('') };
  await write(store, 'event-1');
  const head = await store.head();
  writeSystemEvents(server.log, 200);
  server.log.append('event-of-another-application', 'any', [{ ...foreign, id: crypto.randomUUID() }]);
  const copied = server.log.streamOf('event-1').map((event) => ({ ...event, id: crypto.randomUUID() }));
  server.log.append('$ce-event', 'any', copied);
  assert.is(await store.head(), head);
  const subscription = collect(store);
  await write(store, 'event-2');
  await subscription.until(2);
  await subscription.end();
  const events = await store.readAll({ after: LOG_START, limit: 1 });
  assert.equal([...events, ...(await store.readAll({ after: head, limit: 5 }))], subscription.events);
});

testOf('esdb')(
  'what another client appended in one batch with others is read like everything else',
  async ({ server, store }) => {
    const { EventStoreDBClient, jsonEvent } = await import('@eventstore/db-client');
    const client = EventStoreDBClient.connectionString(server.connectionString);
    const streams = ['event-1', 'event-2', 'event-3'];
    const appends = streams.map((stream) => {
      const [event] = newEvents(1).map(({ schemaVersion, metadata, ...rest }) =>
        jsonEvent({ ...rest, data: {}, metadata: { ...metadata, schemaVersion } }),
      );
      return event ? client.appendToStream(stream, event, { expectedRevision: 'no_stream' }) : null;
    });
    await within(Promise.all(appends));
    assert.equal((await store.readAll({ after: LOG_START, limit: 9 })).map(({ stream }) => stream).sort(), streams);
    const refused = client.appendToStream('event-1', jsonEvent({ type: 'Late', data: {} }), {
      expectedRevision: 'no_stream',
    });
    assert.match((await failureOf(refused)).constructor.name, 'WrongExpectedVersion');
    await client.dispose();
  },
);

test('a check of the log counts the events of others that it goes past', async ({ server }) => {
  const store = await openEventStoreDb({ connectionString: server.connectionString, deadlineMs: LONG_MS });
  await write(store, 'event-1');
  writeSystemEvents(server.log, 5_000);
  await write(store, 'event-2');
  const reached: number[] = [];
  const checker = createLogChecker({ newestVersion: () => 1 });
  await replayLog({ log: store, checker, observe: () => {}, onProgress: (events) => void reached.push(events) });
  assert.is(reached.at(-1), server.log.events.length);
  assert.ok(reached.length > 2, 'on the way, too');
  await store.close();
});

test('a position of another kind of store is refused instead of finding nothing', async ({ store }) => {
  const after = '0000000000000012';
  assert.match((await failureOf(store.readAll({ after, limit: 1 }))).message, after);
  const { signal } = new AbortController();
  const subscription = store.subscribe({ after, batchSize: 1, signal })[Symbol.asyncIterator]();
  assert.match((await failureOf(subscription.next())).message, after);
});

test('a subscription that is refused rejects instead of trying for ever', async ({ server, store }) => {
  server.refusesUsers = true;
  const { signal } = new AbortController();
  const subscription = store.subscribe({ after: LOG_START, batchSize: 1, signal })[Symbol.asyncIterator]();
  assert.instance(await failureOf(subscription.next()), EventStoreUnavailable);
});

test('a process that has used and closed the store ends by itself', async ({ server }) => {
  const script = fileURLToPath(new URL('../support/use-eventstoredb-once.ts', import.meta.url));
  const child = spawn(process.execPath, [script, server.connectionString], { stdio: 'inherit' });
  const [code] = await within(once(child, 'exit'));
  child.kill('SIGKILL');
  assert.is(code, 0);
});

/** Many more than one page, and than would be sent within the deadline. */
const FOREIGN = 30_000;

/** As the service opens it. */
const openListed = (server: EventStoreDbServer) =>
  openEventStoreDb({ connectionString: server.connectionString, deadlineMs: 1_000, prefixes: STREAM_PREFIXES });

test('events of another application before, between and behind ours are not sent, and looked at once', async ({
  server,
}) => {
  server.log.addForeign(FOREIGN);
  const store = await openListed(server);
  assert.is(await within(store.head()), LOG_START);
  await write(store, 'event-1');
  server.log.addForeign(FOREIGN);
  await write(store, 'event-2');
  const head = await store.head();
  server.log.addForeign(FOREIGN);
  const sent = server.counts.events;
  const later = await openListed(server);
  assert.is(await within(later.head()), head);
  for (let look = 0; look < 20; look += 1) assert.is(await store.head(), head);
  const read = { after: LOG_START, prefixes: ['event-'], limit: 10 } as const;
  assert.is((await within(store.readAll(read))).length, 2);
  assert.is((await within(store.readAll({ ...read, direction: 'backwards', limit: 1 })))[0]?.stream, 'event-2');
  assert.is((await within(store.readAll({ ...read, after: head }))).length, 0);
  // One for each look at the end of the log, and each event of ours for each read.
  assert.ok(server.counts.events - sent < 40, `${server.counts.events - sent} events sent`);
  const before = { ...server.counts };
  await Promise.all(Array.from({ length: 20 }, () => store.head()));
  for (let look = 0; look < 20; look += 1) assert.is((await store.readAll({ ...read, after: head })).length, 0);
  assert.is(server.counts.reads - before.reads, 40, 'nothing is searched for again');
  assert.is(server.counts.lookedAt - before.lookedAt, 40);
  server.log.addForeign(FOREIGN);
  const lookedAtBefore = server.counts.lookedAt;
  await Promise.all(Array.from({ length: 20 }, () => store.head()));
  assert.ok(server.counts.lookedAt - lookedAtBefore < FOREIGN + 100, 'those who ask together search once');
  await write(later, 'event-3');
  assert.is(await store.head(), await later.head());
  assert.is((await store.readAll({ ...read, after: head }))[0]?.stream, 'event-3');
  assert.is((await store.readAll({ ...read, after: head, prefixes: ['event-', 'user-'] }))[0]?.stream, 'event-3');
  assert.is((await store.readStream('event-3'))[0]?.position, await store.head());
  await store.close();
  await later.close();
});

test('without a list of streams what was found is kept', async ({ server, store }) => {
  await write(store, 'thing-1');
  const head = await store.head();
  server.log.addForeign(2_000);
  assert.is(await within(store.head()), head);
  const sent = server.counts.events;
  for (let look = 0; look < 20; look += 1) assert.is(await store.head(), head);
  assert.is(server.counts.events - sent, 20);
});

test('a log that was put back from a backup behind the end that was seen has its own end', async ({
  server,
  store,
}) => {
  await write(store, 'event-1');
  const head = await store.head();
  const count = server.log.events.length;
  await write(store, 'event-2');
  server.log.addForeign(10);
  assert.ok((await store.head()) > head);
  assert.is((await store.readAll({ after: head, prefixes: ['event-'], limit: 5 })).length, 1);
  server.log.putBack(count);
  assert.is(await store.head(), head);
  await write(store, 'event-3');
  assert.is((await store.readAll({ after: head, prefixes: ['event-'], limit: 5 }))[0]?.stream, 'event-3');
});

test('a server that searches for longer than the deadline is waited for while it answers, and given up if it does not', async ({
  server,
}) => {
  const store = await openListed(server);
  await write(store, 'event-1');
  server.log.addForeign(1);
  const later = await openListed(server);
  server.searchMs = 2_500;
  assert.is(await within(later.head()), await store.head());
  const read = within(store.readAll({ after: LOG_START, prefixes: ['event-'], limit: 1 }));
  await sleep(100);
  server.stall();
  assert.match((await failureOf(read)).message, 'does not answer in time');
  await store.close();
  await later.close();
});

test('events come as they are, for they would be compressed one by one', async ({ server, store }) => {
  await write(store, 'event-1');
  await store.readStream('event-1');
  const subscription = collect(store);
  await subscription.until(1);
  await subscription.end();
  assert.is(server.counts.compressed, 0);
});

test.run();
