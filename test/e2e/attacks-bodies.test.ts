// Bodies that mean no good: what each costs the process in processor time, however busy the machine is, and what comes of it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signedIn } from '../support/desk.ts';
import { resolved } from '../support/documented.ts';
import { type As, startTestService, type TestService } from '../support/service.ts';

interface Context {
  daybook: TestService;
}

const test = suite<Context>('attacks by bodies');
test.before(async (context) => {
  const environment = { DAYBOOK_PREFIX_ALIASES: 'wp-json/tribe/events/v1' };
  context.daybook = await startTestService({ environment });
});
test.after(({ daybook }) => daybook.close());

/** Of processor time. The costliest takes a tenth of it; what looks for each end anew takes seconds. */
const MOST_MS = 1_000;
const NINE_MB = 9_000_000;
const MULTIPART = 'Multipart/form-data; Boundary="x"';
const FORM = 'application/x-www-form-urlencoded';

const repeated = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / text.length));
const part = (headers: string, content: string): string =>
  `--x\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`;

interface Costly {
  readonly as: As;
  readonly path: string;
  readonly type: string;
  readonly body: string | Buffer;
}

async function cost(daybook: TestService, { as, path, type, body }: Costly) {
  const sent = typeof body === 'string' ? Buffer.from(body) : body;
  const before = process.cpuUsage();
  const headers = { 'content-type': type, origin: 'http://cal.example' };
  const answer = await daybook.request(as, 'POST', path, sent, headers);
  const { user, system } = process.cpuUsage(before);
  return { answer, milliseconds: (user + system) / 1000 };
}

const HOSTILE: readonly (readonly [what: string, type: string, body: (bytes: number) => string])[] = [
  ['boundaries alone', MULTIPART, (bytes) => repeated('--x\r\n', bytes)],
  ['parts without headers', MULTIPART, (bytes) => repeated('--x\r\n\r\n', bytes)],
  ['headers that do not end', MULTIPART, (bytes) => `--x\r\n${repeated('a: b\r\n', bytes)}`],
  ['beginnings of a boundary', MULTIPART, (bytes) => part('name="a"', repeated('\r\n--', bytes))],
  ['no boundary at all', MULTIPART, (bytes) => repeated('a', bytes)],
  ['a boundary of one letter and text of it', 'multipart/form-data; boundary=-', (bytes) => repeated('-', bytes)],
  ['percent sequences that are no characters', FORM, (bytes) => `a=${repeated('%C1%80%E0%80%FF', bytes)}`],
  ['brackets', FORM, (bytes) => `a${repeated('[', bytes)}]=1`],
];

const PLACES: readonly (readonly [as: As, path: string, bytes: number])[] = [
  ['anonymous', '/events', 1_000_000],
  ['anonymous', '/media', NINE_MB],
  ['subscriber', '/media', NINE_MB],
  ['anonymous', '/imports', NINE_MB],
  ['anonymous', '//wp-json/wp/v2/media', NINE_MB],
  ['anonymous', '//desk/pictures', NINE_MB],
  ['anonymous', '//desk/import', NINE_MB],
  ['anonymous', '//desk/events', NINE_MB],
  ['anonymous', '//desk/sign-in', NINE_MB],
  ['editor', '/events', 1_000_000],
  ['editor', '/media', NINE_MB],
  ['editor', '/imports', NINE_MB],
];

for (const [what, type, body] of HOSTILE)
  test(`${what}: refused for little, wherever it is sent`, async ({ daybook }) => {
    const bodies = new Map([1_000_000, NINE_MB].map((bytes) => [bytes, Buffer.from(body(bytes))]));
    for (const [as, path, bytes] of PLACES) {
      const sent = bodies.get(bytes) ?? '';
      const { answer, milliseconds } = await cost(daybook, { as, path, type, body: sent });
      const place = `${as} at ${path}`;
      assert.ok(answer.status >= 400 && answer.status < 500, `${place}: ${answer.status}`);
      assert.ok(milliseconds < MOST_MS, `${place}: ${milliseconds} ms`);
    }
    assert.equal(daybook.logged, []);
  });

test('the form of a known user is read as far as it may be, and no further', async ({ daybook }) => {
  const editor = await signedIn(daybook, 'editor');
  for (const [what, type, body] of HOSTILE) {
    const before = process.cpuUsage();
    const { status } = await editor.raw('/desk/pictures', Buffer.from(body(NINE_MB)), { 'content-type': type });
    const { user, system } = process.cpuUsage(before);
    assert.ok(status >= 400 && status < 500, `${what}: ${status}`);
    assert.ok((user + system) / 1000 < MOST_MS, `${what}: ${(user + system) / 1000} ms`);
  }
});

test('what a stranger has no right to is not read: neither a file, nor in whatever letters its type is written', async ({
  daybook,
}) => {
  const file = part('name="file"; filename="a.png"', 'x'.repeat(200_000));
  for (const type of ['multipart/form-data; boundary=x', 'MULTIPART/FORM-DATA; boundary="x"', FORM, 'text/plain'])
    for (const path of ['//desk/pictures', '//desk/import', '//desk/settings']) {
      const { answer } = await cost(daybook, { as: 'anonymous', path, type, body: file });
      assert.is(answer.status, 401, `${type} at ${path}`);
      assert.ok(answer.text.length < 10_000, 'nothing of it comes back');
    }
  for (const [as, path, status] of [
    ['anonymous', '/media', 401],
    ['subscriber', '/media', 403],
    ['anonymous', '/imports', 401],
    ['author', '/imports', 403],
  ] as const) {
    const { answer } = await cost(daybook, { as, path, type: MULTIPART, body: 'no form at all' });
    assert.is(answer.status, status, `${as} at ${path}: the right counts before what the form says`);
  }
  const author = await signedIn(daybook, 'author');
  const headers = { 'content-type': MULTIPART };
  assert.is((await author.raw('/desk/import', Buffer.from(file), headers)).status, 403, 'nor what a user may not');
});

test('a form of a stranger comes back through the sign-in only while it is short', async ({ daybook }) => {
  const fields = (count: number, length: number): string =>
    Array.from({ length: count }, (_, at) => part(`name="f${at}"`, '<'.repeat(length))).join('');
  const sent = (body: string) =>
    cost(daybook, { as: 'anonymous', path: '//desk/events', type: MULTIPART, body: `${body}--x--\r\n` });
  const short = await sent(fields(3, 100));
  assert.match(short.answer.text, 'name="carried"');
  for (const [count, length] of [
    [1_900, 500],
    [1, 1_000_000],
    [900, 1],
    [1, 65_000],
  ] as const) {
    const { answer, milliseconds } = await sent(fields(count, length));
    assert.is(answer.status, 401);
    assert.ok(answer.text.length < 300_000, `${answer.text.length} characters`);
    assert.ok(milliseconds < MOST_MS, `${milliseconds} ms`);
  }
});

test('parts of the document cost no more than to send them, and are what they are of the whole', async ({
  daybook,
}) => {
  const { body: whole } = await daybook.get('/doc');
  const fields = async (names: string) => (await daybook.get(`/doc?_fields=${names}`)).body;
  const { paths, info, openapi, components, servers } = whole;
  assert.equal(await fields('paths'), { paths });
  assert.equal(await fields('paths./events,openapi'), { openapi, paths: { '/events': paths['/events'] } });
  const { summary, tags } = paths['/events'].get;
  const inside = await fields('paths./events.get.tags,paths./events.get.summary,info.title');
  assert.equal(inside, { info: { title: info.title }, paths: { '/events': { get: { summary, tags } } } });
  assert.equal(await fields('components.schemas'), { components: { schemas: components.schemas } });
  assert.equal(
    [await fields('nothing'), await fields('servers.url'), await fields('openapi.x')],
    [{}, { servers: [] }, {}],
  );
  assert.equal([await fields('servers'), await fields('')], [{ servers }, whole]);
  assert.equal((await daybook.get('/doc?_fields=paths&_envelope')).body.body, { paths });
  assert.ok(resolved(whole, whole.paths['/events'].get), 'the whole is as it was');

  const times = 20;
  const costOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < times; turn++) await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const text = JSON.stringify(whole);
  const anew = await costOf(async () => JSON.stringify(JSON.parse(text)));
  const parts = await costOf(() => daybook.request('anonymous', 'HEAD', '/doc?_fields=paths'));
  assert.ok(parts < anew, `${parts} ms, parsed and written anew ${anew} ms`);
});

test.run();
