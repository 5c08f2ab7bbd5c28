// Webhooks: what receivers get, in which order, and what becomes of deliveries that fail.

import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signedIn } from '../support/desk.ts';
import { type Body, someEvent, startTestService } from '../support/service.ts';
import { ACCEPT, startReceiver } from '../support/webhook-receiver.ts';

const test = suite('webhooks');
const receiver = await startReceiver();
const started = Math.floor(Date.now() / 1000);
const daybook = await startTestService({
  environment: { DAYBOOK_PRIVATE_HOSTS: receiver.host, DAYBOOK_LANGUAGE: 'en' },
  usersSince: started,
});
daybook.clock.at = started;

async function webhook(members: object = {}): Promise<Body> {
  const { body, status, text } = await daybook.request('administrator', 'POST', '/webhooks', {
    url: receiver.url,
    ...members,
  });
  assert.is(status, 201, text);
  return body;
}

const remove = ({ id }: Body) => daybook.request('administrator', 'DELETE', `/webhooks/${id}`);
const read = async ({ id }: Body, path = '') => (await daybook.get(`/webhooks/${id}${path}`, 'administrator')).body;
const event = (members: object = {}) => daybook.created('editor', 'events', someEvent(members));
const rename = (id: number, title: string) => daybook.request('editor', 'PATCH', `/events/${id}`, { title });

/** Lets time pass until everything has arrived. */
async function untilQuiet(hook: Body): Promise<Body> {
  for (let look = 0; look < 300; look += 1) {
    const page = await read(hook, '/deliveries');
    // What is listed is read before what waits.
    if (page.waiting.length === 0 && page.deliveries.length > 0) return read(hook, '/deliveries');
    daybook.clock.at += 1;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('deliveries still wait');
}

test.before.each(() => {
  receiver.received.length = 0;
  receiver.behave(() => ACCEPT);
});
test.after(async () => {
  await daybook.close();
  await receiver.close();
});

test('changes after the creation arrive, signed, with the resource as it is', async () => {
  const { id } = await event({ title: 'Before' });
  const hook = await webhook({ types: 'event' });
  await rename(id, 'After');
  await receiver.until(() => receiver.received.length > 0, 'a delivery');
  const [first] = receiver.received;
  if (!first) throw new Error('nothing arrived');
  const verified = new Webhook(hook.secret).verify(first.text, first.headers as Record<string, string>);
  assert.equal(verified, first.body);
  const { type, data } = first.body;
  assert.equal([type, data.change.kind, data.change.id, data.resource.title], ['EventRetitled', 'event', id, 'After']);
  const { body: feed } = await daybook.get('/changes?order=desc&per_page=1&types=event', 'administrator');
  assert.is(data.change.position, feed.changes[0].position);
  assert.is(data.change.summary, feed.changes[0].summary);
  const [recorded] = await daybook.store.readStream(`event-${id}`, { direction: 'backwards', limit: 1 });
  assert.is(first.id, recorded?.id);
  await remove(hook);
});

test('without a public address links say localhost, and everything says so', async () => {
  const hook = await webhook({ types: 'event' });
  assert.equal(hook.warnings, ['links_to_localhost']);
  const { id } = await event();
  await receiver.until(() => receiver.received.length > 0, 'a delivery');
  const { url } = receiver.received[0]?.body.data.change ?? {};
  assert.match(url, new RegExp(`^http://localhost:.*/events/${id}$`));
  const look = async (): Promise<Body> => (await daybook.get('//readyz', 'anonymous')).body;
  while ((await look()).webhook_links === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  const ready = await look();
  assert.equal([ready.status, ready.webhook_links.status], ['ready', 'localhost']);
  assert.match(ready.webhook_links.why, /DAYBOOK_SITE_URL is not set.*http:\/\/localhost:/);
  const said = daybook.logged.filter(({ msg }) => msg === ready.webhook_links.why);
  assert.is(said.length, 1, 'once');
  const desk = await signedIn(daybook, 'administrator');
  for (const path of ['/desk/webhooks', `/desk/webhooks/${hook.id}`])
    assert.match((await desk.get(path)).text, 'begin with http://localhost, because DAYBOOK_SITE_URL is not set');
  await remove(hook);
});

test('with a public address there is nothing to warn of', async () => {
  const named = await startTestService({ environment: { DAYBOOK_SITE_URL: 'https://cal.example' } });
  const hook = await named.created('administrator', 'webhooks', { url: 'https://hooks.example/in' });
  assert.equal(hook.warnings, []);
  const desk = await signedIn(named, 'administrator');
  assert.not.match((await desk.get('/desk/webhooks')).text, 'begin with http://localhost');
  await named.close();
});

test('only selected changes are sent, and after a rotation both secrets sign', async () => {
  const hook = await webhook({ types: 'venue,EventTrashed' });
  const { body: rotated } = await daybook.request('administrator', 'POST', `/webhooks/${hook.id}/rotate`, {});
  const { id } = await event();
  await daybook.created('editor', 'venues', { venue: 'Hall' });
  await daybook.request('editor', 'DELETE', `/events/${id}`);
  const kinds = (): string[] => [...new Set(receiver.received.map(({ body }) => body.data.change.kind))];
  await receiver.until(() => kinds().length === 2, 'deliveries of both kinds');
  const trashed = receiver.received.filter(({ body }) => body.data.change.kind === 'event');
  assert.equal(
    trashed.map(({ body }) => [body.type, body.data.resource]),
    [['EventTrashed', null]],
  );
  for (const { text, headers } of receiver.received)
    for (const { secret } of [hook, rotated]) new Webhook(secret).verify(text, headers as Record<string, string>);
  await remove(hook);
});

test('filters by user, role, field and reason select what is sent', async () => {
  const { id } = await event({ title: 'Filtered' });
  const administrator = String(daybook.userId('administrator'));
  const filters: { readonly [name: string]: object } = {
    actor: { actor: administrator },
    role: { role: 'administrator' },
    field: { field: 'title' },
    reason: { reason: 'storm' },
    both: { field: 'title', actor: administrator },
  };
  const hooks = new Map<string, Body>();
  for (const [name, members] of Object.entries(filters))
    hooks.set(name, await webhook({ url: `${receiver.url}?${name}`, types: 'event', ...members }));
  const change = async (as: 'administrator' | 'editor', members: object): Promise<number> => {
    assert.is((await daybook.request(as, 'PATCH', `/events/${id}`, members)).status, 200);
    return (await daybook.store.readStream(`event-${id}`)).length - 1;
  };
  const byAdministrator = await change('administrator', { cost: '5' });
  const ofTitle = await change('editor', { title: 'Filtered again' });
  const withReason = await change('editor', { cost: '6', _reason: 'A storm is coming' });
  await change('editor', { cost: '7' });
  // Of one resource all comes in order: once this has arrived everywhere, nothing else is to come.
  const last = await change('administrator', { title: 'Filtered at last', _reason: 'The storm is over' });
  const arrived = (name: string): number[] =>
    receiver.received.flatMap(({ path, body }) => (path.endsWith(`?${name}`) ? [body.data.change.revision] : []));
  await receiver.until(() => [...hooks.keys()].every((name) => arrived(name).includes(last)), 'the last change');
  assert.equal(Object.fromEntries([...hooks.keys()].map((name) => [name, arrived(name)])), {
    actor: [byAdministrator, last],
    role: [byAdministrator, last],
    field: [ofTitle, last],
    reason: [withReason, last],
    both: [last],
  });
  for (const hook of hooks.values()) await remove(hook);
});

test('a resource that fails holds back itself alone, and arrives in its order', async () => {
  const hook = await webhook({ types: 'event' });
  const [bad, good] = [await event({ title: 'Bad' }), await event({ title: 'Good' })];
  let failures = 0;
  const ANSWERS = [
    'drop',
    { status: 500 },
    { status: 301, headers: { location: receiver.url } },
    { status: 429, headers: { 'retry-after': '2' } },
    { status: 404 },
  ] as const;
  receiver.behave(({ body }) => (body.data.change.id === bad.id ? (ANSWERS[failures++] ?? ACCEPT) : ACCEPT));
  for (const title of ['one', 'two', 'three']) for (const { id } of [bad, good]) await rename(id, title);
  await receiver.until(
    () => receiver.accepted().filter(({ body }) => body.data.change.id === good.id).length >= 3,
    'the good one',
  );
  const page = await untilQuiet(hook);
  const arrived = receiver.accepted();
  for (const { id } of [bad, good]) {
    const revisions = arrived
      .filter(({ body }) => body.data.change.id === id)
      .map(({ body }) => body.data.change.revision);
    assert.equal(
      revisions,
      [...revisions].sort((one, other) => one - other),
    );
    assert.is(revisions.length, (await daybook.store.readStream(`event-${id}`)).length);
  }
  assert.ok(failures > ANSWERS.length);
  const failed = page.deliveries
    .filter(({ outcome }: Body) => outcome === 'failed')
    .map(({ failure, status }: Body) => [failure, status]);
  assert.equal(failed.reverse(), [
    ['connection', null],
    ['status', 500],
    ['redirect', 301],
    ['status', 429],
    ['status', 404],
  ]);
  await remove(hook);
});

test('while a receiver asks for a pause it gets nothing', async () => {
  const hook = await webhook({ types: 'event' });
  receiver.behave(() => ({ status: 503, headers: { 'retry-after': '60' } }));
  const { id } = await event();
  await receiver.until(() => receiver.received.length > 0, 'a first delivery');
  receiver.behave(() => ACCEPT);
  await daybook.request('administrator', 'GET', '/webhooks');
  await rename(id, 'Later');
  await event();
  daybook.clock.at += 58;
  const { quiet_until: quiet } = await untilRecorded(hook);
  assert.ok(Date.parse(quiet) / 1000 > daybook.clock.at);
  assert.is(receiver.accepted().length, 0);
  daybook.clock.at += 3;
  await untilQuiet(hook);
  assert.ok(receiver.accepted().length >= 3);
  await remove(hook);
});

async function untilRecorded(hook: Body): Promise<Body> {
  for (let look = 0; look < 100; look += 1) {
    const page = await read(hook, '/deliveries');
    if (page.quiet_until !== null) return page;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('nothing was recorded');
}

test('what fails for 72 hours is parked, said, and sent again on demand', async () => {
  const hook = await webhook({ types: 'event' });
  receiver.behave(() => ({ status: 500 }));
  const { id } = await event();
  const facts = (await daybook.store.readStream(`event-${id}`)).length;
  for (let look = 0; look < 400 && (await read(hook)).parked < facts; look += 1) {
    daybook.clock.at += 3_600;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { parked, waiting } = await read(hook, '/deliveries');
  assert.is(parked[0]?.id, id);
  assert.ok(parked[0].attempt >= 4, `${parked[0].attempt} attempts`);
  assert.equal(waiting, []);
  const { body: ready, status } = await daybook.get('//readyz', 'anonymous');
  assert.equal([status, ready.webhooks.behind[0].parked], [200, parked.length]);
  assert.match((await daybook.get('//metrics', 'anonymous')).text, /^daybook_webhook_deliveries_parked [1-9]/m);
  assert.ok(daybook.logged.some(({ msg }) => msg === 'delivery given up and parked'));
  const desk = await signedIn(daybook, 'administrator');
  assert.match((await desk.get('/desk/webhooks')).text, `>Parked: ${parked.length}<`);
  const page = await desk.get(`/desk/webhooks/${hook.id}`);
  assert.match(page.text, 'Given up after failing for 72 hours');
  receiver.behave(() => ACCEPT);
  const [{ event: one }] = parked;
  const again = await daybook.request('administrator', 'POST', `/webhooks/${hook.id}/deliveries/${one}/send-again`, {});
  assert.is(again.status, 200);
  await receiver.until(() => receiver.accepted().some((delivery) => delivery.id === one), 'the delivery sent again');
  await untilQuiet(hook);
  await remove(hook);
});

test('410 pauses; what happens meanwhile arrives once it is resumed', async () => {
  const hook = await webhook({ types: 'event' });
  receiver.behave(() => ({ status: 410 }));
  const { id } = await event();
  while ((await read(hook)).paused === null) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.is((await read(hook)).paused, 'gone');
  receiver.behave(() => ACCEPT);
  await rename(id, 'Meanwhile');
  await daybook.request('administrator', 'POST', `/webhooks/${hook.id}/resume`, {});
  await untilQuiet(hook);
  assert.equal(
    receiver.accepted().map(({ body }) => body.data.change.revision),
    [0, 1, 2],
  );
  await remove(hook);
});

test('a delivery says what its user may read when it is sent, and a removed user stops it', async () => {
  const user = (await daybook.request('administrator', 'POST', '/users', { login: 'reader', role: 'editor' })).body;
  const hook = await webhook({ user: user.id, types: 'event' });
  receiver.behave(() => ({ status: 500 }));
  const { id } = await event({ status: 'private', title: 'Hidden' });
  await receiver.until(() => receiver.received.length > 0, 'a first delivery');
  assert.is(receiver.received[0]?.body.data.resource.title, 'Hidden');
  const demoted = await daybook.request('administrator', 'PATCH', `/users/${user.id}`, { role: 'subscriber' });
  assert.is(demoted.status, 200, demoted.text);
  receiver.received.length = 0;
  receiver.behave(() => ACCEPT);
  const { deliveries } = await untilQuiet(hook);
  const dropped = deliveries.filter(({ outcome }: Body) => outcome === 'dropped');
  assert.equal([dropped[0]?.id, receiver.received], [id, []]);
  await daybook.request('administrator', 'DELETE', `/users/${user.id}`);
  while ((await read(hook)).paused === null) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.is((await read(hook)).paused, 'no_user');
  await remove(hook);
});

test('the removal of a webhook destroys the key of its address and secrets', async () => {
  const hook = await webhook();
  const subject = `webhook-${hook.id}`;
  const state = async () => (await daybook.stores.keys.look(new Set(), new Set([subject])))(subject);
  assert.is.not(await state(), 'destroyed');
  await remove(hook);
  assert.is(await state(), 'destroyed');
});

test('nothing that was sent, no address and no secret is in the log', async () => {
  const stored = await daybook.stores.rawLog.readAll({
    after: '',
    limit: 10_000,
    prefixes: ['webhook-', 'deliveries-'],
  });
  const text = JSON.stringify(stored);
  assert.ok(stored.length > 20);
  for (const word of ['whsec_', receiver.host, 'Hidden', 'Meanwhile']) assert.not.ok(text.includes(word), word);
});

test.run();
