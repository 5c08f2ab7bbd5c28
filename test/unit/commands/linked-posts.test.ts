import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  changeLinkedPost,
  createLinkedPost,
  ORGANIZERS,
  trashLinkedPost,
  VENUES,
} from '../../../src/calendar/linked-post/commands/linked-posts.ts';
import type { OrganizerInput } from '../../../src/calendar/linked-post/domain/organizer.ts';
import type { VenueInput } from '../../../src/calendar/linked-post/domain/venue.ts';
import { postsNamed } from '../../../src/calendar/resource/commands/references.ts';
import type { CommandContext } from '../../../src/commands/context.ts';
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

interface Context {
  world: World;
}

const test = suite<Context>('commands on venues and organizers');
test.before.each((context) => {
  context.world = openWorld();
});
test.after.each(({ world }) => world.store.close());

type Told = Partial<CommandContext>;
const tryCreate = (world: World, input: VenueInput, told: Told = {}) =>
  createLinkedPost(world.dependencies, world.context(told), VENUES, input);
const tryChange = (world: World, id: number, input: VenueInput, told: Told = {}) =>
  changeLinkedPost(world.dependencies, world.context(told), VENUES, id, input);
const tryTrash = (world: World, id: number, told: Told = {}) =>
  trashLinkedPost(world.dependencies, world.context(told), VENUES, id);
const create = (world: World, input: VenueInput, told: Told = {}) => written(tryCreate(world, input, told));
const change = async (world: World, id: number, input: VenueInput, told: Told = {}) =>
  (await written(tryChange(world, id, input, told))).state;
const createOrganizer = (world: World, input: OrganizerInput, told: Told = {}) =>
  written(createLinkedPost(world.dependencies, world.context(told), ORGANIZERS, input));

test('a new venue gets its slug from its name, drafts too', async ({ world }) => {
  assert.is((await create(world, { name: 'North Hall' })).state.slug, 'north-hall');
  assert.is((await create(world, { name: 'Barn', status: 'draft' })).state.slug, 'barn');
  assert.is((await create(world, { name: '???', status: 'draft' })).state.slug, '3');
  assert.is((await create(world, { name: 'Cellar', slug: 'north hall' })).state.slug, 'north-hall-2');
});

test('a blank name makes no venue and no organizer', async ({ world }) => {
  assert.equal(await refusal(tryCreate(world, { name: ' ' })), { code: 'could_not_create_venue', parameter: 'venue' });
  const organizer = createLinkedPost(world.dependencies, world.context(), ORGANIZERS, {});
  assert.equal(await refusal(organizer), { code: 'could_not_create_organizer', parameter: 'organizer' });
  assert.equal(await world.log(), []);
});

test('a caller without the right cannot create venues', async ({ world }) => {
  for (const caller of [SUBSCRIBER, null])
    assert.equal(await refusal(tryCreate(world, { name: 'Hall' }, { caller })), { code: 'forbidden' });
});

test('a venue of the same name in any case is come upon', async ({ world }) => {
  const first = await create(world, { name: 'Hall', description: 'Large' });
  const again = await create(world, { name: 'HALL' });
  assert.equal([again.id, again.created, first.created], [first.id, false, true]);
  assert.is((await create(world, { name: 'hall', description: 'LARGE' })).id, first.id);
  assert.not.equal((await create(world, { name: 'Hall', description: 'Small' })).id, first.id);
});

test('an organizer of the same name is come upon, a venue of that name is not', async ({ world }) => {
  const venue = await create(world, { name: 'Ann' });
  const first = await createOrganizer(world, { name: 'Ann' });
  const again = await createOrganizer(world, { name: 'ann', email: ' ann@example.org ' });
  assert.not.equal(first.id, venue.id);
  assert.equal([again.id, again.state.email], [first.id, 'ann@example.org']);
});

test('a name with marks that are cleaned is come upon as well', async ({ world }) => {
  const input = { name: 'Rock & Roll <b>Hall', description: 'Drinks & <script>x</script>food' };
  const first = await create(world, input, { caller: AUTHOR });
  assert.is((await create(world, input, { caller: AUTHOR })).id, first.id);
});

test('contact data are written over a venue that the caller may edit; the rest of it stays', async ({ world }) => {
  const { id, state } = await create(world, { name: 'Hall', description: 'Large', showMap: false, phone: '1' });
  const sent = { name: 'HALL', city: 'Leeds', status: 'draft', author: 9, date: '2020-01-01' } as const;
  const again = await create(world, sent, { now: NOW + HOUR });
  assert.equal(again.state, { ...state, id, city: 'Leeds', showMap: true, modified: NOW + HOUR });
});

test('a venue that the caller may not edit is come upon unchanged', async ({ world }) => {
  const first = await create(world, { name: 'Hall', showMap: false });
  const appends = world.appends;
  const again = await create(world, { name: 'Hall', city: 'Leeds' }, { caller: AUTHOR });
  assert.equal(again, { ...first, created: false });
  assert.is(world.appends, appends);
});

test('a venue in the trash is not come upon, one that came back is', async ({ world }) => {
  const first = await create(world, { name: 'Hall' });
  await written(tryTrash(world, first.id));
  const second = await create(world, { name: 'Hall' });
  assert.not.equal(second.id, first.id);
  await written(tryTrash(world, second.id));
  await change(world, first.id, { status: 'publish' });
  assert.is((await create(world, { name: 'Hall' })).id, first.id);
});

test('a venue is come upon by the name that it has now', async ({ world }) => {
  const first = await create(world, { name: 'Hall' });
  await change(world, first.id, { name: 'Barn' });
  assert.is((await create(world, { name: 'Barn' })).id, first.id);
  assert.equal(await postsNamed(world.store, 'venue', 'Hall'), []);
  assert.not.equal((await create(world, { name: 'Hall' })).id, first.id);
});

test('an import that brings its id makes a twin', async ({ world }) => {
  await create(world, { name: 'Hall' });
  const imported = await create(world, { name: 'Hall', id: 500 });
  assert.equal([imported.id, imported.created, imported.state.slug], [500, true, 'hall-2']);
});

test('omitted fields stay, empty ones are cleared', async ({ world }) => {
  const { id, state } = await create(world, {
    name: 'Hall',
    description: 'Large',
    city: 'Leeds',
    phone: '1',
    showMap: false,
  });
  const after = await change(world, id, { description: '', phone: '' }, { now: NOW + HOUR });
  assert.equal(after, { ...state, description: '', phone: '', modified: NOW + HOUR });
});

test('texts of one line stay on it', async ({ world }) => {
  const { state } = await create(world, { name: 'Hall', city: ' Le\neds ', website: ' https://h.example ' });
  assert.equal([state.city, state.website], ['Le eds', 'https://h.example']);
});

test('nothing is appended when nothing changes', async ({ world }) => {
  const input = {
    name: 'Hall',
    city: 'Leeds',
    slug: 'hall',
    coordinates: { lat: 1, lng: 2 },
    status: 'publish',
  } as const;
  const { id } = await create(world, input);
  await change(world, id, input);
  await create(world, { name: 'Hall' });
  assert.is(world.appends, 1);
});

test('a rename leaves the slug, a slug renames it', async ({ world }) => {
  const { id } = await create(world, { name: 'Hall' });
  assert.is((await change(world, id, { name: 'Barn' })).slug, 'hall');
  assert.is((await change(world, id, { slug: 'barn' })).slug, 'barn');
  assert.is((await create(world, { name: 'Hall' })).state.slug, 'hall-2', 'its address leads on');
});

test('trashing ends a life and frees the slug; restoring gives a number where it is taken', async ({ world }) => {
  const { id } = await create(world, { name: 'Hall' });
  const gone = (await written(tryTrash(world, id))).state;
  assert.equal([gone.status, gone.slug, gone.life], ['trash', 'hall__trashed', 1]);
  await create(world, { name: 'Hall' });
  const back = await change(world, id, { status: 'draft' });
  assert.equal([back.status, back.slug, back.life], ['draft', 'hall', 1]);
  assert.is((await change(world, id, { status: 'publish' })).slug, 'hall-2');
  assert.is((await change(world, id, { status: 'trash' })).life, 2);
});

test('a trashed post is not trashed again, and an unknown one cannot be', async ({ world }) => {
  const { id } = await create(world, { name: 'Hall' });
  await written(tryTrash(world, id));
  assert.equal(await refusal(tryTrash(world, id)), { code: 'venue_in_trash' });
  const { id: ann } = await createOrganizer(world, { name: 'Ann' });
  const organizer = () => trashLinkedPost(world.dependencies, world.context(), ORGANIZERS, ann);
  await written(organizer());
  assert.equal(await refusal(organizer()), { code: 'organizer_in_trash' });
  assert.equal(await refusal(tryTrash(world, 99)), { code: 'invalid_parameter', parameter: 'id' });
  assert.equal(await refusal(tryChange(world, ann, {})), { code: 'invalid_parameter', parameter: 'id' });
});

test('a venue of another user cannot be changed', async ({ world }) => {
  const { id } = await create(world, { name: 'Hall' });
  assert.equal(await refusal(tryChange(world, id, {}, { caller: AUTHOR })), { code: 'forbidden' });
  assert.equal(await refusal(tryTrash(world, id, { caller: AUTHOR })), { code: 'forbidden' });
  const own = await create(world, { name: 'Barn' }, { caller: AUTHOR });
  assert.is(own.state.author, AUTHOR.id);
  assert.is((await change(world, own.id, { city: 'Leeds' }, { caller: AUTHOR })).city, 'Leeds');
  const refused = await refusal(tryChange(world, own.id, { author: EDITOR.id }, { caller: AUTHOR }));
  assert.equal(refused, { code: 'forbidden', parameter: 'author' });
});

test('a contributor creates drafts, and publishing becomes pending', async ({ world }) => {
  const caller = CONTRIBUTOR;
  assert.is((await create(world, { name: 'Hall' }, { caller })).state.status, 'draft');
  assert.is((await create(world, { name: 'Barn', status: 'publish' }, { caller })).state.status, 'pending');
});

test('a change of a revision that is no longer the last is refused', async ({ world }) => {
  const { id, revision } = await create(world, { name: 'Hall' });
  await written(tryChange(world, id, { city: 'Leeds' }, { ifRevision: revision }));
  const refused = { code: 'precondition_failed' };
  assert.equal(await refusal(tryChange(world, id, { city: 'York' }, { ifRevision: revision })), refused);
  assert.equal(await refusal(tryTrash(world, id, { ifRevision: revision })), refused);
});

test('an unknown image is refused, null removes it', async ({ world }) => {
  const { id, state } = await create(world, { name: 'Hall', image: 'https://pictures.example/a.jpg' });
  assert.is(state.image?.url, 'https://pictures.example/a.jpg');
  const refused = await refusal(tryChange(world, id, { image: 99 }));
  assert.equal(refused, { code: 'invalid_parameter', parameter: 'image' });
  assert.is((await change(world, id, { image: null })).image, null);
});

test.run();
