import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { openNewestRevisions } from '../../../src/people/auth/newest-revisions.ts';
import { openBearers, type SignOnClaims } from '../../../src/people/auth/single-sign-on.ts';
import { admitBearer, type Newcomer } from '../../../src/people/users/commands/sign-on.ts';
import { allUsers } from '../../../src/people/users/commands/user-changes.ts';
import { addUser, removeUser, updateUser } from '../../../src/people/users/commands/users.ts';
import { someContext, someMetadata } from '../../support/events.ts';

const test = suite('bearers of a single sign-on');

const NOW = 1_800_000_000;
const ANN: SignOnClaims = {
  issuer: 'https://login.example',
  subject: 'f00-ann',
  role: 'editor',
  claimed: NOW,
  name: 'Ann Field',
  login: 'ann',
  email: 'ann@example.org',
};

function setUp(store: EventStore = openSqliteEventStore({ file: ':memory:' })) {
  const dependencies = { store, newEventId: randomUUID };
  const admit = (newcomer: Partial<Newcomer> = {}) => admitBearer(dependencies, someMetadata, { ...ANN, ...newcomer });
  const factsOf = async (id: number) => (await store.readStream(`user-${id}`)).map(({ type }) => type);
  const addLocal = async (login: string, email = '') => {
    const local = { ...dependencies, newSecret: () => 'x'.repeat(24), hashSecret: async () => 'hash' };
    const profile = { login, email, name: login, label: 'phone', role: 'administrator' } as const;
    const added = await addUser(local, someContext, profile);
    if (added.kind === 'rejected') throw new Error(added.rejection.code);
    return added.written.id;
  };
  return { store, dependencies, admit, factsOf, addLocal };
}

test('at the first time a user is added, bound to the issuer, without a credential', async () => {
  const { admit, factsOf } = setUp();
  const admitted = await admit();
  assert.equal(admitted, {
    user: {
      id: 1,
      login: 'ann',
      email: 'ann@example.org',
      name: 'Ann Field',
      role: 'editor',
      credentials: [],
      lastCredential: 0,
      identity: { issuer: ANN.issuer, subject: ANN.subject },
      claimed: NOW,
    },
    revision: 1,
  });
  assert.equal(await factsOf(1), ['UserAdded', 'UserIdentityBound']);
});

test('later it is the same user, whatever login and e-mail address the issuer names', async () => {
  const { admit, factsOf } = setUp();
  await admit();
  const again = await admit({ claimed: NOW + 60, login: 'bob', email: 'bob@example.org' });
  assert.equal([again?.user.id, again?.user.login, again?.user.email], [1, 'ann', 'ann@example.org']);
  assert.is((await factsOf(1)).length, 2);
});

test('the same subject of another issuer is another user', async () => {
  const { admit } = setUp();
  await admit();
  assert.is((await admit({ issuer: 'https://other.example' }))?.user.id, 2);
});

test('a local user with that login and e-mail is never taken over', async () => {
  const { admit, addLocal, store } = setUp();
  const local = await addLocal('Ann', 'ANN@example.org');
  const admitted = await admit();
  assert.is.not(admitted?.user.id, local);
  assert.equal([admitted?.user.login, admitted?.user.email], ['ann-2', '']);
  const [first] = await allUsers(store);
  assert.equal([first?.id, first?.login, first?.role, first?.identity], [local, 'Ann', 'administrator', undefined]);
});

const logins: readonly (readonly [Partial<Newcomer>, string])[] = [
  [{ login: undefined }, 'ann'],
  [{ login: undefined, email: undefined }, 'f00-ann'],
  [{ login: 'a:b\u0007c' }, 'a-b-c'],
  [{ login: '  ', email: undefined, subject: 'x'.repeat(200) }, 'x'.repeat(50)],
  [{ login: 'ann@example.org' }, 'ann@example.org'],
];
for (const [said, expected] of logins)
  test(`${JSON.stringify(said)} becomes the login ${expected}`, async () => {
    const { admit } = setUp();
    const admitted = await admit(said);
    assert.is(admitted?.user.login, expected);
  });

test('an invalid e-mail address is left out', async () => {
  const { admit } = setUp();
  assert.is((await admit({ email: 'ann at home' }))?.user.email, '');
});

test('a changed role and name are recorded once, and an older token does not undo them', async () => {
  const { admit, factsOf } = setUp();
  await admit();
  const newer = { claimed: NOW + 60, role: 'author', name: 'Ann Meadow' } as const;
  for (let count = 0; count < 3; count++) await admit(newer);
  const older = await admit({ claimed: NOW + 30 });
  assert.equal([older?.user.role, older?.user.name], ['author', 'Ann Meadow']);
  assert.equal((await factsOf(1)).slice(2), ['UserRoleChanged', 'UserRenamed']);
  await admit({ claimed: NOW + 90, name: undefined });
  assert.equal((await factsOf(1)).slice(4), ['UserRoleChanged']);
});

test('a removed user does not come back by the single sign-on', async () => {
  const { admit, dependencies, store } = setUp();
  await admit();
  await removeUser(dependencies, someContext, 1);
  assert.is(await admit({ claimed: NOW + 60 }), null);
  assert.equal(await allUsers(store), []);
});

test('of many that come at once, in several processes, one user is made', async () => {
  const { store } = setUp();
  const processes = [setUp(store), setUp(store)];
  const users = await Promise.all(
    Array.from({ length: 10 }, (_, at) => processes[at % 2]?.admit({ claimed: NOW + at })),
  );
  assert.is(new Set(users.map((one) => one?.user.id)).size, 1);
  const all = await allUsers(store);
  assert.equal(
    all.map(({ login }) => login),
    ['ann'],
  );
});

/** Bearers as a process admits them, with the number of times it asked. */
function setUpBearers() {
  const { admit, store, dependencies } = setUp();
  const time = { elapsed: 0 };
  let asked = 0;
  const newest = openNewestRevisions({
    async revisionOf({ id }) {
      const [last] = await store.readStream(`user-${id}`, { direction: 'backwards', limit: 1 });
      return last?.revision ?? null;
    },
    elapsed: () => time.elapsed,
  });
  const bearer = openBearers({
    newest,
    admit(claims) {
      asked += 1;
      return admit(claims);
    },
  });
  return { bearer, dependencies, store, time, asked: () => asked };
}

test('a known bearer is not looked up again, and has the role of the token', async () => {
  const { bearer, asked } = setUpBearers();
  const ann = { id: 1, login: 'ann', name: 'Ann Field' };
  assert.equal(await bearer(ANN), { ...ann, role: 'editor' });
  assert.equal(await bearer({ ...ANN, claimed: NOW - 60, role: 'subscriber' }), { ...ann, role: 'subscriber' });
  assert.is(asked(), 1);
  assert.equal(await bearer({ ...ANN, claimed: NOW + 60, role: 'author' }), { ...ann, role: 'author' });
  assert.equal(await bearer({ ...ANN, claimed: NOW + 90, role: 'author' }), { ...ann, role: 'author' });
  assert.is(asked(), 2);
});

test('an administrator decides about the recorded role, not about that of a request', async () => {
  const { bearer, dependencies, time } = setUpBearers();
  await bearer(ANN);
  await updateUser(dependencies, someContext, 1, { role: 'subscriber' });
  time.elapsed += 500;
  assert.is((await bearer(ANN))?.role, 'editor');
});

test('a removed bearer is refused within a second', async () => {
  const { bearer, dependencies, time } = setUpBearers();
  await bearer(ANN);
  await removeUser(dependencies, someContext, 1);
  time.elapsed += 500;
  assert.is(await bearer(ANN), null);
  assert.is(await bearer(ANN), null);
});

test('requests that come at once are admitted once', async () => {
  const { bearer, asked, store } = setUpBearers();
  await Promise.all([ANN, ANN, ANN].map(bearer));
  assert.is(asked(), 1);
  assert.is((await store.readAll({ after: LOG_START, prefixes: ['user-'], limit: 100 })).length, 2);
});

test.run();
