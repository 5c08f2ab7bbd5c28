import Fastify from 'fastify';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_TURN_MS } from '../../../src/event-loop/turns.ts';
import { turns } from '../../../src/http/plugins/turns.ts';

/** Whether what was due while the parameters of a request were read had its turn before the handler. */
async function isServedBefore(reading: number): Promise<boolean> {
  const app = Fastify();
  let isServed = false;
  app.addHook('preValidation', (_request, _reply, done) => {
    const until = performance.now() + reading;
    setImmediate(() => {
      isServed = true;
    });
    while (performance.now() < until);
    done();
  });
  await app.register(turns);
  app.get('/', async () => ({ isServed }));
  app.addHook('onResponse', (_request, _reply, done) => done());
  const answer = await app.inject('/');
  await app.close();
  return answer.json<{ isServed: boolean }>().isServed;
}

test('a request whose parameters took long to read gives others their turn before it is answered', async () => {
  assert.ok(await isServedBefore(MAX_TURN_MS + 1));
});

test.run();
