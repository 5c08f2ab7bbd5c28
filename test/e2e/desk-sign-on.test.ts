// Single sign-on at the desk: the page of the issuer posts a signed token, and a session begins.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Visitor, visitorOf } from '../support/desk.ts';
import { NOON, startTestService, type TestService } from '../support/service.ts';
import { AUDIENCE, ISSUER, issuedKey, type KeyServer, signed, startKeyServer } from '../support/sign-on.ts';

const test = suite<{ daybook: TestService; server: KeyServer }>('single sign-on at the desk');

const key = await issuedKey('ES256', 'one');
const stranger = await issuedKey('ES256', 'one');
const PAGE = 'https://login.example/daybook';

const settings = (url: string) => ({
  DAYBOOK_JWT_ISSUER: ISSUER,
  DAYBOOK_JWT_AUDIENCE: AUDIENCE,
  DAYBOOK_JWKS_URL: url,
});

test.before(async (context) => {
  context.server = await startKeyServer([key]);
  context.daybook = await startTestService({
    environment: { ...settings(context.server.url), DAYBOOK_SIGN_ON_URL: PAGE },
  });
});
test.after(async ({ daybook, server }) => {
  await daybook.close();
  await server.close();
});

const FROM_ISSUER = { origin: 'https://login.example', 'sec-fetch-site': 'cross-site' };
const tokenOf = (claims: object = {}, by = key) =>
  signed(by, NOON, { role: 'editor', preferred_username: 'ann', name: 'Ann Field', ...claims });
const handOver = (visitor: Visitor, token: string, headers: { [name: string]: string } = FROM_ISSUER) =>
  visitor.post('/desk/sign-on', { token, to: '/desk/events' }, headers);

test('the sign-in leads to the page of the single sign-on', async ({ daybook }) => {
  assert.match((await visitorOf(daybook).get('/desk/sign-in')).text, `href="${PAGE}"`);
});

test('a token that the page posts starts a session of the user whom it names', async ({ daybook }) => {
  const visitor = visitorOf(daybook);
  const answer = await handOver(visitor, await tokenOf());
  assert.equal([answer.status, answer.headers.location], [303, '/desk/events']);
  assert.match((await visitor.get('/desk/account')).text, 'Ann Field');
  assert.is((await visitor.get('/desk/events/new')).status, 200);
});

test('its session lasts for half a day', async ({ daybook }) => {
  const visitor = visitorOf(daybook);
  await handOver(visitor, await tokenOf());
  const { cookie } = visitor;
  daybook.clock.at = NOON + 12 * 3_600 - 1;
  assert.is((await visitor.get('/desk')).status, 200);
  daybook.clock.at = NOON + 12 * 3_600;
  visitor.cookie = cookie;
  assert.is((await visitor.get('/desk')).status, 303);
  daybook.clock.at = NOON;
});

for (const [what, token, status] of [
  ['signed by another', tokenOf({}, stranger), 401],
  ['that has expired', tokenOf({ exp: NOON - 3_600 }), 401],
  ['without a role', tokenOf({ role: undefined }), 403],
  ['that is none', Promise.resolve('x'), 401],
] as const)
  test(`a token ${what} starts nothing`, async ({ daybook }) => {
    const visitor = visitorOf(daybook);
    const answer = await handOver(visitor, await token);
    assert.equal([answer.status, visitor.cookie], [status, '']);
    assert.match(answer.text, 'role="alert"');
  });

test('a token of an application is not handed over', async ({ daybook }) => {
  const visitor = visitorOf(daybook);
  const { password } = visitor.credentials('administrator');
  assert.equal([(await handOver(visitor, password)).status, visitor.cookie], [401, '']);
});

test('another site may not hand a token over, and the page of the sign-on may not send other forms', async ({
  daybook,
}) => {
  const visitor = visitorOf(daybook);
  const foreign = { ...FROM_ISSUER, origin: 'https://evil.example' };
  assert.is((await handOver(visitor, await tokenOf(), foreign)).status, 403);
  const typed = visitor.credentials('editor');
  assert.is((await visitor.post('/desk/sign-in', typed, FROM_ISSUER)).status, 403);
});

test('without a page of a single sign-on nothing is handed over', async ({ server }) => {
  const daybook = await startTestService({ environment: settings(server.url) });
  const visitor = visitorOf(daybook);
  const own = { origin: 'http://cal.example' };
  assert.equal([(await handOver(visitor, await tokenOf(), own)).status, visitor.cookie], [401, '']);
  assert.not.match((await visitor.get('/desk/sign-in')).text, 'login.example');
  await daybook.close();
});

test.run();
