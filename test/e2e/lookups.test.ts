// What a request names is looked up once, when its parameters are checked, and handed on.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent, startTestService, type TestService } from '../support/service.ts';

/** For the check of parameters, and by its present owner for the `Allow` header of the answer. */
const FOR_CHECK_AND_ALLOW = 2;

interface Counting {
  daybook: TestService;
  readonly slugs: string[];
  readonly whole: string[];
}

const context: Counting = { daybook: undefined as unknown as TestService, slugs: [], whole: [] };
const test = suite('look-ups of requests', context);

test.before(async ({ slugs, whole }) => {
  context.daybook = await startTestService({
    wrap: (stores) => ({
      ...stores,
      store: {
        ...stores.store,
        readStream(stream, options = {}) {
          if (options.limit === undefined) whole.push(stream);
          return stores.store.readStream(stream, options);
        },
      },
      readModel: {
        ...stores.readModel,
        findBySlug(kind, slug) {
          slugs.push(`${kind} ${slug}`);
          return stores.readModel.findBySlug(kind, slug);
        },
      },
    }),
  });
});
test.before.each(({ slugs, whole }) => {
  slugs.splice(0);
  whole.splice(0);
});
test.after(({ daybook }) => daybook.close());

for (const [collection, body] of [
  ['venues', { venue: 'Old Hall' }],
  ['organizers', { organizer: 'Old Hall' }],
] as const)
  test(`the slug of a write to ${collection} is looked up for its check alone`, async ({ daybook, slugs }) => {
    const { id } = await daybook.created('editor', collection, body);
    slugs.splice(0);
    const changed = await daybook.request('editor', 'PATCH', `/${collection}/by-slug/old-hall`, { website: '' });
    assert.is(changed.status, 200);
    assert.is(changed.body.id, id);
    assert.is(slugs.splice(0).length, FOR_CHECK_AND_ALLOW);
    const trashed = await daybook.request('editor', 'DELETE', `/${collection}/by-slug/old-hall`);
    assert.is(trashed.status, 200);
    assert.is(slugs.length, FOR_CHECK_AND_ALLOW);
  });

test('so is that of an event that goes to the trash', async ({ daybook, slugs }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Old song' }));
  slugs.splice(0);
  const { status, body } = await daybook.request('editor', 'DELETE', '/events/by-slug/old-song');
  assert.is(status, 200);
  assert.is(body.id, id);
  assert.is(slugs.length, FOR_CHECK_AND_ALLOW);
});

test('so are the slugs of reads, which an old state needs as well', async ({ daybook, slugs }) => {
  await daybook.created('editor', 'events', someEvent({ title: 'New song' }));
  await daybook.created('editor', 'venues', { venue: 'New Hall' });
  for (const address of ['/events/by-slug/new-song', '/venues/by-slug/new-hall'])
    for (const query of ['', '?revision=0']) {
      slugs.splice(0);
      assert.is((await daybook.get(`${address}${query}`, 'editor')).status, 200);
      assert.is(slugs.length, FOR_CHECK_AND_ALLOW, address + query);
    }
});

test('a parent is read once', async ({ daybook, whole }) => {
  const { id: parent } = await daybook.created('editor', 'events', someEvent({ title: 'Season' }));
  whole.splice(0);
  await daybook.created('editor', 'events', someEvent({ title: 'Evening', post_parent: parent }));
  assert.is(whole.filter((stream) => stream === `event-${parent}`).length, 1);
});

test.run();
