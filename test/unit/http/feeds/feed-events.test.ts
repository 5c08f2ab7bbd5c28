// From what the API answers to what feeds tell.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { feedEvent } from '../../../../src/exchange/feeds/feed-events.ts';
import { event } from '../../../support/documents.ts';

const DOCUMENT = event(7, { revision: 4, date: 30, state: { created: 10, modified: 20 } });

const BODY = {
  title: 'Jazz &#038; Wine',
  description: '<p>x</p>',
  excerpt: '',
  url: 'http://cal.example/event/jazz/',
  image: { url: 'https://a.example/b.png', id: 3, extension: 'png' },
  all_day: true,
  start_date: '2027-03-01 00:00:00',
  end_date: '2027-03-01 23:59:59',
  timezone: 'Europe/Berlin',
  categories: [{ name: 'R&amp;B', slug: 'r-b' }],
  tags: [{ name: 'late', slug: 'late' }],
  venue: { venue: 'Hall &#8220;A&#8221;', show_map: true, city: 'Leeds', geo_lat: 53.8, geo_lng: -1.55 },
  organizer: [{ organizer: 'Guild', email: 'g@a.example' }],
};

const told = (members: object = {}) => feedEvent(DOCUMENT, { text: JSON.stringify({ ...BODY, ...members }) });

test('instants and numbers come from the document, texts from the answer', () => {
  const { id, revision, created, modified, published, startsAt, endsAt, title, isAllDay } = told();
  assert.equal([id, revision, created, modified, published], [7, 4, 10, 20, 30]);
  assert.equal([startsAt, endsAt], [DOCUMENT.startsAt, DOCUMENT.endsAt]);
  assert.equal([title, isAllDay], ['Jazz &#038; Wine', true]);
});

test('names of others are plain text', () => {
  const { venues, terms, organizers } = told();
  assert.is(venues[0]?.name, 'Hall “A”');
  assert.equal(terms, [
    { name: 'R&B', slug: 'r-b' },
    { name: 'late', slug: 'late' },
  ]);
  assert.equal(organizers, [{ name: 'Guild', email: 'g@a.example', phone: '', website: '' }]);
});

test('there may be no venue, one, or several', () => {
  const names = (venue: unknown) => told({ venue }).venues.map(({ name }) => name);
  assert.equal(names([]), []);
  assert.equal(names(BODY.venue), ['Hall “A”']);
  assert.equal(
    names([
      { ...BODY.venue, venue: 'A' },
      { ...BODY.venue, venue: 'B' },
    ]),
    ['A', 'B'],
  );
});

test('a masked venue has no coordinates, rather than 0,0', () => {
  assert.equal(told().venues[0]?.coordinates, { lat: 53.8, lng: -1.55 });
  const masked = { ...BODY.venue, show_map: null, city: '', geo_lat: 0, geo_lng: 0 };
  assert.equal(told({ venue: masked }).venues[0]?.coordinates, null);
  assert.equal(told({ venue: { ...BODY.venue, geo_lat: 0, geo_lng: 0 } }).venues[0]?.coordinates, { lat: 0, lng: 0 });
});

test('an event without an image has none, and a masked one takes no whole days', () => {
  assert.equal(told().image, { url: 'https://a.example/b.png', extension: 'png' });
  const masked = told({ image: false, all_day: null });
  assert.equal([masked.image, masked.isAllDay], [null, false]);
});

test.run();
