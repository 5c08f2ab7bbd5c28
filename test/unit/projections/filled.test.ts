// What a projector reports when it has filled a read model.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { startProjector } from '../../../src/read-model/projector/projector.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { newEvent } from '../../support/events.ts';
import { NEW_YORK } from '../../support/given.ts';

const PROJECTIONS = allProjections({
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
});
const SILENT = { warn: () => {}, error: () => {} };

/** What a projector says when it is ready, over a log with so many events. */
async function reportsOf(events: number): Promise<string[]> {
  const store = openSqliteEventStore({ file: ':memory:' });
  const readModel = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  const born = newEvent('TagCreated', { id: 1, name: 'Jazz', slug: 'jazz', description: '', parent: 0 });
  const renamed = Array.from({ length: events - 1 }, (_, at) => newEvent('TagRenamed', { name: `Jazz ${at}` }));
  await store.append([{ stream: 'tag-1', expected: 'no_stream', events: [born, ...renamed] }]);
  const reports: string[] = [];
  const onFilled = (): void => void reports.push('filled');
  const projector = startProjector({ store, readModel, projections: PROJECTIONS, lease: null, log: SILENT, onFilled });
  await projector.ready;
  reports.push('ready');
  await projector.stop();
  await readModel.close();
  await store.close();
  return reports;
}

test('a fill is reported before the read model is ready to be read', async () => {
  assert.equal(await reportsOf(3_000), ['filled', 'ready']);
});

test('a few events to catch up with are no fill', async () => {
  assert.equal(await reportsOf(20), ['ready']);
});

test.run();
