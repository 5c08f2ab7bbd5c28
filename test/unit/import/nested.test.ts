// Lists of events as other providers write them in JSON: members of members, read as rows of a table.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ForeignRecord } from '../../../src/exchange/import/fields.ts';
import { eventsIn } from '../../../src/exchange/import/formats/table/linked-data.ts';
import { rowOfNested } from '../../../src/exchange/import/formats/table/nested.ts';
import { readTable } from '../../../src/exchange/import/formats/table/records.ts';
import { contentsOf, kindOfRecord } from '../../../src/exchange/import/recognise.ts';
import { zoneNamed } from '../../support/given.ts';

const test = suite('JSON of providers');

const SOURCE = {
  ...{ file: 'a.json', topic: 'a', mapping: undefined, ownOrigin: null },
  ...{ now: Date.UTC(2027, 0, 1) / 1000, siteZone: zoneNamed('Europe/Berlin') },
};

interface Read {
  readonly times: string;
  readonly input: object;
  readonly venue: object | undefined;
  readonly organizer: string | undefined;
  readonly categories: readonly string[];
}

/** Events by their titles, and what was refused. */
function read(value: unknown): { readonly [title: string]: Read | string } {
  const rows = contentsOf(value).records.map((record) => rowOfNested(record as ForeignRecord));
  return Object.fromEntries(
    readTable(rows, SOURCE).readings.flatMap(({ plan, faults }) => [
      ...plan.events.map(({ input: { title = '', times, ...input } }) => {
        const zone = times?.timezone ? ` ${times.timezone}` : '';
        const read: Read = {
          times: `${times?.start} to ${times?.end}${zone}${times?.allDay ? ', whole' : ''}`,
          input,
          venue: plan.venues[0]?.input,
          organizer: plan.organizers[0]?.input.name,
          categories: plan.terms.map(({ name }) => name),
        };
        return [title, read] as const;
      }),
      ...faults.map(({ name, reason }) => [name, reason] as const),
    ]),
  );
}

const seen = (value: unknown, title: string): Read => {
  const found = read(value)[title];
  if (found === undefined || typeof found === 'string') throw new Error(`${title}: ${found}`);
  return found;
};
const statusesOf = (value: unknown): readonly string[] =>
  Object.entries(read(value)).map(([title, found]) => {
    const { status = 'open', eventStatus = '' } =
      typeof found === 'string' ? { status: found } : (found.input as ForeignRecord);
    return [title, status, eventStatus].filter(Boolean).join(' ');
  });

test('a stub is a reference, a schedule has the start of its event, and no category is left out', () => {
  const event = { '@type': 'Event', startDate: '2027-05-01T19:00', endDate: '2027-05-01T20:00' };
  const hall = { '@id': '#v', '@type': 'Place', name: 'Hall' };
  const graph = {
    '@context': 'https://schema.org',
    '@graph': [hall, { ...event, name: 'One', location: { '@id': '#v' } }].concat([
      { ...event, name: 'Two', location: { '@id': '#v', '@type': 'Place' } } as never,
    ]),
  };
  assert.equal([seen(graph, 'One').venue, seen(graph, 'Two').venue], [{ name: 'Hall' }, { name: 'Hall' }]);
  const weekly = { repeatFrequency: 'P1W', repeatCount: 3, startTime: '19:00', endTime: '20:00' };
  const [course] = eventsIn({ '@context': 'https://schema.org', ...event, name: 'Course', eventSchedule: weekly });
  assert.match(JSON.stringify(course?.rrule), '2027-05-01 19:00');
  const categories = Array.from({ length: 80 }, (_, index) => `Kind ${index}`);
  assert.is(
    seen([{ title: 'Fair', start: { dateTime: '2027-05-01T19:00' }, categories }], 'Fair').categories.length,
    80,
  );
});

test('lists without a type that is known are read by their members', () => {
  const one = { name: 'One', startDate: '2027-05-01T19:00' };
  assert.is(contentsOf({ '@graph': [{ '@type': 'Concert', ...one }] }).records.length, 1);
  assert.equal(contentsOf({ itemListElement: [{ item: one }] }).records, [one]);
  const { records } = contentsOf({
    items: [
      { '@type': 'Document', title: 'No event' },
      { '@type': 'Event', ...one },
    ],
  });
  assert.equal(
    records.map((record) => (record as ForeignRecord).name),
    ['One'],
  );
});

const at = (dateTime: string, timeZone = 'Europe/Berlin') => ({ dateTime, timeZone });
const HALL = { name: 'Old Mill', address: 'River Lane 12', city: 'Berlin', zip: '10115' };

test('Google Calendar', () => {
  const event = (summary: string, members: object) => ({
    ...{ id: summary, status: 'confirmed', summary, eventType: 'default', htmlLink: 'https://calendar.example/secret' },
    ...{ start: at('2027-06-05T19:30:00+02:00'), end: at('2027-06-05T22:00:00+02:00'), ...members },
  });
  const list = {
    ...{ kind: 'calendar#events', defaultReminders: [{ method: 'popup' }], nextPageToken: 'two' },
    items: [
      event('Concert', { location: 'Old Mill', hangoutLink: 'https://meet.google.com/abc-defg-hij' }),
      event('Board', { visibility: 'private' }),
      event('Off', { status: 'cancelled' }),
      event('Fair', { start: { date: '2027-06-07' }, end: { date: '2027-06-09' } }),
      event('Choir', { recurrence: ['RRULE:FREQ=WEEKLY', 'EXDATE:20270612T173000Z'] }),
    ],
  };
  const { times, input, venue, categories } = seen(list, 'Concert');
  assert.is(times, '2027-06-05 17:30:00Z to 2027-06-05 20:00:00Z Europe/Berlin');
  const meeting = { isVirtual: true, virtualUrl: 'https://meet.google.com/abc-defg-hij' };
  assert.equal(
    { input, venue, categories },
    { input: { eventStatus: 'scheduled', online: meeting }, venue: { name: 'Old Mill' }, categories: [] },
  );
  assert.is(seen(list, 'Fair').times, '2027-06-07 to 2027-06-08, whole', 'an end is the day behind the last one');
  const [, board, off, , choir] = statusesOf(list);
  assert.equal([board, off], ['Board private scheduled', 'Off open canceled']);
  assert.match(choir ?? '', /^Choir it repeats, .*`singleEvents=true`/);
  assert.is(contentsOf(list).next, '?pageToken=two');
});

test('Microsoft Graph', () => {
  const event = (subject: string, members: object) => ({
    ...{ id: subject, iCalUId: 'one', subject, type: 'singleInstance', webLink: 'https://outlook.example/secret' },
    ...{ start: at('2027-06-05T17:30:00.0000000', 'UTC'), end: at('2027-06-05T20:00:00.0000000', 'UTC') },
    ...{ isAllDay: false, isCancelled: false, isDraft: false, sensitivity: 'normal', ...members },
  });
  const address = { street: 'River Lane 12', city: 'Berlin', state: '', postalCode: '10115', countryOrRegion: '' };
  const midnight = (day: string) => at(`${day}T00:00:00.0000000`, 'W. Europe Standard Time');
  const next = 'https://graph.example/events?$skip=10';
  const list = {
    '@odata.nextLink': next,
    value: [
      event('Concert', {
        location: { displayName: 'Old Mill', address, coordinates: { latitude: 52.5, longitude: 13.4 } },
        organizer: { emailAddress: { name: 'Hall', address: 'office@hall.example' } },
        body: { contentType: 'html', content: '<html><head><style>p{}</style></head><body><p>Doors</p></body></html>' },
      }),
      event('Days', { isAllDay: true, start: midnight('2027-06-06'), end: midnight('2027-06-08') }),
      event('Own', { sensitivity: 'personal' }),
      event('Sketch', { isDraft: true }),
      event('Off', { isCancelled: true }),
      event('Weekly', { recurrence: { pattern: { type: 'weekly' }, range: {} } }),
    ],
  };
  const { times, input, venue, organizer, categories } = seen(list, 'Concert');
  assert.is(times, '2027-06-05 17:30:00Z to 2027-06-05 20:00:00Z');
  assert.equal(input, { description: '<p>Doors</p>' });
  assert.equal(venue, { ...HALL, coordinates: { lat: 52.5, lng: 13.4 } });
  assert.equal({ organizer, categories }, { organizer: 'Hall', categories: [] });
  assert.is(seen(list, 'Days').times, '2027-06-06 to 2027-06-07 Europe/Berlin, whole');
  const [, , own, sketch, off, weekly] = statusesOf(list);
  assert.equal([own, sketch, off], ['Own private', 'Sketch private', 'Off open canceled']);
  assert.match(weekly ?? '', /`calendarView`/);
  assert.is(contentsOf(list).next, next);
});

test('Eventbrite, Localist, Luma and Meetup', () => {
  const local = (hour: number) => ({ timezone: 'Europe/Berlin', local: `2027-06-05T${hour}:30:00`, utc: 'x' });
  const bought = (text: string, members: object) => ({
    ...{ id: text, name: { text, html: text }, summary: 'Doors', start: local(19), end: local(22), status: 'live' },
    ...{ listed: true, invite_only: false, ...members },
  });
  const price = (major_value: string) => ({ major_value, currency: 'EUR' });
  const eventbrite = {
    pagination: { has_more_items: true, continuation: 'next' },
    events: [
      bought('Concert', {
        venue: { name: 'Old Mill', address: { address_1: 'River Lane 12', city: 'Berlin', postal_code: '10115' } },
        ticket_availability: { minimum_ticket_price: price('10.00'), maximum_ticket_price: price('12.50') },
        logo: { url: 'https://i.example/small.jpg', original: { url: 'https://i.example/whole.jpg' } },
      }),
      bought('Sketch', { status: 'draft' }),
      bought('Guests', { invite_only: true }),
      bought('Link', { listed: false }),
    ],
  };
  const { times, input, venue } = seen(eventbrite, 'Concert');
  assert.is(times, '2027-06-05 19:30:00 to 2027-06-05 22:30:00 Europe/Berlin');
  assert.equal(
    { input, venue },
    { input: { cost: 'EUR 10.00/12.50', image: 'https://i.example/whole.jpg' }, venue: HALL },
  );
  assert.equal(statusesOf(eventbrite).slice(1), ['Sketch draft', 'Guests private', 'Link private']);
  assert.is(contentsOf(eventbrite).next, '?continuation=next');

  const dated = (title: string, members: object, start = '2027-06-05T19:30:00+09:00') => ({
    event: {
      id: 5,
      title,
      status: 'live',
      private: false,
      event_instances: [{ event_instance: { start, ...members } }],
    },
  });
  const whole = dated('Day', { all_day: true, end: null }, '2027-06-06T00:00:00+09:00');
  const hidden = dated('Staff', {});
  const localist = {
    ...{ page: { current: 1, total: 2 } },
    events: [
      dated('Concert', { end: '2027-06-05T21:30:00+09:00', all_day: false }),
      whole,
      { event: { ...hidden.event, private: true } },
    ],
  };
  assert.is(seen(localist, 'Concert').times, '2027-06-05 10:30:00Z to 2027-06-05 12:30:00Z');
  assert.is(seen(localist, 'Day').times, '2027-06-06 to 2027-06-06, whole', 'by the day of its clock');
  assert.is(statusesOf(localist)[2], 'Staff private');
  assert.is(contentsOf(localist).next, '?page=2');

  const hosted = (name: string, visibility: string) => ({
    event: {
      ...{ api_id: name, name, visibility, start_at: '2027-06-05T17:30:00.000Z', end_at: '2027-06-05T20:00:00.000Z' },
      ...{ timezone: 'Europe/Berlin', geo_latitude: '52.5', geo_longitude: '13.4' },
      geo_address_json: { address: 'Old Mill', full_address: 'Old Mill, River Lane 12, 10115 Berlin' },
    },
  });
  const luma = {
    entries: [hosted('Concert', 'public'), hosted('Club', 'members-only')],
    has_more: true,
    next_cursor: 'c',
  };
  assert.is(seen(luma, 'Concert').times, '2027-06-05 17:30:00Z to 2027-06-05 20:00:00Z Europe/Berlin');
  assert.equal(seen(luma, 'Concert').venue, { ...HALL, coordinates: { lat: 52.5, lng: 13.4 } });
  assert.is(statusesOf(luma)[1], 'Club private');
  assert.is(contentsOf(luma).next, '?pagination_cursor=c');

  const node = { id: '3', title: 'Talk', dateTime: '2027-06-05T19:30+02:00', status: 'ACTIVE', eventType: 'PHYSICAL' };
  const meetup = {
    data: { groupByUrlname: { upcomingEvents: { edges: [{ node: { ...node, group: { name: 'Club' } } }] } } },
  };
  assert.equal(read(meetup), {
    Talk: {
      ...{ times: '2027-06-05 17:30:00Z to 2027-06-05 17:30:00Z', input: {}, venue: undefined },
      organizer: 'Club',
      categories: [],
    },
  });
});

test('JSON-LD', () => {
  const place = {
    ...{ '@type': 'Place', name: 'Old Mill', geo: { latitude: '52.5', longitude: '13.4' } },
    address: { streetAddress: 'River Lane 12', addressLocality: 'Berlin', postalCode: '10115' },
  };
  const event = {
    ...{ '@type': 'MusicEvent', name: 'Jazz &#8211; Night', startDate: '2027-06-05T19:30:00+02:00' },
    ...{ location: [place, { '@type': 'VirtualLocation', url: 'https://live.example/' }] },
    ...{ organizer: { '@type': 'Organization', name: 'Guild', url: 'https://guild.example' } },
    ...{ description: '&lt;p&gt;Doors&lt;/p&gt;', eventStatus: 'https://schema.org/EventPostponed' },
    offers: [
      { price: 5, priceCurrency: 'EUR', url: 'https://t.example' },
      { price: 10, priceCurrency: 'EUR', url: 'https://t.example' },
    ],
  };
  const { times, input, venue, organizer } = seen(
    { '@graph': [{ '@type': 'WebPage', name: 'Home' }, event] },
    'Jazz – Night',
  );
  assert.is(times, '2027-06-05 17:30:00Z to 2027-06-05 17:30:00Z');
  assert.equal(input, {
    ...{
      description: '<p>Doors</p>',
      eventStatus: 'postponed',
      cost: 'EUR 5/10',
      registrationUrl: 'https://t.example',
    },
    online: { isVirtual: true, virtualUrl: 'https://live.example/' },
  });
  assert.equal({ venue, organizer }, { venue: { ...HALL, coordinates: { lat: 52.5, lng: 13.4 } }, organizer: 'Guild' });
  const listed = { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: event }] };
  assert.equal(Object.keys(read(listed)), ['Jazz – Night']);
  assert.match(String(read([{ ...event, eventSchedule: { byDay: 'Monday' } }])['Jazz &#8211; Night']), /^it repeats/);
});

const told = (name: string, members: object = {}) => ({
  ...{ '@context': 'https://schema.org', '@type': 'Event', name, startDate: '2027-06-05T19:30:00+02:00', ...members },
});

test('events of JSON-LD are found wherever they stand, and other things with a start are none', () => {
  const forms: readonly (readonly [titles: string, value: unknown])[] = [
    ['Main', { '@context': 'https://schema.org', '@type': 'ItemPage', mainEntity: told('Main') }],
    ['Gig', { '@type': 'MusicGroup', name: 'Band', event: [told('Gig')] }],
    ['Fed', { '@type': 'DataFeed', dataFeedElement: [{ '@type': 'DataFeedItem', item: told('Fed') }] }],
    ['Festival, Opening', told('Festival', { subEvent: [told('Opening')] })],
    ['First', { '@type': 'EventSeries', name: 'Series', startDate: '2027-01-01', subEvent: [told('First')] }],
    ['Part', told('Part', { superEvent: told('Whole') })],
    ['Words', { '@type': 'schema:Event', 'schema:name': 'Words', 'http://schema.org/startDate': '2027-06-05' }],
    ['Typed', told('Typed', { startDate: { '@type': 'Date', '@value': '2027-06-05' } })],
    [
      'Konzert',
      {
        ...told(''),
        name: [
          { '@value': 'Konzert', '@language': 'de' },
          { '@value': 'x', '@language': 'en' },
        ],
      },
    ],
    ['Reds – Blues', { ...told(''), name: undefined, homeTeam: { name: 'Reds' }, awayTeam: { name: 'Blues' } }],
    ['Only', [told('Only'), { '@type': 'TVSeries', name: 'Series', startDate: '2019-01-01' }]],
  ];
  for (const [titles, value] of forms) assert.is(Object.keys(read(value)).join(', '), titles);
  const pages = { '@id': '/events', 'hydra:member': [told('A')], 'hydra:view': { 'hydra:next': '/events?page=2' } };
  assert.is(contentsOf({ '@context': '/contexts/Event', ...pages }).next, '/events?page=2');
});

test('parts of an event of JSON-LD are read in each form, and where they are references', () => {
  const graph = {
    '@graph': [
      told('A', { location: { '@id': '#p' }, organizer: { '@id': '#o' } }),
      { '@id': '#p', '@type': 'Place', name: 'Hall', address: { '@id': '#a' } },
      ...[
        { '@id': '#a', streetAddress: 'River Lane 12', addressLocality: 'Bonn' },
        { '@id': '#o', name: 'Guild' },
      ],
    ],
  };
  const { venue, organizer } = seen(graph, 'A');
  assert.equal(
    { venue, organizer },
    { venue: { name: 'Hall', address: 'River Lane 12', city: 'Bonn' }, organizer: 'Guild' },
  );
  const circle = { '@graph': [{ '@id': '#e', ...told('A'), location: { '@id': '#e' } }] };
  assert.equal(seen(circle, 'A').venue, { name: 'A' });
  const input = (members: object): object => seen(told('A', members), 'A').input;
  const pictures = ['https://x.example/1.jpg', 'https://x.example/2.jpg'];
  assert.equal(input({ image: pictures }), { image: pictures[0] });
  assert.equal(input({ image: [{ '@type': 'ImageObject', contentUrl: pictures[1] }] }), { image: pictures[1] });
  assert.equal(input({ isAccessibleForFree: 'True' }), { cost: '0' });
  assert.equal(input({ offers: { priceSpecification: { price: 9, priceCurrency: 'CHF' } } }), { cost: 'CHF 9' });
  assert.equal(input({ eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode' }), {
    online: { isVirtual: true },
  });
  const street = { '@type': 'PostalAddress', streetAddress: 'River Lane 12', addressLocality: 'Bonn' };
  for (const location of [street, { '@type': 'Place', address: street }])
    assert.equal(seen(told('A', { location }), 'A').venue, {
      name: 'River Lane 12',
      address: 'River Lane 12',
      city: 'Bonn',
    });
  const day = { startDate: '2027-06-05T00:00:00+00:00', endDate: '2027-06-06T23:59:59+00:00' };
  assert.is(seen(told('A', day), 'A').times, '2027-06-05 to 2027-06-06, whole');
  const page = 'https://x.example/a';
  assert.equal(input({ url: page, offers: { price: 5, url: page } }), { website: page, cost: '5' });
  const action = { '@type': 'RegisterAction', target: 'https://t.example' };
  assert.equal(input({ potentialAction: action, typicalAgeRange: '6-12', inLanguage: ['de', 'en'] }), {
    ...{ registrationUrl: 'https://t.example', ageRange: '6-12', languages: 'de,en' },
  });
  assert.equal(input({ description: 'x <two> & y' }), { description: 'x &lt;two&gt; & y' });
  assert.equal(input({ organizer: 'Guild' }), {}, 'and its record is no organizer');
  assert.is(kindOfRecord(told('A', { organizer: 'Guild' })), 'unknown');
});

test('an event of JSON-LD without an end ends after its duration', () => {
  const timesOf = (startDate: string, duration: string, endDate?: string) =>
    seen({ '@context': 'https://schema.org', '@type': 'Event', name: 'A', startDate, endDate, duration }, 'A').times;
  assert.is(timesOf('2027-05-01T19:00', 'PT1H30M'), '2027-05-01 19:00:00 to 2027-05-01 20:30:00');
  assert.is(timesOf('2027-05-01T19:00+02:00', 'PT2H', ''), '2027-05-01 17:00:00Z to 2027-05-01 19:00:00Z');
  assert.is(timesOf('2027-05-01T19:00', 'PT2H', '2027-05-01T20:00'), '2027-05-01 19:00:00 to 2027-05-01 20:00:00');
  for (const length of ['soon', 'PT0H', 'P1M'])
    assert.is(timesOf('2027-05-01T19:00', length), '2027-05-01 19:00:00 to 2027-05-01 19:00:00');
});

test('what no event of a page is about is not told as a column that is not used', () => {
  const event = { '@context': 'https://schema.org', '@type': 'Event', name: 'A', startDate: '2027-05-01T19:00' };
  const rows = contentsOf(event).records.map((record) => rowOfNested(record as ForeignRecord));
  assert.not.match(readTable(rows, SOURCE).remarks.join(), 'not used');
});

test('a schedule of JSON-LD is a rule, and one that cannot be read is refused', () => {
  const schedule = {
    ...{ '@type': 'Schedule', startDate: '2027-01-04', endDate: '2027-06-30', repeatFrequency: 'P1W' },
    ...{ byDay: ['https://schema.org/Monday'], startTime: '18:00', endTime: '19:30', scheduleTimezone: 'Europe/Paris' },
  };
  const rows = eventsIn({ ...told('A'), startDate: undefined, eventSchedule: schedule }).map(rowOfNested);
  const [reading] = readTable(rows, SOURCE).readings;
  const [event] = reading?.plan.events ?? [];
  assert.equal(event?.input.times, {
    ...{ start: '2027-01-04 18:00:00', end: '2027-01-04 19:30:00', allDay: false, timezone: 'Europe/Paris' },
  });
  assert.equal(event?.series?.repeating.rules, ['FREQ=WEEKLY;INTERVAL=1;BYDAY=MO;UNTIL=20270630']);
  for (const unclear of [{ repeatFrequency: 'now and then' }, { exceptDate: '2027-02-01' }])
    assert.match(String(read(told('A', { eventSchedule: { ...schedule, ...unclear } })).A), /^it repeats/);
});

test.run();
