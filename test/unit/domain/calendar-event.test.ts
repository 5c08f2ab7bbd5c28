import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type CalendarEvent,
  changeEvent,
  createEvent,
  type EventFact,
  type EventPatch,
  evolveEvent,
} from '../../../src/calendar/event/domain/calendar-event.ts';
import {
  POST_STATUSES,
  type PostStatus,
  postFacts,
  statusAfter,
  wantedSlug,
} from '../../../src/calendar/resource/domain/post.ts';
import { accepted, evolveAll, UnexpectedFact } from '../../../src/domain/decider.ts';
import { DAY, factsOf, given, HOUR, NEW_YORK, NOW, whenDecided } from '../../support/given.ts';

const test = suite('calendar event');
const TIMES = { start: '2027-03-01 20:00:00', end: '2027-03-01 23:00:00' };

const context = (slug = 'jazz', now = NOW) => ({ now, siteZone: NEW_YORK, slug });

type NewEvent = EventPatch & { readonly author: number; readonly status: PostStatus };
const created = (patch: Partial<NewEvent> = {}, slug = 'jazz') =>
  createEvent(7, { title: 'Jazz', times: TIMES, author: 3, status: 'publish', ...patch }, context(slug));
const history = (patch: Partial<NewEvent> = {}, slug = 'jazz') => factsOf(created(patch, slug));
const givenEvent = (patch: Partial<NewEvent> = {}, slug = 'jazz') => given(evolveEvent, history(patch, slug));

const changed =
  (patch: EventPatch, slug = 'jazz', now = NOW) =>
  (event: CalendarEvent) =>
    changeEvent(event, patch, context(slug, now));

const trash = (event: CalendarEvent) =>
  accepted(postFacts('Event', event, {}, { status: 'trash', slug: `${event.slug}__trashed`, now: NOW }));

/** Every status as it comes to be; planned ones are a day ahead, the trashed one was published. */
const IN_STATUS: { readonly [S in PostStatus]: readonly EventFact[] } = {
  publish: history(),
  future: history({ status: 'future', date: NOW + DAY }),
  draft: history({ status: 'draft' }),
  pending: history({ status: 'pending' }),
  private: history({ status: 'private' }),
  trash: [...history(), ...factsOf(trash(givenEvent().state))],
};

test('a new event is drafted, then brought into its status', () => {
  whenDecided(evolveEvent, null, created({ status: 'draft' }), NOW).thenTypes('EventDrafted');
  whenDecided(evolveEvent, null, created(), NOW).thenTypes('EventDrafted', 'EventPublished');
  whenDecided(evolveEvent, null, created({ status: 'pending' }), NOW).thenTypes(
    'EventDrafted',
    'EventSubmittedForReview',
  );
  whenDecided(evolveEvent, null, created({ status: 'private' }), NOW).thenTypes('EventDrafted', 'EventMadePrivate');
  whenDecided(evolveEvent, null, created({ status: 'trash' }), NOW).thenTypes('EventDrafted', 'EventTrashed');
  const ahead = created({ status: 'future', date: NOW + DAY });
  whenDecided(evolveEvent, null, ahead, NOW).thenTypes('EventDrafted', 'EventPublicationScheduled');
});

test('a new event has the given fields, and no others are set', () => {
  assert.equal(givenEvent().state, {
    id: 7,
    title: 'Jazz',
    description: '',
    excerpt: '',
    image: null,
    cost: null,
    website: null,
    showMap: false,
    showMapLink: false,
    hidden: false,
    sticky: false,
    featured: false,
    ticketed: false,
    categories: [],
    tags: [],
    venues: [],
    organizers: [],
    parent: null,
    accessible: false,
    accessibility: '',
    ageRange: '',
    languages: '',
    registrationUrl: '',
    author: 3,
    slug: 'jazz',
    status: 'publish',
    date: NOW,
    dateFloats: false,
    created: NOW,
    modified: NOW,
    before: null,
    passwordHash: null,
    schedule: {
      timezone: 'America/New_York',
      allDay: false,
      ...TIMES,
      startsAt: Date.parse('2027-03-02T01:00:00Z') / 1000,
      endsAt: Date.parse('2027-03-02T04:00:00Z') / 1000,
      given: { start: 'wall_clock', end: 'wall_clock' },
    },
  });
});

test('an event with invalid times is refused', () => {
  const refused = (times: object, parameter: string) =>
    whenDecided(evolveEvent, null, created({ times }), NOW).thenRejected({ code: 'invalid_parameter', parameter });
  refused({ ...TIMES, start: 'soonish' }, 'start_date');
  refused({ ...TIMES, end: '2027-13-01' }, 'end_date');
  refused({ ...TIMES, timezone: 'Nowhere/Land' }, 'timezone');
  const parameter = 'end_date';
  givenEvent()
    .when(changed({ times: { end: 'x' } }))
    .thenRejected({ code: 'invalid_parameter', parameter });
});

test('the date of drafts and pending events floats until it is fixed', () => {
  for (const status of POST_STATUSES) {
    const floats = status === 'draft' || status === 'pending';
    assert.is(givenEvent({ status }).state.dateFloats, floats, status);
    assert.is(givenEvent({ status, date: NOW - DAY }).state.dateFloats, false, status);
  }
});

test('a draft is published at the instant at which it is, or at the date it was given', () => {
  const later = NOW + 3 * DAY;
  const floating = givenEvent({ status: 'draft' }).when(changed({ status: 'publish' }, 'jazz', later), later);
  floating.thenFacts({ type: 'EventPublished', data: { date: later } });
  assert.equal([floating.state().date, floating.state().dateFloats], [later, false]);
  const dated = givenEvent({ status: 'draft', date: NOW - DAY }).when(
    changed({ status: 'publish' }, 'jazz', later),
    later,
  );
  dated.thenFacts({ type: 'EventPublished', data: { date: NOW - DAY } });
});

test('a floating date moves along with every change of the draft', () => {
  const after = givenEvent({ status: 'draft' })
    .when(changed({ title: 'Blues' }), NOW + HOUR)
    .state();
  assert.equal([after.date, after.modified, after.dateFloats], [NOW + HOUR, NOW + HOUR, true]);
});

test('an event returned to draft keeps the date at which it was published', () => {
  const after = givenEvent()
    .when(changed({ status: 'draft' }), NOW + HOUR)
    .state();
  assert.equal([after.date, after.dateFloats], [NOW, false]);
});

const ENTERING: { readonly [S in PostStatus]: EventFact['type'] } = {
  publish: 'EventPublished',
  future: 'EventPublished',
  draft: 'EventReturnedToDraft',
  pending: 'EventSubmittedForReview',
  private: 'EventMadePrivate',
  trash: 'EventTrashed',
};

/** What happens when no date is sent: published events have no date ahead, planned ones go public at once. */
function transition(from: PostStatus, to: PostStatus): EventFact['type'] | null {
  if (from === to || (from === 'publish' && to === 'future')) return null;
  return from === 'trash' ? 'EventRestored' : ENTERING[to];
}

for (const from of POST_STATUSES)
  for (const to of POST_STATUSES) {
    const type = transition(from, to);
    test(`from ${from} to ${to} without a date: ${type ?? 'nothing happens'}`, () => {
      const before = given(evolveEvent, IN_STATUS[from]);
      const outcome = before.when(changed({ status: to }, before.state.slug), NOW + HOUR);
      if (type === null) return outcome.thenNothing();
      outcome.thenTypes(type);
      assert.is(outcome.state().status, to === 'future' ? 'publish' : to);
    });
    test(`from ${from} to ${to} with a date ahead`, () => {
      const before = given(evolveEvent, IN_STATUS[from]);
      const date = NOW + 2 * DAY;
      const after = before.when(changed({ status: to, date }, before.state.slug)).state();
      assert.equal([after.status, after.date], [to === 'publish' ? 'future' : to, date]);
      assert.not(after.dateFloats);
    });
  }

test('a planned event that gets a past date is published', () => {
  given(evolveEvent, IN_STATUS.future)
    .when(changed({ date: NOW - HOUR }))
    .thenFacts(
      { type: 'EventDated', data: { date: NOW - HOUR } },
      { type: 'EventPublished', data: { date: NOW - HOUR } },
    );
});

test('an event in the trash that is changed stays there', () => {
  const gone = given(evolveEvent, IN_STATUS.trash);
  const outcome = gone.when(changed({ title: 'Blues', date: NOW + DAY }, 'jazz__trashed'));
  outcome.thenTypes('EventRetitled', 'EventDated');
  assert.is(outcome.state().status, 'trash');
});

test('an event comes back with the slug it is granted', () => {
  const gone = given(evolveEvent, IN_STATUS.trash);
  assert.equal(gone.state.before, { status: 'publish', slug: 'jazz' });
  const back = gone.when(changed({ status: 'publish' }, 'jazz-2'));
  back.thenFacts({ type: 'EventRestored', data: { status: 'publish', slug: 'jazz-2', date: NOW } });
  assert.equal([back.state().slug, back.state().before], ['jazz-2', null]);
});

const IMAGE = { id: 90, url: 'https://pictures.example/a.jpg', width: null, height: null };
const COST: CalendarEvent['cost'] = { entries: ['$20'], symbol: '$', position: 'prefix' };
const CHANGES: readonly (readonly [EventPatch, EventFact])[] = [
  [{ title: 'Blues' }, { type: 'EventRetitled', data: { title: 'Blues' } }],
  [{ description: 'All night' }, { type: 'EventDescribed', data: { description: 'All night', excerpt: 'E' } }],
  [{ excerpt: 'Night' }, { type: 'EventDescribed', data: { description: 'D', excerpt: 'Night' } }],
  [{ cost: COST }, { type: 'EventPriced', data: { cost: COST } }],
  [{ website: '' }, { type: 'EventWebsiteChanged', data: { website: '' } }],
  [{ image: IMAGE }, { type: 'EventImageChanged', data: { image: IMAGE } }],
  [{ showMap: true }, { type: 'EventMapDisplayChanged', data: { showMap: true, showMapLink: false } }],
  [{ showMapLink: true }, { type: 'EventMapDisplayChanged', data: { showMap: false, showMapLink: true } }],
  [{ hidden: true }, { type: 'EventHiddenFromListings', data: {} }],
  [{ sticky: true }, { type: 'EventMadeSticky', data: {} }],
  [{ featured: true }, { type: 'EventFeatured', data: {} }],
  [{ ticketed: true }, { type: 'EventTicketed', data: {} }],
  [{ accessible: true }, { type: 'EventMadeAccessible', data: {} }],
  [
    { ageRange: '6-12' },
    { type: 'EventAudienceChanged', data: { accessibility: '', ageRange: '6-12', languages: '' } },
  ],
  [
    { registrationUrl: 'https://a.example/' },
    { type: 'EventRegistrationChanged', data: { registrationUrl: 'https://a.example/' } },
  ],
  [{ extensions: { is_virtual: true } }, { type: 'EventExtended', data: { extensions: { is_virtual: true } } }],
  [{ categories: [5, 4] }, { type: 'EventCategorized', data: { categories: [5, 4] } }],
  [{ tags: [6] }, { type: 'EventTagged', data: { tags: [6] } }],
  [{ venues: [{ id: 8, life: 0 }] }, { type: 'EventMoved', data: { venues: [{ id: 8, life: 0 }] } }],
  [
    { organizers: [{ id: 9, life: 1 }] },
    { type: 'EventOrganizersChanged', data: { organizers: [{ id: 9, life: 1 }] } },
  ],
  [{ parent: 12 }, { type: 'EventPlacedUnder', data: { parent: 12 } }],
  [{ author: 9 }, { type: 'EventReassigned', data: { author: 9 } }],
  [{ passwordHash: 'salt' }, { type: 'EventPasswordSet', data: { hash: 'salt' } }],
];

for (const [patch, fact] of CHANGES)
  test(`${JSON.stringify(patch)} is one fact, shows, and is none the second time`, () => {
    const outcome = givenEvent({ description: 'D', excerpt: 'E' }).when(changed(patch), NOW + HOUR);
    outcome.thenFacts(fact);
    const after = outcome.state();
    assert.equal({ ...after, ...patch }, after);
    assert.is(after.modified, NOW + HOUR);
    whenDecided(evolveEvent, after, changed(patch)(after), NOW).thenNothing();
  });

test('flags can be unset', () => {
  const flags = { hidden: true, sticky: true, featured: true, ticketed: true, accessible: true };
  const off = { hidden: false, sticky: false, featured: false, ticketed: false, accessible: false };
  const outcome = givenEvent(flags).when(changed(off));
  const [hidden, ...others] = ['EventShownInListings', 'EventUnstuck', 'EventUnfeatured', 'EventUnticketed'] as const;
  outcome.thenTypes(hidden, ...others, 'EventMadeInaccessible');
  assert.equal({ ...outcome.state(), ...off }, outcome.state());
});

test('a relocation in time is one fact with the whole schedule', () => {
  const outcome = givenEvent().when(changed({ times: { timezone: 'Europe/Paris' } }));
  outcome.thenTypes('EventRescheduled');
  assert.is(outcome.state().schedule.startsAt, Date.parse('2027-03-01T19:00:00Z') / 1000);
  givenEvent()
    .when(changed({ times: { ...TIMES, allDay: false } }))
    .thenNothing();
});

for (const type of ['EventExploded', 'VenueRenamed', 'VenuePublished', 'Published'])
  test(`a fact of type ${type} cannot be folded onto an event`, () =>
    assert.throws(
      () => evolveEvent(givenEvent().state, { type, data: {} } as unknown as EventFact, NOW),
      (error: unknown) => error instanceof UnexpectedFact && error.message.includes(type),
    ));

test('nothing can be folded before the event is drafted', () => {
  const facts: readonly EventFact[] = [{ type: 'EventPublished', data: { date: NOW } }];
  assert.throws(
    () => evolveAll(evolveEvent, null, facts, NOW),
    (error: unknown) => error instanceof UnexpectedFact,
  );
});

const anyIds = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 3 });
const anyLinks = anyIds.map((ids) => ids.map((id) => ({ id, life: id % 2 })));
const anyPatch: fc.Arbitrary<EventPatch> = fc.record(
  {
    title: fc.string(),
    description: fc.constantFrom('', 'a', 'b'),
    excerpt: fc.constantFrom('', 'a', 'b'),
    image: fc.constantFrom(null, IMAGE, { ...IMAGE, id: 91 }),
    website: fc.constantFrom(null, '', 'https://jazz.example'),
    showMap: fc.boolean(),
    hidden: fc.boolean(),
    featured: fc.boolean(),
    categories: anyIds,
    venues: anyLinks,
    organizers: anyLinks,
    parent: fc.option(fc.integer({ min: 1, max: 9 })),
    author: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom(...POST_STATUSES),
    date: fc.integer({ min: NOW - DAY, max: NOW + DAY }),
    passwordHash: fc.constantFrom(null, 'salt', 'pepper'),
    times: fc.record(
      {
        start: fc.constantFrom('2027-03-01 20:00', 1_800_000_000, '2027-11-07T05:30:00Z', '2027-03-14 02:30'),
        end: fc.constantFrom('2027-03-01 23:00', '2027-11-07T06:30:00Z', 1_700_000_000),
        timezone: fc.constantFrom('', 'Europe/Paris', 'UTC+5.5'),
        allDay: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

/** Facts of a patch when every slug is free. */
function decided(event: CalendarEvent, patch: EventPatch): readonly EventFact[] {
  const status = statusAfter(event, patch, NOW);
  const slug = wantedSlug(event, status, undefined, 'from-the-title') || '';
  return factsOf(changeEvent(event, patch, context(slug)));
}

test('whatever is asked for shows afterwards, and asking twice yields no fact the second time', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...POST_STATUSES),
      fc.array(anyPatch, { maxLength: 3 }),
      anyPatch,
      (from, before, patch) => {
        let event = given(evolveEvent, IN_STATUS[from]).state;
        for (const earlier of before)
          event = evolveAll(evolveEvent, event, decided(event, earlier), NOW + HOUR) ?? event;
        const after = evolveAll(evolveEvent, event, decided(event, patch), NOW + HOUR) ?? event;
        const { times, status, ...asked } = patch;
        assert.equal({ ...after, ...asked }, after);
        assert.is(after.status, statusAfter(event, patch, NOW));
        // Who asks again to publish what is scheduled does not want to wait for it.
        if (after.status === 'future' && status === 'publish' && patch.date === undefined) return;
        assert.equal(decided(after, patch), []);
      },
    ),
    { numRuns: 500 },
  );
});

test('folding facts one by one, through JSON between any two, is folding them all', () => {
  fc.assert(
    fc.property(fc.constantFrom(...POST_STATUSES), fc.array(anyPatch, { maxLength: 4 }), (from, patches) => {
      const facts: EventFact[] = [...IN_STATUS[from]];
      for (const patch of patches) facts.push(...decided(given(evolveEvent, facts).state, patch));
      let event: CalendarEvent | null = null;
      for (const fact of facts) {
        const stored = JSON.parse(JSON.stringify(fact)) as EventFact;
        event = evolveEvent(event && (JSON.parse(JSON.stringify(event)) as CalendarEvent), stored, NOW);
      }
      assert.equal(event, evolveAll(evolveEvent, null, facts, NOW));
    }),
    { numRuns: 200 },
  );
});

test.run();
