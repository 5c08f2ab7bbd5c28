// A deployment whose event store or Redis goes away and comes back: what goes on meanwhile, what it says of itself, and
// that it recovers without an operator.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { daybook, type Serving } from '../support/process.ts';
import { someEvent } from '../support/service.ts';

interface Context {
  deployment: Deployment;
  api: Serving;
  projector: Serving;
  token: string;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Only a deployment that never recovers takes that long. */
const PATIENCE_MS = 30_000;

const test = suite<Context>('stores that are lost');

test.before(async (context) => {
  context.deployment = await startDeployment();
  [context.projector, context.api] = await Promise.all([
    context.deployment.start('projector'),
    context.deployment.start('api'),
  ]);
  context.token = context.api.token ?? '';
  assert.is((await write(context, 'Before')).status, 201);
});
test.after(({ deployment }) => deployment.close());

const write = ({ api, token }: Context, title: string): Promise<Response> =>
  fetch(`${api.api}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(someEvent({ title })),
  });

const list = ({ api }: Context, title: string): Promise<Response> =>
  fetch(`${api.api}/events?${new URLSearchParams({ search: title, start_date: '2020-01-01' })}`);

const readiness = async ({ address }: Serving, purpose = '') => {
  const answer = await fetch(`${address}/readyz${purpose}`);
  return { status: answer.status, body: (await answer.json()) as { [part: string]: { status: string } } };
};

async function metric({ address }: Serving, name: string): Promise<string | undefined> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1];
}

/** Asks again until it is so. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - begun < PATIENCE_MS, `not so after ${PATIENCE_MS} ms`);
    await sleep(50);
  }
}

const shows = async (context: Context, title: string): Promise<boolean> => {
  const answer = await list(context, title);
  return answer.status === 200 && ((await answer.json()) as { total: number }).total === 1;
};

test('all is well', async ({ api, projector }) => {
  for (const process of [api, projector]) {
    assert.is((await fetch(`${process.address}/healthz`)).status, 200);
    await eventually(async () => (await readiness(process)).status === 200);
    assert.is(await metric(process, 'daybook_projection_lag_events'), '0');
    assert.is(await metric(process, 'daybook_event_store_up'), '1');
    assert.is(await metric(process, 'daybook_read_model_up'), '1');
  }
});

test('without the event store reads go on, and writes say when to come back', async (context) => {
  const { deployment, api, projector } = context;
  await deployment.events.stop();
  try {
    const refused = await write(context, 'Refused');
    assert.is(refused.status, 503);
    assert.is.not(refused.headers.get('retry-after'), null);
    assert.ok(await shows(context, 'Before'));
    assert.is(
      (await fetch(`${api.api}/events`, { headers: { authorization: `Bearer ${context.token}` } })).status,
      200,
    );
    for (const process of [api, projector]) {
      const { status, body } = await readiness(process);
      assert.is(status, 503);
      assert.is(body.event_store?.status, 'down');
      assert.is(body.read_model?.status, 'up');
      assert.is((await readiness(process, '?for=reads')).status, 200);
      assert.is((await readiness(process, '?for=writes')).status, 503);
      assert.is(await metric(process, 'daybook_event_store_up'), '0');
      assert.is(await metric(process, 'daybook_projection_lag_events'), undefined);
      assert.is((await fetch(`${process.address}/healthz`)).status, 200);
    }
  } finally {
    await deployment.events.start();
  }
  await eventually(async () => (await write(context, 'After the store')).status === 201);
  await eventually(() => shows(context, 'After the store'));
  await eventually(async () => (await readiness(api)).status === 200 && (await readiness(projector)).status === 200);
});

test('without Redis writes go on and say that views lag, and the views are filled when it is back, empty', async (context) => {
  const { deployment, api, projector } = context;
  await deployment.redis.stop();
  try {
    const written = await write(context, 'Meanwhile');
    assert.is(written.status, 201);
    assert.is(written.headers.get('x-daybook-views'), 'lagging');
    assert.is(((await written.json()) as { title: string }).title, 'Meanwhile');
    const refused = await list(context, 'Before');
    assert.is(refused.status, 503);
    assert.is.not(refused.headers.get('retry-after'), null);
    for (const process of [api, projector]) {
      const { status, body } = await readiness(process);
      assert.is(status, 503);
      assert.is(body.event_store?.status, 'up');
      assert.is(body.read_model?.status, 'down');
      assert.is((await readiness(process, '?for=reads')).status, 503);
      assert.is((await readiness(process, '?for=writes')).status, 200);
      assert.is(await metric(process, 'daybook_read_model_up'), '0');
    }
  } finally {
    await deployment.redis.restart();
  }
  for (const title of ['Before', 'After the store', 'Meanwhile']) await eventually(() => shows(context, title));
  await eventually(async () => (await readiness(api)).status === 200 && (await readiness(projector)).status === 200);
  assert.is((await write(context, 'Again')).headers.get('x-daybook-views'), null);
});

test('a service that starts while the event store is away waits for it, says so, and begins once it is back', async ({
  deployment,
}) => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const settings = { ...deployment.settings, PORT: String(port), DAYBOOK_LOG_LEVEL: 'warn' };
  await deployment.events.stop();
  const started = daybook(['serve'], settings);
  try {
    await eventually(async () => (await fetch(`${address}/healthz`).catch(() => null))?.status === 200);
    const ready = await fetch(`${address}/readyz`);
    assert.is(ready.status, 503);
    assert.match(
      await ready.text(),
      /"event_store":\{"status":"down","why":"The event store at .* refuses connections/,
    );
    const refused = await fetch(`${address}/calendar/events/v1/events`);
    assert.is(refused.status, 503);
    assert.is.not(refused.headers.get('retry-after'), null);
    const body = await refused.text();
    assert.is(JSON.parse(body).code, 'rest_unavailable');
    assert.not.match(body, /127\.0\.0\.1/);
    assert.match(started.errors(), /the event store is away; waiting for it/);
  } finally {
    await deployment.events.start();
  }
  await started.wrote('Documentation:');
  await eventually(async () => (await fetch(`${address}/readyz?for=reads`)).status === 200);
  started.child.kill('SIGTERM');
  assert.is(await started.ended, 0);
});

test('a service that waits for its event store ends when it is told to', async ({ deployment }) => {
  const nowhere = {
    ...deployment.settings,
    DAYBOOK_EVENT_STORE: `kurrentdb://127.0.0.1:${await freePort()}?tls=false`,
  };
  const started = daybook(['serve'], { ...nowhere, PORT: '0', DAYBOOK_LOG_LEVEL: 'warn' });
  await eventually(async () => started.errors().includes('waiting for it'));
  started.child.kill('SIGTERM');
  assert.is(await started.ended, 0);
});

test('events of another application in the same log hinder no start and no write', async (context) => {
  const { deployment } = context;
  deployment.events.log.addForeign(10_000);
  const second = await deployment.start('all');
  const readyAt = performance.now();
  await eventually(async () => (await readiness(second)).status === 200);
  assert.is((await write({ ...context, api: second }, 'Among others')).status, 201);
  deployment.events.log.addForeign(10_000);
  const sent = deployment.events.counts.events;
  assert.is((await write({ ...context, api: second }, 'And again')).status, 201);
  await eventually(() => shows(context, 'And again'));
  const sentNow = deployment.events.counts.events - sent;
  assert.ok(sentNow < 1_000, `${sentNow} events were sent within ${Math.round(performance.now() - readyAt)} ms`);
});

test.run();
