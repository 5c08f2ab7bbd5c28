import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accepted, evolveAll, UnfoldableFact } from '../../../src/domain/decider.ts';
import {
  changeOrganizer,
  createOrganizer,
  evolveOrganizer,
  type Organizer,
  type OrganizerFact,
  type OrganizerPatch,
} from '../../../src/domain/organizer.ts';
import { POST_STATUSES, type PostStatus, postFacts, statusAfter } from '../../../src/domain/post.ts';
import { DAY, factsOf, given, HOUR, NOW, whenDecided } from '../../support/given.ts';

const test = suite('organizer');
const context = (slug = 'ann') => ({ now: NOW, slug });

type NewOrganizer = OrganizerPatch & { readonly author: number; readonly status: PostStatus };
const created = (patch: Partial<NewOrganizer> = {}) =>
  createOrganizer(6, { name: 'Ann', author: 3, status: 'publish', ...patch }, context());
const givenOrganizer = (patch: Partial<NewOrganizer> = {}) => given(evolveOrganizer, factsOf(created(patch)));
const changed =
  (patch: OrganizerPatch, slug = 'ann') =>
  (organizer: Organizer) =>
    changeOrganizer(organizer, patch, context(slug));
const to = (status: PostStatus, slug: string) => (organizer: Organizer) =>
  accepted(postFacts('Organizer', organizer, {}, { status, slug, now: NOW }));

test('a new organizer has what was said and nothing else', () => {
  assert.equal(givenOrganizer({ email: 'ann@example.org' }).state, {
    id: 6,
    name: 'Ann',
    description: '',
    phone: '',
    website: '',
    email: 'ann@example.org',
    image: null,
    author: 3,
    slug: 'ann',
    status: 'publish',
    date: NOW,
    dateFloats: false,
    created: NOW,
    modified: NOW,
    before: null,
    passwordHash: null,
    life: 0,
  });
});

test('a new organizer is drafted, then brought into its status', () => {
  whenDecided(evolveOrganizer, null, created({ status: 'draft' }), NOW).thenTypes('OrganizerDrafted');
  whenDecided(evolveOrganizer, null, created(), NOW).thenTypes('OrganizerDrafted', 'OrganizerPublished');
  const pending = created({ status: 'pending' });
  whenDecided(evolveOrganizer, null, pending, NOW).thenTypes('OrganizerDrafted', 'OrganizerSubmittedForReview');
});

test('the date of drafts and pending organizers floats unless one is given', () => {
  for (const status of POST_STATUSES) {
    assert.is(givenOrganizer({ status }).state.dateFloats, status === 'draft' || status === 'pending', status);
    assert.not(givenOrganizer({ status, date: NOW }).state.dateFloats, status);
  }
});

const IMAGE = { id: 90, url: 'https://pictures.example/a.jpg', width: null, height: null };
const CHANGES: readonly (readonly [OrganizerPatch, OrganizerFact])[] = [
  [{ name: 'Bob' }, { type: 'OrganizerRenamed', data: { name: 'Bob' } }],
  [{ description: 'Tall' }, { type: 'OrganizerDescribed', data: { description: 'Tall' } }],
  [{ phone: '1' }, { type: 'OrganizerContactChanged', data: { phone: '1', website: '', email: '' } }],
  [{ website: 'w' }, { type: 'OrganizerContactChanged', data: { phone: '', website: 'w', email: '' } }],
  [{ email: 'e' }, { type: 'OrganizerContactChanged', data: { phone: '', website: '', email: 'e' } }],
  [{ image: IMAGE }, { type: 'OrganizerImageChanged', data: { image: IMAGE } }],
  [{ author: 9 }, { type: 'OrganizerReassigned', data: { author: 9 } }],
  [{ status: 'draft' }, { type: 'OrganizerReturnedToDraft', data: {} }],
];
for (const [patch, fact] of CHANGES)
  test(`${JSON.stringify(patch)} is one fact, shows, and is none the second time`, () => {
    const outcome = givenOrganizer().when(changed(patch), NOW + HOUR);
    outcome.thenFacts(fact);
    const after = outcome.state();
    assert.equal({ ...after, ...patch }, after);
    whenDecided(evolveOrganizer, after, changed(patch)(after), NOW).thenNothing();
  });

test('several changes are several facts', () => {
  const everything = { name: 'Bob', description: 'Tall', email: 'e', image: IMAGE };
  givenOrganizer()
    .when(changed(everything, 'bob'))
    .thenTypes(
      'OrganizerRenamed',
      'OrganizerDescribed',
      'OrganizerContactChanged',
      'OrganizerImageChanged',
      'OrganizerSlugChanged',
    );
});

test('an organizer lives once more each time it has been in the trash', () => {
  const gone = givenOrganizer().when(to('trash', 'ann__trashed')).state();
  assert.equal([gone.life, gone.before], [1, { status: 'publish', slug: 'ann' }]);
  const back = whenDecided(evolveOrganizer, gone, to('draft', 'ann')(gone), NOW).state();
  assert.equal([back.life, back.status, back.before], [1, 'draft', null]);
});

for (const type of ['OrganizerExploded', 'EventPublished', 'VenueRenamed'])
  test(`a fact of type ${type} cannot be folded onto an organizer`, () =>
    assert.throws(
      () => evolveOrganizer(givenOrganizer().state, { type, data: {} } as unknown as OrganizerFact, NOW),
      (error: unknown) => error instanceof UnfoldableFact,
    ));

test('nothing can be folded before the organizer is drafted', () =>
  assert.throws(
    () => evolveOrganizer(null, { type: 'OrganizerPublished', data: { date: NOW } }, NOW),
    (error: unknown) => error instanceof UnfoldableFact,
  ));

const word = fc.constantFrom('', 'a', 'b');
const anyPatch: fc.Arbitrary<OrganizerPatch> = fc.record(
  {
    name: fc.constantFrom('Ann', 'Bob'),
    description: word,
    phone: word,
    website: word,
    email: word,
    image: fc.constantFrom(null, IMAGE, { ...IMAGE, id: 91 }),
    status: fc.constantFrom(...POST_STATUSES),
    author: fc.integer({ min: 1, max: 3 }),
    date: fc.integer({ min: NOW - DAY, max: NOW + DAY }),
  },
  { requiredKeys: [] },
);

test('whatever is asked for shows afterwards, and asking twice yields no fact the second time', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...POST_STATUSES),
      fc.array(anyPatch, { maxLength: 3 }),
      anyPatch,
      (from, before, patch) => {
        let organizer = givenOrganizer({ status: from }).state;
        const apply = (one: OrganizerPatch): Organizer =>
          evolveAll(evolveOrganizer, organizer, factsOf(changed(one)(organizer)), NOW + HOUR) ?? organizer;
        for (const earlier of before) organizer = apply(earlier);
        const after = apply(patch);
        const { status, ...plain } = patch;
        assert.equal({ ...after, ...plain }, after);
        assert.is(after.status, statusAfter(organizer, patch, NOW));
        // Who asks again to publish what is scheduled does not want to wait for it.
        if (after.status === 'future' && status === 'publish' && patch.date === undefined) return;
        whenDecided(evolveOrganizer, after, changed(patch)(after), NOW).thenNothing();
      },
    ),
    { numRuns: 300 },
  );
});

test.run();
