import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openCoordination } from '../../../src/commands/context.ts';
import type { CommandResult } from '../../../src/commands/handle-command.ts';
import { fold } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { allUsers } from '../../../src/people/users/commands/user-changes.ts';
import {
  addUser,
  type IssueResult,
  issueCredential,
  removeUser,
  revokeCredential,
  updateUser,
} from '../../../src/people/users/commands/users.ts';
import { evolveUser, isUsableAdministrator, type UserRole } from '../../../src/people/users/domain/user.ts';
import { someContext } from '../../support/events.ts';

const test = suite('commands about users');

/** Commands on an empty log. With `administrators` the last one of them is held back. */
function setUp() {
  const store = openSqliteEventStore({ file: ':memory:' });
  let secrets = 0;
  const free = {
    store,
    newEventId: randomUUID,
    newSecret: () => `secret-${++secrets}`,
    hashSecret: async (secret: string) => `hash of ${secret}`,
  };
  const administrators = async () => (await allUsers(store)).filter(isUsableAdministrator).map(({ id }) => id);
  const guarded = { ...free, administrators };
  const add = async (login: string, role: UserRole = 'author', email = '') => {
    const added = await addUser(free, someContext, { login, role, email, name: login, label: 'phone' });
    if (added.kind === 'rejected') throw new Error(added.rejection.code);
    return added.written.id;
  };
  const userOf = async (id: number) => fold(await store.readStream(`user-${id}`), evolveUser);
  return { store, free, guarded, add, userOf };
}

/** The code of a rejection, or the invalid parameter. */
const whyOf = (result: CommandResult<unknown>): string =>
  result.kind === 'rejected' ? (result.rejection.parameter ?? result.rejection.code) : result.kind;

test('a new e-mail address is taken and the old one is free, in one piece', async () => {
  const { free, add, store } = setUp();
  const ann = await add('ann', 'author', 'ann@example.org');
  await add('bob');
  const moved = await updateUser(free, someContext, ann, { email: 'Ann@new.example' });
  assert.is(moved.kind === 'written' && moved.written.state.email, 'Ann@new.example');
  assert.is(whyOf(await updateUser(free, someContext, 'bob', { email: 'ann@NEW.example' })), 'email_taken');
  assert.is(whyOf(await updateUser(free, someContext, 'bob', { email: 'ann@example.org' })), 'written');
  assert.is(whyOf(await updateUser(free, someContext, 'ann@new.example', { name: 'Ann' })), 'written');
  assert.is(whyOf(await updateUser(free, someContext, 'ann@example.org', { name: 'Bob' })), 'written');
  assert.equal(
    (await allUsers(store)).map(({ name }) => name),
    ['Ann', 'Bob'],
  );
});

test('the same address in other letters is no move', async () => {
  const { free, add } = setUp();
  const ann = await add('ann', 'author', 'ann@example.org');
  assert.is(whyOf(await updateUser(free, someContext, ann, { email: 'ANN@example.org' })), 'written');
  assert.is(whyOf(await updateUser(free, someContext, 'ann@example.org', { name: 'Ann' })), 'written');
});

test('an address that is the own login stays reserved when it is given up', async () => {
  const { free, add } = setUp();
  const ann = await add('ann@example.org', 'author', 'ann@example.org');
  await updateUser(free, someContext, ann, { email: '' });
  assert.is(whyOf(await updateUser(free, someContext, 'ann@example.org', { name: 'Ann' })), 'written');
  await add('bob');
  assert.is(whyOf(await updateUser(free, someContext, 'bob', { email: 'ann@example.org' })), 'email_taken');
});

test('of two concurrent requests for one address one gets it', async () => {
  const { free, add } = setUp();
  const ids = [await add('ann'), await add('bob')];
  const outcomes = await Promise.all(ids.map((id) => updateUser(free, someContext, id, { email: 'both@example.org' })));
  assert.equal(outcomes.map(whyOf).sort(), ['email_taken', 'written']);
});

test('what cannot be is refused, and nothing is written', async () => {
  const { free, add, store } = setUp();
  const ann = await add('ann');
  const before = await store.head();
  assert.is(whyOf(await updateUser(free, someContext, ann, { email: 'ann' })), 'email');
  assert.is(whyOf(await updateUser(free, someContext, ann, { name: ' ' })), 'name');
  assert.is(whyOf(await updateUser(free, someContext, 77, { name: 'Ann' })), 'user_not_found');
  assert.is(whyOf(await updateUser(free, someContext, 'carol', { name: 'Ann' })), 'user_not_found');
  assert.is(
    whyOf(await updateUser(free, { ...someContext, ifRevision: 0 }, ann, { name: 'Ann' })),
    'precondition_failed',
  );
  assert.is(whyOf(await updateUser(free, { ...someContext, ifRevision: 1 }, ann, {})), 'written');
  assert.is(await store.head(), before);
});

test('a removed user is gone; the names are free, the id is not', async () => {
  const { free, add, userOf } = setUp();
  const ann = await add('ann', 'author', 'ann@example.org');
  const removed = await removeUser(free, someContext, 'ANN');
  assert.is(removed.kind === 'written' && removed.written.state.login, 'ann', 'the answer tells who it was');
  assert.is(await userOf(ann), null);
  for (const reference of [ann, 'ann', 'ann@example.org'])
    assert.is(whyOf(await issueCredential(free, someContext, reference, 'phone')), 'user_not_found');
  assert.is(whyOf(await removeUser(free, someContext, ann)), 'user_not_found');
  assert.is(await add('ann', 'author', 'ann@example.org'), ann + 1);
  const wished = { login: 'bob', role: 'author', email: '', name: 'bob', label: 'phone', id: ann } as const;
  assert.is(whyOf(await addUser(free, someContext, wished)), 'id_taken');
});

test('reserved names other than logins refer to no user', async () => {
  const { free, add } = setUp();
  await add('ann');
  assert.is(whyOf(await removeUser(free, someContext, 'sso:0')), 'user_not_found');
});

const departures = [
  ['removed', (deps: Guarded, id: number) => removeUser(deps, someContext, id)],
  ['given another role', (deps: Guarded, id: number) => updateUser(deps, someContext, id, { role: 'editor' })],
  ['deprived of every credential', (deps: Guarded, id: number) => revokeCredential(deps, someContext, id, 'all')],
  ['deprived of the last credential', (deps: Guarded, id: number) => revokeCredential(deps, someContext, id, 1)],
] as const;

type Guarded = ReturnType<typeof setUp>['guarded'];

for (const [what, depart] of departures) {
  test(`the last administrator cannot be ${what}, unless that is forced`, async () => {
    const { guarded, free, add, userOf, store } = setUp();
    const ann = await add('ann', 'administrator');
    await add('bob', 'editor');
    const before = await store.head();
    assert.is(whyOf(await depart(guarded, ann)), 'last_administrator');
    assert.is(await store.head(), before);
    assert.ok(isUsableAdministrator(await userOf(ann)));
    assert.is(whyOf(await depart(free as Guarded, ann)), 'written');
  });

  test(`an administrator beside another one can be ${what}`, async () => {
    const { guarded, add } = setUp();
    const ann = await add('ann', 'administrator');
    await add('bob', 'administrator');
    assert.is(whyOf(await depart(guarded, ann)), 'written');
  });

  test(`two administrators cannot both be ${what} at once`, async () => {
    const { guarded, add, store } = setUp();
    const ids = [await add('ann', 'administrator'), await add('bob', 'administrator')];
    const outcomes = await Promise.all(ids.map((id) => depart(guarded, id)));
    assert.equal(outcomes.map(whyOf).sort(), ['last_administrator', 'written']);
    assert.is((await allUsers(store)).filter(isUsableAdministrator).length, 1);
  });
}

test('an administrator without a credential does not count', async () => {
  const { guarded, free, add } = setUp();
  const ann = await add('ann', 'administrator');
  const bob = await add('bob', 'administrator');
  await revokeCredential(free, someContext, bob, 'all');
  assert.is(whyOf(await removeUser(guarded, someContext, ann)), 'last_administrator');
  assert.is(whyOf(await removeUser(guarded, someContext, bob)), 'written', 'who cannot sign in is no loss');
});

test('an administrator keeps one of several credentials', async () => {
  const { guarded, add } = setUp();
  const ann = await add('ann', 'administrator');
  await issueCredential(guarded, someContext, ann, 'tablet');
  assert.is(whyOf(await revokeCredential(guarded, someContext, ann, 1)), 'written');
  assert.is(whyOf(await revokeCredential(guarded, someContext, ann, 2)), 'last_administrator');
});

test('only users who are administrators in the log count', async () => {
  const { free, add } = setUp();
  const ann = await add('ann', 'administrator');
  const bob = await add('bob', 'editor');
  const lagging = { ...free, administrators: async () => [ann, bob, 77] };
  assert.is(whyOf(await removeUser(lagging, someContext, ann)), 'last_administrator');
});

/** A log that writes stream by stream and is told where to break off. */
function breakingOff(store: EventStore, at: (stream: string) => boolean): EventStore {
  return {
    ...store,
    async append(appends) {
      const written = [];
      for (const append of appends) {
        if (at(append.stream)) throw new Error('cut off');
        const outcome = await store.append([append]);
        if (outcome.kind === 'conflict') return outcome;
        written.push(...outcome.written);
      }
      return { kind: 'appended', written };
    },
  };
}

test('a departure that is under way counts, and one that came to nothing does not for long', async () => {
  const { guarded, add, store } = setUp();
  const ann = await add('ann', 'administrator');
  const bob = await add('bob', 'administrator');
  const broken = { ...guarded, store: breakingOff(store, (stream) => stream === `user-${ann}`) };
  await removeUser(broken, someContext, ann).catch(() => {});
  assert.is(whyOf(await removeUser(guarded, someContext, bob)), 'last_administrator', 'ann may be gone any moment');
  const later = { ...someContext, now: someContext.now + 61 };
  assert.is(whyOf(await removeUser(guarded, later, bob)), 'written');
});

const KEYED = { ...someContext, idempotencyKey: 'k' };
const PROFILE = { login: 'ann', role: 'author', email: '', name: 'ann', label: 'phone' } as const;
const secretOf = (result: IssueResult): string | null =>
  result.kind === 'written' ? result.written.secret : result.rejection.code;

test('a repeated request adds one user and does not repeat the secret', async () => {
  const { free, store } = setUp();
  const outcomes = await Promise.all([1, 2].map(() => addUser(free, KEYED, PROFILE)));
  const third = await addUser(free, KEYED, { ...PROFILE, login: 'bob' });
  assert.equal([...outcomes, third].map(secretOf).filter((one) => one === null).length, 2);
  assert.is(third.kind === 'written' && third.written.state.login, 'ann');
  assert.is(secretOf(third), null);
  assert.is((await allUsers(store)).length, 1);
  const secret = outcomes.map(secretOf).find(Boolean) ?? '';
  const told = JSON.stringify([third, await store.readAll({ after: '', limit: 100 })]);
  assert.not.ok(told.replaceAll(`hash of ${secret}`, '').includes(secret));
});

test('a request that the same one overtakes between two reads is answered as it', async () => {
  for (const at of [1, 2, 3]) {
    const { free, store } = setUp();
    let reads = 0;
    const readStream: EventStore['readStream'] = async (stream, options) => {
      if (stream.startsWith('slug-user') && ++reads === at) await addUser(free, KEYED, PROFILE);
      return store.readStream(stream, options);
    };
    const answer = await addUser({ ...free, store: { ...store, readStream } }, KEYED, PROFILE);
    assert.is(secretOf(answer), at > reads ? 'secret-1' : null, `at read ${at}`);
    assert.is((await allUsers(store)).length, 1);
  }
});

test('a repeated request issues one credential', async () => {
  const { free, add, userOf } = setUp();
  const ann = await add('ann');
  const outcomes = await Promise.all([1, 2].map(() => issueCredential(free, KEYED, ann, 'tablet')));
  assert.is(outcomes.map(secretOf).filter((one) => one === null).length, 1);
  assert.equal(
    outcomes.map((one) => (one.kind === 'rejected' ? 0 : one.written.credential)),
    [2, 2],
  );
  assert.is((await userOf(ann))?.credentials.length, 2);
});

test('writers of one user take turns: all are written, each in one append', async () => {
  const { free, add, store, userOf } = setUp();
  const ann = await add('ann');
  let appends = 0;
  const append: EventStore['append'] = (batch) => {
    appends += 1;
    return store.append(batch);
  };
  const together = { ...free, ...openCoordination(), store: { ...store, append } };
  const outcomes = await Promise.all(
    Array.from({ length: 32 }, () => issueCredential(together, someContext, ann, 'x')),
  );
  assert.equal([...new Set(outcomes.map(whyOf))], ['written']);
  assert.is((await userOf(ann))?.credentials.length, 33);
  assert.is(appends, 32);
});

test('a key that led to something else is refused', async () => {
  const { free, add } = setUp();
  await addUser(free, KEYED, PROFILE);
  const [bob, carl] = [await add('bob'), await add('carl')];
  const other = { ...someContext, idempotencyKey: 'other' };
  await issueCredential(free, other, bob, 'x');
  assert.is(whyOf(await issueCredential(free, other, carl, 'x')), 'Idempotency-Key');
  assert.is(whyOf(await addUser(free, other, { ...PROFILE, login: 'dan' })), 'Idempotency-Key');
  assert.is(whyOf(await issueCredential(free, KEYED, 1, 'x')), 'Idempotency-Key');
});

test.run();
