// What a request sends and its route does not have: named in a header, refused with `strict`, never passed over in silence.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, someEvent, startTestService, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('parameters that a route does not have');

test.before(async () => {
  daybook = await startTestService();
  await daybook.created('editor', 'events', someEvent({ venue: { venue: 'Hall' }, organizer: { organizer: 'Choir' } }));
});
test.after(() => daybook.close());

const named = ({ headers }: Answer): string | undefined => headers['x-daybook-unknown-parameters'];
const JSON_TYPE = { 'content-type': 'application/json' };

test('reads and lists name them, and answer as without them', async () => {
  for (const target of ['/events', '/events/3', '/venues', '/categories', '/changes', '/events.ics', '', '/doc']) {
    const plain = await daybook.get(target, 'editor');
    const answer = await daybook.get(`${target}?colour=red&_embed&size[width]=2`, 'editor');
    assert.is(named(plain), undefined, target);
    assert.is(named(answer), 'colour, _embed, size', target);
    assert.equal([answer.status, answer.text], [plain.status, plain.text], target);
  }
});

test('writes name them, in query and body, and errors too', async () => {
  const sent = { titel: 'Other', title: 'Lanterns', _reason: 'why not' };
  const changed = await daybook.request('editor', 'PATCH', '/events/3?colour=red&context=edit', sent);
  assert.equal([changed.status, changed.body.title, named(changed)], [200, 'Lanterns', 'colour, titel']);
  const made = await daybook.request('editor', 'POST', '/tags', 'name=Outdoors&term_group=1', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  assert.equal([made.status, named(made)], [201, 'term_group']);
  const missing = await daybook.request('editor', 'POST', '/events', { titel: 'Other' });
  assert.equal([missing.body.code, named(missing)], ['rest_missing_callback_param', 'titel']);
  const removed = await daybook.request('editor', 'DELETE', `/tags/${made.body.id}?force=true`);
  assert.equal([removed.status, named(removed)], [200, 'force']);
});

test('members of a venue or organizer that is to be created are named as well', async () => {
  const venue = { venue: 'Pier', cityy: 'Ghent', colour: 'red' };
  const sent = someEvent({
    venue,
    organizers: [
      { organizer: 'Duo', mail: 'x' },
      { organizer: 'Trio', mail: 'y' },
    ],
  });
  const made = await daybook.request('editor', 'POST', '/events', sent);
  assert.equal([made.status, named(made)], [201, 'venue.cityy, venue.colour, organizers.mail']);
  const refused = await daybook.request('editor', 'POST', '/events?strict=1', sent);
  assert.is(
    refused.body.data.params['venue.cityy'],
    'There is no parameter venue.cityy here; did you mean venue.city?',
  );
  const back = await daybook.request('editor', 'PATCH', '/events/3?strict=1', { venue: made.body.venue });
  assert.equal([back.status, back.body.venue.venue], [200, 'Pier']);
});

test('what routes share is known to each of them', async () => {
  const shared = '_fields=id&_envelope=1&_locale=de&strict=1&context=embed&password=x';
  assert.is(named(await daybook.get(`/events?${shared}`)), undefined);
  const written = await daybook.request('editor', 'POST', '/events/3?_method=PATCH&_fields=id', { slug: 'lanterns' });
  assert.equal([written.status, named(written)], [200, undefined]);
});

test('an answer from a cache belongs to the request that it names', async () => {
  for (const target of ['/events', '/events/3', '/venues']) {
    for (let round = 0; round < 3; round += 1) {
      assert.is(named(await daybook.get(target)), undefined, target);
      assert.is(named(await daybook.get(`${target}?colour=red`)), 'colour', target);
      assert.is(named(await daybook.get(`${target}?shape=round`)), 'shape', target);
    }
    const { etag = '' } = (await daybook.get(`${target}?colour=red`)).headers;
    const held = await daybook.get(`${target}?colour=red`, 'anonymous', { 'if-none-match': etag });
    assert.equal([held.status, named(held)], [304, 'colour'], target);
  }
  const head = await daybook.request('anonymous', 'HEAD', '/events?colour=red');
  assert.is(named(head), 'colour');
  const page = await daybook.get('/events?colour=red', 'anonymous', { origin: 'https://page.example' });
  assert.match(page.headers['access-control-expose-headers'] ?? '', /X-Daybook-Unknown-Parameters/);
});

test('an envelope has the names inside as well', async () => {
  const { body, headers } = await daybook.get('/events?colour=red&_envelope');
  assert.is(body.headers['X-Daybook-Unknown-Parameters'], 'colour');
  assert.is(headers['x-daybook-unknown-parameters'], 'colour');
});

test('the header is bounded, and nothing of a name can leave its line', async () => {
  const hostile = { 'a\r\nSet-Cookie: x=1': 1, 'ü, "b"': 1, '\ud800': 1, '': 1, toString: 1, ['n'.repeat(5_000)]: 1 };
  const answer = await daybook.request('editor', 'PATCH', '/events/3', JSON.stringify(hostile), JSON_TYPE);
  const expected = ['a%0D%0ASet-Cookie%3A%20x%3D1', '%C3%BC%2C%20%22b%22', '%EF%BF%BD', '', 'toString', 'n'.repeat(60)];
  assert.equal([answer.status, named(answer)], [200, expected.join(', ')]);
  assert.is(answer.headers['set-cookie'], undefined);
  const tents = Array.from({ length: 9 }, (_, at) => `${at}${'%F0%9F%8E%AA'.repeat(80)}`);
  const long = named(await daybook.get(`/events?${tents.join('&')}`)) ?? '';
  assert.is(long, `0${'%F0%9F%8E%AA'.repeat(59)}`);
  const crowd = await daybook.get(`/events?${Array.from({ length: 900 }, (_, at) => `p${at}`).join('&')}`);
  assert.is((named(crowd) ?? '').split(', ').length, 20);
});

test('strict=1 refuses them before anything else, says what there is, and writes nothing', async () => {
  const before = await daybook.store.head();
  const sent = { titel: 'Other', start_date: 'nonsense' };
  const { status, body, headers } = await daybook.request('editor', 'POST', '/events?strict=1', sent);
  assert.equal([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', ['titel']]);
  assert.is(body.data.params.titel, 'There is no parameter titel here; did you mean title?');
  assert.match(
    body.message,
    /^Invalid parameter\(s\): titel\. .* The parameters are accessibility, .*all_day, author, .*virtual_video_source/,
  );
  assert.is(headers['x-daybook-unknown-parameters'], undefined);
  const list = await daybook.get('/venues?strict=true&perpage=2&zzzzzzzzz=1');
  assert.equal(list.body.data.params, {
    perpage: 'There is no parameter perpage here; did you mean per_page?',
    zzzzzzzzz: 'There is no parameter zzzzzzzzz here.',
  });
  assert.match((await daybook.get('/users/me?strict=1&x=1', 'editor')).body.message, /There are no parameters\.$/);
  assert.match((await daybook.get('/tags?strict=1&x=1&_locale=de')).body.message, /gibt es hier nicht/);
  assert.not.match((await daybook.get('/tags?strict=1&x=1')).body.message, /\bparent\b/);
  assert.equal(await daybook.store.head(), before);
});

test('strict is a flag: it may be switched off, and anything else is no flag', async () => {
  for (const [value, status] of [
    ['0', 200],
    ['false', 200],
    ['1', 400],
    ['true', 400],
    ['TRUE', 400],
  ] as const)
    assert.is((await daybook.get(`/events?strict=${value}&colour=red`)).status, status, value);
  const { status, body } = await daybook.get('/events?strict=please');
  assert.equal([status, body.data.details.strict.code], [400, 'rest_invalid_type']);
  assert.is((await daybook.get('/events?strict=1&per_page=3&search=rehearsal')).status, 200);
});

test.run();
