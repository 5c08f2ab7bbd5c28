import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent, startTestService, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('bad queries, paths and credentials over HTTP');

test.before(async () => {
  daybook = await startTestService();
  const relations = { venue: { venue: 'Hall' }, organizer: { organizer: 'Guild' }, categories: 'Music', tags: 'late' };
  await daybook.created('editor', 'events', someEvent(relations));
});
test.after(() => daybook.close());

const PATHS = ['/events', '/venues', '/organizers', '/categories', '/tags'];

test('page and page size are positive integers, however they are written', async () => {
  for (const path of PATHS)
    for (const value of [
      '0',
      '-1',
      '1e309',
      '1e-5',
      'NaN',
      'Infinity',
      '0x10',
      '1,2',
      '%00',
      '1%00x',
      '٣',
      "1' OR 1=1",
      '[]',
      '1;DROP',
    ])
      for (const name of ['page', 'per_page']) {
        const answer = await daybook.get(`${path}?${name}=${encodeURIComponent(value)}`);
        assert.equal([value, answer.status, answer.body.code], [value, 400, 'rest_invalid_param']);
      }
});

test('pages beyond all bounds lie past the end', async () => {
  for (const page of ['9007199254740991', '99999999999999999999', '1e20', '1e99']) {
    for (const path of ['/events', '/venues', '/organizers'])
      assert.is((await daybook.get(`${path}?page=${page}&per_page=50`)).status, 404, `${path} ${page}`);
    assert.is((await daybook.get(`/tags?page=${page}&per_page=50`)).status, 200, page);
  }
});

test('a search in a body has the same limit of length as in a URL', async () => {
  for (const path of PATHS)
    for (const [length, expected] of [
      [16_384, 200],
      [16_385, 400],
    ] as const) {
      const search = 'a'.repeat(length);
      const { status } = await daybook.request('anonymous', 'GET', path, { search });
      assert.equal([path, length, status], [path, length, expected]);
    }
});

const BAD_FILTERS = [
  ...['start_date=2026-02-30', 'ends_after=x', 'starts_before=', 'end_date=1e300', 'starts_after[]=2026-01-01'],
  ...[
    'venue=99999',
    'venue=x',
    'organizer=0',
    'categories=unheard',
    'tags=',
    'tags[a][b]=c',
    'include=1,x',
    'include=',
  ],
  ...['post_parent=0', 'post_parent=99999', 'featured=maybe', 'ticketed=maybe', 'geoloc=maybe', 'search=', 'search=0'],
  ...[
    'search[]=x',
    'strict_dates=',
    'geoloc_lat=91&geoloc_lng=0',
    'geoloc_lat=1',
    'geoloc_lat=1&geoloc_lng=1&geoloc_radius=0',
  ],
  ...[
    'geoloc_lat=1&geoloc_lng=1&geoloc_radius=1e309',
    'geoloc_lat=NaN&geoloc_lng=1',
    'status=__proto__',
    'status[$ne]=draft',
  ],
];

test('filters that cannot be understood are refused', async () => {
  for (const query of BAD_FILTERS) {
    const answer = await daybook.get(`/events?${query}`);
    assert.equal([query, answer.status, answer.body.code], [query, 400, 'rest_invalid_param']);
  }
});

const ids = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

test('objects and lists in the place of words are no words', async () => {
  for (const collection of ['venues', 'organizers'])
    for (const query of ['has_events[a]=yes', 'only_with_upcoming[a]=b', 'has_events[]=yes'])
      assert.is((await daybook.get(`/${collection}?${query}`)).status, 200, query);
  for (const query of ['tags[]=late&tags[][b]=c', 'include[]=1&include[x][y]=2', 'status[]=publish&status[x][y]=z'])
    assert.is((await daybook.get(`/events?${query}`)).status, 200, query);
  for (const query of ['namespace[a]=b', 'namespace=', 'namespace=v1/'])
    assert.is((await daybook.get(`?${query}`)).body.code, 'rest_invalid_namespace', query);
  assert.is((await daybook.get('/events?_fields[a][b]=c&_envelope[a]=b&context[a]=b&password[a]=b')).status, 200);
});

test('a search among venues and organizers has at most 50 different words', async () => {
  const words = (count: number) =>
    ids(count)
      .map((n) => `w${n}`)
      .join('+');
  for (const collection of ['venues', 'organizers'])
    for (const [count, status] of [
      [50, 200],
      [51, 400],
      [2000, 400],
    ] as const)
      assert.is((await daybook.get(`/${collection}?search=${words(count)}`)).status, status, String(count));
  assert.is((await daybook.get(`/venues?search=${'hall+'.repeat(2000)}`)).body.total, 1, 'one word, however often');
});

test('lists in queries have at most 500 members', async () => {
  assert.is((await daybook.get(`/events?include=${ids(500).join()}`)).status, 200);
  assert.is((await daybook.get(`/events?include=${ids(501).join()}`)).status, 400);
  const body = { include: ids(10_000) };
  const search = await daybook.request('anonymous', 'GET', '/events', body);
  assert.equal([search.status, Object.keys(search.body.data.params)], [400, ['include']]);
});

test('a search of 100 kB is refused, one of 15 kB answered', async () => {
  const long = await daybook.request('anonymous', 'GET', '/events', { search: 'x y '.repeat(25_000) });
  assert.equal([long.status, long.body.code], [400, 'rest_invalid_param']);
  for (const text of [
    'x'.repeat(15_000),
    'a '.repeat(4_000),
    '"'.repeat(5_000),
    '%25_'.repeat(1_000),
    '-'.repeat(5_000),
    '%F0%9F%98%80'.repeat(1000),
  ])
    for (const path of PATHS)
      assert.is((await daybook.get(`${path}?search=${text.replaceAll(' ', '+')}`)).status, 200, path);
  assert.is((await daybook.get(`/events?search=${'x'.repeat(17_000)}`)).status, 414);
});

test('a search takes no text for a command', async () => {
  for (const text of [
    '%',
    '_',
    "'",
    '"',
    "'; DROP TABLE events; --",
    'a" OR "b',
    'NEAR(a b)',
    'title:x',
    '*',
    '^x',
    '(',
    '\\',
    '\u0000',
    'AND',
    '{a b}',
  ]) {
    for (const path of PATHS) {
      const { status, body } = await daybook.get(`${path}?hide_empty=0&search=${encodeURIComponent(text)}`);
      assert.ok(status === 200 ? body.total === 0 : status === 400, `${path} ${text}: ${status} ${body.total}`);
    }
  }
});

test('odd paths match nothing, or what they plainly name', async () => {
  const paths = [
    '/events/%00',
    '/events/by-slug/%00',
    '/events/by-slug/%ff%fe',
    '/events/1%2f..',
    '/events/..%2f..%2fetc',
    '/venues/by-slug/%f0%28%8c%28',
  ];
  for (const path of [
    ...paths,
    '/events/99999999999999999999',
    `/events/by-slug/${'x'.repeat(5000)}`,
    '/events/٣',
    '/events/1e1',
    '/events/by-slug/__proto__',
  ]) {
    const { status, body } = await daybook.get(path);
    assert.ok(status === 404 || status === 400, `${path}: ${status} ${JSON.stringify(body).slice(0, 80)}`);
  }
});

test('malformed credentials count as absent, wrong ones as wrong', async () => {
  for (const authorization of ['Basic', 'Basic !!!', 'Digest x', 'Bearer', 'Basic Og==', `Basic ${'A'.repeat(20_000)}`])
    assert.is((await daybook.get('/events', 'anonymous', { authorization })).status, 200, authorization.slice(0, 20));
  for (const authorization of ['Bearer x', 'Bearer 99999-1-aaaaaaaaaaaaaaaaaaaaaaaa', 'Bearer __proto__'])
    assert.is((await daybook.get('/events', 'anonymous', { authorization })).status, 401, authorization);
});

test('nothing of all this was an error of the service', () => {
  assert.equal(daybook.logged, []);
});

test.run();
