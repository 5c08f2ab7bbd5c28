// Home at the desk: what there is to do, for whom it is to be done; the menu with its counts; and looking up in all kinds.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signedIn, type Visitor } from '../support/desk.ts';
import { endOf } from '../support/ends.ts';
import { newEvent } from '../support/events.ts';
import {
  type Answer,
  type As,
  type Body,
  NOON,
  someEvent,
  startTestService,
  type TestService,
} from '../support/service.ts';

const test = suite<{ daybook: TestService }>('home at the desk');
test.before.each(async (context) => {
  context.daybook = await startTestService({ environment: { DAYBOOK_LANGUAGE: 'en' } });
});
test.after.each(({ daybook }) => daybook.close());

/** The titles in a part of the page, by the id of its heading. */
function titlesIn({ text }: Answer, heading: string): readonly string[] {
  const [, part = ''] = new RegExp(`aria-labelledby="${heading}"(.*?)</section>`, 's').exec(text) ?? [];
  return [...part.matchAll(/<p class="what"><a href="[^"]*">([^<]*)</g)].map(([, title = '']) => title);
}

const homeOf = async (daybook: TestService, as: As): Promise<Answer> => (await signedIn(daybook, as)).get('/desk');

/** Local times of the site, which is in UTC: `days` after the present day. */
const at = (days: number, time: string): string =>
  `${new Date((NOON + days * 86_400) * 1000).toISOString().slice(0, 10)} ${time}:00`;

const taking = (title: string, days: number, members: object = {}): object =>
  someEvent({ title, start_date: at(days, '19:00'), end_date: at(days, '21:00'), status: 'publish', ...members });

async function proposed(daybook: TestService, as: As, id: number, body: object): Promise<Body> {
  const answer = await daybook.request(as, 'POST', `/events/${id}/proposals`, body);
  assert.is(answer.status, 201, answer.text);
  return answer.body;
}

test('a proposal waits for who may judge it; sent back, or in conflict, for its author', async ({ daybook }) => {
  const one = await daybook.created('editor', 'events', taking('Choir', 30));
  const other = await daybook.created('editor', 'events', taking('Brass', 30));
  const sentBack = await proposed(daybook, 'contributor', one.id, { title: 'Choir of boys' });
  await proposed(daybook, 'contributor', other.id, { title: 'Brass band' });
  assert.equal(titlesIn(await homeOf(daybook, 'editor'), 'home_waiting').toSorted(), ['Brass', 'Choir']);
  const created = await daybook.request('contributor', 'POST', '/events/proposals', taking('Drums', 30));
  assert.is(created.status, 201, created.text);
  assert.ok(titlesIn(await homeOf(daybook, 'editor'), 'home_waiting').includes('Drums'), 'new ones by their own title');
  const ofAuthor = await homeOf(daybook, 'contributor');
  assert.equal(titlesIn(ofAuthor, 'home_waiting'), [], 'it waits for others');
  assert.not.match(ofAuthor.text, 'All of it', 'one’s own are not counted with what waits');
  await daybook.request('editor', 'POST', `/proposals/${sentBack.id}/request-changes`, { text: 'Which boys?' });
  await daybook.request('editor', 'PATCH', `/events/${other.id}`, { title: 'Brass quintet' });
  const own = await homeOf(daybook, 'contributor');
  assert.equal(titlesIn(own, 'home_waiting').toSorted(), ['Brass band', 'Choir of boys']);
  assert.match(own.text, 'Sent back to you');
  assert.match(own.text, 'Others changed the same');
  assert.match((await homeOf(daybook, 'otherContributor')).text, 'Nothing waits for you.');
});

test('drafts are those of the one who looks, as long as they are still to come', async ({ daybook }) => {
  await daybook.created('editor', 'events', taking('Mine', 20, { status: 'draft' }));
  await daybook.created('editor', 'events', taking('Long ago', -20, { status: 'draft' }));
  await daybook.created('author', 'events', taking('Theirs', 20, { status: 'draft' }));
  assert.equal(titlesIn(await homeOf(daybook, 'editor'), 'home_drafts'), ['Mine']);
  assert.equal(titlesIn(await homeOf(daybook, 'author'), 'home_drafts'), ['Theirs']);
  assert.equal(titlesIn(await homeOf(daybook, 'administrator'), 'home_drafts'), []);
  const editor = daybook.userId('editor');
  const ofEditor = (as: As) =>
    daybook.get(`/events?author=${editor}&status=any&start_date=2000-01-01&end_date=2100-01-01`, as);
  assert.is((await ofEditor('editor')).body.total, 2);
  assert.is((await ofEditor('author')).body.total, 0, 'drafts of others stay hidden');
});

test('the next seven days, with what happens by itself and what is at one place at one time', async ({ daybook }) => {
  const { id: hall } = await daybook.created('editor', 'venues', { venue: 'Hall', status: 'publish' });
  await daybook.created('editor', 'events', taking('Matinee', 2, { venue: [hall] }));
  await daybook.created('editor', 'events', taking('Lecture', 2, { venue: [hall], start_date: at(2, '20:00') }));
  await daybook.created(
    'editor',
    'events',
    taking('Afterwards', 2, { venue: [hall], start_date: at(2, '21:00'), end_date: at(2, '22:00') }),
  );
  await daybook.created('editor', 'events', taking('In a month', 30));
  await daybook.created('editor', 'events', taking('Announced later', 30, { status: 'future', date: at(1, '08:00') }));
  const home = await homeOf(daybook, 'editor');
  assert.equal(titlesIn(home, 'home_next'), ['Announced later', 'Matinee', 'Lecture', 'Afterwards']);
  assert.equal(titlesIn(home, 'home_wrong'), ['Matinee – Lecture'], 'who begins as another ends does not meet it');
  const author = await homeOf(daybook, 'author');
  assert.equal(titlesIn(author, 'home_next'), ['Matinee', 'Lecture', 'Afterwards']);
  assert.is(titlesIn(author, 'home_lately').length, 0, 'authors do not read the changes of others');
  assert.equal(titlesIn(home, 'home_lately').slice(0, 2), ['Announced later', 'In a month']);
});

test('what is wrong is shown to those who can mend it', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', taking('Out of order', 30));
  for (const venue of ['Guild Hall', 'Old Guild Hall'])
    await daybook.created('editor', 'venues', { venue, status: 'publish', address: '1 Quay' });
  assert.match((await homeOf(daybook, 'author')).text, 'All is well.');
  assert.equal(titlesIn(await homeOf(daybook, 'editor'), 'home_wrong'), ['Guild Hall – Old Guild Hall']);
  const user = daybook.userId('otherAuthor');
  for (const stream of [`event-${id}`, `user-${user}`]) {
    const expected = await endOf(daybook.store, stream);
    await daybook.store.append([{ stream, expected, events: [newEvent('Exploded')] }]);
  }
  await daybook.service.views.reached(await daybook.store.head(), 5_000);
  assert.equal(titlesIn(await homeOf(daybook, 'editor'), 'home_wrong'), [
    'Out of order',
    `user ${user}`,
    'Guild Hall – Old Guild Hall',
  ]);
  const system = await (await signedIn(daybook, 'administrator')).get('/desk/system');
  assert.match(system.text, `user ${user}`, 'also of a kind without a word or a page');
});

test('what leads on from drafts finds all that were counted', async ({ daybook }) => {
  for (const status of ['pending', ...Array<string>(6).fill('draft')])
    await daybook.created('author', 'events', taking(`Still ${status}`, 20, { status }));
  const author = await signedIn(daybook, 'author');
  const [, path = ''] = /<a href="([^"]*)">All of it: 7</.exec((await author.get('/desk')).text) ?? [];
  assert.match((await author.get(path.replaceAll('&amp;', '&'))).text, 'Events: 7');
});

test('the menu has five groups, and says on each page what waits', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', taking('Choir', 30));
  await proposed(daybook, 'contributor', id, { title: 'Choir of boys' });
  await proposed(daybook, 'editor', id, { title: 'My own choir' });
  const page = async (as: As, accept = 'text/html') =>
    (await (await signedIn(daybook, as)).get('/desk/venues', { accept })).text;
  const groups = (text: string): number => [...text.matchAll(/class="group"/g)].length;
  assert.is(groups(await page('administrator')), 5);
  assert.is(groups(await page('contributor')), 3, 'nothing to exchange or to set up');
  assert.match(await page('editor'), /Review<\/a><span class="count">1</, 'one’s own are not for oneself');
  assert.not.match(await page('contributor'), 'class="count"');
  assert.not.match(await page('editor', '*/*'), 'class="count"', 'what is no page is not counted for');
});

test('anything is looked up at once, within the rights of who looks', async ({ daybook }) => {
  await daybook.created('editor', 'events', taking('Harbour concert', 30));
  await daybook.created('editor', 'events', taking('Harbour draft', 30, { status: 'draft' }));
  await daybook.created('editor', 'venues', { venue: 'Harbour Hall', status: 'publish' });
  await daybook.created('editor', 'tags', { name: 'harbour' });
  const found = async (visitor: Visitor, words: string) => (await visitor.get(`/desk/find?search=${words}`)).text;
  const [editor, author] = await Promise.all([signedIn(daybook, 'editor'), signedIn(daybook, 'author')]);
  for (const title of ['Harbour concert', 'Harbour draft', 'Harbour Hall', '>harbour<'])
    assert.match(await found(editor, 'harbour'), title);
  assert.match(await found(author, 'harbour'), 'Harbour concert');
  assert.not.match(await found(author, 'harbour'), 'Harbour draft');
  assert.match(await found(editor, 'pictur'), 'href="/desk/pictures"', 'sections, too');
  assert.match(await found(editor, 'zzz'), 'Nothing matches.');
  assert.not.match(await found(editor, 'contributor'), '/desk/users/');
  assert.match(await found(await signedIn(daybook, 'administrator'), 'contributor'), '/desk/users/');
});

test.run();
