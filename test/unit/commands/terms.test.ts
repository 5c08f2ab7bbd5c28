import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { effectiveParent, findTerm, loadTerm } from '../../../src/calendar/resource/commands/references.ts';
import { changeTermOf, createTermOf, deleteTermOf } from '../../../src/calendar/term/commands/terms.ts';
import type { TermInput, TermKind } from '../../../src/calendar/term/domain/term.ts';
import type { CommandContext } from '../../../src/commands/context.ts';
import { revertTermOf } from '../../../src/editorial/reverts/commands/revert-term.ts';
import { AUTHOR, CONTRIBUTOR, EDITOR, openWorld, refusal, type World, written } from '../../support/given.ts';

interface Context {
  world: World;
}

const test = suite<Context>('commands on terms');
test.before.each((context) => {
  context.world = openWorld();
});
test.after.each(({ world }) => world.store.close());

type Told = Partial<CommandContext>;
const tryCreate = (world: World, input: TermInput, kind: TermKind = 'category', told: Told = {}) =>
  createTermOf(world.dependencies, world.context(told), kind, input);
const tryChange = (world: World, id: number, input: TermInput, told: Told = {}) =>
  changeTermOf(world.dependencies, world.context(told), 'category', id, input);
const tryRemove = (world: World, id: number, told: Told = {}) =>
  deleteTermOf(world.dependencies, world.context(told), 'category', id);
const create = async (world: World, input: TermInput, kind: TermKind = 'category') =>
  (await written(tryCreate(world, input, kind))).state;
const change = async (world: World, id: number, input: TermInput) => (await written(tryChange(world, id, input))).state;
const remove = (world: World, id: number) => written(tryRemove(world, id));

test('a new term gets its slug from its name', async ({ world }) => {
  const { name, slug, parent, description } = await create(world, { name: 'Wine & Song', description: 'Both' });
  assert.equal([name, slug, parent, description], ['Wine &amp; Song', 'wine-song', 0, 'Both']);
  assert.is((await create(world, { name: '???' })).slug, '2');
  assert.is((await create(world, { name: 'Folk', slug: 'Wine Song' })).slug, 'wine-song-2');
});

test('a blank name makes no term', async ({ world }) => {
  for (const name of ['', ' ', '<b></b>'])
    assert.equal(await refusal(tryCreate(world, { name })), { code: 'invalid_parameter', parameter: 'name' });
  assert.equal(await world.log(), []);
});

test('a term of the same name under the same parent exists', async ({ world }) => {
  const music = await create(world, { name: 'Music' });
  const exists = { code: 'term_exists', details: { term_id: music.id } };
  assert.equal(await refusal(tryCreate(world, { name: 'MUSIC' })), exists);
  assert.equal(await refusal(tryCreate(world, { name: 'Music', slug: 'music' })), exists);
  assert.is((await create(world, { name: 'Music', slug: 'sound' })).slug, 'sound');
  assert.is((await create(world, { name: 'Music' }, 'tag')).slug, 'music');
});

test('a child whose slug is taken takes its parent along, then a number', async ({ world }) => {
  const [art, craft] = [await create(world, { name: 'Art' }), await create(world, { name: 'Craft' })];
  const slugs = [];
  for (const parent of [art.id, craft.id]) slugs.push((await create(world, { name: 'New', parent })).slug);
  assert.equal(slugs, ['new', 'new-craft']);
  assert.equal(
    await refusal(tryCreate(world, { name: 'new', parent: art.id })).then(({ code }) => code),
    'term_exists',
  );
  const numbered = await create(world, { name: 'New', parent: craft.id, slug: 'new' });
  assert.is(numbered.slug, 'new-2');
});

test('a parent must be a category that is there', async ({ world }) => {
  const refused = { code: 'invalid_parameter', parameter: 'parent' };
  const { id: tag } = await create(world, { name: 'Loud' }, 'tag');
  const gone = await create(world, { name: 'Gone' });
  await remove(world, gone.id);
  for (const parent of [99, tag, gone.id]) {
    assert.equal(await refusal(tryCreate(world, { name: 'New', parent })), refused);
    const { id } = await create(world, { name: `Under ${parent}` });
    assert.equal(await refusal(tryChange(world, id, { parent })), refused);
  }
});

test('children of a deleted category move up, through any number of deleted ones', async ({ world }) => {
  const top = await create(world, { name: 'Top' });
  const middle = await create(world, { name: 'Middle', parent: top.id });
  const low = await create(world, { name: 'Low', parent: middle.id });
  const child = await create(world, { name: 'Child', parent: low.id });
  await remove(world, low.id);
  await remove(world, middle.id);
  assert.is(await effectiveParent(world.store, child), top.id);
  await remove(world, top.id);
  assert.is(await effectiveParent(world.store, child), 0);
});

test('a child that moved up is a twin where it is now', async ({ world }) => {
  const top = await create(world, { name: 'Top' });
  const middle = await create(world, { name: 'Middle', parent: top.id });
  const child = await create(world, { name: 'Child', parent: middle.id });
  await remove(world, middle.id);
  const refused = await refusal(tryCreate(world, { name: 'Child', parent: top.id }));
  assert.equal(refused, { code: 'term_exists', details: { term_id: child.id } });
});

test('a term may become a top-level one', async ({ world }) => {
  const top = await create(world, { name: 'Top' });
  const child = await create(world, { name: 'Child', parent: top.id });
  assert.is((await change(world, child.id, { parent: 0 })).parent, 0);
});

test('a term that would become its own ancestor becomes top-level', async ({ world }) => {
  const top = await create(world, { name: 'Top' });
  const middle = await create(world, { name: 'Middle', parent: top.id });
  const low = await create(world, { name: 'Low', parent: middle.id });
  assert.is((await change(world, top.id, { parent: top.id })).parent, 0);
  assert.is((await change(world, middle.id, { parent: low.id })).parent, 0);
  assert.is((await change(world, low.id, { parent: top.id })).parent, top.id);
  await remove(world, low.id);
});

test('a cycle is seen through deleted parents', async ({ world }) => {
  const top = await create(world, { name: 'Top' });
  const middle = await create(world, { name: 'Middle', parent: top.id });
  const low = await create(world, { name: 'Low', parent: middle.id });
  await remove(world, middle.id);
  assert.is((await change(world, top.id, { parent: low.id })).parent, 0);
});

test('omitted fields stay; sent ones are the new state', async ({ world }) => {
  const before = await create(world, { name: 'Music', description: 'Loud' });
  const after = await change(world, before.id, { name: 'Sound' });
  assert.equal(after, { ...before, name: 'Sound' });
  const { formerSlugs = [], ...sent } = await change(world, before.id, { slug: 'Loud Noise', description: '' });
  assert.equal(sent, { ...after, slug: 'loud-noise', description: '' });
  assert.equal(
    formerSlugs.map(({ slug }) => slug),
    ['music'],
  );
});

test('nothing is appended when nothing changes', async ({ world }) => {
  const top = await create(world, { name: 'Top' });
  const input = { name: 'Music', slug: 'music', description: 'Loud', parent: top.id };
  const { id } = await create(world, input);
  const appends = world.appends;
  await change(world, id, input);
  assert.is(world.appends, appends);
  await remove(world, top.id);
  await change(world, id, { parent: 0 });
  assert.is(world.appends, appends + 1);
});

test('a slug that another term has cannot be taken, one that was given up can', async ({ world }) => {
  const music = await create(world, { name: 'Music' });
  const sound = await create(world, { name: 'Sound' });
  const refused = { code: 'term_slug_taken', parameter: 'slug' };
  assert.equal(await refusal(tryChange(world, sound.id, { slug: 'MUSIC' })), refused);
  await change(world, music.id, { slug: 'noise' });
  assert.is((await change(world, sound.id, { slug: 'music' })).slug, 'music');
});

test('of two terms that want a slug at once one gets it, also when one of them goes back to it', async ({ world }) => {
  const [music, sound] = [await create(world, { name: 'Music' }), await create(world, { name: 'Sound' })];
  const both = [tryChange(world, music.id, { slug: 'noise' }), tryChange(world, sound.id, { slug: 'noise' })];
  const outcomes = await Promise.all(both);
  assert.equal(outcomes.map(({ kind }) => kind).sort(), ['rejected', 'written']);
  const slugs = async () => {
    const terms = await Promise.all([music, sound].map(({ id }) => loadTerm(world.store, 'category', id)));
    return terms.map((term) => term?.slug);
  };
  assert.is(new Set(await slugs()).size, 2, `${await slugs()}`);
  await change(world, music.id, { slug: 'quiet' });
  await change(world, sound.id, { slug: 'loud' });
  const back = revertTermOf(world.dependencies, world.context(), 'category', music.id, 0);
  const { kind } = await tryChange(world, sound.id, { slug: 'music' });
  assert.equal([kind, (await back).kind].sort(), ['rejected', 'written']);
  assert.is(new Set(await slugs()).size, 2, `${await slugs()}`);
});

test('a deleted term releases its slug and its name, and is not deleted again', async ({ world }) => {
  const { id } = await create(world, { name: 'Music' });
  assert.ok((await remove(world, id)).state.deleted);
  assert.is((await create(world, { name: 'Music' })).slug, 'music');
  const refused = { code: 'invalid_parameter', parameter: 'id' };
  assert.equal(await refusal(tryRemove(world, id)), refused);
  assert.equal(await refusal(tryChange(world, id, { name: 'Back' })), refused);
  assert.equal(await refusal(tryChange(world, 99, {})), refused);
});

test('a renamed term is found by its new name only', async ({ world }) => {
  const music = await create(world, { name: 'Music' });
  await change(world, music.id, { name: 'Sound' });
  const refused = await refusal(tryCreate(world, { name: 'sound' }));
  assert.equal(refused, { code: 'term_exists', details: { term_id: music.id } });
  assert.is((await create(world, { name: 'Music' })).slug, 'music-2');
});

test('of several terms with a name the oldest is meant, of a slug its owner', async ({ world }) => {
  const first = await create(world, { name: 'Sound' });
  const second = await create(world, { name: 'Music' });
  await change(world, first.id, { name: 'Music' });
  assert.is((await findTerm(world.store, 'category', 'MUSIC'))?.id, second.id);
  await change(world, second.id, { slug: 'noise' });
  assert.is((await findTerm(world.store, 'category', 'MUSIC'))?.id, first.id);
  assert.is(await findTerm(world.store, 'tag', 'Music'), null);
});

test('a change of a revision that is no longer the last is refused', async ({ world }) => {
  const { id, revision } = await written(tryCreate(world, { name: 'Music' }));
  await written(tryChange(world, id, { name: 'Sound' }, { ifRevision: revision }));
  const refused = { code: 'precondition_failed' };
  assert.equal(await refusal(tryChange(world, id, { name: 'Noise' }, { ifRevision: revision })), refused);
  assert.equal(await refusal(tryRemove(world, id, { ifRevision: revision })), refused);
});

test('editors manage categories and tags, authors categories, contributors none', async ({ world }) => {
  const outcome = async (caller: typeof EDITOR, kind: TermKind) =>
    (await tryCreate(world, { name: `${caller.role} ${kind}` }, kind, { caller })).kind;
  const table = [];
  for (const caller of [EDITOR, AUTHOR, CONTRIBUTOR])
    table.push([await outcome(caller, 'category'), await outcome(caller, 'tag')]);
  assert.equal(table, [
    ['written', 'written'],
    ['written', 'rejected'],
    ['rejected', 'rejected'],
  ]);
  assert.equal(await refusal(tryRemove(world, 1, { caller: CONTRIBUTOR })), { code: 'forbidden' });
});

test.run();
