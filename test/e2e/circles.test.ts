// Circles of categories and of events: requests at once make none, and those of an older log show nowhere.
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json } from '../../src/log/envelope.ts';
import { NOON, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('circles');
test.before.each(async (context) => {
  context.daybook = await startTestService();
});
test.after.each(({ daybook }) => daybook.close());

const iso = (at: number): string => new Date(at * 1000).toISOString();

/** Writes into the log what no request writes, and waits until the views have it. */
async function record({ store, service, clock }: TestService, stream: string, type: string, data: Json): Promise<void> {
  const metadata = { actor: { id: null, name: 'older' }, instant: iso(clock.at), correlationId: 'c', causationId: 'c' };
  const expected = (await store.readStream(stream)).at(-1)?.revision ?? 'no_stream';
  await store.append([{ stream, expected, events: [{ id: randomUUID(), type, schemaVersion: 1, data, metadata }] }]);
  assert.ok(await service.views.reached(await store.head(), 2_000));
}

const idIn = (resources: readonly { readonly id: number }[], index: number): number => resources[index]?.id ?? 0;

test('moves of categories and events at once leave no circle', async ({ daybook }) => {
  for (let round = 0; round < 8; round += 1) {
    const [one, two] = [
      await daybook.created('editor', 'categories', { name: `One ${round}` }),
      await daybook.created('editor', 'categories', { name: `Two ${round}` }),
    ];
    const [first, second] = [
      await daybook.created('editor', 'events', someEvent()),
      await daybook.created('editor', 'events', someEvent()),
    ];
    const answers = await Promise.all([
      daybook.request('editor', 'PATCH', `/categories/${one.id}`, { parent: two.id }),
      daybook.request('editor', 'PATCH', `/categories/${two.id}`, { parent: one.id }),
      daybook.request('editor', 'PATCH', `/events/${first.id}`, { post_parent: second.id }),
      daybook.request('editor', 'PATCH', `/events/${second.id}`, { post_parent: first.id }),
    ]);
    assert.equal(answers.map(({ status }) => status).sort(), [200, 200, 200, 400]);
    const parents = await Promise.all([
      ...[one, two].map(async ({ id }) => (await daybook.get(`/categories/${id}`)).body.parent),
      ...[first, second].map(async ({ id }) => (await daybook.get(`/events/${id}`)).body.post_parent),
    ]);
    assert.is(parents.filter((parent) => parent === 0).length, 2, parents.join());
  }
});

test('circles in the log are open in lists, single reads, answers to writes and the past', async ({ daybook }) => {
  const categories: { readonly id: number }[] = [];
  for (const name of ['Art', 'Craft', 'Dance'])
    categories.push(await daybook.created('editor', 'categories', { name }));
  const events: { readonly id: number }[] = [];
  for (const title of ['A', 'B', 'C']) {
    events.push(await daybook.created('editor', 'events', someEvent({ title, categories: [idIn(categories, 0)] })));
  }
  daybook.clock.at += 60;
  for (const [index, { id }] of categories.entries())
    await record(daybook, `category-${id}`, 'CategoryMoved', { parent: idIn(categories, (index + 1) % 3) });
  for (const [index, { id }] of events.entries())
    await record(daybook, `event-${id}`, 'EventPlacedUnder', { parent: idIn(events, (index + 1) % 3) });
  const wanted = {
    categories: [0, idIn(categories, 2), idIn(categories, 0)],
    events: [0, idIn(events, 2), idIn(events, 0)],
  };
  const shown = async (when = '') => ({
    categories: await Promise.all(
      categories.map(async ({ id }) => (await daybook.get(`/categories/${id}${when}`)).body.parent),
    ),
    events: await Promise.all(
      events.map(async ({ id }) => (await daybook.get(`/events/${id}${when}`)).body.post_parent),
    ),
  });
  const listed = async (when = '') => {
    const terms = (await daybook.get(`/categories?orderby=id&hide_empty=0${when}`)).body.categories;
    const posts = (await daybook.get(`/events?per_page=10${when}`)).body.events;
    return {
      categories: categories.map(({ id }) => terms.find((term: { id: number }) => term.id === id).parent),
      events: events.map(({ id }) => posts.find((post: { id: number }) => post.id === id).post_parent),
    };
  };
  assert.equal(await shown(), wanted);
  assert.equal(await listed(), wanted);
  const answer = await daybook.request('editor', 'PATCH', `/events/${idIn(events, 0)}`, { featured: true });
  assert.is(answer.body.post_parent, 0);
  assert.is(answer.body.categories[0].parent, 0);
  // A category leaves the circles: what did not count until then does not begin to.
  const then = daybook.clock.at;
  daybook.clock.at += 60;
  const elsewhere = await daybook.created('editor', 'categories', { name: 'Elsewhere' });
  const left = await daybook.request('editor', 'PATCH', `/categories/${idIn(categories, 2)}`, { parent: elsewhere.id });
  assert.is(left.status, 200, left.text);
  await daybook.request('editor', 'PATCH', `/events/${idIn(events, 2)}`, { post_parent: 0 });
  const opened = { categories: [0, idIn(categories, 2), elsewhere.id], events: [0, idIn(events, 2), 0] };
  assert.equal(await shown(), opened);
  assert.equal(await listed(), opened);
  assert.equal(await shown(`?as_of=${iso(then)}`), wanted);
  assert.equal(await listed(`&as_of=${iso(then)}`), wanted);
  assert.equal(await shown(`?as_of=${iso(NOON)}`), { categories: [0, 0, 0], events: [0, 0, 0] });
});

test.run();
