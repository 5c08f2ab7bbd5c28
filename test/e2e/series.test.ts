// Events that repeat, over HTTP: each date is an event like any other, until it is changed apart from the others.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import type { DocumentKey } from '../../src/read-model/documents.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { replay } from '../../src/read-model/projector/replay.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { type Body, NOON, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('series over HTTP');

test.before.each(async (context) => {
  context.daybook = await startTestService({ environment: { DAYBOOK_TIMEZONE: 'Europe/Berlin' } });
});
test.after.each(({ daybook }) => daybook.close());

const TUESDAYS = {
  ...{ title: 'Choir', start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' },
  recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5', exdates: ['2026-12-22'] },
};
const IN_WINTER = 'start_date=2026-11-25&end_date=2027-03-01&per_page=50';

const choir = (daybook: TestService, fields: object = {}): Promise<Body> =>
  daybook.created('editor', 'events', someEvent({ ...TUESDAYS, ...fields }));
const listed = async (daybook: TestService, query = IN_WINTER): Promise<Body[]> =>
  (await daybook.get(`/events?${query}`)).body.events;
const days = (events: readonly Body[]): string[] => events.map(({ start_date }) => start_date.slice(0, 16));
const changed = async (daybook: TestService, id: number, body: object): Promise<Body> => {
  const answer = await daybook.request('editor', 'PATCH', `/events/${id}`, body);
  assert.is(answer.status, 200, answer.text);
  return answer.body;
};

const DATES = ['2026-12-01 19:00', '2026-12-08 19:00', '2026-12-15 19:00', '2026-12-29 19:00'];

test('every date is an event with its place in the series', async ({ daybook }) => {
  const first = await choir(daybook);
  const events = await listed(daybook);
  assert.equal(days(events), DATES);
  assert.equal(
    events.map(({ series }) => series),
    [1, 2, 3, 4].map((index) => ({ id: first.series.id, index, is_override: false })),
  );
  for (const event of events) {
    const { recurrence, post_parent: parent, slug } = event;
    assert.equal(recurrence, { rrule: ['FREQ=WEEKLY;COUNT=5'], rdates: [], exdates: ['2026-12-22 19:00:00'] });
    assert.is(parent, first.series.id);
    assert.is(slug, `choir-${event.start_date.slice(0, 10)}`);
    const alone = await daybook.get(`/events/${event.id}`);
    const { json_ld: _jsonLd, ...body } = alone.body;
    assert.equal(body, event);
    assert.is((await daybook.get(`/events/by-slug/${slug}`)).body.id, event.id);
  }
});

test('a date that is changed alone is set apart, and keeps its id and its history', async ({ daybook }) => {
  await choir(daybook);
  const [, second] = await listed(daybook);
  const after = await changed(daybook, second.id, { title: 'Choir with guests' });
  assert.equal([after.title, after.series.is_override], ['Choir with guests', true]);
  assert.equal(
    (await listed(daybook)).map(({ title }) => title),
    ['Choir', 'Choir with guests', 'Choir', 'Choir'],
  );
  const history = (await daybook.get(`/events/${second.id}/history`, 'editor')).body.history;
  assert.equal(
    history.map(({ type }: Body) => type),
    ['EventRetitled', 'EventSetApart', 'EventPublished', 'EventDrafted'],
  );
  await changed(daybook, second.id, { title: 'Choir with more guests' });
  assert.is((await daybook.get(`/events/${second.id}`)).body.title, 'Choir with more guests');
});

test('a date takes its series back as its parent, which is none for other events', async ({ daybook }) => {
  const { id, series } = await choir(daybook);
  assert.is((await changed(daybook, id, { post_parent: series.id, title: 'Choirs' })).post_parent, series.id);
  const other = await daybook.created('editor', 'events', someEvent());
  const refused = await daybook.request('editor', 'PATCH', `/events/${other.id}`, { post_parent: series.id });
  assert.is(refused.status, 400);
  assert.equal(Object.keys(refused.body.data.params), ['post_parent']);
});

test('a change of all leaves out what was changed apart', async ({ daybook }) => {
  await choir(daybook);
  const [first, second] = await listed(daybook);
  await changed(daybook, second.id, { title: 'Choir with guests' });
  await changed(daybook, first.id, { scope: 'all', title: 'Chorus', start_date: '2026-12-01 18:30:00' });
  const events = await listed(daybook);
  assert.equal(
    events.map(({ title }) => title),
    ['Chorus', 'Choir with guests', 'Chorus', 'Chorus'],
  );
  assert.equal(days(events), ['2026-12-01 18:30', '2026-12-08 19:00', '2026-12-15 18:30', '2026-12-29 18:30']);
  assert.equal(
    events.map(({ id }) => id),
    [0, 1, 2, 3].map((at) => first.id + at),
  );
});

test('a change of those that follow splits the series; ids stay', async ({ daybook }) => {
  await choir(daybook);
  const before = await listed(daybook);
  const third = await changed(daybook, before[2].id, { scope: 'following', title: 'Big choir' });
  assert.is.not(third.series.id, before[0].series.id);
  const after = await listed(daybook);
  assert.equal(
    after.map(({ id, title, series }) => [id, title, series.id, series.index]),
    [
      [before[0].id, 'Choir', before[0].series.id, 1],
      [before[1].id, 'Choir', before[0].series.id, 2],
      [before[2].id, 'Big choir', third.series.id, 1],
      [before[3].id, 'Big choir', third.series.id, 2],
    ],
  );
  assert.is(after[3].post_parent, third.series.id);
});

test('a change that leaves the date as it is answers with the position of its series', async ({ daybook }) => {
  const { id } = await choir(daybook);
  const recurrence = { rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=3', exdates: [] };
  const { status, headers } = await daybook.request('editor', 'PATCH', `/events/${id}`, { scope: 'all', recurrence });
  assert.is(status, 200);
  assert.is(headers['x-daybook-position'], await daybook.store.head(), 'else a list that follows may not show it');
});

test('another rule brings dates and takes dates, and the same date has the same id', async ({ daybook }) => {
  const { id } = await choir(daybook);
  const before = await listed(daybook);
  const change = { scope: 'all', recurrence: { rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=3', exdates: [] } };
  const tried = (await daybook.request('editor', 'PATCH', `/events/${id}`, { ...change, dry_run: true })).body;
  assert.equal(tried.dates.added, [{ id: null, date: '2026-12-29 19:00:00' }].slice(1));
  assert.equal(
    tried.dates.removed.map(({ date }: Body) => date),
    ['2026-12-08 19:00:00'],
  );
  assert.equal(days(await listed(daybook)), DATES, 'nothing has happened');
  await changed(daybook, id, change);
  const after = await listed(daybook);
  assert.equal(days(after), ['2026-12-01 19:00', '2026-12-15 19:00', '2026-12-29 19:00']);
  assert.equal(
    after.map((event) => event.id),
    [before[0].id, before[2].id, before[3].id],
  );
  assert.is((await daybook.get(`/events/${before[1].id}`)).body.code, 'event-no-longer-available');
  await changed(daybook, id, { scope: 'all', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } });
  assert.equal(
    (await listed(daybook)).map((event) => event.id),
    [before[0].id, before[1].id],
  );
});

test('one date, those that follow, or all are deleted', async ({ daybook }) => {
  await choir(daybook);
  const [first, second, third] = await listed(daybook);
  const remove = (id: number, scope: string) => daybook.request('editor', 'DELETE', `/events/${id}?scope=${scope}`);
  assert.is((await remove(second.id, 'this')).status, 200);
  assert.equal(days(await listed(daybook)), [DATES[0], DATES[2], DATES[3]]);
  assert.equal((await listed(daybook))[0].recurrence.exdates, ['2026-12-22 19:00:00', '2026-12-08 19:00:00']);
  assert.is((await remove(third.id, 'following')).status, 200);
  assert.equal(days(await listed(daybook)), [DATES[0]]);
  assert.is((await remove(first.id, 'all')).status, 200);
  assert.equal(await listed(daybook), []);
});

test('as of an instant, the calendar has the dates of then', async ({ daybook }) => {
  await choir(daybook);
  const [first, second] = await listed(daybook);
  daybook.clock.at = NOON + 60;
  await changed(daybook, second.id, { title: 'Choir with guests' });
  await changed(daybook, first.id, { scope: 'all', title: 'Chorus' });
  const then = `as_of=${encodeURIComponent(new Date((NOON + 30) * 1000).toISOString())}`;
  assert.equal(
    (await listed(daybook, `${IN_WINTER}&${then}`)).map(({ title }) => title),
    ['Choir', 'Choir', 'Choir', 'Choir'],
  );
  for (const { id } of [first, second]) assert.is((await daybook.get(`/events/${id}?${then}`)).body.title, 'Choir');
});

test('a read model that is filled again is the same', async ({ daybook }) => {
  await choir(daybook);
  const [first, second, third] = await listed(daybook);
  await changed(daybook, second.id, { title: 'Choir with guests' });
  await changed(daybook, third.id, { scope: 'following', title: 'Big choir', start_date: '2026-12-15 20:00:00' });
  await changed(daybook, first.id, { scope: 'all', recurrence: { rrule: 'FREQ=DAILY;COUNT=4' } });
  const { store, rendering } = daybook.stores;
  const projections = allProjections(rendering);
  const [followed, replayed] = [0, 1].map(() => openSqliteReadModel({ file: ':memory:', fingerprint: 'any' }));
  if (!followed || !replayed) throw new Error('two were opened');
  await catchUp(store, followed, projections);
  await replay(store, replayed, projections, { upTo: await store.head() });
  for (const kind of ['event', 'series'] as const) {
    const keys = Array.from({ length: 400 }, (_, at): DocumentKey => ({ kind, id: at + 1 }));
    const documents = await daybook.readModel.fetch(keys);
    assert.is(documents.filter((one) => one !== null).length, kind === 'event' ? 7 : 2);
    assert.equal(await followed.fetch(keys), documents);
    assert.equal(await replayed.fetch(keys), documents);
  }
  for (const model of [followed, replayed]) await model.close();
});

test('a series whose count is used up before its added dates has no new ones when it ends or is split', async ({
  daybook,
}) => {
  const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=3', rdates: ['2027-01-05', '2027-01-12'] };
  const first = await choir(daybook, { recurrence });
  const all = ['2026-12-01', '2026-12-08', '2026-12-15', '2027-01-05', '2027-01-12'].map((day) => `${day} 19:00`);
  const events = await listed(daybook);
  assert.equal(days(events), all);
  const ics = await daybook.get('/events.ics?start_date=2026-11-25&end_date=2027-01-06');
  assert.match(ics.text, 'RRULE:FREQ=WEEKLY;COUNT=3\r\nRDATE;TZID=Europe/Berlin:20270105T190000\r\n');
  await changed(daybook, events.at(-2)?.id, { scope: 'following', title: 'Choir of the new year' });
  assert.equal(days(await listed(daybook)), all);
  assert.equal((await daybook.get(`/events/${first.id}`)).body.recurrence.rrule, ['FREQ=WEEKLY;COUNT=3']);
  const last = await daybook.request('editor', 'DELETE', `/events/${events.at(-1)?.id}?scope=following`);
  assert.is(last.status, 200, last.text);
  assert.equal(days(await listed(daybook, 'start_date=2026-11-25&end_date=2029-01-01&per_page=50')), all.slice(0, -1));
});

test('whether a rule ever comes is known from the start of its event', async ({ daybook }) => {
  const june = { start_date: '2027-06-10 19:00:00', end_date: '2027-06-10 21:00:00' };
  const recurrence = { rrule: 'FREQ=MONTHLY;INTERVAL=12;BYMONTH=6' };
  const { id } = await choir(daybook, { ...june, recurrence });
  assert.equal((await changed(daybook, id, { scope: 'all', recurrence })).recurrence.rrule, [recurrence.rrule]);
  const inJuly = someEvent({
    ...TUESDAYS,
    start_date: '2027-07-10 19:00:00',
    end_date: '2027-07-10 21:00:00',
    recurrence,
  });
  const refused = await daybook.request('editor', 'POST', '/events', inJuly);
  assert.is(refused.status, 400);
  assert.match(refused.text, /it names only days or times that never come/);
});

test('a rule that never comes holds nothing up while it is looked for', async ({ daybook }) => {
  const recurrence = { rrule: 'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30' };
  const begun = performance.now();
  let [last, longest] = [begun, 0];
  const look = () => {
    const at = performance.now();
    longest = Math.max(longest, at - last);
    last = at;
    next = setImmediate(look);
  };
  let next = setImmediate(look);
  const answer = await daybook.request('editor', 'POST', '/events', someEvent({ ...TUESDAYS, recurrence }));
  clearImmediate(next);
  assert.is(answer.status, 400);
  const whole = performance.now() - begun;
  assert.ok(longest < whole / 2, `others waited ${longest} of ${whole} ms`);
});

test('a rule of hours is followed up to its end', async ({ daybook }) => {
  const recurrence = { rrule: 'FREQ=HOURLY;UNTIL=20261203T190000' };
  const { series } = await choir(daybook, { recurrence });
  assert.is((await daybook.get(`/events?series=${series.id}`)).body.total, 49);
});

test('writers of one date and of all dates at once lose nothing', async ({ daybook }) => {
  const { id } = await choir(daybook);
  const before = await listed(daybook);
  const writes = before.flatMap((event, at) => [
    { of: event.id, body: { excerpt: `Excerpt ${at}` } },
    { of: event.id, body: { website: `https://choir.example/${at}` } },
  ]);
  const wide = [
    { of: id, body: { scope: 'all', title: 'Chorus' } },
    { of: id, body: { scope: 'all', featured: true } },
    { of: before[3].id, body: { scope: 'following', description: 'The last one' } },
  ];
  const all = [...writes.slice(0, 4), ...wide, ...writes.slice(4)];
  await Promise.all(all.map(({ of, body }) => changed(daybook, of, body)));
  for (const [at, event] of (await listed(daybook)).entries()) {
    assert.equal([event.id, event.website], [before[at].id, `https://choir.example/${at}`]);
    assert.match(event.excerpt, `Excerpt ${at}`);
    const { history } = (await daybook.get(`/events/${event.id}/history?per_page=50`, 'editor')).body;
    const revisions = history.map(({ revision }: Body) => revision);
    assert.equal(revisions, [...revisions.keys()].reverse(), 'none is missing, none is there twice');
  }
});

test('a state that a client has read is not overwritten, be it by one date or by all', async ({ daybook }) => {
  const { id } = await choir(daybook);
  const { headers } = await daybook.get(`/events/${id}`, 'editor');
  await changed(daybook, id, { scope: 'all', title: 'Chorus' });
  const condition = { 'if-match': String(headers.etag) };
  for (const scope of ['this', 'following', 'all']) {
    const answer = await daybook.request('editor', 'PATCH', `/events/${id}`, { scope, title: 'X' }, condition);
    assert.is(answer.status, 412, scope);
    const gone = await daybook.request('editor', 'DELETE', `/events/${id}?scope=${scope}`, undefined, condition);
    assert.is(gone.status, 412, scope);
  }
});

const IN_OTHER_WORDS: readonly (readonly [
  words: unknown,
  rrule: string | readonly string[],
  exdates?: readonly string[],
])[] = [
  [{ type: 'weekly', end_type: 'after', end_count: 4 }, 'FREQ=WEEKLY;COUNT=4'],
  [{ type: 'Every Week', 'end-type': 'After', 'end-count': '4', end: '' }, 'FREQ=WEEKLY;COUNT=4'],
  [
    { type: 'weekly', interval: 2, days: undefined, end_type: 'on', end: '2027-02-01' },
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=20270201',
  ],
  [
    {
      rules: [
        {
          type: 'Custom',
          custom: { type: 'Weekly', interval: '1', week: { day: ['2', '4'] }, 'same-time': 'yes' },
          'end-type': 'On',
          end: '2026-12-31',
        },
      ],
      exclusions: [{ type: 'Custom', custom: { type: 'Date', date: { date: '2026-12-22' }, interval: 1 } }],
    },
    'FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261231',
    ['2026-12-22'],
  ],
  [
    {
      type: 'custom',
      custom: { type: 'monthly', month: { number: 'First', day: 2 } },
      end_type: 'after',
      end_count: 3,
    },
    'FREQ=MONTHLY;BYDAY=1TU;COUNT=3',
  ],
  [{ type: 'monthly', month: { number: 1 }, end_type: 'after', end_count: 3 }, 'FREQ=MONTHLY;BYMONTHDAY=1;COUNT=3'],
  [
    { type: 'monthly', month: { number: 'Last', day: 8 }, end_type: 'after', end_count: 2 },
    'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2',
  ],
  [
    { type: 'yearly', year: { month: ['12', '6'], 'same-day': 'yes' }, end_type: 'after', end_count: 3 },
    'FREQ=YEARLY;BYMONTH=12,6;COUNT=3',
  ],
  [{ type: 'daily', end_type: 'after', end_count: 3 }, 'FREQ=DAILY;COUNT=3'],
  [{ type: 'weekly', end_type: 'never' }, 'FREQ=WEEKLY'],
];

for (const [words, rrule, exdates = []] of IN_OTHER_WORDS)
  test(`in the words of other calendars it repeats by ${rrule}`, async ({ daybook }) => {
    const make = (recurrence: unknown) => daybook.created('editor', 'events', someEvent({ ...TUESDAYS, recurrence }));
    const [one, other] = [await make(words), await make({ rrule, exdates })];
    const dates = async (id: number) =>
      (await daybook.get(`/events?series=${id}&start_date=2026-01-01&end_date=2028-01-01`)).body.events.map(
        (event: Body) => event.start_date,
      );
    assert.equal(one.recurrence, other.recurrence);
    assert.equal(await dates(one.series.id), await dates(other.series.id));
    assert.is(
      await daybook.request('editor', 'DELETE', `/events/${one.id}?scope=all`).then(({ status }) => status),
      200,
    );
    assert.is(
      await daybook.request('editor', 'DELETE', `/events/${other.id}?scope=all`).then(({ status }) => status),
      200,
    );
  });

for (const nothing of [null, '', [], { type: 'None' }, { rules: [] }, { rules: [{ type: 'None' }], exclusions: [] }])
  test(`${JSON.stringify(nothing)} is an event that does not repeat`, async ({ daybook }) => {
    const { id, recurrence } = await daybook.created(
      'editor',
      'events',
      someEvent({ ...TUESDAYS, recurrence: nothing }),
    );
    assert.is(recurrence, undefined);
    assert.is((await daybook.get(`/events/${id}`)).body.recurrence, undefined);
  });

const REFUSED: readonly (readonly [what: string, recurrence: unknown])[] = [
  ['a rule that never comes', { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31' }],
  ['a rule that is none', { rrule: 'EVERY TUESDAY' }],
  ['too many dates', { rrule: 'FREQ=MINUTELY' }],
  ['another member', { rrule: 'FREQ=DAILY', until: '2027-01-01' }],
  ['more rules than a series has', { rrule: Array.from({ length: 11 }, () => 'FREQ=DAILY;COUNT=2') }],
  ['a rule of 10,000 characters', { rrule: `FREQ=DAILY;BYDAY=${'MO,'.repeat(3_333)}` }],
  ['a rule that is an object', { rrule: { FREQ: 'DAILY' } }],
  ['more dates than a series has', { rdates: Array.from({ length: 2_001 }, () => '2027-01-01') }],
  ['a list', ['FREQ=DAILY']],
  ['a text', 'FREQ=DAILY'],
  ['no date at all', { rrule: 'FREQ=DAILY;COUNT=1', exdates: ['2026-12-01'] }],
  ['a week of a month', { type: 'weekly', month: { number: 1 } }],
  ['another frequency', { type: 'hourly', end_type: 'never' }],
  ['another end', { type: 'weekly', end_type: 'someday' }],
  ['an end without a day', { type: 'weekly', end_type: 'on' }],
  ['an end without a count', { rules: [{ type: 'daily', 'end-type': 'after' }] }],
  ['a day of no week', { type: 'weekly', week: { day: [9] } }],
  ['another word beside known ones', { type: 'weekly', moon: 'full' }],
  ['a rule among its exclusions', { type: 'weekly', exclusions: [{ type: 'weekly' }] }],
  ['rules that are no objects', { rules: ['weekly'] }],
  ['a date that is none', { rrule: 'FREQ=DAILY;COUNT=2', rdates: ['31.12.2026'] }],
];

for (const [what, recurrence] of REFUSED)
  test(`${what} is refused with a reason, and nothing is written`, async ({ daybook }) => {
    const head = await daybook.store.head();
    const answer = await daybook.request('editor', 'POST', '/events', someEvent({ ...TUESDAYS, recurrence }));
    assert.is(answer.status, 400, answer.text);
    assert.match(answer.body.data.params.recurrence, /recurrence/);
    assert.is(await daybook.store.head(), head);
  });

test.run();
