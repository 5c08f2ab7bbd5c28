// What is typed at the desk and not saved: kept for its user alone, bounded, and gone when it is saved, discarded, too old or erased.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { erase } from '../../src/people/personal-data/commands/erase.ts';
import { openUnsavedFolder } from '../../src/people/unsaved-forms/folder.ts';
import { EXPIRES_SECONDS, MAX_UNSAVED } from '../../src/people/unsaved-forms/unsaved-forms.ts';
import { formOf, signedIn, textAreasOf, type Visitor } from '../support/desk.ts';
import { metadataAt } from '../support/events.ts';
import { type As, someEvent, startTestService, type TestService } from '../support/service.ts';

interface Context {
  daybook: TestService;
  editor: Visitor;
}

const test = suite<Context>('what is typed at the desk and not saved');

test.before(async (context) => {
  const daybook = await startTestService();
  Object.assign(context, { daybook, editor: await signedIn(daybook, 'editor') });
});
test.after(({ daybook }) => daybook.close());

const NEW = '/desk/events/new';
const UNSAVED = '/desk/unsaved';
const CONTINUE = /href="([^"]+\?continue=[^"]+)"/;

async function formAt(visitor: Visitor, page: string, action: string): Promise<{ [name: string]: string }> {
  const shown = await visitor.get(page);
  return { ...textAreasOf(shown), ...formOf(shown, action) };
}

const offersAt = async (visitor: Visitor, page = NEW) =>
  [...(await visitor.get(page)).text.matchAll(new RegExp(CONTINUE, 'g'))].map(([, address = '']) => address);

const kept = ({ daybook }: Context, as: As) => daybook.stores.unsaved.list(daybook.userId(as), daybook.clock.at);

test('what is typed is offered to its user in every process, encrypted, without passwords; saved, it is gone, and nothing late brings it back', async (context) => {
  const { daybook, editor } = context;
  const shown = await formAt(editor, NEW, '/desk/events');
  const form = { ...shown, title: 'Ångström & "evening"', password: 'hidden' };
  assert.is((await editor.post(UNSAVED, form)).status, 204);
  const others = await signedIn(daybook, 'author');
  assert.equal(await offersAt(others), []);
  const [address = ''] = await offersAt(editor);
  assert.equal((await others.get(address)).text.includes('Ångström'), false, 'nor by its address');
  const again = await formAt(editor, address, '/desk/events');
  assert.equal([again.title, again._key, again.password], [form.title, shown._key, '']);

  const folder = path.join(daybook.config.mediaDir, 'unsaved');
  const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  assert.not.match(files.join('\n'), /evening|hidden/);
  const elsewhere = openUnsavedFolder(folder, daybook.stores.keys);
  const [found] = await elsewhere.list(daybook.userId('editor'), daybook.clock.at);
  assert.is(new URLSearchParams(found?.fields).get('title'), form.title);
  assert.not.match(found?.fields ?? '', /hidden|_csrf/);

  assert.is((await editor.post('/desk/events', again)).status, 303);
  assert.equal(await offersAt(editor), []);
  const late = await editor.post(UNSAVED, form);
  assert.is(late.status, 410, 'the page may go on under the key of the answer');
  assert.equal(await offersAt(editor), []);
  assert.is((await editor.post(UNSAVED, { ...form, _key: late.text })).status, 204);
  assert.is((await offersAt(editor)).length, 1);
});

test('a form that is refused, or kept by its button without script, is offered at its own place until it is discarded', async (context) => {
  const { daybook } = context;
  const author = await signedIn(daybook, 'author');
  const { id } = await daybook.created('author', 'events', someEvent({ title: 'Before' }));
  const page = `/desk/events/${id}`;
  const before = await formAt(author, page, page);
  const form = { ...before, title: 'Typed', end_date: '1 Jan 1999' };
  assert.is((await author.post(page, form)).status, 400);
  const [address = ''] = await offersAt(author, page);
  await daybook.request('author', 'PATCH', `/events/${id}`, { website: 'https://other.example/' });
  const again = await formAt(author, address, page);
  assert.is(again.title, 'Typed');
  const [, onHome = ''] =
    /<a href="([^"]+)">Typed<\/a> <span class="label bad">Not saved</.exec((await author.get('/desk')).text) ?? [];
  assert.is(onHome, address);
  const conflict = await author.post(page, { ...again, end_date: before.start_date ?? '', end_date_time: '23:00' });
  assert.match(conflict.text, /https:\/\/other\.example\//, 'what others have saved meanwhile is seen');

  const venue = { ...(await formAt(author, '/desk/venues/new', '/desk/venues')), venue: 'Half a hall' };
  const answer = await author.post(UNSAVED, venue, { accept: 'text/html' });
  assert.equal([answer.status, answer.headers.location], [303, '/desk/venues/new?said=said_unsaved']);
  const shown = await author.get('/desk/venues/new');
  assert.match(shown.text, /Half a hall/);
  const discarding = formOf(shown, `${UNSAVED}/discard`);
  assert.is((await author.post(`${UNSAVED}/discard`, discarding)).status, 303);
  assert.equal(await offersAt(author, '/desk/venues/new'), []);
  assert.is((await offersAt(author, page)).length, 1, 'the other one is still there');
});

test('of each user the newest are kept, for thirty days; with nothing typed left there is nothing', async (context) => {
  const { daybook } = context;
  const unsaved = daybook.stores.unsaved;
  const place = (user: number) => ({ user, form: 'event-new', key: randomUUID() });
  const other = place(8);
  await unsaved.put(other, 'title=other', daybook.clock.at);
  const first = place(7);
  await unsaved.put(first, 'title=first', daybook.clock.at);
  for (let at = 1; at <= MAX_UNSAVED; at++) await unsaved.put(place(7), `title=${at}`, daybook.clock.at + at);
  const titles = async (user: number, now: number) => (await unsaved.list(user, now)).map(({ fields }) => fields);
  const now = daybook.clock.at + MAX_UNSAVED;
  assert.equal(
    await titles(7, now),
    Array.from({ length: MAX_UNSAVED }, (_, at) => `title=${MAX_UNSAVED - at}`),
  );
  assert.equal(await titles(8, now), ['title=other']);
  assert.equal(await titles(8, daybook.clock.at + EXPIRES_SECONDS + 1), []);
  await unsaved.put(other, '', now);
  assert.equal(await titles(8, now), []);
});

test('erased with its user, and nothing more is kept then', async (context) => {
  const { daybook } = context;
  const user = daybook.userId('contributor');
  const place = { user, form: 'event-new', key: randomUUID() };
  assert.ok(await daybook.stores.unsaved.put(place, 'title=Private', daybook.clock.at));
  assert.is((await kept(context, 'contributor')).length, 1);
  const { store, keys } = daybook.stores;
  await erase({ store, keys, newEventId: randomUUID }, metadataAt('2026-12-01T12:00:00Z'), 'user', user);
  assert.equal(await kept(context, 'contributor'), []);
  assert.not(await daybook.stores.unsaved.put(place, 'title=Again', daybook.clock.at));
});

test('what is on its way while its form is saved does not bring it back', async ({ daybook }) => {
  const place = { user: 9, form: 'event-new', key: randomUUID() };
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { keys } = daybook.stores;
  const unsaved = openUnsavedFolder(path.join(daybook.config.mediaDir, 'unsaved'), {
    look: keys.look,
    async make(subjects) {
      asked.resolve();
      await goOn.promise;
      return keys.make(subjects);
    },
  });
  const late = unsaved.put(place, 'title=Late', daybook.clock.at);
  await asked.promise;
  await unsaved.end(place, daybook.clock.at);
  goOn.resolve();
  assert.is(await late, false);
  assert.equal(await unsaved.list(9, daybook.clock.at), []);
  assert.not(await unsaved.put(place, 'title=Later', daybook.clock.at));
});

test('what was typed last stays, however long the writing of what was typed before takes', async ({ daybook }) => {
  const goOn = Promise.withResolvers<void>();
  let isFirst = true;
  const { keys } = daybook.stores;
  const unsaved = openUnsavedFolder(path.join(daybook.config.mediaDir, 'unsaved'), {
    look: keys.look,
    async make(subjects) {
      const isToWait = isFirst;
      isFirst = false;
      if (isToWait) await goOn.promise;
      return keys.make(subjects);
    },
  });
  const place = { user: 10, form: 'event-new', key: randomUUID() };
  const before = unsaved.put(place, 'title=Half', daybook.clock.at);
  const after = unsaved.put(place, 'title=Whole', daybook.clock.at);
  // By itself the second would be written meanwhile.
  for (let reads = 0; reads < 20; reads++) await unsaved.list(10, daybook.clock.at);
  goOn.resolve();
  assert.equal(await Promise.all([before, after]), [true, true]);
  assert.equal(
    (await unsaved.list(10, daybook.clock.at)).map(({ fields }) => fields),
    ['title=Whole'],
  );
});

test('where the folder cannot be used, that is said when it is asked to keep, and forms open and save', async ({
  daybook,
  editor,
}) => {
  const form = { ...(await formAt(editor, NEW, '/desk/events')), title: 'Without a folder' };
  const folder = path.join(daybook.config.mediaDir, 'unsaved');
  renameSync(folder, `${folder}-away`);
  writeFileSync(folder, 'no folder');
  const answer = await editor.post(UNSAVED, form, { accept: 'text/html' });
  assert.is(answer.status, 503);
  assert.match(answer.text, /cannot be kept at the moment/);
  assert.is((await editor.get(NEW)).status, 200);
  assert.is((await editor.post('/desk/events', form)).status, 303);
});

test('a name that is no form of the desk is not found', async ({ editor }) => {
  const { _csrf = '' } = await formAt(editor, NEW, '/desk/events');
  for (const _form of ['', '../event-1', 'event-', 'event-0'])
    assert.is((await editor.post(UNSAVED, { _csrf, _form, _key: randomUUID() })).status, 404, _form);
  assert.is((await editor.post(UNSAVED, { _csrf, _form: 'event-1', _key: '../x' })).status, 404);
});

test.run();
