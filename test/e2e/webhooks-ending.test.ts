// A process that is asked to end while it sends: what is being sent may end, is recorded, and does not come again.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDeployment } from '../support/deployment.ts';
import { type Serving, serving } from '../support/process.ts';
import { call } from '../support/process-users.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';
import { ACCEPT, type Received, type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const test = suite('webhooks and the end of their process');

/** As many as are sent at the same time. */
const RESOURCES = 8;
/** Of each: its creation and its publication, and a later one. */
const CHANGES = 3;
const SLOW_MS = 1_000;

/** The process ends while the first deliveries of all resources are under way. */
async function endAmidst(running: Serving, receiver: Receiver): Promise<number[]> {
  const admin = { name: 'admin', password: running.token ?? '' };
  receiver.behave(() => ({ status: 204, afterMs: SLOW_MS }));
  await call(running, admin, '/webhooks', { url: receiver.url, types: 'event' });
  const added = await Promise.all(
    Array.from({ length: RESOURCES }, () => call(running, admin, '/events', someEvent())),
  );
  await receiver.until(() => receiver.received.length === RESOURCES, 'all are under way');
  assert.is(await running.stop(), 0);
  receiver.behave(() => ACCEPT);
  return added.map(({ body }) => Number(body.id));
}

/** Deliveries of a resource come in order, so what was to come again would come before a later change of it. */
async function changeAll(next: Serving, password: string, ids: readonly number[], receiver: Receiver): Promise<void> {
  const admin = { name: 'admin', password };
  for (const id of ids) await call(next, admin, `/events/${id}`, { title: 'Later' });
  const isWhole = (): boolean => new Set(receiver.received.map(({ id }) => id)).size === CHANGES * RESOURCES;
  await receiver.until(isWhole, 'all changes');
}

const attempts = ({ received }: Receiver): number => Math.max(...received.map(({ id }) => countOf(received, id)));
const countOf = (received: readonly Received[], id: string): number => received.filter((one) => one.id === id).length;

test('what takes a second is waited for, recorded, and sent once', async () => {
  const receiver = await startReceiver();
  const { folder, remove } = temporaryFolder();
  const settings = { DAYBOOK_DATA_DIR: folder, DAYBOOK_PRIVATE_HOSTS: receiver.host };
  const first = await serving(settings);
  const ids = await endAmidst(first, receiver);
  const next = await serving(settings);
  await changeAll(next, first.token ?? '', ids, receiver);
  assert.equal([attempts(receiver), receiver.received.length], [1, CHANGES * RESOURCES]);

  // What does not answer is waited for a few seconds only, and comes again.
  receiver.behave(() => 'hang');
  const before = receiver.received.length;
  const admin = { name: 'admin', password: first.token ?? '' };
  await call(next, admin, `/events/${ids[0]}`, { title: 'Hangs' });
  await receiver.until(() => receiver.received.length === before + 1, 'a delivery that hangs');
  assert.is(await next.stop(), 0);
  receiver.behave(() => ACCEPT);
  const last = await serving(settings);
  await receiver.until(() => receiver.received.length === before + 2, 'it comes again');
  const [one, again] = receiver.received.slice(before);
  assert.is(again?.id, one?.id);
  await last.stop();
  await receiver.close();
  remove();
});

test('another process does not take over before what is under way is recorded', async () => {
  const receiver = await startReceiver();
  const deployment = await startDeployment({ DAYBOOK_PRIVATE_HOSTS: receiver.host });
  const first = await deployment.start('all');
  const other = await deployment.start('all');
  const ids = await endAmidst(first, receiver);
  await changeAll(other, first.token ?? '', ids, receiver);
  assert.equal([attempts(receiver), receiver.received.length], [1, CHANGES * RESOURCES]);
  await deployment.close();
  await receiver.close();
});

test.run();
