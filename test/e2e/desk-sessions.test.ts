// Signing in at the desk: sessions, their end, and forged requests.
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newLongSecret, resetLinkPath, secretDigest } from '../../src/people/auth/sessions.ts';
import { changeUser } from '../../src/people/users/commands/user-changes.ts';
import { issueResetLink } from '../../src/people/users/domain/desk-access.ts';
import { formOf, signedIn, visitorOf } from '../support/desk.ts';
import { contextAt } from '../support/events.ts';
import { markupProblems } from '../support/markup.ts';
import { startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('sessions of the desk');
test.before(async (context) => {
  context.daybook = await startTestService({ environment: { DAYBOOK_TRUST_PROXY: '1' } });
});
test.after(({ daybook }) => daybook.close());

const DAY = 86_400;

test('without a session every page leads to the sign-in, and that leads back', async ({ daybook }) => {
  const visitor = visitorOf(daybook);
  const refused = await visitor.get('/desk/account?x=1');
  assert.is(refused.status, 303);
  assert.is(refused.headers.location, '/desk/sign-in?to=%2Fdesk%2Faccount%3Fx%3D1');
  const page = await visitor.get(refused.headers.location ?? '');
  assert.is(page.status, 200);
  assert.is(page.headers['cache-control'], 'no-store');
  const entered = await visitor.post('/desk/sign-in', { ...formOf(page), ...visitor.credentials('editor') });
  assert.is(entered.headers.location, '/desk/account?x=1');
  assert.match(
    entered.headers['set-cookie'] ?? '',
    /^daybook=[\w-]+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  assert.is((await visitor.get('/desk/account')).status, 200);
});
test('a wrong password and an unknown login are answered alike, and guessing is limited', async ({ daybook }) => {
  const visitor = visitorOf(daybook);
  const guess = (login: string) => visitor.post('/desk/sign-in', { login, password: 'guessed by chance' });
  const [known, unknown] = [await guess('subscriber'), await guess('unknown-login')];
  assert.is(known.status, 401);
  assert.is(known.text.replace('subscriber', ''), unknown.text.replace('unknown-login', ''));
  for (let tries = 1; tries < 10; tries += 1) await guess('subscriber');
  const refused = await guess('subscriber');
  assert.is(refused.status, 429);
  assert.match(refused.text, 'Please wait a while, then try again.');
});

test('a page of the desk is for its own origin alone', async ({ daybook }) => {
  const { headers } = await (await signedIn(daybook, 'editor')).get('/desk', { origin: 'https://evil.example' });
  assert.is(headers['access-control-allow-origin'], undefined);
  assert.match(headers['content-security-policy'] ?? '', /default-src 'none';.*frame-ancestors 'none'/);
  assert.not.match(headers['content-security-policy'] ?? '', /unsafe/);
});

test('the cookie is no credential of the API', async ({ daybook }) => {
  const { cookie } = await signedIn(daybook, 'administrator');
  assert.is((await daybook.get('/users', 'anonymous', { cookie })).status, 401);
  const secret = cookie.split('=')[1] ?? '';
  assert.is((await daybook.get('/users', 'anonymous', { authorization: `Bearer ${secret}` })).status, 401);
  assert.is((await daybook.get('/users', 'anonymous', { authorization: `Desk ${secret}` })).status, 401);
});

test('a session runs out after 14 days, and a form of it is given back after signing in', async ({ daybook }) => {
  const visitor = await signedIn(daybook, 'author');
  const form = formOf(await visitor.get('/desk/account'), '/desk/account/password');
  daybook.clock.at += 14 * DAY - 1;
  assert.is((await visitor.get('/desk/account')).status, 200);
  daybook.clock.at += 1;
  const again = await visitor.post('/desk/account/password', { ...form, note: 'typed "with" <care>' });
  assert.is(again.status, 401);
  const entered = await visitor.post('/desk/sign-in', { ...formOf(again), ...visitor.credentials('author') });
  assert.is(entered.status, 200);
  const given = formOf(entered, '/desk/account/password');
  assert.is(given.note, 'typed "with" <care>');
  assert.is.not(given._csrf, form._csrf);
});

test('signing out and revoking another session count at once', async ({ daybook }) => {
  const [one, other] = [await signedIn(daybook, 'editor'), await signedIn(daybook, 'editor')];
  const { cookie } = one;
  const page = await other.get('/desk/account');
  assert.is(page.text.match(/action="\/desk\/account\/sessions"/g)?.length, 1, 'not for the session itself');
  const ended = await other.post('/desk/account/sessions', formOf(page, '/desk/account/sessions'));
  assert.is(ended.headers.location, '/desk/account?said=said_session_ended');
  assert.is((await one.get('/desk/account')).status, 303);
  const { cookie: kept } = other;
  await other.post('/desk/sign-out', formOf(await other.get('/desk'), '/desk/sign-out'));
  assert.is(other.cookie, '');
  for (const old of [cookie, kept]) {
    other.cookie = old;
    assert.is((await other.get('/desk')).status, 303);
  }
});

test('a form without its token is not carried out, and given back; a form of another site is not', async ({
  daybook,
}) => {
  const visitor = await signedIn(daybook, 'editor');
  const { _csrf, ...form } = formOf(await visitor.get('/desk'), '/desk/sign-out');
  for (const sent of [form, { ...form, _csrf: `${_csrf}x` }, { ...form, _csrf: '' }]) {
    const refused = await visitor.post('/desk/sign-out', sent);
    assert.is(refused.status, 403);
    assert.is(formOf(refused, '/desk/sign-out')._csrf, _csrf);
  }
  const fields = { ...form, title: 'Walk', start_date: 'today', start_date_time: '19:00', notes: 'x' };
  const { text } = await visitor.post('/desk/events', fields);
  const labels = [...text.matchAll(/<dt>(\w+)<\/dt>/g)].map(([, label]) => label);
  assert.equal(labels, ['Title', 'Start', 'Start', 'notes'], 'in the words of the form');
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    const refused = await visitor.post('/desk/sign-out', { ...form, _csrf: String(_csrf) }, headers);
    assert.is(refused.status, 403, JSON.stringify(headers));
    assert.not.ok(refused.text.includes(`value="${form._key}`));
  }
  assert.is((await visitor.get('/desk')).status, 200, 'still signed in');
});

test("a password of one's own: set with a token, changed with the old one, which ends all other sessions", async ({
  daybook,
}) => {
  const [visitor, other] = [await signedIn(daybook, 'contributor'), await signedIn(daybook, 'contributor')];
  const change = async (current: string, password: string) => {
    const form = formOf(await visitor.get('/desk/account'), '/desk/account/password');
    return visitor.post('/desk/account/password', { ...form, current, password });
  };
  const { password: token } = visitor.credentials('contributor');
  const short = await change(token, 'too short');
  assert.is(short.status, 400);
  assert.ok(short.text.includes('A password must have 12 to 1,000 characters.'));
  assert.is((await change('wrong', 'correct horse battery')).status, 400);
  assert.is((await change(token, 'correct horse battery')).headers.location, '/desk/account?said=said_password');
  assert.is((await visitor.get('/desk/account')).status, 200);
  assert.is((await other.get('/desk/account')).status, 303);
  assert.is((await change(token, 'another long password')).status, 400, 'the password is asked for from now on');
  const entered = await other.post('/desk/sign-in', { login: 'Contributor', password: 'correct horse battery' });
  assert.is(entered.status, 303);
  const basic = Buffer.from('contributor:correct horse battery').toString('base64');
  assert.is((await daybook.get('/users/me', 'anonymous', { authorization: `Basic ${basic}` })).status, 401);
});

test('revoking a token ends what was started with it; a removed user is out at once', async ({ daybook }) => {
  const added = await daybook.created('administrator', 'users', { login: 'temp', role: 'editor' });
  const visitor = visitorOf(daybook);
  const enter = (password: string) => visitor.post('/desk/sign-in', { login: 'temp', password });
  await enter(added.password);
  assert.is((await visitor.get('/desk')).status, 200);
  await daybook.request('administrator', 'DELETE', `/users/${added.id}/credentials/1`);
  assert.is((await visitor.get('/desk')).status, 303);
  const second = await daybook.created('administrator', `users/${added.id}/credentials`, { label: 'new' });
  await enter(second.password);
  assert.is((await visitor.get('/desk')).status, 200);
  await daybook.request('administrator', 'DELETE', `/users/${added.id}`);
  assert.is((await visitor.get('/desk')).status, 303);
});

test("tokens of one's own are issued, shown once and revoked, whatever the role; those of others are not", async (context) => {
  const { daybook } = context;
  const path = '/desk/account/tokens';
  for (const as of ['contributor', 'subscriber'] as const) {
    const visitor = await signedIn(daybook, as);
    const form = { ...formOf(await visitor.get('/desk/account'), path), label: 'my calendar app' };
    const issued = await visitor.post(path, form);
    const [, token = ''] = /<code>([^<]+)<\/code>/.exec(issued.text) ?? [];
    const asProgram = { authorization: `Bearer ${token}` };
    assert.is((await daybook.get('/users/me', 'anonymous', asProgram)).body.id, daybook.userId(as));
    assert.not.match((await visitor.post(path, form)).text, token);
    const page = await visitor.get('/desk/account');
    assert.match(page.text, 'my calendar app');
    const revoking = { ...formOf(page, `${path}/revoke`), token: token.split('-')[1] ?? '' };
    const other = await signedIn(daybook, 'author');
    await other.post(`${path}/revoke`, {
      ...formOf(await other.get('/desk/account'), `${path}/revoke`),
      token: revoking.token,
    });
    assert.is((await daybook.get('/users/me', 'anonymous', asProgram)).status, 200, 'it is not the token of the other');
    assert.is((await visitor.post(`${path}/revoke`, revoking)).status, 303);
    assert.is((await daybook.get('/users/me', 'anonymous', asProgram)).status, 401);
    const empty = await visitor.post(path, { ...formOf(await visitor.get('/desk/account'), path), label: '' });
    assert.is(empty.status, 400);
  }
});

test('an administrator sets a password over the API; sessions end', async ({ daybook }) => {
  const visitor = await signedIn(daybook, 'otherAuthor');
  const target = `/users/${daybook.userId('otherAuthor')}/password`;
  const short = await daybook.request('administrator', 'PUT', target, { password: 'short' });
  assert.equal([short.status, short.body.data.params.password], [400, 'A password must have 12 to 1,000 characters.']);
  const set = await daybook.request('administrator', 'PUT', target, { password: 'set by the administrator' });
  assert.is(set.status, 200);
  assert.not.ok(set.text.includes('password'));
  assert.is((await visitor.get('/desk')).status, 303);
  const entered = await visitor.post('/desk/sign-in', { login: 'otherAuthor', password: 'set by the administrator' });
  assert.is(entered.status, 303);
});

test('a link sets a password once, for a day, and signs in', async ({ daybook }) => {
  const id = daybook.userId('otherContributor');
  const issue = async () => {
    const secret = newLongSecret();
    const dependencies = { store: daybook.store, newEventId: randomUUID };
    await changeUser(dependencies, contextAt(daybook.clock.at), id, (user) =>
      issueResetLink(user, secretDigest(secret)),
    );
    return resetLinkPath(id, secret);
  };
  const visitor = visitorOf(daybook);
  const use = async (path: string, password: string) =>
    visitor.post('/desk/new-password', { ...formOf(await visitor.get(path)), password });
  const late = await issue();
  assert.equal(await markupProblems((await visitor.get(late)).text), []);
  daybook.clock.at += DAY;
  assert.is((await use(late, 'a password too late')).status, 400);
  const [replaced, link] = [await issue(), await issue()];
  assert.ok((await use(replaced, 'a password of mine')).text.includes('not valid any more'));
  assert.ok((await use(link, 'short')).text.includes('12 to 1,000 characters'));
  assert.is((await use(link, 'a password of mine')).headers.location, '/desk?said=said_password');
  assert.is((await visitor.get('/desk')).status, 200);
  assert.is((await use(link, 'a second password')).status, 400);
  assert.is((await visitor.get('/desk')).status, 200);
});

test('on an encrypted site the cookie is for this very host, and only sent encrypted', async ({ daybook }) => {
  const visitor = visitorOf(daybook);
  const encrypted = { 'x-forwarded-proto': 'https', origin: 'https://cal.example' };
  const entered = await visitor.post('/desk/sign-in', visitor.credentials('editor'), encrypted);
  assert.match(
    entered.headers['set-cookie'] ?? '',
    /^__Host-daybook=[\w-]+; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  assert.is((await visitor.get('/desk', encrypted)).status, 200);
  assert.is((await visitor.get('/desk')).status, 303, 'not without encryption');
});

test.run();
