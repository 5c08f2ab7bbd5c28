// Venues and organizers under a password: no request of the API can set one, so they are held against the document here.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrganizer, evolveOrganizer } from '../../../../src/calendar/linked-post/domain/organizer.ts';
import { createVenue, evolveVenue } from '../../../../src/calendar/linked-post/domain/venue.ts';
import { toWallClock } from '../../../../src/kernel/time/zone.ts';
import {
  maskedOrganizerFragment,
  maskedVenueFragment,
  organizerFragment,
  venueFragment,
} from '../../../../src/rendering/linked-post-fragment.ts';
import { fill } from '../../../../src/rendering/slots.ts';
import { openDocumentCheck } from '../../../support/documented.ts';
import { factsOf, given, NOW, zoneNamed } from '../../../support/given.ts';
import { type Body, startTestService } from '../../../support/service.ts';

const test = suite('masked resources and the document');
const daybook = await startTestService();
const check = openDocumentCheck((await daybook.get('/doc')).body);

const LINKS = {
  site: 'https://cal.example',
  root: 'https://cal.example/api',
  host: 'cal.example',
  jsonLdThenComma: '',
  siteTime: (instant: number) => toWallClock(instant, zoneNamed('UTC')),
};
const IMAGE = { id: 9, url: 'https://x.example/a.png', width: null, height: null };
const BORN = {
  author: 1,
  status: 'publish',
  image: IMAGE,
  description: 'Large',
  phone: '1',
  website: 'https://x.example',
} as const;

const venue = given(
  evolveVenue,
  factsOf(
    createVenue(
      5,
      { name: 'North Hall', ...BORN, city: 'Leeds', state: 'x', coordinates: { lat: 53.8, lng: -1.5 } },
      { now: NOW, slug: 'north-hall' },
    ),
  ),
).state;
const organizer = given(
  evolveOrganizer,
  factsOf(createOrganizer(6, { name: 'Ann', ...BORN, email: 'ann@example.org' }, { now: NOW, slug: 'ann' })),
).state;

const read = (fragment: string): Body => JSON.parse(fill(fragment, LINKS));
const headers = { 'content-type': 'application/json', etag: '"1"', 'x-request-id': 'a' };
const problems = (target: string, body: Body): string[] =>
  check.problems({ method: 'GET', target, status: 200, headers, body });

test('a masked venue and a masked organizer are as documented', () => {
  assert.equal(problems('/venues/5', read(maskedVenueFragment(venue))), []);
  assert.equal(problems('/organizers/6', read(maskedOrganizerFragment(organizer))), []);
});

test('a member that is not documented, one that is missing and one of another type are noticed', () => {
  const whole = read(venueFragment(venue));
  assert.equal(problems('/venues/5', whole), []);
  assert.equal(problems('/organizers/6', read(organizerFragment(organizer))), []);
  assert.is.not(problems('/venues/5', { ...whole, stars: 5 }).length, 0);
  assert.is.not(problems('/venues/5', { ...whole, id: '5' }).length, 0);
  assert.is.not(problems('/venues/5', { ...whole, venue: undefined }).length, 0);
  assert.is.not(problems('/venues/5', { ...whole, image: { ...whole.image, odd: 1 } }).length, 0);
  assert.is.not(problems('/venues/5', { ...whole, date: '2026-03-01' }).length, 0);
});

test('a header that is missing or not documented is noticed, and so is a status', () => {
  const body = read(venueFragment(venue));
  const ask = (changes: object, status = 200): string[] =>
    check.problems({ method: 'GET', target: '/venues/5', status, headers: { ...headers, ...changes }, body });
  assert.equal(ask({}), []);
  assert.match(ask({ etag: undefined }).join(), /etag is missing/);
  assert.match(ask({ 'x-odd': '1' }).join(), /x-odd is not documented/);
  assert.match(ask({}, 418).join(), /418 is not documented/);
});

test.after(() => daybook.close());
test.run();
