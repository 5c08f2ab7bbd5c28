// Where parts meet that know nothing of each other: erasure and feeds, single sign-on and rights, passwords and caches.
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../src/config.ts';
import { openSharedAnswers } from '../../src/http/caches/shared-answers.ts';
import { erase } from '../../src/people/personal-data/commands/erase.ts';
import { openKeyRing } from '../../src/people/personal-data/facts/key-ring.ts';
import type { KeyState, SubjectKeys } from '../../src/people/personal-data/facts/subject-keys.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { someEvent, startTestService, type TestService, temporaryFolder } from '../support/service.ts';
import { AUDIENCE, ISSUER, issuedKey, signed, startKeyServer } from '../support/sign-on.ts';

interface Context {
  daybook: TestService;
}

const test = suite<Context>('seams');

test.before(async (context) => {
  context.daybook = await startTestService();
});
test.after(({ daybook }) => daybook.close());

async function erased({ stores, clock }: TestService, kind: 'organizer' | 'user', id: number): Promise<void> {
  const correlationId = randomUUID();
  const instant = new Date(clock.at * 1000).toISOString();
  const metadata = { actor: { id: null, name: 'test' }, instant, correlationId, causationId: correlationId };
  const outcome = await erase({ ...stores, newEventId: randomUUID }, metadata, kind, id);
  assert.is(outcome.kind, 'erased');
  await stores.project();
}

/** Feeds are no JSON. */
async function text({ service }: TestService, target: string): Promise<string> {
  const url = `/calendar/events/v1${target}`;
  return (await service.app.inject({ url, headers: { host: 'cal.example' } })).payload;
}

test('no feed shows an organizer after the erasure', async ({ daybook }) => {
  const organizer = { organizer: 'Ann Archer', email: 'ann@example.org', website: 'https://archer.example/' };
  const event = await daybook.created('editor', 'events', someEvent({ organizer }));
  const { id } = event.organizer[0];
  const calendars = ['/events.ics', `/events/${event.id}.ics`, `/events.ics?organizer=${id}`];
  for (const target of calendars) assert.match(await text(daybook, target), /Archer/, target);
  await erased(daybook, 'organizer', id);
  for (const target of [...calendars, '/events.rss', '/events.atom']) {
    const told = await text(daybook, target);
    assert.match(told, 'Open rehearsal', target);
    assert.not.match(told, /archer|ann@/i, target);
  }
});

test('a scheduled organizer that is erased is published as [erased], and no revert brings the name back', async ({
  daybook,
}) => {
  const { id } = await daybook.created('editor', 'organizers', {
    organizer: 'Ann Archer',
    email: 'ann@example.org',
    status: 'future',
    date: '2026-11-20 13:00:00',
  });
  await erased(daybook, 'organizer', id);
  daybook.clock.at += 7_200;
  const { body } = await daybook.get(`/organizers/${id}`);
  assert.equal([body.status, body.organizer, body.slug], ['publish', '[erased]', `erased-${id}`]);
  assert.is((await daybook.request('editor', 'DELETE', `/organizers/${id}`)).status, 200);
  for (const revision of [0, 1, 2]) {
    const reverted = await daybook.request('editor', 'POST', `/organizers/${id}/revert`, { revision });
    assert.is(reverted.status, 200, reverted.text);
    assert.not.match(reverted.text, /archer|ann@/i);
  }
  assert.not.match((await daybook.get(`/organizers/${id}/history`, 'editor')).text, /archer|ann@/i);
});

test('several erased users cannot be found, signed in as, or named', async ({ daybook }) => {
  for (const who of ['author', 'otherAuthor'] as const) await erased(daybook, 'user', daybook.userId(who));
  const { users } = (await daybook.get('/users?per_page=50', 'administrator')).body;
  assert.is(users.filter(({ login }: { login: string }) => login === '[erased]').length, 2);
  assert.is((await daybook.get('/users?search=author', 'administrator')).body.total, 0);
  const id = daybook.userId('author');
  assert.is((await daybook.request('administrator', 'PUT', `/users/${id}`, { name: 'Ann' })).status, 404);
  assert.is((await daybook.request('administrator', 'POST', `/users/${id}/credentials`, { label: 'x' })).status, 404);
  assert.is((await daybook.get('/users/me', 'author')).status, 401);
  const again = await daybook.created('administrator', 'users', { login: 'author', role: 'author' });
  assert.is.not(again.id, id);
});

test('an erased user is not admitted by a single sign-on, nor added again', async () => {
  const key = await issuedKey('ES256', 'one');
  const server = await startKeyServer([key]);
  const daybook = await startTestService({
    environment: { DAYBOOK_JWT_ISSUER: ISSUER, DAYBOOK_JWT_AUDIENCE: AUDIENCE, DAYBOOK_JWKS_URL: server.url },
  });
  const bearer = async (claims: object = {}) => ({
    authorization: `Bearer ${await signed(key, daybook.clock.at, { name: 'Ann Field', email: 'ann@example.org', ...claims })}`,
  });
  const { body: me } = await daybook.get('/users/me', 'anonymous', await bearer());
  const event = await daybook.request('anonymous', 'POST', '/events', someEvent(), await bearer());
  assert.is(event.status, 201);
  await erased(daybook, 'user', me.id);
  const refused = await daybook.get(
    '/users/me',
    'anonymous',
    await bearer({ iat: daybook.clock.at + 1, role: 'administrator' }),
  );
  assert.equal([refused.status, refused.body.code], [403, 'rest_user_removed']);
  assert.is((await daybook.get('/users', 'administrator')).body.total, 8);
  const { history } = (await daybook.get(`/events/${event.body.id}/history`, 'editor')).body;
  assert.equal(history[0].actor, { id: me.id, name: '[erased]' });
  await daybook.close();
  await server.close();
});

test('cached lists for a bearer are of the role of the token, though the user is the same', async () => {
  const key = await issuedKey('ES256', 'one');
  const server = await startKeyServer([key]);
  const daybook = await startTestService({
    environment: { DAYBOOK_JWT_ISSUER: ISSUER, DAYBOOK_JWT_AUDIENCE: AUDIENCE, DAYBOOK_JWKS_URL: server.url },
  });
  const bearer = async (role: string, iat: number) => ({
    authorization: `Bearer ${await signed(key, daybook.clock.at, { role, iat })}`,
  });
  await daybook.created('editor', 'events', someEvent({ status: 'private', title: 'Closed' }));
  const seen = async (role: string, iat: number, target: string) =>
    (await daybook.get(target, 'anonymous', await bearer(role, iat))).text.includes('Closed');
  const now = daybook.clock.at;
  assert.ok(await seen('editor', now - 10, '/events?status=publish,private'));
  const demoted = await daybook.get('/events?status=publish,private', 'anonymous', await bearer('subscriber', now - 5));
  assert.not.match(demoted.text, 'Closed');
  assert.not.ok(await seen('subscriber', now - 5, '/events'));
  assert.ok(await seen('editor', now - 3, '/events?status=publish,private'));
  await daybook.close();
  await server.close();
});

test('an answer opened by a password is not cached, wherever the password was', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ password: 'open sesame' }));
  const asked = await daybook.get(`/events/${id}?password=open%20sesame`);
  const inBody = await daybook.request('anonymous', 'GET', `/events/${id}`, { password: 'open sesame' });
  for (const { status, headers } of [asked, inBody])
    assert.equal([status, headers['cache-control']], [200, 'private, no-cache']);
  const again = await daybook.get(`/events/${id}?password=open%20sesame`, 'anonymous', {
    'if-none-match': asked.headers.etag ?? '',
  });
  assert.equal([again.status, again.headers['cache-control']], [304, 'private, no-cache']);
  assert.match((await daybook.get(`/events/${id}`, 'editor')).headers['cache-control'] ?? '', 'no-store');
  const open = await daybook.created('editor', 'events', someEvent());
  assert.is((await daybook.get(`/events/${open.id}`)).headers['cache-control'], undefined);
});

test('the reference page counts as a request like every other', async () => {
  const daybook = await startTestService({ environment: { DAYBOOK_RATE_LIMIT: '3' } });
  const get = async (url: string) => {
    const remoteAddress = '203.0.113.7';
    return (await daybook.service.app.inject({ url, remoteAddress, headers: { host: 'cal.example' } })).statusCode;
  };
  assert.equal([await get('/docs/'), await get('/docs/json'), await get('/docs/static/index.css')], [200, 200, 200]);
  const after = ['/docs', '/docs/', '/docs/json', '/docs/static/index.css', '/calendar/events/v1/events'];
  for (const url of after) assert.is(await get(url), 429, url);
  assert.is(await get('/healthz'), 200, 'who watches the service is not counted');
  await daybook.close();
});

test('pages, the desk and embedded lists count as requests like every other, and say so in their own form', async () => {
  const daybook = await startTestService({ environment: { DAYBOOK_RATE_LIMIT: '3' } });
  const get = async (url: string) => {
    const remoteAddress = '203.0.113.7';
    return daybook.service.app.inject({ url, remoteAddress, headers: { host: 'cal.example' } });
  };
  for (const url of ['/', '/desk/sign-in', '/embed/events']) assert.is((await get(url)).statusCode, 200, url);
  for (const url of ['/', '/events/month/2026-12/', '/desk/sign-in', '/embed/events', '/calendar/events/v1/events'])
    assert.is((await get(url)).statusCode, 429, url);
  const page = await get('/');
  assert.match(String(page.headers['content-type']), 'text/html');
  assert.ok(Number(page.headers['retry-after']) > 0);
  await daybook.close();
});

test('cached feeds for many hosts do not fill the memory', async () => {
  const shared = openSharedAnswers({ version: async () => 'one' });
  let made = 0;
  const text = 'x'.repeat(1_048_576);
  const ask = (host: string) => {
    const links = { root: `http://${host}/api`, site: `http://${host}`, host };
    const request = { caller: null, password: undefined, context: undefined, links, now: 0 };
    return shared.read(request, 'events.rss', async () => {
      made += 1;
      return { text, etag: '"1"' };
    });
  };
  for (let count = 0; count < 240; count++) await ask(`a${Math.floor(count / 2)}.example`);
  await ask('a119.example');
  assert.is(made, 240, 'the latest is kept');
  for (let count = 0; count < 24; count++) await ask(`a${count}.example`);
  assert.is(made, 264, 'the earliest are not');
});

test('the document is of the address that was used, whatever that is, and as the first one was', async ({
  daybook,
}) => {
  const documentAt = async (host: string) => (await daybook.get('/doc', 'anonymous', { host })).body;
  const { servers: one, ...rest } = await documentAt('one.example');
  const { servers: two, ...others } = await documentAt('two.example:8080');
  assert.equal(
    [one[0].url, two[0].url],
    ['http://one.example/calendar/events/v1', 'http://two.example:8080/calendar/events/v1'],
  );
  assert.equal(rest, others);
});

test('a service without keys is not ready for writes, and gives the reason', async () => {
  const { folder, remove } = temporaryFolder();
  const redis = await startRedisServer();
  const daybook = await startTestService({
    environment: { DAYBOOK_EVENT_STORE: `sqlite:${folder}/log.db`, DAYBOOK_KEYS: redis.url },
  });
  const readiness = async (purpose: string) => (await daybook.get(`//readyz?for=${purpose}`)).status;
  assert.is(await readiness('writes'), 200);
  await redis.stop();
  // The process hears of it by a question that fails.
  let status = 200;
  for (let count = 0; count < 200 && status === 200; count++) {
    status = await readiness('writes');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.is(status, 503);
  assert.is(await readiness('reads'), 200);
  const { event_store: found } = (await daybook.get('//readyz')).body;
  assert.is(found.status, 'down');
  assert.match(found.why, 'The keys of personal data in redis://');
  await daybook.close();
  remove();
});

test('a site address with a password is refused: every link would reveal it', () => {
  const read = () => readConfig({ DAYBOOK_SITE_URL: 'https://ann:s3cret@cal.example' });
  assert.throws(read, (error: Error) => /^DAYBOOK_SITE_URL /.test(error.message) && !error.message.includes('s3cret'));
});

test('a key that was being read while its destruction was noticed is not cached', async () => {
  const subject = 'organizer-7';
  let state: KeyState = new Uint8Array(32);
  let erasures = '0';
  let now = 0;
  let arrive = (): void => {};
  const slow: Partial<SubjectKeys> = {
    identity: async () => 'these keys',
    erasures: async () => erasures,
    find: async (asked) => {
      const found = new Map(asked.map((one) => [one, state] as const));
      if (state !== 'destroyed') await new Promise<void>((resolve) => (arrive = resolve));
      return found;
    },
  };
  const ring = openKeyRing(slow as SubjectKeys, { elapsed: () => now });
  const early = ring.look(new Set([subject]), new Set());
  await new Promise((resolve) => setImmediate(resolve));
  [state, erasures, now] = ['destroyed', '1', 1_000];
  await ring.look(new Set(['organizer-8']), new Set());
  arrive();
  assert.is.not((await early)(subject), 'destroyed');
  assert.is((await ring.look(new Set([subject]), new Set()))(subject), 'destroyed');
});

test.run();
