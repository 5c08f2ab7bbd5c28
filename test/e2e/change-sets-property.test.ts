// Random proposals, edits, withdrawals, sets and reverts do what an oracle does with plain values: a set is carried out
// whole if every member fits behind those before it, and changes nothing otherwise.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allProjections } from '../../projections/catalogue.ts';
import type { DocumentKey } from '../../src/read-model/documents.ts';
import { catchUp } from '../../src/read-model/projector/catch-up.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('sets against an oracle');
test.before(async (context) => {
  context.daybook = await startTestService();
});
test.after(({ daybook }) => daybook.close());

const EVENTS = 3;
const FIELDS = ['title', 'excerpt'] as const;
type Values = { readonly [Field in (typeof FIELDS)[number]]: string };

interface Proposed {
  readonly id: number;
  /** The event that it is about. */
  readonly event: number;
  /** As it was; null: it is not there yet. */
  readonly base: Values | null;
  readonly wish: Partial<Values>;
  state: 'open' | 'withdrawn' | 'applied';
}

const which = fc.nat();
const fields = fc.subarray([...FIELDS], { minLength: 1 });
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('propose' as const), event: which, fields }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('propose new' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('edit' as const), event: which, fields }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const), proposal: which }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('apply' as const),
        members: fc.array(which, { minLength: 1, maxLength: 3 }),
        isReverted: fc.boolean(),
      }),
    },
  ),
  { minLength: 8, maxLength: 20 },
);

test('what a set does is what its members do one after another, or nothing', async ({ daybook }) => {
  let last = 0;
  const drawn = (wanted: readonly (typeof FIELDS)[number][]): Partial<Values> => {
    last += 1;
    return Object.fromEntries(wanted.map((field) => [field, `${field} ${last}`]));
  };
  const seen = { applied: 0, refused: 0, reverted: 0 };
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const calendar = new Map<number, Values>();
      const proposals: Proposed[] = [];
      for (let at = 0; at < EVENTS; at += 1) {
        const values = { ...BLANK, ...drawn(FIELDS) };
        calendar.set((await daybook.created('editor', 'events', someEvent(values))).id, values);
      }
      const given = [...calendar.keys()];
      for (const step of taken) {
        if (step.do === 'propose') {
          const event = chosen(given, step.event);
          const base = calendar.get(event) ?? BLANK;
          const wish = drawn(step.fields);
          const { body } = await daybook.request('contributor', 'POST', `/events/${event}/proposals`, wish);
          proposals.push({ id: body.id, event, base, wish, state: 'open' });
        } else if (step.do === 'propose new') {
          const wish = drawn(FIELDS);
          const { body } = await daybook.request('contributor', 'POST', '/events/proposals', someEvent(wish));
          proposals.push({ id: body.id, event: body.target.id, base: null, wish, state: 'open' });
        } else if (step.do === 'edit') {
          const event = chosen(given, step.event);
          const change = drawn(step.fields);
          assert.is((await daybook.request('editor', 'PATCH', `/events/${event}`, change)).status, 200);
          calendar.set(event, { ...BLANK, ...calendar.get(event), ...change });
        } else if (proposals.length === 0) {
        } else if (step.do === 'withdraw') {
          const proposal = chosen(proposals, step.proposal);
          const path = `/proposals/${proposal.id}/withdraw`;
          const { status } = await daybook.request('contributor', 'POST', path, {});
          assert.is(status, proposal.state === 'open' ? 200 : 409);
          if (proposal.state === 'open') proposal.state = 'withdrawn';
        } else {
          const members = [...new Set(step.members.map((at) => chosen(proposals, at)))];
          const before = new Map(calendar);
          const wanted = carriedOut(calendar, members);
          const ids = members.map(({ id }) => id);
          const { body: set } = await daybook.request('editor', 'POST', '/sets', { name: 'Some', proposals: ids });
          const { body: tried } = await daybook.get(`/sets/${set.id}`, 'editor');
          assert.equal(problemsIn(tried), wanted.problems, 'what does not fit is told before');
          const applied = await daybook.request('editor', 'POST', `/sets/${set.id}/apply`, {});
          assert.is(applied.status, wanted.problems.length === 0 ? 200 : 409, applied.text);
          if (applied.status === 409) {
            seen.refused += 1;
            assert.equal(problemsIn(applied.body.data), wanted.problems);
          } else {
            seen.applied += 1;
            for (const [event, values] of wanted.calendar) calendar.set(event, values);
            const isNew = members.some(({ base, state }) => base === null && state === 'open');
            const isChanged = members.some(({ state }) => state === 'open');
            for (const member of members) member.state = 'applied';
            if (step.isReverted && isChanged && !isNew) {
              seen.reverted += 1;
              const reverted = await daybook.request('editor', 'POST', '/reverts', { request: applied.body.request });
              assert.is(reverted.status, 200, reverted.text);
              for (const [event, values] of before) calendar.set(event, values);
            }
          }
        }
      }
      for (const [id, values] of calendar) {
        const { body } = await daybook.get(`/events/${id}`, 'editor');
        assert.equal(valuesOf(body), values);
      }
      for (const { id, event, base, state } of proposals) {
        assert.is((await daybook.get(`/proposals/${id}`, 'editor')).body.state, state);
        if (base === null && state !== 'applied')
          assert.is((await daybook.get(`/events/${event}`, 'editor')).status, 404);
      }
    }),
    { numRuns: 12, seed: 106 },
  );
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 3, `${what}: ${times}`);
});

test('with sets in every state, a read model filled from the log is the one in use', async ({ daybook }) => {
  const open = async (name: string, title: string): Promise<string> => {
    const { id } = await daybook.created('editor', 'events', someEvent());
    const { body } = await daybook.request('contributor', 'POST', `/events/${id}/proposals`, { title });
    const { body: set } = await daybook.request('editor', 'POST', '/sets', { name, proposals: [body.id] });
    return `/sets/${set.id}`;
  };
  await open('Open', 'One');
  const scheduled = await open('Scheduled', 'Two');
  const at = new Date((daybook.clock.at + 3_600) * 1000).toISOString();
  assert.is((await daybook.request('editor', 'POST', `${scheduled}/schedule`, { at })).status, 200);
  assert.is((await daybook.request('editor', 'DELETE', await open('Withdrawn', 'Three'))).status, 200);
  const { store, rendering } = daybook.stores;
  const fresh = openSqliteReadModel({ file: ':memory:', fingerprint: 'any' });
  await catchUp(store, fresh, allProjections(rendering));
  const shown = { direction: 'backwards', after: '', prefixes: ['event-', 'proposal-'], limit: 1 } as const;
  const [last] = await store.readAll(shown);
  assert.ok(last && (await daybook.service.views.reached(last.position, 10_000)));
  for (const kind of ['event', 'proposal'] as const) {
    const keys = Array.from({ length: 2_000 }, (_, at): DocumentKey => ({ kind, id: at + 1 }));
    const documents = await daybook.readModel.fetch(keys);
    assert.ok(documents.filter((one) => one !== null).length > 10);
    assert.equal(await fresh.fetch(keys), documents);
  }
  await fresh.close();
});

const BLANK: Values = { title: '', excerpt: '' };

function chosen<Item>(items: readonly Item[], at: number): Item {
  const item = items[at % items.length];
  if (item === undefined) throw new Error('there is none');
  return item;
}

const problemsIn = ({ problems }: Body): number[] => problems.map(({ proposal }: Body) => proposal);

const valuesOf = ({ title, excerpt }: Body): Values => ({ title, excerpt: excerpt.replace(/<[^>]+>/g, '').trim() });

/** Each member on what those before it have made; the ids of those that do not fit. */
function carriedOut(present: ReadonlyMap<number, Values>, members: readonly Proposed[]) {
  const calendar = new Map(present);
  const problems: number[] = [];
  for (const { id, event, base, wish, state } of members) {
    if (state === 'applied') continue;
    const theirs = calendar.get(event) ?? null;
    const isConflict = FIELDS.some((field) => field in wish && theirs?.[field] !== base?.[field]);
    if (state === 'withdrawn' || isConflict) problems.push(id);
    else calendar.set(event, { ...BLANK, ...theirs, ...wish });
  }
  return { calendar, problems };
}

test.run();
