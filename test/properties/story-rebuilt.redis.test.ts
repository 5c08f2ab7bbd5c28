// A seeded story with proposals, sets, merges and reverts: what followed it in Redis has the bytes of what is filled from the
// log, batch by batch and stream by stream.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { replay } from '../../src/read-model/projector/replay.ts';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { dumpViews, firstDifference } from '../support/redis-dump.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { type As, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

interface Context {
  redis: RedisServer;
  daybook: TestService;
}

const test = suite<Context>('a story in Redis');
test.before(async (context) => {
  context.redis = await startRedisServer();
  context.daybook = await startTestService({ environment: { DAYBOOK_READ_MODEL: context.redis.url } });
});
test.after(async ({ daybook, redis }) => {
  await daybook.close();
  await redis.stop();
});

const ACTS = [
  ...['event', 'venue', 'category', 'edit', 'trash', 'cancel', 'move', 'schedule set'],
  ...['propose', 'propose', 'propose new', 'propose deletion', 'propose merge', 'revise', 'comment'],
  ...['approve', 'approve', 'reject', 'withdraw', 'set', 'set', 'merge', 'merge', 'revert', 'revert', 'revert event'],
] as const;
const LENGTH = 300;
/** What has to happen for the comparison to be worth it, and how often at least. */
const DEMANDED = {
  approve: 5,
  set: 3,
  merge: 2,
  'propose merge': 1,
  revert: 2,
  'revert event': 1,
  trash: 1,
  cancel: 1,
};

interface Known {
  readonly events: number[];
  readonly venues: number[];
  readonly categories: number[];
  readonly proposals: Body[];
  readonly requests: string[];
}

interface Step {
  readonly act: (typeof ACTS)[number];
  readonly one: number;
  readonly other: number;
}

const chosen = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % Math.max(1, items.length)];

/** Takes one step, and answers whether it changed anything. Refusals are part of the story. */
async function take(daybook: TestService, known: Known, { act, one, other }: Step, at: number): Promise<boolean> {
  const { events, venues, categories, proposals, requests } = known;
  const [event, venue, into] = [chosen(events, one), chosen(venues, one), chosen(venues, other)];
  // One of the newest: others are decided.
  const proposal = proposals.at(-1 - (one % 6));
  const send = async (as: As, method: string, path: string, body?: object): Promise<Body | null> => {
    const answer = await daybook.request(as, method, path, body);
    assert.ok(answer.status < 500, `${act}: ${answer.text}`);
    return answer.status < 300 ? answer.body : null;
  };
  const noting = (list: Body[], found: Body | null): boolean => found !== null && list.push(found) > 0;
  const asked = async (path: string, wish: object): Promise<boolean> =>
    noting(proposals, await send('contributor', 'POST', `${path}/proposals`, wish));
  const text = `Text ${at}`;
  const links = { venue, categories: [chosen(categories, other)], tags: [`tag ${other % 4}`] };
  const step = (name: string, as: As = 'editor') =>
    send(as, 'POST', `/proposals/${proposal?.id}/${name}`, { text }).then((found) => found !== null);
  switch (act) {
    case 'event':
      return noting(events, (await send('editor', 'POST', '/events', someEvent({ title: text, ...links })))?.id);
    case 'venue':
      return noting(venues, (await send('editor', 'POST', '/venues', { venue: text, city: 'Bonn' }))?.id);
    case 'category':
      return noting(categories, (await send('editor', 'POST', '/categories', { name: text }))?.id);
    case 'edit':
      return (await send('editor', 'PATCH', `/events/${event}`, { excerpt: text, ...links })) !== null;
    case 'trash':
      return (await send('editor', 'DELETE', `/events/${chosen(events, one * 7)}`)) !== null;
    case 'cancel':
      return (await send('editor', 'PATCH', `/events/${event}`, { event_status: 'canceled', notice: text })) !== null;
    case 'move':
      return (await send('editor', 'PATCH', `/events/${event}`, { start_date: '2027-05-01 10:00:00' })) !== null;
    case 'propose':
      return asked(`/events/${event}`, { title: text, ...links, note: text });
    case 'propose new':
      return asked('/events', someEvent({ title: text, venue: { venue: `Hall ${at}` }, tags: [`new ${at}`] }));
    case 'propose deletion':
      return asked(`/events/${event}`, { status: 'draft' });
    case 'propose merge':
      return noting(proposals, await send('editor', 'POST', `/venues/${venue}/proposals`, { into }));
    case 'revise':
      return asked(`/events/${proposal?.target.id}`, { title: text, revises: proposal?.id });
    case 'comment':
      return step('comments');
    case 'approve':
      return step('approve', 'administrator');
    case 'reject':
      return step('reject');
    case 'withdraw':
      return step('withdraw', 'contributor');
    case 'set':
    case 'schedule set': {
      const members = [proposal?.id, proposals.at(-1 - (other % 6))?.id].filter((id) => id !== undefined);
      const set = await send('editor', 'POST', '/sets', { name: text, proposals: [...new Set(members)] });
      if (act === 'schedule set')
        return (await send('editor', 'POST', `/sets/${set?.id}/schedule`, { at: '2030-01-01' })) !== null;
      const applied = set && (await send('administrator', 'POST', `/sets/${set.id}/apply`, {}));
      return noting(requests, applied?.request ?? null);
    }
    case 'merge':
      return (await send('editor', 'POST', `/venues/${venue}/merge`, { into })) !== null;
    case 'revert':
      return (await send('editor', 'POST', '/reverts', { request: requests.pop() ?? 'none' })) !== null;
    case 'revert event':
      return (await send('editor', 'POST', `/events/${event}/revert`, { revision: 0 })) !== null;
    default:
      throw new Error(act satisfies never);
  }
}

test('it is byte for byte what its log says', async ({ daybook, redis }) => {
  const step = fc.record({ act: fc.constantFrom(...ACTS), one: fc.nat(), other: fc.nat() });
  const story = fc.array(step, { minLength: LENGTH, maxLength: LENGTH, size: 'max' });
  const [steps = []] = fc.sample(story, { numRuns: 1, seed: Number(process.env.DAYBOOK_PROPERTY_SEED ?? 16) });
  const known: Known = { events: [], venues: [], categories: [], proposals: [], requests: [] };
  const begin = { one: 0, other: 0 };
  const opening = (['venue', 'venue', 'venue', 'category', 'event', 'event', 'event'] as const).map((act) => ({
    act,
    ...begin,
  }));
  const done = new Map<string, number>();
  for (const [at, taken] of [...opening, ...steps].entries())
    if (await take(daybook, known, taken, at)) done.set(taken.act, (done.get(taken.act) ?? 0) + 1);
  for (const [act, least] of Object.entries(DEMANDED)) assert.ok((done.get(act) ?? 0) >= least, `${act}: ${[...done]}`);
  const { store, rendering } = daybook.stores;
  const head = await store.head();
  await daybook.service.views.reached(head, 10_000);
  const projections = allProjections(rendering);
  const named = (name: string) => openRedisReadModel({ url: redis.url, fingerprint: 'any', name });
  const [followed, filled] = [await named('followed'), await named('filled')];
  assert.is(await replay(store, filled, projections, { upTo: head }), 'replayed');
  // A replay ends at the last event that a document is made from, a step before the end of a set.
  for (const model of [followed, filled]) await catchUp(store, model, projections);
  await redis.with(async (connection) => {
    const views = await dumpViews(connection, 'daybook');
    assert.ok(views.size > 100, `${views.size} keys`);
    for (const name of ['followed', 'filled'])
      assert.is(firstDifference(views, await dumpViews(connection, name)), null, name);
  });
  for (const model of [followed, filled]) await model.close();
});

test.run();
