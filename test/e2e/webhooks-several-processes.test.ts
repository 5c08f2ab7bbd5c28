// Two processes over EventStoreDB and Redis, one of which sends what webhooks subscribe to: it is killed while a delivery hangs,
// and the other one goes on where the log says that it was.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDeployment } from '../support/deployment.ts';
import { call } from '../support/process-users.ts';
import { someEvent } from '../support/service.ts';
import { ACCEPT, type Received, startReceiver } from '../support/webhook-receiver.ts';

const test = suite('webhooks and several processes');

const WRITES = 4;

test('one process sends; when it is killed another one does, in order, and only what hung comes again', async () => {
  const receiver = await startReceiver();
  const deployment = await startDeployment({ DAYBOOK_PRIVATE_HOSTS: receiver.host });
  // It holds the lease before the other one is there.
  const first = await deployment.start('all');
  const admin = { name: 'admin', password: first.token ?? '' };
  await call(first, admin, '/webhooks', { url: receiver.url, types: 'event' });
  const { body: event } = await call(first, admin, '/events', someEvent());
  await receiver.until(() => receiver.received.length === 2, 'the first deliveries');
  const second = await deployment.start('all');
  const rename = (title: string) => call(second, admin, `/events/${event.id}`, { title });
  for (let count = 0; count < WRITES; count += 1) await rename(`Both run ${count}`);
  await receiver.until(() => receiver.received.length >= WRITES + 2, 'what is sent while both run');
  const isRecorded = async (): Promise<boolean> => {
    const { body } = await call(second, admin, '/webhooks/1/deliveries');
    // As the API documents it.
    return (body.deliveries as readonly object[]).length === WRITES + 2;
  };
  while (!(await isRecorded())) await sleep(50);
  assert.is(receiver.received.length, WRITES + 2, 'each of them once');

  let hung: string | null = null;
  receiver.behave(({ id }) => {
    hung ??= id;
    return id === hung ? 'hang' : ACCEPT;
  });
  await rename('Hangs');
  await receiver.until(() => hung !== null, 'a delivery that hangs');
  await first.kill();
  receiver.behave(() => ACCEPT);
  for (let count = 0; count < WRITES; count += 1) await rename(`After the kill ${count}`);
  const changes = 2 + WRITES + 1 + WRITES;
  await receiver.until(() => receiver.accepted().length === changes, `${changes} changes`);
  const revisionOf = ({ body }: Received): number => body.data.change.revision;
  const expected = Array.from({ length: changes }, (_, revision) => revision);
  assert.equal(receiver.accepted().map(revisionOf), expected, 'all of them, in order');
  // What the first one had sent was recorded: only the delivery that hung came twice.
  const doubles = receiver.received.filter(({ id }, at) => receiver.received.findIndex((one) => one.id === id) < at);
  assert.equal(
    doubles.map(({ id }) => id),
    [hung],
  );
  await deployment.close();
  await receiver.close();
});

test.run();
