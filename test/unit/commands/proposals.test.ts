// Proposals as commands: the wish is decided by the commands of its kind, and carried out in one unit of work.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeCalendarEvent, createCalendarEvent } from '../../../src/calendar/event/commands/events.ts';
import type { CalendarEvent } from '../../../src/calendar/event/domain/calendar-event.ts';
import { loadEvent } from '../../../src/calendar/resource/commands/references.ts';
import { approveProposalOf } from '../../../src/editorial/proposals/commands/approve.ts';
import { completeApproval } from '../../../src/editorial/proposals/commands/complete.ts';
import {
  type ProposalDependencies,
  proposeChange,
  proposeCreation,
  reviseProposalOf,
  stepProposal,
} from '../../../src/editorial/proposals/commands/proposals.ts';
import type { RecordedEvent } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import type { Role } from '../../../src/people/auth/caller.ts';
import {
  AUTHOR,
  CONTRIBUTOR,
  EDITOR,
  HOUR,
  NOW,
  openWorld,
  refusal,
  SUBSCRIBER,
  type World,
  written,
} from '../../support/given.ts';

const test = suite<{ world: World; dependencies: ProposalDependencies }>('proposals');

const times = { start: '2026-12-05 14:00:00', end: '2026-12-05 16:00:00' };

test.before.each((context) => {
  context.world = openWorld();
  const { dependencies } = context.world;
  context.dependencies = {
    ...dependencies,
    fieldsOf(_kind, state) {
      const { title, description, excerpt, schedule } = state as CalendarEvent;
      return { title, description, excerpt, start: schedule.start, end: schedule.end };
    },
  };
});
test.after.each(({ world }) => world.store.close());

const eventOf = async ({ dependencies, context }: World): Promise<number> =>
  (await written(createCalendarEvent(dependencies, context(), { title: 'Concert', times }))).id;

const propose = (dependencies: ProposalDependencies, world: World, id: number, wish: object, caller = CONTRIBUTOR) =>
  proposeChange(dependencies, world.context({ caller }), { kind: 'event', id }, { wish: { ...wish }, note: '' });

const approve = (dependencies: ProposalDependencies, world: World, id: number, caller = EDITOR) =>
  approveProposalOf(dependencies, world.context({ caller }), id, '');

/** Approves until a crash behind so many streams, as on an engine without transactions. */
async function approveUntil(dependencies: ProposalDependencies, world: World, id: number, stop: number) {
  world.onAppend = async (appends) => {
    for (const append of appends.slice(0, stop)) await world.store.append([append]);
    throw new Error('killed');
  };
  const killed = await approve(dependencies, world, id).catch((error: Error) => error.message);
  assert.is(killed, 'killed');
  world.onAppend = (_appends, pass) => pass();
}

/** As a process does by itself later on, when the approver has this role. */
function complete(dependencies: ProposalDependencies, id: number, role: Role = 'editor') {
  const store: EventStore = {
    ...dependencies.store,
    readStream: async (stream, options) =>
      stream === `user-${EDITOR.id}`
        ? [{ ...USER_ADDED, data: { ...EDITOR, email: '', role } }]
        : dependencies.store.readStream(stream, options),
  };
  return completeApproval({ ...dependencies, store }, { now: NOW + HOUR, correlationId: 'completion' }, id);
}

const USER_ADDED: Omit<RecordedEvent, 'data'> = {
  ...{ id: 'user-added', type: 'UserAdded', schemaVersion: 1, stream: `user-${EDITOR.id}`, revision: 0, position: '' },
  metadata: {
    ...{ actor: { id: null, name: 'test' }, instant: '2026-01-01T00:00:00.000Z' },
    ...{ correlationId: 'set-up', causationId: 'set-up' },
  },
};

test('a proposal changes nothing until it is approved, and other changes since are kept', async ({
  world,
  dependencies,
}) => {
  const id = await eventOf(world);
  const { state } = await written(propose(dependencies, world, id, { title: 'Concert in the park' }));
  assert.equal(
    [state.state, state.base, Object.keys(state.facts), state.author],
    ['open', 1, ['EventRetitled'], CONTRIBUTOR.id],
  );
  assert.is((await loadEvent(world.store, id))?.title, 'Concert');
  await written(changeCalendarEvent(dependencies, world.context(), id, { description: 'With an orchestra.' }));
  const applied = await written(approve(dependencies, world, state.id));
  assert.is(applied.state.state, 'applied');
  const event = await loadEvent(world.store, id);
  assert.equal([event?.title, event?.description], ['Concert in the park', 'With an orchestra.']);
  const last = (await world.store.readStream(`event-${id}`)).at(-1);
  assert.equal(
    [last?.metadata.actor.id, last?.metadata.proposal],
    [EDITOR.id, { id: state.id, author: CONTRIBUTOR.id }],
  );
});

test('the same field changed since is a conflict, which a revision settles', async ({ world, dependencies }) => {
  const id = await eventOf(world);
  const { id: proposal } = await written(propose(dependencies, world, id, { title: 'Mine', excerpt: 'Short' }));
  await written(changeCalendarEvent(dependencies, world.context(), id, { title: 'Theirs' }));
  const { code, fields } = await refusal(approve(dependencies, world, proposal));
  assert.equal(
    [code, fields],
    ['proposal_conflict', [{ field: 'title', base: 'Concert', theirs: 'Theirs', mine: 'Mine' }]],
  );
  assert.equal(await world.typesIn(`proposal-${proposal}`), ['ProposalOpened']);
  const context = world.context({ caller: CONTRIBUTOR });
  await written(reviseProposalOf(dependencies, context, proposal, { wish: { title: 'Ours' }, note: 'settled' }));
  await written(approve(dependencies, world, proposal));
  assert.is((await loadEvent(world.store, id))?.title, 'Ours');
});

test('a wish that is refused as a change is refused as a proposal with the same rejection', async ({
  world,
  dependencies,
}) => {
  const id = await eventOf(world);
  assert.equal(await refusal(propose(dependencies, world, id, { parent: 99 })), {
    code: 'invalid_parameter',
    parameter: 'post_parent',
  });
  assert.is((await refusal(propose(dependencies, world, 99, { title: 'x' }))).code, 'event_not_found');
  assert.is((await refusal(propose(dependencies, world, id, { title: 'Concert' }))).code, 'nothing_proposed');
  assert.is((await refusal(propose(dependencies, world, id, { title: 'x' }, SUBSCRIBER))).code, 'forbidden');
  assert.is((await refusal(propose(dependencies, world, id, { password: 'x' }))).parameter, 'password');
});

test('raw HTML of an author without the right to it is cleaned, no matter who approves', async ({
  world,
  dependencies,
}) => {
  const id = await eventOf(world);
  const wish = { description: 'A<script>alert(1)</script>' };
  const { id: proposal } = await written(propose(dependencies, world, id, wish));
  await written(approve(dependencies, world, proposal));
  assert.not.match((await loadEvent(world.store, id))?.description ?? '', /script/);
});

test('a creation is carried out once, under its id and in the name of its author', async ({ world, dependencies }) => {
  const proposed = { wish: { title: 'New', times }, note: 'please' };
  const opened = await written(
    proposeCreation(dependencies, world.context({ caller: CONTRIBUTOR }), 'event', proposed),
  );
  const { target, id } = opened.state;
  assert.is(await loadEvent(world.store, target.id), null);
  const outcomes = await Promise.all([
    approve(dependencies, world, id),
    approve({ ...dependencies, ...world.elsewhere }, world, id),
  ]);
  assert.equal(outcomes.map(({ kind }) => kind).sort(), ['rejected', 'written']);
  const event = await loadEvent(world.store, target.id);
  assert.equal([event?.title, event?.author, event?.status], ['New', CONTRIBUTOR.id, 'publish']);
  assert.is((await refusal(approve(dependencies, world, id))).code, 'proposal_closed');
});

test('authors cannot judge their own proposal, and only users who could make the change approve it', async ({
  world,
  dependencies,
}) => {
  const id = await eventOf(world);
  const { id: own } = await written(propose(dependencies, world, id, { title: 'x' }, EDITOR));
  assert.is((await refusal(approve(dependencies, world, own))).code, 'own_proposal');
  assert.is((await refusal(approve(dependencies, world, own, AUTHOR))).code, 'proposal_not_found');
  const context = world.context({ caller: EDITOR });
  await written(stepProposal(dependencies, context, own, 'withdraw', 'no'));
  assert.is((await refusal(stepProposal(dependencies, context, own, 'withdraw', ''))).code, 'proposal_closed');
});

for (const stop of [1, 2, 3, 4, 5, 6]) {
  test(`an approval that is cut off after ${stop} streams is completed by another one`, async ({
    world,
    dependencies,
  }) => {
    const proposed = { wish: { title: 'New', times }, note: '' };
    const opened = await written(
      proposeCreation(dependencies, world.context({ caller: CONTRIBUTOR }), 'event', proposed),
    );
    const { target, id } = opened.state;
    await approveUntil(dependencies, world, id, stop);
    await approve(dependencies, world, id);
    const types = await world.typesIn(`event-${target.id}`);
    assert.equal(types.filter((type) => type === 'EventDrafted').length, 1);
    const steps = await world.typesIn(`proposal-${id}`);
    assert.equal(steps, ['ProposalOpened', 'ProposalApproved', 'ProposalApplied']);
  });

  test(`an approval that is cut off after ${stop} streams is completed by itself, once`, async ({
    world,
    dependencies,
  }) => {
    const opened = await written(
      proposeCreation(dependencies, world.context({ caller: CONTRIBUTOR }), 'event', {
        wish: { title: 'New', times },
        note: '',
      }),
    );
    const { target, id } = opened.state;
    await approveUntil(dependencies, world, id, stop);
    await complete(dependencies, id);
    await complete({ ...dependencies, ...world.elsewhere }, id);
    const types = await world.typesIn(`event-${target.id}`);
    assert.equal(types.filter((type) => type === 'EventDrafted').length, 1);
    assert.equal(await world.typesIn(`proposal-${id}`), ['ProposalOpened', 'ProposalApproved', 'ProposalApplied']);
    const last = (await world.store.readStream(`event-${target.id}`)).at(-1);
    assert.equal(last?.metadata.actor.id, EDITOR.id);
  });
}

test('an interrupted approval that has come into conflict is set back, and a revision settles it', async ({
  world,
  dependencies,
}) => {
  const id = await eventOf(world);
  const { id: proposal } = await written(propose(dependencies, world, id, { title: 'Mine' }));
  await approveUntil(dependencies, world, proposal, 1);
  await written(changeCalendarEvent(dependencies, world.context(), id, { title: 'Theirs' }));
  assert.is(await complete(dependencies, proposal), 'changes_requested');
  assert.is((await loadEvent(world.store, id))?.title, 'Theirs');
  const context = world.context({ caller: CONTRIBUTOR });
  await written(reviseProposalOf(dependencies, context, proposal, { wish: { title: 'Ours' }, note: '' }));
  await written(approve(dependencies, world, proposal));
  assert.is((await loadEvent(world.store, id))?.title, 'Ours');
});

test('what an interrupted approval has made is not made again, whatever has become of it', async ({
  world,
  dependencies,
}) => {
  const id = await eventOf(world);
  for (const [mine, since] of [
    ['Mine', 'Concert'],
    ['Other', 'Theirs'],
  ] as const) {
    const { id: proposal } = await written(propose(dependencies, world, id, { title: mine }));
    await approveUntil(dependencies, world, proposal, 2);
    assert.is((await loadEvent(world.store, id))?.title, mine);
    await written(changeCalendarEvent(dependencies, world.context(), id, { title: since }));
    assert.is(await complete(dependencies, proposal), 'applied');
    assert.is((await loadEvent(world.store, id))?.title, since);
  }
});

test('an approval whose approver has lost the right to it is set back, unless it has been made', async ({
  world,
  dependencies,
}) => {
  const id = await eventOf(world);
  for (const [stop, state] of [
    [1, 'changes_requested'],
    [2, 'applied'],
  ] as const) {
    const { id: proposal } = await written(propose(dependencies, world, id, { title: `Title ${stop}` }));
    await approveUntil(dependencies, world, proposal, stop);
    assert.is(await complete(dependencies, proposal, 'subscriber'), state);
  }
});

test('an approval that may be under way is left alone', async ({ world, dependencies }) => {
  const id = await eventOf(world);
  const { id: proposal } = await written(propose(dependencies, world, id, { title: 'x' }));
  await approveUntil(dependencies, world, proposal, 1);
  const now = { now: NOW + 1, correlationId: 'completion' };
  assert.is(await completeApproval(dependencies, now, proposal), null);
  assert.equal(await world.typesIn(`proposal-${proposal}`), ['ProposalOpened', 'ProposalApproved']);
});

test.run();
