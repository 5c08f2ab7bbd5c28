// The calendar at the desk without script: what it draws for whom, and how moves are carried out or refused.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signedIn, type Visitor } from '../support/desk.ts';
import { type As, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('the calendar at the desk');
test.before.each(async (context) => {
  context.daybook = await startTestService({ environment: { DAYBOOK_LANGUAGE: 'en' } });
});
test.after.each(({ daybook }) => daybook.close());

const december = async (visitor: Visitor, filters = ''): Promise<readonly Body[]> =>
  (await visitor.get(`/desk/calendar/entries?from=2026-12-01&to=2026-12-31${filters}`)).body;

/** Moves an event by what the calendar of the script sends. */
async function move(visitor: Visitor, id: number, members: { readonly [name: string]: string }) {
  const page = await visitor.get('/desk/calendar');
  const [, token = ''] = /data-token="([^"]*)"/.exec(page.text) ?? [];
  const was = { was_start_date: '2026-12-21T10:00', was_end_date: '2026-12-21T12:00' };
  const times = { start_date: '2026-12-22T10:00', end_date: '2026-12-22T12:00' };
  return visitor.post(
    '/desk/calendar/move',
    { id: String(id), scope: 'this', ...was, ...times, ...members },
    { 'x-csrf-token': token },
  );
}

const startOf = async (daybook: TestService, id: number, as: As = 'editor'): Promise<string> =>
  (await daybook.get(`/events/${id}`, as)).body.start_date;

test('drafts, proposals and what is planned are drawn as such, within the rights of who looks', async ({ daybook }) => {
  const open = await daybook.created('editor', 'events', someEvent({ title: 'Open', status: 'publish' }));
  await daybook.created('editor', 'events', someEvent({ title: 'Draft', status: 'draft' }));
  const moved = { start_date: '2026-12-24 10:00:00', end_date: '2026-12-24 12:00:00' };
  const proposal = await daybook.request('contributor', 'POST', `/events/${open.id}/proposals`, moved);
  await daybook.request('contributor', 'POST', `/events/${open.id}/proposals`, { title: 'Only its title' });
  const drawn = async (as: As): Promise<readonly string[]> =>
    (await december(await signedIn(daybook, as))).map(({ title, look, start }) => `${title} ${look} ${start}`);
  assert.equal(await drawn('editor'), [
    ...['Open publish 2026-12-21T10:00', 'Draft draft 2026-12-21T10:00', 'Open proposed 2026-12-24T10:00'],
  ]);
  assert.equal(await drawn('author'), ['Open publish 2026-12-21T10:00'], 'neither drafts nor proposals of others');
  const set = await daybook.request('editor', 'POST', '/sets', { name: 'Winter', proposals: [proposal.body.id] });
  await daybook.request('editor', 'POST', `/proposals/${proposal.body.id}/approve`);
  await daybook.request('editor', 'POST', `/sets/${set.body.id}/schedule`, { at: '2026-12-01T00:00:00Z' });
  assert.is((await drawn('editor')).at(-1), 'Open planned 2026-12-24T10:00');
  const editor = await signedIn(daybook, 'editor');
  assert.equal(
    (await december(editor, '&state=draft')).filter(({ moves }) => moves).map(({ title }) => title),
    ['Draft'],
  );
  assert.equal(
    (await december(await signedIn(daybook, 'author'))).map(({ moves }) => moves),
    [null],
    'not theirs to move',
  );
  const { text } = await editor.get('/desk/calendar?month=2026-12');
  assert.match(
    text,
    /<li class="is-draft hue-\d"><a href="\/desk\/events\/\d+">10:00[^<]*Draft<\/a> <small>Draft<\/small>/,
  );
});

test('a move is one change, and of another time than the one that was shown it is refused', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ status: 'publish' }));
  const editor = await signedIn(daybook, 'editor');
  const moved = await move(editor, id, {});
  assert.equal([moved.status, moved.body.isProposed], [200, false]);
  assert.is(await startOf(daybook, id), '2026-12-22 10:00:00');
  const late = await move(editor, id, { start_date: '2026-12-23T10:00', end_date: '2026-12-23T12:00' });
  assert.is(late.status, 412);
  assert.match(late.body.problem, 'Others have moved or changed this');
  assert.is(await startOf(daybook, id), '2026-12-22 10:00:00');
  assert.is((await move(await signedIn(daybook, 'author'), id, {})).status, 403);
  const forged = await editor.post('/desk/calendar/move', { id: String(id) });
  assert.is(forged.status, 403, 'without the token of the page');
});

test('of a series one date moves, or several within their day', async ({ daybook }) => {
  const weekly = { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' }, status: 'publish' };
  const { id } = await daybook.created('editor', 'events', someEvent(weekly));
  const editor = await signedIn(daybook, 'editor');
  const starts = async (): Promise<readonly string[]> => (await december(editor)).map(({ start }) => start);
  const later = { scope: 'all', start_date: '2026-12-21T11:30', end_date: '2026-12-21T13:30' };
  assert.is((await move(editor, id, later)).status, 200);
  assert.equal(await starts(), ['2026-12-21T11:30', '2026-12-28T11:30']);
  const shown = { was_start_date: '2026-12-21T11:30', was_end_date: '2026-12-21T13:30' };
  const refused = await move(editor, id, { ...shown, scope: 'all' });
  assert.is(refused.status, 400);
  assert.ok(refused.body.problem.length > 20, refused.text);
  assert.is((await move(editor, id, shown)).status, 200);
  assert.equal(await starts(), ['2026-12-22T10:00', '2026-12-28T11:30']);
});

test('where the rules ask for a review, a move becomes a proposal', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ status: 'publish' }));
  const rules = await daybook.request('administrator', 'PUT', '/policy', { events: { editor: 'review' } });
  assert.is(rules.status, 200, rules.text);
  const answer = await move(await signedIn(daybook, 'editor'), id, {});
  assert.equal([answer.status, answer.body.isProposed], [200, true], answer.text);
  assert.is(await startOf(daybook, id), '2026-12-21 10:00:00');
});

test.run();
