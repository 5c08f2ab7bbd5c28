import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AsOfCalendar, AsOfLog } from '../../../../src/editorial/time-travel/queries/as-of-log.ts';
import {
  type AsOfLimits,
  AsOfQueueFull,
  openAsOfCalendars,
} from '../../../../src/editorial/time-travel/queries/calendars.ts';
import type { LogModel } from '../../../../src/editorial/time-travel/queries/log-storage.ts';
import type { RecordedEvent } from '../../../../src/log/envelope.ts';
import type { Document } from '../../../../src/read-model/documents.ts';

const test = suite('cached calendars as of an instant');

const MEBIBYTE = 1_048_576;
const LIMITS: AsOfLimits = { maxBytes: 3.5 * MEBIBYTE, maxWaiting: 2 };

interface Fact {
  readonly at: number;
  readonly stream: string;
}

/** A log of facts, each at its place; calendars that are finished when `finish` is called, or at once. */
function fakeLog(facts: Fact[], bytes = MEBIBYTE) {
  const made: number[] = [];
  const unfinished: (() => void)[] = [];
  const state = { waits: false, open: true };
  const place = (index: number): string => String(index).padStart(4, '0');
  const log: AsOfLog = {
    firstInstant: async () => facts[0]?.at ?? null,
    head: async () => (facts.length === 0 ? '' : place(facts.length)),
    readOn: async (after) =>
      facts.slice(Number(after)).map(
        ({ at, stream }, index) =>
          ({
            stream,
            position: place(Number(after) + index + 1),
            metadata: { instant: new Date(at * 1000).toISOString() },
          }) as RecordedEvent,
      ),
    keyOf: (stream) => (stream.startsWith('event-') ? { kind: 'event', id: 1 } : null),
    async make(at): Promise<AsOfCalendar> {
      made.push(at);
      const upTo = await log.head();
      const builtUpTo = upTo;
      if (state.waits) await new Promise<void>((resolve) => unfinished.push(resolve));
      const before = facts.filter((fact) => fact.at <= at);
      const after = facts.slice(0, Number(upTo)).filter((fact) => fact.at > at);
      return {
        some: async (keys, upTo) =>
          keys.map(
            () =>
              ({ kind: 'event', id: 1, status: upTo <= builtUpTo || state.open ? 'publish' : 'private' }) as Document,
          ),
        readModel: {} as LogModel,
        upTo,
        from: before.at(-1)?.at ?? Number.NEGATIVE_INFINITY,
        until: after[0]?.at ?? Number.POSITIVE_INFINITY,
        terms: [],
        closedTerms: new Set(),
        closedCounts: new Map(),
        bytes,
      };
    },
  };
  return { log, made, state, finish: () => unfinished.shift()?.() };
}

const turns = () => new Promise((resolve) => setTimeout(resolve, 5));
const FACTS: Fact[] = [10, 20, 30].map((at) => ({ at, stream: 'event-1' }));

test('instants between which nothing happened share a calendar', async () => {
  const { log, made } = fakeLog([...FACTS]);
  const { find } = openAsOfCalendars(log, LIMITS);
  for (const at of [20, 25, 29, 20, 30, 99]) await find(at);
  assert.equal(made, [20, 30]);
});

test('what is recorded later ends a calendar there; what is recorded as of before makes it anew', async () => {
  const facts = [...FACTS];
  const { log, made } = fakeLog(facts);
  const { find } = openAsOfCalendars(log, LIMITS);
  await find(50);
  facts.push({ at: 40, stream: 'event-1' });
  await find(39);
  assert.equal(made, [50]);
  await find(50);
  assert.equal(made, [50, 50]);
  facts.push({ at: 40, stream: 'event-1' });
  await find(45);
  assert.equal(made, [50, 50, 45]);
});

test('a calendar is not used once something of it is closed, or events are to be read in another way', async () => {
  for (const stream of ['event-1', 'projection-control']) {
    const facts = [...FACTS];
    const { log, made, state } = fakeLog(facts);
    const { find } = openAsOfCalendars(log, LIMITS);
    await find(20);
    facts.push({ at: 100, stream });
    state.open = stream !== 'event-1';
    await find(20);
    assert.equal(made, [20, 20], stream);
  }
});

test('nor by those who ask at the same moment', async () => {
  const facts = [...FACTS];
  const { log, state } = fakeLog(facts);
  const { find } = openAsOfCalendars(log, LIMITS);
  const before = await find(20);
  facts.push({ at: 100, stream: 'event-1' });
  state.open = false;
  for (const one of await Promise.all([find(20), find(20)])) assert.is.not(one.name, before.name);
});

test('as many are cached as the memory limit allows, and the least recently used is evicted first', async () => {
  const { log, made } = fakeLog([...FACTS]);
  const { find } = openAsOfCalendars(log, LIMITS);
  for (const at of [10, 20, 10, 30, 10, 20]) await find(at);
  assert.equal(made, [10, 20, 30, 20]);
});

test('one that is larger than the limit is cached alone', async () => {
  const { log, made } = fakeLog([...FACTS], 4 * MEBIBYTE);
  const { find } = openAsOfCalendars(log, LIMITS);
  for (const at of [10, 10, 20, 10]) await find(at);
  assert.equal(made, [10, 20, 10]);
});

test('all are forgotten when memory grows short', async () => {
  const { log, made } = fakeLog([...FACTS]);
  const { find, empty } = openAsOfCalendars(log, LIMITS);
  await find(10);
  empty();
  await find(10);
  assert.equal(made, [10, 10]);
});

test('requests for one instant wait for one calendar; one is made at a time, and a few are waited for', async () => {
  const facts = [10, 20, 30, 40].map((at) => ({ at, stream: 'event-1' }));
  const { log, made, state, finish } = fakeLog(facts);
  state.waits = true;
  const { find } = openAsOfCalendars(log, LIMITS);
  const waiting = [10, 10, 20, 30].map((at) => find(at));
  await turns();
  assert.equal(made, [10]);
  await find(40).then(
    () => assert.unreachable(),
    (error: unknown) => assert.instance(error, AsOfQueueFull),
  );
  const more = find(10);
  for (let index = 0; index < 3; index++) {
    finish();
    await turns();
  }
  const found = await Promise.all([...waiting, more]);
  assert.equal(
    found.map(({ from }) => from),
    [10, 10, 20, 30, 10],
  );
  assert.equal(made, [10, 20, 30]);
  state.waits = false;
  await find(40);
});

test('a user waits for the calendar that is made, and not for all that the public has asked for before', async () => {
  const { log, made, state, finish } = fakeLog([10, 20, 30, 40].map((at) => ({ at, stream: 'event-1' })));
  state.waits = true;
  const { find } = openAsOfCalendars(log, LIMITS);
  const strangers = [10, 20, 30].map((at) => find(at));
  await turns();
  const user = find(40, 'user');
  for (let index = 0; index < 4; index++) {
    await turns();
    finish();
  }
  await Promise.all([user, ...strangers]);
  assert.equal(made, [10, 40, 20, 30]);
});

test('what every client has stopped waiting for is not made in its turn', async () => {
  const { log, made, state, finish } = fakeLog([10, 20, 30].map((at) => ({ at, stream: 'event-1' })));
  state.waits = true;
  const { find } = openAsOfCalendars(log, LIMITS);
  const patient = [find(10), find(20, 'public', () => true)];
  const gone = [20, 30].map((at) => find(at, 'public', () => false).catch((error: unknown) => error));
  await turns();
  for (let index = 0; index < 3; index++) {
    finish();
    await turns();
  }
  await Promise.all(patient);
  assert.equal(made, [10, 20]);
  assert.instance((await Promise.all(gone))[1], AsOfQueueFull);
  state.waits = false;
  await find(30);
  assert.equal(made, [10, 20, 30]);
});

test('a calendar that could not be made is made the next time', async () => {
  const { log, made } = fakeLog([...FACTS]);
  let isAway = true;
  const { find } = openAsOfCalendars(
    { ...log, make: async (...question) => (isAway ? Promise.reject(new Error('away')) : log.make(...question)) },
    LIMITS,
  );
  await find(10).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'away'),
  );
  isAway = false;
  await find(10);
  assert.equal(made, [10]);
});

test.run();
