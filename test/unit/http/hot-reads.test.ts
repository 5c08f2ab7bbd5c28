import type { InjectOptions } from 'fastify';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSharedAnswers } from '../../../src/http/caches/shared-answers.ts';
import { ID } from '../../../src/http/plugins/routing.ts';
import type { Routes } from '../../../src/http/route.ts';
import { byId } from '../../../src/http/schemas/path.ts';
import { NOW, shellOf, UNDOCUMENTED } from './shell.ts';

const test = suite('single reads by their address alone');

const EVENT = '/calendar/events/v1/events/1';

/** A shell whose events say which version of the read model they were made of. `handled` counts requests that came to the route. */
function set() {
  const state = { version: 'one', isBehind: false, now: NOW, handled: 0 };
  const version = async () => state.version;
  const shared = openSharedAnswers({ version, isBehind: () => state.isBehind });
  const routes: Routes = async (api) => {
    const querystring = Type.Object({ id: Type.Number(), password: Type.Optional(Type.String()) });
    api.get(
      `/events/${ID}`,
      { schema: { ...UNDOCUMENTED, params: byId, querystring }, config: { allow: () => ['GET'] } },
      async (request, reply) => {
        state.handled += 1;
        const { text, etag } = await shared.read(request, `event ${request.params.id}`, async () => ({
          text: JSON.stringify({ title: `Crème of ${state.version}`, root: request.links.root }),
          etag: `"${state.version}"`,
        }));
        return reply.conditional(text, etag);
      },
    );
  };
  const { app } = shellOf(async (api) => void api.register(routes), {}, { shared, clock: { now: () => state.now } });
  async function get(headers: InjectOptions['headers'] = {}, url = EVENT, method: 'GET' | 'HEAD' = 'GET') {
    const before = state.handled;
    const sent = { host: 'cal.example', ...headers };
    const { statusCode, payload, headers: received } = await app.inject({ method, url, headers: sent });
    const { 'x-request-id': id, date, ...others } = received;
    assert.type(id, 'string');
    assert.type(date, 'string');
    return { isHot: state.handled === before, answer: { statusCode, payload, headers: { ...others } } };
  }
  return { state, get };
}

test('an answer by the address alone has the status, headers and bytes of the one before', async () => {
  const asked = [
    {},
    { origin: 'https://page.example' },
    { 'if-none-match': '"one"' },
    { 'if-none-match': 'W/"one", "two"', origin: 'https://page.example' },
    { 'if-none-match': '*' },
    { 'if-none-match': '"two"' },
    { 'accept-encoding': 'br, gzip', 'accept-language': 'de' },
  ];
  for (const method of ['GET', 'HEAD'] as const)
    for (const headers of asked) {
      const { get } = set();
      const long = await get(headers, EVENT, method);
      await get();
      await get();
      const hot = await get(headers, EVENT, method);
      assert.equal([long.isHot, hot.isHot], [false, true], `${method} ${JSON.stringify(headers)}`);
      assert.equal(hot.answer, long.answer);
    }
});

test('headers of a page that asked first are not those of the next', async () => {
  const { get } = set();
  await get();
  await get({ origin: 'https://page.example' });
  const hot = await get();
  assert.ok(hot.isHot);
  assert.is(hot.answer.headers['access-control-allow-origin'], undefined);
});

test('a read is recalled in its own second and version only', async () => {
  const { get, state } = set();
  await get();
  assert.not((await get()).isHot, 'what is asked for once is not remembered by its address');
  assert.ok((await get()).isHot);
  state.now += 1;
  assert.not((await get()).isHot, 'the next second');
  assert.ok((await get()).isHot);
  state.version = 'two';
  const changed = await get();
  assert.not(changed.isHot, 'the next version');
  assert.match(changed.answer.payload, /of two/);
});

test('nothing is recalled while the log has what the read model lacks', async () => {
  const { get, state } = set();
  await get();
  state.isBehind = true;
  assert.not((await get()).isHot);
  state.isBehind = false;
  assert.ok((await get()).isHot);
});

test('only the public is answered so, and only by the address', async () => {
  const { get } = set();
  await get();
  for (const headers of [
    { authorization: 'Bearer editor' },
    { 'x-daybook-position': '1' },
    { 'content-length': '0' },
    { host: 'other.example' },
  ])
    assert.not((await get(headers)).isHot, JSON.stringify(headers));
});

test('reduced, wrapped or password-protected answers are not repeated', async () => {
  for (const query of ['?_fields=title', '?_envelope=1', '?password=open']) {
    const { get } = set();
    await get({}, EVENT + query);
    assert.not((await get({}, EVENT + query)).isHot, query);
  }
});

test.run();
