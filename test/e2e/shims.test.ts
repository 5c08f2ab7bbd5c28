// The routes of another interface that writers also call, driven by the calls of such writers over real connections.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DocumentCheck, openDocumentCheck } from '../support/documented.ts';
import { photo } from '../support/pictures.ts';
import { type As, type Body, NOON, startTestService, type TestService } from '../support/service.ts';

let daybook: TestService;
let site = '';
let picture: Buffer;
let document: DocumentCheck;
const test = suite('shims of another interface');

test.before(async () => {
  const environment = { DAYBOOK_PREFIX_ALIASES: 'wp-json/tribe/events/v1,other', DAYBOOK_TIMEZONE: 'Europe/Berlin' };
  daybook = await startTestService({ environment: { ...environment, DAYBOOK_MAX_UPLOAD: '1' } });
  site = await daybook.service.app.listen({ host: '127.0.0.1', port: 0 });
  picture = await photo(600, 400);
  document = openDocumentCheck((await daybook.get('/doc')).body);
});
test.after(() => daybook.close());

/** A client with an address, the name of a user and a token, as scripts have them. */
function client(as: As) {
  const [, token = ''] = as === 'anonymous' ? [] : daybook.authorization(as).split(' ');
  const authorization = `Basic ${Buffer.from(`${as}:${token}`).toString('base64')}`;
  return async (method: string, path: string, body?: object | Buffer, headers: { [name: string]: string } = {}) => {
    const isRaw = body === undefined || Buffer.isBuffer(body) || body instanceof FormData;
    const response = await fetch(`${site}/wp-json/${path}`, {
      method,
      headers: {
        ...(as !== 'anonymous' && { authorization }),
        ...(!isRaw && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? (body as FormData) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answered: Body = text === '' ? undefined : JSON.parse(text);
    if (path.startsWith('wp/v2/') && !path.includes('_fields')) {
      const sent = Object.fromEntries(response.headers);
      const exchange = { method, target: `/${path}`, status: response.status, headers: sent, body: answered };
      assert.equal(document.problems(exchange), [], `${method} ${path}`);
    }
    return { status: response.status, headers: response.headers, body: answered };
  };
}

test('a writer tests its credentials, finds or makes its tags, uploads a picture and creates an event of them', async () => {
  const call = client('editor');
  const me = await call('GET', 'wp/v2/users/me?context=edit');
  assert.equal([me.status, me.body.slug, me.body.roles], [200, 'editor', ['editor']]);
  assert.ok(me.body.capabilities.edit_tribe_events && me.body.capabilities.upload_files);

  async function tagId(name: string): Promise<number> {
    const found = await call('GET', `wp/v2/tags?search=${encodeURIComponent(name)}&per_page=100&_fields=id,name`);
    const same = found.body.find((tag: Body) => tag.name === name);
    if (same) return same.id;
    const made = await call('POST', 'wp/v2/tags', { name, slug: '', description: '' });
    if (made.status === 400 && made.body.code === 'term_exists') return made.body.data.term_id;
    assert.equal([made.status, made.headers.get('location')], [201, `${site}/wp-json/wp/v2/tags/${made.body.id}`]);
    return made.body.id;
  }
  const tags = [await tagId('Open air'), await tagId('Jazz'), await tagId('Open air')];
  assert.is(tags[0], tags[2]);

  const media = await call('POST', 'wp/v2/media', picture, {
    'content-disposition': 'attachment; filename="Choir on a bridge.jpg"',
    'content-type': 'image/jpeg',
  });
  assert.is(media.status, 201, JSON.stringify(media.body));
  const { id, title, source_url, media_details, media_type, mime_type } = media.body;
  assert.equal([title.rendered, media_type, mime_type], ['Choir on a bridge', 'image', 'image/jpeg']);
  assert.is(media.headers.get('location'), `${site}/wp-json/wp/v2/media/${id}`);
  assert.equal(Object.keys(media_details.sizes).sort(), ['full', 'medium', 'thumbnail']);
  assert.is(media_details.sizes.full.source_url, source_url);
  assert.is((await fetch(media_details.sizes.thumbnail.source_url)).headers.get('content-type'), 'image/jpeg');
  const described = await call('POST', `wp/v2/media/${id}`, {
    alt_text: 'Singers & a bridge',
    title: { raw: 'A & B' },
  });
  assert.equal([described.body.alt_text, described.body.title], ['Singers & a bridge', { rendered: 'A &amp; B' }]);

  const event = await call('POST', 'tribe/events/v1/events', {
    ...{ title: 'Open rehearsal', start_date: '2026-12-21 10:00:00', end_date: '2026-12-21 12:00:00' },
    ...{ tags, featured_image: id, venue_id: { venue: 'Pier' }, organizers: [{ organizer: 'Choir' }] },
  });
  assert.equal([event.status, event.headers.get('x-daybook-unknown-parameters')], [201, null]);
  assert.equal(event.body.tags.map((tag: Body) => tag.name).sort(), ['Jazz', 'Open air']);
  assert.equal([event.body.image.id, event.body.image.url], [id, source_url]);
  assert.equal([event.body.venue.venue, event.body.organizer[0].organizer], ['Pier', 'Choir']);
  const inUse = await call('DELETE', `wp/v2/media/${id}?force=true`);
  assert.equal([inUse.status, inUse.body.code], [409, 'rest_picture_in_use']);
});

test('a workflow uploads by form, and is told which fields had no effect', async () => {
  const call = client('author');
  const form = new FormData();
  form.append('file', new File([new Uint8Array(picture)], 'pier.jpg', { type: 'image/jpeg' }));
  for (const [name, value] of Object.entries({
    title: 'Pier',
    alt_text: 'A pier',
    caption: 'At night',
    status: 'draft',
  }))
    form.append(name, value);
  const { status, body, headers } = await call('POST', 'wp/v2/media', form);
  assert.equal([status, body.title.rendered, body.alt_text], [201, 'Pier', 'A pier']);
  assert.equal(
    [body.author, headers.get('x-daybook-unknown-parameters')],
    [daybook.userId('author'), 'caption, status'],
  );
  assert.equal([body.date_gmt, body.date], ['2026-11-20T12:00:00', '2026-11-20T13:00:00']);
  assert.is(NOON, Date.parse(`${body.date_gmt}Z`) / 1000);
  const read = await call('GET', `wp/v2/media/${body.id}?context=edit`);
  assert.equal(read.body.title, { raw: 'Pier', rendered: 'Pier' });
  const found = await call('GET', 'wp/v2/media?search=pier&per_page=1');
  assert.equal(
    found.body.map((one: Body) => one.id),
    [body.id],
  );
  assert.equal([found.headers.get('x-wp-total'), found.headers.get('x-wp-totalpages')], ['1', '1']);
  const bySlug = async (slug: string) =>
    (await call('GET', `wp/v2/media?slug=${slug}`)).body.map((one: Body) => one.id);
  assert.equal(await bySlug(body.slug), [body.id]);
  assert.equal(await bySlug(`nothing,${body.slug},${body.slug}`), [body.id]);
  assert.equal([await bySlug(body.slug.slice(0, 8)), await bySlug('nothing')], [[], []], 'the whole slug counts');
  const counted = await call('GET', `wp/v2/media?slug=${body.slug}&search=nowhere`);
  assert.equal(
    [counted.body, counted.headers.get('x-wp-total'), counted.headers.get('x-wp-totalpages')],
    [[], '0', '0'],
  );
  const refused = await call('DELETE', `wp/v2/media/${body.id}`);
  assert.equal([refused.status, refused.body.code], [501, 'rest_trash_not_supported']);
  const gone = await call('DELETE', `wp/v2/media/${body.id}?force=true`);
  assert.equal([gone.body.deleted, gone.body.previous.title.rendered], [true, 'Pier']);
  const missing = await call('GET', `wp/v2/media/${body.id}`);
  assert.equal([missing.status, missing.body.code], [404, 'rest_post_invalid_id']);
});

test('a synchronization reads all tags a hundred at a time, by the totals in the headers', async () => {
  const call = client('editor');
  for (let at = 0; at < 120; at += 1)
    await daybook.created('editor', 'tags', { name: `Sync ${String(at).padStart(3, '0')}` });
  const read = async (perPage: number): Promise<string[]> => {
    const names: string[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { body, headers } = await call('GET', `wp/v2/tags?search=sync&per_page=${perPage}&page=${page}`);
      pages = Number(headers.get('x-wp-totalpages'));
      assert.is(headers.get('x-wp-total'), '120');
      assert.is(pages, Math.ceil(120 / perPage));
      names.push(...body.map((tag: Body) => tag.name));
    }
    return names;
  };
  const expected = Array.from({ length: 120 }, (_, at) => `Sync ${String(at).padStart(3, '0')}`);
  for (const perPage of [100, 73, 50, 17]) assert.equal(await read(perPage), expected);
  assert.equal((await call('GET', 'wp/v2/tags?search=sync&per_page=100&page=3')).body, []);
  // Others follow the header.
  const followed: string[] = [];
  for (let next: string | undefined = 'wp/v2/tags?search=sync&per_page=50&_fields=name'; next !== undefined; ) {
    const { body, headers } = await call('GET', next);
    followed.push(...body.map((tag: Body) => tag.name));
    next = /wp-json\/([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  assert.equal(followed, expected);
  const past = await call('GET', 'wp/v2/media?page=9');
  assert.equal([past.status, past.body.code], [400, 'rest_post_invalid_page_number']);
  const most = await call('GET', 'wp/v2/tags?search=sync&per_page=100000');
  assert.equal([most.body.length, most.headers.get('x-wp-totalpages')], [100, '2']);
  assert.is((await call('GET', 'wp/v2/tags?per_page=0')).status, 400);
});

test('tags are found by slug, also unused ones, changed and deleted', async () => {
  const call = client('editor');
  const made = await call('POST', 'wp/v2/tags', { name: 'Wine & Song', slug: 'wine' });
  assert.equal(made.body, {
    ...{
      id: made.body.id,
      count: 0,
      description: '',
      link: `${site}/tag/wine/`,
      name: 'Wine &amp; Song',
      slug: 'wine',
    },
    ...{ taxonomy: 'post_tag', meta: [], _links: made.body._links },
  });
  assert.is(made.body._links.self[0].href, `${site}/wp-json/wp/v2/tags/${made.body.id}`);
  const bySlug = await client('anonymous')('GET', 'wp/v2/tags?slug=wine');
  assert.equal(
    bySlug.body.map((tag: Body) => tag.id),
    [made.body.id],
  );
  assert.equal((await call('GET', 'wp/v2/tags?slug=wine&hide_empty=true')).body, []);
  await call('POST', 'wp/v2/tags', { name: 'Beer' });
  const both = await call('GET', 'wp/v2/tags?slug=wine,beer,none');
  assert.equal([both.body.length, both.headers.get('x-wp-total')], [2, '2']);
  const changed = await call('PUT', `wp/v2/tags/${made.body.id}`, { description: 'Bottles' });
  assert.equal([changed.status, changed.body.description, changed.body.slug], [200, 'Bottles', 'wine']);
  const again = await call('POST', 'wp/v2/tags', { name: 'Wine & Song' });
  assert.equal([again.status, again.body.code, again.body.data.term_id], [400, 'term_exists', made.body.id]);
  assert.is((await call('DELETE', `wp/v2/tags/${made.body.id}`)).body.code, 'rest_trash_not_supported');
  const gone = await call('DELETE', `wp/v2/tags/${made.body.id}?force=1`);
  assert.equal([gone.body.deleted, gone.body.previous.slug], [true, 'wine']);
  for (const [method, query] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', '?force=1'],
  ] as const) {
    const { status, body } = await call(
      method,
      `wp/v2/tags/${made.body.id}${query}`,
      method === 'PATCH' ? {} : undefined,
    );
    assert.equal([status, body.code], [404, 'rest_term_invalid'], method);
  }
});

test('rights are those of the API, role by role', async () => {
  const { body: tag } = await client('editor')('POST', 'wp/v2/tags', { name: 'Rights' });
  const tried = async (as: As): Promise<readonly number[]> => {
    const call = client(as);
    return [
      (await call('GET', 'wp/v2/users/me')).status,
      (await call('GET', `wp/v2/tags/${tag.id}`)).status,
      (await call('POST', 'wp/v2/tags', { name: `By ${as}` })).status,
      (await call('PATCH', `wp/v2/tags/${tag.id}`, { description: `by ${as}` })).status,
      (await call('GET', 'wp/v2/media')).status,
      (await call('POST', 'wp/v2/media', picture, { 'content-type': 'image/jpeg' })).status,
    ];
  };
  assert.equal(await tried('administrator'), [200, 200, 201, 200, 200, 201]);
  assert.equal(await tried('editor'), [200, 200, 201, 200, 200, 201]);
  assert.equal(await tried('author'), [200, 200, 403, 403, 200, 201]);
  assert.equal(await tried('contributor'), [200, 200, 403, 403, 403, 403]);
  assert.equal(await tried('subscriber'), [200, 200, 403, 403, 403, 403]);
  assert.equal(await tried('anonymous'), [401, 200, 401, 401, 401, 401]);
  const { body } = await client('anonymous')('GET', 'wp/v2/users/me');
  assert.equal([body.code, body.data.status], ['rest_not_logged_in', 401]);
  for (const as of ['author', 'subscriber', 'anonymous'] as const) {
    const { status } = await client(as)('DELETE', `wp/v2/tags/${tag.id}`);
    assert.is(status, as === 'anonymous' ? 401 : 403, 'rights come before the question whether there is a trash');
  }
  assert.equal(daybook.logged, [], 'what is not offered is no failure of the service');
  const { capabilities } = (await client('subscriber')('GET', 'wp/v2/users/me?context=edit')).body;
  assert.equal(capabilities, { read: true });
  const wrong = await fetch(`${site}/wp-json/wp/v2/users/me`, { headers: { authorization: 'Bearer 2-1-wrong' } });
  assert.is(wrong.status, 401);
});

test('what cannot be a picture is refused as by the API, and nothing is written', async () => {
  const call = client('editor');
  const before = await daybook.store.head();
  const jpeg = { 'content-type': 'image/jpeg' };
  for (const [body, status, code] of [
    [Buffer.from('no picture'), 400, 'rest_upload_not_a_picture'],
    [Buffer.alloc(0), 400, 'rest_upload_missing'],
    [Buffer.alloc(1_200_000, 1), 413, 'rest_upload_too_large'],
    [Buffer.alloc(3_000_000, 1), 413, 'rest_upload_too_large'],
  ] as const) {
    const answer = await call('POST', 'wp/v2/media', body, jpeg);
    assert.equal([answer.status, answer.body.code], [status, code]);
  }
  // A stranger's file is not even read.
  const stranger = await daybook.request('subscriber', 'POST', '//wp-json/wp/v2/media', Buffer.alloc(3_000_000), jpeg);
  assert.is(stranger.status, 403);
  const strict = await call('POST', 'wp/v2/media?strict=1&caption=x', picture, jpeg);
  assert.equal([strict.status, strict.body.data.params.caption], [400, 'There is no parameter caption here.']);
  assert.equal(await daybook.store.head(), before);
});

test('what is written through a shim bears the request of its client, and happens once', async () => {
  const call = client('editor');
  const headers = { 'x-change-reason': 'sync', 'idempotency-key': 'a1' };
  const made = await call('POST', 'wp/v2/tags', { name: 'Traced' }, headers);
  assert.is((await call('POST', 'wp/v2/tags', { name: 'Traced' }, headers)).body.id, made.body.id);
  const { history } = (await daybook.get(`/tags/${made.body.id}/history`, 'editor')).body;
  const { reason, correlation_id } = history[0];
  assert.equal([history.length, reason, correlation_id], [1, 'sync', made.headers.get('x-request-id')]);
});

test('hostile values are refused or told, and never fail', async () => {
  const values = [
    null,
    '',
    0,
    -1,
    1e308,
    true,
    [],
    ['a', { b: 1 }],
    { raw: { raw: 'x' } },
    '\0',
    'x'.repeat(70_000),
    '%',
  ];
  for (const value of values) {
    for (const [method, target, names] of [
      ['POST', '/tags', ['name', 'slug', 'description']],
      ['PATCH', '/tags/1', ['name', 'slug', 'description']],
      ['PATCH', '/media/1', ['title', 'alt_text']],
    ] as const)
      for (const name of names) {
        const { status } = await daybook.request('editor', method, `//wp-json/wp/v2${target}`, { [name]: value });
        assert.ok(status < 500, `${method} ${target} ${name}=${JSON.stringify(value).slice(0, 40)}: ${status}`);
      }
    const text = encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : String(value).slice(0, 9_000));
    for (const name of [
      'page',
      'per_page',
      'search',
      'include',
      'exclude',
      'orderby',
      'hide_empty',
      'slug',
      'author',
      '_fields',
    ])
      for (const list of ['tags', 'media']) {
        const { status } = await daybook.get(`//wp-json/wp/v2/${list}?${name}=${text}`, 'editor');
        assert.ok(status < 500, `${list}?${name}=${text.slice(0, 40)}: ${status}`);
      }
  }
});

test('a tag that was merged leads on, and a write under review is answered with its proposal', async () => {
  const call = client('editor');
  const [stays, goes] = [
    await call('POST', 'wp/v2/tags', { name: 'Stays' }),
    await call('POST', 'wp/v2/tags', { name: 'Goes' }),
  ];
  await daybook.request('editor', 'POST', `/tags/${goes.body.id}/merge`, { into: stays.body.id });
  const moved = await call('GET', `wp/v2/tags/${goes.body.id}`);
  assert.equal([moved.status, moved.body.id], [200, stays.body.id]);
  const set = await daybook.request('administrator', 'PUT', '/policy', { tags: { editor: 'review' } });
  assert.is(set.status, 200, set.text);
  const proposed = await call('POST', 'wp/v2/tags', { name: 'Proposed' });
  assert.equal([proposed.status, proposed.body.state], [202, 'open']);
});

test('a client that has missed a path of the interface is answered as a program', async () => {
  for (const path of ['events', 'wp/v3/tags', 'wp/v2/pages'])
    assert.is((await client('anonymous')('GET', path)).body.code, 'rest_no_route', path);
});

test('each alias has its shims beside it, the main prefix has none', async () => {
  assert.is((await daybook.get('//wp-json/wp/v2/users/me')).body.code, 'rest_not_logged_in');
  assert.is((await daybook.get('//wp-json/tribe/events/v1/wp/v2/users/me')).body.code, 'rest_not_logged_in');
  assert.is((await daybook.get('//other/wp/v2/users/me')).body.code, 'rest_not_logged_in');
  assert.is((await daybook.get('/wp/v2/users/me')).body.code, 'rest_no_route');
  const { routes, namespace } = (await daybook.get('//wp-json/wp/v2')).body;
  assert.equal([namespace, Object.keys(routes).length], ['wp/v2', 6]);
  const preflight = { origin: 'https://page.example', 'access-control-request-method': 'POST' };
  assert.is((await daybook.request('anonymous', 'OPTIONS', '//wp-json/wp/v2/media', undefined, preflight)).status, 204);
  const { headers } = await daybook.request('author', 'OPTIONS', '//wp-json/wp/v2/tags');
  assert.is(headers.allow, 'GET');
});

test.run();
