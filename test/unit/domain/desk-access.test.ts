import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Decision, evolveAll } from '../../../src/domain/decider.ts';
import {
  type DeskFact,
  endSession,
  isPassword,
  issueResetLink,
  isUsableLink,
  MAX_SESSIONS,
  RESET_LINK_SECONDS,
  SESSION_SECONDS,
  setPassword,
  startSession,
} from '../../../src/people/users/domain/desk-access.ts';
import { evolveUser, type UserAccount, type UserFact } from '../../../src/people/users/domain/user.ts';

const test = suite('access to the desk');

const ADDED: UserFact = { type: 'UserAdded', data: { id: 7, login: 'ann', email: '', name: 'Ann', role: 'author' } };
const ISSUED: UserFact = { type: 'UserCredentialIssued', data: { credential: { id: 1, label: 'phone', hash: 'h' } } };
const ERASED: UserFact = { type: 'UserErased', data: {} };
const started = (id: number, more: object = {}): UserFact => ({
  type: 'UserSessionStarted',
  data: { session: { id, digest: `digest ${id}`, ...more } },
});
const AT = 1_000_000;

const given = (...facts: readonly UserFact[]): UserAccount => then(null, AT, ...facts);

function then(user: UserAccount | null, at: number, ...facts: readonly UserFact[]): UserAccount {
  const after = evolveAll(evolveUser, user, facts, at);
  if (!after) throw new Error('these facts make no user');
  return after;
}

const factsOf = (decision: Decision<DeskFact>): readonly DeskFact[] => {
  if (decision.kind === 'rejected') throw new Error(decision.rejection.code);
  return decision.facts;
};

const idsOf = ({ sessions = [] }: UserAccount): number[] => sessions.map(({ id }) => id);

test('a user without any of it is as before', () => {
  assert.equal(Object.keys(given(ADDED)), ['id', 'login', 'email', 'name', 'role', 'credentials', 'lastCredential']);
});

test('a password has 12 to 1,000 characters, however many bytes they take', () => {
  for (const [password, isFit] of [
    ['x'.repeat(11), false],
    ['x'.repeat(12), true],
    ['日'.repeat(12), true],
    ['😀'.repeat(11), false],
    ['x'.repeat(1_000), true],
    ['x'.repeat(1_001), false],
  ] as const)
    assert.is(isPassword(password), isFit, `${password.length} units`);
});

test('a password ends all sessions and the link', () => {
  const user = given(ADDED, started(1), started(2), ...factsOf(issueResetLink(given(ADDED), 'd')));
  const after = then(user, AT, ...factsOf(setPassword(user, 'hash')));
  assert.equal([after.passwordHash, after.sessions, 'resetLink' in after], ['hash', [], false]);
});

test('sessions are numbered on, also after the last one has ended', () => {
  const user = given(ADDED, started(1), { type: 'UserSessionEnded', data: { sessionId: 1 } });
  assert.equal(factsOf(startSession(user, { digest: 'd' })), [
    { type: 'UserSessionStarted', data: { session: { id: 2, digest: 'd' } } },
  ]);
});

test('one session ends, or all of them; an unknown one is refused', () => {
  const user = given(ADDED, started(1), started(2));
  assert.equal(idsOf(then(user, AT, ...factsOf(endSession(user, 1)))), [2]);
  assert.equal(idsOf(then(user, AT, ...factsOf(endSession(user, 'all')))), []);
  assert.equal(endSession(user, 3).kind, 'rejected');
});

test('revoking a token ends the sessions that were started with it, and no others', () => {
  const user = given(ADDED, ISSUED, started(1, { credential: 1 }), started(2), started(3, { credential: 2 }));
  assert.equal(idsOf(then(user, AT, { type: 'UserCredentialRevoked', data: { credentialId: 1 } })), [2, 3]);
});

test('sessions that have run out are left out when another one starts, and the oldest beyond the limit', () => {
  const user = given(ADDED, started(1));
  assert.equal(idsOf(then(user, AT + SESSION_SECONDS - 1, started(2))), [1, 2]);
  assert.equal(idsOf(then(user, AT + SESSION_SECONDS, started(2))), [2]);
  const many = Array.from({ length: MAX_SESSIONS + 1 }, (_, at) => started(at + 1));
  assert.equal([idsOf(given(ADDED, ...many)).length, idsOf(given(ADDED, ...many))[0]], [MAX_SESSIONS, 2]);
});

test('a link is usable for a day, and only the last one', () => {
  const user = given(
    ADDED,
    ...factsOf(issueResetLink(given(ADDED), 'one')),
    ...factsOf(issueResetLink(given(ADDED), 'two')),
  );
  assert.equal([isUsableLink(user, 'one', AT), isUsableLink(user, 'two', AT + RESET_LINK_SECONDS - 1)], [false, true]);
  assert.is(isUsableLink(user, 'two', AT + RESET_LINK_SECONDS), false);
});

test('an erased user has neither, and gets none', () => {
  const user = given(ADDED, started(1), ...factsOf(setPassword(given(ADDED), 'hash')), started(2), ERASED);
  assert.equal([user.passwordHash, user.sessions, user.resetLink], [undefined, undefined, undefined]);
  for (const refused of [setPassword(user, 'h'), issueResetLink(user, 'd'), startSession(user, { digest: 'd' })])
    assert.is(refused.kind, 'rejected');
});

test.run();
