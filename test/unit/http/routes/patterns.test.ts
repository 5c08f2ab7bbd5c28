import { subscribe } from 'node:diagnostics_channel';
import fastify, { type FastifyInstance } from 'fastify';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startTestService } from '../../../support/service.ts';

test('no pattern of a route can take much longer for a longer path', async () => {
  const apps: FastifyInstance[] = [];
  // The message is of type `unknown`.
  subscribe('fastify.initialization', (message) => void apps.push((message as { fastify: FastifyInstance }).fastify));
  const { get, close } = await startTestService();
  await get('//desk');
  const routes = apps.map((app) => app.printRoutes({ commonPrefix: false })).join('\n');
  await close();
  assert.match(routes, 'sign-in', 'the desk has an application of its own');
  const parameters = new Set(routes.match(/:\w+\([^/\s]+/g));
  assert.ok(parameters.has(':id(^\\d+$)'), [...parameters].join());
  // By itself the router refuses patterns that can.
  const router = fastify();
  assert.throws(() => router.get('/:id(^(\\d+)+$)', () => ''), /not safe/);
  for (const [at, parameter] of [...parameters].entries())
    assert.not.throws(() => router.get(`/${at}/${parameter}`, () => ''), parameter);
});

test.run();
