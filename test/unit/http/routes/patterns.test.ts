import fastify from 'fastify';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startTestService } from '../../../support/service.ts';

test('no pattern of a route can take much longer for a longer path', async () => {
  const { service, close } = await startTestService();
  const routes = service.app.printRoutes({ commonPrefix: false });
  await close();
  const parameters = new Set(routes.match(/:\w+\([^/\s]+/g));
  assert.ok(parameters.has(':id(^\\d+$)'), [...parameters].join());
  // By itself the router refuses patterns that can.
  const router = fastify();
  assert.throws(() => router.get('/:id(^(\\d+)+$)', () => ''), /not safe/);
  for (const [at, parameter] of [...parameters].entries())
    assert.not.throws(() => router.get(`/${at}/${parameter}`, () => ''), parameter);
});

test.run();
