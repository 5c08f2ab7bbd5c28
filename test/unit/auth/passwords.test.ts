import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  hashPassword,
  newSecret,
  parseToken,
  tokenText,
  unmatchableHash,
  verifyPassword,
} from '../../../src/people/auth/passwords.ts';

const test = suite('passwords');

test('a secret has 24 characters, and no two are alike', () => {
  const secrets = new Set(Array.from({ length: 500 }, newSecret));
  assert.is(secrets.size, 500);
  for (const secret of secrets) assert.match(secret, /^[2-9a-zA-Z]{24}$/);
  const letters = new Set([...secrets].join(''));
  assert.is(letters.size, 57, 'every character of the alphabet comes up');
});

test('a token reads back as what it was made of', () => {
  const token = { user: 7, credential: 2, secret: newSecret() };
  assert.equal(parseToken(tokenText(token)), token);
});

test('blanks in a token are ignored anywhere', () => {
  const expected = { user: 12, credential: 3, secret: 'abcdEFGH2345jkmnPQRS6789' };
  assert.equal(parseToken(' 12-3- abcd EFGH 2345 jkmn PQRS 6789 '), expected);
});

for (const text of [
  '',
  '1-1-short',
  `1-1-${'a'.repeat(25)}`,
  `0-1-${'a'.repeat(24)}`,
  `1-${'a'.repeat(24)}`,
  'a'.repeat(24),
])
  test(`${JSON.stringify(text)} is not a token`, () => assert.is(parseToken(text), null));

test('a password is the one of its hash and of no other', async () => {
  const hash = await hashPassword('correct horse');
  assert.ok(await verifyPassword('correct horse', hash));
  assert.not(await verifyPassword('correct horsE', hash));
  assert.not(await verifyPassword('', hash));
});

test('the same password has another hash each time, which has its parameters and not the password', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  assert.is.not(one, other);
  assert.match(one, /^\$scrypt\$ln=14,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
  assert.not.match(one, 'horse');
});

test('a hash of another cost is compared at the cost it names', async () => {
  const cheap = '$scrypt$ln=4,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$';
  const { scryptSync } = await import('node:crypto');
  const key = scryptSync('old', Buffer.from('0123456789abcdef'), 32, { N: 16, r: 8, p: 1 });
  assert.ok(await verifyPassword('old', cheap + key.toString('base64url')));
  assert.not(await verifyPassword('new', cheap + key.toString('base64url')));
});

for (const stored of [
  '',
  'correct horse',
  '$scrypt$ln=30,r=8,p=1$AAAA$AAAA',
  `$scrypt$ln=14,r=0,p=1$AAAA$${'A'.repeat(43)}`,
])
  test(`${JSON.stringify(stored)} is the hash of nothing`, async () =>
    assert.not(await verifyPassword('correct horse', stored)));

test('an unmatchable hash has the form of a real one and matches nothing', async () => {
  const [unmatchable, real] = [unmatchableHash(), await hashPassword('x')];
  assert.is(unmatchable.length, real.length);
  assert.is(unmatchable.slice(0, 22), real.slice(0, 22));
  assert.not(await verifyPassword('', unmatchable));
});

test.run();
