// Importing at the desk, as a browser without script does it.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COLUMN_WORDS } from '../../src/exchange/import/desk/routes.ts';
import { FIELDS } from '../../src/exchange/import/formats/table/headings.ts';
import { formOf, signedIn, type Visitor, visitorOf } from '../support/desk.ts';
import { holdingAppends } from '../support/held-appends.ts';
import { type Answer, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService; editor: Visitor }>('importing at the desk');

const TABLE =
  'Stück,Beginn,Ort\nKonzert,2027-06-18 19:30,Rathaus\nLesung,2027-06-19 18:00,Rathaus\nNichts,nie,Rathaus\n';

test.before(async (context) => {
  // Nothing listens there.
  context.daybook = await startTestService({ environment: { DAYBOOK_PRIVATE_HOSTS: '127.0.0.1:2' } });
  context.editor = await signedIn(context.daybook, 'editor');
});
test.after(({ daybook }) => daybook.close());

interface Choice {
  readonly fields?: { readonly [name: string]: string };
  readonly file?: { readonly name: string; readonly content: string };
}

/** Sends the form of the page with a file. */
async function choose(daybook: TestService, visitor: Visitor, { fields = {}, file }: Choice): Promise<Answer> {
  const form = new FormData();
  const shown = visitor.cookie === '' ? {} : formOf(await visitor.get('/desk/import'), '/desk/import');
  for (const [name, value] of Object.entries({ ...shown, ...fields })) if (name !== 'file') form.set(name, value);
  if (file) form.set('file', new Blob([file.content]), file.name);
  const encoded = new Response(form);
  return daybook.request('anonymous', 'POST', '//desk/import', Buffer.from(await encoded.arrayBuffer()), {
    'content-type': String(encoded.headers.get('content-type')),
    ...(visitor.cookie !== '' && { cookie: visitor.cookie }),
    origin: 'http://cal.example',
  });
}

/** The page of an import when it has ended. */
async function ended(visitor: Visitor, { headers, text }: Answer): Promise<{ path: string; page: Answer }> {
  assert.ok(headers.location, text);
  const path = String(headers.location);
  for (;;) {
    const page = await visitor.get(path);
    assert.is(page.status, 200);
    if (page.headers.refresh === undefined) return { path, page };
    await sleep(50);
  }
}

const has = ({ text }: Answer, ...parts: readonly (string | RegExp)[]): void => {
  for (const part of parts)
    assert.ok(typeof part === 'string' ? text.includes(part) : part.test(text), `${part}\n${text}`);
};

test('the page of an import says how far it is, also after a reload, and refreshes itself until it is over', async () => {
  let release = (): void => {};
  let held: Promise<void> | null = null;
  const daybook = await startTestService({
    wrap: holdingAppends(async (appends, append) => {
      const outcome = await append(appends);
      // The first event is written, and no other until it goes on.
      if (appends.some(({ stream }) => stream.startsWith('event-'))) await held;
      return outcome;
    }),
  });
  try {
    const editor = await signedIn(daybook, 'editor');
    const looked = await ended(
      editor,
      await choose(daybook, editor, {
        file: { name: 'f.csv', content: 'title,start\nOne,2027-06-18\nTwo,2027-06-19\n' },
      }),
    );
    held = new Promise((resolve) => {
      release = resolve;
    });
    const begun = await editor.post(looked.path, { ...formOf(looked.page, looked.path), do: 'import' });
    const path = String(begun.headers.location);
    const first = await editor.get(path);
    for (const page of [first, await editor.get(path)]) {
      assert.equal([page.status, page.headers.refresh], [200, '2']);
      has(page, '<progress', 'This page refreshes itself');
      assert.not.match(page.text, 'Take back the whole import');
    }
    release();
    const { page } = await ended(editor, begun);
    has(page, 'This is what has happened', 'Take back the whole import');
    assert.not.match(page.text, '<progress');
  } finally {
    release();
    await daybook.close();
  }
});

test('a file: what it would do, its columns corrected, imported, and taken back', async ({ daybook, editor }) => {
  const first = await ended(editor, await choose(daybook, editor, { file: { name: 'fest.csv', content: TABLE } }));
  has(first.page, 'Import of fest.csv', 'Dry run', 'no column is known to be the title', 'Columns of the table');
  assert.not.match(first.page.text, /Import it now/);
  const form = {
    ...formOf(first.page, first.path),
    'column-0': 'title',
    do: 'look',
    status: 'draft',
    timezone: '',
    encoding: 'koi8-r',
  };
  const looked = await ended(
    editor,
    await editor.post(first.path, { ...form, 'column-1': 'start', 'column-2': 'venue' }),
  );
  has(
    looked.page,
    /<option value="koi8-r" selected/,
    'Nothing has been written yet',
    'Konzert',
    'Rathaus',
    'Refused',
    'Nichts',
    'Import it now',
  );
  has(looked.page, /<td>4<\/td><td>Event<\/td><td>Nichts<\/td><td>start &quot;nie&quot; is not a date<\/td>/);
  assert.is((await daybook.get('/events?status=draft', 'editor')).body.total, 0);
  const done = await ended(
    editor,
    await editor.post(looked.path, { ...formOf(looked.page, looked.path), do: 'import' }),
  );
  has(done.page, 'This is what has happened', 'Take back the whole import');
  const { body } = await daybook.get('/events?status=draft', 'editor');
  assert.equal(body.events.map(({ title }: { title: string }) => title).sort(), ['Konzert', 'Lesung']);
  const [, back = ''] = /href="(\/desk\/audit\/revert\?import=[^"]+)"/.exec(done.page.text) ?? [];
  const preview = await editor.get(back);
  has(preview, 'Nothing has been changed yet');
  const reverted = await editor.post('/desk/audit/revert', formOf(preview, '/desk/audit/revert'));
  has(reverted, 'Taken back: 3');
  assert.is((await daybook.get('/events?status=draft', 'editor')).body.total, 0);
  has(await editor.get('/desk/import'), 'fest.csv', 'Dry run', 'Done');
});

test('what would be changed is shown before what is new, field by field, from what to what', async ({
  daybook,
  editor,
}) => {
  const table = (title: string): string =>
    `uid,title,start\nn-0,Another,2027-11-01 10:00\nn-1,${title},2027-11-02 10:00\n`;
  const whole = { file: table('Evening <with> Ann').replace(/n-0.*\n/, ''), name: 'row.csv' };
  await daybook.request('editor', 'POST', '/imports', whole);
  const { page } = await ended(
    editor,
    await choose(daybook, editor, { file: { name: 'row.csv', content: table('Evening <with> Bea') } }),
  );
  has(page, /<dt>Title<\/dt><dd><p class="words">Evening .*<del>Ann<\/del><ins>Bea<\/ins><\/p><\/dd>/);
  assert.ok(page.text.indexOf('Changed</span>') < page.text.indexOf('Created</span>'), page.text);
});

test('what is refused is said on the page, and what was typed is given back', async ({ daybook, editor }) => {
  const none = await choose(daybook, editor, { fields: { timezone: 'Europe/Nowhere' } });
  assert.is(none.status, 400);
  has(none, 'value="Europe/Nowhere"', 'role="alert"');
  const inside = await choose(daybook, editor, { fields: { url: 'http://127.0.0.1:1/calendar.ics' } });
  has((await ended(editor, inside)).page, 'private network');
  const wrong = await choose(daybook, editor, { fields: { url: 'ftp://cal.example/x' } });
  assert.is(wrong.status, 400);
  has(wrong, 'value="ftp://cal.example/x"', 'id="url-problem"');
});

test('an import is its user’s; authors have none, and a file of one who is not signed in is not read', async ({
  daybook,
  editor,
}) => {
  const { path } = await ended(editor, await choose(daybook, editor, { file: { name: 'a.csv', content: TABLE } }));
  const author = await signedIn(daybook, 'author');
  assert.is((await author.get(path)).status, 403);
  assert.is((await author.get('/desk/import')).status, 403);
  assert.not.match((await author.get('/desk')).text, /\/desk\/import/);
  const stranger = visitorOf(daybook);
  const sent = await choose(daybook, stranger, { file: { name: 'a.csv', content: TABLE } });
  assert.is(sent.status, 401);
  has(sent, 'name="password"');
  assert.is((await choose(daybook, editor, { fields: { _csrf: 'x' } })).status, 403);
});

test('what is larger than allowed is refused by a page that says how much is, and leads back', async ({
  daybook,
  editor,
}) => {
  const back = { referer: 'http://cal.example/desk/events/new?x=1' };
  const text = await editor.post('/desk/events', { description: 'x'.repeat(1_100_000) }, back);
  assert.is(text.status, 413);
  has(text, 'larger than 1 MiB', 'href="/desk/events/new?x=1"', 'Nothing is lost');
  const form = formOf(await editor.get('/desk/events/new'), '/desk/events');
  const long = await editor.post('/desk/events', { ...form, title: 'Long', description: 'x'.repeat(262_145) }, back);
  assert.is(long.status, 400);
  has(long, 'has 262145 bytes of UTF-8, but may have at most 262144');
  const elsewhere = await editor.post(
    '/desk/events',
    { description: 'x'.repeat(1_100_000) },
    { referer: 'http://x.example/desk/y' },
  );
  has(elsewhere, 'href="/desk"');
  const file = { name: 'big.csv', content: 'x'.repeat(17 * 1024 * 1024) };
  has(await choose(daybook, editor, { file }), 'larger than 16 MiB');
});

test('a list is exported as it is filtered, and another calendar reads it back', async ({ daybook, editor }) => {
  const fields = { start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00', tags: ['Loud'] };
  const hall = { venue: 'Hall, main', city: 'Leeds' };
  await daybook.created('editor', 'events', {
    ...fields,
    title: 'Kept & <em>shown</em>',
    venue: hall,
    status: 'draft',
  });
  await daybook.created('editor', 'events', { ...fields, title: 'Left out', status: 'publish' });
  has(await editor.get('/desk/events?search=Kept'), 'href="/desk/events.csv?search=Kept"', 'events.ics?search=Kept');
  const table = await editor.get('/desk/events.csv?search=Kept&state=draft');
  assert.is(table.headers['content-disposition'], 'attachment; filename="events.csv"');
  const [head, row, end] = table.text.split('\n');
  assert.match(head ?? '', /^uid,title,start,/);
  assert.match(row ?? '', /^event-\d+@[\w-]+,Kept & <em>shown<\/em>,2027-01-01 10:00:00,.*"Hall, main",/);
  assert.is(end, '');
  const calendar = await editor.get('/desk/events.ics?search=Kept&state=draft');
  has(calendar, 'BEGIN:VCALENDAR', 'Kept');
  assert.not.match(calendar.text, /Left out/);
  const other = await startTestService();
  try {
    const begun = await other.request('editor', 'POST', '/imports', {
      ...{ file: table.text, name: 'events.csv', dry_run: true },
    });
    let { body } = begun;
    while (body.ended === null) {
      await sleep(20);
      ({ body } = await other.get(`/imports/${body.id}`, 'editor'));
    }
    assert.is(body.counts.events.created, 1);
  } finally {
    await other.close();
  }
  const author = await signedIn(daybook, 'author');
  assert.is((await author.get('/desk/events.csv')).status, 403);
  assert.not.match((await author.get('/desk/events')).text, /events\.csv/);
});

test('every field of tables can be chosen for a column', () => {
  assert.equal(Object.keys(COLUMN_WORDS), FIELDS);
});

test('in German, also why something is refused', async ({ daybook, editor }) => {
  const page = await editor.get('/desk/import', { 'accept-language': 'de' });
  has(page, 'lang="de"', 'Sehen, was geschähe', 'Stand neuer Veranstaltungen');
  const content = 'title,start,timezone\nOpen air,2027-06-18 19:30,Mars/Olympus\n,2027-06-18,\n';
  const begun = await choose(daybook, editor, { file: { name: 'mars.csv', content } });
  await ended(editor, begun);
  const { text } = await editor.get(String(begun.headers.location), { 'accept-language': 'de' });
  assert.match(text, 'die Zeitzone „Mars/Olympus“ ist unbekannt');
  assert.match(text, '<td>title fehlt</td>');
  const source = await daybook.request('editor', 'POST', '/sources', { address: 'http://127.0.0.1:2/x.ics' });
  await daybook.request('editor', 'POST', `/sources/${source.body.id}/polls`, {});
  const failed = await editor.get(`/desk/sources/${source.body.id}`, { 'accept-language': 'de' });
  has(failed, '<p class="hint">ist nicht zu erreichen (');
});

test.run();
