// Several processes on one event store and one Redis: what one has acknowledged, all show; one projector leads.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { runHere } from '../support/here.ts';
import type { Serving } from '../support/process.ts';
import { someEvent } from '../support/service.ts';

interface Context {
  deployment: Deployment;
  apis: [Serving, Serving];
  token: string;
}

/** How soon another projector has to lead after a crash of the one that did. */
const TAKEOVER_MS = 10_000;

const test = suite<Context>('several processes');

test.before(async (context) => {
  context.deployment = await startDeployment();
  const { start } = context.deployment;
  // Both come upon an empty log at the same time.
  const [projector, first, second] = await Promise.all([start('projector'), start('api'), start('api')]);
  assert.is(projector.token, null);
  context.apis = [first, second];
  const tokens = [first.token, second.token].filter((token) => token !== null);
  assert.is(tokens.length, 1, 'one of them has added the first administrator');
  context.token = tokens[0] ?? '';
});
test.after(({ deployment }) => deployment.close());

const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

async function write({ api }: Serving, token: string, title: string): Promise<Response> {
  return fetch(`${api}/events`, {
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify(someEvent({ title, venue: { venue: `Hall of ${title}` } })),
  });
}

/** Whether the public finds an event by its title. */
async function shows({ api }: Serving, title: string): Promise<boolean> {
  const answer = await fetch(`${api}/events?${new URLSearchParams({ search: title, start_date: '2020-01-01' })}`);
  const { events } = (await answer.json()) as { events: { title: string }[] };
  return events.some((event) => event.title === title);
}

/** What `/readyz` says of the projector of a process. */
async function stateOf({ address }: Serving): Promise<string> {
  const answer = await fetch(`${address}/readyz`);
  return ((await answer.json()) as { projector: { status: string } }).projector.status;
}

test('what one process has acknowledged, the next list of another one shows', async ({ apis, token }) => {
  for (let round = 0; round < 8; round++) {
    const [writer, reader] = round % 2 === 0 ? apis : [apis[1], apis[0]];
    const answer = await write(writer, token, `Round ${round}`);
    assert.is(answer.status, 201);
    assert.is(answer.headers.get('x-daybook-views'), null, 'the views have it');
    assert.ok(await shows(reader, `Round ${round}`), `round ${round}`);
  }
});

test('writers in both processes get ids of their own', async ({ apis, token }) => {
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, at) => write(at % 2 === 0 ? apis[0] : apis[1], token, `Twin ${at >> 1}`)),
  );
  const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<{ id: number; slug: string }>));
  assert.is(new Set(bodies.map(({ id }) => id)).size, bodies.length);
  assert.is(new Set(bodies.map(({ slug }) => slug)).size, bodies.length);
});

test('a user who is added on the command line can sign in everywhere at once', async ({ deployment, apis }) => {
  const added = await runHere(['users', 'add', 'kim', '--role', 'editor', '--json'], deployment.settings);
  assert.is(added.code, 0, added.errors);
  const { password } = JSON.parse(added.out) as { password: string };
  for (const api of apis) assert.is((await write(api, password, `By kim at ${api.address}`)).status, 201);
});

test('a reader may demand a position that another process has written', async ({ apis, token }) => {
  const [one, other] = apis;
  const position = (await write(one, token, 'Demanded')).headers.get('x-daybook-position') ?? '';
  assert.is.not(position, '');
  const answer = await fetch(`${other.api}/events?search=demanded`, { headers: { 'x-daybook-position': position } });
  assert.is(answer.status, 200);
  const beyond = await fetch(`${other.api}/events`, { headers: { 'x-daybook-position': 'z'.repeat(position.length) } });
  assert.is(beyond.status, 503);
  assert.is.not(beyond.headers.get('retry-after'), null);
});

test('one projector leads, and when it is killed another one takes over', async ({ deployment, apis, token }) => {
  const leader = deployment.leader();
  assert.is(await stateOf(leader), 'leading');
  const standby = await deployment.start('projector');
  assert.is(await stateOf(standby), 'standing by');
  await leader.kill();
  const killedAt = performance.now();
  while ((await stateOf(standby)) !== 'leading') {
    assert.ok(performance.now() - killedAt < TAKEOVER_MS, `no process leads ${TAKEOVER_MS} ms after the crash`);
    await sleep(50);
  }
  assert.is((await write(apis[0], token, 'After the crash')).headers.get('x-daybook-views'), null);
  assert.ok(await shows(apis[1], 'After the crash'));
});

test('a projector that ends in good order hands over at once', async ({ deployment }) => {
  const leader = deployment.leader();
  const standby = await deployment.start('projector');
  assert.is(await stateOf(standby), 'standing by');
  assert.is(await leader.stop(), 0);
  const endedAt = performance.now();
  // Well before the lease would have expired.
  while ((await stateOf(standby)) !== 'leading') {
    assert.ok(performance.now() - endedAt < 4_000, 'the lease was not given back');
    await sleep(50);
  }
});

test.run();
