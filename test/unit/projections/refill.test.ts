// How soon a read model that was lost is filled again, whatever readers do meanwhile.
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/catalogue.ts';
import { reconnectDelay } from '../../../src/kernel/redis/reconnect-delay.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { LOOK_AFTER_MS, startProjector } from '../../../src/read-model/projector/projector.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { newEvent } from '../../support/events.ts';
import { NEW_YORK } from '../../support/given.ts';

const PROJECTIONS = allProjections({
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
});
const LOST = 'read model lost data; refilling';

test('the first look after the loss notices it, while readers ask without a pause', async () => {
  const store = openSqliteEventStore({ file: ':memory:' });
  const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  const born = newEvent('TagCreated', { id: 1, name: 'Jazz', slug: 'jazz', description: '', parent: 0 });
  await store.append([{ stream: 'tag-1', expected: 'no_stream', events: [born] }]);
  const steps: string[] = [];
  const readModel = {
    ...model,
    progress: () => {
      steps.push('look');
      return model.progress();
    },
  };
  const log = { warn: (_: object, text: string) => void steps.push(text), error: () => {} };
  const projector = startProjector({ store, readModel, projections: PROJECTIONS, lease: null, log });
  const isThere = async (): Promise<boolean> => (await model.fetch([{ kind: 'tag', id: 1 }]))[0] !== null;
  await projector.ready;
  assert.ok(await isThere());
  // Until it follows the log: before that nothing can be lost that it has applied.
  const position = await store.head();
  assert.ok(await projector.reached(position, 60_000));
  steps.length = 0;
  await model.clear();
  assert.not(await isThere());
  while (!(await isThere())) await turn();
  assert.equal(steps.slice(0, steps.indexOf(LOST) + 1), ['look', LOST]);
  await projector.stop();
  await model.close();
  await store.close();
});

test('a look and the longest pause before Redis is asked again take less than a second together', () => {
  const delays = Array.from({ length: 100 }, (_, attempt) => reconnectDelay(attempt));
  assert.ok(LOOK_AFTER_MS + Math.max(...delays) < 1_000);
});

test.run();
