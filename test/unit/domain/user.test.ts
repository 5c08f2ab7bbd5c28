import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Decision, evolveAll, UnexpectedFact } from '../../../src/domain/decider.ts';
import {
  addUser,
  bindIdentity,
  changeUser,
  evolveUser,
  followClaims,
  issueCredential,
  isUsableAdministrator,
  namesOf,
  removeUser,
  revokeCredential,
  type UserAccount,
  type UserFact,
  type UserProfile,
} from '../../../src/people/users/domain/user.ts';

const test = suite('user');

const ANN: UserProfile = { login: 'Ann', email: 'ann@example.org', name: 'Ann Field', role: 'author' };
const ADDED: UserFact = { type: 'UserAdded', data: { id: 7, ...ANN } };
const issuedFact = (id: number): UserFact => ({
  type: 'UserCredentialIssued',
  data: { credential: { id, label: 'phone', hash: `hash ${id}` } },
});
const revokedFact = (credentialId: number): UserFact => ({ type: 'UserCredentialRevoked', data: { credentialId } });

function given(...facts: UserFact[]): UserAccount {
  const user = evolveAll(evolveUser, null, facts, 1000);
  if (!user) throw new Error('these facts make no user');
  return user;
}

const thenFacts = (decision: Decision<UserFact>, facts: readonly UserFact[]): void =>
  assert.equal(decision, { kind: 'accepted', facts });

const thenRefused = (decision: Decision<UserFact>, code: string): void =>
  assert.equal(decision, { kind: 'rejected', rejection: { code } });

const thenInvalid = (decision: Decision<UserFact>, parameter: string): void =>
  assert.equal(decision, { kind: 'rejected', rejection: { code: 'invalid_parameter', parameter } });

test('a new user has the given fields and no credential', () => {
  thenFacts(addUser(7, ANN), [ADDED]);
  assert.equal(given(ADDED), { id: 7, ...ANN, credentials: [], lastCredential: 0 });
});

test('a user needs no e-mail', () => {
  thenFacts(addUser(7, { ...ANN, email: '' }), [{ type: 'UserAdded', data: { id: 7, ...ANN, email: '' } }]);
});

for (const login of ['', ' ', ' ann', 'ann ', 'an:n', 'an\nn', 'a'.repeat(61)])
  test(`a login cannot be ${JSON.stringify(login)}`, () => thenInvalid(addUser(7, { ...ANN, login }), 'login'));

for (const login of ['a', 'Ann Field', 'ann@example.org', 'żółw', 'a'.repeat(60)])
  test(`a login can be ${JSON.stringify(login)}`, () => assert.is(addUser(7, { ...ANN, login }).kind, 'accepted'));

for (const email of ['ann', '@example.org', 'ann@', 'ann @example.org', 'a@b@c', 'a:b@example.org'])
  test(`an e-mail cannot be ${JSON.stringify(email)}`, () => thenInvalid(addUser(7, { ...ANN, email }), 'email'));

test('a name is not blank', () => thenInvalid(addUser(7, { ...ANN, name: ' ' }), 'name'));

test('a user signs in by login and e-mail in any case', () => {
  assert.equal(namesOf(ANN), ['ann', 'ann@example.org']);
  assert.equal(namesOf({ login: 'Ann', email: '' }), ['ann']);
  assert.equal(namesOf({ login: 'A@B.org', email: 'a@b.ORG' }), ['a@b.org']);
});

test('credentials are numbered from 1 and record when they were issued', () => {
  thenFacts(issueCredential(given(ADDED), { label: 'phone', hash: 'hash 1' }), [issuedFact(1)]);
  assert.equal(given(ADDED, issuedFact(1)).credentials, [{ id: 1, label: 'phone', hash: 'hash 1', issued: 1000 }]);
});

test('the number of a revoked credential is not given again', () => {
  const user = given(ADDED, issuedFact(1), issuedFact(2), revokedFact(2));
  assert.equal(
    user.credentials.map(({ id }) => id),
    [1],
  );
  thenFacts(issueCredential(user, { label: 'phone', hash: 'hash 3' }), [issuedFact(3)]);
});

test('a credential has a label', () => thenInvalid(issueCredential(given(ADDED), { label: ' ', hash: 'x' }), 'label'));

test('one credential is revoked and the others stay good', () => {
  thenFacts(revokeCredential(given(ADDED, issuedFact(1), issuedFact(2)), 1), [revokedFact(1)]);
});

test('revoking all revokes every valid credential, of which there may be none', () => {
  const user = given(ADDED, issuedFact(1), issuedFact(2), revokedFact(1), issuedFact(3));
  thenFacts(revokeCredential(user, 'all'), [revokedFact(2), revokedFact(3)]);
  thenFacts(revokeCredential(given(ADDED), 'all'), []);
});

test('a credential that is not good any more cannot be revoked', () => {
  thenRefused(revokeCredential(given(ADDED, issuedFact(1), revokedFact(1)), 1), 'credential_not_found');
  thenRefused(revokeCredential(given(ADDED, issuedFact(1)), 2), 'credential_not_found');
});

test('a change gives a fact per difference', () => {
  const user = given(ADDED);
  thenFacts(changeUser(user, { role: 'author', name: 'Ann Field' }), []);
  const facts: UserFact[] = [
    { type: 'UserRoleChanged', data: { role: 'editor' } },
    { type: 'UserRenamed', data: { name: 'Ann Meadow' } },
    { type: 'UserEmailChanged', data: { email: '' } },
  ];
  thenFacts(changeUser(user, { role: 'editor', name: 'Ann Meadow', email: '' }), facts);
  const changed = given(ADDED, ...facts);
  assert.equal([changed.role, changed.name, changed.email, changed.login], ['editor', 'Ann Meadow', '', 'Ann']);
});

test('a changed e-mail must be one', () => thenInvalid(changeUser(given(ADDED), { email: 'ann' }), 'email'));

const IDENTITY = { issuer: 'https://login.example', subject: 'f00' };
const BOUND: UserFact = { type: 'UserIdentityBound', data: { ...IDENTITY, claimed: 500 } };

test('a user is bound to one identity, once', () => {
  thenFacts(bindIdentity(given(ADDED), IDENTITY, 500), [BOUND]);
  const bound = given(ADDED, BOUND);
  assert.equal([bound.identity, bound.claimed], [IDENTITY, 500]);
  thenInvalid(bindIdentity(bound, { ...IDENTITY, subject: 'bar' }, 600), 'identity');
});

test('only newer claims of an issuer are adopted', () => {
  const bound = given(ADDED, BOUND);
  const said = { role: 'editor', name: 'Ann Meadow' } as const;
  const facts: UserFact[] = [
    { type: 'UserRoleChanged', data: { role: 'editor', claimed: 501 } },
    { type: 'UserRenamed', data: { name: 'Ann Meadow', claimed: 501 } },
  ];
  thenFacts(followClaims(bound, { ...said, claimed: 501 }), facts);
  thenFacts(followClaims(bound, { ...said, claimed: 500 }), []);
  thenFacts(followClaims(bound, { role: 'author', name: 'Ann Field', claimed: 501 }), []);
  const followed = given(ADDED, BOUND, ...facts);
  assert.equal([followed.role, followed.name, followed.claimed], ['editor', 'Ann Meadow', 501]);
  thenFacts(followClaims(followed, { role: 'author', name: 'Ann Field', claimed: 501 }), []);
});

test('what the issuer calls a user must be a name', () =>
  thenInvalid(followClaims(given(ADDED, BOUND), { role: 'author', name: ' ', claimed: 501 }), 'name'));

test('an administrator is of use with a credential', () => {
  const promoted: UserFact = { type: 'UserRoleChanged', data: { role: 'administrator' } };
  assert.not(isUsableAdministrator(null));
  assert.not(isUsableAdministrator(given(ADDED, issuedFact(1))));
  assert.not(isUsableAdministrator(given(ADDED, promoted)));
  assert.ok(isUsableAdministrator(given(ADDED, promoted, issuedFact(1))));
  assert.not(isUsableAdministrator(given(ADDED, promoted, issuedFact(1), revokedFact(1))));
});

test('a removed user is gone', () => {
  thenFacts(removeUser(), [{ type: 'UserRemoved', data: {} }]);
  assert.is(evolveAll(evolveUser, given(ADDED), [{ type: 'UserRemoved', data: {} }], 1000), null);
});

test('facts without a user, or of an unknown type, are not folded', () => {
  assert.throws(
    () => evolveUser(null, issuedFact(1), 1000),
    (error: unknown) => error instanceof UnexpectedFact,
  );
  const unknown = { type: 'UserKnighted', data: {} } as unknown as UserFact;
  assert.throws(
    () => evolveUser(given(ADDED), unknown, 1000),
    (error: unknown) => error instanceof UnexpectedFact,
  );
});

test.run();
