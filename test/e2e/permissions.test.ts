import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type As, NOON, someEvent, startTestService, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('rights over HTTP');

test.before(async () => {
  daybook = await startTestService();
});
test.after(() => daybook.close());

const CALLERS: readonly As[] = ['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'administrator'];

/** What a caller meets at a post in a status; one column per caller, in the order of `CALLERS`. */
type Row = readonly [whose: 'own' | "others'", status: string, ...answers: number[]];

/** `draft in trash` was a draft when it was thrown away. Anonymous callers own no posts: theirs are those of others. */
const READ_EVENT: readonly Row[] = [
  ['own', 'publish', 200, 200, 200, 200, 200, 200],
  ['own', 'draft', 403, 403, 200, 200, 200, 200],
  ['own', 'pending', 403, 403, 200, 200, 200, 200],
  ['own', 'private', 403, 403, 200, 200, 200, 200],
  ['own', 'future', 403, 403, 200, 200, 200, 200],
  ['own', 'draft in trash', 403, 403, 403, 403, 403, 403],
  ['own', 'publish in trash', 403, 403, 403, 403, 403, 403],
  ["others'", 'publish', 200, 200, 200, 200, 200, 200],
  ["others'", 'draft', 403, 403, 403, 403, 200, 200],
  ["others'", 'pending', 403, 403, 403, 403, 200, 200],
  ["others'", 'private', 403, 403, 403, 403, 200, 200],
  ["others'", 'future', 403, 403, 403, 403, 200, 200],
  ["others'", 'draft in trash', 403, 403, 403, 403, 403, 403],
  ["others'", 'publish in trash', 403, 403, 403, 403, 403, 403],
];

/** A venue or organizer in the trash is still shown to those who may bring it back. */
const READ_LINKED: readonly Row[] = [
  ...READ_EVENT.filter(([, status]) => !status.endsWith('in trash')),
  ['own', 'draft in trash', 403, 403, 200, 200, 200, 200],
  ['own', 'publish in trash', 403, 403, 403, 200, 200, 200],
  ["others'", 'draft in trash', 403, 403, 403, 403, 200, 200],
  ["others'", 'publish in trash', 403, 403, 403, 403, 200, 200],
];

const UPDATE: readonly Row[] = [
  ['own', 'publish', 401, 403, 403, 200, 200, 200],
  ['own', 'future', 401, 403, 403, 200, 200, 200],
  ['own', 'draft', 401, 403, 200, 200, 200, 200],
  ['own', 'pending', 401, 403, 200, 200, 200, 200],
  ['own', 'private', 401, 403, 200, 200, 200, 200],
  ['own', 'draft in trash', 401, 403, 200, 200, 200, 200],
  ['own', 'publish in trash', 401, 403, 403, 200, 200, 200],
  ["others'", 'publish', 401, 403, 403, 403, 200, 200],
  ["others'", 'future', 401, 403, 403, 403, 200, 200],
  ["others'", 'draft', 401, 403, 403, 403, 200, 200],
  ["others'", 'pending', 401, 403, 403, 403, 200, 200],
  ["others'", 'private', 401, 403, 403, 403, 200, 200],
  ["others'", 'draft in trash', 401, 403, 403, 403, 200, 200],
  ["others'", 'publish in trash', 401, 403, 403, 403, 200, 200],
];

/** As updating, but that what is in the trash cannot be thrown away again. */
const DELETE: readonly Row[] = UPDATE.map(([whose, status, ...answers]) => [
  whose,
  status,
  ...answers.map((answer) => (answer === 200 && status.endsWith('in trash') ? 410 : answer)),
]);

const COLLECTIONS = ['events', 'venues', 'organizers'] as const;
type Collection = (typeof COLLECTIONS)[number];

let made = 0;

function bodyFor(collection: Collection, members: object): object {
  made += 1;
  const name = `Post ${made}`;
  if (collection === 'events') return someEvent({ title: name, slug: `post-${made}`, ...members });
  return { [collection.slice(0, -1)]: name, ...members };
}

/** A post of this author and status, as the administrator makes it. */
async function post(collection: Collection, author: As, status: string) {
  const [before = '', inTrash] = status.split(' in ');
  const date = before === 'future' ? { date: '2027-06-01 09:00:00' } : {};
  const members = { author: daybook.userId(author), status: before, ...date };
  const created = await daybook.created('administrator', collection, bodyFor(collection, members));
  if (!inTrash) return created;
  return (await daybook.request('administrator', 'DELETE', `/${collection}/${created.id}`)).body;
}

/** Whether the caller may read it, or change it in the trash: by its slug everything else is as if it were not there. */
function isKnown(caller: number, whose: Row[0], status: string): boolean {
  const table = status.endsWith('in trash') ? UPDATE : READ_EVENT;
  return table.some(([one, other, ...answers]) => one === whose && other === status && answers[caller] === 200);
}

function unknown(collection: Collection, method: string, caller: number): number {
  if (collection !== 'events' || method !== 'PATCH') return 400;
  return [401, 403][caller] ?? 404;
}

async function follow(collection: Collection, table: readonly Row[], method: string, by: 'id' | 'slug') {
  const field = collection === 'events' ? 'excerpt' : 'description';
  for (const [whose, status, ...expected] of table) {
    for (const [index, caller] of CALLERS.entries()) {
      const { id, slug } = await post(
        collection,
        whose === 'own' && caller !== 'anonymous' ? caller : 'otherAuthor',
        status,
      );
      const before = await daybook.store.head();
      const target = by === 'id' ? `/${collection}/${id}` : `/${collection}/by-slug/${slug}`;
      const body = method === 'PATCH' ? { [field]: 'changed' } : undefined;
      const answer = await daybook.request(caller, method, target, body);
      const what = `${caller}: ${method} ${whose} ${status} of ${collection} by ${by}: ${answer.text.slice(0, 90)}`;
      assert.is(
        answer.status,
        by === 'id' || isKnown(index, whose, status) ? expected[index] : unknown(collection, method, index),
        what,
      );
      if (answer.status !== 200) assert.is(await daybook.store.head(), before, `${what} wrote`);
    }
  }
}

for (const collection of COLLECTIONS) {
  const reading = collection === 'events' ? READ_EVENT : READ_LINKED;
  for (const by of ['id', 'slug'] as const) {
    test(`${collection} by ${by} are read according to the table of rights`, () =>
      follow(collection, reading, 'GET', by));
    test(`${collection} by ${by} are changed according to the table of rights`, () =>
      follow(collection, UPDATE, 'PATCH', by));
    test(`${collection} by ${by} are trashed according to the table of rights`, () =>
      follow(collection, DELETE, 'DELETE', by));
  }

  test(`${collection} are created by contributors and above`, async () => {
    const statuses: unknown[] = [];
    for (const caller of CALLERS) {
      const before = await daybook.store.head();
      const { status, body } = await daybook.request(caller, 'POST', `/${collection}`, bodyFor(collection, {}));
      statuses.push(status === 201 ? body.status : status);
      if (status !== 201) assert.is(await daybook.store.head(), before, 'a refusal writes nothing');
    }
    assert.equal(statuses, [401, 403, 'draft', 'publish', 'publish', 'publish']);
  });

  test(`what contributors want published of ${collection} waits for review`, async () => {
    const wishes = ['publish', 'future', 'private', 'pending', 'draft'];
    const date = '2027-06-01 09:00:00';
    const results: string[] = [];
    for (const status of wishes)
      results.push((await daybook.created('contributor', collection, bodyFor(collection, { status, date }))).status);
    assert.equal(results, ['pending', 'pending', 'pending', 'pending', 'draft']);
    const mine = await post(collection, 'contributor', 'draft');
    const { body } = await daybook.request('contributor', 'PATCH', `/${collection}/${mine.id}`, { status: 'publish' });
    assert.is(body.status, 'pending');
  });

  test(`only editors make another user the author of ${collection}`, async () => {
    const author = daybook.userId('otherAuthor');
    for (const [caller, expected] of [
      ['contributor', 403],
      ['author', 403],
      ['editor', 201],
    ] as const) {
      const answer = await daybook.request(caller, 'POST', `/${collection}`, bodyFor(collection, { author }));
      assert.is(answer.status, expected, caller);
      if (expected === 403) assert.is(answer.body.code, 'rest_forbidden');
    }
    const mine = await post(collection, 'author', 'publish');
    assert.is((await daybook.request('author', 'PATCH', `/${collection}/${mine.id}`, { author })).status, 403);
    const own = { author: daybook.userId('author') };
    assert.is((await daybook.request('author', 'PATCH', `/${collection}/${mine.id}`, own)).status, 200);
  });

  test(`Allow on ${collection} names what the caller may do to this very post`, async () => {
    const { id } = await post(collection, 'author', 'publish');
    const allow = async (as: As) => (await daybook.get(`/${collection}/${id}`, as)).headers.allow;
    assert.is(await allow('anonymous'), 'GET');
    assert.is(await allow('otherAuthor'), 'GET');
    assert.is(await allow('author'), 'GET, DELETE, POST, PUT, PATCH');
    assert.is((await daybook.get(`/${collection}`, 'subscriber')).headers.allow, 'GET');
    assert.is((await daybook.get(`/${collection}`, 'contributor')).headers.allow, 'GET, POST');
  });

  test(`lists of ${collection} show what each caller may see, by status`, async () => {
    daybook.clock.at = NOON + 3600;
    const statuses = ['publish', 'draft', 'pending', 'private', 'future', 'publish in trash'];
    const mine = new Map<string, string>();
    for (const author of ['author', 'otherContributor'] as const)
      for (const status of statuses)
        mine.set(String((await post(collection, author, status)).id), `${author} ${status}`);
    const listed = async (as: As, query = '') => {
      const names: string[] = [];
      const dates = collection === 'events' ? '&start_date=2020-01-01' : '';
      for (let page = 1; ; page++) {
        const { status, body } = await daybook.get(`/${collection}?per_page=50&page=${page}${dates}${query}`, as);
        if (status !== 200) return status;
        for (const { id } of body[collection]) names.push(mine.get(String(id)) ?? '');
        if (page >= body.total_pages) return names.filter((name) => name !== '').sort();
      }
    };
    const published = ['author publish', 'otherContributor publish'];
    const of = (who: string) =>
      ['draft', 'future', 'pending', 'private', 'publish'].map((status) => `${who} ${status}`);
    assert.equal(await listed('anonymous'), published);
    assert.equal(await listed('subscriber'), published);
    assert.equal(await listed('author'), [...of('author'), 'otherContributor publish']);
    assert.equal(await listed('otherContributor'), ['author publish', ...of('otherContributor')]);
    assert.equal(await listed('editor'), [...of('author'), ...of('otherContributor')]);
    assert.equal(await listed('author', '&status=draft,pending'), ['author draft', 'author pending']);
    assert.equal(await listed('editor', '&status[]=draft'), ['author draft', 'otherContributor draft']);
    assert.equal(await listed('editor', '&status=any'), [...of('author'), ...of('otherContributor')]);
    assert.equal(await listed('editor', '&status=trash'), [
      'author publish in trash',
      'otherContributor publish in trash',
    ]);
    assert.equal(await listed('author', '&status=trash'), ['author publish in trash']);
    assert.equal(await listed('editor', '&status='), [
      'author private',
      'author publish',
      'otherContributor private',
      'otherContributor publish',
    ]);
    for (const query of [
      '&status=draft',
      '&status=any',
      '&status=publish,draft',
      '&status=',
      '&status=publish,publish',
    ])
      assert.is(await listed('anonymous', query), 400, query);
    assert.is(await listed('editor', '&status=publish,nonsense'), 400);
  });
}

test('categories are managed by authors and above, tags by editors and above', async () => {
  const columns = { categories: [401, 403, 403, 201, 201, 201], tags: [401, 403, 403, 403, 201, 201] };
  for (const [collection, expected] of Object.entries(columns)) {
    for (const [index, caller] of CALLERS.entries()) {
      const name = `${collection} of ${caller}`;
      const answer = await daybook.request(caller, 'POST', `/${collection}`, { name });
      assert.is(answer.status, expected[index], name);
      const { id } = answer.status === 201 ? answer.body : await daybook.created('editor', collection, { name });
      const changing = expected[index] === 201 ? 200 : expected[index];
      const target = `/${collection}/${id}`;
      assert.is(
        (await daybook.request(caller, 'PUT', target, { description: 'x' })).status,
        changing,
        `change ${name}`,
      );
      assert.is((await daybook.request(caller, 'DELETE', target)).status, changing, `delete ${name}`);
    }
  }
});

test('a contributor creates terms through an event, and gives it an image by its address', async () => {
  const image = 'https://img.example/stage.jpg';
  const event = await daybook.created(
    'contributor',
    'events',
    someEvent({ categories: 'New one', tags: ['fresh'], image }),
  );
  assert.equal([event.categories[0].name, event.tags[0].slug, event.image.url], ['New one', 'fresh', image]);
});

test('a refusal is 401 with a challenge for the public, 403 for signed-in callers', async () => {
  const refused = await daybook.request('anonymous', 'POST', '/events', someEvent());
  assert.equal([refused.status, refused.body.code, refused.body.data], [401, 'rest_forbidden', { status: 401 }]);
  assert.is(refused.headers['www-authenticate'], 'Bearer');
  const denied = await daybook.request('subscriber', 'POST', '/events', someEvent());
  assert.equal([denied.status, denied.body.code, denied.body.data], [403, 'rest_forbidden', { status: 403 }]);
});

test('invalid parameters are reported before missing rights', async () => {
  assert.is((await daybook.request('anonymous', 'POST', '/events', {})).body.code, 'rest_missing_callback_param');
  assert.is((await daybook.request('anonymous', 'DELETE', '/venues/999999')).status, 400);
  assert.is((await daybook.request('anonymous', 'PUT', '/events/999999', {})).status, 401);
  assert.is((await daybook.request('subscriber', 'PUT', '/events/999999', {})).status, 403);
  assert.is((await daybook.request('contributor', 'PUT', '/events/999999', {})).status, 404);
});

test.run();
