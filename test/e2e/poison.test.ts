// An event that no projection can fold, from the stop to the skip: what operators see, and what clients see.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import { projectionsGroup } from '../../src/cli/projections.ts';
import { openGenerations, openLog } from '../../src/composition.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { Position } from '../../src/event-store/envelope.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { systemNow } from '../../src/time/system.ts';
import { startDeployment } from '../support/deployment.ts';
import { endOf } from '../support/ends.ts';
import { newEvent } from '../support/events.ts';
import { within } from '../support/eventstoredb-given.ts';
import { perform } from '../support/perform.ts';
import type { Serving } from '../support/process.ts';
import { type Answer, type Body, someEvent, startTestService, temporaryFolder } from '../support/service.ts';

const test = suite('poison');

interface Ran {
  readonly code: number;
  readonly lines: readonly string[];
}

/** `daybook projections`, on handles of its own as in a process of its own. */
async function projections(config: Config, ...args: string[]): Promise<Ran> {
  const log = await openLog(config);
  const generations = await openGenerations(config);
  const live = await generations.live();
  const lines: string[] = [];
  try {
    if (!live) throw new Error('there are no views');
    const code = await perform(projectionsGroup, args, {
      store: log.store,
      readModel: live.model,
      projections: allProjections(log.rendering),
      generation: async () => live.name,
      operator: 'kim',
      now: systemNow,
      newId: randomUUID,
      pause: async () => {},
      out: (line) => void lines.push(line),
    });
    return { code, lines };
  } finally {
    await live?.close();
    await generations.close();
    await log.close();
  }
}

/** Something that no version of Daybook has ever written of an event. */
async function poison(store: EventStore, id: number): Promise<Position> {
  const outcome = await store.append([
    { stream: `event-${id}`, expected: await endOf(store, `event-${id}`), events: [newEvent('EventExploded')] },
  ]);
  return outcome.kind === 'appended' ? (outcome.written[0]?.position ?? '') : '';
}

/** A wait of this length is never awaited to its end. */
const FOREVER_MS = 600_000;
const METRIC = 'daybook_projector_stopped';

test('a service stops before it, reports it, keeps writing, and continues after a skip without a restart', async () => {
  const { folder, remove } = temporaryFolder();
  const daybook = await startTestService({
    environment: {
      DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'log.db')}`,
      DAYBOOK_READ_MODEL: `sqlite:${path.join(folder, 'views.db')}`,
    },
  });
  const operations = (target: string): Promise<{ statusCode: number; payload: string }> =>
    daybook.service.app.inject({ url: target });
  const readiness = async (): Promise<Body> => JSON.parse((await operations('/readyz')).payload);
  const metric = async (): Promise<string | undefined> =>
    new RegExp(`^${METRIC} (\\d)$`, 'm').exec((await operations('/metrics')).payload)?.[1];
  try {
    const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Before' }));
    const at = await poison(daybook.store, id);
    await within(untilTrue(async () => (await readiness()).projector.status === 'stopped'));
    const why = 'cannot apply an event of type EventExploded: the type is unknown, or its stream has no beginning';
    assert.equal((await readiness()).projector, { status: 'stopped', position: at, why });
    assert.equal(await codes(operations), [503, 200, 200]);
    assert.is(await metric(), '1');
    assert.ok(
      daybook.logged.some(({ level, position }: Body) => level === 50 && position === at),
      'loudly',
    );

    const late: Answer = await daybook.request('editor', 'POST', '/events', someEvent({ title: 'After' }));
    assert.equal([late.status, late.headers['x-daybook-views'], late.body.title], [201, 'lagging', 'After']);
    const { views } = daybook.service;
    assert.not(
      await within(views.reached(await daybook.store.head(), FOREVER_MS)),
      'a wait for what does not come ends at once',
    );
    assert.is((await daybook.get('/events')).body.total, 1);

    assert.is((await projections(daybook.config, 'status')).code, 1);
    assert.is((await projections(daybook.config, 'skip', '--position', at, '--reason', 'a slip')).code, 0);
    await within(untilTrue(async () => (await readiness()).projector.status === 'leading'));
    await within(untilTrue(async () => (await daybook.get('/events')).body.total === 2));
    assert.equal(await codes(operations), [200, 200, 200]);
    assert.is(await metric(), '0');
    assert.is((await projections(daybook.config, 'status')).code, 0);
    const next = await daybook.request('editor', 'POST', '/events', someEvent({ title: 'At last' }));
    assert.equal([next.status, next.headers['x-daybook-views']], [201, undefined]);
  } finally {
    await daybook.close();
    remove();
  }
});

const codes = (ask: (target: string) => Promise<{ statusCode: number }>): Promise<number[]> =>
  Promise.all(
    ['/readyz', '/readyz?for=reads', '/readyz?for=writes'].map(async (target) => (await ask(target)).statusCode),
  );

async function untilTrue(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const code = async ({ address }: Serving, target: string): Promise<number> =>
  (await fetch(`${address}${target}`)).status;

test('with several processes: the one that leads stops, the others say so by their views, a skip reaches it through the log', async () => {
  const deployment = await startDeployment();
  const config = readConfig(deployment.settings);
  try {
    const projector = await deployment.start('projector');
    const api = await deployment.start('api');
    const write = async (title: string): Promise<Response> =>
      fetch(`${api.api}/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(someEvent({ title })),
      });
    const total = async ({ api: address }: Serving): Promise<number> =>
      ((await (await fetch(`${address}/events?start_date=2020-01-01`)).json()) as { total: number }).total;
    const stateOf = async (): Promise<Body> =>
      ((await (await fetch(`${projector.address}/readyz`)).json()) as Body).projector;
    const { id } = (await (await write('Before')).json()) as { id: number };
    const log = await openLog(config);
    const at = await poison(log.store, id);
    await log.close();
    await within(untilTrue(async () => (await stateOf()).status === 'stopped'));
    assert.is((await stateOf()).position, at);
    assert.match(await (await fetch(`${projector.address}/metrics`)).text(), new RegExp(`^${METRIC} 1$`, 'm'));
    const late = await write('After');
    assert.equal([late.status, late.headers.get('x-daybook-views')], [201, 'lagging']);
    const newcomer = await deployment.start('api');
    await within(untilTrue(async () => (await code(newcomer, '/readyz?for=reads')) === 200));
    assert.is(await total(newcomer), 1);

    const { code: found, lines } = await projections(config, 'status');
    assert.is(found, 1);
    assert.ok(lines.some((line) => line.includes(`EventExploded (position ${at}, event-${id} revision`)));
    assert.is((await projections(config, 'skip', '--position', at, '--reason', 'a slip')).code, 0);
    await within(untilTrue(async () => (await stateOf()).status === 'leading'));
    await within(untilTrue(async () => (await total(api)) === 2 && (await total(newcomer)) === 2));
    assert.is((await write('At last')).headers.get('x-daybook-views'), null);

    // The next leader has it from the beginning.
    await projector.kill();
    const second = await deployment.start('projector');
    await within(untilTrue(async () => (await code(second, '/readyz')) === 200));
    assert.is((await write('And on')).status, 201);
    await within(untilTrue(async () => (await total(api)) === 4));
    assert.is((await projections(config, 'status')).code, 0);
  } finally {
    await deployment.close();
  }
});

test.run();
