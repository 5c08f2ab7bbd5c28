import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { openAuthenticator } from '../../../src/people/auth/credentials.ts';
import { hashPassword, newSecret, tokenText, verifyPassword } from '../../../src/people/auth/passwords.ts';
import type { UserFact } from '../../../src/people/users/domain/user.ts';
import { ReadModelUnavailable } from '../../../src/read-model/read-model.ts';
import { logOf, openUserViews } from './user-views.ts';

const test = suite('credentials');

const SECRET = newSecret();
const HASH = await hashPassword(SECRET);
const TOKEN = tokenText({ user: 7, credential: 1, secret: SECRET });
const ANN = { id: 7, login: 'Ann', name: 'Ann Field', role: 'author' } as const;

const ANONYMOUS = { kind: 'caller', caller: null };
const asAnn = { kind: 'caller', caller: ANN };
const refused = (code: string) => ({ kind: 'refused', code });

const basic = (login: string, token: string) => `Basic ${Buffer.from(`${login}:${token}`).toString('base64')}`;

/** Ann, user 7, with one credential; Bob, user 8, with none. */
function setUp({ maxCached, verify = verifyPassword }: { maxCached?: number; verify?: typeof verifyPassword } = {}) {
  const views = openUserViews();
  let time = 0;
  views.record(
    7,
    { type: 'UserAdded', data: { ...ANN, email: 'ann@example.org' } },
    { type: 'UserCredentialIssued', data: { credential: { id: 1, label: 'phone', hash: HASH } } },
  );
  views.record(8, { type: 'UserAdded', data: { id: 8, login: 'bob', email: '', name: 'Bob', role: 'editor' } });
  const authenticate = openAuthenticator({
    readModel: views,
    log: logOf(views),
    elapsed: () => time,
    cacheForMs: 1000,
    verify,
    ...(maxCached === undefined ? {} : { maxCached }),
  });
  const wait = (milliseconds: number) => {
    time += milliseconds;
  };
  return { views, authenticate, wait };
}

const { authenticate } = setUp();

test('a caller without credentials is anonymous', async () => assert.equal(await authenticate(undefined), ANONYMOUS));

const malformed = [
  '',
  'Basic',
  'Basic ',
  'Basic !!!',
  basic('ann', ''),
  basic('ann', '   '),
  `Basic ${Buffer.from('no colon').toString('base64')}`,
  'Bearer',
  'Bearer  ',
  'Digest username="ann"',
  TOKEN,
];
for (const header of malformed)
  test(`${JSON.stringify(header.slice(0, 40))} counts as no credentials`, async () =>
    assert.equal(await authenticate(header), ANONYMOUS));

for (const login of ['Ann', 'ann', 'ANN', 'ann@example.org', 'Ann@Example.ORG'])
  test(`${login} and the token sign in`, async () => assert.equal(await authenticate(basic(login, TOKEN)), asAnn));

test('blanks in a token are ignored in either scheme', async () => {
  const grouped = TOKEN.replace(/(.{4})/g, '$1 ');
  assert.equal(await authenticate(basic('ann', grouped)), asAnn);
  assert.equal(await authenticate(`Bearer ${grouped}`), asAnn);
});

test('a credential that was right once is verified anew in time, and is no guess', async () => {
  const { views, authenticate, wait } = setUp();
  const tried: string[] = [];
  const refuse = ({ name }: { readonly name: string }) => {
    tried.push(name);
    throw new Error('too many were wrong');
  };
  const count = ({ name }: { readonly name: string }) => {
    tried.push(name);
    return { forgive: () => {} };
  };
  assert.equal(await authenticate(`Bearer ${TOKEN}`, count), asAnn);
  assert.equal(tried, ['user 7 credential 1']);
  wait(1_000);
  assert.equal(await authenticate(`Bearer ${TOKEN}`, refuse), asAnn);
  views.record(7, { type: 'UserCredentialRevoked', data: { credentialId: 1 } });
  assert.is((await authenticate(`Bearer ${TOKEN}`, refuse)).kind, 'refused', 'revoked all the same');
  assert.is(tried.length, 1);
  await authenticate(`Bearer ${TOKEN}`, count);
  await authenticate(basic('ann', 'nonsense'), count);
  await authenticate(basic('anonymous', 'nonsense'), count);
  assert.equal(tried.slice(1), ['user 7', 'user 7', 'name anonymous']);
});

for (const scheme of ['Bearer', 'bearer', 'BEARER'])
  test(`${scheme} with the token alone signs in`, async () =>
    assert.equal(await authenticate(`${scheme} ${TOKEN}`), asAnn));

test('an unknown login and an unknown e-mail address are different errors', async () => {
  assert.equal(await authenticate(basic('carol', TOKEN)), refused('invalid_username'));
  assert.equal(await authenticate(basic('', TOKEN)), refused('invalid_username'));
  assert.equal(await authenticate(basic('carol@example.org', TOKEN)), refused('invalid_email'));
});

const wrong = [
  tokenText({ user: 7, credential: 1, secret: newSecret() }),
  tokenText({ user: 7, credential: 2, secret: SECRET }),
  tokenText({ user: 9, credential: 1, secret: SECRET }),
  SECRET,
  'password',
];
for (const token of wrong)
  test(`${token.replace(SECRET, 'SECRET')} is a wrong token in either scheme`, async () => {
    assert.equal(await authenticate(basic('ann', token)), refused('incorrect_password'));
    assert.equal(await authenticate(`Bearer ${token}`), refused('incorrect_password'));
  });

test('another user’s token is a wrong one', async () =>
  assert.equal(await authenticate(basic('bob', TOKEN)), refused('incorrect_password')));

test('while the read model does not change, a verified credential needs no lookup of the user', async () => {
  const { views, authenticate } = setUp();
  await authenticate(`Bearer ${TOKEN}`);
  const before = views.lookups();
  assert.equal(await authenticate(`Bearer ${TOKEN}`), asAnn);
  assert.is(views.lookups(), before);
});

test('after another change the user is looked up once and trusted', async () => {
  const { views, authenticate } = setUp();
  await authenticate(basic('ann', TOKEN));
  const before = views.lookups();
  views.touch();
  assert.equal(await authenticate(basic('ann', TOKEN)), asAnn);
  assert.equal(await authenticate(basic('ann', TOKEN)), asAnn);
  assert.is(views.lookups(), before + 1);
});

test('a verification is believed for a while and then done again', async () => {
  const { views, authenticate, wait } = setUp();
  await authenticate(`Bearer ${TOKEN}`);
  const before = views.lookups();
  wait(999);
  await authenticate(`Bearer ${TOKEN}`);
  assert.is(views.lookups(), before);
  wait(1);
  assert.equal(await authenticate(`Bearer ${TOKEN}`), asAnn);
  assert.is(views.lookups(), before + 1);
});

test('a revoked credential is refused with the next request', async () => {
  const { views, authenticate } = setUp();
  assert.equal(await authenticate(`Bearer ${TOKEN}`), asAnn);
  views.record(7, { type: 'UserCredentialRevoked', data: { credentialId: 1 } });
  assert.equal(await authenticate(`Bearer ${TOKEN}`), refused('incorrect_password'));
  assert.equal(await authenticate(basic('ann', TOKEN)), refused('incorrect_password'));
});

test('a new role counts with the next request', async () => {
  const { views, authenticate } = setUp();
  await authenticate(`Bearer ${TOKEN}`);
  views.record(7, { type: 'UserRoleChanged', data: { role: 'subscriber' } });
  assert.equal(await authenticate(`Bearer ${TOKEN}`), { kind: 'caller', caller: { ...ANN, role: 'subscriber' } });
});

test('a removed user is refused with the next request', async () => {
  const { views, authenticate } = setUp();
  await authenticate(basic('ann', TOKEN));
  views.record(7, { type: 'UserRemoved', data: {} });
  assert.equal(await authenticate(basic('ann', TOKEN)), refused('invalid_username'));
});

test('a refusal is not cached: the credential may be issued meanwhile', async () => {
  const { views, authenticate } = setUp();
  const header = basic('bob', tokenText({ user: 8, credential: 1, secret: SECRET }));
  assert.equal(await authenticate(header), refused('incorrect_password'));
  const credential = { id: 1, label: 'phone', hash: HASH };
  views.record(8, { type: 'UserCredentialIssued', data: { credential } });
  const { kind, ...rest } = await authenticate(header);
  assert.is(kind, 'caller');
  assert.equal(rest, { caller: { id: 8, login: 'bob', name: 'Bob', role: 'editor' } });
});

test('a limited number of verifications is cached, the most recently used ones', async () => {
  const { views, authenticate } = setUp({ maxCached: 2 });
  const [first, second, third] = ['ann', 'Ann', 'ANN'].map((login) => basic(login, TOKEN));
  for (const header of [first, second, third]) await authenticate(header);
  const before = views.lookups();
  await authenticate(third);
  await authenticate(second);
  assert.is(views.lookups(), before);
  await authenticate(first);
  assert.is(views.lookups(), before + 1);
});

test('requests that come together are all answered rightly', async () => {
  const { authenticate } = setUp();
  const bad = `Bearer ${tokenText({ user: 7, credential: 1, secret: newSecret() })}`;
  const answers = await Promise.all(
    [`Bearer ${TOKEN}`, bad, `Bearer ${TOKEN}`, bad].map((header) => authenticate(header)),
  );
  assert.equal(answers, [asAnn, refused('incorrect_password'), asAnn, refused('incorrect_password')]);
});

test('a wrong credential that comes many times at once is verified once, and counts once', async () => {
  let verifications = 0;
  let end = (): void => {};
  const isEnding = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { authenticate } = setUp({
    async verify() {
      verifications += 1;
      await isEnding;
      return false;
    },
  });
  let counted = 0;
  const count = () => {
    counted += 1;
    return { forgive: () => {} };
  };
  const bad = `Bearer ${tokenText({ user: 7, credential: 1, secret: newSecret() })}`;
  const answers: Promise<unknown>[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    answers.push(...Array.from({ length: 6 }, () => authenticate(bad, count)));
    await nextTurn();
  }
  end();
  assert.equal(new Set((await Promise.all(answers)).map((answer) => JSON.stringify(answer))).size, 1);
  assert.equal([verifications, counted], [1, 1]);
  await authenticate(bad, count);
  assert.equal([verifications, counted], [2, 2], 'later it counts again');
});

/** Ann as before, in views that can be away, before a log that may know more. */
function setUpWithLog() {
  const views = openUserViews();
  const log = openUserViews();
  let areAway = false;
  let isLogAway = false;
  let readings = 0;
  const time = { elapsed: 0 };
  const away = () => (areAway ? Promise.reject(new ReadModelUnavailable('away')) : undefined);
  const logAway = () => (isLogAway ? Promise.reject(new EventStoreUnavailable('away')) : undefined);
  const facts: UserFact[] = [
    { type: 'UserAdded', data: { ...ANN, email: 'ann@example.org' } },
    { type: 'UserCredentialIssued', data: { credential: { id: 1, label: 'phone', hash: HASH } } },
  ];
  views.record(7, ...facts);
  log.record(7, ...facts);
  log.record(8, { type: 'UserAdded', data: { id: 8, login: 'bob', email: '', name: 'Bob', role: 'editor' } });
  const authenticate = openAuthenticator({
    readModel: {
      version: async () => (await away()) ?? views.version(),
      fetch: async (keys) => (await away()) ?? views.fetch(keys),
      findBySlug: async (kind, slug) => (await away()) ?? views.findBySlug(kind, slug),
    },
    log: {
      fetch: async (keys) => (await logAway()) ?? log.fetch(keys),
      findBySlug: async (kind, slug) => (await logAway()) ?? log.findBySlug(kind, slug),
      async revisionOf({ id }) {
        readings += 1;
        return (await logAway()) ?? log.revisionOf(id);
      },
    },
    elapsed: () => time.elapsed,
    cacheForMs: 60_000,
    verify: verifyPassword,
  });
  return {
    views,
    log,
    time,
    authenticate,
    readings: () => readings,
    takeAway: (what: { views: boolean; log?: boolean }) => {
      areAway = what.views;
      isLogAway = what.log ?? false;
    },
  };
}

const REVOKED: UserFact = { type: 'UserCredentialRevoked', data: { credentialId: 1 } };

test('without a read model the log signs in and refuses, with the same messages', async () => {
  const { authenticate, takeAway } = setUpWithLog();
  takeAway({ views: true });
  for (const header of [`Bearer ${TOKEN}`, basic('ANN', TOKEN), basic('Ann@Example.org', TOKEN)])
    assert.equal(await authenticate(header), asAnn);
  assert.equal(await authenticate(basic('carol', TOKEN)), refused('invalid_username'));
  assert.equal(await authenticate(basic('carol@example.org', TOKEN)), refused('invalid_email'));
  assert.equal(await authenticate(basic('', TOKEN)), refused('invalid_username'));
  assert.equal(await authenticate(basic('x'.repeat(101), TOKEN)), refused('invalid_username'));
  for (const token of wrong) {
    assert.equal(await authenticate(basic('ann', token)), refused('incorrect_password'));
    assert.equal(await authenticate(`Bearer ${token}`), refused('incorrect_password'));
  }
  assert.equal(await authenticate(basic('bob', TOKEN)), refused('incorrect_password'), "another user's token");
  assert.equal(await authenticate(undefined), ANONYMOUS);
});

test('cached verifications are trusted without a read model, after one check of the end of the stream', async () => {
  const { log, authenticate, takeAway, readings } = setUpWithLog();
  await authenticate(basic('ann', TOKEN));
  takeAway({ views: true });
  const before = readings();
  assert.equal(await authenticate(basic('ann', TOKEN)), asAnn);
  assert.equal([readings() - before, log.lookups()], [1, 0]);
});

test('a revocation without a read model counts at once, and stays while it is back and lags', async () => {
  const { views, log, authenticate, takeAway } = setUpWithLog();
  const other = basic('ann', TOKEN);
  for (const header of [`Bearer ${TOKEN}`, other]) assert.equal(await authenticate(header), asAnn);
  takeAway({ views: true });
  log.record(7, REVOKED);
  assert.equal(await authenticate(`Bearer ${TOKEN}`), refused('incorrect_password'));
  takeAway({ views: false });
  assert.equal(await authenticate(`Bearer ${TOKEN}`), refused('incorrect_password'));
  assert.equal(await authenticate(other), refused('incorrect_password'), 'remembered under another header');
  views.record(7, REVOKED);
  const before = log.lookups();
  assert.equal(await authenticate(`Bearer ${TOKEN}`), refused('incorrect_password'));
  assert.is(log.lookups(), before, 'views that have caught up are asked alone');
});

test('a role in the log counts without a read model', async () => {
  const { log, authenticate, takeAway } = setUpWithLog();
  await authenticate(`Bearer ${TOKEN}`);
  takeAway({ views: true });
  log.record(7, { type: 'UserRoleChanged', data: { role: 'subscriber' } });
  assert.equal(await authenticate(`Bearer ${TOKEN}`), { kind: 'caller', caller: { ...ANN, role: 'subscriber' } });
});

test('users removed or added without a read model stay so while it lags', async () => {
  const { log, authenticate, takeAway } = setUpWithLog();
  const bob = tokenText({ user: 8, credential: 1, secret: SECRET });
  takeAway({ views: true });
  log.record(7, { type: 'UserRemoved', data: {} });
  log.record(8, { type: 'UserCredentialIssued', data: { credential: { id: 1, label: 'phone', hash: HASH } } });
  const codes = async () => [await authenticate(`Bearer ${TOKEN}`), (await authenticate(`Bearer ${bob}`)).kind];
  assert.equal(await codes(), [refused('incorrect_password'), 'caller']);
  takeAway({ views: false });
  assert.equal(await codes(), [refused('incorrect_password'), 'caller']);
});

test('without the log, too, sign-in fails; with the read model alone it works', async () => {
  const { authenticate, takeAway } = setUpWithLog();
  await authenticate(`Bearer ${TOKEN}`);
  takeAway({ views: true, log: true });
  const failure = await authenticate(`Bearer ${TOKEN}`).catch((error: unknown) => error);
  assert.instance(failure, EventStoreUnavailable);
  takeAway({ views: false, log: true });
  for (const header of [`Bearer ${TOKEN}`, basic('ann', TOKEN)]) assert.equal(await authenticate(header), asAnn);
});

/** Half a second: with it, what the log said of a user has to be asked anew. */
const A_LOOK = 500;

test('a revocation counts within a second although the views never hear of it', async () => {
  const { log, time, authenticate } = setUpWithLog();
  const headers = [`Bearer ${TOKEN}`, basic('ann', TOKEN)];
  for (const header of headers) assert.equal(await authenticate(header), asAnn);
  log.record(7, REVOKED);
  time.elapsed += A_LOOK;
  for (const header of headers) assert.equal(await authenticate(header), refused('incorrect_password'));
});

test('so do a new role, a new credential and a removal', async () => {
  const { log, time, authenticate } = setUpWithLog();
  await authenticate(`Bearer ${TOKEN}`);
  log.record(7, { type: 'UserRoleChanged', data: { role: 'subscriber' } });
  time.elapsed += A_LOOK;
  const asSubscriber = { kind: 'caller', caller: { ...ANN, role: 'subscriber' } };
  assert.equal(await authenticate(`Bearer ${TOKEN}`), asSubscriber);
  assert.equal(await authenticate(`Bearer ${TOKEN}`), asSubscriber);
  const second = `Bearer ${tokenText({ user: 7, credential: 2, secret: SECRET })}`;
  assert.equal(await authenticate(second), refused('incorrect_password'));
  log.record(7, { type: 'UserCredentialIssued', data: { credential: { id: 2, label: 'tablet', hash: HASH } } });
  time.elapsed += A_LOOK;
  assert.equal(await authenticate(second), asSubscriber);
  log.record(7, { type: 'UserRemoved', data: {} });
  time.elapsed += A_LOOK;
  for (const header of [`Bearer ${TOKEN}`, second])
    assert.equal(await authenticate(header), refused('incorrect_password'));
  assert.equal(await authenticate(basic('ann', TOKEN)), refused('invalid_username'));
});

test('a login that another user has taken while the read model lags belongs to that user', async () => {
  const { log, time, authenticate } = setUpWithLog();
  await authenticate(basic('ann@example.org', TOKEN));
  log.record(7, { type: 'UserEmailChanged', data: { email: '' } });
  log.record(
    8,
    { type: 'UserEmailChanged', data: { email: 'ann@example.org' } },
    { type: 'UserCredentialIssued', data: { credential: { id: 1, label: 'phone', hash: HASH } } },
  );
  time.elapsed += A_LOOK;
  assert.equal(await authenticate(basic('ann@example.org', TOKEN)), refused('incorrect_password'));
  const bobs = tokenText({ user: 8, credential: 1, secret: SECRET });
  const outcome = await authenticate(basic('ann@example.org', bobs));
  assert.is(outcome.kind === 'caller' && outcome.caller?.login, 'bob');
});

test('while the read model is unchanged and current, no credential is verified twice', async () => {
  const { views, log, time, authenticate, readings } = setUpWithLog();
  await authenticate(`Bearer ${TOKEN}`);
  const before = [views.lookups(), log.lookups()];
  for (let count = 0; count < 10; count++) await authenticate(`Bearer ${TOKEN}`);
  assert.is(readings(), 1);
  time.elapsed += A_LOOK;
  for (let count = 0; count < 10; count++) assert.equal(await authenticate(`Bearer ${TOKEN}`), asAnn);
  assert.equal([readings(), views.lookups(), log.lookups()], [2, ...before]);
});

test.run();
