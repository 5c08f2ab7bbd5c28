import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const SECRET = 'open sesame ü';
const presented = `password=${encodeURIComponent(SECRET)}`;

let daybook: TestService;
let locked: Body;
const test = suite('events under a password');

test.before(async () => {
  daybook = await startTestService();
  locked = await daybook.created('author', 'events', {
    ...someEvent({
      title: 'Secret feast',
      description: 'the cellar',
      excerpt: 'wine',
      cost: '20',
      website: 'https://feast.example',
    }),
    ...{
      venue: { venue: 'Cellar', city: 'Leeds' },
      organizer: { organizer: 'Host' },
      categories: 'Feasts',
      tags: 'wine',
    },
    ...{ image: 'https://img.example/feast.png', featured: true, all_day: true, show_map: true, password: SECRET },
  });
});
test.after(() => daybook.close());

const target = () => `/events/${locked.id}`;
const listed = async (query = '', as: 'anonymous' | 'administrator' = 'anonymous'): Promise<Body> =>
  (await daybook.get(`/events?per_page=50${query}`, as)).body.events.find(({ id }: Body) => id === locked.id);

test('setting the password answers everything but the password', async () => {
  assert.equal([locked.description, locked.venue.venue, locked.cost], ['<p>the cellar</p>', 'Cellar', '$20']);
  assert.not.match(JSON.stringify(locked), /sesame|scrypt|passwordHash/);
  const log = JSON.stringify(await daybook.store.readStream(`event-${locked.id}`));
  assert.not.match(log, 'sesame');
  assert.match(log, 'scrypt');
});

test('a read without the password, or with another one, is refused to all, by id and by slug', async () => {
  for (const as of ['anonymous', 'subscriber', 'author', 'administrator'] as const) {
    for (const path of [target(), `/events/by-slug/${locked.slug}`]) {
      for (const query of ['', '?password=wrong', '?context=view']) {
        const answer = await daybook.get(path + query, as);
        assert.equal([answer.status, answer.body.code], [403, 'event-password-protected'], `${as} ${path}${query}`);
        assert.not.match(answer.text, /cellar|feast/i);
      }
    }
  }
  assert.is((await daybook.get(`${target()}?password=`)).status, 400);
});

test('the password opens it to all readers', async () => {
  for (const path of [target(), `/events/by-slug/${locked.slug}`]) {
    const { status, body } = await daybook.get(`${path}?${presented}`);
    assert.equal([status, body.description, body.venue.venue], [200, '<p>the cellar</p>', 'Cellar']);
    assert.is(body.title, 'Secret feast', 'nothing is put before the title');
  }
});

test('context=edit opens it only to those who may edit it', async () => {
  const statuses: number[] = [];
  for (const as of ['anonymous', 'subscriber', 'contributor', 'otherAuthor', 'author', 'editor'] as const)
    statuses.push((await daybook.get(`${target()}?context=edit`, as)).status);
  assert.equal(statuses, [403, 403, 403, 403, 200, 200]);
});

const MASKED: Body = {
  ...{ description: '', excerpt: '', cost: '', website: '', image: false },
  ...{ all_day: null, show_map: null, show_map_link: null, hide_from_listings: null, sticky: null, featured: null },
  ...{ categories: [], tags: [], venue: [], organizer: [], custom_fields: [] },
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
};

test('lists show it masked, to editors too; the password opens it there', async () => {
  for (const as of ['anonymous', 'administrator'] as const) {
    const masked = await listed('', as);
    for (const [name, value] of Object.entries(MASKED)) assert.equal(masked[name], value, name);
    for (const name of ['id', 'title', 'slug', 'status', 'date', 'start_date', 'utc_end_date', 'timezone', 'url'])
      assert.equal(masked[name], locked[name], name);
    assert.not.ok('json_ld' in masked);
  }
  assert.is((await listed('&password=wrong')).description, '');
  assert.is((await listed(`&${presented}`)).description, '<p>the cellar</p>');
  assert.is((await listed()).description, '', 'the next one without it sees nothing again');
});

test('a public search does not match protected content', async () => {
  assert.is(await listed('&search=cellar'), undefined);
  assert.ok(await listed('&search=cellar', 'administrator'));
});

test('a password in a PUT sets it, an empty one removes it', async () => {
  const { id } = await daybook.created('author', 'events', someEvent({ title: 'Free' }));
  const put = (body: object, as: 'author' | 'otherAuthor' = 'author') =>
    daybook.request(as, 'PUT', `/events/${id}`, body);
  assert.is((await put({ password: 'x' }, 'otherAuthor')).status, 403);
  assert.is((await daybook.get(`/events/${id}`)).status, 200);
  assert.is((await put({ password: 'first' })).status, 200);
  assert.is((await daybook.get(`/events/${id}`)).status, 403);
  await put({ excerpt: 'x' });
  assert.is((await daybook.get(`/events/${id}?password=first`)).status, 200, 'other changes leave it as it is');
  await put({ password: 'second' });
  assert.is((await daybook.get(`/events/${id}?password=first`)).status, 403);
  await put({ password: '' });
  assert.is((await daybook.get(`/events/${id}`)).status, 200);
});

test('by slug a password is not set', async () => {
  const { id, slug } = await daybook.created('author', 'events', someEvent({ title: 'By slug' }));
  await daybook.request('author', 'PUT', `/events/by-slug/${slug}`, { password: 'x', excerpt: 'y' });
  assert.is((await daybook.get(`/events/${id}`)).status, 200);
});

test('an editor deletes it without the password and still gets all of it', async () => {
  const { id } = await daybook.created('author', 'events', someEvent({ description: 'gone', password: 'x' }));
  assert.is((await daybook.request('otherAuthor', 'DELETE', `/events/${id}`)).status, 403);
  const answer = await daybook.request('author', 'DELETE', `/events/${id}`);
  assert.equal([answer.status, answer.body.description], [200, '<p>gone</p>']);
});

test('passwords are texts of at most 255 characters', async () => {
  for (const password of [5, null, ['x'], 'x'.repeat(256)])
    assert.is((await daybook.request('author', 'POST', '/events', someEvent({ password }))).status, 400);
});

test.run();
