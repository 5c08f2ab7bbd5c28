import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  changeLinkedPost,
  createLinkedPost,
  ORGANIZERS,
  trashLinkedPost,
} from '../../../src/calendar/linked-post/commands/linked-posts.ts';
import {
  evolveOrganizer,
  type Organizer,
  type OrganizerInput,
} from '../../../src/calendar/linked-post/domain/organizer.ts';
import { postsNamed } from '../../../src/calendar/resource/commands/references.ts';
import { ownerOfSlug } from '../../../src/commands/reservations/slugs.ts';
import { revertOrganizerOf } from '../../../src/editorial/reverts/commands/revert.ts';
import { fold } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { hashPassword } from '../../../src/people/auth/passwords.ts';
import { type ErasableKind, erase } from '../../../src/people/personal-data/commands/erase.ts';
import { type KeyRing, openKeyRing } from '../../../src/people/personal-data/facts/key-ring.ts';
import { openSqliteKeys } from '../../../src/people/personal-data/facts/sqlite-keys.ts';
import { admitBearer } from '../../../src/people/users/commands/sign-on.ts';
import { addUser, issueCredential } from '../../../src/people/users/commands/users.ts';
import { evolveUser } from '../../../src/people/users/domain/user.ts';
import { someContext } from '../../support/events.ts';
import { NOW, openWorld, refusal, type World, written } from '../../support/given.ts';
import { withPersonalData } from '../../support/pipelines.ts';

interface Context {
  world: World;
  keys: KeyRing;
  store: EventStore;
}

const test = suite<Context>('erasing people');
test.before.each((context) => {
  const world = openWorld();
  const keys = openKeyRing(openSqliteKeys({ file: ':memory:' }), { elapsed: () => performance.now() });
  const store = withPersonalData(world.dependencies.store, keys);
  context.world = { ...world, dependencies: { ...world.dependencies, store } };
  context.keys = keys;
  context.store = store;
});
test.after.each(({ store }) => store.close());

const metadata = {
  actor: { id: null, name: 'test' },
  instant: new Date((NOW + 60) * 1000).toISOString(),
  correlationId: 'erasure',
  causationId: 'erasure',
  reason: 'asked for',
};

const ANN: OrganizerInput = {
  name: 'Ann Archer',
  phone: '555-0199',
  email: 'ann@example.org',
  description: 'A choir.',
};

const create = ({ world }: Context, input: OrganizerInput = ANN) =>
  written(createLinkedPost(world.dependencies, world.context(), ORGANIZERS, input));
const change = ({ world }: Context, id: number, input: OrganizerInput) =>
  changeLinkedPost(world.dependencies, world.context(), ORGANIZERS, id, input);
const erasing = ({ world, keys, store }: Context, kind: ErasableKind, id: number, by: object = {}) =>
  erase({ store, keys, newEventId: world.dependencies.newEventId, ...by }, metadata, kind, id);

async function organizer({ store }: Context, id: number): Promise<Organizer> {
  const state = fold(await store.readStream(`organizer-${id}`), evolveOrganizer);
  if (!state) throw new Error('there is no organizer');
  return state;
}

const personal = ({ name, slug, phone, website, email }: Organizer) => ({ name, slug, phone, website, email });
const GONE = { name: '[erased]', slug: 'erased-1', phone: '[erased]', website: '', email: '[erased]' };

const addBea = ({ world, store }: Context) =>
  addUser(
    {
      store,
      newEventId: world.dependencies.newEventId,
      newSecret: () => 's',
      hashSecret: async () => hashPassword('s'),
    },
    someContext,
    { login: 'Bea', email: 'bea@example.org', name: 'Bea Baker', role: 'editor', label: 'phone' },
  );

test('an organizer loses personal data, and keeps description and image', async (context) => {
  await create(context);
  assert.equal(await erasing(context, 'organizer', 1), { kind: 'erased' });
  const state = await organizer(context, 1);
  assert.equal(personal(state), GONE);
  assert.is(state.description, 'A choir.');
  const last = (await context.store.readStream('organizer-1')).at(-1);
  assert.equal([last?.type, last?.metadata.reason], ['OrganizerErased', 'asked for']);
});

test('name and slug are free again, the replacement slug is taken', async (context) => {
  await create(context);
  await erasing(context, 'organizer', 1);
  assert.equal(await postsNamed(context.store, 'organizer', 'Ann Archer'), []);
  assert.is(await ownerOfSlug(context.store, 'organizer', 'ann-archer'), null);
  assert.is(await ownerOfSlug(context.store, 'organizer', 'erased-1'), 'organizer-1');
  const { id, state } = await create(context);
  assert.equal([id, state.slug], [2, 'ann-archer']);
});

test('if the replacement slug is taken, another one is used', async (context) => {
  await create(context);
  await create(context, { name: 'Erased 1' });
  await erasing(context, 'organizer', 1);
  assert.is((await organizer(context, 1)).slug, 'erased-1-2');
});

test('in the trash nothing personal stays either, also not for when it is restored', async (context) => {
  const { world } = context;
  await create(context);
  await written(trashLinkedPost(world.dependencies, world.context(), ORGANIZERS, 1));
  await erasing(context, 'organizer', 1);
  assert.equal(personal(await organizer(context, 1)), { ...GONE, slug: 'erased-1__trashed' });
  const { state } = await written(change(context, 1, { status: 'publish' }));
  assert.equal(personal(state), GONE);
});

test('an erasure that was interrupted before its key was destroyed is completed by another one', async (context) => {
  await create(context);
  const away = {
    destroy: async () => {
      throw new Error('the power went');
    },
  };
  await erasing(context, 'organizer', 1, { keys: away }).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'the power went'),
  );
  assert.equal(personal(await organizer(context, 1)), GONE, 'nothing is shown meanwhile');
  assert.equal(await erasing(context, 'organizer', 1), { kind: 'completed' });
  assert.equal(await erasing(context, 'organizer', 1), { kind: 'erased before' });
  const types = (await context.store.readStream('organizer-1')).map(({ type }) => type);
  assert.is(types.filter((type) => type === 'OrganizerErased').length, 1);
});

test('an erasure that loses a race against a change is decided again', async (context) => {
  await create(context);
  let raced = false;
  const store: EventStore = {
    ...context.store,
    async append(appends) {
      if (!raced) await change(context, 1, { email: 'other@example.org' });
      raced = true;
      return context.store.append(appends);
    },
  };
  assert.equal(await erasing(context, 'organizer', 1, { store }), { kind: 'erased' });
  assert.equal(personal(await organizer(context, 1)), GONE);
});

test('a change decided before an erasure and appended after it reveals nothing', async (context) => {
  await create(context);
  let raced = false;
  const store: EventStore = {
    ...context.store,
    async append(appends) {
      if (!raced) await erasing(context, 'organizer', 1);
      raced = true;
      return context.store.append(appends);
    },
  };
  const late = { ...context, world: { ...context.world, dependencies: { ...context.world.dependencies, store } } };
  const rejection = { code: 'organizer_erased', parameter: 'email' } as const;
  assert.equal(await refusal(change(late, 1, { email: 'other@example.org' })), rejection);
});

test('an unknown user cannot be erased', async (context) => {
  assert.equal(await erasing(context, 'organizer', 1), { kind: 'unknown' });
  assert.equal(await erasing(context, 'user', 1), { kind: 'unknown' });
});

const REFUSED: readonly (readonly [OrganizerInput, string])[] = [
  [{ name: 'Ann Archer' }, 'organizer'],
  [{ phone: '1' }, 'phone'],
  [{ phone: '' }, 'phone'],
  [{ website: 'https://ann.example' }, 'website'],
  [{ email: 'ann@example.org' }, 'email'],
  [{ slug: 'ann' }, 'slug'],
];

for (const [input, parameter] of REFUSED) {
  test(`an erased organizer takes no ${JSON.stringify(input)}`, async (context) => {
    await create(context);
    await erasing(context, 'organizer', 1);
    assert.equal(await refusal(change(context, 1, input)), { code: 'organizer_erased', parameter });
  });
}

test('other fields of an erased organizer can be changed, also sent back completely', async (context) => {
  await create(context);
  await erasing(context, 'organizer', 1);
  const { name, phone, email } = await organizer(context, 1);
  const { state } = await written(change(context, 1, { name, phone, email, description: 'Gone.', status: 'draft' }));
  assert.equal([state.description, state.status], ['Gone.', 'draft']);
  assert.equal(personal(state), GONE);
});

test('a revert restores what is not personal, and writes no [erased] as a name', async (context) => {
  const { world } = context;
  await create(context);
  await written(change(context, 1, { email: '', phone: '', description: 'Two choirs.' }));
  await written(change(context, 1, { email: 'late@example.org', phone: '555-0100' }));
  await erasing(context, 'organizer', 1);
  const before = (await context.store.readStream('organizer-1')).length;
  for (const revision of [0, 2]) {
    const reverted = await written(revertOrganizerOf(world.dependencies, world.context(), 1, revision));
    assert.equal(personal(reverted.state), GONE);
  }
  assert.is((await organizer(context, 1)).description, 'Two choirs.');
  const since = (await context.store.readStream('organizer-1')).slice(before);
  assert.not.match(JSON.stringify(since), /\[erased\]|OrganizerContactChanged|OrganizerRenamed/);
});

test('a revert to where it was in the trash leads there', async (context) => {
  const { world } = context;
  await create(context);
  const trashed = await written(trashLinkedPost(world.dependencies, world.context(), ORGANIZERS, 1));
  await written(change(context, 1, { status: 'publish' }));
  await erasing(context, 'organizer', 1);
  const { state } = await written(revertOrganizerOf(world.dependencies, world.context(), 1, trashed.revision));
  assert.equal([state.status, state.slug], ['trash', 'erased-1__trashed']);
});

test('a user loses names, e-mail address and all credentials, keeps the role, and gets no others', async (context) => {
  const { store, world } = context;
  await addBea(context);
  assert.equal(await erasing(context, 'user', 1), { kind: 'erased' });
  assert.equal(fold(await store.readStream('user-1'), evolveUser), {
    id: 1,
    login: '[erased]',
    name: '[erased]',
    email: '[erased]',
    role: 'editor',
    credentials: [],
    lastCredential: 1,
    erased: true,
  });
  const { newEventId } = world.dependencies;
  const secrets = { store, newEventId, newSecret: () => 's', hashSecret: async () => 'h' };
  for (const name of ['Bea', 'bea@example.org', '[erased]']) {
    const issued = await issueCredential(secrets, someContext, name, 'phone');
    assert.is(issued.kind === 'rejected' && issued.rejection.code, 'user_not_found', name);
  }
});

test('login and e-mail of an erased user are free for others', async (context) => {
  await addBea(context);
  await erasing(context, 'user', 1);
  const again = await addBea(context);
  assert.is(again.kind === 'written' && again.written.id, 2);
});

test('an erased single sign-on user is not admitted any more, nor as a new user', async (context) => {
  const { store, world } = context;
  const newcomer = {
    issuer: 'https://id.example',
    subject: 'bea@work.example',
    claimed: NOW,
    role: 'editor',
    name: 'Bea Baker',
    login: undefined,
    email: undefined,
  } as const;
  const admit = () => admitBearer({ store, newEventId: world.dependencies.newEventId }, metadata, newcomer);
  const admitted = await admit();
  assert.is(admitted?.user.name, 'Bea Baker');
  await erasing(context, 'user', admitted?.user.id ?? 0);
  assert.is(await admit(), null);
  const user = fold(await store.readStream('user-1'), evolveUser);
  assert.not.ok(user && 'identity' in user);
});

test('a removed user can be erased afterwards', async (context) => {
  const { store } = context;
  await addBea(context);
  const { length } = await store.readStream('user-1');
  const removed = { id: context.world.dependencies.newEventId(), type: 'UserRemoved', schemaVersion: 1, data: {} };
  await store.append([{ stream: 'user-1', expected: length - 1, events: [{ ...removed, metadata }] }]);
  assert.equal(await erasing(context, 'user', 1), { kind: 'erased' });
  assert.is(fold(await store.readStream('user-1'), evolveUser), null);
  assert.not.match(JSON.stringify(await store.readStream('user-1')), /"Bea"|Baker|bea@/);
});

test.run();
