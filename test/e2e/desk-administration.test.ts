// What administrators do at the desk: users, tokens, sessions, rules of review, settings. Without script, over HTTP.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noteBackup } from '../../src/kernel/files/backup-mark.ts';
import { VERSION } from '../../src/version.ts';
import { formOf, signedIn, textAreasOf, type Visitor, visitorOf } from '../support/desk.ts';
import { formWith, png } from '../support/pictures.ts';
import { startTestService, type TestService, temporaryFolder } from '../support/service.ts';

let data: ReturnType<typeof temporaryFolder>;

const test = suite<{ daybook: TestService; visitor: Visitor }>('administration at the desk');

test.before(async (context) => {
  data = temporaryFolder();
  const environment = { DAYBOOK_LANGUAGE: 'en', DAYBOOK_DATA_DIR: data.folder };
  context.daybook = await startTestService({ environment });
  context.visitor = await signedIn(context.daybook, 'administrator');
});
test.after(async ({ daybook }) => {
  await daybook.close();
  data.remove();
});

const addUser = async (visitor: Visitor, login: string) => {
  const list = await visitor.get('/desk/users');
  return visitor.post('/desk/users', { ...formOf(list), login, role: 'author', name: '', email: '' });
};

test('a user is added, and gets in by the link that is shown once', async ({ daybook, visitor }) => {
  const added = await addUser(visitor, 'maria');
  assert.is(added.status, 200);
  const [, link = ''] = /http:\/\/cal\.example(\/desk\/new-password\?link=[\w-]+)/.exec(added.text) ?? [];
  const [, token = ''] = /<code>(\d+-1-[\w-]+)<\/code>/.exec(added.text) ?? [];
  const maria = visitorOf(daybook);
  const form = formOf(await maria.get(link));
  assert.is((await maria.post('/desk/new-password', { ...form, password: 'vier Worte am Stück' })).status, 303);
  assert.match((await maria.get('/desk/account')).text, 'maria');
  const [found] = (await daybook.get('/users?search=maria', 'administrator')).body.users;
  const page = await visitor.get(`/desk/users/${found.id}`);
  assert.not.match(page.text, token, 'shown once');
  assert.not.match(page.text, 'new-password?link');
});

test('what is refused is said beside its field, and nothing typed is lost', async ({ visitor }) => {
  const again = await addUser(visitor, 'maria');
  assert.is(again.status, 409);
  assert.match(again.text, 'value="maria"');
  assert.match(again.text, 'login-problem');
});

test('roles change, and what others have changed since is shown first', async ({ daybook, visitor }) => {
  const path = `/desk/users/${daybook.userId('author')}`;
  const form = { ...formOf(await visitor.get(path), path), role: 'editor' };
  assert.is((await visitor.post(path, form)).status, 303);
  assert.is((await daybook.get(`/users/${daybook.userId('author')}`, 'administrator')).body.role, 'editor');
  const late = await visitor.post(path, { ...form, role: 'subscriber' });
  assert.is(late.status, 412);
  assert.match(late.text, 'Others have changed this meanwhile');
  await visitor.post(path, { ...formOf(await visitor.get(path), path), role: 'author' });
});

test('a token is issued, shown once, opens the API, and is revoked', async ({ daybook, visitor }) => {
  const id = daybook.userId('contributor');
  const path = `/desk/users/${id}`;
  const form = { ...formOf(await visitor.get(path), `${path}/tokens`), label: 'booking system' };
  const issued = await visitor.post(`${path}/tokens`, form);
  const [, token = ''] = /<code>([^<]+)<\/code>/.exec(issued.text) ?? [];
  const asProgram = { authorization: `Bearer ${token}` };
  assert.is((await daybook.get('/users/me', 'anonymous', asProgram)).body.id, id);
  const twice = await visitor.post(`${path}/tokens`, form);
  assert.not.match(twice.text, token);
  assert.match(twice.text, 'It was shown before');
  const revoking = { ...formOf(await visitor.get(path), `${path}/tokens/revoke`), token: token.split('-')[1] ?? '' };
  assert.is((await visitor.post(`${path}/tokens/revoke`, revoking)).status, 303);
  assert.is((await daybook.get('/users/me', 'anonymous', asProgram)).status, 401);
});

test('a webhook shows its secret once, and others are not overwritten', async ({ daybook, visitor }) => {
  const list = '/desk/webhooks';
  const form = {
    ...formOf(await visitor.get(list), list),
    url: 'https://hooks.example/in',
    'kinds[]': ['event', 'venue'],
  };
  const added = await visitor.post(list, { ...form, types: 'TagRenamed' });
  assert.is(added.status, 200);
  assert.match(added.text, /<code>whsec_[^<]+<\/code>/);
  const twice = await visitor.post(list, { ...form, types: 'TagRenamed' });
  assert.not.match(twice.text, 'whsec_');
  assert.match(twice.text, 'It was shown before');
  const { webhooks } = (await daybook.get('/webhooks', 'administrator')).body;
  assert.equal(
    webhooks.map(({ filters }: { readonly filters: { readonly types: object } }) => filters.types),
    [['event', 'venue', 'TagRenamed']],
  );
  const path = `${list}/${webhooks[0].id}`;
  const opened = formOf(await visitor.get(path), path);
  assert.is((await visitor.post(path, { ...opened, name: 'Mine' })).status, 303);
  const late = await visitor.post(path, { ...opened, name: 'Theirs' });
  assert.is(late.status, 412);
  assert.match(late.text, 'Others have changed this meanwhile');
  assert.match(late.text, 'value="Mine"');
  const refused = await visitor.post(list, { ...form, url: 'http://localhost/', _key: 'another' });
  assert.is(refused.status, 400);
  assert.match(refused.text, 'url-problem');
  const editor = await signedIn(daybook, 'editor');
  assert.not.match((await editor.get('/desk')).text, list);
  for (const address of [list, path]) assert.is((await editor.get(address)).status, 403);
});

test('sessions of others are listed and ended', async ({ daybook, visitor }) => {
  const editor = await signedIn(daybook, 'editor');
  assert.is((await editor.get('/desk')).status, 200);
  const path = `/desk/users/${daybook.userId('editor')}`;
  const page = await visitor.get(path);
  assert.is((await visitor.post(`${path}/sessions`, formOf(page, `${path}/sessions`))).status, 303);
  assert.is((await editor.get('/desk')).status, 303, 'led to the sign-in');
});

test('the last administrator stays, and the page says why', async ({ daybook, visitor }) => {
  const path = `/desk/users/${daybook.userId('administrator')}`;
  const refused = await visitor.post(`${path}/remove`, formOf(await visitor.get(path), `${path}/remove`));
  assert.is(refused.status, 409);
  assert.match(refused.text, 'last administrator');
});

test('the installation on one page: what is behind, old or failing, and its versions', async ({ daybook, visitor }) => {
  const { status, text } = await visitor.get('/desk/system');
  assert.is(status, 200, text);
  assert.match(text, 'Behind the log by 0 s');
  assert.match(text, 'None was made from here');
  assert.match(text, `Daybook ${VERSION} · Node ${process.versions.node}`);
  await noteBackup(daybook.config.dataDir, new Date(daybook.clock.at * 1000).toISOString());
  assert.match((await visitor.get('/desk/system')).text, /Last backup<\/p><p class="hint">[^<]*Nov 20, 2026/);
  assert.not.match((await visitor.get('/desk/system')).text, 'None was made from here');
  assert.is((await (await signedIn(daybook, 'editor')).get('/desk/system')).status, 403);
});

test('a user is removed', async ({ daybook, visitor }) => {
  const path = `/desk/users/${daybook.userId('otherAuthor')}`;
  assert.is((await visitor.post(`${path}/remove`, formOf(await visitor.get(path), `${path}/remove`))).status, 303);
  assert.is((await visitor.get(path)).status, 404);
});

test('rules of review are set with a reason, and are in the history below', async ({ daybook, visitor }) => {
  const page = await visitor.get('/desk/rules');
  const form = { ...formOf(page, '/desk/rules'), ...textAreasOf(page) };
  const set = { ...form, 'events-author': 'review', 'events-notice': 'true', _reason: 'After the mix-up' };
  assert.is((await visitor.post('/desk/rules', set)).status, 303);
  const { events, venues } = (await daybook.get('/policy', 'author')).body;
  assert.equal(
    [events.author, events.notice, events.editor, venues.author],
    ['review', 'required', 'direct', 'direct'],
  );
  assert.match((await visitor.get('/desk/rules')).text, 'After the mix-up');
});

test('rules that lock out are said at their role, with what was chosen', async ({ visitor }) => {
  const page = await visitor.get('/desk/rules');
  const form = { ...formOf(page, '/desk/rules'), ...textAreasOf(page) };
  const refused = await visitor.post('/desk/rules', { ...form, 'tags-editor': 'review', 'tags-approvals': '9' });
  assert.is(refused.status, 409);
  assert.match(refused.text, 'id="tags-editor-problem"');
  assert.is(formOf(refused, '/desk/rules')['tags-approvals'], '9');
});

test('those who write read the rules and may not set them', async ({ daybook }) => {
  const author = await signedIn(daybook, 'author');
  const page = await author.get('/desk/rules');
  assert.is(page.status, 200);
  assert.match(page.text, 'disabled');
  const form = { ...formOf(page, '/desk/rules'), ...textAreasOf(page) };
  assert.is((await author.post('/desk/rules', form)).status, 403);
  assert.is((await author.get('/desk/users')).status, 403);
});

test('settings: a logo and a colour; one that is too pale is refused with one that is not', async ({
  daybook,
  visitor,
}) => {
  const place = '/desk/settings';
  const fields = formOf(await visitor.get(place), place);
  assert.is(fields.accent, '#8a2f1c', 'the usual one');
  const form = await formWith(await png(600, 200), { ...fields, accent: '#ffcc00' }, 'image_file');
  const pale = await visitor.raw(place, form.body, form.headers);
  assert.is(pale.status, 400);
  assert.match(
    pale.text,
    /id="accent-problem">#ffcc00 is too pale to be read: its contrast is 1\.3:1, and 4\.5:1 is needed\. #/,
  );
  const kept = formOf(pale, place);
  assert.match(kept.logo ?? '', /^\d+$/, 'the file is uploaded and kept');
  const [, better = ''] = /needed\. (#[0-9a-f]{6})/.exec(pale.text) ?? [];
  assert.is((await visitor.post(place, { ...kept, accent: better })).status, 303);
  const home = (await daybook.get('//')).text;
  assert.match(home, `--accent:${better}`);
  assert.match(home, /<img src="\/media\/[^"]+"/);
  const again = formOf(await visitor.get(place), place);
  assert.equal([again.logo, again.accent], [kept.logo, better]);
  assert.is((await visitor.post(place, { ...again, logo: '', accent: '#8a2f1c' })).status, 303);
  const { body } = await daybook.get('/settings', 'administrator');
  assert.equal([body.logo, body.accent], [null, null]);
});

test('settings: a currency is its code, and another word is refused beside it', async ({ daybook, visitor }) => {
  const place = '/desk/settings';
  const fields = formOf(await visitor.get(place), place);
  assert.is(fields.currency, '');
  const refused = await visitor.post(place, { ...fields, currency: 'Fr.' });
  assert.is(refused.status, 400);
  assert.match(refused.text, /id="currency-problem">[^<]*EUR/);
  assert.is(formOf(refused, place).currency, 'Fr.');
  assert.is((await visitor.post(place, { ...formOf(refused, place), currency: 'chf' })).status, 303);
  assert.is((await daybook.get('/settings', 'administrator')).body.currency, 'CHF');
  assert.match((await visitor.get(place)).text, 'currency: – → CHF');
  assert.is((await visitor.post(place, { ...formOf(await visitor.get(place), place), currency: '' })).status, 303);
  assert.is((await daybook.get('/settings', 'administrator')).body.currency, null);
});

test('settings: links are lines, and a wrong one is said beside them', async ({ daybook, visitor }) => {
  const page = await visitor.get('/desk/settings');
  const form = { ...formOf(page, '/desk/settings'), ...textAreasOf(page) };
  const links = 'Town hall https://town.example/\nTourist office https://visit.example/';
  assert.is((await visitor.post('/desk/settings', { ...form, links, site_name: 'Lantern Bay' })).status, 303);
  assert.match((await daybook.get('//')).text, '>Tourist office</a>');
  const late = await visitor.post('/desk/settings', { ...form, site_name: 'Other' });
  assert.is(late.status, 412);
  const fresh = await visitor.get('/desk/settings');
  assert.match(fresh.text, 'Fixed by DAYBOOK_LANGUAGE');
  const wrong = { ...formOf(fresh, '/desk/settings'), links: 'no address' };
  const refused = await visitor.post('/desk/settings', wrong);
  assert.is(refused.status, 400);
  assert.match(refused.text, 'links-problem');
  assert.match(refused.text, '>no address</textarea>');
});

test('what to do first is listed for administrators until it is done', async ({ daybook, visitor }) => {
  assert.match((await visitor.get('/desk')).text, 'What to do first');
  assert.not.match((await (await signedIn(daybook, 'author')).get('/desk')).text, 'What to do first');
});

test.run();
