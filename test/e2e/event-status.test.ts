// Canceled, postponed, confirmed, moved: what the public sees of it, and what not.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type As, type Body, NOON, someEvent, startTestService, type TestService } from '../support/service.ts';
import { ask } from '../unit/http/feeds/feed-client.ts';

const test = suite<{ daybook: TestService }>('event status and notices over HTTP');
const [FIRST, SECOND, THIRD] = ['2026-12-01 19:00:00', '2026-12-05 19:00:00', '2026-12-09 19:00:00'];

test.before(async (context) => {
  context.daybook = await startTestService();
});
test.before.each(({ daybook }) => {
  daybook.clock.at = NOON;
});
test.after(({ daybook }) => daybook.close());

/** Those of lists, in which nothing else is. */
const alone = suite<{ daybook: TestService }>('event status and notices in lists over HTTP');
alone.before.each(async (context) => {
  context.daybook = await startTestService();
});
alone.after.each(({ daybook }) => daybook.close());

const made = (daybook: TestService, fields: object = {}): Promise<Body> =>
  daybook.created('editor', 'events', someEvent({ start_date: FIRST, end_date: FIRST, ...fields }));

async function patched(daybook: TestService, id: number, body: object): Promise<Body> {
  daybook.clock.at += 60;
  const answer = await daybook.request('editor', 'PATCH', `/events/${id}`, body);
  assert.is(answer.status, 200, answer.text);
  return answer.body;
}

const moved = (start: string, further: object = {}) => ({ start_date: start, end_date: start, ...further });
const read = async (daybook: TestService, target: string): Promise<Body> => (await daybook.get(target)).body;

test('an event about which nothing was said has none of the members', async ({ daybook }) => {
  const { id } = await made(daybook, { event_status: 'scheduled' });
  const body = await read(daybook, `/events/${id}`);
  for (const member of ['event_status', 'notices', 'previous_start_date']) assert.not(member in body, member);
  assert.is(body.json_ld.eventStatus, 'https://schema.org/EventScheduled');
  assert.not('previousStartDate' in body.json_ld);
});

test('it is canceled with a public notice, and the reason stays private', async ({ daybook }) => {
  const { id } = await made(daybook);
  const body = await patched(daybook, id, { event_status: 'canceled', notice: 'Too stormy', _reason: 'Ann is ill' });
  assert.is(body.event_status, 'canceled');
  const shown = await read(daybook, `/events/${id}`);
  assert.equal(shown.notices, [
    { type: 'canceled', text: 'Too stormy', date: '2026-11-20 12:01:00', date_utc: '2026-11-20 12:01:00' },
  ]);
  assert.is(shown.json_ld.eventStatus, 'https://schema.org/EventCancelled');
  assert.not.match(JSON.stringify(shown), /Ann is ill/);
  const again = await daybook.request('editor', 'PATCH', `/events/${id}`, { event_status: 'canceled' });
  assert.is(again.headers.etag, (await daybook.get(`/events/${id}`)).headers.etag);
  const confirmed = await patched(daybook, id, { event_status: 'scheduled' });
  assert.equal([confirmed.event_status, confirmed.notices.length], ['scheduled', 2]);
});

test('every earlier start of a moved event is public, the last one first at hand', async ({ daybook }) => {
  const { id } = await made(daybook);
  await patched(daybook, id, moved(SECOND, { notice: 'The hall is closed' }));
  await patched(daybook, id, moved(THIRD));
  const body = await read(daybook, `/events/${id}`);
  assert.is(body.previous_start_date, SECOND);
  assert.equal(
    body.notices.map(({ type, text, previous_start_date }: Body) => [type, text, previous_start_date]),
    [
      ['rescheduled', 'The hall is closed', FIRST],
      ['rescheduled', '', SECOND],
    ],
  );
  assert.is(body.json_ld.eventStatus, 'https://schema.org/EventRescheduled');
  assert.equal(body.json_ld.previousStartDate, ['2026-12-01T19:00:00+00:00', '2026-12-05T19:00:00+00:00']);
  const postponed = await patched(daybook, id, { event_status: 'postponed' });
  assert.is(postponed.start_date, THIRD);
  const { json_ld } = await read(daybook, `/events/${id}`);
  assert.equal([json_ld.eventStatus, json_ld.previousStartDate.length], ['https://schema.org/EventPostponed', 2]);
});

test('moves of a draft leave no trace, and its notice is refused with what to do', async ({ daybook }) => {
  const { id } = await made(daybook, { status: 'draft' });
  await patched(daybook, id, moved(SECOND));
  const refused = await daybook.request('editor', 'PATCH', `/events/${id}`, { notice: 'Soon' });
  assert.is(refused.status, 400);
  assert.match(refused.body.data.params.notice, /publish the event first/);
  await patched(daybook, id, { status: 'publish' });
  const body = await read(daybook, `/events/${id}`);
  assert.not('notices' in body);
  assert.not('previous_start_date' in body);
});

alone('a password hides the texts of notices, and not the dates', async ({ daybook }) => {
  const { id } = await made(daybook, { password: 'sesame' });
  await patched(daybook, id, moved(SECOND, { event_status: 'canceled', notice: 'The singer left' }));
  const masked = await daybook.get(`/events?start_date=2026-01-01`);
  assert.equal(masked.body.events[0].notices, []);
  assert.is(masked.body.events[0].event_status, 'canceled');
  assert.not.match(masked.text, /singer/);
  assert.match((await daybook.get(`/events/${id}?password=sesame`)).text, /The singer left/);
});

test('the past shows what had been said by then', async ({ daybook }) => {
  const { id } = await made(daybook);
  await patched(daybook, id, moved(SECOND, { notice: 'First' }));
  const then = new Date(daybook.clock.at * 1000).toISOString();
  await patched(daybook, id, { event_status: 'canceled', notice: 'Second' });
  const body = await read(daybook, `/events/${id}?as_of=${then}`);
  assert.equal([body.event_status, body.notices.map(({ text }: Body) => text)], ['scheduled', ['First']]);
});

test('a revert of a move brings back the trace of before', async ({ daybook }) => {
  const { id } = await made(daybook);
  await patched(daybook, id, moved(SECOND, { notice: 'Moved' }));
  const { etag = '' } = (await daybook.get(`/events/${id}`)).headers;
  const before = await read(daybook, `/events/${id}`);
  await patched(daybook, id, moved(THIRD, { event_status: 'canceled', notice: 'Off' }));
  const revision = Number(/\d+/.exec(etag)?.[0]);
  const reverted = await daybook.request('editor', 'POST', `/events/${id}/revert`, { revision });
  assert.is(reverted.status, 200, reverted.text);
  const { modified: _one, modified_utc: _two, ...after } = await read(daybook, `/events/${id}`);
  const { modified: _three, modified_utc: _four, ...then } = before;
  assert.equal(after, then);
});

alone('lists are filtered by status, alone and together, and links keep the filter', async ({ daybook }) => {
  const [, canceled, postponed] = await Promise.all([
    made(daybook),
    made(daybook, { event_status: 'canceled' }),
    made(daybook, { event_status: 'postponed' }),
  ]);
  const found = async (query: string) =>
    (await read(daybook, `/events?start_date=2026-01-01&${query}`)).events.map(({ id }: Body) => id).sort();
  assert.equal(await found('event_status=canceled'), [canceled.id]);
  assert.equal(await found('event_status[]=canceled&event_status[]=postponed'), [canceled.id, postponed.id].sort());
  assert.is((await found('event_status=scheduled')).length, 1);
  const page = await read(daybook, '/events?start_date=2026-01-01&per_page=1&event_status=postponed,canceled');
  assert.match(page.next_rest_url, /event_status=canceled%2Cpostponed/);
  const wrong = await daybook.get('/events?event_status=cancelled');
  assert.equal([wrong.status, wrong.body.code], [400, 'rest_invalid_param']);
  assert.match(wrong.body.message, /scheduled, canceled, postponed/);
});

test('a digest of two instants says what was canceled, and shows its notice', async ({ daybook }) => {
  const [off, later] = [await made(daybook), await made(daybook)];
  const from = new Date(daybook.clock.at * 1000).toISOString();
  await patched(daybook, off.id, moved(SECOND, { event_status: 'canceled', notice: 'Too stormy' }));
  await patched(daybook, later.id, moved(SECOND));
  const { body } = await daybook.get(`/events/compare?from=${from}&start_date=2026-01-01`, 'editor');
  const of = (id: number): Body => body.events.find((one: Body) => one.id === id);
  assert.equal([of(off.id).what, of(off.id).event.event_status, of(later.id).what], ['cancelled', 'canceled', 'moved']);
  const fields = ({ changes }: Body) => changes.map(({ field }: Body) => field);
  assert.equal(fields(of(later.id)), ['start_date', 'end_date']);
  assert.equal(fields(of(off.id)), ['start_date', 'end_date', 'event_status', 'notices']);
});

test('a history tells of it with its notice', async ({ daybook }) => {
  const { id } = await made(daybook);
  await patched(daybook, id, { event_status: 'canceled', notice: 'Too stormy' });
  const { body } = await daybook.get(`/events/${id}/history`, 'editor');
  assert.is(body.history[0].summary, 'Canceled. Public notice: “Too stormy”');
});

alone(
  'calendars say it by a prefix in the language of the reader, by a status, or leave canceled events out',
  async ({ daybook }) => {
    const { id } = await made(daybook, {
      title: 'Tea &amp; <b>cake</b>',
      event_status: 'canceled',
      notice: 'Too stormy',
    });
    await made(daybook, { title: 'Walk', event_status: 'postponed' });
    await made(daybook, { title: 'Dance' });
    const calendar = async (query: string, language?: string) =>
      ask(daybook, `/events.ics?${query}`, 'anonymous', language ? { 'accept-language': language } : {});
    const lines = (text: string, name: string): string[] =>
      [...text.replaceAll('\r\n ', '').matchAll(new RegExp(`^${name}:(.*)\r$`, 'gm'))]
        .map(([, value = '']) => value)
        .sort();
    const plain = await calendar('');
    assert.equal(lines(plain.text, 'SUMMARY'), ['Canceled: Tea & cake', 'Dance', 'Postponed: Walk']);
    assert.equal(lines(plain.text, 'STATUS'), ['CONFIRMED', 'TENTATIVE', 'TENTATIVE']);
    assert.equal(lines(plain.text, 'COMMENT'), ['Too stormy']);
    assert.is(plain.headers['content-language'], 'en');
    const german = await calendar('', 'de');
    assert.equal(lines(german.text, 'SUMMARY'), ['Abgesagt: Tea & cake', 'Dance', 'Verschoben: Walk']);
    assert.equal([german.headers['content-language'], german.headers.vary?.includes('Accept-Language')], ['de', true]);
    assert.is.not(german.headers.etag, plain.headers.etag);
    assert.is((await calendar('')).text, plain.text);
    const byStatus = await calendar('cancelled=status');
    assert.equal(lines(byStatus.text, 'SUMMARY'), ['Dance', 'Tea & cake', 'Walk']);
    assert.equal(lines(byStatus.text, 'STATUS'), ['CANCELLED', 'CONFIRMED', 'TENTATIVE']);
    assert.is(byStatus.headers['content-language'], undefined);
    const without = await calendar('cancelled=omit');
    assert.equal(lines(without.text, 'SUMMARY'), ['Dance', 'Postponed: Walk']);
    assert.is(without.headers['x-tec-total'], '2');
    assert.equal(lines((await calendar('cancelled=omit&event_status=canceled')).text, 'SUMMARY'), []);
    const own = await ask(daybook, `/events/${id}.ics?cancelled=status`);
    assert.equal(lines(own.text, 'STATUS'), ['CANCELLED']);
    for (const language of ['en', 'ja']) {
      const again = await ask(daybook, `/events/${id}.ics`, 'anonymous', { 'accept-language': language });
      assert.is(again.headers['content-language'], language);
      assert.equal(lines(again.text, 'SUMMARY'), [language === 'en' ? 'Canceled: Tea & cake' : '【中止】Tea & cake']);
    }
    const wrong = await calendar('cancelled=hide');
    assert.is(wrong.status, 400);
    assert.match(wrong.text, /status, prefix, omit/);
  },
);

alone('a calendar in which all takes place as scheduled does not depend on the language', async ({ daybook }) => {
  await made(daybook);
  const [english, german] = [await ask(daybook, '/events.ics'), await ask(daybook, '/events.ics?_locale=de')];
  assert.equal([english.text, english.headers.etag], [german.text, german.headers.etag]);
  assert.not.match(english.headers.vary ?? '', /Accept-Language/);
});

for (const format of ['rss', 'atom'])
  test(`${format} says it by a prefix, with the notice, or leaves canceled events out`, async ({ daybook }) => {
    await made(daybook, { title: 'Tea', event_status: 'canceled', notice: 'Too wet & cold' });
    await made(daybook, { title: 'Walk', event_status: 'postponed' });
    const feed = async (query: string) => ask(daybook, `/events.${format}?${query}`);
    const { text, headers } = await feed('_locale=fr');
    assert.match(text, /Annulé\s: Tea/);
    assert.match(text, /Reporté\s: Walk/);
    assert.match(text, /Too wet &amp; cold/);
    assert.is(headers['content-language'], 'fr');
    assert.match((await feed('cancelled=status')).text, /Canceled: Tea/);
    const without = (await feed('cancelled=omit')).text;
    assert.not.match(without, /Tea/);
    assert.match(without, /Postponed: Walk/);
  });

test('proposed notices add up with those published meanwhile', async ({ daybook }) => {
  const { id } = await made(daybook);
  const wish = { event_status: 'canceled', notice: 'Too stormy' };
  const proposed = await daybook.request('author', 'POST', `/events/${id}/proposals`, wish);
  assert.is(proposed.status, 201, proposed.text);
  assert.not('notices' in (await read(daybook, `/events/${id}`)));
  await patched(daybook, id, { notice: 'Doors at 7' });
  const approved = await daybook.request('editor', 'POST', `/proposals/${proposed.body.id}/approve`, {});
  assert.is(approved.status, 200, approved.text);
  const { notices, event_status } = await read(daybook, `/events/${id}`);
  assert.is(event_status, 'canceled');
  assert.equal(
    notices.map(({ text }: Body) => text),
    ['Doors at 7', 'Too stormy'],
  );
});

/** Who may cancel an event of their own that is published or pending, and one of others. */
const RIGHTS: readonly (readonly [as: As, own: number, other: number])[] = [
  ['administrator', 200, 200],
  ['editor', 200, 200],
  ['author', 200, 403],
  ['contributor', 200, 403],
  ['subscriber', 403, 403],
  ['anonymous', 401, 401],
];

for (const [as, ofOwn, ofOther] of RIGHTS)
  test(`${as}: canceling an event is a change like any other`, async ({ daybook }) => {
    const other = await daybook.created(as === 'author' ? 'otherAuthor' : 'author', 'events', someEvent());
    const cancel = async (id: number) =>
      (await daybook.request(as, 'PATCH', `/events/${id}`, { event_status: 'canceled' })).status;
    assert.is(await cancel(other.id), ofOther);
    const mayWrite = as !== 'subscriber' && as !== 'anonymous';
    const own = await daybook.created(mayWrite ? as : 'author', 'events', someEvent());
    assert.is(await cancel(own.id), ofOwn);
  });

test('values that cannot be used are refused with those that can', async ({ daybook }) => {
  const { id } = await made(daybook);
  for (const body of [{ event_status: 'cancelled' }, { event_status: '' }, { event_status: null }, { notice: 5 }]) {
    const { status, body: answer } = await daybook.request('editor', 'PATCH', `/events/${id}`, body);
    assert.equal([status, answer.code], [400, 'rest_invalid_param'], JSON.stringify(body));
  }
  const { body } = await daybook.request('editor', 'PATCH', `/events/${id}`, { event_status: 'cancelled' });
  assert.match(body.data.params.event_status, /scheduled, canceled, postponed/);
});

test.run();
alone.run();
