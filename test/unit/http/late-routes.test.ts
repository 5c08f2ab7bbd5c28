// Routes that are made after the start, or by the first request for one of them.
import { setImmediate as turn } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { handOver, lateRoutes } from '../../../src/http/plugins/late-routes.ts';
import { listening } from '../../support/warm-ups.ts';

interface Late {
  readonly app: FastifyInstance;
  /** The applications that were opened. */
  readonly opened: FastifyInstance[];
  /** How often a hook of the first application ran. */
  hooks: number;
}

const test = suite<Late>('late routes');
test.before.each(async (context) => {
  Object.assign(context, { app: fastify(), opened: [], hooks: 0 });
  const { app, opened } = context;
  handOver(app);
  app.addHook('onRequest', async () => {
    context.hooks += 1;
  });
  app.get('/page', async () => 'page');
  lateRoutes(app, '/late', async () => {
    const other = fastify();
    opened.push(other);
    other.get('/late', async () => 'root');
    other.post('/late/form', async ({ body, id }) => ({ body, hasId: id !== '' }));
    await turn();
    await other.ready();
    return other;
  });
});
test.after.each(({ app }) => app.close());

test('requests that come at once are all answered, by one application', async ({ app, opened }) => {
  const answers = await Promise.all([
    app.inject('/late'),
    app.inject('/late'),
    app.inject({ method: 'POST', url: '/late/form', payload: { name: 'Ada' } }),
    app.inject('/late/nothing'),
  ]);
  assert.equal(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 200, 404],
  );
  assert.is(answers[0]?.payload, 'root');
  assert.equal(answers[2]?.json(), { body: { name: 'Ada' }, hasId: true }, 'with the body that was sent');
  assert.is(opened.length, 1);
});

test('other requests open nothing', async ({ app, opened }) => {
  await Promise.all(['/page', '/later', '/nothing'].map((url) => app.inject(url)));
  assert.is(opened.length, 0);
});

test('without any request they are made a moment after the application listens', async ({ app, opened }) => {
  await listening(app);
  while (opened.length === 0) await turn();
  assert.is((await app.inject('/late')).payload, 'root');
  assert.is(opened.length, 1);
});

test('no hook runs in both applications', async (context) => {
  await context.app.inject('/late');
  assert.is(context.hooks, 0);
  await context.app.inject('/page');
  assert.is(context.hooks, 1);
});

test('the other application is closed with the first', async ({ app, opened }) => {
  await app.inject('/late');
  await app.close();
  assert.is(opened.length, 1);
  await opened[0]?.inject('/late').then(
    () => assert.unreachable('it answers'),
    ({ code }) => assert.is(code, 'FST_ERR_REOPENED_CLOSE_SERVER'),
  );
});

test('an application that cannot be opened is an error of the first, and is tried again', async () => {
  const app = fastify();
  handOver(app);
  let tries = 0;
  lateRoutes(app, '/late', async () => {
    tries += 1;
    if (tries === 1) throw new Error('broken');
    const other = fastify();
    other.get('/late', async () => 'root');
    await other.ready();
    return other;
  });
  assert.is((await app.inject('/late')).statusCode, 500);
  assert.is((await app.inject('/late')).payload, 'root');
  await app.close();
});

test('one that cannot be opened does not keep the first from being closed', async () => {
  const app = fastify();
  handOver(app);
  let fail = (_error: Error): void => {};
  const opening = new Promise<never>((_, reject) => {
    fail = reject;
  });
  lateRoutes(app, '/late', () => opening);
  const answer = app.inject('/late');
  await turn();
  const closed = app.close();
  fail(new Error('broken'));
  await closed;
  assert.is((await answer).statusCode, 500);
});

test.run();
