// Rules that hold for venues and organizers alike.
import * as fc from 'fast-check';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  POST_STATUSES,
  type Post,
  type PostFact,
  type PostPatch,
  type PostStatus,
  postFacts,
  statusAfter,
} from '../../../src/calendar/resource/domain/post.ts';
import {
  accepted,
  type Decision,
  type Evolve,
  evolveAll,
  type Fact,
  UnexpectedFact,
} from '../../../src/domain/decider.ts';
import { DAY, factsOf, type Given, HOUR, NOW, whenDecided } from '../../support/given.ts';

export const IMAGE = { id: 90, url: 'https://pictures.example/a.jpg', width: null, height: null };

export interface LinkedPostRules<State, F extends Fact, Patch> {
  readonly noun: 'Venue' | 'Organizer';
  readonly evolve: Evolve<State, F>;
  /** A new one, published unless the patch says otherwise. */
  readonly given: (patch?: Patch) => Given<State, F>;
  readonly change: (patch: Patch) => (state: State) => Decision<F>;
  /** Patches, and the one fact that each leads to. */
  readonly changes: readonly (readonly [Patch, F])[];
  /** Types of facts that belong to other resources, or to none. */
  readonly unknownTypes: readonly string[];
  /** Patches of its content. */
  readonly anyPatch: fc.Arbitrary<Patch>;
  /** What of a patch shows as it was sent. */
  readonly shown: (patch: Patch) => Partial<Patch>;
}

type LinkedPost = Post & { readonly life: number };

export function holdLinkedPostRules<State extends LinkedPost, F extends Fact, Patch extends PostPatch>(
  test: Test,
  { noun, evolve, given, change, changes, unknownTypes, anyPatch, shown }: LinkedPostRules<State, F, Patch>,
): void {
  // Patches of every kind have the members of `PostPatch`; facts of every kind include those of a post's life.
  const as = (patch: PostPatch): Patch => patch as Patch;
  const to = (status: PostStatus, slug: string) => (state: State) =>
    accepted(postFacts(noun, state, {}, { status, slug, now: NOW }) as PostFact<typeof noun>[] as unknown as F[]);

  test('the date of drafts and pending ones floats unless one is given', () => {
    for (const status of POST_STATUSES) {
      assert.is(given(as({ status })).state.dateFloats, status === 'draft' || status === 'pending', status);
      assert.not(given(as({ status, date: NOW })).state.dateFloats, status);
    }
  });

  for (const [patch, fact] of changes)
    test(`${JSON.stringify(patch)} is one fact, shows, and is none the second time`, () => {
      const outcome = given().when(change(patch), NOW + HOUR);
      outcome.thenFacts(fact);
      const after = outcome.state();
      assert.equal({ ...after, ...patch }, after);
      whenDecided(evolve, after, change(patch)(after), NOW).thenNothing();
    });

  test('it lives once more each time it has been in the trash', () => {
    const gone = given().when(to('trash', 'away__trashed')).state();
    assert.equal([gone.life, gone.before], [1, { status: 'publish', slug: given().state.slug }]);
    const back = whenDecided(evolve, gone, to('publish', 'back')(gone), NOW).state();
    assert.equal([back.life, back.status, back.slug, back.before], [1, 'publish', 'back', null]);
    const drafted = whenDecided(evolve, gone, to('draft', 'back')(gone), NOW).state();
    assert.equal([drafted.life, drafted.status, drafted.before], [1, 'draft', null]);
    assert.is(whenDecided(evolve, back, to('trash', 'away__trashed')(back), NOW).state().life, 2);
  });

  const isUnexpectedFact = (error: unknown): boolean => error instanceof UnexpectedFact;

  for (const type of unknownTypes)
    test(`a fact of type ${type} cannot be folded`, () =>
      assert.throws(() => evolve(given().state, { type, data: {} } as unknown as F, NOW), isUnexpectedFact));

  test('nothing can be folded before it is drafted', () => {
    const published = { type: `${noun}Published`, data: { date: NOW } };
    const renamed = { type: `${noun}Renamed`, data: { name: 'x' } };
    for (const fact of [published, renamed])
      assert.throws(() => evolve(null, fact as unknown as F, NOW), isUnexpectedFact);
  });

  const anyLife: fc.Arbitrary<PostPatch> = fc.record(
    {
      status: fc.constantFrom(...POST_STATUSES),
      author: fc.integer({ min: 1, max: 3 }),
      date: fc.integer({ min: NOW - DAY, max: NOW + DAY }),
    },
    { requiredKeys: [] },
  );
  const anyWhole = fc.tuple(anyPatch, anyLife).map(([content, life]): Patch => ({ ...content, ...life }));

  test('whatever is asked for shows afterwards, and asking twice yields no fact the second time', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...POST_STATUSES),
        fc.array(anyWhole, { maxLength: 3 }),
        anyWhole,
        (from, before, patch) => {
          let state = given(as({ status: from })).state;
          const apply = (one: Patch): State =>
            evolveAll(evolve, state, factsOf(change(one)(state)), NOW + HOUR) ?? state;
          for (const earlier of before) state = apply(earlier);
          const after = apply(patch);
          const { status: _status, ...plain } = shown(patch);
          assert.equal({ ...after, ...plain }, after);
          assert.is(after.status, statusAfter(state, patch, NOW));
          // Asking again to publish a scheduled post means not to wait for its date.
          if (after.status === 'future' && patch.status === 'publish' && patch.date === undefined) return;
          whenDecided(evolve, after, change(patch)(after), NOW).thenNothing();
        },
      ),
      { numRuns: 500 },
    );
  });
}
