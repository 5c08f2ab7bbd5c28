// Lists of events in JSON of providers that wrap them in various ways: what is read of each, and that more pages are told.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openImportSummary } from '../../../src/exchange/import/import-summary.ts';
import { SILENT } from '../../../src/exchange/import/progress.ts';
import { readAll } from '../../../src/exchange/import/read-all.ts';
import { DEFAULT_LIMITS } from '../../../src/exchange/import/read-source.ts';
import { contentsOf } from '../../../src/exchange/import/recognise.ts';
import { zoneNamed } from '../../support/given.ts';

const test = suite('lists of providers');
const NOW = Date.UTC(2027, 0, 1) / 1000;

const folder = mkdtempSync(path.join(tmpdir(), 'daybook-providers-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Each event in one line: title, times, venue with its parts, organizer, terms, status, and what else is asked for. */
async function read(content: unknown, language = 'de') {
  const file = path.join(folder, 'list.json');
  writeFileSync(file, JSON.stringify(content));
  const summary = openImportSummary();
  const { plan } = await readAll(
    {
      ...{ sources: [file], limits: DEFAULT_LIMITS, authors: 'drop', html: 'cleaned', rules: 'kept' },
      display: { signBefore: '', signAfter: '', freeLabel: 'Free', language, siteZone: zoneNamed('Europe/Berlin') },
      ...{ until: NOW + 730 * 86_400, ownOrigin: null, now: NOW },
    },
    summary,
    SILENT,
  );
  const venues = new Map(plan.venues.map(({ origin, input }) => [origin.key, input]));
  const organizers = new Map(plan.organizers.map(({ origin, input }) => [origin.key, input.name]));
  const terms = new Map(plan.terms.map(({ origin, name }) => [origin.key, name]));
  const events = [...plan.events].map(
    ({ input, venues: places = [], organizers: hosts = [], categories = [], tags = [] }) => {
      const { times, title, status, eventStatus, description, cost, image, registrationUrl, website } = input;
      const {
        name = '',
        address = '',
        zip = '',
        city = '',
        country = '',
        coordinates,
      } = venues.get(places[0] ?? '') ?? {};
      const place = [name, address, zip, city, country, coordinates ? `${coordinates.lat} ${coordinates.lng}` : ''];
      return {
        when: `${title}: ${times?.start} to ${times?.end}${times?.timezone ? ` ${times.timezone}` : ''}`,
        where: place.filter(Boolean).join(', '),
        who: hosts.map((key) => organizers.get(key)).join(),
        terms: [...categories, ...tags].map((key) => terms.get(key)).join(),
        state: [status, eventStatus].filter(Boolean).join(),
        more: [description, cost, image, registrationUrl, website].filter(Boolean).join(' '),
      };
    },
  );
  const said = ({ reason }: { readonly reason: string }): string => reason;
  return { events, refused: summary.refused.map(said), notes: summary.notes.map(said) };
}

const PART = 'it is one page of several, and the others are not read';
const BERLIN = 'Europe/Berlin';
const UTC = 'Concert: 2027-06-05 17:30:00Z to 2027-06-05 20:00:00Z';
const LOCAL = 'Concert: 2027-06-05 19:30:00 to 2027-06-05 22:00:00';
const MILL = 'Old Mill, River Lane 12, 10115, Berlin, Germany, 52.5 13.4';

interface Form {
  readonly list: unknown;
  readonly when: string;
  readonly where?: string;
  readonly who?: string;
  readonly terms?: string;
  readonly state?: string;
  readonly more?: string;
  readonly notes?: readonly string[];
}

const FORMS: Readonly<Record<string, Form>> = {
  'Facebook Graph': {
    list: {
      data: [
        {
          ...{
            id: '77',
            name: 'Concert',
            description: 'Doors at 7',
            timezone: BERLIN,
            is_canceled: false,
            type: 'public',
          },
          ...{ start_time: '2027-06-05T19:30:00+0200', end_time: '2027-06-05T22:00:00+0200', is_draft: false },
          cover: { source: 'https://x.example/a.jpg', id: '5' },
          ticket_uri: 'https://t.example/77',
          place: {
            name: 'Old Mill',
            location: {
              ...{ street: 'River Lane 12', zip: '10115', city: 'Berlin', country: 'Germany' },
              ...{ latitude: 52.5, longitude: 13.4 },
            },
          },
        },
      ],
      paging: { cursors: { before: 'a', after: 'b' }, next: 'https://graph.example/77/events?after=b' },
    },
    when: `${UTC} ${BERLIN}`,
    where: MILL,
    more: 'Doors at 7 https://x.example/a.jpg https://t.example/77',
    notes: [PART],
  },
  'Ticketmaster Discovery': {
    list: {
      _embedded: {
        events: [
          {
            ...{ name: 'Concert', type: 'event', id: 'G5', test: false, url: 'https://t.example/g5', locale: 'en-us' },
            images: [{ ratio: '16_9', url: 'https://x.example/a.jpg', width: 640, height: 360, fallback: false }],
            sales: { public: { startDateTime: '2027-01-05T09:00:00Z', endDateTime: '2027-06-05T09:00:00Z' } },
            dates: {
              start: {
                ...{ localDate: '2027-06-05', localTime: '19:30:00', dateTime: '2027-06-05T17:30:00Z' },
                ...{ dateTBD: false, timeTBA: false, noSpecificTime: false },
              },
              ...{ timezone: BERLIN, status: { code: 'onsale' }, spanMultipleDays: false },
            },
            classifications: [{ primary: true, segment: { id: 'K', name: 'Music' }, genre: { name: 'Jazz' } }],
            promoter: { id: '4', name: 'Guild' },
            priceRanges: [{ type: 'standard', currency: 'EUR', min: 10, max: 25 }],
            _embedded: {
              venues: [
                {
                  ...{ name: 'Old Mill', type: 'venue', postalCode: '10115', city: { name: 'Berlin' } },
                  ...{ country: { name: 'Germany', countryCode: 'DE' }, address: { line1: 'River Lane 12' } },
                  location: { longitude: '13.4', latitude: '52.5' },
                },
              ],
            },
          },
        ],
      },
      _links: { self: { href: '/discovery/v2/events.json' }, next: { href: '/discovery/v2/events.json?page=1' } },
      page: { size: 20, totalElements: 90, totalPages: 5, number: 0 },
    },
    when: `Concert: 2027-06-05 17:30:00Z to 2027-06-05 17:30:00Z ${BERLIN}`,
    ...{ where: MILL, who: 'Guild', terms: 'Music', more: 'EUR 10/25 https://x.example/a.jpg https://t.example/g5' },
    notes: [PART],
  },
  Strapi: {
    list: {
      data: [
        {
          id: 3,
          attributes: {
            ...{
              title: 'Concert',
              summary: 'Jazz',
              start_date: '2027-06-05T17:30:00.000Z',
              end_date: '2027-06-05T20:00:00.000Z',
            },
            ...{ createdAt: '2027-01-05T09:00:00.000Z', publishedAt: '2027-01-05T09:00:00.000Z', locale: 'de' },
            venue: {
              data: { id: 1, attributes: { name: 'Old Mill', city: 'Berlin', createdAt: '2020-01-05T09:00:00Z' } },
            },
            tags: { data: [{ id: 8, attributes: { name: 'Jazz' } }] },
          },
        },
      ],
      meta: { pagination: { page: 1, pageSize: 25, pageCount: 2, total: 26 } },
    },
    ...{ when: UTC, where: 'Old Mill, Berlin', terms: 'Jazz', notes: [PART] },
  },
  'Strapi 5': {
    list: {
      data: [
        { id: 3, documentId: 'a1', title: 'Concert', start_date: '2027-06-05', end_date: null, venue: 'Old Mill' },
      ],
      meta: { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 1 } },
    },
    ...{ when: 'Concert: 2027-06-05 to 2027-06-05', where: 'Old Mill' },
  },
  Airtable: {
    list: {
      records: [
        {
          ...{ id: 'recA', createdTime: '2027-01-05T09:00:00.000Z' },
          fields: {
            Name: 'Concert',
            Start: '2027-06-05T17:30:00.000Z',
            End: '2027-06-05T20:00:00.000Z',
            Location: 'Old Mill',
          },
        },
      ],
      offset: 'itrA/recB',
    },
    ...{ when: UTC, where: 'Old Mill', notes: [PART] },
  },
  Notion: {
    list: {
      object: 'list',
      results: [
        {
          ...{
            object: 'page',
            id: 'p1',
            created_time: '2027-01-05T09:00:00.000Z',
            archived: false,
            url: 'https://n.example/p1',
          },
          properties: {
            Name: {
              id: 'title',
              type: 'title',
              title: ['Con', 'cert'].map((plain_text) => ({ type: 'text', plain_text })),
            },
            Wann: {
              ...{ id: 'a', type: 'date' },
              date: { start: '2027-06-05T19:30:00+02:00', end: '2027-06-05T22:00:00+02:00', time_zone: null },
            },
            Ort: { id: 'b', type: 'rich_text', rich_text: [{ type: 'text', plain_text: 'Old Mill' }] },
            Kategorie: { id: 'c', type: 'select', select: { id: 'x', name: 'Music', color: 'red' } },
            Tags: {
              id: 'd',
              type: 'multi_select',
              multi_select: [
                { id: 'y', name: 'Jazz' },
                { id: 'z', name: 'Live' },
              ],
            },
            Preis: { id: 'e', type: 'number', number: 12 },
          },
        },
      ],
      ...{ next_cursor: 'c1', has_more: true },
    },
    ...{ when: UTC, where: 'Old Mill', terms: 'Music,Jazz,Live', more: '12 https://n.example/p1', notes: [PART] },
  },
  GeoJSON: {
    list: {
      type: 'FeatureCollection',
      features: [
        {
          ...{ type: 'Feature', id: 9, geometry: { type: 'Point', coordinates: [13.4, 52.5] } },
          properties: { title: 'Concert', start: '2027-06-05T19:30', end: '2027-06-05T22:00', place: 'Old Mill' },
        },
      ],
    },
    ...{ when: LOCAL, where: 'Old Mill, 52.5 13.4' },
  },
  Indico: {
    list: {
      ...{ count: 1, _type: 'HTTPAPIResult', url: 'https://i.example/export', additionalInfo: {} },
      results: [
        {
          ...{
            _type: 'Conference',
            id: '44',
            title: 'Concert',
            type: 'simple_event',
            timezone: BERLIN,
            category: 'Music',
          },
          startDate: { date: '2027-06-05', time: '19:30:00', tz: BERLIN },
          endDate: { date: '2027-06-05', time: '22:00:00', tz: BERLIN },
          creationDate: { date: '2027-01-05', time: '09:00:00.5', tz: BERLIN },
          ...{ location: 'Old Mill', room: '', address: 'River Lane 12', url: 'https://i.example/44', description: '' },
          visibility: { id: '', name: 'Everywhere' },
        },
      ],
    },
    ...{ when: `${LOCAL} ${BERLIN}`, where: 'Old Mill, River Lane 12', terms: 'Music', more: 'https://i.example/44' },
  },
  pretix: {
    list: {
      ...{ count: 60, next: 'https://p.example/api/v1/organizers/o/events/?page=2', previous: null },
      results: [
        {
          ...{ name: { en: 'Gig', de: 'Concert' }, slug: 'concert', live: true, testmode: false, currency: 'EUR' },
          ...{ date_from: '2027-06-05T19:30:00+02:00', date_to: '2027-06-05T22:00:00+02:00', date_admission: null },
          ...{
            is_public: true,
            presale_start: '2027-01-05T09:00:00+02:00',
            location: { 'de-informal': 'Old Mill\nRiver Lane 12\n10115 Berlin' },
          },
          ...{ geo_lat: 52.5, geo_lon: 13.4, timezone: BERLIN, meta_data: {}, public_url: 'https://p.example/concert' },
        },
      ],
    },
    ...{
      when: `${UTC} ${BERLIN}`,
      where: 'Old Mill, River Lane 12, 10115, Berlin, 52.5 13.4',
      more: 'https://p.example/concert',
      notes: [PART],
    },
  },
  WordPress: {
    list: [
      {
        ...{ id: 5, date: '2027-01-05T09:00:00', date_gmt: '2027-01-05T08:00:00', status: 'publish', type: 'event' },
        ...{ slug: 'concert', link: 'https://w.example/concert', title: { rendered: 'Concert' }, featured_media: 3 },
        ...{ content: { rendered: '<p>Doors</p>', protected: false }, excerpt: { rendered: '', protected: false } },
        acf: { start_date: '2027-06-05 19:30', end_date: '2027-06-05 22:00', venue: 'Old Mill' },
      },
    ],
    ...{ when: LOCAL, where: 'Old Mill', state: 'publish', more: '<p>Doors</p> https://w.example/concert' },
  },
  OpenAgenda: {
    list: {
      ...{ total: 300, success: true, sort: null, after: [1_900_000_000, 77] },
      events: [
        {
          ...{
            uid: 77,
            slug: 'concert',
            title: { fr: 'Concert' },
            description: { fr: 'Jazz' },
            status: 1,
            timezone: 'Europe/Paris',
          },
          ...{
            dateRange: { fr: '5 juin' },
            keywords: { fr: ['jazz', 'live'] },
            originAgenda: { uid: 1, title: 'Guild' },
          },
          location: {
            ...{ uid: 4, name: 'Old Mill', address: 'River Lane 12', city: 'Berlin', postalCode: '10115' },
            ...{ countryCode: 'DE', latitude: 52.5, longitude: 13.4 },
          },
          firstTiming: { begin: '2027-06-05T19:30:00+02:00', end: '2027-06-05T22:00:00+02:00' },
          nextTiming: null,
          timings: [
            { begin: '2027-06-05T19:30:00+02:00', end: '2027-06-05T22:00:00+02:00' },
            { begin: '2027-06-06T19:30:00+02:00', end: '2027-06-06T22:00:00+02:00' },
          ],
        },
      ],
    },
    when: `${UTC} Europe/Paris; Concert: 2027-06-06 17:30:00Z to 2027-06-06 20:00:00Z Europe/Paris`,
    ...{ where: MILL, who: 'Guild', terms: 'jazz,live', state: 'scheduled', more: 'Jazz', notes: [PART] },
  },
};

for (const [name, { list, when, notes = [], ...expected }] of Object.entries(FORMS))
  test(name, async () => {
    const found = await read(list);
    assert.equal(found.refused, []);
    assert.is(found.events.map((event) => event.when).join('; '), when);
    const { when: _, ...rest } = found.events[0] ?? { when: '' };
    const { where = '', who = '', terms = '', state = '', more = '' } = expected;
    assert.equal(rest, { where, who, terms, state, more });
    assert.equal(found.notes, notes);
  });

const LONE = { title: 'Concert', start: '2027-06-05T19:30' };
const isRead = async (list: unknown, notes: readonly string[] = []): Promise<void> => {
  const found = await read(list);
  const when = found.events.map((event) => event.when.slice(0, 'Concert: 2027-06-05'.length));
  const shown = JSON.stringify(list).slice(0, 100);
  assert.equal([found.refused, when, found.notes], [[], ['Concert: 2027-06-05'], notes], shown);
};

test('lists are found by what they hold, whatever they are called, and an event is not one for what it holds', async () => {
  const moment = { begin: '2027-06-05T19:30:00Z', end: '2027-06-05T20:30:00Z' };
  for (const list of [
    { response: { status: 'ok', calendar: { agenda: [LONE] } } },
    { upcoming: [{ title: 'Concert', startDate: Date.UTC(2027, 5, 5, 12) }], past: [], website: { id: 'x' } },
    { tags: [{ name: 'Jazz' }], answer: { shows: [LONE] } },
    { hits: { total: { value: 1 }, hits: [{ _id: '1', _source: LONE }] } },
    {
      documents: [
        { name: 'a/b', fields: { title: { stringValue: 'Concert' }, start: { timestampValue: moment.begin } } },
      ],
    },
    {
      data: [
        {
          type: 'node--event',
          id: 'a',
          attributes: { title: 'Concert', when: { value: '2027-06-05T19:30:00Z', end_value: moment.end } },
        },
      ],
    },
    { events: [{ id: 1, title: 'Concert', all_day: false, start_dt: moment.begin, end_dt: moment.end, o: {} }] },
    [
      {
        name: 'Concert',
        local_date: '2027-06-05',
        local_time: '19:30',
        time: 1_812_216_600_000,
        group: { name: 'Club' },
      },
    ],
    [{ ...LONE, venue: 'Old Mill', organizer: 'Guild' }],
    {
      results: [
        {
          Name: {
            id: 't',
            type: 'title',
            title: [{ type: 'text', text: { content: 'Concert' }, plain_text: 'Concert', href: null }],
          },
          Date: { id: 'd', type: 'date', date: { start: '2027-06-05', end: null } },
        },
      ],
    },
    [{ ...LONE, meta: { title: 'For engines', start: '2020-01-01' } }],
    [
      {
        id: 1,
        date: '2027-01-05',
        date_gmt: '2027-01-05',
        title: { rendered: 'Concert' },
        meta: { event_start: '2027-06-05' },
      },
    ],
    { ...LONE, program: [{ title: 'Part', start: '2027-06-06T20:00' }], sessions: [{ start: '2027-06-07T20:00' }] },
    [{ title: 'Concert', dates: moment, ticketSales: { start: '2027-01-01T00:00:00Z' } }],
  ])
    await isRead(list);
});

test('an event that begins at one of its dates has the others as well, and none of what takes place within it', async () => {
  const at = (day: number) => ({
    id: `t${day}`,
    start_time: `2027-06-0${day}T19:30`,
    end_time: `2027-06-0${day}T22:00`,
  });
  const event = { id: '1', name: 'Concert', start_time: at(5).start_time, place: { name: 'Old Mill' } };
  const days = async (members: object) =>
    (await read([{ ...event, ...members }])).events.map(({ when }) => when.slice(9));
  const [first, second] = [5, 6].map((day) => `2027-06-0${day} 19:30:00 to 2027-06-0${day} 22:00:00`);
  assert.equal(await days({ event_times: [at(5), at(6)] }), [first, second]);
  const alone = ['2027-06-05 19:30:00 to 2027-06-05 19:30:00'];
  assert.equal(await days({ event_times: [at(6), at(7)] }), alone, 'it is none of these');
  assert.equal(await days({ program: [{ ...at(5), title: 'Doors' }, at(6)] }), alone);
});

test('what says that there is more is told, and what says that this is all is not', async () => {
  for (const more of [
    ...[
      { paging: { next: 'https://a.example/?b' } },
      { links: { next: { href: '/b?page=2' } } },
      { meta: { next: '/b' } },
    ],
    ...[
      { nextPageToken: 'x' },
      { next_cursor: 'x' },
      { offset: 'x' },
      { has_more: true },
      { viewer: { pageInfo: { hasNextPage: true } } },
    ],
    ...[
      { current_page: 1, last_page: 2 },
      { meta: { pagination: { page: 1, pageCount: 2 } } },
      { meta: { total: 90 } },
    ],
    ...[{ total: 3, skip: 0, limit: 1 }, { '@odata.nextLink': 'https://a.example/?b' }, { count: 2 }],
    ...[{ totalPages: 3, number: 0 }, { page: { totalPages: 3, number: 1 } }, { totalPages: 3 }, { last: false }],
    ...[{ nextPage: 2 }, { next: 2 }, { total: '60' }, { total: 60, page: 1, per_page: 1 }, { next: 'a cursor' }],
    ...[{ next: 'events?page=2' }, { paging: { next: { url: '/b' } } }, { links: [{ rel: 'next', href: '/b' }] }],
  ])
    await isRead({ data: [LONE], ...more }, [PART]);
  for (const last of [
    ...[
      { paging: { cursors: { after: 'x' } } },
      { links: { next: null } },
      { next: '' },
      { next_cursor: null, has_more: false },
    ],
    ...[{ current_page: 2, last_page: 2, total: 30 }, { total: 3, offset: 2 }, { count: 1 }, { total: 90, next: null }],
    ...[
      { meta: { pagination: { page: 2, pageCount: 2, total: 26 } } },
      { facets: { count: 90 } },
      { constructor: 'x' },
    ],
    ...[
      { totalPages: 3, number: 2 },
      { total_pages: 1 },
      { last: true, total: 90 },
      { next: { href: null }, total: 90 },
    ],
    { total_pages: 3, total: 3, previous_rest_url: 'https://a.example/?page=2' },
    ...[{ total: '1' }, { total: 60, page: 60, per_page: 1 }, { links: [{ rel: 'prev', href: '/b' }] }],
  ])
    await isRead({ data: [LONE], ...last });
});

test('cursors and numbers of pages become what is asked for', () => {
  assert.is(contentsOf({ data: [LONE], after: [5, 'b'], total: 9 }).next, '?after%5B%5D=5&after%5B%5D=b');
  assert.is(
    contentsOf({ data: [LONE], meta: { pagination: { page: 1, pageCount: 2 } } }).next,
    '?pagination%5Bpage%5D=2',
  );
});

test('translations are in the language of the site, or in English, and what is not public there is not here', async () => {
  const list = (members: object) => [
    { name: { fr: 'Fête', en: 'Feast', 'de-informal': 'Fest' }, start: '2027-06-05', ...members },
  ];
  const titles = async (code: string) => (await read(list({}), code)).events.map(({ when }) => when.split(':')[0]);
  assert.equal([await titles('de'), await titles('fr'), await titles('ja')], [['Fest'], ['Fête'], ['Feast']]);
  const states: readonly (readonly [members: object, state: string])[] = [
    ...([
      [{ live: false }, 'private'],
      [{ live: true }, ''],
      [{ active: false }, 'private'],
    ] as const),
    ...([
      [{ is_canceled: true }, 'canceled'],
      [{ is_canceled: false }, ''],
      [{ is_draft: true }, 'private'],
    ] as const),
    ...([
      [{ status: true }, ''],
      [{ status: false }, 'draft'],
      [{ status: { code: 'cancelled' } }, 'canceled'],
    ] as const),
  ];
  for (const [members, state] of states)
    assert.equal(
      (await read(list(members))).events.map((event) => event.state),
      [state],
      JSON.stringify(members),
    );
});

test('what keeps an event from the public, or says that it does not take place, counts wherever it is said', async () => {
  const start = '2027-06-05T19:30';
  const other = { start: '2027-06-06T19:30' };
  const event = { title: 'Concert', start, venue: { name: 'Hall' } };
  const cases: readonly (readonly [list: unknown, ...states: string[]])[] = [
    ...([
      [[{ ...event, live: true, public: false }], 'private'],
      [[{ ...event, active: true, public: false }], 'private'],
      [[{ ...event, live: true, active: false }], 'private'],
      [[{ ...event, live: true, active: true, public: true }], ''],
    ] as const),
    ...([
      [[{ ...event, type: 'private' }], 'private'],
      [[{ ...event, type: 'public' }], ''],
      [[{ ...event, visibility: { level: 'private' } }], 'private'],
      [[{ ...event, private: { enabled: true } }], 'private'],
      [[{ ...event, status: { id: 3, slug: 'draft' } }], 'draft'],
    ] as const),
    ...([
      [[{ ...event, event_status: 'canceled', status: { code: 'onsale' } }], 'canceled'],
      [[{ title: 'Concert', status: 'draft', acf: { start, status: 'available' } }], 'private'],
      [{ features: [{ private: true, properties: { name: 'Concert', start, private: false } }] }, 'private'],
      [{ features: [{ private: false, properties: { name: 'Concert', start, private: false } }] }, ''],
    ] as const),
    ...([
      [[{ title: 'Concert', status: 'published', dates: [{ start, status: 'cancelled' }, other] }], 'canceled', ''],
      [[{ title: 'Concert', visibility: 'public', dates: [{ start, visibility: 'private' }, other] }], 'private', ''],
      [[{ title: 'Concert', status: 'draft', dates: [{ start, status: 'published' }, other] }], 'private', 'draft'],
    ] as const),
    ...([
      [{ data: [{ type: 'event', status: 'draft', event }] }, 'draft'],
      [{ data: [{ data: event, meta: { status: 'draft' } }] }, 'draft'],
      [{ edges: [{ cursor: 'x', node: event }] }, ''],
    ] as const),
  ];
  for (const [list, ...states] of cases)
    assert.equal(
      (await read(list)).events.map(({ state }) => state),
      states,
      JSON.stringify(list),
    );
});

test('a record with a day beside a time is read like any other, and names of objects are no words', async () => {
  const record = { title: 'Concert', date: '2027-06-05', time: '19:30', venue: { type: 'toString', name: 'Hall' } };
  const { events } = await read([record]);
  assert.equal(
    events.map(({ when, where }) => [when, where]),
    [['Concert: 2027-06-05 19:30:00 to 2027-06-05 19:30:00', 'Hall']],
  );
});

test('what is no list of events is refused with what it has, and what may be done', async () => {
  for (const [value, columns] of [
    [{ error: { code: 401, message: 'no' } }, 'error'],
    [{ rows: [{ headline: 'x', author: 'y' }] }, 'headline, author'],
    [
      [{ id: 1, date: '2027-01-05T09:00:00', date_gmt: '2027-01-05T08:00:00', title: { rendered: 'A post' } }],
      'id, title',
    ],
  ] as const) {
    const { events, refused } = await read(value);
    const start = 'no column is known to be the title and the start; its columns are';
    assert.equal([events, refused], [[], [`${start} ${columns}. Try --map title=COLUMN,start=COLUMN`]]);
  }
});

const SINCE = '2024-03-01';
const HOUSE = { name: 'Old Mill', address: 'River Lane 12', city: 'Berlin' };
const OTHERS: readonly (readonly [value: unknown, kind: string])[] = [
  [{ members: [{ name: 'Ann', start_date: SINCE }] }, 'members'],
  [{ club: { boardMembers: [{ name: 'Ann', start_date: '2024-02-29T23:00:00.000Z' }] } }, 'boardMembers'],
  [{ employees: [{ first_name: 'Ann', last_name: 'B', title: 'Engineer', start_date: SINCE }] }, 'employees'],
  [{ memberships: [{ name: 'Gold', start_date: SINCE, end_date: '2025-03-01', status: 'active' }] }, 'memberships'],
  [{ data: [{ type: 'people', id: 1, attributes: { name: 'Ann', start_date: SINCE } }] }, 'people'],
  [{ Mitglieder: [{ name: 'Ann', beginn: SINCE }] }, 'Mitglieder'],
  [{ venues: [{ ...HOUSE, start_date: SINCE }] }, 'venues'],
  [{ data: { venue_list: [{ ...HOUSE, start_date: SINCE, end_date: '' }] } }, 'venue_list'],
  [{ places: [{ title: 'Old Mill', date: SINCE }] }, 'places'],
  [[{ name: 'Ann', email: 'ann@x.example', role: 'Chair', start_date: SINCE }], 'persons'],
  [[{ name: 'Ann', birthday: '1990-01-01', start_date: SINCE }], 'persons'],
  [{ name: 'Ann', employee_id: 3, start_date: SINCE }, 'persons'],
];

for (const [value, kind] of OTHERS)
  test(`${JSON.stringify(value)} is no list of events`, async () => {
    const { events, refused } = await read(value);
    assert.equal(events, []);
    assert.match(refused.join(), `it seems to be a list of ${kind}, and not of events; its columns are `);
  });

test('lists that are called like those of persons or places are of events by what they hold, and others beside them are not read', async () => {
  const day = { name: 'Concert', start_date: '2027-06-05' };
  for (const list of [
    { members: [LONE] },
    { venues: [{ ...day, start_date: '2027-06-05T19:30' }] },
    { places: [{ ...day, allDay: true }] },
    [{ ...day, email: 'hall@x.example' }],
    { locations: [{ ...day, organizer: 'Guild' }] },
    { staff: [{ name: 'Ann', start_date: SINCE }], agenda: [day] },
    { users: [{ name: 'Ann', start_date: SINCE }], page: { shows: [day] } },
    [{ ...day, email: 'hall@x.example', phone: '030 1', venue: 'Old Mill' }],
    [{ ...day, email: 'hall@x.example', team: 'A', url: 'https://x.example/' }],
    { member_events: [day] },
  ])
    await isRead(list);
});

test('one record that has what persons have makes no list of persons', async () => {
  const day = { start_date: '2027-06-05' };
  const { events, refused } = await read([
    { name: 'Reading', first_name: 'Ann', ...day },
    { name: 'Concert', ...day },
  ]);
  assert.equal([events.length, refused], [2, []]);
});

test('members that hold each other, or very many dates, take no time', async () => {
  let chain: unknown = { a: 1 };
  for (let level = 0; level < 90; level += 1) chain = level % 2 ? { attributes: chain } : { fields: chain };
  const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`n${index}`, 'x']));
  const dates = Array.from({ length: 10_000 }, () => ({ begin: '2027-06-05', end: '2027-06-05' }));
  const before = process.cpuUsage();
  await isRead([{ ...LONE, chain }]);
  await read([{ title: 'Concert', ...names, dates }]);
  assert.ok(process.cpuUsage(before).user < 20_000_000, 'it took minutes');
});

test.run();
