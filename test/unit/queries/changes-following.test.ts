import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChangesPage, FollowQuestion } from '../../../src/editorial/audit/queries/changes.ts';
import type { HistoryReader } from '../../../src/editorial/history/queries/reference-names.ts';
import type { Position, RecordedEvent } from '../../../src/log/envelope.ts';
import { type EventStore, EventStoreUnavailable, type SubscribeOptions } from '../../../src/log/event-store.ts';
import { type ChangesLog, EDITOR, fillSome, openChangesLog, reader, select } from './changes-log.ts';
import { eventDrafted } from './history/given-log.ts';

const test = suite('following the feed of changes');

interface Watched {
  readonly log: ChangesLog;
  /** Subscriptions under way, and all that were ever begun. */
  readonly subscriptions: { open: number; begun: number };
  readonly asked: { head: number; readAll: number };
  /** Called between the end of a read of the log and its answer. */
  afterRead: () => Promise<void>;
  /** Breaks the subscription. */
  fail: (error: Error) => void;
}

function watchedLog(): Watched {
  const watched = { subscriptions: { open: 0, begun: 0 }, asked: { head: 0, readAll: 0 }, fail: () => {} };
  const own: { -readonly [Name in keyof Watched]: Watched[Name] } = {
    ...watched,
    afterRead: async () => {},
    log: openChangesLog((store) => ({
      ...store,
      async head() {
        own.asked.head += 1;
        return store.head();
      },
      async readAll(options) {
        own.asked.readAll += 1;
        const events = await store.readAll(options);
        await own.afterRead();
        return events;
      },
      subscribe: (options) => counted(store, options),
    })),
  };
  async function* counted(store: EventStore, options: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    const broken = new Promise<never>((_, reject) => {
      own.fail = reject;
    });
    broken.catch(() => {});
    own.subscriptions.open += 1;
    own.subscriptions.begun += 1;
    const events = store.subscribe(options)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await Promise.race([events.next(), broken]);
        if (next.done) return;
        yield next.value;
      }
    } finally {
      own.subscriptions.open -= 1;
    }
  }
  return own;
}

const question = (after: Position, who: HistoryReader = EDITOR, heartbeatMs = 60_000): FollowQuestion => ({
  after,
  selection: select(),
  limit: 100,
  heartbeatMs,
  reader: async () => who,
});

/** What a page must bring, and no error instead. */
function given(result: IteratorResult<ChangesPage, void>): ChangesPage {
  if (result.done) throw new Error('the feed has ended');
  return result.value;
}

const typesOf = ({ changes }: ChangesPage): string[] => changes.map(({ type }) => type);

test('it yields what is there at once, then what follows, and ends with its signal', async () => {
  const { log, subscriptions } = watchedLog();
  await fillSome(log);
  const ending = new AbortController();
  const pages = log.changes.follow(question(''), [ending.signal]);
  assert.is(subscriptions.begun, 0, 'nothing is held before a page is asked for');
  assert.is(given(await pages.next()).changes.length, 8);
  const next = pages.next();
  await log.add('event-2', 'EventFeatured');
  assert.equal(typesOf(given(await next)), ['EventFeatured']);
  const last = pages.next();
  ending.abort();
  assert.ok((await last).done);
  await nextTurn();
  assert.equal(subscriptions, { open: 0, begun: 1 });
  await log.store.close();
});

test('however many follow, there is one subscription, and one read for those at the same position', async () => {
  const { log, subscriptions, asked } = watchedLog();
  await fillSome(log);
  const head = await log.store.head();
  const all = Array.from({ length: 50 }, () => log.changes.follow(question(head), []));
  for (const pages of all) await pages.next();
  const next = all.map((pages) => pages.next());
  // Their first look after the subscription has begun.
  await pause(20);
  Object.assign(asked, { head: 0, readAll: 0 });
  await log.add('event-2', 'EventFeatured');
  for (const page of await Promise.all(next)) assert.equal(typesOf(given(page)), ['EventFeatured']);
  assert.equal(subscriptions, { open: 1, begun: 1 });
  assert.equal(asked, { head: 1, readAll: 1 });
  for (const pages of all) await pages.return();
  await nextTurn();
  assert.is(subscriptions.open, 0);
  await log.store.close();
});

test('nothing is missed that is written while a follower looks and before it waits', async () => {
  const watched = watchedLog();
  const { log } = watched;
  await log.add('event-1', 'EventDrafted', eventDrafted({ id: 1 }));
  const ending = new AbortController();
  const pages = log.changes.follow(question(''), [ending.signal]);
  watched.afterRead = async () => {
    watched.afterRead = async () => {};
    await log.add('event-1', 'EventFeatured');
    await pause(5);
  };
  assert.equal(typesOf(given(await pages.next())), ['EventDrafted']);
  assert.equal(typesOf(given(await pages.next())), ['EventFeatured']);
  watched.afterRead = async () => {
    watched.afterRead = async () => {};
    await log.add('event-1', 'EventMadeSticky');
    await pause(5);
  };
  const next = pages.next();
  await log.add('event-1', 'EventUnfeatured');
  assert.equal(typesOf(given(await next)), ['EventUnfeatured']);
  assert.equal(typesOf(given(await pages.next())), ['EventMadeSticky']);
  await pages.return();
  await log.store.close();
});

test('nothing is missed that is written before the subscription knows where it begins', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let heads = 0;
  const log = openChangesLog((store) => ({
    ...store,
    async head() {
      heads += 1;
      // The first to ask is the subscription.
      if (heads === 1) await held;
      return store.head();
    },
  }));
  await fillSome(log);
  const pages = log.changes.follow(question(await log.store.head()), []);
  await pages.next();
  const next = pages.next();
  await log.add('event-1', 'EventFeatured');
  release();
  assert.equal(typesOf(given(await next)), ['EventFeatured']);
  await pages.return();
  await log.store.close();
});

test('what a subscription has kept to itself is found at the next heartbeat', async () => {
  const log = openChangesLog((store) => ({
    ...store,
    subscribe: (options) => store.subscribe({ ...options, prefixes: ['x'] }),
  }));
  await fillSome(log);
  const pages = log.changes.follow(question(await log.store.head(), EDITOR, 30), []);
  for (let beats = 0; beats < 2; beats += 1) await pages.next();
  await log.add('event-1', 'EventFeatured');
  assert.equal(typesOf(given(await pages.next())), ['EventFeatured']);
  await pages.return();
  await log.store.close();
});

test('a hidden change wakes no reader', async () => {
  const { log } = watchedLog();
  await fillSome(log);
  const pages = log.changes.follow(question(await log.store.head(), reader('author', 3), 60_000), []);
  await pages.next();
  const next = pages.next();
  for (let count = 0; count < 5; count += 1) await log.add('event-2', 'EventFeatured');
  await log.add('event-1', 'EventFeatured');
  assert.is(given(await next).changes.length, 1);
  await pages.return();
  await log.store.close();
});

test('hidden changes are never shown; heartbeats contain the position of the log', async () => {
  const { log } = watchedLog();
  await fillSome(log);
  const pages = log.changes.follow(question(await log.store.head(), reader('author', 3), 40), []);
  assert.is(given(await pages.next()).changes.length, 0);
  for (let count = 0; count < 5; count += 1) await log.add('event-2', 'EventFeatured');
  const head = await log.store.head();
  for (let next: string | null = null; next !== head; ) {
    const page = given(await pages.next());
    assert.is(page.changes.length, 0);
    next = page.next;
  }
  await pages.return();
  await log.store.close();
});

test('a reader who has lost the right gets nothing more', async () => {
  const { log } = watchedLog();
  await fillSome(log);
  let isTrusted = true;
  const asked: FollowQuestion = {
    ...question(''),
    reader: async () => {
      if (!isTrusted) throw new Error('revoked');
      return EDITOR;
    },
  };
  const pages = log.changes.follow(asked, []);
  await pages.next();
  const next = pages.next().catch((error: Error) => error.message);
  isTrusted = false;
  await log.add('event-1', 'EventFeatured');
  assert.is(await next, 'revoked');
  await log.store.close();
});

test('a subscription that breaks fails all waiters, and is started again for the next', async () => {
  const watched = watchedLog();
  const { log, subscriptions } = watched;
  await fillSome(log);
  const head = await log.store.head();
  const busy = log.changes.follow(question(head), []);
  await busy.next();
  const all = [1, 2].map(() => log.changes.follow(question(head), []));
  for (const pages of all) await pages.next();
  const outcomes = all.map((pages) => pages.next().catch((error: unknown) => error));
  while (subscriptions.open === 0) await nextTurn();
  watched.fail(new EventStoreUnavailable('away'));
  for (const outcome of await Promise.all(outcomes)) assert.instance(outcome, EventStoreUnavailable);
  const again = log.changes.follow(question(head), []);
  await again.next();
  const next = again.next();
  await log.add('event-1', 'EventFeatured');
  assert.is(given(await next).changes.length, 1);
  assert.is(subscriptions.begun, 2);
  assert.is(given(await busy.next()).changes.length, 1, 'who had no time to hear of it finds it');
  await again.return();
  await busy.return();
  await log.store.close();
});

test('closing the log ends it as unavailable', async () => {
  const { log } = watchedLog();
  await fillSome(log);
  const pages = log.changes.follow(question(await log.store.head()), []);
  await pages.next();
  const next = pages.next().catch((error: unknown) => error);
  await nextTurn();
  await log.store.close();
  assert.instance(await next, EventStoreUnavailable);
});

test('a long traversal does not wait, and gives others their turns', async () => {
  const { log } = watchedLog();
  for (let count = 0; count < 450; count += 1) void log.add('event-1', 'EventDrafted', eventDrafted({ id: 1 }));
  await log.add('event-1', 'EventFeatured');
  const ending = new AbortController();
  let told = 0;
  for await (const page of log.changes.follow(question(''), [ending.signal])) {
    told += page.changes.length;
    if (!page.hasMore) ending.abort();
  }
  assert.is(told, 451);
  await log.store.close();
});

test.run();
