// How long a refusal takes must not tell what was wrong. What takes time is deriving a key, so that is counted.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openAuthenticator } from '../../../src/people/auth/credentials.ts';
import { hashPassword, newSecret, tokenText, verifyPassword } from '../../../src/people/auth/passwords.ts';
import { logOf, openUserViews } from './user-views.ts';

const test = suite('time that a refusal takes');

const SECRET = newSecret();
const HASH = await hashPassword(SECRET);

/** Ann, user 7, with one credential; Bob, user 8, with none. */
function setUp() {
  const views = openUserViews();
  const ann = { id: 7, login: 'ann', email: 'ann@example.org', name: 'Ann', role: 'author' } as const;
  views.record(
    7,
    { type: 'UserAdded', data: ann },
    { type: 'UserCredentialIssued', data: { credential: { id: 1, label: 'phone', hash: HASH } } },
  );
  views.record(8, { type: 'UserAdded', data: { ...ann, id: 8, login: 'bob', email: '', name: 'Bob' } });
  const costs: string[] = [];
  const authenticate = openAuthenticator({
    readModel: views,
    log: logOf(views),
    elapsed: () => 0,
    cacheForMs: 1_000,
    verify: (password, hash) => {
      costs.push(hash.split('$').slice(0, 3).join('$'));
      return verifyPassword(password, hash);
    },
  });
  return { authenticate, costs };
}

const basic = (login: string, password: string) => `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
const token = (user: number, credential = 1) => tokenText({ user, credential, secret: newSecret() });

const REFUSED: readonly (readonly [string, string])[] = [
  ['a wrong secret', basic('ann', token(7))],
  ['a wrong secret, by e-mail', basic('ann@example.org', token(7))],
  ['a wrong secret alone', `Bearer ${token(7)}`],
  ['an unknown login', basic('carol', token(9))],
  ['an unknown e-mail', basic('carol@example.org', token(9))],
  ['a user who is not there', `Bearer ${token(9)}`],
  ['a credential that was never issued', `Bearer ${token(7, 2)}`],
  ['a user without credentials', `Bearer ${token(8)}`],
  ["another user's token", basic('bob', tokenText({ user: 7, credential: 1, secret: SECRET }))],
  ['what is no token', basic('ann', 'secret')],
  ['no token, by an unknown login', basic('carol', 'secret')],
  ['what is no token, alone', 'Bearer secret'],
];

for (const [what, header] of REFUSED)
  test(`${what}: one derivation of today’s cost, as for a right credential`, async () => {
    const { authenticate, costs } = setUp();
    assert.is((await authenticate(header)).kind, 'refused');
    assert.equal(costs, [HASH.split('$').slice(0, 3).join('$')]);
  });

test('a right credential takes one, too', async () => {
  const { authenticate, costs } = setUp();
  const right = await authenticate(`Bearer ${tokenText({ user: 7, credential: 1, secret: SECRET })}`);
  assert.equal([right.kind, costs.length], ['caller', 1]);
});

test('a refusal because of a limit takes none', async () => {
  const { authenticate, costs } = setUp();
  const tooMuch = () => {
    throw new Error('too much');
  };
  for (const [, header] of REFUSED) {
    const told = await authenticate(header, tooMuch).catch((error: Error) => error.message);
    assert.is(told, 'too much');
  }
  assert.equal(costs, []);
});

test.run();
