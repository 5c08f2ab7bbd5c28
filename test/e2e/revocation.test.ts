// A revocation counts within a second on every process, also where the views do not move or cannot be reached.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { runHere } from '../support/here.ts';
import type { Serving } from '../support/process.ts';

interface Context {
  deployment: Deployment;
  apis: [Serving, Serving];
  administrator: string;
}

const test = suite<Context>('revocations');

/** As promised, and what a slow machine takes to ask. */
const PROMISED_MS = 1_000;
const ASKING_MS = 500;

test.before(async (context) => {
  context.deployment = await startDeployment();
  const { start } = context.deployment;
  const [, first, second] = await Promise.all([start('projector'), start('api'), start('api')]);
  context.apis = [first, second];
  context.administrator = first.token ?? second.token ?? '';
});
test.after(({ deployment }) => deployment.close());

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly body: any;
}

async function ask({ api }: Serving, token: string, method: string, path: string, body?: object): Promise<Reply> {
  const answer = await fetch(`${api}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const me = (api: Serving, token: string): Promise<Reply> => ask(api, token, 'GET', '/users/me');

let users = 0;

/** A user who has signed in everywhere: every process has verified the token, and remembers it. */
async function signedInEverywhere(
  { apis, administrator }: Context,
  role: string,
): Promise<{ id: number; token: string }> {
  users += 1;
  const { body } = await ask(apis[0], administrator, 'POST', '/users', { login: `user ${users}`, role });
  for (const api of apis) assert.is((await me(api, body.password)).status, 200);
  return { id: body.id, token: body.password };
}

/** Keeps asking, as a client would, until every process answers as it should; fails when that takes too long. */
async function soon(apis: readonly Serving[], as: (api: Serving) => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  for (const api of apis)
    while (!(await as(api))) {
      assert.ok(performance.now() - begun < PROMISED_MS + ASKING_MS, `${api.address} has not heard of it`);
      await sleep(20);
    }
}

const refuses = (token: string) => async (api: Serving) => (await me(api, token)).status === 401;

async function revokesChangesAndRemoves(context: Context): Promise<void> {
  const { apis, administrator } = context;
  const write = (method: string, path: string, body?: object) => ask(apis[0], administrator, method, path, body);
  const revoked = await signedInEverywhere(context, 'editor');
  assert.is((await write('DELETE', `/users/${revoked.id}/credentials/1`)).status, 200);
  await soon(apis, refuses(revoked.token));
  const changed = await signedInEverywhere(context, 'editor');
  assert.is((await write('PATCH', `/users/${changed.id}`, { role: 'subscriber' })).status, 200);
  await soon(apis, async (api) => (await ask(api, changed.token, 'POST', '/tags', { name: 'x' })).status === 403);
  const removed = await signedInEverywhere(context, 'editor');
  assert.is((await write('DELETE', `/users/${removed.id}`)).status, 200);
  await soon(apis, refuses(removed.token));
}

test('all processes heed a revocation, a new role and a removal', (context) => revokesChangesAndRemoves(context));

test('a revocation on the command line counts everywhere', async (context) => {
  const { token, id } = await signedInEverywhere(context, 'author');
  const { apis, deployment } = context;
  const { body } = await me(apis[0], token);
  const revoking = await runHere(['users', 'revoke', body.login], deployment.settings);
  assert.is(revoking.code, 0, revoking.errors);
  assert.match(revoking.out, `of ${body.login}; 0 left.`);
  assert.ok(id > 0);
  await soon(apis, refuses(token));
});

test('with no projector at work they do the same', async (context) => {
  const { token } = await signedInEverywhere(context, 'editor');
  await context.deployment.leader().kill();
  assert.is((await me(context.apis[0], token)).status, 200);
  await revokesChangesAndRemoves(context);
});

test('the same holds without a read model', async (context) => {
  await context.deployment.redis.stop();
  await revokesChangesAndRemoves(context);
});

test.run();
