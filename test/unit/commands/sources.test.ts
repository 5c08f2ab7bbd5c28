// Two processes with the same log: which of them polls, and how each follows what becomes of sources.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSourceWatch } from '../../../src/exchange/sources/commands/source-watch.ts';
import {
  addSource,
  allSources,
  beginPollOf,
  endPollOf,
  removeSourceOf,
  stepOfSource,
} from '../../../src/exchange/sources/commands/sources.ts';
import {
  NO_COUNTS,
  pauseSource,
  resumeSource,
  type SourceSettings,
} from '../../../src/exchange/sources/domain/source.ts';
import { addUser } from '../../../src/people/users/commands/users.ts';
import { contextAt } from '../../support/events.ts';
import { elsewhere, HOUR, NOW, openWorld, type World, written } from '../../support/given.ts';

const test = suite<{ world: World; user: number }>('sources in several processes');

const add = ({ dependencies, context }: World, user: number) => {
  const settings: SourceSettings = {
    ...{ name: '', address: 'https://theatre.example/a.ics', every: 60, mode: 'apply', onMissing: 'leave' },
    ...{ status: null, user },
  };
  return written(addSource(dependencies, context(), settings, 'editors'));
};

test.before.each(async (context) => {
  const world = openWorld();
  const { store, dependencies } = world;
  const users = {
    store,
    newEventId: dependencies.newEventId,
    newSecret: () => 'secret',
    hashSecret: async () => 'hash',
  };
  const profile = { login: 'ada', email: '', name: 'Ada', label: 'test', role: 'editor' as const };
  const added = await addUser(users, contextAt(NOW), profile);
  if (added.kind === 'rejected') throw new Error(added.rejection.code);
  context.world = world;
  context.user = added.written.id;
});

test('a poll that is due is begun once, however many processes find it due', async ({ world, user }) => {
  await add(world, user);
  const begin = (at: World, request: string) =>
    beginPollOf(at.dependencies, { ...world.context(), correlationId: request, now: NOW + HOUR }, 1, {
      why: 'due',
      isAbandoned: () => false,
    });
  const results = await Promise.all(
    [world, elsewhere(world), world, elsewhere(world)].map((at, index) => begin(at, `request-${index}`)),
  );
  const begun = results.filter(({ kind }) => kind === 'written');
  assert.is(begun.length, 1);
  const [found] = await allSources(world.store);
  const request = found?.state.polls.at(-1)?.request ?? '';
  const end = { request, outcome: 'applied', counts: NO_COUNTS, validators: null } as const;
  await written(endPollOf(world.dependencies, world.context({ now: NOW + HOUR + 1 }), 1, end, null));
  // It has seen the source before all that.
  const late = await begin(elsewhere(world), 'late');
  assert.equal(late.kind === 'rejected' && late.rejection.code, 'source_polling');
});

test('what each process follows is what the log says', async ({ world, user }) => {
  await add(world, user);
  const watch = openSourceWatch(world.store);
  const assertSame = async (): Promise<void> => {
    const found = await watch.look();
    assert.equal(
      found,
      (await allSources(world.store)).map(({ state }) => state),
    );
    assert.equal(watch.current(), found);
  };
  await assertSame();
  await add(elsewhere(world), user);
  await written(stepOfSource(world.elsewhere, world.context(), 1, pauseSource));
  await assertSame();
  await assertSame();
  await written(removeSourceOf(world.elsewhere, world.context(), 1, async () => {}));
  await assertSame();
  assert.equal(
    (await watch.look()).map(({ id }) => id),
    [2],
  );
});

test('nothing is decided about one that was removed, but its key is destroyed again', async ({ world, user }) => {
  await add(world, user);
  const destroyed: string[] = [];
  const remove = () =>
    removeSourceOf(world.dependencies, world.context(), 1, async (subject) => void destroyed.push(subject));
  const gone = await written(remove());
  assert.is(gone.state.address, 'https://theatre.example/a.ics');
  for (const again of [await remove(), await stepOfSource(world.dependencies, world.context(), 1, resumeSource)])
    assert.equal(again.kind === 'rejected' && again.rejection.code, 'source_not_found');
  assert.equal(destroyed, ['source-1', 'source-1']);
});

test.run();
