// What is well-formed HTTP and means no good: paths, names, numbers, depth, headers.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, PREFIX, someEvent } from '../support/service.ts';
import { message, type Outcome, startUnderAttack, type UnderAttack } from '../support/under-attack.ts';

const test = suite('attacks by input');

let site: UnderAttack;
let draft: Body;
test.before(async () => {
  site = await startUnderAttack();
  draft = await site.daybook.created('editor', 'events', someEvent({ title: '.', status: 'draft' }));
});
test.after(() => site.close());

const editor = (): string => `Authorization: ${site.daybook.authorization('editor')}`;
const get = (path: string, headers: readonly string[] = []) => site.send(message(`GET ${path}`, headers));
const post = (collection: string, json: string | Uint8Array, headers: readonly string[] = []) =>
  site.send(message(`POST ${PREFIX}/${collection}`, [editor(), 'Content-Type: application/json', ...headers], json));

/** An event as JSON with further members, as they are. */
const eventJson = (members: string): string => `${JSON.stringify(someEvent()).slice(0, -1)},${members}}`;

const NO_ROUTE: Outcome = ['404 rest_no_route', 'kept'];
/** Not below the prefix of the API. */
const NO_PAGE: Outcome = ['404 as a page', 'kept'];
const REFUSED: Outcome = ['400 rest_invalid_param', 'kept'];

const PATHS: readonly (readonly [trick: string, path: string, outcome: Outcome])[] = [
  ['steps up', `${PREFIX}/../../../etc/passwd`, NO_ROUTE],
  ['encoded steps up', `${PREFIX}/%2e%2e/%2e%2e/etc/passwd`, NO_ROUTE],
  ['steps up encoded twice', `${PREFIX}/%252e%252e%252fetc%252fpasswd`, NO_ROUTE],
  ['steps up to a route that is there', `${PREFIX}/events/../tags`, NO_ROUTE],
  ['steps up in a slug', `${PREFIX}/events/by-slug/..%2f..%2fetc%2fpasswd`, REFUSED],
  ['dots for a slug', `${PREFIX}/events/by-slug/%2e%2e`, REFUSED],
  ['dots encoded twice for a slug', `${PREFIX}/events/by-slug/%252e%252e`, REFUSED],
  ['dots in too many bytes', `${PREFIX}/events/by-slug/%c0%ae%c0%ae`, NO_ROUTE],
  ['backslashes', `${PREFIX}\\..\\..\\etc\\passwd`, NO_PAGE],
  ['an encoded slash', `${PREFIX}%2ftags`, NO_PAGE],
  ['NUL behind an id', `${PREFIX}/events/1%00`, NO_ROUTE],
  ['NUL in a slug', `${PREFIX}/events/by-slug/a%00b`, NO_ROUTE],
  ['NUL and an ending', `${PREFIX}/tags%00.html`, NO_ROUTE],
  ['a parameter in the path', `${PREFIX}/tags;jsessionid=1`, NO_ROUTE],
  ['a host in the path', `//other.example${PREFIX}/tags`, NO_PAGE],
  ['a fragment', `${PREFIX}/tags#x`, NO_ROUTE],
  ['an encoded line end', `${PREFIX}/tags%0d%0aX-Injected:%20y`, NO_ROUTE],
];

for (const [trick, path, outcome] of PATHS)
  test(`${trick}: ${outcome.join(', ')}`, async () => {
    const { outcome: found, answers } = await get(path);
    assert.equal(found, outcome);
    assert.not.ok('x-injected' in (answers[0]?.headers ?? {}));
  });

test('punctuation as a slug does not trash a resource that has no slug yet', async () => {
  const gone = await site.send(message(`DELETE ${PREFIX}/events/by-slug/%2e%2e`, [editor()]));
  assert.is(gone.answers[0]?.status, 400);
  assert.is((await site.daybook.get(`/events/${draft.id}`, 'editor')).body.status, 'draft');
});

test('names of prototypes in bodies and queries: they are no members, and reach no prototype', async () => {
  const nested = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
  const inBody = await post(
    'events',
    eventJson(`"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}`),
  );
  assert.equal(inBody.outcome, ['201', 'kept']);
  const linked = await post(
    'events',
    eventJson(`"venue":{"venue":"Hall","__proto__":{"polluted":1}},"organizer":[${nested}]`),
  );
  const { venue, organizer } = JSON.parse(linked.answers[0]?.text ?? '');
  assert.equal([linked.outcome, venue.venue, organizer], [['201', 'kept'], 'Hall', []], 'such names alone are nothing');
  const query = '__proto__[polluted]=1&constructor[prototype][polluted]=1&per_page[__proto__][polluted]=1';
  assert.is((await get(`${PREFIX}/events?${query}`)).answers[0]?.status, 200);
  const form = await site.send(
    message(`POST ${PREFIX}/events`, [editor(), 'Content-Type: application/x-www-form-urlencoded'], query),
  );
  assert.equal(form.outcome, ['400 rest_missing_callback_param', 'kept']);
  const fields = await get(`${PREFIX}/events?_fields=__proto__.polluted,constructor,toString`);
  assert.is(fields.answers[0]?.text, '{}');
  const blank: { polluted?: unknown } = {};
  assert.is(blank.polluted, undefined);
});

const NINES = '9'.repeat(400);

const QUERIES: readonly (readonly [query: string, outcome: Outcome])[] = [
  [`events?page=${NINES}`, REFUSED],
  ['events?page=1e308', REFUSED],
  ['events?page=Infinity', REFUSED],
  ['events?page=-1', REFUSED],
  ['events?per_page=99999999999', ['200', 'kept']],
  [`events?venue=${NINES}`, REFUSED],
  ['events?start_date=275761-01-01', REFUSED],
  [`events?start_date=${NINES}`, REFUSED],
  ['events?geoloc_lat=1e999&geoloc_lng=0', REFUSED],
  [`events/${NINES}`, ['404 rest-event-not-found', 'kept']],
  [`events?as_of=${NINES}`, REFUSED],
];

for (const [query, outcome] of QUERIES)
  test(`a number beyond all measure in ${query.slice(0, 25)}: ${outcome.join(', ')}`, async () => {
    assert.equal((await get(`${PREFIX}/${query}`)).outcome, outcome);
  });

test('numbers beyond all measure in bodies are refused', async () => {
  for (const member of ['"venue":1e999', `"venue":${NINES}`, '"date":"99999999999999999999"', `"post_parent":${NINES}`])
    assert.equal((await post('events', eventJson(member))).outcome, REFUSED, member);
  assert.equal((await post('venues', '{"venue":"x","geo_lat":1e308,"geo_lng":1}')).outcome, REFUSED);
});

test('a length beyond the limit is refused before the body comes: 413', async () => {
  const { outcome } = await site.send(
    `POST ${PREFIX}/tags HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 999999999999\r\n\r\n{`,
  );
  assert.equal(outcome, ['413 rest_request_too_large', 'closed']);
});

test('JSON of 10,000 levels: as a member or an object refused, as a list no object', async () => {
  const deep = (open: string, close: string): string => `${open.repeat(10_000)}1${close.repeat(10_000)}`;
  const NO_JSON: Outcome = ['400 rest_invalid_json', 'kept'];
  assert.equal((await post('events', deep('{"a":', '}'))).outcome, NO_JSON);
  assert.equal((await post('events', eventJson(`"venue":${deep('[', ']')}`))).outcome, NO_JSON);
  assert.equal((await post('events', deep('[', ']'))).outcome, ['400 rest_missing_callback_param', 'kept']);
  assert.equal((await get(`${PREFIX}/events?a${'[b]'.repeat(1_000)}=1`)).outcome, [
    '400 rest_too_many_parameters',
    'kept',
  ]);
});

test('of a duplicate member the last one counts, for validation and for the write', async () => {
  const allowed = await post('events', eventJson('"excerpt":5,"excerpt":"last"'));
  assert.match(allowed.answers[0]?.text ?? '', '<p>last</p>');
  assert.equal((await post('events', eventJson('"excerpt":"first","excerpt":5'))).outcome, REFUSED);
  const listed = await get(`${PREFIX}/events?per_page=1&per_page=2&_fields=rest_url`);
  assert.match(listed.answers[0]?.text ?? '', 'per_page=2');
});

test('cookies do not authenticate, and too many of them are too large', async () => {
  const small = await get(`${PREFIX}/tags`, [`Cookie: session=${'x'.repeat(20_000)}; admin=1`]);
  assert.equal(small.outcome, ['200', 'kept']);
  assert.is(small.answers[0]?.headers.allow, 'GET');
  assert.not.ok('set-cookie' in (small.answers[0]?.headers ?? {}));
  const LARGE: Outcome = ['431 rest_headers_too_large', 'closed'];
  assert.equal((await get(`${PREFIX}/tags`, [`Cookie: ${'a=b; '.repeat(10_000)}`])).outcome, LARGE);
  assert.equal(
    (
      await get(
        `${PREFIX}/tags`,
        Array.from({ length: 10_000 }, () => 'Cookie: a=b'),
      )
    ).outcome,
    LARGE,
  );
});

test('line ends in header values stay text', async () => {
  const injected = 'a%0d%0aX-Injected: y';
  const asked = await get(`${PREFIX}/tags?_envelope=a%0d%0aX-Injected:%20y`, [
    `Origin: https://page.example${injected}`,
    `If-None-Match: "${injected}"`,
    `Accept-Encoding: ${injected}`,
    `Accept-Language: ${injected}`,
    `X-Request-Id: ${injected}`,
  ]);
  const written = await post('tags', '{"name":"a\\r\\nX-Injected: y","slug":"b\\r\\nX-Injected: y"}', [
    `X-Change-Reason: ${injected}`,
    `Idempotency-Key: ${injected}`,
  ]);
  assert.equal(
    [asked.outcome, written.outcome],
    [
      ['200', 'kept'],
      ['201', 'kept'],
    ],
  );
  for (const { answers } of [asked, written]) assert.not.ok('x-injected' in (answers[0]?.headers ?? {}));
  const { id } = JSON.parse(written.answers[0]?.text ?? '');
  const [told] = await site.daybook.store.readStream(`tag-${id}`);
  assert.is(told?.metadata.reason, 'a X-Injected: y');
  assert.equal((await get(`${PREFIX}/tags`, [`X-Daybook-Position: ${injected}`])).outcome, REFUSED);
  const direct = await post('tags', '{"name":"raw"}', ['X-Change-Reason: a\r\nX-Injected: y']);
  assert.equal(direct.outcome, ['201', 'kept'], 'that is just another header of the request');
  assert.not.ok('x-injected' in (direct.answers[0]?.headers ?? {}));
});

test('JSON with a byte order mark, NUL, trailing text, or in UTF-16 is invalid', async () => {
  const NO_JSON: Outcome = ['400 rest_invalid_json', 'kept'];
  const nul = '{"name":"a\0b"}';
  for (const text of [
    nul,
    '{"name":"a"} x',
    Buffer.from('\ufeff{"name":"a"}', 'utf16le'),
    new Uint8Array([0x7b, 0xff, 0x7d]),
  ])
    assert.equal((await post('tags', text)).outcome, NO_JSON, String(text));
});

test.run();
