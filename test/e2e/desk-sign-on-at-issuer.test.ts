// Signing in at the desk with the page of an OpenID Connect provider, redirect by redirect as a browser follows them.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Visitor, visitorOf } from '../support/desk.ts';
import { CLIENT, type OpenIdProvider, SECRET, startOpenIdProvider } from '../support/openid-provider.ts';
import { type Answer, NOON, startTestService, type TestService, temporaryFolder } from '../support/service.ts';

const test = suite<{ daybook: TestService; provider: OpenIdProvider }>('signing in at the page of the issuer');

const { folder, remove } = temporaryFolder();
const START = '/desk/sign-on/start';
const CALLBACK = '/desk/sign-on/callback';
const ANN = { groups: ['staff', 'choir'], preferred_username: 'ann', name: 'Ann Field' };

const settings = ({ issuer, jwksUrl }: OpenIdProvider) => ({
  ...{ DAYBOOK_JWT_ISSUER: issuer, DAYBOOK_JWT_AUDIENCE: 'the api', DAYBOOK_JWKS_URL: jwksUrl },
  ...{ DAYBOOK_JWT_ROLE_CLAIM: 'groups', DAYBOOK_JWT_ROLES: 'admins=administrator,staff=editor' },
  ...{ DAYBOOK_SIGN_ON_CLIENT: CLIENT, DAYBOOK_SIGN_ON_NAME: 'Lantern Bay' },
});

test.before(async (context) => {
  context.provider = await startOpenIdProvider(NOON);
  const file = path.join(folder, 'secret');
  writeFileSync(file, `${SECRET}\n`);
  context.daybook = await startTestService({
    environment: { ...settings(context.provider), DAYBOOK_SIGN_ON_SECRET_FILE: file },
  });
});
test.before.each(({ provider }) => {
  provider.claims = ANN;
  provider.mood = 'well';
});
test.after(async ({ daybook, provider }) => {
  await daybook.close();
  await provider.close();
  remove();
});

/** What the cookies of an answer say, by their names. */
function cookiesOf({ headers }: Answer): ReadonlyMap<string, string> {
  const lines = headers['set-cookie']?.split(/,(?=[\w-]+=)/) ?? [];
  return new Map(lines.map((line) => [line.split('=', 1)[0] ?? '', line.split(';', 1)[0] ?? '']));
}

interface Returning {
  readonly back: URL;
  readonly cookie: string;
}

/** Goes to the page of the issuer; where it leads back to, and the cookie for that. */
async function leave(visitor: Visitor, to = '/desk/events'): Promise<Returning> {
  const begun = await visitor.get(`${START}?${new URLSearchParams({ to })}`);
  visitor.cookie = '';
  assert.is(begun.status, 303, begun.text);
  const answer = await fetch(begun.headers.location ?? '', { redirect: 'manual' });
  assert.is(answer.status, 302, await answer.text());
  return { back: new URL(answer.headers.get('location') ?? ''), cookie: cookiesOf(begun).get('daybook-sign-on') ?? '' };
}

const comeBack = (visitor: Visitor, { back, cookie }: Returning): Promise<Answer> =>
  visitor.get(`${back.pathname}${back.search}`, { cookie });

/** An answer that started nothing, and says why. */
function refused(answer: Answer, status: number, said: string): void {
  assert.is(answer.status, status);
  assert.ok(!cookiesOf(answer).has('daybook'), 'no session');
  assert.match(answer.text, new RegExp(`role="alert">[^<]*${said}`));
  assert.match(answer.text, 'name="password"', 'the form for a password');
}

test('the sign-in has a way to the issuer beside the form for a password', async ({ daybook, provider }) => {
  const visitor = visitorOf(daybook);
  const page = await visitor.get('/desk/sign-in?to=/desk/venues');
  assert.match(page.text, `href="${START}?to=%2Fdesk%2Fvenues"`);
  assert.match(page.text, 'Sign in with Lantern Bay');
  const begun = await visitor.get(START);
  const address = new URL(begun.headers.location ?? '');
  assert.is(address.href.split('?')[0], `${provider.issuer}/authorize`);
  assert.is(address.searchParams.get('redirect_uri'), `http://cal.example${CALLBACK}`);
  assert.match(begun.headers['set-cookie'] ?? '', /HttpOnly; SameSite=Lax/);
});

test('whom the issuer names is signed in with the role of the claim, and led to where they wanted', async ({
  daybook,
}) => {
  const visitor = visitorOf(daybook);
  const answer = await comeBack(visitor, await leave(visitor, '/desk/venues'));
  assert.equal([answer.status, answer.headers.location], [303, '/desk/venues']);
  visitor.cookie = cookiesOf(answer).get('daybook') ?? '';
  assert.match((await visitor.get('/desk/account')).text, 'Ann Field');
  assert.is((await visitor.get('/desk/events/new')).status, 200);
  assert.is((await visitor.get('/desk/users')).status, 403, 'an editor');
});

test('its session ends after half a day, and by signing out', async ({ daybook }) => {
  const visitor = visitorOf(daybook);
  const cookie = cookiesOf(await comeBack(visitor, await leave(visitor))).get('daybook') ?? '';
  visitor.cookie = cookie;
  daybook.clock.at = NOON + 12 * 3_600;
  assert.is((await visitor.get('/desk')).status, 303);
  daybook.clock.at = NOON;
  visitor.cookie = cookie;
  const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec((await visitor.get('/desk')).text) ?? [];
  await visitor.post('/desk/sign-out', { _csrf: token, _key: 'once' });
  visitor.cookie = cookie;
  assert.is((await visitor.get('/desk')).status, 303);
});

test('the place to be led to is one of the desk', async ({ daybook }) => {
  const visitor = visitorOf(daybook);
  const answer = await comeBack(visitor, await leave(visitor, 'https://evil.example/desk'));
  assert.equal([answer.status, answer.headers.location], [303, '/desk']);
});

test('an answer with the state of another sign-in starts nothing', async ({ daybook }) => {
  const visitor = visitorOf(daybook);
  const mine = await leave(visitor);
  const theirs = await leave(visitor);
  refused(await comeBack(visitor, { ...mine, back: theirs.back }), 400, 'another window');
  mine.back.searchParams.delete('state');
  refused(await comeBack(visitor, mine), 400, 'another window');
});

test('without the cookie of the browser that began, an answer starts nothing', async ({ daybook }) => {
  const visitor = visitorOf(daybook);
  const { back } = await leave(visitor);
  for (const cookie of ['', 'daybook-sign-on=x', 'daybook-sign-on=a.b.c.d'])
    refused(await comeBack(visitor, { back, cookie }), 400, 'another window');
});

test('an answer is good once', async ({ daybook }) => {
  const visitor = visitorOf(daybook);
  const returning = await leave(visitor);
  const first = await comeBack(visitor, returning);
  assert.is(first.status, 303);
  refused(await comeBack(visitor, returning), 400, 'used before');
  const signedIn = cookiesOf(first).get('daybook') ?? '';
  const again = await comeBack(visitor, { ...returning, cookie: `${returning.cookie}; ${signedIn}` });
  assert.equal([again.status, again.headers.location], [303, '/desk'], 'the back button');
});

for (const [what, mood, status, said] of [
  ['a code that has expired', 'codes are expired', 400, 'took too long'],
  ['a token of another sign-in', 'another nonce', 502, 'cannot be trusted'],
  ['a token that another has signed', 'signs with another key', 502, 'cannot be trusted'],
  ['a refusal', 'denies', 403, 'Lantern Bay has not let you in'],
] as const)
  test(`${what} starts nothing`, async ({ daybook, provider }) => {
    const visitor = visitorOf(daybook);
    provider.mood = mood;
    refused(await comeBack(visitor, await leave(visitor)), status, said);
  });

for (const [what, claims, status, said] of [
  ['without a role that is known here', { ...ANN, groups: ['choir'] }, 403, 'role'],
  ['for another client', { ...ANN, aud: 'another' }, 502, 'cannot be trusted'],
  ['that has expired', { ...ANN, iat: NOON - 7_200, exp: NOON - 3_600 }, 502, 'cannot be trusted'],
] as const)
  test(`a token ${what} starts nothing`, async ({ daybook, provider }) => {
    const visitor = visitorOf(daybook);
    provider.claims = claims;
    refused(await comeBack(visitor, await leave(visitor)), status, said);
  });

test('an issuer that fails on the way back is named, and the password still opens the desk', async ({
  daybook,
  provider,
}) => {
  const visitor = visitorOf(daybook);
  const returning = await leave(visitor);
  provider.mood = 'fails';
  refused(await comeBack(visitor, returning), 503, 'Lantern Bay cannot be reached');
  assert.is((await visitor.post('/desk/sign-in', visitor.credentials('editor'))).status, 303);
});

test('an issuer that is down from the beginning is named', async ({ provider }) => {
  const daybook = await startTestService({ environment: { ...settings(provider), DAYBOOK_SIGN_ON_SECRET: SECRET } });
  const visitor = visitorOf(daybook);
  provider.mood = 'fails';
  refused(await visitor.get(START), 503, 'Lantern Bay cannot be reached');
  provider.mood = 'well';
  assert.is((await visitor.get(START)).status, 303, 'afterwards');
  await daybook.close();
});

test('a wrong secret is told as an outage: people cannot mend it', async ({ provider }) => {
  const daybook = await startTestService({ environment: { ...settings(provider), DAYBOOK_SIGN_ON_SECRET: 'x' } });
  const visitor = visitorOf(daybook);
  refused(await comeBack(visitor, await leave(visitor)), 503, 'Lantern Bay cannot be reached');
  await daybook.close();
});

test('a form whose session has ended waits while its user signs in at the issuer', async ({ daybook }) => {
  const visitor = visitorOf(daybook);
  const page = await visitor.post('/desk/events', { title: 'Lantern walk', _csrf: 'x', _key: 'waiting' });
  assert.is(page.status, 401);
  assert.match(page.text, /href="\/desk\/sign-on\/start" target="_blank"/);
  const form = /<form method="post" action="\/desk\/events".*?<\/form>/s.exec(page.text)?.[0] ?? '';
  assert.match(form, 'name="title" value="Lantern walk"');
  visitor.cookie = cookiesOf(await comeBack(visitor, await leave(visitor))).get('daybook') ?? '';
  const again = await visitor.post('/desk/events', { title: 'Lantern walk', _csrf: 'x', _key: 'waiting' });
  assert.match(again.text, 'Everything that you typed is still here');
});

test('without a client there is no such way', async ({ provider }) => {
  const { DAYBOOK_SIGN_ON_CLIENT: _left, ...others } = settings(provider);
  const daybook = await startTestService({ environment: others });
  const visitor = visitorOf(daybook);
  assert.not.match((await visitor.get('/desk/sign-in')).text, 'sign-on');
  assert.is((await visitor.get(START)).headers.location?.startsWith('/desk/sign-in'), undefined);
  await daybook.close();
});

test.run();
