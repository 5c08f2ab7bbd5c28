// What is approved while it is in a set: it is approved for the set and becomes public with it, whatever comes in between.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fact } from '../../src/domain/decider.ts';
import { type EventStore, EventStoreUnavailable } from '../../src/log/event-store.ts';
import { eventOf } from '../../src/log/writing.ts';
import { type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { caughtUp } from '../support/outage-calendar.ts';
import {
  type As,
  type Body,
  someEvent,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../support/service.ts';

interface Context {
  daybook: TestService;
  server: EventStoreDbServer | null;
  keys: ReturnType<typeof temporaryFolder>;
  /** How many appends of the next batch that writes a fact of this type are written before its process is gone. */
  killed: { at: string; after: number } | null;
}

for (const engine of ['SQLite', 'EventStoreDB'] as const) approvedOn(engine);

function approvedOn(engine: 'SQLite' | 'EventStoreDB'): void {
  const test = suite<Context>(`what is approved in a set on ${engine}`);
  /** What does not depend on how appends are written is tried on one engine. */
  const once: typeof test | (() => void) = engine === 'SQLite' ? test : () => {};
  test.before(async (context) => {
    context.server = engine === 'SQLite' ? null : await startEventStoreDb();
  });
  test.before.each(async (context) => {
    const { server } = context;
    context.killed = null;
    context.keys = temporaryFolder();
    context.daybook = await startTestService({
      // A log of its own has keys of its own.
      ...(server && {
        environment: { DAYBOOK_EVENT_STORE: server.connectionString, DAYBOOK_DATA_DIR: context.keys.folder },
      }),
      wrap: (stores) => ({ ...stores, store: killable(stores.store, context) }),
    });
  });
  test.after.each(async (context) => {
    await context.daybook.close();
    context.keys.remove();
    if (context.server === null) return;
    await context.server.stop();
    context.server = await startEventStoreDb();
  });
  test.after(({ server }) => server?.stop());

  async function proposed(daybook: TestService, title: string, by: As = 'contributor') {
    const bypassing = { 'x-bypass-review': 'As a beginning' };
    const event = (await daybook.request('editor', 'POST', '/events', someEvent({ title: 'Before' }), bypassing)).body
      .id;
    const { body } = await daybook.request(by, 'POST', `/events/${event}/proposals`, { title });
    return { event: Number(event), proposal: Number(body.id) };
  }

  const reviewed = async (daybook: TestService, approvals: number): Promise<void> => {
    const other = await daybook.request('administrator', 'POST', '/users', { login: 'other', role: 'editor' });
    assert.is(other.status, 201, other.text);
    const rules = { events: { editor: 'review', administrator: 'review', approvals, bypass: true } };
    const { status, text } = await daybook.request('administrator', 'PUT', '/policy', rules);
    assert.is(status, 200, text);
  };
  const set = async (daybook: TestService, proposals: readonly number[]): Promise<string> =>
    `/sets/${(await daybook.created('editor', 'sets', { name: 'Spring', proposals })).id}`;
  const scheduled = (daybook: TestService, path: string, as: As = 'editor') =>
    daybook.request(as, 'POST', `${path}/schedule`, {
      at: new Date((daybook.clock.at + 3600) * 1000).toISOString(),
    });
  const approve = (daybook: TestService, id: number, as: As = 'administrator') =>
    daybook.request(as, 'POST', `/proposals/${id}/approve`, {});
  const read = async (daybook: TestService, path: string, as: As = 'editor'): Promise<Body> =>
    (await daybook.get(path, as)).body;
  const stateOf = async (daybook: TestService, id: number): Promise<string> =>
    (await read(daybook, `/proposals/${id}`)).state;
  const titleOf = async (daybook: TestService, id: number): Promise<string> =>
    (await read(daybook, `/events/${id}`, 'anonymous')).title;

  /** The set is told from the log, and what it has changed from the read model, which is waited for. */
  async function atItsInstant(daybook: TestService, path: string): Promise<Body> {
    daybook.clock.at += 3601;
    for (;;) {
      const found = await read(daybook, path);
      if (found.state !== 'scheduled') {
        await caughtUp(daybook, await daybook.store.head());
        return found;
      }
      await sleep(50);
    }
  }

  test('it is public at the instant of the set and not before, and says so', async ({ daybook }) => {
    await reviewed(daybook, 1);
    const one = await proposed(daybook, 'One');
    const path = await set(daybook, [one.proposal]);
    const early = await scheduled(daybook, path, 'editor');
    assert.is(early.status, 200, 'who plans what others have proposed approves it');
    const answer = await approve(daybook, one.proposal);
    assert.equal([answer.status, answer.body.state], [200, 'approved_for_set'], answer.text);
    const { at } = await read(daybook, path);
    const shown = [{ id: Number(path.slice(6)), name: 'Spring', state: 'scheduled', at }];
    const withoutUrl = (sets: Body) => sets.map(({ url: _, ...rest }: Body) => rest);
    assert.equal(withoutUrl(answer.body.sets), shown);
    const { proposals, total } = await read(daybook, '/proposals?state=approved_for_set');
    assert.equal([total, withoutUrl(proposals[0].sets)], [1, shown]);
    const own = await read(daybook, `/proposals/${one.proposal}`, 'contributor');
    assert.equal([own.state, own.sets], ['approved_for_set', []], 'sets are for those who may see them');
    assert.is(await titleOf(daybook, one.event), 'Before');
    const asked = await read(daybook, path);
    assert.equal([asked.approvals_needed, asked.approvals_given, asked.unapproved, asked.fits], [1, 1, [], true]);
    assert.is((await approve(daybook, one.proposal)).body.code, 'rest_already_approved');
    const { next } = await read(daybook, '/changes?after=end');
    assert.is((await atItsInstant(daybook, path)).state, 'applied');
    assert.equal([await titleOf(daybook, one.event), await stateOf(daybook, one.proposal)], ['One', 'applied']);
    const { changes } = await read(daybook, `/changes?after=${next}&kind=proposal`);
    assert.equal(
      changes.map(({ type }: Body) => type),
      ['ProposalApplied'],
    );
  });

  once('approvals from before it was in the set count as well', async ({ daybook }) => {
    await reviewed(daybook, 2);
    const one = await proposed(daybook, 'One', 'editor');
    assert.is((await approve(daybook, one.proposal)).body.state, 'open');
    const path = await set(daybook, [one.proposal]);
    const given = async () => (await read(daybook, path)).approvals_given;
    assert.is(await given(), 1);
    const refused = await scheduled(daybook, path);
    assert.equal([refused.status, refused.body.code], [409, 'rest_set_unfit'], refused.text);
    assert.equal(
      refused.body.data.problems.map(({ proposal }: Body) => proposal),
      [one.proposal],
    );
    assert.is((await read(daybook, path)).state, 'open');
    assert.is((await scheduled(daybook, path, 'administrator')).status, 409, 'one user is one approval');
    const { password } = (await daybook.request('administrator', 'POST', '/users', { login: 'third', role: 'editor' }))
      .body;
    const authorization = `Basic ${Buffer.from(`third:${password}`).toString('base64')}`;
    const last = await daybook.request('editor', 'POST', `/proposals/${one.proposal}/approve`, {}, { authorization });
    assert.equal([last.body.state, await given()], ['approved_for_set', 2], last.text);
    assert.is((await scheduled(daybook, path)).status, 200);
    assert.is(await titleOf(daybook, one.event), 'Before');
    assert.is((await atItsInstant(daybook, path)).state, 'applied');
    assert.is(await titleOf(daybook, one.event), 'One');
  });

  /** What happens to a scheduled set with what is approved for it, and how the proposal is afterwards. */
  const TURNS: { readonly [what: string]: readonly [take: (at: Placed) => Promise<Body>, state: string] } = {
    'taken out': [({ daybook, path, rest }) => daybook.request('editor', 'PATCH', path, { proposals: [rest] }), 'open'],
    cancelled: [({ daybook, path }) => daybook.request('editor', 'DELETE', path), 'open'],
    'asked to be changed': [
      ({ daybook, id }) =>
        daybook.request('administrator', 'POST', `/proposals/${id}/request-changes`, { text: 'No.' }),
      'changes_requested',
    ],
    rejected: [
      ({ daybook, id }) => daybook.request('administrator', 'POST', `/proposals/${id}/reject`, {}),
      'rejected',
    ],
    withdrawn: [
      ({ daybook, id }) => daybook.request('contributor', 'POST', `/proposals/${id}/withdraw`, {}),
      'withdrawn',
    ],
    revised: [
      ({ daybook, id, event }) =>
        daybook.request('contributor', 'POST', `/events/${event}/proposals`, { title: 'Unseen', revises: id }),
      'open',
    ],
  };
  interface Placed {
    readonly daybook: TestService;
    readonly path: string;
    readonly id: number;
    readonly event: number;
    readonly rest: number;
  }

  for (const [what, [take, state]] of Object.entries(TURNS))
    once(`${what} after its approval, it is not public at the instant`, async ({ daybook }) => {
      const one = await proposed(daybook, 'One');
      const two = await proposed(daybook, 'Two');
      const path = await set(daybook, [one.proposal, two.proposal]);
      await scheduled(daybook, path);
      assert.is((await approve(daybook, one.proposal)).body.state, 'approved_for_set');
      const taken = await take({ daybook, path, id: one.proposal, event: one.event, rest: two.proposal });
      assert.is(taken.status, 200, taken.text);
      const after = await read(daybook, `/proposals/${one.proposal}`);
      assert.equal(
        [after.state, after.approvals],
        [state, state === 'rejected' || state === 'withdrawn' ? after.approvals : []],
      );
      assert.is(await titleOf(daybook, one.event), 'Before');
      const before = await read(daybook, path);
      if (what === 'asked to be changed' || what === 'revised')
        assert.equal([before.unapproved, before.fits], [[one.proposal], false], 'the set says what it lacks');
      const set1 = await atItsInstant(daybook, path);
      const end = { 'taken out': 'applied', cancelled: 'withdrawn' }[what] ?? 'failed';
      assert.is(set1.state, end);
      assert.is(await titleOf(daybook, one.event), 'Before');
      assert.is(await titleOf(daybook, two.event), end === 'applied' ? 'Two' : 'Before');
      if (state !== 'open' || end === 'failed') return;
      const now = await approve(daybook, one.proposal);
      assert.is(now.body.state, 'applied', 'by itself it is applied at once');
      assert.is(await titleOf(daybook, one.event), 'One');
    });

  once('what is revised after it was planned is applied once it is approved or planned anew', async ({ daybook }) => {
    const one = await proposed(daybook, 'One');
    const two = await proposed(daybook, 'Two');
    const path = await set(daybook, [one.proposal, two.proposal]);
    const { at } = (await scheduled(daybook, path)).body;
    for (const { event, proposal } of [one, two])
      await daybook.request('contributor', 'POST', `/events/${event}/proposals`, { title: 'New', revises: proposal });
    assert.equal((await read(daybook, path)).unapproved, [one.proposal, two.proposal]);
    await approve(daybook, one.proposal);
    assert.equal((await read(daybook, path)).unapproved, [two.proposal]);
    const anew = await daybook.request('editor', 'POST', `${path}/schedule`, { at });
    assert.equal([anew.status, anew.body.unapproved], [200, []], anew.text);
    const { etag } = anew.headers;
    assert.is((await daybook.request('editor', 'POST', `${path}/schedule`, { at })).headers.etag, etag, 'nothing new');
    assert.is((await atItsInstant(daybook, path)).state, 'applied');
    assert.equal([await titleOf(daybook, one.event), await titleOf(daybook, two.event)], ['New', 'New']);
  });

  once('nothing is collected into a scheduled set that would lack approvals then', async ({ daybook }) => {
    await reviewed(daybook, 1);
    const one = await proposed(daybook, 'One');
    const own = await proposed(daybook, 'Own', 'editor');
    const path = await set(daybook, [one.proposal]);
    await scheduled(daybook, path);
    const add = (as: As) => daybook.request(as, 'POST', `${path}/members`, { proposals: [own.proposal] });
    const refused = await add('editor');
    assert.equal([refused.status, refused.body.data.problems.length], [409, 1], refused.text);
    assert.equal((await read(daybook, path)).proposals, [one.proposal]);
    assert.is((await approve(daybook, own.proposal)).body.state, 'applied', 'it is in no set');
    const other = await proposed(daybook, 'Other', 'editor');
    const added = await daybook.request('administrator', 'POST', `${path}/members`, { proposals: [other.proposal] });
    assert.equal([added.status, added.body.unapproved], [200, []], added.text);
    assert.is((await atItsInstant(daybook, path)).state, 'applied');
    assert.is(await titleOf(daybook, other.event), 'Other');
  });

  once('in two sets it waits for one of them, and out of one it is still approved', async ({ daybook }) => {
    const one = await proposed(daybook, 'One');
    const two = await proposed(daybook, 'Two');
    const [first, second] = [await set(daybook, [one.proposal]), await set(daybook, [one.proposal, two.proposal])];
    await approve(daybook, one.proposal);
    assert.is((await daybook.request('editor', 'DELETE', first)).status, 200);
    const { state, sets } = await read(daybook, `/proposals/${one.proposal}`);
    assert.equal([state, sets.map(({ id }: Body) => `/sets/${id}`)], ['approved_for_set', [second]]);
    assert.is((await daybook.request('editor', 'POST', `${second}/apply`, {})).status, 200);
    assert.is(await titleOf(daybook, one.event), 'One');
  });

  test('two approve at once, and others collect, apply and withdraw: no part is public before its set', async ({
    daybook,
  }) => {
    await reviewed(daybook, 2);
    for (let round = 0; round < 3; round += 1) {
      const one = await proposed(daybook, 'One');
      const path = await set(daybook, [one.proposal]);
      const both = await Promise.all([approve(daybook, one.proposal), approve(daybook, one.proposal, 'editor')]);
      assert.equal(both.map(({ body }) => body.state).sort(), ['approved_for_set', 'open']);
      assert.is(await titleOf(daybook, one.event), 'Before');
      const late = await proposed(daybook, 'Late');
      await approve(daybook, late.proposal);
      // Either it was applied before it was in the set, or it waits for the set.
      const [approved, added] = await Promise.all([
        approve(daybook, late.proposal, 'editor'),
        daybook.request('editor', 'POST', `${path}/members`, { proposals: [late.proposal] }),
      ]);
      assert.equal([approved.status, added.status], [200, 200], approved.text + added.text);
      assert.is(await titleOf(daybook, late.event), approved.body.state === 'applied' ? 'Late' : 'Before');
      const three = await proposed(daybook, 'Three');
      await daybook.request('editor', 'POST', `${path}/members`, { proposals: [three.proposal] });
      await approve(daybook, three.proposal);
      const [last, applied] = await Promise.all([
        approve(daybook, three.proposal, 'editor'),
        daybook.request('administrator', 'POST', `${path}/apply`, {}),
      ]);
      assert.ok([200, 409, 503].includes(last.status), last.text);
      const isApplied = applied.status === 200;
      const titles = await Promise.all([one, three].map(({ event }) => titleOf(daybook, event)));
      assert.equal(titles, isApplied ? ['One', 'Three'] : ['Before', 'Before'], applied.text);
    }
  });

  // With transactions it is all or nothing.
  for (const [at, take] of Object.entries({
    ChangeSetOpened: (daybook: TestService, ids: readonly number[]) =>
      daybook.request('editor', 'POST', '/sets', { name: 'Other', proposals: ids }),
    ChangeSetCollected: (daybook: TestService, ids: readonly number[]) =>
      daybook.request('editor', 'PATCH', '/sets/1', { proposals: ids }),
    ChangeSetWithdrawn: (daybook: TestService) => daybook.request('editor', 'DELETE', '/sets/1'),
    ProposalReleased: (daybook: TestService) => daybook.request('editor', 'DELETE', '/sets/1'),
  }))
    for (const after of engine === 'SQLite' ? [0] : [0, 1, 2, 3])
      test(`killed at ${at} behind ${after} appends, a proposal is in the sets that have it and in no other`, async (context) => {
        const { daybook } = context;
        const one = await proposed(daybook, 'One');
        const two = await proposed(daybook, 'Two');
        await set(daybook, [one.proposal]);
        context.killed = { at, after };
        await take(daybook, [one.proposal, two.proposal]);
        context.killed = null;
        for (const { proposal, event } of [one, two]) {
          const { sets } = await read(daybook, '/sets');
          const having = sets.filter(({ proposals, state }: Body) => state === 'open' && proposals.includes(proposal));
          const said = (await read(daybook, `/proposals/${proposal}`)).sets.map(({ id }: Body) => id);
          assert.equal(said.sort(), having.map(({ id }: Body) => id).sort());
          const { status, body, text } = await approve(daybook, proposal);
          assert.is(status, 200, text);
          assert.is(body.state, having.length > 0 ? 'approved_for_set' : 'applied');
          assert.is((await titleOf(daybook, event)) === 'Before', having.length > 0);
        }
      });

  once('the log of an earlier release is read as it was, and its sets are waited for', async ({ daybook }) => {
    const [one, two, three] = [
      await proposed(daybook, 'One'),
      await proposed(daybook, 'Two'),
      await proposed(daybook, 'Three'),
    ];
    assert.is((await approve(daybook, three.proposal)).body.state, 'applied');
    const at = daybook.clock.at + 3600;
    const editor = daybook.userId('editor');
    await asBefore(daybook, 'ids-set', [{ type: 'IdReserved', data: { id: 1 } }]);
    await asBefore(daybook, 'change-sets', [{ type: 'ChangeSetAnnounced', data: { set: 1, at } }]);
    const proposals = [one.proposal, two.proposal, three.proposal];
    const set1 = { id: 1, key: 'old', name: 'Old', description: '', author: editor, proposals };
    await asBefore(daybook, 'set-1', [
      { type: 'ChangeSetOpened', data: set1 },
      { type: 'ChangeSetScheduled', data: { at, by: editor } },
    ]);
    const shown = await read(daybook, '/sets/1');
    assert.equal([shown.state, shown.fits, shown.unapproved], ['scheduled', true, []]);
    assert.is(await stateOf(daybook, three.proposal), 'applied');
    assert.is((await approve(daybook, one.proposal)).body.state, 'approved_for_set');
    assert.is(await titleOf(daybook, one.event), 'Before');
    assert.is((await atItsInstant(daybook, '/sets/1')).state, 'applied');
    const titles = await Promise.all([one, two, three].map(({ event }) => titleOf(daybook, event)));
    assert.equal(titles, ['One', 'Two', 'Three']);
  });

  test.run();
}

const killable = (store: EventStore, context: Context): EventStore => ({
  ...store,
  async append(appends) {
    const { killed } = context;
    if (!killed || !appends.some(({ events }) => events.some(({ type }) => type === killed.at)))
      return store.append(appends);
    if (context.server !== null) for (const append of appends.slice(0, killed.after)) await store.append([append]);
    throw new EventStoreUnavailable('killed');
  },
});

/** Appends facts as an earlier release wrote them. */
async function asBefore({ store }: TestService, stream: string, facts: readonly Fact[]): Promise<void> {
  const metadata = {
    ...{ actor: { id: null, name: 'earlier' }, instant: '2026-11-20T12:00:00.000Z' },
    ...{ correlationId: 'earlier', causationId: 'earlier' },
  };
  const events = facts.map((fact) => eventOf(fact, { metadata, newEventId: randomUUID }));
  await store.append([{ stream, expected: 'no_stream', events }]);
}
