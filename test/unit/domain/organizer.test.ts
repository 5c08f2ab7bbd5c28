import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  changeOrganizer,
  createOrganizer,
  evolveOrganizer,
  type Organizer,
  type OrganizerFact,
  type OrganizerPatch,
} from '../../../src/calendar/linked-post/domain/organizer.ts';
import type { PostStatus } from '../../../src/calendar/resource/domain/post.ts';
import { factsOf, given, NOW, whenDecided } from '../../support/given.ts';
import { holdLinkedPostRules, IMAGE } from './linked-post-rules.ts';

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
test('a new organizer has the given fields and no others', () => {
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

const word = fc.constantFrom('', 'a', 'b');
const anyPatch: fc.Arbitrary<OrganizerPatch> = fc.record(
  {
    name: fc.constantFrom('Ann', 'Bob'),
    description: word,
    phone: word,
    website: word,
    email: word,
    image: fc.constantFrom(null, IMAGE, { ...IMAGE, id: 91 }),
  },
  { requiredKeys: [] },
);

holdLinkedPostRules(test, {
  noun: 'Organizer',
  evolve: evolveOrganizer,
  given: givenOrganizer,
  change: changed,
  changes: CHANGES,
  unknownTypes: ['OrganizerExploded', 'EventPublished', 'VenueRenamed'],
  anyPatch,
  shown: (patch) => patch,
});

test.run();
