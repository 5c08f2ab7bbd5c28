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
import { createOrganizer, evolveOrganizer } from '../../../src/calendar/linked-post/domain/organizer.ts';
import { createVenue, evolveVenue } from '../../../src/calendar/linked-post/domain/venue.ts';
import { type PostStatus, postFacts } from '../../../src/calendar/resource/domain/post.ts';
import { evolveTerm, type Term, type TermFact } from '../../../src/calendar/term/domain/term.ts';
import { accepted, evolveAll } from '../../../src/domain/decider.ts';
import { revertEvent, revertOrganizer, revertTerm, revertVenue } from '../../../src/editorial/reverts/domain/revert.ts';
import { DAY, factsOf, given, HOUR, NEW_YORK, NOW } from '../../support/given.ts';

const test = suite('revert');
const LATER = NOW + HOUR;
const TIMES = { start: '2027-03-01 20:00:00', end: '2027-03-01 23:00:00' };
const context = (slug: string, now = LATER) => ({ now, siteZone: NEW_YORK, slug });

const born = (patch: EventPatch & { readonly status?: PostStatus } = {}): readonly EventFact[] =>
  factsOf(
    createEvent(7, { title: 'Jazz', times: TIMES, author: 3, status: 'publish', ...patch }, context('jazz', NOW)),
  );

/** An event that was `before`, and then was changed by a patch an hour later. */
function changed(before: readonly EventFact[], patch: EventPatch, slug = 'jazz') {
  const { state: then } = given(evolveEvent, before);
  const facts = factsOf(changeEvent(then, patch, context(slug)));
  return { then, now: evolveAll(evolveEvent, then, facts, LATER) as CalendarEvent };
}

const back = (now: CalendarEvent, then: CalendarEvent, at = LATER + HOUR) => {
  const decision = revertEvent(now, then, 1, context(then.slug, at));
  const facts = factsOf(decision);
  return { types: facts.map(({ type }) => type), state: evolveAll(evolveEvent, now, facts, at) as CalendarEvent };
};

/** All but what follows from when it was recorded, and what it was called meanwhile. */
const look = ({
  modified: _modified,
  created: _created,
  before: _before,
  formerSlugs: _former,
  ...rest
}: CalendarEvent) => rest;

test('the facts for the differences follow the revision that they restore', () => {
  const { then, now } = changed(born(), { title: 'Blues', featured: true });
  const decision = revertEvent(now, then, 4, context('jazz'));
  assert.equal(
    decision,
    accepted([
      { type: 'EventReverted', data: { toRevision: 4 } },
      { type: 'EventRetitled', data: { title: 'Jazz' } },
      { type: 'EventUnfeatured', data: {} },
    ]),
  );
});

test('the present state is not reverted', () => {
  const { then } = changed(born(), {});
  assert.equal(back(then, then).types, []);
  const draft = given(evolveEvent, born({ status: 'draft' })).state;
  assert.equal(back(draft, draft).types, []);
});

test('a reverted event equals its former state, whatever was changed', () => {
  const image = { id: 8, url: 'https://a.example/a.jpg', width: null, height: null };
  const cost = { entries: ['5'], symbol: '', position: '' } as const;
  const patches: readonly EventPatch[] = [
    { description: 'd', excerpt: 'e' },
    { times: { start: '2027-04-01 20:00:00', timezone: 'Europe/Berlin' } },
    { times: { allDay: true } },
    { cost, website: '', image },
    { showMap: true, hidden: true, sticky: true, ticketed: true },
    {
      accessible: true,
      accessibility: 'Lift',
      ageRange: '6-12',
      languages: 'de',
      registrationUrl: 'https://a.example/',
    },
    { eventStatus: 'canceled', notice: 'Storm' },
    { notice: 'Doors at 7' },
    { times: { start: '2027-03-02 20:00:00' }, eventStatus: 'postponed' },
    { extensions: { is_virtual: true } },
    { categories: [1], tags: [2], venues: [{ id: 4, life: 0 }], organizers: [{ id: 5, life: 1 }], parent: 6 },
    { author: 9, passwordHash: 'hash' },
    { date: NOW - DAY },
    { status: 'draft' },
    { status: 'private' },
    { status: 'publish', date: NOW + 30 * DAY },
  ];
  for (const patch of patches) {
    const { then, now } = changed(born(), patch);
    const there = back(now, then);
    assert.is(there.types[0], 'EventReverted', JSON.stringify(patch));
    assert.equal(look(there.state), look(then), JSON.stringify(patch));
    assert.equal(look(back(there.state, now).state), look(now), `forth again: ${JSON.stringify(patch)}`);
  }
});

test('a schedule that was recorded under other zone rules comes back by its wall clock where it lies ahead', () => {
  const { then, now } = changed(born(), { times: { start: '2027-04-01 20:00:00' } });
  const odd = { ...then, schedule: { ...then.schedule, startsAt: then.schedule.startsAt + 1_800 } };
  assert.equal(back(now, odd).state.schedule, then.schedule);
});

test('a schedule that lies in the past comes back to the second', () => {
  const { then, now } = changed(born(), { times: { start: '2027-04-01 20:00:00' } });
  const odd = { ...then, schedule: { ...then.schedule, startsAt: then.schedule.startsAt + 1_800 } };
  assert.equal(back(now, odd, then.schedule.endsAt).state.schedule, odd.schedule);
});

test('a schedule under newer zone rules is not reverted to older ones', () => {
  const { then } = changed(born(), { title: 'Blues' });
  const newer = { ...then.schedule, startsAt: then.schedule.startsAt - HOUR, endsAt: then.schedule.endsAt - HOUR };
  const now = { ...then, schedule: newer, title: 'Blues' };
  assert.equal(back(now, then).types, ['EventReverted', 'EventRetitled']);
});

test('a date that was floating floats again', () => {
  const { then, now } = changed(born({ status: 'draft' }), { status: 'publish' });
  assert.ok(then.dateFloats);
  const reverted = back(now, then);
  assert.equal(reverted.types, ['EventReverted', 'EventReturnedToDraft', 'EventUndated']);
  assert.ok(reverted.state.dateFloats);
  assert.is(reverted.state.date, LATER + HOUR);
  const later = evolveAll(evolveEvent, reverted.state, [{ type: 'EventFeatured', data: {} }], LATER + DAY);
  assert.is(later?.date, LATER + DAY, 'it moves along');
});

test('a publication that was planned for a time that has passed takes place', () => {
  const { then, now } = changed(born({ status: 'future', date: LATER + DAY }), { status: 'draft' });
  assert.is(back(now, then, LATER + HOUR).state.status, 'future');
  assert.is(back(now, then, LATER + 2 * DAY).state.status, 'publish');
});

test('out of the trash and into it', () => {
  const { state: then } = given(evolveEvent, born());
  const trashed = postFacts('Event', then, {}, { status: 'trash', slug: 'jazz__trashed', now: LATER });
  const now = evolveAll<CalendarEvent, EventFact>(evolveEvent, then, trashed, LATER) as CalendarEvent;
  const restored = back(now, then);
  assert.equal(restored.types, ['EventReverted', 'EventRestored']);
  assert.equal(look(restored.state), look(then));
  assert.is(restored.state.before, null);
  const again = back(restored.state, now);
  assert.equal(
    [again.state.status, again.state.slug, again.state.before?.status],
    ['trash', 'jazz__trashed', 'publish'],
  );
});

test('the fact itself changes only the date of modification', () => {
  const { state } = given(evolveEvent, born());
  const reverted = evolveEvent(state, { type: 'EventReverted', data: { toRevision: 0 } }, LATER);
  assert.equal(reverted, { ...state, modified: LATER });
});

test('venues and organizers come back alike', () => {
  const post = { author: 3, status: 'draft' } as const;
  const at = { now: NOW, slug: 'hall' };
  const first = factsOf(createVenue(4, { name: 'Hall', country: 'Germany', province: 'NRW', ...post }, at));
  const second = factsOf(
    createVenue(4, { name: 'Barn', phone: '1', coordinates: { lat: 1, lng: 2 }, ...post, status: 'publish' }, at),
  );
  const [venue, other] = [given(evolveVenue, first).state, given(evolveVenue, second).state];
  const facts = factsOf(revertVenue(other, venue, 0, { now: LATER, slug: 'hall' }));
  assert.is(facts[0]?.type, 'VenueReverted');
  const formerSlugs = [{ slug: 'hall', status: 'publish', until: NOW }];
  assert.equal(evolveAll(evolveVenue, other, facts, NOW), { ...venue, modified: other.modified, formerSlugs });
  const choir = given(evolveOrganizer, factsOf(createOrganizer(5, { name: 'Choir', ...post }, at))).state;
  const band = given(evolveOrganizer, factsOf(createOrganizer(5, { name: 'Band', email: 'a@b.c', ...post }, at))).state;
  assert.equal(
    factsOf(revertOrganizer(band, choir, 0, at)).map(({ type }) => type),
    ['OrganizerReverted', 'OrganizerRenamed', 'OrganizerContactChanged'],
  );
});

const TERM: Term = { id: 9, name: 'Music', slug: 'music', description: '', parent: 0, deleted: false };

test('a deleted term is restored, a restored one deleted again', () => {
  const deleted: Term = { ...TERM, deleted: true };
  const restoring = factsOf(revertTerm('Category', deleted, { ...TERM, name: 'Song' }, 0));
  assert.equal(
    restoring.map(({ type }) => type),
    ['CategoryReverted', 'CategoryRestored', 'CategoryRenamed'],
  );
  assert.equal(evolveAll<Term, TermFact>(evolveTerm, deleted, restoring, NOW), { ...TERM, name: 'Song' });
  assert.equal(
    factsOf(revertTerm('Tag', TERM, deleted, 1)).map(({ type }) => type),
    ['TagReverted', 'TagDeleted'],
  );
  assert.equal(factsOf(revertTerm('Tag', deleted, deleted, 1)), []);
});

test.run();
