import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Role } from '../../../src/people/auth/caller.ts';
import { type SignOnClaims, type SignOnSettings, withSingleSignOn } from '../../../src/people/auth/single-sign-on.ts';
import { AUDIENCE, ISSUER, issuedKey, type KeyServer, signed, startKeyServer, usedFor } from '../../support/sign-on.ts';

interface Context {
  server: KeyServer;
}

const test = suite<Context>('single sign-on');

const NOW = Date.UTC(2026, 5, 15, 13) / 1000;

const rsa = await issuedKey('RS256', 'rsa');
const curve = await issuedKey('ES256', 'curve');
const next = await issuedKey('ES256', 'next');

test.before.each(async (context) => {
  context.server = await startKeyServer([rsa, curve]);
});
test.after.each(({ server }) => server.close());

const refused = (code: string) => ({ kind: 'refused', code });

/** An authenticator that admits every user, and records the claims it was given. */
function setUp({ url }: KeyServer, settings: Partial<SignOnSettings> = {}, coolDownMs = 0) {
  const admitted: SignOnClaims[] = [];
  const time = { now: NOW, elapsed: 0 };
  const authenticate = withSingleSignOn(async () => refused('incorrect_password') as never, {
    settings: {
      issuer: ISSUER,
      audience: AUDIENCE,
      jwksUrl: url,
      roleClaim: 'role',
      roles: null,
      page: null,
      client: null,
      ...settings,
    },
    async admit(claims) {
      admitted.push(claims);
      return { id: 7, login: claims.subject, name: claims.name ?? '', role: claims.role };
    },
    now: () => time.now,
    elapsed: () => time.elapsed,
    coolDownMs,
  });
  return { admitted, time, bearer: (token: string) => authenticate(`Bearer ${token}`), authenticate };
}

const asEditor = { kind: 'caller', caller: { id: 7, login: 'ann', name: '', role: 'editor' as Role } };

for (const key of [rsa, curve])
  test(`a token signed by ${key.alg} is taken`, async ({ server }) => {
    const { bearer, admitted } = setUp(server);
    assert.equal(await bearer(await signed(key, NOW)), asEditor);
    assert.equal(admitted, [
      {
        issuer: ISSUER,
        subject: 'ann',
        role: 'editor',
        claimed: NOW,
        name: undefined,
        login: undefined,
        email: undefined,
      },
    ]);
  });

test('whatever has no two dots is for the application tokens', async ({ server }) => {
  const { authenticate, bearer } = setUp(server);
  assert.equal(await bearer('1-1-abcdefghijklmnopqrstuvwx'), refused('incorrect_password'));
  assert.equal(await authenticate('Basic YTpiLmMuZA=='), refused('incorrect_password'));
  assert.is(server.asked(), 0);
});

const segment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const CLAIMS = { iss: ISSUER, aud: AUDIENCE, sub: 'ann', role: 'administrator', iat: NOW, exp: NOW + 300 };

const forged: readonly (readonly [string, () => Promise<string>])[] = [
  ['unsigned', async () => `${segment({ alg: 'none' })}.${segment(CLAIMS)}.`],
  ['unsigned, in capitals', async () => `${segment({ alg: 'NONE', kid: 'rsa' })}.${segment(CLAIMS)}.`],
  [
    'with the public key for a shared secret',
    async () => {
      const content = `${segment({ alg: 'HS256', kid: 'rsa' })}.${segment(CLAIMS)}`;
      return `${content}.${createHmac('sha256', rsa.pem).update(content).digest('base64url')}`;
    },
  ],
  ['signed by PS256 with a known key', async () => signed(await usedFor(rsa, 'PS256'), NOW)],
  ['signed by RS512 with a known key', async () => signed(await usedFor(rsa, 'RS512'), NOW)],
  ['signed by EdDSA', async () => signed({ ...(await issuedKey('EdDSA', 'rsa')) }, NOW)],
  ['signed by a key of another issuer under a trusted key id', async () => signed({ ...next, kid: 'curve' }, NOW)],
  [
    'whose content was changed',
    async () => {
      const [head, , seal] = (await signed(rsa, NOW)).split('.');
      return `${head}.${segment(CLAIMS)}.${seal}`;
    },
  ],
  ['of another issuer', () => signed(rsa, NOW, { iss: 'https://login.example/other' })],
  ['without an issuer', () => signed(rsa, NOW, { iss: undefined })],
  ['for another audience', () => signed(rsa, NOW, { aud: 'shop' })],
  ['without an audience', () => signed(rsa, NOW, { aud: undefined })],
  ['that has expired', () => signed(rsa, NOW, { exp: NOW - 31 })],
  ['that never expires', () => signed(rsa, NOW, { exp: undefined })],
  ['that is not valid yet', () => signed(rsa, NOW, { nbf: NOW + 31 })],
  ['without a subject', () => signed(rsa, NOW, { sub: undefined })],
  ['with an empty subject', () => signed(rsa, NOW, { sub: '' })],
  ...([7, true, null, ['ann'], { id: 'ann' }] as const).map(
    (sub) => [`whose subject is ${JSON.stringify(sub)}`, () => signed(rsa, NOW, { sub })] as const,
  ),
  ['that is no token at all', async () => 'a.b.c'],
];
for (const [what, make] of forged)
  test(`a token ${what} is refused`, async ({ server }) => {
    const { bearer, admitted } = setUp(server);
    assert.equal(await bearer(await make()), refused('rest_invalid_token'));
    assert.equal(admitted, []);
  });

test('clocks may be half a minute apart', async ({ server }) => {
  const { bearer } = setUp(server);
  assert.is((await bearer(await signed(rsa, NOW, { exp: NOW - 29 }))).kind, 'caller');
  assert.is((await bearer(await signed(rsa, NOW, { nbf: NOW + 29 }))).kind, 'caller');
});

test('a token that was taken is refused once it has expired', async ({ server }) => {
  const { bearer, time } = setUp(server);
  const token = await signed(rsa, NOW);
  assert.is((await bearer(token)).kind, 'caller');
  time.now += 331;
  assert.equal(await bearer(token), refused('rest_invalid_token'));
});

test('one of several audiences is enough', async ({ server }) => {
  const { bearer } = setUp(server);
  assert.is((await bearer(await signed(rsa, NOW, { aud: ['shop', AUDIENCE] }))).kind, 'caller');
});

test('a key that the issuer has begun to use is fetched when it is first met', async ({ server }) => {
  const { bearer } = setUp(server);
  await bearer(await signed(rsa, NOW));
  assert.equal(await bearer(await signed(next, NOW)), refused('rest_invalid_token'));
  server.publish([rsa, next]);
  assert.is((await bearer(await signed(next, NOW))).kind, 'caller');
});

test('unknown keys are not asked for again and again', async ({ server }) => {
  const { bearer } = setUp(server, {}, 60_000);
  await bearer(await signed(rsa, NOW));
  for (let count = 0; count < 3; count++)
    assert.equal(await bearer(await signed(next, NOW)), refused('rest_invalid_token'));
  assert.is(server.asked(), 1);
});

test('while keys cannot be fetched, cached ones are valid, and others are not judged', async ({ server }) => {
  const { bearer, time } = setUp(server);
  await bearer(await signed(rsa, NOW));
  server.publish(null);
  assert.is((await bearer(await signed(rsa, NOW))).kind, 'caller');
  const asked = server.asked();
  for (let count = 0; count < 3; count++)
    assert.equal(await bearer(await signed(next, NOW)), refused('rest_sign_on_unavailable'));
  assert.is(server.asked(), asked + 1, 'a server that fails is left alone for a moment');
  server.publish([next]);
  time.elapsed += 5_000;
  assert.is((await bearer(await signed(next, NOW))).kind, 'caller');
});

test('without any key no token is refused for good', async ({ server }) => {
  const { bearer } = setUp(server);
  server.publish(null);
  assert.equal(await bearer(await signed(rsa, NOW)), refused('rest_sign_on_unavailable'));
  await server.close();
  const again = setUp(server);
  assert.equal(await again.bearer(await signed(rsa, NOW)), refused('rest_sign_on_unavailable'));
});

test('a wrong algorithm is refused although the keys cannot be fetched', async ({ server }) => {
  const { bearer } = setUp(server);
  server.publish(null);
  assert.equal(await bearer(`${segment({ alg: 'none' })}.${segment(CLAIMS)}.`), refused('rest_invalid_token'));
});

test('a key that the issuer has withdrawn is not good for ever', async ({ server }) => {
  const { bearer, time } = setUp(server);
  await bearer(await signed(rsa, NOW));
  server.publish([curve]);
  time.elapsed += 600_001;
  await bearer(await signed(curve, NOW));
  while (server.asked() < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  for (let count = 0; (await bearer(await signed(rsa, NOW))).kind === 'caller'; count++) {
    assert.ok(count < 1000);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal(await bearer(await signed(rsa, NOW)), refused('rest_invalid_token'));
});

const ROLES_SET = new Map<string, Role>([
  ['admins', 'administrator'],
  ['staff', 'editor'],
]);

const roles: readonly (readonly [string, Partial<SignOnSettings>, object, Role | null])[] = [
  ['a role by its name', {}, { role: 'author' }, 'author'],
  ['no role', {}, { role: undefined }, null],
  ['an unknown role', {}, { role: 'boss' }, null],
  ['a role that is no text', {}, { role: { administrator: true } }, null],
  ['the strongest of a list', {}, { role: ['subscriber', 'editor', 'author', 7] }, 'editor'],
  ['an empty list', {}, { role: [] }, null],
  ['a group that means a role', { roles: ROLES_SET }, { role: 'staff' }, 'editor'],
  ['the strongest of groups', { roles: ROLES_SET }, { role: ['staff', 'guests', 'admins'] }, 'administrator'],
  ['a group that means nothing', { roles: ROLES_SET }, { role: 'guests' }, null],
  ['the name of a role where groups are asked for', { roles: ROLES_SET }, { role: 'administrator' }, null],
  ['a claim of another name', { roleClaim: 'groups' }, { role: 'administrator', groups: 'author' }, 'author'],
  ['a claim inside others', { roleClaim: 'realm.roles' }, { realm: { roles: ['author'] } }, 'author'],
  ['a claim whose name has dots', { roleClaim: 'https://a.b/role' }, { 'https://a.b/role': 'author' }, 'author'],
  ['a claim that every object has', { roleClaim: 'constructor.name' }, { role: 'administrator' }, null],
];
for (const [what, settings, claims, expected] of roles)
  test(`${what} gives ${expected ?? 'none'}`, async ({ server }) => {
    const { bearer, admitted } = setUp(server, settings);
    const outcome = await bearer(await signed(rsa, NOW, { ...claims }));
    assert.equal(
      admitted.map(({ role }) => role),
      expected === null ? [] : [expected],
    );
    if (expected === null) assert.equal(outcome, refused('rest_no_role'));
  });

test('claims about the bearer are passed on, an unverified address is not', async ({ server }) => {
  const { bearer, admitted } = setUp(server);
  const said = { name: ' Ann Field ', preferred_username: 'ann', email: 'ann@example.org' };
  await bearer(await signed(rsa, NOW, { ...said, iat: NOW - 5 }));
  await bearer(await signed(rsa, NOW, { ...said, email_verified: false, name: 7, iat: undefined }));
  assert.equal(
    admitted.map(({ claimed, name, login, email }) => [claimed, name, login, email]),
    [
      [NOW - 5, 'Ann Field', 'ann', 'ann@example.org'],
      [NOW + 300, undefined, 'ann', undefined],
    ],
  );
});

test.run();
