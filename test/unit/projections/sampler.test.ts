// What the sampler finds in a read model that was changed behind its back.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import type { AnyProjection } from '../../../projections/projection.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import type { Document, DocumentKey } from '../../../src/read-model/documents.ts';
import type { IndexedModel } from '../../../src/read-model/indexed-model.ts';
import { rowOf } from '../../../src/read-model/list-index/rows.ts';
import { flagBit, withStatus } from '../../../src/read-model/list-index/traits.ts';
import { catchUp } from '../../../src/read-model/projector/catch-up.ts';
import { differencesIn, type Sampler, startSampler } from '../../../src/read-model/projector/sampler.ts';
import type { ReadModel } from '../../../src/read-model/read-model.ts';
import { openSqliteGenerations } from '../../../src/read-model/sqlite/generations.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { writeHistory } from '../../perf/long-history.ts';
import { eventQuery } from '../../support/documents.ts';
import { temporaryDirectory } from '../../support/events.ts';
import { waitFor, within } from '../../support/eventstoredb-given.ts';
import { NEW_YORK } from '../../support/given.ts';
import { viewsDump } from '../../support/views-dump.ts';

interface Context {
  directory: string;
  remove(): Promise<void>;
  store: EventStore;
  model: IndexedModel;
  file: string;
  samplers: Sampler[];
}

const PROJECTIONS: readonly AnyProjection[] = allProjections({
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
});
const SILENT = { warn: () => {}, error: (_details: object) => {} };

const test = suite<Context>('sampling the read model');
test.before.each(async (context) => {
  Object.assign(context, await temporaryDirectory());
  context.store = openSqliteEventStore({ file: ':memory:' });
  context.file = join(context.directory, 'views.db');
  context.model = openSqliteReadModel({ file: context.file, fingerprint: 'test' });
  context.samplers = [];
  await writeHistory(context.store, 300);
  await catchUp(context.store, context.model, PROJECTIONS);
});
test.after.each(async ({ samplers, model, store, remove }) => {
  await Promise.all(samplers.map((sampler) => sampler.stop()));
  await model.close();
  await store.close();
  await remove();
});

const generationsOf = ({ file }: Context) => openSqliteGenerations({ file, fingerprint: 'test' });

function start(context: Context, log = SILENT, isIdle = () => false): Sampler {
  const { store, model: readModel } = context;
  const sampler = startSampler({
    ...{ store, readModel, log, isIdle, projections: PROJECTIONS, pauseMs: 0, restMs: 0, indexAt: readModel.indexAt },
    openGenerations: async () => generationsOf(context),
  });
  context.samplers.push(sampler);
  return sampler;
}

async function document(model: ReadModel, key: DocumentKey): Promise<Document> {
  const [found] = await model.fetch([key]);
  if (!found) throw new Error(`there is no ${key.kind} ${key.id}`);
  return found;
}

function edit({ file }: Context, sql: string): void {
  const db = new Database(file);
  assert.is(db.prepare(sql).run().changes, 1, sql);
  db.close();
}

const FIRST = 'row = (SELECT min(row) FROM document)';
const NAME = "SELECT kind, name, id FROM name WHERE kind = 0 AND name NOT LIKE '%:%' LIMIT 1";
const flips = [
  ['document', `UPDATE document SET shown = replace(shown, '"id":', '"if":') WHERE ${FIRST}`],
  ['document', `UPDATE document SET state = replace(state, '"id":', '"if":') WHERE ${FIRST}`],
  ['row', `UPDATE list_row SET packed = cast(replace(hex(packed), '1', '2') AS BLOB) WHERE ${FIRST}`],
  ['row', `DELETE FROM list_row WHERE ${FIRST}`],
  ['name', `UPDATE name SET name = name || 'x' WHERE (kind, name, id) = (${NAME})`],
] as const;

for (const [part, sql] of flips)
  test(`it finds and mends a ${part} that was changed: ${sql.slice(0, 40)}`, async (context) => {
    const before = viewsDump(context.file);
    edit(context, sql);
    const told: object[] = [];
    const sampler = start(context, { ...SILENT, error: (details: object) => void told.push(details) });
    await within(waitFor(() => sampler.sample().different >= 1));
    const { different, last } = sampler.sample();
    assert.is(last?.part, part);
    const compared = sampler.sample().compared;
    await within(waitFor(() => sampler.sample().compared > compared + 300));
    assert.equal([sampler.sample().different, told.length], [different, 1], 'it is mended');
    await sampler.stop();
    const after = viewsDump(context.file);
    for (const query of ['SELECT * FROM document ORDER BY row', 'SELECT row, hex(packed) FROM list_row ORDER BY row'])
      assert.equal(after[query], before[query], query);
  });

test('an event that the list index does not have as its row says is found, and entered again', async (context) => {
  const { store, model } = context;
  const { items } = await model.listEvents(eventQuery());
  const [first] = items;
  assert.ok(first);
  const index = await context.model.index();
  const live = await generationsOf(context).live();
  assert.ok(live);
  const sources = { live, store, projections: PROJECTIONS, indexAt: context.model.indexAt };
  const key = { kind: 'event', id: first.id } as const;
  assert.equal(await differencesIn(sources, [key]), []);
  const row = rowOf(await document(model, key));
  assert.ok(row?.kind === 'event');
  const wrongs = [
    ...[{ startsAt: 1 }, { endsAt: 1 }, { date: 1 }, { author: 99 }, { parent: 99 }],
    ...[
      { traits: row.traits ^ flagBit('featured') },
      { traits: withStatus(row.traits, 'draft') },
      { words: 'other', textDigest: 1 },
      { categories: [99] },
      { venues: [{ id: 99, life: 0 }] },
      { revision: 99 },
    ],
  ] as const;
  for (const wrong of wrongs) {
    index.apply([{ key, row: { ...row, ...wrong } }]);
    assert.equal(await differencesIn(sources, [key]), [{ key, part: 'index' }], JSON.stringify(wrong));
  }
  index.apply([{ key, row: null }]);
  const sampler = start(context);
  await within(waitFor(() => sampler.sample().different >= 1));
  await sampler.stop();
  assert.equal(await differencesIn(sources, [key]), []);
  await live.close();
});

test('terms, venues and organizers are compared with the list index as well', async (context) => {
  const { store, model } = context;
  const index = await context.model.index();
  const live = await generationsOf(context).live();
  assert.ok(live);
  for await (const keys of live.keys())
    for (const key of keys.filter(({ kind }) => ['venue', 'organizer', 'category', 'tag'].includes(kind)).slice(0, 1)) {
      const sources = { live, store, projections: PROJECTIONS, indexAt: context.model.indexAt };
      assert.equal(await differencesIn(sources, [key]), []);
      index.apply([{ key, row: null }]);
      assert.equal(await differencesIn(sources, [key]), [{ key, part: 'index' }]);
      index.apply([{ key, row: rowOf(await document(model, key)) }]);
    }
  await live.close();
});

test('a document that is sound and not what the log says is found when it is compared with the log', async (context) => {
  const { store, model } = context;
  const live = await generationsOf(context).live();
  assert.ok(live);
  const [key] = (await live.keys()[Symbol.asyncIterator]().next()).value;
  const [document] = await model.fetch([key]);
  const after = await model.checkpoint();
  const { mark } = await model.progress();
  assert.ok(document?.kind === 'event');
  await model.apply({ after, upTo: after, mark, changes: [{ key, document: { ...document, slug: 'never-said' } }] });
  const sources = { live, store, projections: PROJECTIONS };
  assert.equal(await differencesIn(sources, [key]), []);
  assert.equal(await differencesIn(sources, [key], key), [{ key, part: 'log' }]);
  const sampler = start(context);
  await within(waitFor(() => sampler.sample().different >= 1));
  await sampler.stop();
  assert.equal(await differencesIn(sources, [key], key), []);
  await live.close();
});

test('a process that does not lead compares nothing', async (context) => {
  let asked = 0;
  const sampler = start(context, SILENT, () => {
    asked += 1;
    return true;
  });
  await within(waitFor(() => asked > 3));
  assert.equal(sampler.sample(), { compared: 0, different: 0, last: null });
});

test.run();
