// `GET /schedule`: what will happen by itself, for callers who see unpublished posts.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type As, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('the schedule over HTTP');

test.before.each(async (context) => {
  context.daybook = await startTestService();
});
test.after.each(({ daybook }) => daybook.close());

const future = (date: string, more: object = {}) => someEvent({ status: 'future', date, ...more });
const brief = (items: readonly Body[]): string[] =>
  items.map(({ kind, id, date }) => `${kind} ${id} ${date.slice(0, 10)}`);

/** Out of order: two events of an editor, one of an author, a venue and an organizer. */
async function fill({ created }: TestService): Promise<void> {
  await created('editor', 'events', future('2030-05-03 10:00:00', { title: 'Third' }));
  await created('author', 'events', future('2030-05-01 10:00:00', { title: 'First' }));
  await created('editor', 'venues', { venue: 'Hall', status: 'future', date: '2030-05-02 10:00:00' });
  await created('editor', 'organizers', { organizer: 'Choir', status: 'future', date: '2030-05-04 10:00:00' });
  await created('editor', 'events', someEvent({ status: 'draft', date: '2030-05-02 09:00:00' }));
  await created('editor', 'events', someEvent());
}

test('scheduled posts of all kinds come in the order of their instants, and nothing else', async ({ daybook }) => {
  await fill(daybook);
  const { status, body, headers } = await daybook.get('/schedule', 'editor');
  assert.is(status, 200);
  assert.equal(brief(body.schedule), [
    'event 2 2030-05-01',
    'venue 3 2030-05-02',
    'event 1 2030-05-03',
    'organizer 4 2030-05-04',
  ]);
  const [first] = body.schedule;
  const author = await daybook.get('/users/me', 'author');
  assert.equal(first, {
    instant: first.instant,
    date: '2030-05-01 10:00:00',
    action: 'publish',
    kind: 'event',
    id: 2,
    url: first.url,
    title: 'First',
    author: { id: author.body.id, name: 'author' },
  });
  assert.match(first.url, /\/events\/2$/);
  assert.match(String(headers['x-daybook-position']), /^\d{16}$/);
});

/** What each role sees of the calendar above; null: 403, or 401 for the public. */
const SEEN: { readonly [Who in As]?: readonly string[] | null } = {
  administrator: ['event 2', 'venue 3', 'event 1', 'organizer 4'],
  editor: ['event 2', 'venue 3', 'event 1', 'organizer 4'],
  author: ['event 2'],
  contributor: [],
  subscriber: null,
  anonymous: null,
};

for (const [as, expected] of Object.entries(SEEN) as [As, readonly string[] | null][])
  test(`${as} sees ${expected === null ? 'nothing of it' : `${expected.length} of it`}, with a total that says no more`, async ({
    daybook,
  }) => {
    await fill(daybook);
    const { status, body } = await daybook.get('/schedule', as);
    if (expected === null) return assert.is(status, as === 'anonymous' ? 401 : 403);
    assert.equal(
      body.schedule.map(({ kind, id }: Body) => `${kind} ${id}`),
      expected,
    );
    assert.is(body.total, expected.length);
  });

test('kinds and a range narrow it, and pages have links', async ({ daybook }) => {
  await fill(daybook);
  const found = async (query: string) => brief((await daybook.get(`/schedule?${query}`, 'editor')).body.schedule);
  assert.equal(await found('kind=event'), ['event 2 2030-05-01', 'event 1 2030-05-03']);
  assert.equal(await found('kind=venue,organizer&to=2030-05-02'), ['venue 3 2030-05-02']);
  assert.equal(await found('from=2030-05-02&to=2030-05-03'), ['venue 3 2030-05-02', 'event 1 2030-05-03']);
  const { body } = await daybook.get('/schedule?per_page=2&page=2&from=2030-05-01', 'editor');
  assert.equal(brief(body.schedule), ['event 1 2030-05-03', 'organizer 4 2030-05-04']);
  assert.equal([body.total, body.total_pages], [4, 2]);
  assert.match(body.previous_rest_url, /from=2030-05-01/);
  const code = async (query: string) => (await daybook.get(`/schedule?${query}`, 'editor')).body.code;
  assert.is(await code('page=3&per_page=2'), 'rest_schedule_page_not_found');
  for (const query of ['kind=tag', 'kind=', 'from=x', 'from=2030-01-02&to=2030-01-01'])
    assert.is(await code(query), 'rest_invalid_param', query);
});

test('what is trashed or moved leaves the schedule or its place at once', async ({ daybook }) => {
  await fill(daybook);
  await daybook.request('editor', 'DELETE', '/venues/3');
  await daybook.request('editor', 'PATCH', '/events/2', { date: '2030-06-01 10:00:00' });
  const { body } = await daybook.get('/schedule', 'editor');
  assert.equal(brief(body.schedule), ['event 1 2030-05-03', 'organizer 4 2030-05-04', 'event 2 2030-06-01']);
});

test('what has become public is no longer on the schedule', async ({ daybook }) => {
  await fill(daybook);
  daybook.clock.at = Date.UTC(2030, 4, 3) / 1000;
  const { body } = await daybook.get('/schedule', 'editor');
  assert.equal(brief(body.schedule), ['event 1 2030-05-03', 'organizer 4 2030-05-04']);
});

test.run();
