import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigError, readConfig } from '../../../src/config.ts';

const test = suite('settings of the single sign-on');

const ALL = {
  DAYBOOK_JWT_ISSUER: 'https://login.example',
  DAYBOOK_JWT_AUDIENCE: 'daybook',
  DAYBOOK_JWKS_URL: 'https://login.example/keys',
};

const problem = (environment: { readonly [name: string]: string }): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('these settings were taken');
};

test('without any of them there is no language', () => {
  assert.is(readConfig({}).signOn, null);
  assert.is(readConfig({ DAYBOOK_JWT_ISSUER: ' ', DAYBOOK_JWT_ROLES: 'admins=administrator' }).signOn, null);
});

test('with three of them the claim role says the name of a role', () => {
  assert.equal(readConfig(ALL).signOn, {
    issuer: 'https://login.example',
    audience: 'daybook',
    jwksUrl: 'https://login.example/keys',
    roleClaim: 'role',
    roles: null,
    page: null,
    client: null,
  });
});

for (const name of Object.keys(ALL) as (keyof typeof ALL)[])
  test(`without ${name} the others are useless, and that is reported once`, () => {
    const { [name]: _left, ...others } = ALL;
    const said = problem(others);
    assert.match(said, 'belong together');
    assert.not.ok(said.includes('\n'));
  });

test('values of the claim are given roles', () => {
  const { signOn } = readConfig({
    ...ALL,
    DAYBOOK_JWT_ROLE_CLAIM: 'groups',
    DAYBOOK_JWT_ROLES: 'admins=administrator, cn=staff,ou=x = editor'.replace(',ou', ';ou'),
  });
  assert.is(signOn?.roleClaim, 'groups');
  assert.equal(
    [...(signOn?.roles ?? [])],
    [
      ['admins', 'administrator'],
      ['cn=staff;ou=x', 'editor'],
    ],
  );
});

for (const roles of ['admins', 'admins=boss', '=editor', 'admins=administrator,'])
  test(`${roles} names no role, and is refused by name`, () =>
    assert.match(problem({ ...ALL, DAYBOOK_JWT_ROLES: roles }), /^DAYBOOK_JWT_ROLES: .*must be a pair/));

for (const url of ['keys', 'ftp://login.example/keys', 'https://'])
  test(`${url} is no address of keys`, () =>
    assert.match(problem({ ...ALL, DAYBOOK_JWKS_URL: url }), /^DAYBOOK_JWKS_URL /));

test('a page to sign in at is an address without a password, and needs the rest', () => {
  const page = 'https://login.example/daybook';
  assert.is(readConfig({ ...ALL, DAYBOOK_SIGN_ON_URL: page }).signOn?.page, page);
  for (const wrong of ['login', 'ftp://login.example/', 'https://ann:s3cret@login.example/'])
    assert.match(
      problem({ ...ALL, DAYBOOK_SIGN_ON_URL: wrong }),
      /^DAYBOOK_SIGN_ON_URL must be an https or http address/,
    );
  assert.match(problem({ DAYBOOK_SIGN_ON_URL: page }), 'belong together');
});

test('an address of keys with a password is refused without repeating it', () => {
  const said = problem({ ...ALL, DAYBOOK_JWKS_URL: 'https://ann:s3cret@login.example/keys' });
  assert.match(said, /^DAYBOOK_JWKS_URL must not contain a name or a password/);
  assert.not.match(said, 's3cret');
});

test('with a client people sign in at the page of the issuer, under its name', () => {
  const client = { ...ALL, DAYBOOK_SIGN_ON_CLIENT: 'desk', DAYBOOK_SIGN_ON_SECRET: 's3cret' };
  assert.equal(readConfig(client).signOn?.client, { id: 'desk', secret: 's3cret', name: 'login.example' });
  const named = { ...ALL, DAYBOOK_SIGN_ON_CLIENT: 'desk', DAYBOOK_SIGN_ON_NAME: 'Lantern Bay' };
  assert.equal(readConfig(named).signOn?.client, { id: 'desk', secret: null, name: 'Lantern Bay' });
});

test('a secret is in the variable or in a file, and never shown', () => {
  const client = { ...ALL, DAYBOOK_SIGN_ON_CLIENT: 'desk' };
  const both = { ...client, DAYBOOK_SIGN_ON_SECRET: 's3cret', DAYBOOK_SIGN_ON_SECRET_FILE: '/nowhere' };
  assert.match(problem(both), 'Set one of them');
  assert.not.match(problem(both), 's3cret');
  assert.match(
    problem({ ...client, DAYBOOK_SIGN_ON_SECRET_FILE: '/nowhere/secret' }),
    '/nowhere/secret cannot be read',
  );
});

test('a client needs the issuer, its address, and no other page', () => {
  assert.match(problem({ DAYBOOK_SIGN_ON_CLIENT: 'desk' }), 'belong together');
  assert.match(
    problem({ ...ALL, DAYBOOK_JWT_ISSUER: 'login', DAYBOOK_SIGN_ON_CLIENT: 'desk' }),
    'DAYBOOK_JWT_ISSUER must be an https or http address',
  );
  const two = { ...ALL, DAYBOOK_SIGN_ON_CLIENT: 'desk', DAYBOOK_SIGN_ON_URL: 'https://login.example/daybook' };
  assert.match(problem(two), 'Set one of them');
});

test.run();
