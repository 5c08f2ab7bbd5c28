// Requests that arrive on connections share a look at what other processes have written; those that are injected do not.
import type { AddressInfo } from 'node:net';
import Type from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { presentLook } from '../../../src/kernel/event-loop/one-look.ts';
import { shellOf } from './shell.ts';

const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

const looks = async () => {
  const first = presentLook();
  await tick();
  return { status: 200, body: { isShared: presentLook() === first } };
};

test('only what was read from a connection shares a look', async () => {
  const { app } = shellOf([
    {
      path: '/looks',
      allow: () => ['GET'],
      endpoints: [{ methods: ['GET'], parameters: Type.Object({}), handle: looks }],
    },
  ]);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const path = '/calendar/events/v1/looks';
  const { port } = app.server.address() as AddressInfo;
  const injected = (await app.inject(path)).json();
  const arrived = (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as object;
  await app.close();
  assert.equal([injected, arrived], [{ isShared: false }, { isShared: true }]);
});

test.run();
