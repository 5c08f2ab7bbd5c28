import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('what was written is read at once');

test.before(async () => {
  daybook = await startTestService();
});
test.after(() => daybook.close());

const step = fc.record({
  what: fc.constantFrom('create', 'retitle', 'feature', 'draft', 'publish', 'trash', 'hide'),
  which: fc.nat(20),
  title: fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', 'b', ' x', 'é') }),
});

const CHANGES: { readonly [what: string]: object } = {
  feature: { featured: true },
  draft: { status: 'draft' },
  publish: { status: 'publish' },
  hide: { hide_from_listings: true },
};

test('whatever is written, the next read and the next lists show it', async () => {
  const known = new Map<number, Body>();

  async function write({ what, which, title }: { what: string; which: number; title: string }): Promise<Body> {
    const id = [...known.keys()][which % Math.max(1, known.size)];
    if (what === 'create' || id === undefined) return daybook.created('editor', 'events', someEvent({ title }));
    if (what === 'trash') return (await daybook.request('editor', 'DELETE', `/events/${id}`)).body;
    const change = CHANGES[what] ?? { title };
    return (await daybook.request('editor', 'PATCH', `/events/${id}`, change)).body;
  }

  /** Ids on all pages of a list. */
  async function listed(as: 'anonymous' | 'editor'): Promise<number[]> {
    const ids: number[] = [];
    for (let page = 1; ; page++) {
      const { body } = await daybook.get(`/events?per_page=50&page=${page}`, as);
      for (const { id } of body.events) ids.push(id);
      if (page >= body.total_pages) return ids.sort((one, other) => one - other);
    }
  }

  const idsWhere = (keeps: (event: Body) => boolean): number[] =>
    [...known.values()].filter((event) => keeps(event) && !event.hide_from_listings).map(({ id }) => id);

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      for (const next of steps) {
        const answer = await write(next);
        if (answer.id !== undefined) known.set(answer.id, answer);
        if (answer.id !== undefined && answer.status !== 'trash') {
          const { json_ld: _, ...read } = (await daybook.get(`/events/${answer.id}`, 'editor')).body;
          assert.equal(read, answer);
        }
        assert.equal(
          await listed('anonymous'),
          idsWhere(({ status }) => status === 'publish').sort((a, b) => a - b),
        );
        assert.equal(
          await listed('editor'),
          idsWhere(({ status }) => status !== 'trash').sort((a, b) => a - b),
        );
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('the end of the feed can be demanded, also where it is an event that no projection reads', async () => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  for (const [path, body] of [
    ['/webhooks', { url: 'https://hooks.example/in', types: 'venue' }],
    ['/policy', { tags: { author: 'review' } }],
  ] as const) {
    const method = path === '/policy' ? 'PATCH' : 'POST';
    assert.ok((await daybook.request('administrator', method, path, body)).status < 300);
    const { next } = (await daybook.get('/changes?after=end', 'administrator')).body;
    assert.is(next, await daybook.store.head());
    const read = await daybook.get(`/events/${id}`, 'editor', { 'x-daybook-position': next });
    assert.is(read.status, 200, path);
    const later = await daybook.get(`/events/${id}`, 'editor', { 'x-daybook-position': 'z' });
    assert.is(later.status, 503, 'what is not in the log yet');
  }
});

test.run();
