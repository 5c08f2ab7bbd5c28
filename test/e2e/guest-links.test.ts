// Links for guests: what they open, what guests do by them, and where that is told.
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { erase } from '../../src/people/personal-data/commands/erase.ts';
import { type Fields, formOf, signedIn, type Visitor, visitorOf } from '../support/desk.ts';
import { type Answer, type Body, NOON, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService; editor: Visitor }>('links for guests');
test.before(async (context) => {
  context.daybook = await startTestService();
  context.editor = await signedIn(context.daybook, 'editor');
});
test.after(({ daybook }) => daybook.close());
test.before.each(({ daybook }) => {
  daybook.clock.at = NOON;
});

interface Made extends Body {
  readonly id: number;
  /** Below the site. */
  readonly path: string;
}

async function made(daybook: TestService, kind: string, of: number, name = 'Anna'): Promise<Made> {
  const { body, status } = await daybook.request('editor', 'POST', '/guest-links', { kind, of, name });
  assert.is(status, 201);
  return { ...body, path: new URL(body.link).pathname };
}

/** Answers as the guest does who has seen the page. */
const answered = async (guest: Visitor, path: string, typed: Fields, page?: Answer): Promise<Answer> =>
  guest.post(path, { ...formOf(page ?? (await guest.get(path)), path), ...typed });

const remarksOf = async (daybook: TestService, id: number): Promise<Body[]> =>
  (await daybook.get(`/guest-links/${id}`, 'editor')).body.remarks.map((one: Body) => `${one.step}: ${one.text}`);

test('a draft is shown as visitors would see it, commented on and approved', async ({ daybook }) => {
  const barn = await daybook.created('editor', 'venues', { venue: 'Secret Barn', status: 'draft' });
  const draft = someEvent({ title: 'Not public yet', description: 'Seven choirs', status: 'draft', venue: barn.id });
  const { id } = await daybook.created('editor', 'events', draft);
  const link = await made(daybook, 'event', id);
  const guest = visitorOf(daybook);
  const page = await guest.get(link.path);
  assert.is(page.status, 200);
  for (const text of ['Not public yet', 'Seven choirs', 'for Anna']) assert.match(page.text, text);
  assert.equal([page.headers['x-robots-tag'], page.headers['cache-control']], ['noindex, nofollow', 'no-store']);
  const empty = await answered(guest, link.path, { step: 'comment', text: ' ' });
  assert.is(empty.status, 400);
  const long = await answered(guest, link.path, { step: 'approve', text: 'x'.repeat(5_001) });
  assert.is(long.status, 400);
  assert.match(long.text, /At most 5,?000 characters\./);
  assert.match(long.text, 'x'.repeat(5_001), 'it can be shortened');
  const said = await answered(guest, link.path, { step: 'comment', text: 'Eight choirs' });
  assert.is(said.headers.location, `${link.path}?said=said_guest`);
  await answered(guest, link.path, { step: 'approve', text: '' });
  assert.equal(await remarksOf(daybook, link.id), ['comment: Eight choirs', 'approve: ']);
  assert.match((await guest.get(link.path)).text, 'Eight choirs');
  assert.is((await daybook.get(`/events/${id}`)).status, 403, 'it is as private as before');
});

test('the link opens one thing, and nothing tells a wrong one from one that is closed', async ({ daybook, editor }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Hidden draft', status: 'draft' }));
  const link = await made(daybook, 'event', id);
  const guest = visitorOf(daybook);
  const [number = '', secret = ''] = link.path.split('/').at(-1)?.split(/-(.*)/s) ?? [];
  const other = await made(daybook, 'event', id);
  const wrong = ['x', `${Number(number) + 9}-${secret}`, `${other.id}-${secret}`, `${number}-${'a'.repeat(43)}`];
  await daybook.request('editor', 'DELETE', `/guest-links/${other.id}`);
  wrong.push(other.path.split('/').at(-1) ?? '');
  const texts = await Promise.all(
    wrong.map(async (token) => {
      const { status, text } = await guest.get(`/desk/guest/${token}`);
      assert.equal([status, text.includes('Hidden draft')], [404, false], token);
      return text;
    }),
  );
  assert.is(new Set(texts).size, 1);
  const stored = JSON.stringify(await daybook.store.readStream(`guest-${link.id}`));
  assert.not.match(stored, secret);
  daybook.clock.at = NOON + 14 * 86_400;
  assert.is((await guest.get(link.path)).status, 404, 'it has run out');
  daybook.clock.at = NOON;
  await daybook.request('editor', 'DELETE', `/events/${id}`);
  assert.is((await guest.get(link.path)).status, 404, 'it is in the bin');
  assert.is((await editor.get(`/desk/guests/${link.id}`)).headers.location, `/desk/guests/event/${id}`);
});

test('revoked or changed while it is read: told at the place, and what was typed is given back', async ({
  daybook,
  editor,
}) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Read for long', status: 'draft' }));
  const link = await made(daybook, 'event', id);
  const guest = visitorOf(daybook);
  const page = await guest.get(link.path);
  await daybook.request('editor', 'PATCH', `/events/${id}`, { title: 'Read anew' });
  const changed = await answered(guest, link.path, { step: 'approve', text: 'Lovely words' }, page);
  assert.is(changed.status, 409);
  for (const text of ['Read anew', 'Lovely words', 'has changed since you opened it']) assert.match(changed.text, text);
  const place = `/desk/guests/event/${id}`;
  const revoke = `/desk/guests/${link.id}/revoke`;
  assert.is((await editor.post(revoke, formOf(await editor.get(place), revoke))).status, 303);
  const closed = await answered(guest, link.path, { step: 'approve', text: 'Lovely words' }, changed);
  assert.is(closed.status, 404);
  assert.match(closed.text, /<textarea[^>]*readonly[^>]*>Lovely words/);
  assert.equal(await remarksOf(daybook, link.id), []);
});

test('a proposal and a set are shown with what they change', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'As it was' }));
  const propose = async (path: string, members: object): Promise<number> =>
    (await daybook.request('contributor', 'POST', `/${path}/proposals`, members)).body.id;
  const barn = await daybook.created('editor', 'venues', { venue: 'Hidden Barn', status: 'draft' });
  const proposal = await propose(`events/${id}`, { title: 'As proposed' });
  const moved = await propose(`events/${id}`, { venue: barn.id });
  const venue = await propose('venues', { venue: 'Proposed Hall', city: 'Leeds' });
  const guest = visitorOf(daybook);
  const one = await made(daybook, 'proposal', proposal);
  assert.match((await guest.get(one.path)).text, 'As proposed');
  const hall = await made(daybook, 'proposal', venue);
  const told = await guest.get(hall.path);
  for (const text of ['Proposed Hall', 'Leeds']) assert.match(told.text, text);
  const set = await daybook.created('editor', 'sets', { name: 'Spring', proposals: [proposal, venue, moved] });
  const whole = await made(daybook, 'set', set.id);
  const list = await guest.get(whole.path);
  for (const text of ['Spring', 'As proposed', 'Proposed Hall']) assert.match(list.text, text);
  for (const text of ['Hidden Barn', `<ins>${barn.id}</ins>`, 'author']) assert.not.match(list.text, text);
  assert.not.match((await guest.get(`${whole.path}?proposal=${moved}`)).text, 'Hidden Barn');
  const inSet = await guest.get(`${whole.path}?proposal=${proposal}`);
  assert.match(inSet.text, 'As proposed');
  const outside = await propose(`events/${id}`, { title: 'Of no set' });
  assert.not.match((await guest.get(`${whole.path}?proposal=${outside}`)).text, 'Of no set');
  // Reading takes a while.
  daybook.clock.at += 90;
  assert.is((await answered(guest, hall.path, { step: 'comment', text: 'A fine hall' }, told)).status, 303);
  assert.is((await answered(guest, whole.path, { step: 'approve', text: 'All fine' }, list)).status, 303);
  assert.equal(await remarksOf(daybook, whole.id), ['approve: All fine']);
  const { body } = await daybook.get(`/sets/${set.id}`, 'editor');
  assert.equal(body.approvals, [], 'the rules ask for users');
});

test('it is told in the list of all changes and the signed export, without names, and erased by its key', async ({
  daybook,
  editor,
}) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ status: 'draft' }));
  const link = await made(daybook, 'event', id, 'Berta Unmistakable');
  await answered(visitorOf(daybook), link.path, { step: 'comment', text: 'From Berta' });
  const { body } = await daybook.get('/changes?kind=guest&order=desc', 'editor');
  assert.equal(
    body.changes.slice(0, 2).map((one: Body) => [one.kind, one.id, one.summary]),
    [
      ['guest', link.id, `A guest commented on event:${id}.`],
      ['guest', link.id, `Shared with a guest by a link: event:${id}.`],
    ],
  );
  assert.match((await editor.get('/desk/audit?kind=guest')).text, `href="/desk/guests/${link.id}"`);
  const page = await editor.get(`/desk/guests/event/${id}`);
  for (const text of ['Berta Unmistakable', 'From Berta']) assert.match(page.text, text);
  const administrator = await signedIn(daybook, 'administrator');
  const lines = (await administrator.get('/desk/audit/export')).text.trim().split('\n');
  const told = lines.map((line) => JSON.parse(line)).filter((one: Body) => one.kind === 'guest' && one.id === link.id);
  assert.equal(
    told.map((one: Body) => one.summary),
    [`Shared with a guest by a link: event:${id}.`, `A guest commented on event:${id}.`],
  );
  const by = { actor: { id: null, name: 'test' }, correlationId: 'erasure', causationId: 'erasure' };
  const metadata = { ...by, instant: new Date(daybook.clock.at * 1000).toISOString() };
  const { store, keys } = daybook.stores;
  const outcome = await erase({ store, keys, newEventId: randomUUID }, metadata, 'guest', link.id);
  assert.equal(outcome, { kind: 'erased' });
  const erased = await daybook.get(`/guest-links/${link.id}`, 'editor');
  assert.equal([erased.body.open, erased.body.name], [false, '[erased]']);
  assert.not.match(erased.text, 'Berta');
  assert.is((await visitorOf(daybook).get(link.path)).status, 404);
});

test('only who sees all that is not public may share it, and does so at the desk', async ({ daybook, editor }) => {
  const { id } = await daybook.created('author', 'events', someEvent({ status: 'draft' }));
  const asked = { kind: 'event', of: id };
  assert.is((await daybook.request('author', 'POST', '/guest-links', asked)).status, 403);
  assert.is((await daybook.request('anonymous', 'GET', `/guest-links?kind=event&of=${id}`)).status, 401);
  for (const kind of ['event', 'proposal', 'set'])
    assert.is((await daybook.request('editor', 'POST', '/guest-links', { kind, of: 999_999 })).status, 404, kind);
  const author = await signedIn(daybook, 'author');
  assert.not.match((await author.get(`/desk/events/${id}`)).text, '/desk/guests/');
  const place = `/desk/guests/event/${id}`;
  assert.match((await editor.get(`/desk/events/${id}`)).text, `href="${place}"`);
  const page = await editor.post(place, { ...formOf(await editor.get(place), place), name: 'Carla', days: '3' });
  const [, address = ''] = / value="http:\/\/cal\.example(\/desk\/guest\/[^"]*)"/.exec(page.text) ?? [];
  assert.match((await visitorOf(daybook).get(address)).text, 'for Carla');
  const wrong = await editor.post(place, { ...formOf(await editor.get(place), place), name: 'D', days: '0' });
  assert.is(wrong.status, 400);
});

test.run();
