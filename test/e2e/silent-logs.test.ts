// What a process writes while it is sent secrets in every place where one may stand.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Serving, serving } from '../support/process.ts';
import { talk } from '../support/raw-http.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

const test = suite('silent logs');

const { folder, remove } = temporaryFolder();
let running: Serving;
test.before(async () => {
  running = await serving({ DAYBOOK_DATA_DIR: folder, DAYBOOK_LOG_LEVEL: 'trace' });
});
test.after(async () => {
  if (running.child.exitCode === null) await running.kill();
  remove();
});

/** Every one of them is looked for in what the process has written. */
const SECRET = {
  basic: 'hunter2-basic-secret',
  bearer: '1-9-aaaabbbbccccddddeeeeffff',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzZWNyZXQifQ.c2lnbmF0dXJlLXNlY3JldA',
  password: 'open-sesame-password',
  query: 'query-password-secret',
  cookie: 'cookie-session-secret',
  body: 'body-text-secret',
  key: 'idempotency-secret',
  form: 'form-password-secret',
};

const encoded = Buffer.from(`admin:${SECRET.basic}`).toString('base64');

async function routes(): Promise<{ readonly path: string; readonly methods: readonly string[] }[]> {
  const index = (await (await fetch(running.api)).json()) as { routes: { [path: string]: { methods: string[] } } };
  return Object.entries(index.routes).map(([path, { methods }]) => ({
    path: path
      .replace(/^\/?calendar\/events\/v1/, '')
      .replace(/\(\?P<(?:id|credential)>[^)]*\)|\{id\}|\{credential\}/g, '1')
      .replace(/\(\?P<slug>[^)]*\)+|\{slug\}/g, 'secret-slug'),
    methods,
  }));
}

const AUTHORIZATIONS = [
  `Bearer ${SECRET.bearer}`,
  `Bearer ${SECRET.jwt}`,
  `Basic ${encoded}`,
  `Digest username="x", response="${SECRET.basic}"`,
];

function bodiesFor(method: string): readonly { readonly type: string; readonly text: string }[] {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return [];
  const members = {
    ...someEvent({ title: SECRET.body }),
    password: SECRET.password,
    name: SECRET.body,
    venue: SECRET.body,
  };
  return [
    { type: 'application/json', text: JSON.stringify(members) },
    { type: 'application/json', text: `{"title":"${SECRET.body}"` },
    { type: 'application/x-www-form-urlencoded', text: `password=${SECRET.form}&title=${SECRET.body}` },
    { type: 'multipart/form-data; boundary=x', text: `--x\r\n${SECRET.form}` },
    { type: `no type: ${SECRET.body}`, text: SECRET.body },
  ];
}

async function sendEverywhere(): Promise<number> {
  let sent = 0;
  const known = await routes();
  const others = ['/nothing', '/healthz', '/readyz', '/metrics'].map((path) => ({ path, methods: ['GET', 'POST'] }));
  for (const { path, methods } of [...known, ...others])
    for (const method of [...new Set([...methods, 'OPTIONS'])]) {
      const root =
        path.startsWith('/healthz') || path.startsWith('/readyz') || path.startsWith('/metrics')
          ? running.address
          : running.api;
      const url = `${root}${path}?password=${SECRET.query}&access_token=${SECRET.query}&_reason=${SECRET.query}`;
      const bodies = [undefined, ...bodiesFor(method)];
      for (const [at, body] of bodies.entries()) {
        const authorization = at === 1 ? `Bearer ${running.token}` : (AUTHORIZATIONS[at % AUTHORIZATIONS.length] ?? '');
        const headers = {
          authorization,
          cookie: `session=${SECRET.cookie}`,
          'idempotency-key': SECRET.key,
          ...(body && { 'content-type': body.type }),
        };
        const answer = await fetch(url, {
          method,
          headers,
          redirect: 'manual',
          ...(body && { body: body.text }),
          signal: AbortSignal.timeout(3_000),
        });
        await answer.body?.cancel();
        sent += 1;
      }
    }
  return sent;
}

test('at its most talkative a process writes no credential, password, cookie or body, and no query', async () => {
  assert.ok((await sendEverywhere()) > 100);
  const port = Number(new URL(running.address).port);
  const bare = [
    `GET /calendar/events/v1/events?password=${SECRET.query} HTTP/1.1\r\nHost: a\r\nX: \x1b[31m${SECRET.cookie}\x01\r\n\r\n`,
    `${SECRET.body}\r\n\r\n`,
    `POST /calendar/events/v1/tags HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nTransfer-Encoding: chunked\r\n\r\n${SECRET.body}`,
    `GET /calendar/events/v1/%1b%5b31m%0a?password=${SECRET.query} HTTP/1.1\r\nHost: ${SECRET.cookie}/\r\n\r\n`,
  ];
  for (const bytes of bare) await talk(port, bytes);
  assert.is(await running.stop(), 0);
  const { token } = running;
  const announced = running.out().split(token ?? '').length - 1;
  assert.is(announced, 2, 'the token of a first start: as such, and in the example');
  const written = running.errors() + running.out().replaceAll(token ?? '', '');
  for (const [place, secret] of Object.entries({ ...SECRET, encoded, token: (token ?? '').split('-')[2] ?? '' }))
    assert.not.ok(written.includes(secret), `${place} is in the log`);
  assert.not.match(written, /[\x00-\x09\x0b-\x1f]/, 'nothing moves a cursor');
  for (const line of running.errors().split('\n').filter(Boolean)) assert.type(JSON.parse(line), 'object', line);
});

test.run();
