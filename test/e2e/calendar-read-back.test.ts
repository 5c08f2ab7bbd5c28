// Our own calendar and table read by another Daybook give the same events, also what other programs have no place for.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeEntities } from '../../src/kernel/text/plain-text.ts';
import { type Body, someEvent, startTestService } from '../support/service.ts';

const test = suite('our own calendars and tables read back');

const there = await startTestService();
const here = await startTestService();
test.after(async () => {
  await Promise.all([there.close(), here.close()]);
});

const RICH = {
  title: 'Jazz & Wine',
  start_date: '2027-06-18 19:30:00',
  end_date: '2027-06-18 22:00:00',
  description:
    '<p>Doors at <strong>19:30</strong>, <a href="https://hall.example/">tickets</a> &amp; friends; "all", of you</p>',
  excerpt: 'A short <em>word</em>',
  cost: '12',
  website: 'https://jazz.example/tour?x=1&y=2',
  age_range: '6-99',
  languages: 'de,en',
  accessible: true,
  accessibility: 'Lift, ramp; quiet room',
  registration_url: 'https://tickets.example/jazz',
  featured: true,
  categories: ['Music, live', 'Wine'],
  tags: ['late', 'Music; loud'],
  venue: [
    {
      venue: 'Hall, old; part B',
      address: '1 Mill Lane',
      city: 'Leeds',
      zip: 'LS1 1AA',
      country: 'United Kingdom',
      phone: '+44 113 1',
      website: 'https://hall.example/',
    },
    { venue: 'Garden' },
  ],
  organizer: [
    { organizer: 'Guild', email: 'guild@hall.example' },
    { organizer: 'Ann, B.', email: 'ann@hall.example', phone: '+44 113 2', website: 'https://guild.example/' },
  ],
};
const EVENTS: readonly object[] = [
  RICH,
  { title: 'Plain', description: 'One line\n\nand another', tags: ['late'], categories: ['Wine'] },
  { title: 'Excerpt alone', description: '', excerpt: 'A short word' },
  { title: 'Online', is_virtual: true, virtual_url: 'https://meet.example/a', venue: { venue: 'Studio, 2nd floor' } },
];

const names = (list: readonly Body[], member = 'name'): string[] => list.map((one) => one[member]).sort();
const placesOf = ({ venue }: Body): Body[] => [venue].flat().filter((one) => 'venue' in one);

/** What readers are told of an event. */
const told = (event: Body): object => ({
  ...Object.fromEntries(
    ['title', 'description', 'excerpt', 'cost', 'website', 'age_range', 'languages', 'accessible', 'accessibility']
      .concat([
        'registration_url',
        'featured',
        'start_date',
        'end_date',
        'timezone',
        'all_day',
        'is_virtual',
        'virtual_url',
      ])
      .map((name) => [name, typeof event[name] === 'string' ? decodeEntities(event[name]) : event[name]]),
  ),
  categories: names(event.categories),
  tags: names(event.tags),
  venues: placesOf(event).map(({ venue, address, city, zip, country, phone, website }) => ({
    ...{ venue, address, city, zip, country, phone, website },
  })),
  organizers: event.organizer.map(({ organizer, email, phone, website }: Body) => ({
    ...{ organizer, email, phone, website },
  })),
});

async function imported(text: string, name = 'a.ics'): Promise<Body> {
  const begun = await here.request('editor', 'POST', '/imports', { file: text, name });
  assert.is(begun.status, 201, begun.text);
  for (;;) {
    const { body } = await here.get(`/imports/${begun.body.id}`, 'editor');
    if (body.ended !== null) return body;
    await sleep(20);
  }
}

const FILES: { readonly [name: string]: (id: number) => string } = {
  'a.ics': (id) => `/events/${id}.ics`,
  'a.csv': (id) => `/events.csv?include=${id}&status=any`,
};

for (const [name, address] of Object.entries(FILES))
  for (const event of EVENTS)
    test(`${(event as { title: string }).title} in ${name}`, async () => {
      const title = `${(event as { title: string }).title} ${name.slice(2)}`;
      // Places and people of each file are new there: those that are known stay as they are.
      const own = JSON.stringify(event).replace(/"(venue|organizer)":"/g, `$&${name.slice(2)} `);
      const made = await there.created('administrator', 'events', someEvent({ ...JSON.parse(own), title }));
      const file = await there.get(address(made.id), 'administrator');
      const { counts, rows } = await imported(file.text, name);
      assert.is(counts.events.created, 1, file.text);
      const { body } = await here.get(`/events/by-slug/${made.slug}`, 'administrator');
      const page = made.website === '' || made.website === made.url ? { website: body.website } : {};
      assert.equal(told(body), { ...told(made), ...page }, file.text + JSON.stringify(rows));
    });

test('a page gives what it tells, and says what it does not', async () => {
  const [venue] = RICH.venue;
  const [, organizer] = RICH.organizer;
  const made = await there.created(
    'administrator',
    'events',
    someEvent({
      ...{ title: 'On a page', start_date: RICH.start_date, end_date: RICH.end_date, timezone: 'Europe/Vienna' },
      ...{ categories: RICH.categories, tags: RICH.tags, organizer, venue: { ...venue, venue: 'Hall' } },
      ...{ description: `<p>${'Many words. '.repeat(40)}</p>`, recurrence: { rrule: ['FREQ=WEEKLY;COUNT=2'] } },
    }),
  );
  const page = await there.get(`///event/${made.slug}`);
  const { notes } = await imported(page.text, 'a.html');
  const { body } = await here.get('/events?search=page&start_date=2027-01-01&per_page=50', 'administrator');
  const back = body.events.find(({ title }: Body) => title === 'On a page');
  const { description, website } = back;
  assert.equal(told(back), told({ ...made, description, website }), page.text);
  const reasons = notes.map(({ reason }: Body) => reason).join('\n');
  assert.match(reasons, /taken as single events: /);
  assert.match(reasons, /the beginning of its description/);
});

test('a table tells nothing of the contacts of those who are not public', async () => {
  const make = (kind: string, members: object) => there.created('administrator', kind, members);
  const contact = { email: 'secret@calendar.example', phone: '0123' };
  const hidden = await make('organizers', { organizer: 'Hidden', status: 'private', ...contact });
  const known = await make('organizers', { organizer: 'Known', status: 'publish', email: 'known@calendar.example' });
  const place = await make('venues', { venue: 'Secret place', status: 'draft', phone: '0456' });
  const members = someEvent({ title: 'Reading', organizer: [hidden.id, known.id], venue: place.id });
  const { id } = await make('events', members);
  const { text } = await there.get(`/events.csv?include=${id}&status=any`, 'administrator');
  assert.match(text, /known@calendar\.example/);
  assert.not.match(text, /secret@calendar|0123|0456/);
});

const KEPT_BACK: readonly (readonly [members: object, status: string])[] = [
  [{ status: 'private' }, 'private'],
  [{ status: 'draft' }, 'draft'],
  [{ status: 'pending' }, 'pending'],
  [{ status: 'publish', date_utc: '2099-05-01 10:00:00' }, 'future'],
  [{ status: 'publish' }, 'publish'],
];

const READ_BACK: readonly (readonly [form: string, file: string, address: (id: number) => string])[] = [
  ['table', 'b.csv', (id) => `/events.csv?include=${id}`],
  ['calendar', 'b.ics', (id) => `/events/${id}.ics`],
];
/** A calendar does not say when something becomes public. */
const isDated = (form: string, status: string): boolean => form === 'calendar' && status === 'future';

for (const [members, was] of KEPT_BACK)
  for (const [form, file, address] of READ_BACK)
    test(`a venue and an organizer of ${JSON.stringify(members)} are no more public where the ${form} is read`, async () => {
      const status = isDated(form, was) ? 'draft' : was;
      const name = `Kept as ${was} in a ${form}`;
      const make = (kind: string, own: object) => there.created('administrator', kind, { ...own, ...members });
      const venue = await make('venues', { venue: `${name} place`, address: '1 Mill Lane' });
      const other = await there.created('administrator', 'venues', { venue: `${name} second`, status: 'publish' });
      const organizer = await make('organizers', { organizer: `${name} person` });
      const links = { venue: [venue.id, other.id], organizer: organizer.id };
      const { id } = await there.created('administrator', 'events', someEvent({ title: name, ...links }));
      if (form === 'table') {
        const strangers = ['anonymous', 'subscriber', 'contributor', 'author'] as const;
        const refusals = await Promise.all(strangers.map(async (one) => (await there.get(address(id), one)).status));
        assert.equal(refusals, [401, 403, 403, 403]);
      }
      await imported((await there.get(address(id), 'administrator')).text, file);
      const { body } = await here.get(`/events?search=${encodeURIComponent(name)}&per_page=1`, 'administrator');
      const [event] = body.events;
      assert.equal(
        placesOf(event).map((one) => [decodeEntities(one.venue).replace(name, ''), one.status]),
        [
          [' place', status],
          [' second', 'publish'],
        ],
      );
      assert.equal(
        event.organizer.map((one: Body) => one.status),
        [status],
      );
      const [places, people] = [
        await here.get(`/venues/${event.venue[0].id}`),
        await here.get(`/organizers/${event.organizer[0].id}`),
      ];
      const isOpen = status === 'publish';
      assert.equal([places.status === 200, people.status === 200], [isOpen, isOpen]);
      const visitor = await here.get(`/events/${event.id}`);
      assert.is(visitor.text.includes('1 Mill Lane') || / (?:place|person)"/.test(visitor.text), isOpen, visitor.text);
    });

test('what is hidden stays so where its name is read in another way than it was written', async () => {
  const ofKind = { venue: 'Far hall ', organizer: 'Far person, +49 30 123456' };
  for (const [at, [form, file, address]] of READ_BACK.entries()) {
    const title = `Far away ${at}`;
    const names = [`${ofKind.venue.trim()} ${at} `, `${ofKind.organizer}${at}`];
    const venue = await there.created('administrator', 'venues', { venue: names[0], status: 'private' });
    const organizer = await there.created('administrator', 'organizers', { organizer: names[1], status: 'private' });
    const long = await there.created('administrator', 'venues', {
      venue: `${at}${'x'.repeat(220)}`,
      status: 'private',
    });
    const links = { venue: form === 'table' ? venue.id : long.id, organizer: organizer.id };
    const { id } = await there.created('administrator', 'events', someEvent({ title, ...links }));
    await imported((await there.get(address(id), 'administrator')).text, file);
    const { body } = await here.get(`/events?search=${encodeURIComponent(title)}&per_page=1`, 'administrator');
    const [event] = body.events;
    assert.equal(
      [...placesOf(event), ...event.organizer].map((one: Body) => one.status),
      ['private', 'private'],
      form,
    );
  }
});

test('an event that is scheduled is published where its table is read when it was to be', async () => {
  const date = '2099-05-01 10:00:00';
  const made = await there.created('administrator', 'events', someEvent({ title: 'Embargo', date_utc: date }));
  assert.is(made.status, 'future');
  const { text } = await there.get(`/events.csv?include=${made.id}&status=any`, 'administrator');
  await imported(text, 'b.csv');
  const back = (await here.get(`/events/by-slug/${made.slug}`, 'administrator')).body;
  assert.equal([back.status, back.date_utc], ['future', date]);
});

test('a table says what it lacks of a date of a series and of a protected event', async () => {
  const series = await there.created(
    'administrator',
    'events',
    someEvent({ title: 'Choir', recurrence: { rrule: ['FREQ=WEEKLY;COUNT=2'] } }),
  );
  const closed = await there.created('administrator', 'events', someEvent({ title: 'Closed', password: 'sesame' }));
  const { text } = await there.get(`/events.csv?include=${series.id},${closed.id}&status=any`, 'administrator');
  const { notes } = await imported(text, 'b.csv');
  const reasons = notes.map(({ name, reason }: Body) => `${name}: ${reason}`).join('\n');
  assert.match(reasons, /Choir: taken as single events: it is not told by which rules/);
  assert.match(reasons, /Closed: its password is not in the export/);
});

test('what cannot be read of it costs itself', async () => {
  const text = (await there.get('/events.ics')).text.replace(/X-DAYBOOK-EVENT:/g, 'X-DAYBOOK-EVENT:{');
  const { counts, rows } = await imported(text);
  assert.is(counts.events.refused, 0, JSON.stringify(rows));
});

test.run();
