// Webhooks while a read model is behind or away, after a long pause, and after an erasure.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { VIEW_DEADLINE_MS } from '../../src/http/routes/writing.ts';
import { erase } from '../../src/people/personal-data/commands/erase.ts';
import { outages } from '../support/outages.ts';
import { type Body, NOON, someEvent, startTestService } from '../support/service.ts';
import { ACCEPT, startReceiver } from '../support/webhook-receiver.ts';

const test = suite('webhooks on bad days');
const receiver = await startReceiver();
const { wrap, down } = outages();
const daybook = await startTestService({ environment: { DAYBOOK_PRIVATE_HOSTS: receiver.host }, wrap });
const HOURS = 3_600;

const webhook = async (types: string): Promise<Body> =>
  (await daybook.request('administrator', 'POST', '/webhooks', { url: receiver.url, types })).body;
const step = (path: string) => daybook.request('administrator', 'POST', `/webhooks/${path}`, {});
const deliveries = async ({ id }: Body): Promise<Body> =>
  (await daybook.get(`/webhooks/${id}/deliveries`, 'administrator')).body;

/** Asks again until it is so. */
async function eventually(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (let look = 0; look < 300; look += 1) {
    if (await isSo()) return;
    await sleep(30);
  }
  throw new Error(`${what} did not happen`);
}

test.before.each(() => {
  receiver.received.length = 0;
  receiver.behave(() => ACCEPT);
});
test.after(async () => {
  await daybook.close();
  await receiver.close();
});

for (const outage of ['filling', 'views'] as const)
  test(`nothing is said about a resource that the read model does not show yet: ${outage}`, async () => {
    const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Before' }));
    const hook = await webhook('event');
    down[outage] = true;
    await daybook.request('editor', 'PATCH', `/events/${id}`, { title: 'After' });
    await sleep(VIEW_DEADLINE_MS + 300);
    assert.equal(receiver.received, []);
    down[outage] = false;
    await receiver.until(() => receiver.received.length > 0, 'the delivery');
    assert.equal(
      receiver.received.map(({ body }) => body.data.resource?.title),
      ['After'],
    );
    const failures = (await deliveries(hook)).deliveries.filter(({ outcome }: Body) => outcome === 'failed');
    assert.equal(failures, [], 'the receiver has not failed');
    await daybook.request('administrator', 'DELETE', `/webhooks/${hook.id}`);
  });

test('a pause is not a failure: what waits is tried at once when resumed, and not parked by one more failure', async () => {
  const hook = await webhook('event');
  receiver.behave(() => ({ status: 500 }));
  await daybook.created('editor', 'events', someEvent());
  await eventually(async () => (await deliveries(hook)).waiting[0]?.attempt >= 1, 'a failure');
  await step(`${hook.id}/pause`);
  daybook.clock.at += 100 * HOURS;
  const before = receiver.received.length;
  await step(`${hook.id}/resume`);
  await receiver.until(() => receiver.received.length > before, 'another attempt');
  await eventually(async () => (await deliveries(hook)).waiting[0]?.attempt >= 2, 'the second failure');
  assert.equal((await deliveries(hook)).parked, []);
  // The next attempt is seconds away, but another address is tried at once.
  receiver.behave(() => ACCEPT);
  daybook.clock.at += 1;
  await daybook.request('administrator', 'PATCH', `/webhooks/${hook.id}`, { url: `${receiver.url}/new` });
  await eventually(async () => (await deliveries(hook)).waiting.length === 0, 'the delivery');
  await daybook.request('administrator', 'DELETE', `/webhooks/${hook.id}`);
  daybook.clock.at = NOON;
});

test('what one address has asked for is not kept at another one', async () => {
  const hook = await webhook('event');
  receiver.behave(() => ({ status: 429, headers: { 'retry-after': '80000' } }));
  await daybook.created('editor', 'events', someEvent());
  await eventually(async () => (await deliveries(hook)).quiet_until !== null, 'the request for a pause');
  receiver.behave(() => ACCEPT);
  daybook.clock.at += 1;
  await daybook.request('administrator', 'PATCH', `/webhooks/${hook.id}`, { url: `${receiver.url}/new` });
  await eventually(async () => (await deliveries(hook)).waiting.length === 0, 'the deliveries');
  assert.is((await deliveries(hook)).quiet_until, null);
  await daybook.request('administrator', 'DELETE', `/webhooks/${hook.id}`);
  daybook.clock.at = NOON;
});

test('after an erasure nothing of it is sent, neither what waited nor what is sent again', async () => {
  const { id } = await daybook.created('editor', 'organizers', { organizer: 'Grace Example', status: 'publish' });
  const hook = await webhook('organizer');
  const phone = { phone: '+44 113 496 0000' };
  await daybook.request('editor', 'PATCH', `/organizers/${id}`, phone);
  await receiver.until(() => receiver.received.length > 0, 'the delivery');
  assert.match(receiver.received[0]?.text ?? '', 'Grace Example');
  const sent = String(receiver.received[0]?.id);
  receiver.behave(() => ({ status: 500 }));
  await daybook.request('editor', 'PATCH', `/organizers/${id}`, { email: 'grace@example.com' });
  await receiver.until(() => receiver.received.length > 1, 'the failing delivery');
  const metadata = {
    actor: { id: null, name: 'test' },
    instant: new Date(NOON * 1000).toISOString(),
    correlationId: 'erasure',
    causationId: 'erasure',
  };
  const { store, keys } = daybook.stores;
  const erased = await erase({ store, keys, newEventId: randomUUID }, metadata, 'organizer', id);
  assert.is(erased.kind, 'erased');
  receiver.received.length = 0;
  receiver.behave(() => ACCEPT);
  await step(`${hook.id}/deliveries/${sent}/send-again`);
  daybook.clock.at += 10;
  await receiver.until(() => receiver.received.some((one) => one.id === sent), 'what is sent again');
  await eventually(async () => (await deliveries(hook)).waiting.length === 0, 'all deliveries');
  for (const { text } of receiver.received) assert.not.match(text, /Grace|496 0000|grace@/);
  const kept = await daybook.stores.rawLog.readAll({ after: '', limit: 1_000, prefixes: ['deliveries-'] });
  assert.not.match(JSON.stringify(kept), /Grace|496 0000|grace@/);
});

test.run();
