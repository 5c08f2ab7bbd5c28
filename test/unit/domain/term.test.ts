import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  changeTerm,
  createTerm,
  deleteTerm,
  evolveTerm,
  nounOf,
  type Term,
  type TermFact,
} from '../../../src/calendar/term/domain/term.ts';
import { evolveAll, UnexpectedFact } from '../../../src/domain/decider.ts';
import { factsOf, given, NOW, whenDecided } from '../../support/given.ts';

const test = suite('term');
const MUSIC = { id: 3, name: 'Music', slug: 'music', description: '', parent: 0 };
const music = given<Term, TermFact>(evolveTerm, factsOf(createTerm('Category', MUSIC)));

test('categories and tags have facts of their own', () => {
  assert.equal([nounOf('category'), nounOf('tag')], ['Category', 'Tag']);
  assert.equal(factsOf(createTerm('Category', MUSIC)), [{ type: 'CategoryCreated', data: MUSIC }]);
  assert.equal(factsOf(createTerm('Tag', MUSIC)), [{ type: 'TagCreated', data: MUSIC }]);
});

test('a new term is not deleted', () => assert.equal(music.state, { ...MUSIC, deleted: false }));

const withoutFormer = ({ formerSlugs: _former, ...term }: Term) => term;

for (const noun of ['Category', 'Tag'] as const) {
  const CHANGES: readonly (readonly [Partial<Term>, string])[] = [
    [{ name: 'Song' }, `${noun}Renamed`],
    [{ slug: 'song' }, `${noun}SlugChanged`],
    [{ description: 'Sung' }, `${noun}Described`],
    [{ parent: 2 }, `${noun}Moved`],
  ];
  for (const [patch, type] of CHANGES)
    test(`${type} says ${JSON.stringify(patch)}, once`, () => {
      const outcome = music.when((term) => changeTerm(noun, term, patch));
      assert.equal(factsOf(changeTerm(noun, music.state, patch)), [{ type, data: patch }]);
      const after = outcome.state();
      assert.equal(withoutFormer(after), { ...music.state, ...patch });
      assert.equal(after.formerSlugs?.map(({ slug }) => slug) ?? [], 'slug' in patch ? ['music'] : []);
      whenDecided(evolveTerm, after, changeTerm(noun, after, patch), NOW).thenNothing();
    });

  test(`a ${noun} is deleted once and stays as a signpost`, () => {
    const outcome = music.when((term) => deleteTerm(noun, term));
    assert.equal(factsOf(deleteTerm(noun, music.state)), [{ type: `${noun}Deleted`, data: {} }]);
    const gone = outcome.state();
    assert.equal(gone, { ...music.state, deleted: true });
    whenDecided(evolveTerm, gone, deleteTerm(noun, gone), NOW).thenNothing();
  });
}

for (const type of ['CategoryExploded', 'VenueRenamed', 'Renamed'])
  test(`a fact of type ${type} cannot be folded onto a term`, () =>
    assert.throws(
      () => evolveTerm(music.state, { type, data: {} } as unknown as TermFact, NOW),
      (error: unknown) => error instanceof UnexpectedFact,
    ));

test('nothing can be folded before the term is created', () =>
  assert.throws(
    () => evolveTerm(null, { type: 'TagDeleted', data: {} }, NOW),
    (error: unknown) => error instanceof UnexpectedFact,
  ));

const anyPatch = fc.record(
  {
    name: fc.string(),
    slug: fc.constantFrom('music', 'song'),
    description: fc.string(),
    parent: fc.integer({ min: 0, max: 2 }),
  },
  { requiredKeys: [] },
);

test('whatever is asked for shows afterwards, and asking twice yields no fact the second time', () => {
  fc.assert(
    fc.property(anyPatch, anyPatch, (first, second) => {
      const before = music.when((term) => changeTerm('Tag', term, first)).state();
      const after = evolveAll(evolveTerm, before, factsOf(changeTerm('Tag', before, second)), NOW);
      assert.equal(after && withoutFormer(after), { ...withoutFormer(before), ...second });
      assert.equal(factsOf(changeTerm('Tag', { ...before, ...second }, second)), []);
    }),
  );
});

test.run();
