// An event that no projection can fold, until it is skipped: what operators see, and what clients see.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import { projectionsGroup } from '../../src/cli/projections.ts';
import { openGenerations, openLog } from '../../src/composition.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { systemNow } from '../../src/kernel/time/system.ts';
import type { Position } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { startDeployment } from '../support/deployment.ts';
import { signedIn } from '../support/desk.ts';
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
      now: systemNow,
      newId: randomUUID,
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

const METRIC = 'daybook_parked_resources';

test('its resource is shown as it was, told to operators, and up to date after a skip without a restart', async () => {
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
    await within(untilTrue(async () => (await metric()) === '1'));
    const why = 'cannot apply an event of type EventExploded: the type is unknown, or its stream has no beginning';
    const first = { stream: `event-${id}`, position: at, type: 'EventExploded', why };
    assert.equal((await readiness()).parked, { resources: 1, first });
    assert.equal(await codes(operations), [200, 200, 200]);
    assert.ok(
      daybook.logged.some(({ level, position }: Body) => level === 50 && position === at),
      'loudly',
    );

    const late: Answer = await daybook.request('editor', 'POST', '/events', someEvent({ title: 'After' }));
    assert.equal([late.status, late.headers['x-daybook-views'], late.body.title], [201, undefined, 'After']);
    const { body } = await daybook.get('/events');
    assert.equal(body.events.map((event: Body) => [event.title, event.parked_at]).sort(), [
      ['After', undefined],
      ['Before', at],
    ]);
    const one = (await daybook.get(`/events/${id}`)).body;
    assert.equal([one.title, one.parked_at], ['Before', at]);

    const desk = await (await signedIn(daybook, 'editor')).get('/desk/events');
    assert.is(desk.text.split('Not up to date').length, 2, 'the desk marks one');

    const refused = await daybook.request('editor', 'PATCH', `/events/${id}`, { title: 'Changed' });
    assert.equal([refused.status, refused.body.code, refused.body.data.position], [409, 'rest_parked', at]);
    const then = (await daybook.get(`/events/${id}?as_of=2100-01-01T00:00:00Z`)).body;
    assert.ok(then.parked_at === at || then.code === 'rest_invalid_param', JSON.stringify(then));

    assert.is((await projections(daybook.config, 'status')).code, 1);
    assert.is((await projections(daybook.config, 'skip', '--position', at, '--reason', 'a slip')).code, 0);
    await within(untilTrue(async () => (await metric()) === '0'));
    assert.equal([(await readiness()).parked, await codes(operations)], [undefined, [200, 200, 200]]);
    assert.is((await projections(daybook.config, 'status')).code, 0);
    assert.is((await daybook.get(`/events/${id}`)).body.parked_at, undefined);
    const [listed] = (await daybook.get('/events')).body.events.filter((event: Body) => event.id === id);
    assert.is(listed.parked_at, undefined);
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

test('with several processes: all of them show the mark, and a skip reaches the one that leads through the log', async () => {
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
      ((await (await fetch(`${projector.address}/readyz`)).json()) as Body).parked;
    const { id } = (await (await write('Before')).json()) as { id: number };
    const log = await openLog(config);
    const at = await poison(log.store, id);
    await log.close();
    const marks = async ({ api: address }: Serving): Promise<unknown[]> => {
      const { events } = (await (await fetch(`${address}/events?start_date=2020-01-01`)).json()) as Body;
      return events.map((event: Body) => event.parked_at ?? null).sort();
    };
    await within(untilTrue(async () => (await marks(api)).includes(at)));
    assert.equal((await stateOf()).first.position, at);
    assert.match(await (await fetch(`${projector.address}/metrics`)).text(), new RegExp(`^${METRIC} 1$`, 'm'));
    const late = await write('After');
    assert.equal([late.status, late.headers.get('x-daybook-views')], [201, null]);
    const newcomer = await deployment.start('api');
    await within(untilTrue(async () => (await code(newcomer, '/readyz')) === 200));
    assert.equal(await marks(newcomer), [at, null].sort());

    const { code: found, lines } = await projections(config, 'status');
    assert.is(found, 1);
    assert.ok(lines.some((line) => line.includes(`EventExploded (position ${at}, event-${id} revision`)));
    assert.is((await projections(config, 'skip', '--position', at, '--reason', 'a slip')).code, 0);
    for (const one of [api, newcomer])
      await within(untilTrue(async () => JSON.stringify(await marks(one)) === '[null,null]'));
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
