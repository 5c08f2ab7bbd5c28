// Events that repeat at the desk: made with the fields of the form, as the API would.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Fields, formOf, signedIn, textAreasOf, type Visitor } from '../support/desk.ts';
import { type Answer, type Body, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService; editor: Visitor }>('events that repeat at the desk');
test.before(async (context) => {
  context.daybook = await startTestService();
  context.editor = await signedIn(context.daybook, 'editor');
});
test.after(({ daybook }) => daybook.close());

/** The second Tuesday of its month. */
const TUESDAY = { start_date: '2026-12-08T19:00', end_date: '2026-12-08T21:00', timezone: 'Europe/Berlin' };

async function make(visitor: Visitor, typed: Fields): Promise<Answer> {
  const page = await visitor.get('/desk/events/new');
  return visitor.post('/desk/events', { ...formOf(page, '/desk/events'), ...textAreasOf(page), ...TUESDAY, ...typed });
}

const idOf = ({ headers }: Answer): number => Number(/\/desk\/events\/(\d+)/.exec(headers.location ?? '')?.[1]);

const daysOf = async (daybook: TestService, id: number): Promise<string[]> => {
  const { series } = (await daybook.get(`/events/${id}`, 'editor')).body;
  const path = `/events?series=${series.id}&start_date=2026-01-01&end_date=2040-01-01&per_page=50`;
  return (await daybook.get(path, 'editor')).body.events.map(({ start_date }: Body) => start_date.slice(0, 10));
};

const AFTER_THREE = { recurrence_ends: 'after', recurrence_count: '3' };

test('every choice makes the dates that it names', async ({ daybook, editor }) => {
  const rows: readonly (readonly [typed: Fields, days: string[]])[] = [
    [{ recurrence: 'day' }, ['2026-12-08', '2026-12-09', '2026-12-10']],
    [{ recurrence: 'week', recurrence_every: '2' }, ['2026-12-08', '2026-12-22', '2027-01-05']],
    [{ recurrence: 'month_day' }, ['2026-12-08', '2027-01-08', '2027-02-08']],
    [{ recurrence: 'month_weekday' }, ['2026-12-08', '2027-01-12', '2027-02-09']],
    [{ recurrence: 'year' }, ['2026-12-08']],
    [{ recurrence: 'rule', recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU,TH' }, ['2026-12-08', '2026-12-10', '2026-12-15']],
    [
      { recurrence: 'week', recurrence_except: '2026-12-15\r\n\r\n2026-12-22\r\n', recurrence_count: '4' },
      ['2026-12-08', '2026-12-29'],
    ],
    [
      { recurrence: 'week', recurrence_ends: 'on', recurrence_until: '2026-12-22' },
      ['2026-12-08', '2026-12-15', '2026-12-22'],
    ],
  ];
  for (const [at, [typed, days]] of rows.entries()) {
    const made = await make(editor, { title: `Choice ${at}`, status: 'publish', ...AFTER_THREE, ...typed });
    assert.is(made.status, 303, JSON.stringify(typed));
    const found = await daysOf(daybook, idOf(made));
    assert.equal(found.slice(0, days.length), days, JSON.stringify(typed));
    if (typed.recurrence !== 'year') assert.is(found.length, days.length, JSON.stringify(typed));
  }
});

test('the fifth weekday of a month is its last one', async ({ daybook, editor }) => {
  const fifth = { start_date: '2026-12-29T19:00', end_date: '2026-12-29T21:00' };
  const made = await make(editor, { title: 'Fifth', ...fifth, ...AFTER_THREE, recurrence: 'month_weekday' });
  assert.equal(await daysOf(daybook, idOf(made)), ['2026-12-29', '2027-01-26', '2027-02-23']);
});

test('a rule that is refused is said beside its field, and nothing typed is lost', async ({ daybook, editor }) => {
  const { total } = (await daybook.get('/series', 'editor')).body;
  const rows: readonly Fields[] = [
    { recurrence: 'rule', recurrence_rule: 'every tuesday' },
    { recurrence: 'week', recurrence_ends: 'on' },
    { recurrence: 'week', recurrence_ends: 'after' },
    { recurrence: 'week', recurrence_every: 'two' },
    { recurrence: 'week', recurrence_except: 'someday' },
  ];
  for (const typed of rows) {
    const refused = await make(editor, { title: 'Refused', ...typed });
    assert.is(refused.status, 400, JSON.stringify(typed));
    assert.ok(refused.text.includes('id="recurrence-problem"'), JSON.stringify(typed));
    assert.ok(refused.text.includes('<a href="#recurrence">'), 'the note above the form leads there');
    const again = { ...formOf(refused, '/desk/events'), ...textAreasOf(refused) };
    for (const [name, value] of Object.entries(typed)) assert.is(again[name], value, name);
  }
  assert.is((await daybook.get('/series', 'editor')).body.total, total, 'nothing was made');
});

test('what is typed beside a choice that leaves it without effect is refused at its field, and nothing is made', async ({
  daybook,
  editor,
}) => {
  const { total } = (await daybook.get('/series', 'editor')).body;
  const rows: readonly (readonly [field: string, typed: Fields])[] = [
    ['count', { recurrence: 'week', recurrence_ends: 'never', recurrence_count: '6' }],
    ['until', { recurrence: 'week', recurrence_ends: 'never', recurrence_until: '2027-01-01' }],
    ['rule', { recurrence: 'week', recurrence_rule: 'FREQ=DAILY' }],
    ['count', { recurrence: '', recurrence_count: '6' }],
    ['until', { recurrence: 'week', recurrence_ends: 'on', recurrence_until: '2020-01-01' }],
    ['count', { recurrence: 'week', recurrence_ends: 'after', recurrence_count: '0' }],
    ['every', { recurrence: 'week', recurrence_every: 'two' }],
    ['except', { recurrence: 'week', recurrence_except: 'someday' }],
    ['rule', { recurrence: 'rule', recurrence_rule: 'every tuesday' }],
  ];
  for (const [field, typed] of rows) {
    const refused = await make(editor, { title: 'Refused', ...typed });
    assert.is(refused.status, 400, JSON.stringify(typed));
    assert.ok(refused.text.includes(`id="recurrence_${field}-problem"`), JSON.stringify(typed));
    assert.ok(refused.text.includes(`<a href="#recurrence_${field}">`), JSON.stringify(typed));
    assert.not.match(refused.text, /rrule|exdates|recurrence (must|cannot)|INTERVAL|COUNT=/, 'in words of the form');
  }
  assert.is((await daybook.get('/series', 'editor')).body.total, total);
});

test('a rule is said as a sentence with its number of dates, and a calendar shows those that are taken out', async ({
  editor,
}) => {
  const asked = async (typed: { readonly [name: string]: string }): Promise<string> =>
    (await editor.get(`/desk/events/repeats?${new URLSearchParams({ ...TUESDAY, recurrence: 'week', ...typed })}`))
      .text;
  const text = await asked({ recurrence_ends: 'after', recurrence_count: '104', recurrence_except: '15 Dec 2026' });
  assert.match(text, 'Every Tuesday');
  assert.match(text, 'Dates until Tue, Nov 28, 2028: 103');
  assert.match(text, /data-except="2026-12-15" aria-pressed="true"/);
  assert.match(text, /data-except="2026-12-22" aria-pressed="false"/);
  assert.match(await asked({}), 'it goes on after that');
  for (const nothing of [
    { recurrence: '' },
    { recurrence: 'rule', recurrence_rule: 'FREQ=SECONDLY' },
    { start_date: '?' },
  ])
    assert.is(await asked(nothing), '');
});

test('the copy of a date of a series is a single event', async ({ daybook, editor }) => {
  const id = idOf(await make(editor, { title: 'Weekly', recurrence: 'week', ...AFTER_THREE }));
  const page = await editor.get(`/desk/events/new?copy=${id}`);
  const typed = { title: 'Once', duplicate_known: '1' };
  const copy = await editor.post('/desk/events', { ...formOf(page, '/desk/events'), ...textAreasOf(page), ...typed });
  assert.is(copy.status, 303);
  assert.is((await daybook.get(`/events/${idOf(copy)}`, 'editor')).body.series, undefined);
});

test('the page of a date says how its series repeats, and leads to all of its dates', async ({ daybook, editor }) => {
  const id = idOf(await make(editor, { title: 'Tide table', status: 'publish', recurrence: 'week', ...AFTER_THREE }));
  await daybook.created('editor', 'events', {
    title: 'Alone',
    start_date: '2026-12-09 10:00',
    end_date: '2026-12-09 11:00',
  });
  const { series } = (await daybook.get(`/events/${id}`)).body;
  const { summary } = (await daybook.get(`/series/${series.id}`)).body;
  const page = await editor.get(`/desk/events/${id}`);
  assert.ok(page.text.includes(summary), summary);
  const [, path = ''] = /href="(\/desk\/events\?series=\d+&amp;period=all)"/.exec(page.text) ?? [];
  const list = await editor.get(path.replace('&amp;', '&'));
  const listed = [...list.text.matchAll(/<a href="\/desk\/events\/\d+">([^<]*)</g)].map(([, title]) => title);
  assert.equal(listed, ['Tide table', 'Tide table', 'Tide table']);
  assert.is((await editor.get(`/desk/events.ics?series=${series.id}&period=all`)).text.split('BEGIN:VEVENT').length, 2);
  assert.not.match(page.text, /apart from the others/);
  await daybook.request('editor', 'PATCH', `/events/${id}`, { title: 'Tide table, with soup' });
  assert.match((await editor.get(`/desk/events/${id}`)).text, /apart from the others/);
});

const shownForm = (page: Answer, id: number): { [name: string]: string } => ({
  ...formOf(page, `/desk/events/${id}`),
  ...textAreasOf(page),
});

/** Three Tuesdays; the id is that of the one in the middle. */
async function threeTuesdays(daybook: TestService, visitor: Visitor, title: string): Promise<number> {
  const made = await make(visitor, { title, status: 'publish', recurrence: 'week', ...AFTER_THREE });
  const { series } = (await daybook.get(`/events/${idOf(made)}`)).body;
  const { events } = (await daybook.get(`/events?series=${series.id}&start_date=2026-01-01`)).body;
  return events[1].id;
}

const titlesOf = async (daybook: TestService, title: string): Promise<string[]> =>
  (await daybook.get(`/events?search=${title}&start_date=2026-01-01&per_page=50`)).body.events.map(
    (one: Body) => one.title,
  );

test('a change of more than one date shows what would happen, and happens when that was seen', async ({
  daybook,
  editor,
}) => {
  const id = await threeTuesdays(daybook, editor, 'Marmalade');
  const form = shownForm(await editor.get(`/desk/events/${id}`), id);
  const typed = { title: 'Marmalade, late', scope: 'following', venue_add: 'Jam Shed', venue_create: '1' };
  const tried = await editor.post(`/desk/events/${id}`, { ...form, ...typed });
  assert.is(tried.status, 200);
  assert.ok(tried.text.includes('Changed (2)<ul><li>Tue, Dec 15, 2026</li>'));
  assert.ok(tried.text.includes('Stay as they are: 1'));
  assert.equal(await titlesOf(daybook, 'Marmalade'), ['Marmalade', 'Marmalade', 'Marmalade'], 'nothing has happened');
  const again = shownForm(tried, id);
  assert.equal([again.title, again.scope, again.venue_add], [typed.title, typed.scope, typed.venue_add]);
  const wider = await editor.post(`/desk/events/${id}`, { ...again, scope: 'all' });
  assert.ok(wider.text.includes('Changed (3)'), 'something else was seen');
  const done = await editor.post(`/desk/events/${id}`, again);
  assert.match(done.headers.location ?? '', /^\/desk\/events\?series=\d+&period=all&said=said_saved$/);
  assert.equal(await titlesOf(daybook, 'Marmalade'), ['Marmalade', 'Marmalade, late', 'Marmalade, late']);
  assert.is((await daybook.get(`/events/${id}`)).body.venue.venue, 'Jam Shed');
});

test('one date changes alone unless more is asked for', async ({ daybook, editor }) => {
  const id = await threeTuesdays(daybook, editor, 'Quince');
  const form = shownForm(await editor.get(`/desk/events/${id}`), id);
  assert.is(form.scope ?? 'this', 'this');
  const done = await editor.post(`/desk/events/${id}`, { ...form, title: 'Quince, raw' });
  assert.is(done.headers.location, `/desk/events/${id}?said=said_saved`);
  assert.equal(await titlesOf(daybook, 'Quince'), ['Quince', 'Quince, raw', 'Quince']);
});

test('another rule is for a whole series, and shows the dates that come and go', async ({ daybook, editor }) => {
  const id = await threeTuesdays(daybook, editor, 'Damson');
  const form = { ...shownForm(await editor.get(`/desk/events/${id}`), id), recurrence: 'day', ...AFTER_THREE };
  const alone = await editor.post(`/desk/events/${id}`, form);
  assert.is(alone.status, 400);
  assert.ok(alone.text.includes('id="scope-problem"'));
  const tried = await editor.post(`/desk/events/${id}`, { ...form, scope: 'all' });
  assert.ok(tried.text.includes('Added (2)') && tried.text.includes('Removed (2)'), 'from 8, 15 and 22 to 8, 9 and 10');
  const done = await editor.post(`/desk/events/${id}`, shownForm(tried, id));
  assert.is(done.status, 303);
  const list = await editor.get(done.headers.location ?? '');
  assert.is([...list.text.matchAll(/>Damson</g)].length, 3);
});

test('a deletion of more than one date shows what would go first', async ({ daybook, editor }) => {
  const id = await threeTuesdays(daybook, editor, 'Medlar');
  const path = `/desk/events/${id}/bin`;
  const { _csrf = '' } = formOf(await editor.get(`/desk/events/${id}`), path);
  const tried = await editor.post(path, { _csrf, scope: 'following' });
  assert.is(tried.status, 200);
  assert.ok(tried.text.includes('Removed (2)'));
  assert.is((await titlesOf(daybook, 'Medlar')).length, 3);
  assert.is((await editor.post(path, formOf(tried, path))).headers.location, '/desk/events?said=said_bin');
  assert.is((await titlesOf(daybook, 'Medlar')).length, 1);
});

test('the public page of a date says how it repeats, and leads to the next dates', async ({ daybook, editor }) => {
  const id = await threeTuesdays(daybook, editor, 'Bullace');
  const { slug, series } = (await daybook.get(`/events/${id}`)).body;
  for (const language of ['en', 'de', 'ja']) {
    const { summary } = (await daybook.get(`/series/${series.id}?_locale=${language}`)).body;
    const { text } = await daybook.get(`//event/${slug}/?_locale=${language}`);
    assert.ok(text.includes(summary), `${language}: ${summary}`);
    assert.ok(text.includes(`href="/?series=${series.id}"`), language);
  }
  const list = await daybook.get(`//?series=${series.id}`);
  assert.is(new Set(list.text.match(/\/event\/bullace-[^/"]*\//g)).size, 3);
});

test.run();
