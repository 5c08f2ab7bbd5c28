// Trying credentials of accounts and passwords of events.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newSecret, tokenText } from '../../src/people/auth/passwords.ts';
import { PREFIX, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite('guessing');

let daybook: TestService;
test.before.each(async () => {
  daybook = await startTestService();
});
test.after.each(() => daybook.close());

interface Asked {
  readonly from?: string;
  readonly authorization?: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
}

async function ask(target: string, { from = '203.0.113.9', authorization, method = 'GET' }: Asked = {}) {
  const { statusCode, headers, payload } = await daybook.service.app.inject({
    method,
    url: PREFIX + target,
    remoteAddress: from,
    headers: { host: 'cal.example', origin: 'https://page.example', ...(authorization && { authorization }) },
  });
  return { status: statusCode, headers, code: payload === '' ? undefined : JSON.parse(payload).code };
}

const basic = (login: string, password: string): string =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

const FIRST_CREDENTIAL = 1;
/** No user of these tests has it, so that it is compared with the hash of today's cost. Theirs cost nothing, and end at once. */
const UNKNOWN_CREDENTIAL = 2;

const wrongToken = (user: number, credential = FIRST_CREDENTIAL): string =>
  tokenText({ user, credential, secret: newSecret() });

/** The token of a user of the service, as it stands behind `Bearer`. */
const tokenOf = (as: 'author' | 'editor'): string => daybook.authorization(as).replace('Bearer ', '');

async function guess(count: number, header: () => string, from?: string): Promise<number[]> {
  const asked = Array.from({ length: count }, () => ask('/tags', { authorization: header(), ...(from && { from }) }));
  return (await Promise.all(asked)).map(({ status }) => status);
}

const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

test('after ten wrong credentials of an account an address is refused for it, whatever it brings', async () => {
  const id = daybook.userId('author');
  assert.equal(await guess(10, () => `Bearer ${wrongToken(id)}`), times(10, 401));
  const refused = await ask('/tags', { authorization: `Bearer ${wrongToken(id)}` });
  assert.equal([refused.status, refused.code], [429, 'rest_rate_limited']);
  assert.ok(Number(refused.headers['retry-after']) > 0 && Number(refused.headers['retry-after']) <= 60);
  assert.is(refused.headers['access-control-allow-origin'], 'https://page.example');
  assert.is(refused.headers['www-authenticate'], undefined);
  const right = { authorization: daybook.authorization('author') };
  assert.is((await ask('/tags', right)).status, 429, 'the right one would tell that it is right');
  assert.is(
    (await ask('/tags', { authorization: basic('author', tokenOf('author')) })).status,
    429,
    'by its login, too',
  );
  assert.is((await ask('/tags', { ...right, from: '203.0.113.10' })).status, 200, 'from elsewhere');
  assert.is((await ask('/tags', { authorization: daybook.authorization('editor') })).status, 200, 'another account');
});

test('signed-in users stay signed in while another client behind the same address guesses', async () => {
  const right = { authorization: daybook.authorization('author') };
  assert.is((await ask('/tags', right)).status, 200);
  const id = daybook.userId('author');
  assert.equal((await guess(11, () => `Bearer ${wrongToken(id)}`)).sort(), [...times(10, 401), 429]);
  assert.is((await ask('/tags', right)).status, 200);
});

test('unknown names count like those of users, from this machine, too', async () => {
  const unknown = () => basic('unknown-login', newSecret());
  assert.equal((await guess(11, unknown, '127.0.0.1')).sort(), [...times(10, 401), 429]);
  const nonsense = () => `Bearer ${newSecret()}`;
  assert.equal((await guess(11, nonsense, '127.0.0.1')).sort(), [...times(10, 401), 429]);
});

test('an address has sixty wrong credentials a minute over all accounts, and they lock out no existing account', async () => {
  let names = 0;
  const madeUp = () => {
    names += 1;
    return basic(`name-${names}`, newSecret());
  };
  const from = '127.0.0.1';
  assert.equal(await guess(60, madeUp, from), times(60, 401));
  assert.equal(await guess(1, madeUp, from), [429]);
  assert.is((await ask('/tags', { from })).status, 200, 'reading without credentials goes on');
  const right = { from, authorization: daybook.authorization('author') };
  assert.is((await ask('/tags', right)).status, 200, 'what was never verified before');
  const ofEditor = () => basic('editor', newSecret());
  assert.equal(await guess(4, ofEditor, from), [...times(3, 401), 429]);
  const token = { from, authorization: daybook.authorization('editor') };
  assert.is((await ask('/tags', token)).status, 200, 'guessing at a login locks out no token of it');
});

test('the same wrong credential many times at once is found out once', async () => {
  const other = () => `Bearer ${wrongToken(daybook.userId('author'), UNKNOWN_CREDENTIAL)}`;
  const wrong = other();
  assert.equal(await guess(30, () => wrong), times(30, 401));
  assert.equal(await guess(9, other), times(9, 401));
  assert.equal(await guess(1, other), [429]);
});

test('after ten wrong passwords of an event an address is refused for it, by id, by slug and in lists', async () => {
  const { id, slug } = await daybook.created('author', 'events', someEvent({ title: 'Feast', password: 'right' }));
  for (let wrong = 0; wrong < 10; wrong += 1)
    assert.is((await ask(`/events/${id}?password=wrong-${wrong}`)).status, 403);
  const refused = await ask(`/events/${id}?password=wrong-again`);
  assert.equal([refused.status, refused.code], [429, 'rest_rate_limited']);
  assert.ok(Number(refused.headers['retry-after']) <= 60);
  assert.is((await ask(`/events/by-slug/${slug}?password=another`)).status, 429);
  assert.is((await ask(`/events?password=another`)).status, 429);
  assert.is((await ask(`/events/${id}?password=right`)).status, 429, 'the right one would tell that it is right');
  assert.is((await ask(`/events/${id}?password=wrong-3`)).status, 403, 'what is known to be wrong tells nothing');
  assert.is((await ask(`/events/${id}?password=right`, { from: '203.0.113.10' })).status, 200);
  assert.is((await ask('/events')).status, 200, 'without a password');
});

test('a reader with the right password keeps reading while another client behind the same address guesses', async () => {
  const { id } = await daybook.created('author', 'events', someEvent({ password: 'right' }));
  assert.is((await ask(`/events/${id}?password=right`)).status, 200);
  for (let wrong = 0; wrong < 11; wrong += 1) await ask(`/events/${id}?password=wrong-${wrong}`);
  assert.is((await ask(`/events/${id}?password=right`)).status, 200);
});

test('deleting verifies no password, so nothing can be guessed by it', async () => {
  const { id } = await daybook.created('author', 'events', someEvent({ password: 'right' }));
  for (let turn = 0; turn < 12; turn += 1)
    assert.is((await ask(`/events/${id}?password=w-${turn}`, { method: 'DELETE' })).status, 401, 'nothing is verified');
  assert.is((await ask(`/events/${id}?password=right`)).status, 200);
});

test.run();
