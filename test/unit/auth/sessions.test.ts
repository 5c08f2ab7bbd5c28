// Which user a cookie stands for, whatever the state of the read model.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  formToken,
  isFormToken,
  newLongSecret,
  openSessions,
  parseSession,
  secretDigest,
  sessionText,
} from '../../../src/people/auth/sessions.ts';
import type { UserFact } from '../../../src/people/users/domain/user.ts';
import { ReadModelUnavailable } from '../../../src/read-model/read-model.ts';
import { openUserViews, type UserViews } from './user-views.ts';

const test = suite('sessions');

const NOW = Date.UTC(2026, 5, 15, 13) / 1000 + 60;
const SECRET = newLongSecret();
const COOKIE = sessionText({ user: 7, session: 1, secret: SECRET });
const ADDED: UserFact = { type: 'UserAdded', data: { id: 7, login: 'ann', email: '', name: 'Ann', role: 'editor' } };
const STARTED: UserFact = { type: 'UserSessionStarted', data: { session: { id: 1, digest: secretDigest(SECRET) } } };
const ENDED: UserFact = { type: 'UserSessionEnded', data: { sessionId: 1 } };

/** Views that may lag, and a log that does not. */
function setUp() {
  const [views, log] = [openUserViews(), openUserViews()];
  const record = (where: readonly UserViews[], ...facts: UserFact[]) => {
    for (const one of where) one.record(7, ...facts);
  };
  const clock = { elapsed: 0, isDown: false };
  const sessions = openSessions({
    readModel: {
      fetch: (keys) => (clock.isDown ? Promise.reject(new ReadModelUnavailable('down')) : views.fetch(keys)),
    },
    log: { fetch: log.fetch, revisionOf: async ({ id }) => log.revisionOf(id) },
    elapsed: () => clock.elapsed,
  });
  const nameOf = async (cookie: string | undefined = COOKIE, now = NOW) =>
    (await sessions.find(cookie, now))?.user.login;
  return { views, log, record, clock, nameOf, sessions };
}

test('a cookie stands for its user; another secret, session, or anything else for none', async () => {
  const { views, log, record, nameOf } = setUp();
  record([views, log], ADDED, STARTED);
  assert.is(await nameOf(), 'ann');
  for (const other of [
    sessionText({ user: 7, session: 1, secret: newLongSecret() }),
    sessionText({ user: 7, session: 2, secret: SECRET }),
    sessionText({ user: 8, session: 1, secret: SECRET }),
    `${COOKIE}x`,
    '',
    '7-1-',
  ])
    assert.is(await nameOf(other), undefined, other);
});

test('a session that the read model does not show yet counts; so does its end', async () => {
  const { views, log, record, clock, nameOf } = setUp();
  record([views, log], ADDED);
  record([log], STARTED);
  assert.is(await nameOf(), 'ann');
  record([views], STARTED);
  record([log], ENDED);
  clock.elapsed += 500;
  assert.is(await nameOf(), undefined);
});

test('an end that this process has written counts at once', async () => {
  const { views, log, record, nameOf, sessions } = setUp();
  record([views, log], ADDED, STARTED);
  assert.is(await nameOf(), 'ann');
  record([log], ENDED);
  assert.is(await nameOf(), 'ann', 'the log was asked a moment ago');
  sessions.note(7, 2);
  assert.is(await nameOf(), undefined);
});

test('without a read model the log answers', async () => {
  const { log, record, clock, nameOf } = setUp();
  record([log], ADDED, STARTED);
  clock.isDown = true;
  assert.is(await nameOf(), 'ann');
});

test('a removed user has no session', async () => {
  const { views, log, record, nameOf } = setUp();
  record([views, log], ADDED, STARTED, { type: 'UserRemoved', data: {} });
  assert.is(await nameOf(), undefined);
});

test('the token of forms belongs to one session', () => {
  const [one, other] = [
    parseSession(COOKIE),
    parseSession(sessionText({ user: 7, session: 1, secret: newLongSecret() })),
  ];
  if (!one || !other) throw new Error('a cookie was not understood');
  assert.ok(isFormToken(one, formToken(one)));
  assert.not.ok(isFormToken(one, formToken(other)));
  assert.not.ok(isFormToken(one, ''));
  assert.not.ok(formToken(one).includes(SECRET));
});

test.run();
