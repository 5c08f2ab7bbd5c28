// Places of the feed of changes per user and per address, over HTTP: streams that listen, and requests that wait.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changesRoutes } from '../../../../src/editorial/audit/http/changes-routes.ts';
import type { Authenticate } from '../../../../src/people/auth/caller.ts';
import { openEventStream } from '../../../support/event-stream.ts';
import { type ChangesLog, fillSome, openChangesLog } from '../../queries/changes-log.ts';
import { type Shell, shellOf } from '../shell.ts';

interface Context {
  log: ChangesLog;
  shell: Shell;
  root: string;
}

const test = suite<Context>('places of the feed of changes');
const SEATS = { forAll: 50, forUser: 2, forAddress: 3 };
const PATH = '/calendar/events/v1/changes?after=end';

/** `Bearer N` is the editor with id N. */
const authenticate: Authenticate = async (authorization) => {
  const id = Number(/^Bearer (\d+)$/.exec(authorization ?? '')?.[1] ?? 0);
  return { kind: 'caller', caller: id === 0 ? null : { id, login: `editor-${id}`, name: 'Editor', role: 'editor' } };
};

test.before.each(async (context) => {
  context.log = openChangesLog();
  await fillSome(context.log);
  const dependencies = { ...context.log.dependencies, authenticate, seats: SEATS };
  const routes = async (api: Parameters<typeof changesRoutes>[0]) => void api.register(changesRoutes, dependencies);
  // Behind a proxy, so that clients have addresses of their own.
  context.shell = shellOf(routes, { trustForwarded: true }, { authenticate });
  const address = await context.shell.app.listen({ port: 0, host: '127.0.0.1' });
  context.root = `${new URL(address).origin}${PATH}`;
});
test.after.each(async ({ shell, log }) => {
  await shell.app.close();
  await log.store.close();
});

const headersOf = (user: number, client: string) => ({ authorization: `Bearer ${user}`, 'x-forwarded-for': client });
const listen = ({ root }: Context, user: number, client: string) => openEventStream(root, headersOf(user, client));

async function assertRefused(context: Context, user: number, client: string): Promise<void> {
  const { status, headers } = await listen(context, user, client);
  assert.equal([status, headers['retry-after']], [429, '10']);
  const waiting = await fetch(`${context.root}&wait=60`, { headers: headersOf(user, client) });
  const { code } = (await waiting.json()) as { code: string };
  assert.equal([waiting.status, code, waiting.headers.get('retry-after')], [429, 'rest_rate_limited', '10']);
}

test('a user has so many from wherever, and others still find one', async (context) => {
  for (const client of ['203.0.113.1', '203.0.113.2']) assert.is((await listen(context, 1, client)).status, 200);
  await assertRefused(context, 1, '203.0.113.3');
  assert.is((await listen(context, 2, '203.0.113.3')).status, 200);
});

test('an address has so many for all its users, and others still find one', async (context) => {
  for (const user of [1, 2, 3]) assert.is((await listen(context, user, '203.0.113.1')).status, 200);
  await assertRefused(context, 4, '203.0.113.1');
  assert.is((await listen(context, 4, '203.0.113.2')).status, 200);
});

test('a place of a stream that ends is free again', async (context) => {
  const [first] = [await listen(context, 1, '203.0.113.1'), await listen(context, 1, '203.0.113.1')];
  await assertRefused(context, 1, '203.0.113.1');
  first.leave();
  while ((await listen(context, 1, '203.0.113.1')).status !== 200) await new Promise(setImmediate);
});

test.run();
