// The whole way of a token of a single sign-on: from the header to the rights of its bearer.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOON, startTestService, type TestService } from '../support/service.ts';
import { AUDIENCE, ISSUER, issuedKey, type KeyServer, signed, startKeyServer } from '../support/sign-on.ts';

interface Context {
  daybook: TestService;
  server: KeyServer;
}

const test = suite<Context>('single sign-on over the API');

const key = await issuedKey('ES256', 'one');

test.before.each(async (context) => {
  context.server = await startKeyServer([key]);
  context.daybook = await startTestService({
    environment: {
      DAYBOOK_JWT_ISSUER: ISSUER,
      DAYBOOK_JWT_AUDIENCE: AUDIENCE,
      DAYBOOK_JWKS_URL: context.server.url,
      DAYBOOK_JWT_ROLE_CLAIM: 'groups',
      DAYBOOK_JWT_ROLES: 'admins=administrator, staff=editor',
    },
  });
});
test.after.each(async ({ daybook, server }) => {
  await daybook.close();
  await server.close();
});

const bearer = async (claims: object = {}) => {
  const said = { role: undefined, groups: ['staff'], preferred_username: 'ann', name: 'Ann Field', ...claims };
  return { authorization: `Bearer ${await signed(key, NOON, said)}` };
};

const write = async ({ daybook }: Context, claims: object = {}) =>
  daybook.request('anonymous', 'POST', '/tags', { name: `Tag ${JSON.stringify(claims)}` }, await bearer(claims));

test('a bearer signs in, with the rights of the role, as a user of the log', async (context) => {
  const { daybook } = context;
  assert.is((await write(context)).status, 201);
  const me = await daybook.get('/users/me', 'anonymous', await bearer());
  const { id, single_sign_on, ...rest } = me.body;
  assert.equal(single_sign_on, { issuer: ISSUER, subject: 'ann' });
  assert.equal([rest.login, rest.name, rest.role, rest.credentials], ['ann', 'Ann Field', 'editor', []]);
  const { body } = await daybook.get(`/users/${id}/history`, 'administrator');
  assert.equal(
    body.history.map(({ summary, actor }: { summary: string; actor: object }) => [summary, actor]),
    [
      [`Bound to the subject ann of the issuer ${ISSUER}.`, { id: null, name: 'single sign-on' }],
      ['Added as “ann” with the role editor.', { id: null, name: 'single sign-on' }],
    ],
  );
});

test('the role of a request is that of its token', async (context) => {
  const { daybook } = context;
  const list = async (claims: object) => (await daybook.get('/users', 'anonymous', await bearer(claims))).status;
  assert.is(await list({}), 403);
  assert.is(await list({ groups: ['staff', 'admins'], iat: NOON + 1 }), 200);
  assert.is(await list({}), 403);
  const { users } = (await daybook.get('/users?search=ann', 'administrator')).body;
  assert.equal([users.length, users[0].role], [1, 'administrator'], 'as the newest token said');
});

test('what is wrong with a token is not revealed, except for a missing role', async (context) => {
  const { daybook } = context;
  for (const claims of [{ aud: 'shop' }, { exp: NOON - 60 }, { iss: 'https://login.example' }]) {
    const refused = await write(context, claims);
    assert.equal([refused.status, refused.body.code], [401, 'rest_invalid_token']);
    assert.is(refused.headers['www-authenticate'], 'Bearer');
    assert.not.match(refused.text, /aud|expired|issuer|key/i);
  }
  const none = await write(context, { groups: ['guests'] });
  assert.equal([none.status, none.body.code], [403, 'rest_no_role']);
  assert.is((await daybook.get('/users', 'administrator')).body.total, 7, 'no user was added');
});

test('a bearer whose user was removed is refused', async (context) => {
  const { daybook } = context;
  const { id } = (await daybook.get('/users/me', 'anonymous', await bearer())).body;
  assert.is((await daybook.request('administrator', 'DELETE', `/users/${id}`)).status, 200);
  // The log is asked twice a second whether there is news of a user.
  const removedAt = performance.now();
  let answer = await daybook.get('/users/me', 'anonymous', await bearer());
  // Until then the caller is known, and the user is not found.
  while (answer.status !== 403) {
    assert.ok(performance.now() - removedAt < 1_000, 'within a second');
    answer = await daybook.get('/users/me', 'anonymous', await bearer());
  }
  assert.equal([answer.status, answer.body.code], [403, 'rest_user_removed']);
});

test('without keys the bearer is asked to come again, application tokens sign in', async (context) => {
  const { daybook, server } = context;
  server.publish(null);
  const refused = await write(context);
  assert.equal(
    [refused.status, refused.body.code, refused.headers['retry-after']],
    [503, 'rest_sign_on_unavailable', '5'],
  );
  assert.is((await daybook.get('/users/me', 'editor')).status, 200);
});

test('a bearer may take an application token for the role that is recorded', async ({ daybook }) => {
  const headers = await bearer();
  const { id } = (await daybook.get('/users/me', 'anonymous', headers)).body;
  const issued = await daybook.request('anonymous', 'POST', `/users/${id}/credentials`, { label: 'script' }, headers);
  assert.is(issued.status, 201);
  const own = await daybook.get('/users/me', 'anonymous', { authorization: `Bearer ${issued.body.password}` });
  assert.equal([own.body.login, own.body.role], ['ann', 'editor']);
});

test.run();

const plain = suite('without a single sign-on');

plain('a web token is no application token', async () => {
  const daybook = await startTestService();
  try {
    const refused = await daybook.get('/users/me', 'anonymous', await bearer());
    assert.equal([refused.status, refused.body.code], [401, 'incorrect_password']);
  } finally {
    await daybook.close();
  }
});

plain.run();
