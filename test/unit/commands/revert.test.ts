import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeCalendarEvent, createCalendarEvent } from '../../../src/calendar/event/commands/events.ts';
import type { EventInput } from '../../../src/calendar/event/domain/calendar-event.ts';
import {
  changeLinkedPost,
  createLinkedPost,
  ORGANIZERS,
  trashLinkedPost,
  VENUES,
} from '../../../src/calendar/linked-post/commands/linked-posts.ts';
import type { VenueInput } from '../../../src/calendar/linked-post/domain/venue.ts';
import { loadEvent, postsNamed, termsNamed } from '../../../src/calendar/resource/commands/references.ts';
import { changeTermOf, createTermOf, deleteTermOf } from '../../../src/calendar/term/commands/terms.ts';
import type { TermInput } from '../../../src/calendar/term/domain/term.ts';
import type { CommandContext } from '../../../src/commands/context.ts';
import { ownerOfSlug } from '../../../src/commands/reservations/slugs.ts';
import { beginUnitOfWork } from '../../../src/commands/unit-of-work.ts';
import { revertCalendarEvent, revertVenueOf } from '../../../src/editorial/reverts/commands/revert.ts';
import { REVERTER, revertCorrelation } from '../../../src/editorial/reverts/commands/revert-correlation.ts';
import {
  authorConflicts,
  imageConflicts,
  linksAsThen,
  parentConflicts,
  termsAsThen,
} from '../../../src/editorial/reverts/commands/revert-references.ts';
import { revertTermOf } from '../../../src/editorial/reverts/commands/revert-term.ts';
import { touchedBy } from '../../../src/editorial/reverts/commands/touched.ts';
import type { RecordedEvent } from '../../../src/log/envelope.ts';
import { elsewhere, HOUR, NOW, openWorld, refusal, type World, written } from '../../support/given.ts';

const test = suite<{ world: World }>('reverting commands');
test.before.each((context) => {
  context.world = openWorld();
});
test.after.each(({ world }) => world.store.close());

type Told = Partial<CommandContext>;
const TIMES = { start: '2027-03-01 20:00:00', end: '2027-03-01 23:00:00' };

const createEvent = (world: World, input: EventInput = {}, told: Told = {}) =>
  written(createCalendarEvent(world.dependencies, world.context(told), { title: 'Jazz', times: TIMES, ...input }));
const changeEvent = (world: World, id: number, input: EventInput, told: Told = {}) =>
  written(changeCalendarEvent(world.dependencies, world.context(told), id, input));
const revertEvent = (world: World, id: number, revision: number, told: Told = {}) =>
  revertCalendarEvent(world.dependencies, world.context({ now: NOW + HOUR, ...told }), id, revision);
const createVenue = (world: World, input: VenueInput, told: Told = {}) =>
  written(createLinkedPost(world.dependencies, world.context(told), VENUES, input));
const changeVenue = (world: World, id: number, input: VenueInput) =>
  written(changeLinkedPost(world.dependencies, world.context(), VENUES, id, input));
const createTerm = (world: World, input: TermInput, told: Told = {}) =>
  written(createTermOf(world.dependencies, world.context(told), 'category', input));
const changeTerm = (world: World, id: number, input: TermInput, told: Told = {}) =>
  written(changeTermOf(world.dependencies, world.context(told), 'category', id, input));
const deleteTerm = (world: World, id: number, told: Told = {}) =>
  written(deleteTermOf(world.dependencies, world.context(told), 'category', id));

test('slug and name registers follow a venue back', async ({ world }) => {
  const { id } = await createVenue(world, { name: 'Hall' });
  await changeVenue(world, id, { name: 'Barn', slug: 'barn' });
  const { state } = await written(revertVenueOf(world.dependencies, world.context(), id, 1));
  assert.equal([state.name, state.slug], ['Hall', 'hall']);
  assert.equal(await postsNamed(world.store, 'venue', 'hall'), [id]);
  assert.equal(await postsNamed(world.store, 'venue', 'barn'), []);
  assert.is(await ownerOfSlug(world.store, 'venue', 'hall'), `venue-${id}`);
  assert.is(await ownerOfSlug(world.store, 'venue', 'barn'), null);
});

test('slug and name registers follow a term that comes back, and goes again', async ({ world }) => {
  const { id } = await createTerm(world, { name: 'Music' });
  await deleteTerm(world, id);
  const revert = (revision: number) =>
    written(revertTermOf(world.dependencies, world.context(), 'category', id, revision));
  const registered = async () => [
    (await termsNamed(world.store, 'category', 'music')).map((term) => term.id),
    await ownerOfSlug(world.store, 'category', 'music'),
  ];
  await revert(0);
  assert.equal(await registered(), [[id], `category-${id}`]);
  await revert(1);
  assert.equal(await registered(), [[], null]);
});

test('a revert is one append, or none', async ({ world }) => {
  const { id } = await createEvent(world);
  await changeEvent(world, id, { title: 'Blues', slug: 'blues', featured: true });
  const before = world.appends;
  await written(revertEvent(world, id, 1));
  assert.is(world.appends, before + 1);
  assert.equal((await world.typesIn(`event-${id}`)).slice(-4), [
    'EventReverted',
    'EventRetitled',
    'EventUnfeatured',
    'EventSlugChanged',
  ]);
  await written(revertEvent(world, id, 1));
  assert.is(world.appends, before + 1);
});

test('after a lost race the decision is made again on the new state', async ({ world }) => {
  const { id } = await createEvent(world);
  await changeEvent(world, id, { title: 'Blues' });
  let raced = false;
  world.onAppend = async (_appends, pass) => {
    if (raced) return pass();
    raced = true;
    await changeEvent(elsewhere(world), id, { featured: true });
    return pass();
  };
  const { state } = await written(revertEvent(world, id, 1));
  assert.equal([state.title, state.featured], ['Jazz', false]);
});

test('with an expected revision a lost race is final', async ({ world }) => {
  const { id } = await createEvent(world);
  const { revision } = await changeEvent(world, id, { title: 'Blues' });
  world.onAppend = async (_appends, pass) => {
    world.onAppend = (_others, through) => through();
    await changeEvent(elsewhere(world), id, { featured: true });
    return pass();
  };
  assert.equal(await refusal(revertEvent(world, id, 1, { ifRevision: revision })), { code: 'precondition_failed' });
});

test('a slug that is snatched while it is decided is a conflict, and nothing is written', async ({ world }) => {
  const { id } = await createEvent(world);
  await changeEvent(world, id, { slug: 'blues' });
  let other = 0;
  world.onAppend = async (_appends, pass) => {
    world.onAppend = (_others, through) => through();
    other = (await createEvent(elsewhere(world), { slug: 'jazz' })).id;
    return pass();
  };
  const { conflicts } = await refusal(revertEvent(world, id, 1));
  assert.equal(conflicts, [{ field: 'slug', slug: 'jazz', thing: { kind: 'event', id: other }, why: 'taken' }]);
  assert.is((await world.typesIn(`event-${id}`)).includes('EventReverted'), false);
});

test('drafts share slugs, also when they come back to them', async ({ world }) => {
  const { id } = await createEvent(world, { status: 'draft', slug: 'jazz' });
  await changeEvent(world, id, { slug: 'blues' });
  await createEvent(world, { slug: 'jazz' });
  assert.is((await written(revertEvent(world, id, 0))).state.slug, 'jazz');
});

/** A log that has forgotten some streams. */
const without = (world: World, ...streams: readonly string[]) => ({
  readStream: async (stream: string): Promise<readonly RecordedEvent[]> =>
    streams.includes(stream) ? [] : world.store.readStream(stream),
});

test('missing resources are reported', async ({ world }) => {
  const venue = await createVenue(world, { name: 'Hall' });
  const tag = await createTerm(world, { name: 'Music' });
  const image = 'https://a.example/a.jpg';
  const { state: event } = await createEvent(world, {
    venues: [{ id: venue.id }],
    categories: [{ id: tag.id }],
    image,
  });
  const streams = [`venue-${venue.id}`, `category-${tag.id}`, `image-${event.image?.id}`];
  const today = without(world, ...streams);
  const then = event;
  const states = { now: { ...event, venues: [], categories: [] }, then };
  const links = await linksAsThen(today, world.store, 'venues', states);
  assert.equal(links.conflicts, [{ field: 'venue', thing: { kind: 'venue', id: venue.id }, why: 'gone' }]);
  const terms = await termsAsThen(today, world.store, 'categories', states);
  assert.is(terms.conflicts.length, 1);
  assert.equal(await imageConflicts(today, null, event.image), [
    { field: 'image', thing: { kind: 'image', id: event.image?.id }, why: 'gone' },
  ]);
  assert.equal(await imageConflicts(today, event.image, event.image), [], 'what shows stays');
  assert.equal(await imageConflicts(world.store, null, event.image), []);
  assert.equal(await authorConflicts(world.store, 1, 2), [], 'who never was a user');
  const unit = beginUnitOfWork(world.store, { ...METADATA }, world.dependencies.newEventId);
  const thing = { kind: 'event', id: 999 };
  assert.equal(await parentConflicts(unit, event, 999), [{ field: 'post_parent', thing, why: 'gone' }]);
});

const METADATA = { actor: { id: null, name: 'test' }, instant: '', correlationId: 'c', causationId: 'c' };

/** Reverts the changes of a correlation id; answers the outcome of each resource, in order. */
async function takeBack(
  world: World,
  correlationId: string,
  { run = String(randomUUID()), most = Infinity } = {},
): Promise<string[]> {
  const touched = await touchedBy(world.store, correlationId, () => {});
  const context = world.context({ caller: REVERTER, correlationId: run, now: NOW + HOUR });
  const reverting = { commands: world.dependencies, correlationId, context, most };
  const reverted = await revertCorrelation(reverting, touched, () => {});
  return reverted.map(({ resource, action, outcome }) => `${resource.stream} ${action} ${outcome.kind}`);
}

const X = { correlationId: 'x' };

test('a run that may write little leaves the rest to its repetition, which is the same run', async ({ world }) => {
  for (const name of ['One', 'Two', 'Three']) await createTerm(world, { name }, X);
  const run = { run: 'run-1', most: 2 };
  const kinds = async () => (await takeBack(world, 'x', run)).map((line) => line.split(' ').at(-1));
  assert.equal(await kinds(), ['done', 'done', 'left']);
  assert.equal(await kinds(), ['done', 'done', 'done']);
  const before = world.appends;
  assert.equal(await kinds(), ['done', 'done', 'done']);
  assert.is(world.appends, before, 'the third time nothing is written');
  assert.equal(
    await takeBack(world, 'x'),
    ['category-1', 'category-2', 'category-3'].map((one) => `${one} delete unchanged`),
  );
});

test('a slug that was passed on returns to its former owner', async ({ world }) => {
  const one = await createEvent(world);
  await changeEvent(world, one.id, { slug: 'blues' }, X);
  const two = await createEvent(world, { slug: 'jazz' }, X);
  assert.is(two.state.slug, 'jazz');
  assert.equal(await takeBack(world, 'x'), [`event-${two.id} trash done`, `event-${one.id} revert done`]);
  assert.is(await ownerOfSlug(world.store, 'event', 'jazz'), `event-${one.id}`);
});

test('a conflict of one resource may disappear with another', async ({ world }) => {
  const one = await createTerm(world, { name: 'Music' });
  await changeTerm(world, one.id, { slug: 'else' }, X);
  const two = await createTerm(world, { name: 'Songs', slug: 'music' }, X);
  assert.is(two.state.slug, 'music');
  assert.equal(await takeBack(world, 'x'), [`category-${two.id} delete done`, `category-${one.id} revert done`]);
  assert.is(await ownerOfSlug(world.store, 'category', 'music'), `category-${one.id}`);
});

test('restored resources come before those that show them', async ({ world }) => {
  const above = await createTerm(world, { name: 'Arts' });
  const below = await createTerm(world, { name: 'Music', parent: above.id });
  const venue = await createVenue(world, { name: 'Hall' });
  const categories = [{ id: below.id }];
  const event = await createEvent(world, { venues: [{ id: venue.id }], categories });
  await changeEvent(world, event.id, { venues: [], categories: [] }, X);
  await deleteTerm(world, below.id, X);
  await deleteTerm(world, above.id, X);
  await written(trashLinkedPost(world.dependencies, world.context(X), VENUES, venue.id));
  assert.equal(await takeBack(world, 'x'), [
    `category-${above.id} revert done`,
    `category-${below.id} revert done`,
    `venue-${venue.id} revert done`,
    `event-${event.id} revert done`,
  ]);
  const state = await loadEvent(world.store, event.id);
  assert.equal([state?.venues, state?.categories], [[{ id: venue.id, life: 1 }], [below.id]]);
});

test('children go before their parents, and nothing that others use goes', async ({ world }) => {
  const above = await createTerm(world, { name: 'Arts' }, X);
  const below = await createTerm(world, { name: 'Music', parent: above.id }, X);
  const used = await createTerm(world, { name: 'Used' }, X);
  const child = await createTerm(world, { name: 'Of others', parent: used.id });
  const organizer = await written(
    createLinkedPost(world.dependencies, world.context(X), ORGANIZERS, { name: 'Choir' }),
  );
  const event = await createEvent(world, { organizers: [{ id: organizer.id }] });
  assert.equal(await takeBack(world, 'x'), [
    `category-${below.id} delete done`,
    `category-${above.id} delete done`,
    `organizer-${organizer.id} trash in_use`,
    `category-${used.id} delete in_use`,
  ]);
  await changeEvent(world, event.id, { organizers: [] });
  await deleteTerm(world, child.id);
  const again = await takeBack(world, 'x');
  assert.equal(again.filter((line) => line.endsWith('done')).sort(), [
    `category-${used.id} delete done`,
    `organizer-${organizer.id} trash done`,
  ]);
  assert.is(again.filter((line) => line.endsWith('unchanged')).length, 2);
});

test.run();
