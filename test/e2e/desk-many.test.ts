// Changing many events at the desk: chosen by ticking or by filters, or as the table that comes back edited.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Fields, formOf, signedIn, type Visitor } from '../support/desk.ts';
import { type Answer, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const MANY = '/desk/events/many';
const CARRY_OUT = `${MANY}/carry-out`;

const test = suite<{ daybook: TestService; editor: Visitor }>('many events at the desk');
test.before(async (context) => {
  context.daybook = await startTestService();
  context.editor = await signedIn(context.daybook, 'editor');
});
test.after(({ daybook }) => daybook.close());

const fieldsOf = async (daybook: TestService, id: number): Promise<Body> =>
  (await daybook.get(`/events/${id}/fields`, 'editor')).body.fields;

const made = (daybook: TestService, ...titles: string[]): Promise<number[]> =>
  Promise.all(titles.map(async (title) => (await daybook.created('editor', 'events', someEvent({ title }))).id));

/** What would change, after the form was filled in. */
async function seen(visitor: Visitor, ids: readonly number[], typed: Fields): Promise<Answer> {
  const place = `${MANY}?${ids.map((id) => `ids[]=${id}`).join('&')}&which=ticked`;
  const page = await visitor.get(place);
  assert.is(page.status, 200);
  return visitor.post(MANY, { ...formOf(page, MANY), ...typed });
}

/** Carries out what a page shows, for the events that are ticked there. */
const carriedOut = (visitor: Visitor, page: Answer, typed: Fields): Promise<Answer> =>
  visitor.post(CARRY_OUT, { ...formOf(page, CARRY_OUT), ...typed });

/** The rows of a page, each with whether it is ticked and the text of what is said of it. */
const rowsIn = ({ text }: Answer): string[] =>
  [...text.matchAll(/<input type="checkbox" id="row-(\d+)"([^>]*)>.*?<\/label>(.*?)<\/li>/gs)].map(
    ([, id, more = '', said = '']) =>
      `${id}${more.includes('checked') ? ' ticked' : ''}: ${said
        .replace(/<a .*/s, '')
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()}`,
  );

test('nothing is changed before it is seen what would be, and then by one request', async ({ daybook, editor }) => {
  const [first = 0, second = 0] = await made(daybook, 'Many one', 'Many two');
  const { id: music } = await daybook.created('editor', 'categories', { name: 'Music' });
  const hall = await daybook.created('editor', 'venues', { venue: 'Long Hall', status: 'publish' });
  const page = await seen(editor, [first, second], {
    ...{ category_add: String(music), venue: 'long hall', days: '7', tags_add: 'Summer', featured: 'yes' },
  });
  assert.equal(
    rowsIn(page),
    [first, second].map(
      (id) =>
        `${id} ticked: Start Mon, Dec 21, 2026, 10:00 AM Mon, Dec 28, 2026, 10:00 AM End Mon, Dec 21, 2026, 12:00 PM Mon, Dec 28, 2026, 12:00 PM Featured No Yes Venue – Long Hall Categories – Music Tags – Summer`,
    ),
  );
  assert.is((await fieldsOf(daybook, first)).start_date, '2026-12-21 10:00:00');
  const done = await carriedOut(editor, page, { _do: 'apply', _reason: 'Winter fair' });
  assert.is(done.headers.location, '/desk/events?said=said_bulk');
  for (const id of [first, second]) {
    const { start_date, end_date, featured, categories, venue } = await fieldsOf(daybook, id);
    assert.equal([start_date, end_date, featured], ['2026-12-28 10:00:00', '2026-12-28 12:00:00', true]);
    assert.equal([categories, venue.map((one: Body) => one.id ?? one)], [[music], [hall.id]]);
  }
  const histories = await Promise.all(
    [first, second].map(async (id) => (await daybook.get(`/events/${id}/history`, 'editor')).body.history[0]),
  );
  assert.is(new Set(histories.map((entry) => entry.correlation_id)).size, 1);
  assert.is(histories[0].reason, 'Winter fair');
});

test('what is found by filters is changed as a whole, and unticked rows are left alone', async ({
  daybook,
  editor,
}) => {
  const [first = 0, second = 0, third = 0] = await made(daybook, 'Filtered a', 'Filtered b', 'Filtered c');
  const page = await editor.get(`${MANY}?search=filtered&which=found`);
  assert.is(formOf(page, `${MANY}?search=filtered`).ids?.split(',').length, 3);
  const planned = await editor.post(`${MANY}?search=filtered`, {
    ...formOf(page, `${MANY}?search=filtered`),
    status: 'draft',
  });
  const action = `${CARRY_OUT}?search=filtered`;
  const { _csrf = '', plan = '' } = formOf(planned, action);
  const rows = [first, third].map(String);
  const done = await editor.post(action, { _csrf, plan, 'rows[]': rows, _do: 'apply' });
  assert.is(done.headers.location, '/desk/events?search=filtered&said=said_bulk');
  const states = await Promise.all([first, second, third].map(async (id) => (await fieldsOf(daybook, id)).status));
  assert.equal(states, ['draft', 'publish', 'draft']);
  const none = await editor.get(`${MANY}?which=ticked`);
  assert.match(none.text, 'Nothing is ticked.');
});

test('what others have changed meanwhile is told at its row, and made all the same once it is ticked', async ({
  daybook,
  editor,
}) => {
  const [first = 0, second = 0] = await made(daybook, 'Race one', 'Race two');
  const page = await seen(editor, [first, second], { status: 'draft' });
  await daybook.request('editor', 'PATCH', `/events/${second}`, { title: 'Race won' });
  const partly = await carriedOut(editor, page, { _do: 'apply' });
  assert.equal(rowsIn(partly), [
    `${second}: Others have changed this event meanwhile. Tick it to make your change all the same. State Published Draft`,
  ]);
  assert.match(partly.text, '1 of 2 were changed.');
  assert.is((await fieldsOf(daybook, second)).status, 'publish');
  const { _csrf = '', _key = '', plan = '' } = formOf(partly, CARRY_OUT);
  const done = await editor.post(CARRY_OUT, { _csrf, _key, plan, 'rows[]': [String(second)], _do: 'apply' });
  assert.is(done.status, 303);
  const { status, title } = await fieldsOf(daybook, second);
  assert.equal([status, title], ['draft', 'Race won']);
});

test('many changes are proposed as a set, or planned for an instant', async ({ daybook, editor }) => {
  const ids = await made(daybook, 'Set one', 'Set two');
  const proposed = await carriedOut(editor, await seen(editor, ids, { featured: 'yes' }), { _do: 'propose' });
  const [, set = ''] = /^\/desk\/sets\/(\d+)\?said=said_set$/.exec(proposed.headers.location ?? '') ?? [];
  const { body } = await daybook.get(`/sets/${set}`, 'editor');
  assert.equal([body.proposals.length, body.state, body.name], [2, 'open', 'Events changed together: 2']);
  assert.is((await fieldsOf(daybook, ids[0] ?? 0)).featured, false);

  const page = await seen(editor, ids, { days: '-1' });
  const unread = await carriedOut(editor, page, { _do: 'schedule', at: 'some day' });
  assert.is(unread.status, 400);
  assert.match(unread.text, 'id="at-problem"');
  assert.is(rowsIn(unread).length, 2);
  const past = await carriedOut(editor, unread, { _do: 'schedule', at: '2020-01-01', at_time: '10:00' });
  assert.is(past.status, 400);
  const planned = await carriedOut(editor, past, { _do: 'schedule', at: '2026-12-01', at_time: '10:00' });
  const later = await daybook.get((planned.headers.location ?? '').replace('/desk', '').split('?')[0] ?? '', 'editor');
  assert.equal([later.body.state, later.body.proposals.length], ['scheduled', 2]);
  const all = await daybook.get('/proposals?per_page=50&kind=event', 'editor');
  assert.is(all.body.proposals.filter((one: Body) => ids.includes(one.target.id)).length, 4, 'each proposed once');
});

test('users who collect no sets propose one by one, and what visitors would miss is said', async ({
  daybook,
  editor,
}) => {
  const own = await daybook.created('contributor', 'events', someEvent({ title: 'Of a contributor' }));
  const contributor = await signedIn(daybook, 'contributor');
  const page = await seen(contributor, [own.id], { days: '1' });
  assert.not.match(page.text, 'value="schedule"');
  assert.not.match(page.text, 'value="publish"');
  const proposed = await carriedOut(contributor, page, { _do: 'propose' });
  assert.is(proposed.headers.location, '/desk/review?said=said_proposed');
  const shut = await daybook.created('editor', 'venues', { venue: 'Shut Barn', status: 'draft' });
  const { id } = await daybook.created('editor', 'events', someEvent({ status: 'draft', venue: shut.id }));
  assert.match(rowsIn(await seen(editor, [id], { status: 'publish' }))[0] ?? '', /^\d+: Visitors do not see Shut Barn/);
  const wrong = await seen(editor, [id], { venue: 'Nowhere', days: 'x' });
  assert.is(wrong.status, 400);
  assert.match(wrong.text, 'None is called “Nowhere”.');
});

/** Sends a table as a browser does. */
async function broughtBack(visitor: Visitor, table: string): Promise<Answer> {
  const { _csrf = '' } = formOf(await visitor.get(MANY), `${MANY}/table`);
  const form = new FormData();
  form.set('_csrf', _csrf);
  form.set('file', new File([table], 'events.csv'));
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return visitor.raw(`${MANY}/table`, new Uint8Array(await encoded.arrayBuffer()), { 'content-type': type });
}

test('the table comes back edited: only its changes are made, over what others have changed since', async ({
  daybook,
  editor,
}) => {
  await daybook.created('editor', 'categories', { name: 'Theatre' });
  const ids = await made(daybook, 'Table a', 'Table b', 'Table c', 'Table d');
  const [a = 0, b = 0, c = 0, d = 0] = ids;
  const table = (await daybook.get(`/events.csv?include=${ids.join(',')}`, 'editor')).text;
  // Since then others have changed the title of b and c.
  await daybook.request('editor', 'PATCH', `/events/${b}`, { title: 'Table B of others' });
  await daybook.request('editor', 'PATCH', `/events/${c}`, { title: 'Table C of others' });
  const lines = table.split('\n').map((line) => {
    if (line.includes('Table a')) return line.replace('Table a', 'Table a edited').replace('10:00:00', '11:30');
    if (line.includes('Table b')) return line.replace('false,publish', 'false,draft');
    if (line.includes('Table c')) return line.replace('Table c', 'Table c of mine');
    return line;
  });
  const page = await broughtBack(editor, lines.join('\r\n'));
  assert.is(page.status, 200);
  const rows = rowsIn(page);
  assert.equal(rows.slice(0, 2), [
    `${a} ticked: Title Table a edited Start Mon, Dec 21, 2026, 10:00 AM Mon, Dec 21, 2026, 11:30 AM`,
    `${b} ticked: State Published Draft`,
  ]);
  assert.match(rows[2] ?? '', /^\d+: Others have changed this, too, since the table was taken: Title\./);
  assert.is(rows.length, 3, `${d} was not changed`);
  const done = await carriedOut(editor, page, { _do: 'apply' });
  assert.match(done.text, '2 of 3 were changed.');
  const [first, second, third] = await Promise.all([a, b, c].map((id) => fieldsOf(daybook, id)));
  assert.equal([first.title, first.start_date], ['Table a edited', '2026-12-21 11:30:00']);
  assert.equal([second.title, second.status], ['Table B of others', 'draft']);
  assert.is(third.title, 'Table C of others');
  assert.match(done.text, 'Table c of mine', 'what was typed is not lost');
});

test('what a table cannot say is told at its row, and what is no table of ours is refused', async ({
  daybook,
  editor,
}) => {
  const [id = 0] = await made(daybook, 'Odd row');
  const table = (await daybook.get(`/events.csv?include=${id}`, 'editor')).text;
  const [head = '', line = ''] = table.split('\n');
  const columns = head.split(',');
  const edited = line.split(',');
  edited[columns.indexOf('category')] = 'No such category';
  edited[columns.indexOf('city')] = 'Ghent';
  edited[columns.indexOf('featured')] = 'WAHR';
  const page = await broughtBack(editor, `\uFEFF${head.replaceAll(',', ';')}\n${edited.join(';')}\n`);
  assert.equal(rowsIn(page), [
    `${id}: city: This column is not changed here. category: None is called “No such category”. Featured No Yes`,
  ]);
  assert.is((await broughtBack(editor, 'title,start\nA,B\n')).status, 400);
  const many = [head, ...Array.from({ length: 201 }, (_, at) => line.replace(/^event-\d+/, `event-${at + 1}`))].join(
    '\n',
  );
  assert.match((await broughtBack(editor, many)).text, 'more than 200 rows');
  const contributor = await signedIn(daybook, 'contributor');
  assert.not.match((await contributor.get(MANY)).text, `${MANY}/table`);
});

test.run();
