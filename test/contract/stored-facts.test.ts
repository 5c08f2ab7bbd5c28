// The facts of the log as operators read them, over both kinds of log.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type FactsPage,
  type FactsQuestion,
  openStoredFacts,
  type StoredFacts,
} from '../../src/editorial/audit/queries/stored-facts.ts';
import type { ReadAllOptions } from '../../src/log/event-store.ts';
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { NOW } from '../support/given.ts';
import { type ChangesLog, openChangesLog } from '../unit/queries/changes-log.ts';

interface Context {
  log: ChangesLog;
  facts: StoredFacts;
  /** How many events were read of the log so far. */
  read: number;
  end: () => Promise<void>;
}

const EVERYTHING: FactsQuestion = { after: '', order: 'desc', stream: '', types: [], of: [] };

const OPEN = {
  SQLite: async () => ({ store: undefined, stop: async () => {} }),
  EventStoreDB: async () => {
    const server = await startEventStoreDb();
    const store = await openEventStoreDb({ connectionString: server.connectionString, deadlineMs: 500 });
    return { store, stop: () => server.stop() };
  },
};

/** As they are named on pages. */
const places = (page: FactsPage | null): readonly string[] =>
  (page?.facts ?? []).map(({ event }) => `${event.stream}/${event.revision}`);

for (const [engine, open] of Object.entries(OPEN)) {
  const test = suite<Context>(`stored facts over ${engine}`);

  test.before.each(async (context) => {
    const { store, stop } = await open();
    const log = openChangesLog((same) => same, store);
    const counted = {
      ...log.store,
      async readAll(options: ReadAllOptions) {
        const events = await log.store.readAll(options);
        context.read += events.length;
        return events;
      },
    };
    const facts = openStoredFacts({ rawLog: counted, store: log.store });
    const end = () => log.store.close().then(stop);
    Object.assign(context, { log, facts, read: 0, end });
  });
  test.after.each(({ end }) => end());

  test('pages go through the whole log either way, and through one stream by its revisions', async ({ log, facts }) => {
    for (let n = 0; n < 70; n += 1) void log.add(`event-${n % 2}`, 'EventRenamed', { title: String(n) });
    await log.add('event-10', 'EventRenamed', { title: 'other' });
    const all = (await log.all()).map(({ stream, revision }) => `${stream}/${revision}`);
    for (const [question, expected] of [
      [{}, all.toReversed()],
      [{ order: 'asc' }, all],
      [{ stream: 'event-1', order: 'asc' }, all.filter((place) => place.startsWith('event-1/'))],
      [{ stream: 'event-1' }, all.filter((place) => place.startsWith('event-1/')).toReversed()],
      [{ stream: 'event-' }, all.toReversed()],
      [{ stream: 'venue-1' }, []],
    ] as const) {
      const found: string[] = [];
      let after: string | undefined = '';
      while (after !== undefined) {
        const page: FactsPage | null = await facts.page({ ...EVERYTHING, ...question, after });
        assert.ok(page && page.facts.length <= 30);
        found.push(...places(page));
        after = page.hasMore ? page.next : undefined;
      }
      assert.equal(found, expected, JSON.stringify(question));
    }
  });

  test('filters: type, request or cause or id, actor by number or name, instant', async ({ log, facts }) => {
    const day = (n: number) => new Date((NOW + n * 86_400) * 1000).toISOString();
    await log.add(
      'tag-1',
      'TagCreated',
      { name: 'a' },
      { instant: day(0), correlationId: 'first', causationId: 'first' },
    );
    await log.add('tag-1', 'TagRenamed', { name: 'b' }, { instant: day(1), actor: { id: 3, name: '' } });
    const system = { actor: { id: null, name: 'import' }, correlationId: 'second', causationId: 'first' };
    await log.add('tag-1', 'TagDeleted', {}, { instant: day(2), ...system });
    const [created] = await log.all();
    for (const [question, expected] of [
      [{ types: ['TagRenamed', 'TagDeleted'] }, ['tag-1/2', 'tag-1/1']],
      [{ of: ['first'] }, ['tag-1/2', 'tag-1/0']],
      [{ of: ['second'] }, ['tag-1/2']],
      [{ of: [created?.id ?? ''] }, ['tag-1/0']],
      [{ actors: ['3'] }, ['tag-1/1']],
      [{ actors: ['Import'] }, ['tag-1/2']],
      [{ from: NOW + 86_400 }, ['tag-1/2', 'tag-1/1']],
      [{ to: NOW + 86_399 }, ['tag-1/0']],
      [{ types: ['TagRenamed'], actors: ['import'] }, []],
    ] as const)
      assert.equal(places(await facts.page({ ...EVERYTHING, ...question })), expected, JSON.stringify(question));
  });

  test('what is no place of this log is refused', async ({ log, facts }) => {
    await log.add('tag-1', 'TagCreated');
    assert.is(await facts.page({ ...EVERYTHING, after: '<b>' }), null);
    assert.is(await facts.page({ ...EVERYTHING, after: '-1', stream: 'tag-1' }), null);
    assert.is(await facts.fact('tag-1', 1), null);
    assert.is(await facts.fact('venue-1', 0), null);
  });

  test('a fact has its cause before it and its effects behind it, in its request and in others', async (context) => {
    const { log, facts } = context;
    await log.add('tag-9', 'TagCreated', {}, { correlationId: 'other', causationId: 'other' });
    await log.add('event-1', 'EventPublicationScheduled', {}, { correlationId: 'plan', causationId: 'plan' });
    const cause = (await log.all()).at(-1)?.id ?? '';
    const own = { correlationId: 'run', causationId: cause };
    await log.add('event-1', 'EventPublished', {}, own);
    const published = (await log.all()).at(-1)?.id ?? '';
    await log.add('slug-event-a', 'SlugReserved', {}, own);
    await log.add('webhook-1', 'WebhookPaused', {}, { correlationId: 'late', causationId: published });
    const found = await facts.fact('event-1', 1);
    assert.equal(
      [found?.before, found?.behind].map((some) => some?.map(({ event }) => event.type)),
      [['EventPublicationScheduled'], ['SlugReserved', 'WebhookPaused']],
    );
  });

  test('a filter reads a bounded part of the log, and the next page goes on from there', async (context) => {
    const { log, facts } = context;
    const events = Array.from({ length: 6_000 }, (_, n) => ({
      ...{
        id: crypto.randomUUID(),
        type: n === 0 ? 'TagCreated' : 'TagRenamed',
        schemaVersion: 1,
        data: { name: `${n}` },
      },
      metadata: {
        actor: { id: 2, name: 'ann' },
        instant: new Date(NOW * 1000).toISOString(),
        correlationId: 'many',
        causationId: 'many',
      },
    }));
    for (let n = 0; n < events.length; n += 1_000)
      await log.store.append([
        { stream: 'tag-1', expected: n === 0 ? 'no_stream' : n - 1, events: events.slice(n, n + 1_000) },
      ]);
    const question = { ...EVERYTHING, types: ['TagCreated'] };
    context.read = 0;
    const first = await facts.page(question);
    assert.equal([places(first), first?.hasMore, context.read], [[], true, 5_000]);
    assert.equal(places(await facts.page({ ...question, after: first?.next ?? '' })), ['tag-1/0']);
    context.read = 0;
    await facts.fact('tag-1', 3_000);
    assert.ok(context.read <= 2_000, String(context.read));
  });

  test.run();
}
