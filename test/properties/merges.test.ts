// Random merges, reverts of them and edits: links, counts, filters and redirects are those of a naive oracle.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, ROOT, someEvent, startTestService, type TestService } from '../support/service.ts';

const KINDS = { venues: { name: 'venue', links: 'venue' }, tags: { name: 'name', links: 'tags' } } as const;
type Collection = keyof typeof KINDS;

const RESOURCES = 4;
const EVENTS = 4;
const resource = fc.nat(RESOURCES - 1);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant('merge' as const), from: resource, into: resource }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('revert' as const), from: resource }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('edit' as const),
      event: fc.nat(EVENTS - 1),
      links: fc.uniqueArray(resource, { minLength: 1, maxLength: 2 }),
    }),
  },
);
type StepTaken = typeof step extends fc.Arbitrary<infer Taken> ? Taken : never;

/** What a merge did to an event. */
interface Relinked {
  readonly event: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** By index, not by id. */
function openOracle() {
  const links: (readonly number[])[] = Array.from({ length: EVENTS }, (_, event) => [event % RESOURCES]);
  const merged = new Map<number, { readonly into: number; readonly events: readonly Relinked[] }>();
  const survivor = (one: number): number => {
    const next = merged.get(one);
    return next ? survivor(next.into) : one;
  };
  return {
    links,
    survivor,
    isMerged: (one: number) => merged.has(one),
    merge(from: number, into: number) {
      const events = links.flatMap((before, event): Relinked[] => {
        if (!before.includes(from)) return [];
        return [{ event, before, after: [...new Set(before.map((one) => (one === from ? into : one)))] }];
      });
      for (const { event, after } of events) links[event] = after;
      merged.set(from, { into, events });
    },
    revert(from: number) {
      for (const { event, before, after } of merged.get(from)?.events ?? [])
        if (String(links[event]) === String(after)) links[event] = before;
      merged.delete(from);
    },
  };
}

const test = suite<{ daybook: TestService }>('random merges');

test.before(async (context) => {
  context.daybook = await startTestService();
});
test.after(({ daybook }) => daybook.close());

let calendars = 0;

async function check(daybook: TestService, collection: Collection, steps: readonly StepTaken[]): Promise<void> {
  const { name, links: member } = KINDS[collection];
  calendars += 1;
  const made = async (of: string, body: object): Promise<number> => (await daybook.created('editor', of, body)).id;
  const ids: number[] = [];
  for (let at = 0; at < RESOURCES; at += 1)
    ids.push(await made(collection, { [name]: `${collection} ${calendars} number ${at}` }));
  const idsOf = (indexes: readonly number[]): number[] => indexes.map((at) => ids[at] ?? 0);
  const oracle = openOracle();
  const events: number[] = [];
  for (const linked of oracle.links) events.push(await made('events', someEvent({ [member]: idsOf(linked) })));
  const published = new Map<number, number>();

  async function take(taken: StepTaken): Promise<void> {
    if (taken.what === 'edit') {
      const sent = { [member]: idsOf(taken.links) };
      assert.is((await daybook.request('editor', 'PATCH', `/events/${events[taken.event]}`, sent)).status, 200);
      // A link to a merged one is a link to the one that stays.
      oracle.links[taken.event] = [...new Set(taken.links.map(oracle.survivor))];
      return;
    }
    const place = `/${collection}/${ids[taken.from]}`;
    if (taken.what === 'revert') {
      if (!oracle.isMerged(taken.from)) return;
      const revision = published.get(taken.from);
      const { status, text } = await daybook.request('editor', 'POST', `${place}/revert`, { revision });
      assert.is(status, 200, text);
      oracle.revert(taken.from);
      return;
    }
    const { from, into } = taken;
    const { body: history } = await daybook.get(`${place}/history?per_page=1`, 'editor');
    const { status, text } = await daybook.request('editor', 'POST', `${place}/merge`, { into: ids[into] });
    const isRefused = from === into || oracle.isMerged(from) || oracle.isMerged(into);
    assert.is(status, isRefused ? 409 : 200, text);
    if (isRefused) return;
    published.set(from, history.history[0].revision);
    oracle.merge(from, into);
  }

  async function compare(): Promise<void> {
    for (const [at, linked] of oracle.links.entries()) {
      const { body } = await daybook.get(`/events/${events[at]}`);
      const found = [body[member]].flat().map(({ id }: Body) => id);
      assert.equal(found.sort(), idsOf(linked).sort(), `event ${at}`);
    }
    for (const at of ids.keys()) {
      const stays = oracle.survivor(at);
      const count = oracle.links.filter((linked) => linked.includes(stays)).length;
      const { body: list } = await daybook.get(`/events?${collection === 'tags' ? 'tags' : 'venue'}=${ids[at]}`);
      assert.is(list.total, count, `${collection} ${at}`);
      const { status, headers, body } = await daybook.get(`/${collection}/${ids[at]}`);
      const wanted = stays === at ? [200, undefined] : [308, `${ROOT}/${collection}/${ids[stays]}`];
      assert.equal([status, headers.location], wanted, `${collection} ${at}`);
      if (stays === at && collection === 'tags') assert.is(body.count, count, `tag ${at}`);
    }
  }

  for (const taken of steps) await take(taken);
  await compare();
}

for (const collection of ['venues', 'tags'] as const)
  test(`of ${collection}`, async ({ daybook }) => {
    const steps = fc.array(step, { minLength: 3, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(steps, (taken) => check(daybook, collection, taken)),
      { numRuns: 15, endOnFailure: true },
    );
  });

test.run();
