import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  changeCalendarEvent,
  createCalendarEvent,
  trashCalendarEvent,
} from '../../../src/calendar/event/commands/events.ts';
import type { EventInput } from '../../../src/calendar/event/domain/calendar-event.ts';
import {
  changeLinkedPost,
  createLinkedPost,
  ORGANIZERS,
  trashLinkedPost,
  VENUES,
} from '../../../src/calendar/linked-post/commands/linked-posts.ts';
import { findImage } from '../../../src/calendar/resource/commands/post-input.ts';
import { loadVenue } from '../../../src/calendar/resource/commands/references.ts';
import { evolveImage, type ImageFact } from '../../../src/calendar/resource/domain/image.ts';
import { createTermOf, deleteTermOf } from '../../../src/calendar/term/commands/terms.ts';
import type { CommandContext } from '../../../src/commands/context.ts';
import { UnexpectedFact } from '../../../src/domain/decider.ts';
import { readDate } from '../../../src/kernel/time/date-input.ts';
import {
  AUTHOR,
  CONTRIBUTOR,
  DAY,
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

const test = suite<Context>('commands on events');
test.before.each((context) => {
  context.world = openWorld();
});
test.after.each(({ world }) => world.store.close());

const TIMES = { start: '2027-03-01 20:00', end: '2027-03-01 23:00' };
const JAZZ: EventInput = { title: 'Jazz', times: TIMES };

type Told = Partial<CommandContext>;
const tryCreate = (world: World, input: EventInput = {}, told: Told = {}) =>
  createCalendarEvent(world.dependencies, world.context(told), { ...JAZZ, ...input });
const tryChange = (world: World, id: number, input: EventInput, told: Told = {}) =>
  changeCalendarEvent(world.dependencies, world.context(told), id, input);
const tryTrash = (world: World, id: number, told: Told = {}) =>
  trashCalendarEvent(world.dependencies, world.context(told), id);

const create = async (world: World, input: EventInput = {}, told: Told = {}) =>
  (await written(tryCreate(world, input, told))).state;
const change = async (world: World, id: number, input: EventInput, told: Told = {}) =>
  (await written(tryChange(world, id, input, told))).state;
const trash = async (world: World, id: number) => (await written(tryTrash(world, id))).state;
const createVenue = (world: World, name: string) =>
  written(createLinkedPost(world.dependencies, world.context(), VENUES, { name }));
const trashVenue = (world: World, id: number) =>
  written(trashLinkedPost(world.dependencies, world.context(), VENUES, id));

test('a slug that another event has gets a number; other kinds have slugs of their own', async ({ world }) => {
  const slugs = [];
  for (let index = 0; index < 3; index++) slugs.push((await create(world)).slug);
  assert.equal(slugs, ['jazz', 'jazz-2', 'jazz-3']);
  assert.is((await createVenue(world, 'Jazz')).state.slug, 'jazz');
  assert.is((await create(world, { title: 'Other', slug: 'JAZZ ' })).slug, 'jazz-4');
});

test('an event whose title yields no slug is found by its id', async ({ world }) => {
  const { id, slug } = await create(world, { title: '!!!' });
  assert.is(slug, String(id));
});

test('a draft has no slug until it goes live or is given one', async ({ world }) => {
  const { id, slug } = await create(world, { status: 'draft' });
  assert.is(slug, '');
  assert.is((await change(world, id, { status: 'pending' })).slug, '');
  assert.is((await change(world, id, { status: 'private' })).slug, 'jazz');
  assert.is((await change(world, id, { title: 'Blues' })).slug, 'jazz');
});

test('drafts share a slug, but keep others off a free one', async ({ world }) => {
  const first = await create(world, { status: 'draft', slug: 'night' });
  const second = await create(world, { status: 'pending', slug: 'night' });
  assert.equal([first.slug, second.slug], ['night', 'night']);
  assert.is((await create(world, { slug: 'night' })).slug, 'night-2');
  assert.is((await change(world, second.id, { status: 'publish' })).slug, 'night-3');
  assert.is((await change(world, first.id, { status: 'publish' })).slug, 'night');
});

test('an event that is renamed leaves its slug to others by name alone', async ({ world }) => {
  const { id } = await create(world);
  assert.is((await change(world, id, { slug: 'blues' })).slug, 'blues');
  assert.is((await create(world)).slug, 'jazz-2');
  assert.is((await create(world, { slug: 'jazz' })).slug, 'jazz');
  assert.is((await change(world, id, { slug: 'jazz' })).slug, 'jazz-3');
});

test('a trashed event frees its slug and takes it back', async ({ world }) => {
  const { id } = await create(world);
  assert.equal(await trash(world, id).then(({ slug, status }) => [slug, status]), ['jazz__trashed', 'trash']);
  assert.is((await change(world, id, { status: 'publish' })).slug, 'jazz');
  assert.is((await create(world)).slug, 'jazz-2');
});

test('a slug that was taken meanwhile gets a number on return', async ({ world }) => {
  const { id } = await create(world);
  await trash(world, id);
  await create(world);
  assert.is((await change(world, id, { status: 'publish' })).slug, 'jazz-2');
  assert.is((await change(world, id, { status: 'trash' })).slug, 'jazz-2__trashed');
});

test('an event in the trash is not trashed again', async ({ world }) => {
  const { id } = await create(world);
  await trash(world, id);
  assert.equal(await refusal(tryTrash(world, id)), { code: 'event_in_trash' });
});

test('an event keeps its links and terms in the trash', async ({ world }) => {
  const { id } = await create(world, { tags: [{ text: 'Loud' }], venues: [{ input: { name: 'Hall' } }] });
  const { tags, venues } = await trash(world, id);
  assert.equal([tags.length, venues.length], [1, 1]);
});

test('an id that names nothing is not found, one of something else is no event', async ({ world }) => {
  const { id } = await createVenue(world, 'Hall');
  assert.equal(await refusal(tryChange(world, 99, {})), { code: 'event_not_found', parameter: 'id' });
  assert.equal(await refusal(tryChange(world, id, {})), { code: 'not_an_event', parameter: 'id' });
  assert.equal(await refusal(tryTrash(world, 99)), { code: 'event_not_found', parameter: 'id' });
});

test('an event with everything it brings along is one append', async ({ world }) => {
  const event = await create(world, {
    venues: [{ input: { name: 'Hall' } }],
    organizers: [{ input: { name: 'Ann' } }, { input: { name: 'Bob' } }],
    categories: [{ text: 'Music' }],
    tags: [{ text: 'Loud' }, { text: 'loud' }, { text: 'New' }],
    image: 'https://pictures.example/a.jpg',
  });
  assert.is(world.appends, 1);
  assert.equal(
    [event.venues.length, event.organizers.length, event.categories.length, event.tags.length],
    [1, 2, 1, 2],
  );
  const hall = await loadVenue(world.store, event.venues[0]?.id ?? 0);
  assert.equal([hall?.name, hall?.status, hall?.author], ['Hall', 'publish', EDITOR.id]);
  assert.is((await findImage(world.store, event.image?.id ?? 0))?.url, 'https://pictures.example/a.jpg');
});

test('nothing stays behind when the event is refused', async ({ world }) => {
  const brought: EventInput = {
    venues: [{ input: { name: 'Hall' } }],
    organizers: [{ input: { name: 'Ann' } }],
    categories: [{ text: 'Music' }],
    tags: [{ text: 'Loud' }],
    image: 'https://pictures.example/a.jpg',
  };
  for (const [bad, parameter] of [
    [{ times: { ...TIMES, start: 'soonish' } }, 'start_date'],
    [{ date: 'never' }, 'date'],
    [{ dateUtc: 'never' }, 'date_utc'],
    [{ parent: 99 }, 'post_parent'],
    [{ image: 99 }, 'image'],
    [{ organizers: [{ input: { name: 'Ann' } }, { id: 99 }] }, 'organizer'],
    [{ venues: [{ input: { name: 'Hall' } }, { id: 99 }] }, 'venue'],
  ] as const)
    assert.equal(await refusal(tryCreate(world, { ...brought, ...bad })), { code: 'invalid_parameter', parameter });
  const nameless = await refusal(tryCreate(world, { ...brought, organizers: [{ input: { name: ' ' } }] }));
  assert.equal(nameless, { code: 'could_not_create_organizer', parameter: 'organizer' });
  assert.equal(await world.log(), []);
});

test('a caller without the right cannot create events', async ({ world }) => {
  for (const caller of [SUBSCRIBER, null])
    assert.equal(await refusal(tryCreate(world, {}, { caller })), { code: 'forbidden' });
});

test('the status of a new event follows from what the caller may and from the date', async ({ world }) => {
  const statusOf = async (input: EventInput, told: Told = {}) => (await create(world, input, told)).status;
  assert.is(await statusOf({}), 'publish');
  assert.is(await statusOf({}, { caller: CONTRIBUTOR }), 'draft');
  for (const status of ['publish', 'future', 'private'] as const)
    assert.is(await statusOf({ status }, { caller: CONTRIBUTOR }), 'pending');
  assert.is(await statusOf({ date: NOW + DAY }), 'future');
  assert.is(await statusOf({ status: 'future' }), 'publish');
  assert.is(await statusOf({ status: 'draft', date: NOW + DAY }), 'draft');
});

test('publication dates: local ones are of the site, UTC ones win, offsets are honoured', async ({ world }) => {
  const dateOf = async (input: EventInput) => new Date((await create(world, input)).date * 1000).toISOString();
  assert.is(await dateOf({ date: '2026-01-01 10:00' }), '2026-01-01T15:00:00.000Z');
  assert.is(await dateOf({ dateUtc: '2026-01-01 10:00' }), '2026-01-01T10:00:00.000Z');
  assert.is(await dateOf({ date: '2026-01-01T10:00+02:00' }), '2026-01-01T08:00:00.000Z');
  assert.is(await dateOf({ date: '2025-01-01', dateUtc: '2026-01-01T10:00Z' }), '2026-01-01T10:00:00.000Z');
});

test('only some callers may set another author', async ({ world }) => {
  assert.is((await create(world, { author: 9 })).author, 9);
  const refused = await refusal(tryCreate(world, { author: 9 }, { caller: AUTHOR }));
  assert.equal(refused, { code: 'forbidden', parameter: 'author' });
  assert.is((await create(world, { author: AUTHOR.id }, { caller: AUTHOR })).author, AUTHOR.id);
});

test('a caller without the right is refused before the existence of the event is revealed', async ({ world }) => {
  const { id } = await create(world);
  assert.equal(await refusal(tryChange(world, id, {}, { caller: AUTHOR })), { code: 'forbidden' });
  assert.equal(await refusal(tryTrash(world, id, { caller: AUTHOR })), { code: 'forbidden' });
  assert.equal(await refusal(tryChange(world, 99, {}, { caller: null })), { code: 'forbidden' });
});

test('omitted fields stay', async ({ world }) => {
  const before = await create(world, { cost: '$20', website: 'https://jazz.example', tags: [{ text: 'Loud' }] });
  const after = await change(world, before.id, { description: 'All night' }, { now: NOW + HOUR });
  assert.equal(after, { ...before, description: 'All night', modified: NOW + HOUR });
});

test('a website that was never set differs from one that was cleared', async ({ world }) => {
  const { id, website } = await create(world, { website: '' });
  assert.is(website, null);
  assert.is((await change(world, id, { website: '' })).website, '');
});

test('nothing is appended when nothing changes', async ({ world }) => {
  const tags = [{ text: 'Loud' }];
  const { id } = await create(world, { tags, venues: [{ input: { name: 'Hall' } }], cost: '$20' });
  const before = await world.log();
  const { revision } = await written(
    tryChange(world, id, { ...JAZZ, tags, cost: '$20', slug: 'jazz', status: 'publish' }),
  );
  assert.equal(await world.log(), before);
  assert.is(world.appends, 1);
  assert.is(revision, 1);
});

test('a change of a revision that is no longer the last is refused', async ({ world }) => {
  const { id, revision } = await written(tryCreate(world));
  const next = await written(tryChange(world, id, { title: 'Blues' }, { ifRevision: revision }));
  assert.ok(next.revision > revision);
  const refused = { code: 'precondition_failed' };
  assert.equal(await refusal(tryChange(world, id, { title: 'Soul' }, { ifRevision: revision })), refused);
  assert.equal(await refusal(tryTrash(world, id, { ifRevision: revision })), refused);
  await written(tryTrash(world, id, { ifRevision: next.revision }));
});

test('several venues and organizers are linked in the order given, each once', async ({ world }) => {
  const [hall, barn] = [await createVenue(world, 'Hall'), await createVenue(world, 'Barn')];
  const event = await create(world, { venues: [{ id: barn.id }, { input: { name: 'hall' } }, { id: barn.id }] });
  assert.equal(event.venues, [
    { id: barn.id, life: 0 },
    { id: hall.id, life: 0 },
  ]);
  assert.equal((await change(world, event.id, { venues: [] })).venues, []);
});

test('a venue in the trash cannot be linked', async ({ world }) => {
  const { id } = await createVenue(world, 'Hall');
  const { id: linked } = await create(world, { venues: [{ id }] });
  await trashVenue(world, id);
  const refused = { code: 'invalid_parameter', parameter: 'venue' };
  assert.equal(await refusal(tryCreate(world, { venues: [{ id }] })), refused);
  assert.equal(await refusal(tryChange(world, linked, { venues: [{ id }] })), refused);
});

test('links to a venue that was in the trash are lost for good, until it is linked again', async ({ world }) => {
  const { id } = await createVenue(world, 'Hall');
  const event = await create(world, { venues: [{ id }] });
  await trashVenue(world, id);
  const back = await written(changeLinkedPost(world.dependencies, world.context(), VENUES, id, { status: 'publish' }));
  const lifeNow = back.state.life;
  assert.not.equal((await change(world, event.id, { title: 'Blues' })).venues, [{ id, life: lifeNow }]);
  assert.equal((await change(world, event.id, { venues: [{ id }] })).venues, [{ id, life: lifeNow }]);
});

test('an organizer is no venue', async ({ world }) => {
  const { id } = await written(createLinkedPost(world.dependencies, world.context(), ORGANIZERS, { name: 'Ann' }));
  const refused = await refusal(tryCreate(world, { venues: [{ id }] }));
  assert.equal(refused, { code: 'invalid_parameter', parameter: 'venue' });
});

test('terms are given by id, slug or name in any case; unknown ids are ignored', async ({ world }) => {
  const of = (name: string) => written(createTermOf(world.dependencies, world.context(), 'tag', { name }));
  const [loud, late] = [await of('Very Loud'), await of('Late')];
  const tags = [{ text: 'very-loud' }, { text: 'VERY LOUD' }, { id: late.id }, { id: 99 }, { text: ' ' }];
  assert.equal((await create(world, { tags })).tags, [loud.id, late.id]);
  await written(deleteTermOf(world.dependencies, world.context(), 'tag', late.id));
  const [again] = (await create(world, { tags: [{ id: late.id }, { text: 'Late' }] })).tags;
  assert.not.equal(again, late.id);
});

test('a category is no tag', async ({ world }) => {
  const { id } = await written(createTermOf(world.dependencies, world.context(), 'category', { name: 'Music' }));
  const { tags, categories } = await create(world, { tags: [{ id }], categories: [{ id }] });
  assert.equal([tags, categories], [[], [id]]);
});

test('an image is registered once an address', async ({ world }) => {
  const image = 'https://pictures.example/a.jpg';
  const first = await create(world, { image, venues: [{ input: { name: 'Hall', image } }] });
  const second = await create(world, { image });
  const third = await create(world, { image: first.image?.id ?? 0 });
  assert.equal([second.image, third.image], [first.image, first.image]);
  assert.is((await loadVenue(world.store, first.venues[0]?.id ?? 0))?.image?.id, first.image?.id);
  const other = await create(world, { image: `${image}?large` });
  assert.not.equal(other.image?.id, first.image?.id);
  assert.is((await change(world, first.id, { image: null })).image, null);
});

test('of an image, nothing but its registration can be folded', () => {
  const fact = { type: 'ImageExploded', data: {} } as unknown as ImageFact;
  assert.throws(
    () => evolveImage(null, fact, NOW),
    (error: unknown) => error instanceof UnexpectedFact,
  );
});

test('an event can have a parent, but never be its own ancestor', async ({ world }) => {
  const top = await create(world);
  const middle = await create(world, { parent: top.id });
  const low = await create(world, { parent: middle.id });
  assert.is(low.parent, middle.id);
  const refused = { code: 'invalid_parameter', parameter: 'post_parent' };
  for (const parent of [top.id, middle.id, low.id, 99, (await createVenue(world, 'Hall')).id])
    assert.equal(await refusal(tryChange(world, top.id, { parent })), refused, String(parent));
  assert.is((await change(world, low.id, { parent: top.id })).parent, top.id);
  assert.is((await change(world, low.id, { parent: null })).parent, null);
});

test('a password is stored as a hash only', async ({ world }) => {
  const { id, passwordHash } = await create(world, { password: 'open sesame' });
  assert.is(passwordHash, 'hash of open sesame with salt 1');
  assert.is((await change(world, id, { password: '' })).passwordHash, null);
});

test('the password that is set already is no change', async ({ world }) => {
  const { id } = await create(world, { password: 'open sesame' });
  const before = world.appends;
  assert.is((await change(world, id, { password: 'open sesame' })).passwordHash, 'hash of open sesame with salt 1');
  assert.is(world.appends, before);
  assert.is((await change(world, id, { password: 'another' })).passwordHash, 'hash of another with salt 2');
});

test('texts of callers without the right to any HTML are cleaned', async ({ world }) => {
  const description = 'Hi<script>alert(1)</script>';
  assert.is((await create(world, { description })).description, description);
  assert.not.match((await create(world, { description }, { caller: AUTHOR })).description, 'script');
});

test('a date that has been read and a link that has been looked up are taken as they are', async ({ world }) => {
  const { id, state } = await createVenue(world, 'Hall');
  const asked: string[] = [];
  const store: typeof world.store = {
    ...world.store,
    readStream(stream, options) {
      asked.push(stream);
      return world.store.readStream(stream, options);
    },
  };
  const [start, date] = [readDate('1 March 2027 8pm'), readDate('2026-03-01 09:00 EST')];
  assert.ok(start && date);
  const event = await create(
    { ...world, dependencies: { ...world.dependencies, store } },
    { times: { ...TIMES, start }, date, venues: [{ id, life: state.life }] },
  );
  assert.equal([event.schedule.start, event.date], ['2027-03-01 20:00:00', Date.UTC(2026, 2, 1, 14) / 1_000]);
  assert.equal(event.venues, [{ id, life: 0 }]);
  assert.ok(asked.length > 0 && !asked.includes(`venue-${id}`), asked.join());
});

test.run();
