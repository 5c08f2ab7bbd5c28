import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../../src/event-store/envelope.ts';
import type { AsOfCalendar, AsOfLog } from '../../../../src/queries/as-of/as-of-log.ts';
import { type AsOfLimits, AsOfQueueFull, openAsOfCalendars } from '../../../../src/queries/as-of/calendars.ts';
import type { Document } from '../../../../src/read-model/documents.ts';
import type { ReadModel } from '../../../../src/read-model/read-model.ts';

const test = suite('cached calendars as of an instant');

const LIMITS: AsOfLimits = { maxCached: 2, maxBytes: 1_000, maxWaiting: 2 };

interface Fact {
  readonly at: number;
  readonly stream: string;
}

/** A log of facts, each at its place; calendars that are finished when `finish` is called, or at once. */
function fakeLog(facts: Fact[], bytes = 10) {
  const made: number[] = [];
  const closed: number[] = [];
  const unfinished: (() => void)[] = [];
  const state = { waits: false, open: true };
  const place = (index: number): string => String(index).padStart(4, '0');
  const closing = (at: number) => ({
    fetch: async (keys: readonly object[]) => keys.map(() => ({ kind: 'event', id: 1, status: 'publish' }) as Document),
    close: async () => void closed.push(at),
  });
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
    isStillOpen: async () => state.open,
    async make(at): Promise<AsOfCalendar> {
      made.push(at);
      const upTo = await log.head();
      if (state.waits) await new Promise<void>((resolve) => unfinished.push(resolve));
      const before = facts.filter((fact) => fact.at <= at);
      const after = facts.slice(0, Number(upTo)).filter((fact) => fact.at > at);
      return {
        readModel: closing(at) as unknown as ReadModel,
        upTo,
        from: before.at(-1)?.at ?? Number.NEGATIVE_INFINITY,
        until: after[0]?.at ?? Number.POSITIVE_INFINITY,
        terms: [],
        closedTerms: new Set(),
        closedCounts: new Map(),
        revisions: { event: new Map(), venue: new Map(), organizer: new Map() },
        bytes,
      };
    },
  };
  return { log, made, closed, state, finish: () => unfinished.shift()?.() };
}

const turns = () => new Promise((resolve) => setTimeout(resolve, 5));
const FACTS: Fact[] = [10, 20, 30].map((at) => ({ at, stream: 'event-1' }));
const nothing = async (): Promise<void> => {};

test('instants between which nothing happened share a calendar', async () => {
  const { log, made } = fakeLog([...FACTS]);
  const { use } = openAsOfCalendars(log, LIMITS);
  for (const at of [20, 25, 29, 20, 30, 99]) await use(at, 'left out', nothing);
  assert.equal(made, [20, 30]);
});

test('one that can be searched answers everything, and takes the place of one that cannot', async () => {
  const { log, made, closed } = fakeLog([...FACTS]);
  const { use } = openAsOfCalendars(log, LIMITS);
  for (const texts of ['left out', 'searchable', 'left out'] as const) await use(20, texts, nothing);
  await turns();
  assert.equal([made, closed], [[20, 20], [20]]);
});

test('what is recorded later ends a calendar there; what is recorded as of before makes it anew', async () => {
  const facts = [...FACTS];
  const { log, made } = fakeLog(facts);
  const { use } = openAsOfCalendars(log, LIMITS);
  await use(50, 'left out', nothing);
  facts.push({ at: 40, stream: 'event-1' });
  await use(39, 'left out', nothing);
  assert.equal(made, [50]);
  await use(50, 'left out', nothing);
  assert.equal(made, [50, 50]);
  facts.push({ at: 40, stream: 'event-1' });
  await use(45, 'left out', nothing);
  assert.equal(made, [50, 50, 45]);
});

test('a calendar is not used once something of it is closed, or events are to be read in another way', async () => {
  for (const stream of ['event-1', 'projection-control']) {
    const facts = [...FACTS];
    const { log, made, state } = fakeLog(facts);
    const { use } = openAsOfCalendars(log, LIMITS);
    await use(20, 'left out', nothing);
    facts.push({ at: 100, stream });
    state.open = stream !== 'event-1';
    await use(20, 'left out', nothing);
    assert.equal(made, [20, 20], stream);
  }
});

test('the most recent are cached, and the least recently used is evicted first', async () => {
  const { log, made, closed } = fakeLog([...FACTS]);
  const { use } = openAsOfCalendars(log, LIMITS);
  for (const at of [10, 20, 10, 30, 10, 20]) await use(at, 'left out', nothing);
  await turns();
  assert.equal(
    [made, closed],
    [
      [10, 20, 30, 20],
      [20, 30],
    ],
  );
});

test('no more are cached than the memory limit allows', async () => {
  const { log, made, closed } = fakeLog([...FACTS], 600);
  const { use } = openAsOfCalendars(log, LIMITS);
  for (const at of [10, 20, 10]) await use(at, 'left out', nothing);
  await turns();
  assert.equal(
    [made, closed],
    [
      [10, 20, 10],
      [10, 20],
    ],
  );
});

test('a calendar that is in use is not evicted', async () => {
  const { log, closed } = fakeLog([...FACTS]);
  const { use } = openAsOfCalendars(log, LIMITS);
  let end = (): void => {};
  const using = use(10, 'left out', () => new Promise<void>((resolve) => (end = resolve)));
  await turns();
  for (const at of [20, 30]) await use(at, 'left out', nothing);
  await turns();
  assert.equal(closed, []);
  end();
  await using;
  await turns();
  assert.equal(closed, [10]);
});

test('requests for one instant wait for one calendar; one is made at a time, and a few are waited for', async () => {
  const facts = [10, 20, 30, 40].map((at) => ({ at, stream: 'event-1' }));
  const { log, made, state, finish } = fakeLog(facts);
  state.waits = true;
  const { use } = openAsOfCalendars(log, LIMITS);
  const waiting = [10, 10, 20, 30].map((at) => use(at, 'left out', async () => at));
  await turns();
  assert.equal(made, [10]);
  await use(40, 'left out', nothing).then(
    () => assert.unreachable(),
    (error: unknown) => assert.instance(error, AsOfQueueFull),
  );
  const more = use(10, 'left out', async () => 10);
  for (let index = 0; index < 3; index++) {
    finish();
    await turns();
  }
  assert.equal(await Promise.all([...waiting, more]), [10, 10, 20, 30, 10]);
  assert.equal(made, [10, 20, 30]);
  state.waits = false;
  await use(40, 'left out', nothing);
});

test('a calendar that could not be made is made the next time', async () => {
  const { log, made } = fakeLog([...FACTS]);
  let isAway = true;
  const { use } = openAsOfCalendars(
    { ...log, make: (at, texts) => (isAway ? Promise.reject(new Error('away')) : log.make(at, texts)) },
    LIMITS,
  );
  await use(10, 'left out', nothing).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'away'),
  );
  isAway = false;
  await use(10, 'left out', nothing);
  assert.equal(made, [10]);
});

test.run();
