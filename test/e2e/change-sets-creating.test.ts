// What a set creates beside its targets gets one id each, however often applying it fails before.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventStoreUnavailable } from '../../src/log/event-store.ts';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite('sets that create resources');

async function proposed(daybook: TestService, event: number, change: object): Promise<number> {
  const { status, body, text } = await daybook.request('contributor', 'POST', `/events/${event}/proposals`, change);
  assert.is(status, 201, text);
  return body.id;
}

/** How many ids have been reserved. */
const reserved = async ({ store }: TestService): Promise<unknown[]> =>
  Promise.all(['ids-post', 'ids-term'].map(async (stream) => (await store.readStream(stream)).at(-1)?.data));

const named = async (daybook: TestService, name: string): Promise<number[]> => {
  const search = encodeURIComponent(name);
  const venues = (await daybook.get(`/venues?search=${search}`, 'editor')).body.venues ?? [];
  const tags = (await daybook.get(`/tags?search=${search}`, 'editor')).body.tags ?? [];
  return [venues.length, tags.length];
};

test('refused, it draws no id; applied later, it gives each resource the next one', async () => {
  const daybook = await startTestService();
  const [one, two] = [
    await daybook.created('editor', 'events', someEvent()),
    await daybook.created('editor', 'events', someEvent()),
  ];
  const creating = await proposed(daybook, one.id, { tags: ['Brand new'], venue: { venue: 'New Hall' } });
  const conflicting = await proposed(daybook, two.id, { title: 'Mine' });
  await daybook.request('editor', 'PATCH', `/events/${two.id}`, { title: 'Theirs' });
  const proposals = [creating, conflicting];
  const { id: set } = await daybook.created('editor', 'sets', { name: 'Spring', proposals });
  const before = await reserved(daybook);
  const apply = () => daybook.request('editor', 'POST', `/sets/${set}/apply`, {});
  for (const _ of [1, 2]) assert.is((await apply()).status, 409);
  const at = new Date((daybook.clock.at + 60) * 1000).toISOString();
  assert.is((await daybook.request('editor', 'POST', `/sets/${set}/schedule`, { at })).status, 200);
  daybook.clock.at += 61;
  const state = async () => (await daybook.get(`/sets/${set}`, 'editor')).body.state;
  for (const begun = performance.now(); (await state()) !== 'failed'; await sleep(20))
    assert.ok(performance.now() - begun < 30_000, 'it has failed at its instant');
  assert.equal(await reserved(daybook), before, 'nothing was drawn');
  const other = await daybook.created('editor', 'venues', { venue: 'Between' });
  await daybook.request('editor', 'PATCH', `/sets/${set}`, { proposals: [creating] });
  const applied = await apply();
  assert.is(applied.status, 200, applied.text);
  const { body } = await daybook.get(`/events/${one.id}`);
  assert.equal([body.venue.venue, body.venue.id], ['New Hall', other.id + 1], 'no gap, and no id twice');
  assert.equal(
    body.tags.map(({ name }: Body) => name),
    ['Brand new'],
  );
  assert.equal(
    [await named(daybook, 'New Hall'), await named(daybook, 'Brand')],
    [
      [1, 0],
      [0, 1],
    ],
  );
  await daybook.close();
});

test('two members that bring the same along, and two sets at once, create it once', async () => {
  const daybook = await startTestService();
  const proposals: number[] = [];
  for (const _ of [1, 2, 3, 4]) {
    const { id } = await daybook.created('editor', 'events', someEvent());
    proposals.push(await proposed(daybook, id, { tags: ['Same tag'] }));
  }
  const sets = [proposals.slice(0, 2), proposals.slice(2)].map((some) =>
    daybook.created('editor', 'sets', { name: 'Half', proposals: some }),
  );
  const answers = await Promise.all(
    (await Promise.all(sets)).map(({ id }) => daybook.request('editor', 'POST', `/sets/${id}/apply`, {})),
  );
  assert.equal(
    answers.map(({ status }) => status),
    [200, 200],
    answers.map(({ text }) => text).join(),
  );
  assert.equal(await named(daybook, 'Same'), [0, 1]);
  assert.is((await daybook.get('/tags?search=Same', 'editor')).body.tags[0].count, 4);
  await daybook.close();
});

test('interrupted after each of its appends, it is completed with one resource of each', async () => {
  const server = await startEventStoreDb();
  const interrupted: { after: number | null; appends: number } = { after: null, appends: 0 };
  const daybook = await startTestService({
    environment: { DAYBOOK_EVENT_STORE: server.connectionString },
    wrap: (stores) => ({
      ...stores,
      store: {
        ...stores.store,
        async append(appends) {
          const isSet = appends[0]?.events.some(({ type }) => type === 'ChangeSetBegun');
          if (!isSet || interrupted.after === null) return stores.store.append(appends);
          interrupted.appends = appends.length;
          await stores.store.append(appends.slice(0, interrupted.after));
          throw new EventStoreUnavailable('interrupted');
        },
      },
    }),
  });
  for (let after = 1; after === 1 || after < interrupted.appends; after += 1) {
    const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Before' }));
    const [hall, tag] = [`Hall ${after}x`, `Tag ${after}x`];
    const proposal = await proposed(daybook, id, { title: 'After', tags: [tag], venue: { venue: hall } });
    const { id: set } = await daybook.created('editor', 'sets', { name: 'Some', proposals: [proposal] });
    interrupted.after = after;
    assert.is((await daybook.request('editor', 'POST', `/sets/${set}/apply`, {})).status, 503);
    interrupted.after = null;
    daybook.clock.at += 60;
    const state = async () => (await daybook.get(`/sets/${set}`, 'editor')).body.state;
    for (const begun = performance.now(); (await state()) !== 'applied'; await sleep(20))
      assert.ok(performance.now() - begun < 30_000, `it was not completed after ${after}`);
    const { body } = await daybook.get(`/events/${id}`);
    assert.equal([body.title, body.venue.venue, body.tags.length], ['After', hall, 1], `after ${after}`);
    const found = [await named(daybook, hall), await named(daybook, tag)];
    assert.equal(
      found,
      [
        [1, 0],
        [0, 1],
      ],
      `after ${after}`,
    );
  }
  assert.ok(interrupted.appends > 6, String(interrupted.appends));
  await daybook.close();
  await server.stop();
});

test.run();
