// What every adapter of the event store must do. A behaviour that is not in here does not exist.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START, type NewEvent, type RecordedEvent } from '../../src/log/envelope.ts';
import type { AppendOutcome, EventStore, ExpectedRevision } from '../../src/log/event-store.ts';
import { endOf } from '../support/ends.ts';
import { newEvent, newEvents, someMetadata } from '../support/events.ts';
import { byStreamContract } from './event-store-by-stream.contract.ts';
import { subscriptionContract } from './event-store-subscription.contract.ts';

export interface OpenedStore {
  /** Empty, and not shared. */
  readonly store: EventStore;
  /** What happens to the streams before a conflict: nothing is written, or they are. */
  readonly batches: 'atomic' | 'in order';
  /** Closes the store and opens the same log again; a store that ends with its process answers itself. */
  reopen(): Promise<EventStore>;
  /** Closes what is open and removes the log. */
  cleanup(): Promise<void>;
}

/** Registers and runs the suite for one adapter. */
export function eventStoreContract(name: string, open: () => Promise<OpenedStore>): void {
  const test = suite<OpenedStore>(`event store: ${name}`);

  test.before.each(async (context) => {
    Object.assign(context, await open());
  });
  test.after.each(async (context) => {
    await context.cleanup();
  });

  test('an empty log has no events and its head is the start', async ({ store }) => {
    assert.is(await store.head(), LOG_START);
    assert.equal(await store.readAll({ after: LOG_START, limit: 10 }), []);
    assert.equal(await store.readStream('event-1'), []);
  });

  test('an event is read as it was written, with its place in stream and log', async ({ store }) => {
    const event: NewEvent = {
      ...newEvent('VenueRenamed', { name: 'North Hall', seats: 12.5, open: true, owner: null, tags: ['a', { b: [] }] }),
      schemaVersion: 3,
      metadata: { ...someMetadata, actor: { id: null, name: 'import' }, reason: 'a typo' },
    };
    const outcome = await append(store, 'venue-1', 'no_stream', [event]);
    const position = positionsOf(outcome)[0];
    assert.equal(await store.readStream('venue-1'), [{ ...event, stream: 'venue-1', revision: 0, position }]);
    assert.equal(await store.readAll({ after: LOG_START, limit: 1 }), await store.readStream('venue-1'));
  });

  test('an append answers where the last event of each stream lies', async ({ store }) => {
    await append(store, 'event-1', 'no_stream', newEvents(2));
    const outcome = await store.append([
      { stream: 'slug-event-a', expected: 'no_stream', events: newEvents(1) },
      { stream: 'event-1', expected: 1, events: newEvents(3) },
    ]);
    const log = await store.readAll({ after: LOG_START, limit: 100 });
    const [first, last] = outcome.kind === 'appended' ? outcome.written : [];
    assert.equal(last, { revision: 4, position: log[5]?.position });
    assert.is(first?.revision, 0);
    // Or of a later one of the same append.
    assert.ok(log.slice(2).some(({ position }) => position === first?.position));
  });

  test('an append of nothing writes nothing', async ({ store }) => {
    assert.equal(await store.append([]), { kind: 'appended', written: [] });
    assert.is(await store.head(), LOG_START);
  });

  test('an append for a stream without events is refused as a mistake', async ({ store }) => {
    const failure = await failureOf(append(store, 'event-1', await endOf(store, 'event-1'), []));
    assert.match(failure.message, 'event-1');
  });

  const refusals: readonly [ExpectedRevision, number, number | 'no_stream'][] = [
    ['no_stream', 2, 1],
    [0, 2, 1],
    [2, 2, 1],
    [0, 0, 'no_stream'],
  ];
  for (const [expected, present, actual] of refusals) {
    test(`expecting ${expected} of a stream with ${present} events is a conflict that reports ${actual}`, async ({
      store,
    }) => {
      if (present > 0) await append(store, 'event-1', 'no_stream', newEvents(present));
      const outcome = await append(store, 'event-1', expected, newEvents(1));
      assert.equal(outcome, { kind: 'conflict', stream: 'event-1', actual });
      assert.is((await store.readStream('event-1')).length, present);
    });
  }

  test('a conflict names its stream and leaves it and the streams after it unwritten', async ({ store, batches }) => {
    await append(store, 'event-2', 'no_stream', newEvents(1));
    const outcome = await store.append([
      { stream: 'slug-event-a', expected: 'no_stream', events: newEvents(1) },
      { stream: 'event-2', expected: 'no_stream', events: newEvents(1) },
      { stream: 'event-3', expected: 'no_stream', events: newEvents(1) },
    ]);
    assert.equal(outcome, { kind: 'conflict', stream: 'event-2', actual: 0 });
    assert.is((await store.readStream('event-2')).length, 1);
    assert.equal(await store.readStream('event-3'), []);
    assert.is((await store.readStream('slug-event-a')).length, batches === 'atomic' ? 0 : 1);
  });

  test('a repeated append of a new stream answers as the first time', async ({ store }) => {
    const events = newEvents(2);
    const first = await append(store, 'event-1', 'no_stream', events);
    await append(store, 'event-1', 1, newEvents(1));
    assert.equal(await append(store, 'event-1', 'no_stream', events), first);
    assert.is((await store.readStream('event-1')).length, 3);
  });

  test('a repeated append at a revision answers as the first time', async ({ store }) => {
    const events = newEvents(2);
    await append(store, 'event-1', 'no_stream', newEvents(1));
    const first = await append(store, 'event-1', 0, events);
    assert.equal(await append(store, 'event-1', 0, events), first);
    await append(store, 'event-1', await endOf(store, 'event-1'), newEvents(1));
    assert.equal(await append(store, 'event-1', 0, events), first);
    assert.is((await store.readStream('event-1')).length, 4);
  });

  test('a repeated append to several streams answers as the first time', async ({ store }) => {
    const batch = [
      { stream: 'slug-event-a', expected: 'no_stream', events: newEvents(1) },
      { stream: 'event-1', expected: 'no_stream', events: newEvents(2) },
    ] as const;
    const first = await store.append(batch);
    assert.equal(await store.append(batch), first);
    assert.is((await store.readAll({ after: LOG_START, limit: 10 })).length, 3);
  });

  test('a repeated append of which only the beginning was written writes the rest', async ({ store }) => {
    const reservation = { stream: 'slug-event-a', expected: 'no_stream', events: newEvents(1) } as const;
    await store.append([reservation]);
    const outcome = await store.append([
      reservation,
      { stream: 'event-1', expected: 'no_stream', events: newEvents(1) },
    ]);
    assert.is(outcome.kind, 'appended');
    assert.is((await store.readStream('slug-event-a')).length, 1);
    assert.is((await store.readStream('event-1')).length, 1);
  });

  test('other events at the expected place are a conflict, also when the first of them is the same', async ({
    store,
  }) => {
    const [kept, ...more] = newEvents(2);
    await append(store, 'event-1', 'no_stream', [kept as NewEvent, newEvent()]);
    const outcome = await append(store, 'event-1', 'no_stream', [kept as NewEvent, ...more]);
    assert.equal(outcome, { kind: 'conflict', stream: 'event-1', actual: 1 });
  });

  test('a repeat that brings more events than the first time is a conflict', async ({ store }) => {
    const events = newEvents(2);
    await append(store, 'event-1', 'no_stream', events.slice(0, 1));
    const outcome = await append(store, 'event-1', 'no_stream', events);
    assert.equal(outcome, { kind: 'conflict', stream: 'event-1', actual: 0 });
  });

  test('a stream is read forwards and backwards, from a revision, up to a limit', async ({ store }) => {
    await append(store, 'event-1', 'no_stream', newEvents(5));
    await append(store, 'event-10', 'no_stream', newEvents(1));
    const read = async (options: Parameters<EventStore['readStream']>[1]) =>
      revisionsOf(await store.readStream('event-1', options));
    assert.equal(await read({}), [0, 1, 2, 3, 4]);
    assert.equal(await read({ from: 3 }), [3, 4]);
    assert.equal(await read({ from: 1, limit: 2 }), [1, 2]);
    assert.equal(await read({ from: 5 }), []);
    assert.equal(await read({ direction: 'backwards' }), [4, 3, 2, 1, 0]);
    assert.equal(await read({ direction: 'backwards', limit: 1 }), [4]);
    assert.equal(await read({ direction: 'backwards', from: 2, limit: 2 }), [2, 1]);
    assert.equal(await read({ direction: 'backwards', from: 99, limit: 1 }), [4]);
  });

  test('positions grow as text in the order of writing, and the head is the last of them', async ({ store }) => {
    for (let index = 0; index < 12; index += 1)
      await append(store, `event-${index % 3}`, await endOf(store, `event-${index % 3}`), newEvents(1));
    const positions = (await store.readAll({ after: LOG_START, limit: 100 })).map((event) => event.position);
    assert.equal(positions, [...new Set(positions)].sort());
    assert.ok(positions.every((position) => position > LOG_START));
    assert.is(await store.head(), positions.at(-1));
  });

  test('the log is read in pages that follow on each other, each at most as long as the limit', async ({ store }) => {
    for (let index = 0; index < 7; index += 1) await append(store, `event-${index}`, 'no_stream', newEvents(1));
    const seen: string[] = [];
    for (let after = LOG_START; ; ) {
      const page = await store.readAll({ after, limit: 3 });
      if (page.length === 0) break;
      assert.ok(page.length <= 3);
      seen.push(...page.map((event) => event.stream));
      after = page.at(-1)?.position ?? after;
    }
    assert.equal(seen, ['event-0', 'event-1', 'event-2', 'event-3', 'event-4', 'event-5', 'event-6']);
  });

  test('a page may end early after a long text, never before its first event', async ({ store }) => {
    const long = newEvent('SomethingHappened', { text: 'x'.repeat(5_000) });
    for (const events of [newEvents(2), [long], newEvents(2)])
      await append(store, `event-${events[0]?.id}`, 'no_stream', events);
    const everything = await store.readAll({ after: LOG_START, limit: 10 });
    for (const prefixes of [[], ['event-']])
      for (const maxCharacters of [1, 3_000, 100_000]) {
        const seen: RecordedEvent[] = [];
        for (let after = LOG_START; ; after = seen.at(-1)?.position ?? after) {
          const page = await store.readAll({ after, limit: 10, prefixes, maxCharacters });
          if (page.length === 0) break;
          seen.push(...page);
        }
        assert.equal(seen, everything);
      }
  });

  test('prefixes choose streams by the beginning of their names, each event once, in order', async ({ store }) => {
    const streams = [
      'event-1',
      'slug-event-a',
      'venue-1',
      'event-12',
      'ids-post',
      'eventless',
      'venue-2',
      'slug-venue-b',
    ];
    for (const stream of streams) await append(store, stream, await endOf(store, stream), newEvents(1));
    const read = async (...prefixes: string[]) =>
      (await store.readAll({ after: LOG_START, limit: 100, prefixes })).map((event) => event.stream);
    assert.equal(await read(), streams);
    assert.equal(await read('event-'), ['event-1', 'event-12']);
    assert.equal(await read('venue-', 'event-'), ['event-1', 'venue-1', 'event-12', 'venue-2']);
    assert.equal(await read('event'), ['event-1', 'event-12', 'eventless']);
    assert.equal(await read('event-12', 'event-1', 'event-', 'event-'), ['event-1', 'event-12']);
    assert.equal(await read('event-12', 'event-1'), ['event-1', 'event-12']);
    assert.equal(await read('slug-event-', 'ids-post'), ['slug-event-a', 'ids-post']);
    assert.equal(await read('organizer-'), []);
    assert.equal(await read('vent-', '_', '%'), []);
  });

  test('limit and starting position count matching events only', async ({ store }) => {
    for (let index = 0; index < 6; index += 1) {
      await append(store, `event-${index}`, await endOf(store, `event-${index}`), newEvents(1));
      await append(store, `slug-event-${index}`, await endOf(store, `slug-event-${index}`), newEvents(1));
    }
    const first = await store.readAll({ after: LOG_START, limit: 2, prefixes: ['event-'] });
    assert.equal(streamsOf(first), ['event-0', 'event-1']);
    const second = await store.readAll({ after: first[1]?.position ?? '', limit: 3, prefixes: ['event-'] });
    assert.equal(streamsOf(second), ['event-2', 'event-3', 'event-4']);
  });

  test('the log is read backwards page by page, with and without prefixes', async ({ store }) => {
    assert.equal(await store.readAll({ after: LOG_START, direction: 'backwards', limit: 10 }), []);
    for (let index = 0; index < 5; index += 1)
      await append(
        store,
        `${index % 2 === 0 ? 'event' : 'venue'}-${index}`,
        await endOf(store, `${index % 2 === 0 ? 'event' : 'venue'}-${index}`),
        newEvents(2),
      );
    for (const prefixes of [[], ['event-'], ['event-', 'venue-'], ['event-2'], ['organizer-']]) {
      const forwards = await store.readAll({ after: LOG_START, limit: 100, prefixes });
      const seen: RecordedEvent[] = [];
      for (let after = LOG_START; ; after = seen.at(-1)?.position ?? after) {
        const page = await store.readAll({ after, direction: 'backwards', limit: 3, prefixes });
        seen.push(...page);
        if (page.length < 3) break;
      }
      assert.equal(seen, forwards.toReversed(), prefixes.join());
    }
  });

  test('any Unicode text survives, in data and in names of streams', async ({ store }) => {
    const text = 'Grüße, 日本, 🎷, \u0000, "quoted" \\ \n\u2028 é e\u0301 \ud800';
    const stream = 'slug-event-%e6%97%a5-"é🎷\\';
    await append(store, stream, 'no_stream', [newEvent('VenueRenamed', { [text]: text })]);
    const [event] = await store.readAll({ after: LOG_START, limit: 1, prefixes: ['slug-event-%e6%97%a5-"é'] });
    assert.equal(event?.data, { [text]: text });
    assert.is(event?.stream, stream);
    assert.equal(await store.readStream(stream), [event]);
  });

  test('half a megabyte in one event survives', async ({ store }) => {
    const description = 'many words, '.repeat(43_000);
    await append(store, 'event-1', 'no_stream', [newEvent('EventDescribed', { description })]);
    assert.equal((await store.readStream('event-1'))[0]?.data, { description });
  });

  test('of 100 writers that expect the same revision at once exactly one wins', async ({ store }) => {
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () => append(store, 'event-1', 'no_stream', newEvents(1))),
    );
    assert.is(outcomes.filter((outcome) => outcome.kind === 'appended').length, 1);
    assert.is((await store.readStream('event-1')).length, 1);
  });

  test('25 writers that retry at the reported revision each get one of their own', async ({ store }) => {
    const write = async (): Promise<number> => {
      let expected: ExpectedRevision = 'no_stream';
      for (;;) {
        const outcome: AppendOutcome = await append(store, 'event-1', expected, newEvents(1));
        if (outcome.kind === 'appended') return outcome.written[0]?.revision ?? -1;
        expected = outcome.actual;
      }
    };
    const revisions = await Promise.all(Array.from({ length: 25 }, write));
    const all = Array.from({ length: 25 }, (_, index) => index);
    assert.equal(
      revisions.toSorted((left, right) => left - right),
      all,
    );
    assert.equal(revisionsOf(await store.readStream('event-1')), all);
  });

  test('a reopened log has the same events, continues after them and recognises repeated appends', async (context) => {
    const events = newEvents(2);
    const first = await append(context.store, 'event-1', 'no_stream', events);
    const log = await context.store.readAll({ after: LOG_START, limit: 10 });
    const store = await context.reopen();
    assert.equal(await store.readAll({ after: LOG_START, limit: 10 }), log);
    assert.is(await store.head(), log[1]?.position);
    assert.equal(await append(store, 'event-1', 'no_stream', events), first);
    const next = await append(store, 'event-1', 1, newEvents(1));
    assert.ok((positionsOf(next)[0] ?? '') > (log[1]?.position ?? ''));
  });

  test.run();
  byStreamContract(name, open);
  subscriptionContract(name, open);
}

async function append(
  store: EventStore,
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): Promise<AppendOutcome> {
  return store.append([{ stream, expected, events }]);
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing failed');
}

const revisionsOf = (events: readonly RecordedEvent[]) => events.map((event) => event.revision);
const streamsOf = (events: readonly RecordedEvent[]) => events.map((event) => event.stream);
const positionsOf = (outcome: AppendOutcome) =>
  outcome.kind === 'appended' ? outcome.written.map((written) => written.position) : [];
