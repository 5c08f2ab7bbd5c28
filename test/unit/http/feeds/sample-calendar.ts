// A calendar with an event of every sort, for tests of feeds.
import { type Body, someEvent, startTestService, type TestService } from '../../../support/service.ts';

export const SECRET = 'open sesame';

export interface SampleCalendar {
  readonly daybook: TestService;
  /** By the title that an event was created with; `venue` and `organizer` besides. */
  readonly ids: { [name: string]: number };
  /** Adds a published event. */
  create(name: string, members: object): Promise<Body>;
}

export async function startSampleCalendar(): Promise<SampleCalendar> {
  const daybook = await startTestService({ environment: { DAYBOOK_TIMEZONE: 'America/New_York' } });
  const ids: { [name: string]: number } = {};

  async function create(name: string, members: object): Promise<Body> {
    const event = await daybook.created('editor', 'events', someEvent({ title: name, ...members }));
    ids[name] = event.id;
    return event;
  }

  const venue = await daybook.created('editor', 'venues', {
    venue: 'North "Hall" & Garden',
    address: '1 Mill Lane; rear',
    city: 'Leeds',
    zip: 'LS1 1AA',
    country: 'United Kingdom',
    geo_lat: 53.8,
    geo_lng: -1.55,
  });
  const { id: organizer } = await daybook.created('editor', 'organizers', { organizer: 'Guild', email: 'g@a.example' });
  const { id: host } = await daybook.created('editor', 'organizers', { organizer: 'Host', phone: '0113' });
  Object.assign(ids, { venue: venue.id, organizer });
  await create('Berlin', {
    start_date: '2027-03-01 20:00:00',
    end_date: '2027-03-01 23:00:00',
    timezone: 'Europe/Berlin',
    description: 'First set at eight.\n\nSecond; "later", in <b>the</b> hall\\garden 😀',
    venue: venue.id,
    organizer: [organizer, host],
    categories: ['Music, live', 'Jazz'],
    tags: ['late'],
    image: 'https://pics.example/a.png',
  });
  await create('Whole days', { start_date: '2027-01-30', end_date: '2027-02-02', all_day: true });
  await create('New York', { start_date: '2026-12-24 18:00:00', end_date: '2026-12-25 01:00:00' });
  await create('Kolkata', {
    start_date: '2027-06-01 10:00:00',
    end_date: '2027-06-01 11:00:00',
    timezone: 'Asia/Kolkata',
  });
  await create('Casablanca', {
    start_date: '2027-02-20 10:00:00',
    end_date: '2027-02-20 11:00:00',
    timezone: 'Africa/Casablanca',
  });
  await create('Offset', { start_date: '2027-07-01 10:00:00', end_date: '2027-07-01 10:00:00', timezone: 'UTC+5:30' });
  await create('Plain UTC', { start_date: '2027-07-02 10:00:00', end_date: '2027-07-02 11:00:00', timezone: 'UTC' });
  await create('Twice', {
    start_date: Date.UTC(2027, 9, 31, 1, 30) / 1000,
    end_date: Date.UTC(2027, 9, 31, 3) / 1000,
    timezone: 'Europe/Berlin',
  });
  await create("R&B ]]> <em>'n'</em> <script>alert(1)</script>", {
    start_date: '2027-08-01 10:00:00',
    end_date: '2027-08-01 11:00:00',
    description: '<script>alert("]]>")</script>x ]]> y',
    venue: venue.id,
  });
  await create('Under a password', {
    start_date: '2027-09-01 00:00:00',
    end_date: '2027-09-02 23:59:59',
    all_day: true,
    description: 'Only for friends.',
    venue: venue.id,
    organizer,
    categories: ['Secret'],
    image: 'https://pics.example/secret.png',
    password: SECRET,
  });
  await create('Hidden', { hide_from_listings: true });
  await create('Draft', { status: 'draft' });
  await create('Private', { status: 'private' });
  await create('Trashed', {});
  await daybook.request('editor', 'DELETE', `/events/${ids.Trashed}`);
  return { daybook, ids, create };
}
