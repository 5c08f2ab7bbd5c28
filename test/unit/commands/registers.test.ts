import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postsNamed } from '../../../src/calendar/resource/commands/references.ts';
import type { Post, PostStatus } from '../../../src/calendar/resource/domain/post.ts';
import { metadataOf } from '../../../src/commands/context.ts';
import {
  enterName,
  giveBackSlug,
  normalisedSlug,
  reserveSlug,
  type SlugWish,
  slugForChanged,
  slugForNew,
  strikeName,
} from '../../../src/commands/reservations/reservations.ts';
import { ownerOfSlug } from '../../../src/commands/reservations/slugs.ts';
import { beginUnitOfWork, type UnitOfWork } from '../../../src/commands/unit-of-work.ts';
import { NOW, openWorld, type World } from '../../support/given.ts';

interface Context {
  world: World;
}

const test = suite<Context>('registers');
test.before.each((context) => {
  context.world = openWorld();
});
test.after.each(({ world }) => world.store.close());

/** Does something in a unit of its own, with the post of that id written in it. */
async function inUnit<Result>(world: World, id: number, work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
  const unit = beginUnitOfWork(world.store, metadataOf(world.context()), world.dependencies.newEventId);
  const result = await work(unit);
  await unit.record(`event-${id}`, [{ type: 'Touched', data: {} }]);
  assert.is((await unit.commit()).kind, 'appended');
  return result;
}

const wish = (id: number, preferred = 'jazz'): SlugWish => ({ kind: 'event', id, preferred, origin: 'derived' });
const post = (id: number, status: PostStatus, slug: string): Post => ({
  id,
  author: 1,
  status,
  slug,
  date: NOW,
  dateFloats: false,
  created: NOW,
  modified: NOW,
  before: null,
  passwordHash: null,
});
const ownerOf = (world: World, slug: string) => ownerOfSlug(world.store, 'event', slug);
const create = (world: World, id: number, status: PostStatus, wanted = 'jazz') =>
  inUnit(world, id, (unit) => slugForNew(unit, wish(id, wanted), status));
const change = (world: World, before: Post, status: PostStatus, wanted: string) =>
  inUnit(world, before.id, (unit) => slugForChanged(unit, before, wish(before.id, wanted), status));

for (const status of ['publish', 'future', 'private', 'trash'] as const)
  test(`a new post in ${status} has its slug to itself`, async ({ world }) => {
    assert.equal([await create(world, 1, status), await create(world, 2, status)], ['jazz', 'jazz-2']);
    assert.equal([await ownerOf(world, 'jazz'), await ownerOf(world, 'jazz-2')], ['event-1', 'event-2']);
  });

for (const status of ['draft', 'pending'] as const)
  test(`a new post in ${status} reserves a free slug and shares a taken one`, async ({ world }) => {
    assert.equal([await create(world, 1, status), await create(world, 2, status)], ['jazz', 'jazz']);
    assert.is(await ownerOf(world, 'jazz'), 'event-1');
    assert.is(await create(world, 3, status, ''), '');
    assert.is(await ownerOf(world, '3'), null);
  });

test('a post in public without a slug of its own has its id for one', async ({ world }) => {
  assert.is(await create(world, 12, 'publish', ''), '12');
});

test('a post that shares a slug gets one of its own when it goes live', async ({ world }) => {
  await create(world, 1, 'draft');
  await create(world, 2, 'draft');
  assert.is(await change(world, post(2, 'draft', 'jazz'), 'publish', 'jazz'), 'jazz-2');
  assert.equal([await ownerOf(world, 'jazz'), await ownerOf(world, 'jazz-2')], ['event-1', 'event-2']);
  assert.is(await change(world, post(1, 'draft', 'jazz'), 'publish', 'jazz'), 'jazz');
});

test('a post that changes its slug gives the old one back', async ({ world }) => {
  await create(world, 1, 'publish');
  assert.is(await change(world, post(1, 'publish', 'jazz'), 'publish', 'blues'), 'blues');
  assert.equal([await ownerOf(world, 'jazz'), await ownerOf(world, 'blues')], [null, 'event-1']);
});

test('a post that shares a slug does not release that of another one', async ({ world }) => {
  await create(world, 1, 'publish');
  await create(world, 2, 'draft');
  await change(world, post(2, 'draft', 'jazz'), 'draft', 'blues');
  assert.equal([await ownerOf(world, 'jazz'), await ownerOf(world, 'blues')], ['event-1', 'event-2']);
});

test('a post that returns to draft keeps its slug reserved', async ({ world }) => {
  await create(world, 1, 'publish');
  assert.is(await change(world, post(1, 'publish', 'jazz'), 'draft', 'jazz'), 'jazz');
  assert.is(await ownerOf(world, 'jazz'), 'event-1');
});

test('a slug stays with its post where nothing about it changes', async ({ world }) => {
  await create(world, 1, 'publish');
  const before = (await world.log()).length;
  assert.is(await change(world, post(1, 'publish', 'jazz'), 'private', 'jazz'), 'jazz');
  assert.is((await world.log()).length, before + 1);
});

test('a released slug is free, even in the same unit', async ({ world }) => {
  await create(world, 1, 'publish');
  const slug = await inUnit(world, 2, async (unit) => {
    await giveBackSlug(unit, 'event', 1, { slug: 'jazz', leaving: 'free at once' });
    return reserveSlug(unit, wish(2));
  });
  assert.is(slug, 'jazz');
  assert.is(await ownerOf(world, 'jazz'), 'event-2');
});

test('two resources of one unit do not get the same slug', async ({ world }) => {
  const slugs = await inUnit(world, 1, async (unit) => [
    await reserveSlug(unit, wish(1)),
    await reserveSlug(unit, wish(2)),
  ]);
  assert.equal(slugs, ['jazz', 'jazz-2']);
});

test('a slug that a client gives is brought into form', () => {
  assert.is(normalisedSlug('  Café Été! '), 'cafe-ete');
  assert.is(normalisedSlug('!'), '');
  assert.is(normalisedSlug(undefined), undefined);
});

test('resources are found by name in any case, lowest id first, until released', async ({ world }) => {
  await inUnit(world, 1, async (unit) => {
    await enterName(unit, 'venue', 12, 'Hall');
    await enterName(unit, 'venue', 5, 'HALL');
    await enterName(unit, 'venue', 5, 'hall');
    await enterName(unit, 'organizer', 7, 'Hall');
  });
  assert.equal(await postsNamed(world.store, 'venue', 'hALL'), [5, 12]);
  await inUnit(world, 1, (unit) => strikeName(unit, 'venue', 5, 'Hall'));
  assert.equal(await postsNamed(world.store, 'venue', 'hall'), [12]);
});

test.run();
