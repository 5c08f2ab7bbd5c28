// The feed of changes over HTTP, with little patience and few seats.
import { once } from 'node:events';
import { request as ask } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ChangesRouteDependencies, changesRoutes } from '../../../../src/editorial/audit/http/changes-routes.ts';
import { EventStoreUnavailable } from '../../../../src/log/event-store.ts';
import type { Authentication, Role } from '../../../../src/people/auth/caller.ts';
import { type EventStream, openEventStream } from '../../../support/event-stream.ts';
import { type ChangesLog, fillSome, openChangesLog } from '../../queries/changes-log.ts';
import { EDITOR, type Shell, shellOf } from '../shell.ts';

interface Context {
  log: ChangesLog;
  shell: Shell;
  root: string;
  port: number;
  /** What the credentials of the editor are worth by now. */
  credentials: { now: Authentication };
  state: { isAway: boolean; heads: number };
}

const test = suite<Context>('routes of the feed of changes');
const SEATS = 12;
const AUTHORIZATION = { authorization: 'Bearer editor' };
const PATH = '/calendar/events/v1/changes';

const signedInAs = (role: Role): Authentication => ({
  kind: 'caller',
  caller: { id: 3, login: 'editor', name: 'Editor', role },
});

test.before.each(async (context) => {
  const state = { isAway: false, heads: 0 };
  const credentials: Context['credentials'] = { now: { kind: 'caller', caller: EDITOR } };
  const log = openChangesLog((store) => ({
    ...store,
    async head() {
      state.heads += 1;
      if (state.isAway) throw new EventStoreUnavailable('away');
      return store.head();
    },
  }));
  await fillSome(log);
  const dependencies: ChangesRouteDependencies = {
    ...log.dependencies,
    authenticate: async () => credentials.now,
    seats: { forAll: SEATS, forUser: SEATS, forAddress: SEATS },
    heartbeatMs: 20,
  };
  const shell = shellOf(async (api) => void api.register(changesRoutes, dependencies));
  const address = new URL(await shell.app.listen({ port: 0, host: '127.0.0.1' }));
  Object.assign(context, {
    log,
    shell,
    state,
    credentials,
    port: Number(address.port),
    root: `${address.origin}${PATH}`,
  });
});
test.after.each(async ({ shell, log }) => {
  await shell.app.close();
  await log.store.close();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

async function get({ root }: Context, query = ''): Promise<Answer> {
  const answer = await fetch(root + query, { headers: { ...AUTHORIZATION, connection: 'close' } });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

const listen = ({ root }: Context, query = '', headers = {}): Promise<EventStream> =>
  openEventStream(root + query, { ...AUTHORIZATION, ...headers });

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(5);
}

/** Sends a request that has to wait, and comes back when it does: the log was asked twice, and then by who waits first. */
async function waiting<Sent>({ state }: Context, send: () => Sent): Promise<{ readonly answer: Sent }> {
  const before = state.heads;
  const answer = send();
  await until(() => state.heads >= before + 3);
  return { answer };
}

test('a waiting client is answered as soon as there is something, and with nothing when the time is up', async (context) => {
  const { answer } = await waiting(context, () => get(context, '?after=end&wait=60'));
  const position = await context.log.add('event-1', 'EventFeatured');
  const { body } = await answer;
  assert.equal(
    [body.changes.length, body.changes[0].position, body.next, body.has_more],
    [1, position, position, false],
  );
  const none = await get(context, `?after=${body.next}&wait=1`);
  assert.equal([none.status, none.body.changes, none.body.next], [200, [], position]);
  const hidden = get(context, `?after=${body.next}&wait=1&types=tag`);
  const later = await context.log.add('event-1', 'EventMadeSticky');
  assert.equal([(await hidden).body.changes, (await hidden).body.next], [[], later]);
});

test('beyond the limit waiting clients are refused, and a client that disconnects frees its place', async (context) => {
  const { port } = context;
  const poll = { port, path: `${PATH}?after=end&wait=60`, headers: AUTHORIZATION, agent: false };
  const { answer: gone } = await waiting(context, () => ask(poll).end());
  gone.on('error', () => {});
  const streams = await Promise.all(Array.from({ length: SEATS - 1 }, () => listen(context)));
  assert.ok(streams.every(({ status }) => status === 200));
  const refused = await get(context, '?after=end&wait=60');
  assert.equal([refused.status, refused.body.code, refused.headers.get('retry-after')], [503, 'rest_unavailable', '5']);
  assert.is((await listen(context)).status, 503);
  assert.is((await get(context, '?wait=60')).status, 200, 'who finds something takes no seat');
  gone.destroy();
  await until(async () => (await listen(context)).status === 200);
  assert.is((await listen(context)).status, 503);
  streams[0]?.leave();
  await until(async () => (await listen(context)).status === 200);
});

test('seats are free again after waiting and after asking for the head of a stream', async (context) => {
  for (let count = 0; count <= SEATS; count += 1) {
    const sent = ask({
      port: context.port,
      path: PATH,
      method: 'HEAD',
      headers: { ...AUTHORIZATION, accept: 'text/event-stream' },
      agent: false,
    }).end();
    const [response] = await once(sent, 'response');
    response.resume();
    assert.is(response.statusCode, 200);
    await once(response, 'close');
  }
  await get(context, '?after=end&wait=1');
  const streams = await Promise.all(Array.from({ length: SEATS }, () => listen(context)));
  assert.ok(streams.every(({ status }) => status === 200));
});

test('closing the service ends all waiting and listening requests at once', async (context) => {
  const { answer } = await waiting(context, () => get(context, '?after=end&wait=60'));
  const stream = await listen(context, '?after=end');
  await stream.next();
  await context.shell.app.close();
  const { status, body } = await answer;
  assert.equal([status, body.changes], [200, []]);
  assert.is(body.next, await context.log.store.head());
  while ((await stream.next()) !== null);
});

test('a stream is resumed at every event by its Last-Event-ID, which counts more than the address', async (context) => {
  const all = (await get(context)).body.changes;
  for (const [index, { position }] of all.slice().entries()) {
    const stream = await listen(context, '?after=end', { 'last-event-id': position });
    const opened = await stream.next();
    assert.equal([opened?.retry, opened?.id], ['2000', position]);
    for (const expected of all.slice(index + 1))
      assert.equal(await stream.change(), { id: expected.position, event: 'change', data: expected });
    const marker = await context.log.add('organizer-7', 'OrganizerTrashed', { slug: 'x', date: 1 });
    const change = await stream.change();
    assert.equal([change.id, change.data.position], [marker, marker]);
    stream.leave();
    all.push(change.data);
  }
});

test('a stream sends heartbeats with its position', async (context) => {
  const stream = await listen(context, '?types=tag&after=end');
  const { id } = (await stream.next()) ?? {};
  assert.is(id, await context.log.store.head());
  assert.equal(await stream.next(), { '': '' });
  const position = await context.log.add('event-1', 'EventFeatured');
  for (let frame = await stream.next(); frame?.id !== position; frame = await stream.next())
    assert.equal(frame, { '': '' });
  assert.not.match(stream.text(), 'data:');
  assert.equal(
    ['content-type', 'vary', 'content-language', 'x-accel-buffering'].map((name) => stream.headers[name]),
    ['text/event-stream; charset=UTF-8', 'Origin, Accept, Accept-Language', 'en', 'no'],
  );
});

test('withdrawn credentials and lost rights end a stream, though nothing happens', async (context) => {
  for (const lost of [
    { kind: 'refused', code: 'incorrect_password' } as const,
    { kind: 'caller', caller: null } as const,
    signedInAs('subscriber'),
  ]) {
    context.credentials.now = { kind: 'caller', caller: EDITOR };
    const stream = await listen(context, '?after=end');
    await stream.next();
    context.credentials.now = lost;
    while ((await stream.next()) !== null);
    assert.not.match(stream.text(), 'data:');
  }
  assert.equal(context.shell.logged, []);
});

test('a listener who becomes an author gets only an author’s changes from then on', async (context) => {
  const stream = await listen(context, '?after=end');
  await stream.next();
  context.credentials.now = signedInAs('author');
  await context.log.add('event-2', 'EventFeatured');
  await context.log.add('event-1', 'EventFeatured');
  const { data } = await stream.change();
  assert.equal([data.kind, data.id], ['event', 1]);
});

test('a waiting client is answered by its present rights', async (context) => {
  const { answer } = await waiting(context, () => get(context, '?after=end&wait=60'));
  context.credentials.now = { kind: 'refused', code: 'incorrect_password' };
  await context.log.add('event-1', 'EventFeatured');
  const { status, body } = await answer;
  assert.equal([status, body.code], [401, 'incorrect_password']);
});

test('while the log is unavailable polls are 503 and streams end', async (context) => {
  const { answer } = await waiting(context, () => get(context, '?after=end&wait=1'));
  const stream = await listen(context, '?after=end');
  await stream.next();
  context.state.isAway = true;
  while ((await stream.next()) !== null);
  const { status, headers } = await answer;
  assert.equal([status, headers.get('retry-after')], [503, '5']);
  assert.is((await get(context)).status, 503);
  assert.is((await listen(context)).status, 503);
  context.state.isAway = false;
  assert.is((await get(context)).status, 200);
});

test.run();
