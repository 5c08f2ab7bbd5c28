// A calendar with all sorts of resources, whose every answer is checked against the document.
import { startDocumentedService } from './documented.ts';
import { type As, type Body, someEvent } from './service.ts';

const HOUR = 3_600;

const EVERY_FIELD = {
  description: 'First line\n\nSecond line',
  excerpt: 'Short',
  timezone: 'America/New_York',
  cost: ['$5', '$10'],
  image: 'https://pictures.example/stage.jpg',
  website: 'https://jazz.example/?a=1&b=2',
  show_map: true,
  sticky: true,
  featured: true,
  ticketed: true,
  accessible: true,
  accessibility: 'Lift',
  age_range: '6–12',
  languages: 'DE, en-gb',
  registration_url: 'https://jazz.example/?seats',
  categories: ['Music', 'Jazz'],
  tags: 'late,loud',
};
const VENUE = {
  venue: 'North Hall',
  description: 'Large',
  address: '1 Mill Lane',
  city: 'Leeds',
  country: 'United Kingdom',
  province: 'Yorkshire',
  state: 'x',
  zip: 'LS1',
  phone: '1',
  website: 'https://hall.example',
  image: 'https://pictures.example/hall.png',
  geo_lat: 53.8,
  geo_lng: -1.5,
};
const ORGANIZER = {
  organizer: 'Anna',
  description: 'Plays',
  phone: '2',
  email: 'anna@example.org',
  website: 'https://anna.example',
  image: 'https://pictures.example/anna.gif',
};

/** Where webhooks of tests may lead to: nothing listens there. */
export const RECEIVER = '127.0.0.1:9';

/** Resources are named after what is special about them. `made` creates something, as an editor unless said otherwise. */
export async function openDocumentedCalendar() {
  const daybook = await startDocumentedService({
    environment: { DAYBOOK_MAX_UPLOAD: '1', DAYBOOK_PRIVATE_HOSTS: RECEIVER },
  });
  const made = async (collection: string, body: object, as: As = 'editor'): Promise<Body> =>
    daybook.created(as, collection, body);

  const venue = await made('venues', VENUE);
  const secretVenue = await made('venues', { venue: 'Back room', status: 'private' });
  const organizer = await made('organizers', ORGANIZER);
  const parentCategory = await made('categories', { name: 'Arts & crafts', description: 'All of them' });
  const category = await made('categories', { name: 'Pottery', parent: parentCategory.id });
  const tag = await made('tags', { name: 'free entry' });
  daybook.clock.at += HOUR;
  const events = {
    whole: await made('events', someEvent({ ...EVERY_FIELD, venue: venue.id, organizer: [organizer.id] })),
    plain: await made('events', someEvent({ title: 'Plain' })),
    allDay: await made('events', someEvent({ title: 'All day', all_day: true, cost: 'Donation' })),
    severalVenues: await made('events', someEvent({ title: 'Everywhere', venue: [venue.id, { venue: 'South Hall' }] })),
    secretVenue: await made('events', someEvent({ title: 'Hidden place', venue: secretVenue.id })),
    draft: await made('events', someEvent({ title: 'Draft', status: 'draft' }), 'contributor'),
    locked: await made('events', someEvent({ ...EVERY_FIELD, title: 'Locked', password: 'sesame' })),
    trashed: await made('events', someEvent({ title: 'Trashed' })),
    hidden: await made('events', someEvent({ title: 'Not listed', hide_from_listings: true })),
  };
  await made('events', someEvent({ title: 'Part', post_parent: events.plain.id, organizer: { organizer: 'Ben' } }));
  await daybook.request('editor', 'DELETE', `/events/${events.trashed.id}`);
  daybook.clock.at += HOUR;
  return { daybook, made, venue, secretVenue, organizer, parentCategory, category, tag, events };
}
