import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent, startTestService, type TestService } from '../support/service.ts';

let daybook: TestService;
let target = '';
const test = suite('bad bodies over HTTP');

test.before(async () => {
  daybook = await startTestService();
  const relations = { venue: { venue: 'Hall' }, organizer: { organizer: 'Guild' }, categories: 'Music', tags: 'late' };
  target = `/events/${(await daybook.created('editor', 'events', someEvent(relations))).id}`;
});
test.after(() => daybook.close());

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Sends it to creation and update of events; both must refuse with this code and status, and write nothing. */
async function refusedEverywhere(body: unknown, status: number, code: string, headers = {}, names?: readonly string[]) {
  const before = await daybook.store.head();
  for (const [method, path] of [
    ['POST', '/events'],
    ['PUT', target],
  ] as const) {
    const answer = await daybook.request('editor', method, path, body, headers);
    const what = `${method} ${String(JSON.stringify(body)).slice(0, 80)}: ${answer.text.slice(0, 120)}`;
    assert.equal([answer.status, answer.body.code], [status, code], what);
    if (names) assert.equal(Object.keys(answer.body.data.params), names, what);
  }
  assert.is(await daybook.store.head(), before, 'nothing is written');
  assert.is((await daybook.get(target)).status, 200, 'and the service goes on');
}

const ids = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

const BROKEN_JSON = [
  '{',
  '{"title":}',
  '{"title":"x"',
  '{title:1}',
  "{'title':'x'}",
  '{"a":1}x',
  '\u0000',
  '{"title":"a\u0001b"}',
  'NaN',
  '{"a":01}',
];

test('malformed JSON is rest_invalid_json', async () => {
  for (const text of BROKEN_JSON) await refusedEverywhere(text, 400, 'rest_invalid_json', json);
});

test('JSON that is not UTF-8, or nested beyond reason, is rest_invalid_json', async () => {
  const invalid = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe, 0xc0, 0x80]), Buffer.from('"}')]);
  await refusedEverywhere(invalid, 400, 'rest_invalid_json', json);
  const deep = `{"title":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  await refusedEverywhere(deep, 400, 'rest_invalid_json', json);
});

test('an object in JSON has at most 2,000 members, as a form has', async () => {
  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
  for (const body of [members(2_001), { venue: members(2_001) }, { a: [{ b: members(60_000) }] }])
    await refusedEverywhere(JSON.stringify(body), 400, 'rest_too_many_parameters', json);
  const most = await daybook.request('anonymous', 'GET', '/events', JSON.stringify(members(2_000)), json);
  assert.is(most.status, 200);
});

test('JSON that is no object, and bodies of other types, count as nothing', async () => {
  for (const text of ['[1]', '"x"', 'null', '5', 'true', '', ' '])
    assert.is(
      (await daybook.request('editor', 'POST', '/events', text, json)).body.code,
      'rest_missing_callback_param',
      text,
    );
  const other = await daybook.request('editor', 'POST', '/events', JSON.stringify(someEvent()), {
    'content-type': 'text/plain',
  });
  assert.is(other.body.code, 'rest_missing_callback_param');
  const garbled = await daybook.request('editor', 'POST', '/events', JSON.stringify(someEvent()), {
    'content-type': ';;;',
  });
  assert.is(garbled.status, 400);
});

const WRONG_TYPES: readonly (readonly [string, ...unknown[]])[] = [
  ['title', 5, true, ['x'], { a: 1 }, '0', '', '   ', '\u0001\u0002', 'x'.repeat(65_537)],
  ['description', 5, ['x'], { a: 'x' }],
  [
    'start_date',
    true,
    [],
    {},
    '',
    'soon',
    '2026-02-30',
    '2026-13-01',
    '2026-01-01 25:00',
    '2026-04-31 10:00',
    '2025-02-29',
  ],
  [
    'end_date',
    '2100-02-29',
    '0000-00-00 00:00:00',
    1e300,
    '1e300',
    -1e300,
    '99999999999999999999',
    'last day of nothing',
  ],
  ['date', '2026-02-30', 'x', {}],
  ['date_utc', '2026-11-31', [], '0000-00-00 00:00:00'],
  [
    'timezone',
    'Europe/Atlantis',
    'UTC+99',
    'UTCnonsense',
    '+25:00',
    5,
    ['UTC'],
    '../../etc/passwd',
    'Europe/Berlin\u0000x;',
  ],
  ['all_day', 'yes', 'on', '', 2, null, [], {}],
  ['featured', 'maybe', null, 'TRUEISH'],
  ['status', 'nonsense', '', 5, ['draft'], '__proto__', 'constructor', 'toString'],
  ['author', 0, -1, 'x', 99_999, 1.5, '1e309', [], {}, Number.MAX_SAFE_INTEGER],
  ['slug', '', 5, [], {}],
  ['image', 'nonsense', [], {}, 99_999, -1, 1e300, 'http://', 'file:///etc/passwd', 'http://a b/c.png'],
  [
    'website',
    'example.com',
    'javascript://x/%0aalert(1)',
    'data:text/html,x',
    'http://a b',
    'http://ü.example',
    5,
    ['http://x.y'],
    `http://x.y/${'a'.repeat(2048)}`,
  ],
  ['venue', 99_999, -1, 'Hall', 1.5, [1, 'x'], { id: 'x' }, { venue: 5 }, { venue: ['x'] }, [[1]], true, 1e300],
  ['organizer', 99_999, { id: 1e300 }, [{ organizer: {} }], { organizer: 'x', website: 'bad' }, [null, 'x']],
  ['categories', { a: { b: 1 } }, [['x']], [{}], 'x'.repeat(201)],
  ['cost', { a: { b: 1 } }, [[1]], 'x'.repeat(65_537)],
  ['post_parent', 99_999, -1, 'x', [], 1.5],
];

for (const [name, ...values] of WRONG_TYPES) {
  test(`a wrong ${name} is refused by its name, whatever it is`, async () => {
    for (const value of values)
      await refusedEverywhere(someEvent({ [name]: value }), 400, 'rest_invalid_param', {}, [name]);
  });
}

test('lists in bodies have at most 500 members', async () => {
  for (const name of ['venue', 'organizer', 'categories', 'tags', 'cost'])
    await refusedEverywhere(someEvent({ [name]: ids(10_000) }), 400, 'rest_invalid_param', {}, [name]);
  const many = `${ids(10_000)
    .map((id) => `include[]=${id}`)
    .join('&')}`;
  assert.is((await daybook.request('editor', 'POST', '/events', many, form)).body.code, 'rest_too_many_parameters');
});

test('bodies beyond the limit are 413, whatever they are', async () => {
  const ten = 'x'.repeat(10_485_760);
  await refusedEverywhere(JSON.stringify({ title: ten }), 413, 'rest_request_too_large', json);
  await refusedEverywhere(`title=${ten}`, 413, 'rest_request_too_large', form);
  await refusedEverywhere(ten, 413, 'rest_request_too_large', { 'content-type': 'text/plain' });
});

test('names that reach into prototypes mean nothing', async () => {
  const text =
    '{"title":"P","start_date":"2026-12-21","end_date":"2026-12-21","__proto__":{"featured":true,"polluted":1},"constructor":{"prototype":{"polluted":1}},"venue":{"venue":"V","__proto__":{"city":"X"}}}';
  const made = await daybook.request('editor', 'POST', '/events', text, json);
  assert.equal([made.status, made.body.featured, made.body.venue.city], [201, false, undefined]);
  const query =
    '__proto__[polluted]=1&__proto__[page]=0&constructor[prototype][polluted]=1&a[__proto__][polluted]=1&toString=x&hasOwnProperty=x';
  assert.is((await daybook.get(`/events?${query}`)).status, 200);
  const fields = `title=P&start_date=2026-12-21&end_date=2026-12-21&${query}&venue[__proto__][venue]=V`;
  assert.is((await daybook.request('editor', 'POST', '/events', fields, form)).status, 201);
  assert.is(Reflect.get({}, 'polluted'), undefined);
});

test('nothing of all this was an error of the service', () => {
  assert.equal(daybook.logged, []);
});

test.run();
