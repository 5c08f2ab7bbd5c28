import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type CalendarEvent,
  createEvent,
  type EventPatch,
  evolveEvent,
} from '../../../src/calendar/event/domain/calendar-event.ts';
import { costFrom } from '../../../src/calendar/event/domain/cost.ts';
import { currencyOf } from '../../../src/calendar/event/domain/currency.ts';
import { POST_STATUSES } from '../../../src/calendar/resource/domain/post.ts';
import { toWallClock } from '../../../src/kernel/time/zone.ts';
import { eventFragment, maskedEventFragment } from '../../../src/rendering/event-fragment.ts';
import { eventJsonLd } from '../../../src/rendering/json-ld.ts';
import { fill, SLOT, type SlotName, type SlotValues } from '../../../src/rendering/slots.ts';
import { DAY, factsOf, given, NEW_YORK, NOW } from '../../support/given.ts';

const test = suite('event fragment');
const SETTINGS = { siteZone: NEW_YORK, signBefore: '$', signAfter: '', freeLabel: 'Free' } as const;
const LINKS: SlotValues = {
  site: 'https://cal.example',
  root: 'https://cal.example/api',
  host: 'cal.example',
  categories: '[]',
  tags: '[]',
  venue: '[]',
  organizer: '[]',
  siteTime: (instant) => toWallClock(instant, NEW_YORK),
  signBefore: '$',
  currency: (mark) => currencyOf(mark, null) ?? '',
};
const TIMES = { start: '2027-03-01 20:00:00', end: '2027-03-01 23:00:00' };

function event(patch: EventPatch = {}, members: Partial<CalendarEvent> = {}): CalendarEvent {
  const full = { title: 'Jazz & Wine', author: 3, status: 'publish', times: TIMES, ...patch } as const;
  const facts = factsOf(createEvent(41, full, { now: NOW, siteZone: NEW_YORK, slug: 'jazz-wine' }));
  return { ...given(evolveEvent, facts).state, ...members };
}

type Shown = { readonly [key: string]: unknown };
const shown = (one: CalendarEvent, values = LINKS): Shown => JSON.parse(fill(eventFragment(one, SETTINGS), values));
const masked = (one: CalendarEvent): Shown => JSON.parse(fill(maskedEventFragment(one), LINKS));

const at = (year: string, month: string, day: string, hour: string) => ({
  year,
  month,
  day,
  hour,
  minutes: '00',
  seconds: '00',
});

const FULL = {
  id: 41,
  global_id: 'cal.example?id=41',
  global_id_lineage: ['cal.example?id=41'],
  author: '3',
  status: 'publish',
  date: '2026-03-01 05:00:00',
  date_utc: '2026-03-01 10:00:00',
  modified: '2026-03-01 05:00:00',
  modified_utc: '2026-03-01 10:00:00',
  url: 'https://cal.example/event/jazz-wine/',
  rest_url: 'https://cal.example/api/events/41',
  title: 'Jazz &#038; Wine',
  description: '<p>First set at eight.</p>',
  excerpt: '',
  slug: 'jazz-wine',
  image: false,
  all_day: false,
  start_date: '2027-03-01 20:00:00',
  start_date_details: at('2027', '03', '01', '20'),
  end_date: '2027-03-01 23:00:00',
  end_date_details: at('2027', '03', '01', '23'),
  utc_start_date: '2027-03-02 01:00:00',
  utc_start_date_details: at('2027', '03', '02', '01'),
  utc_end_date: '2027-03-02 04:00:00',
  utc_end_date_details: at('2027', '03', '02', '04'),
  timezone: 'America/New_York',
  timezone_abbr: 'EST',
  cost: '$10 – $20',
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: ['10', '20'] },
  website: 'https://cal.example/event/jazz-wine/',
  show_map: false,
  show_map_link: false,
  hide_from_listings: false,
  sticky: false,
  featured: true,
  categories: [],
  tags: [],
  venue: [],
  organizer: [],
  ticketed: false,
  post_parent: 0,
  custom_fields: [],
};
const whole = event({ description: 'First set at eight.', cost: costFrom('10 - 20'), featured: true });

test('an event shows everything, in order', () => {
  assert.equal(shown(whole), FULL);
  assert.equal(Object.keys(shown(whole)), Object.keys(FULL));
});

test('an event with a password shows who changed it and when, but not what', () => {
  const secret = event(
    {
      description: 'Hush',
      excerpt: 'Hush',
      cost: costFrom('$20'),
      website: 'https://hush.example',
      image: { id: 9, url: 'https://hush.example/a.jpg', width: 1, height: 1 },
      showMap: true,
      times: { ...TIMES, allDay: true },
    },
    { passwordHash: 'salt', categories: [1], venues: [{ id: 1, life: 0 }] },
  );
  const one = masked(secret);
  assert.equal(Object.keys(one), Object.keys(FULL));
  assert.not.match(JSON.stringify(one), /hush/i);
  const { title, slug, start_date, timezone, ...rest } = one;
  assert.equal(
    [title, slug, start_date, timezone],
    ['Jazz &#038; Wine', 'jazz-wine', '2027-03-01 00:00:00', 'America/New_York'],
  );
  for (const key of ['description', 'excerpt', 'cost', 'website']) assert.is(rest[key], '', key);
  for (const key of ['all_day', 'show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured'])
    assert.is(rest[key], null, key);
  for (const key of ['categories', 'tags', 'venue', 'organizer', 'custom_fields']) assert.equal(rest[key], [], key);
  assert.is(rest.image, false);
  assert.equal(rest.cost_details, { currency_symbol: '', currency_code: '', currency_position: '', values: [] });
});

for (const status of POST_STATUSES)
  test(`the address of an event in ${status}`, () => {
    const isPublic = status === 'publish' || status === 'private';
    const url = isPublic ? 'https://cal.example/event/jazz-wine/' : 'https://cal.example/?post_type=tribe_events&p=41';
    assert.equal([shown(event({ status })).url, shown(event({ status })).website], [url, url]);
  });

test('a date that floats has no UTC form; a change has one', () => {
  const { date, date_utc, modified_utc } = shown(event({ status: 'draft' }));
  const none = '0000-00-00 00:00:00';
  assert.equal([date, date_utc, modified_utc], ['2026-03-01 05:00:00', none, none]);
  const changed = shown(event({ status: 'draft' }, { modified: NOW + DAY }));
  assert.equal([changed.date_utc, changed.modified_utc], [none, '2026-03-02 10:00:00']);
});

test('a website is escaped for HTML; a cleared one is empty', () => {
  const websiteOf = (website: string) => shown(event({ website })).website;
  assert.is(websiteOf('https://x.example/?a=1&b="2"'), 'https://x.example/?a=1&amp;b=&quot;2&quot;');
  assert.is(websiteOf('https://x.example/?a=1&amp;b=2'), 'https://x.example/?a=1&amp;b=2');
  assert.is(websiteOf(''), '');
});

test('the address of an image ends no attribute and begins no tag where a page puts it as it is', () => {
  const url = `https://x.example/a"onerror='x'<script>\`.png?a=1&b=2`;
  const image = { id: 9, url, width: null, height: null };
  const encoded = 'https://x.example/a%22onerror=%27x%27%3Cscript%3E%60.png?a=1&b=2';
  assert.equal(shown(event({ image })).image, { url: encoded, id: 9, extension: 'png' });
  assert.is(JSON.parse(fill(eventJsonLd(event({ image })), LINKS)).image, encoded);
});

test('an image shows its dimensions when they are known', () => {
  const image = { id: 9, url: 'https://x.example/a.JPG?x=1', width: null, height: null };
  const small = { url: 'https://x.example/a.JPG?x=1', id: 9, extension: 'jpg' };
  assert.equal(shown(event({ image })).image, small);
  const sized = shown(event({ image: { ...image, width: 12, height: 8 } }));
  assert.equal(sized.image, { ...small, width: 12, height: 8 });
});

test('flags, links and the event above are shown', () => {
  const flags = { showMap: true, showMapLink: true, hidden: true, sticky: true, ticketed: true, parent: 12 };
  const slots = { ...LINKS, tags: '[1]', categories: '[2]', venue: '{"id":3}', organizer: '[4]', parent: '12' };
  const one = shown(event(flags), slots);
  assert.equal([one.show_map, one.show_map_link, one.hide_from_listings, one.sticky], [true, true, true, true]);
  assert.equal([one.ticketed, one.post_parent], [true, 12]);
  assert.equal([one.tags, one.categories, one.venue, one.organizer], [[1], [2], { id: 3 }, [4]]);
});

test('for whom it is, is shown once it has been said; a password hides the words of it', () => {
  const said = {
    accessible: true,
    accessibility: 'Lift',
    ageRange: '6-',
    languages: 'de, en',
    registrationUrl: 'https://a.example/',
  };
  const members = { accessible: true, accessibility: 'Lift', age_range: '6-', languages: 'de, en' };
  const one = shown(event(said));
  assert.equal({ ...one, ...members, registration_url: said.registrationUrl }, one);
  const few = { ...event({ ageRange: '6-' }) };
  assert.equal([shown(few).age_range, 'accessible' in shown(few), 'languages' in shown(few)], ['6-', false, false]);
  const masked = JSON.parse(fill(maskedEventFragment(event(said)), LINKS));
  assert.equal(
    Object.keys(members).map((name) => masked[name]),
    [true, undefined, undefined, undefined],
  );
  const { typicalAgeRange, inLanguage, potentialAction } = JSON.parse(fill(eventJsonLd(event(said)), LINKS));
  assert.equal([typicalAgeRange, inLanguage], ['6-', ['de', 'en']]);
  assert.equal(potentialAction, { '@type': 'RegisterAction', target: said.registrationUrl });
});

test('json_ld comes last', () => {
  const one = shown(whole, { ...LINKS, commaThenJsonLd: ',"json_ld":{}' });
  assert.equal(Object.keys(one), [...Object.keys(FULL), 'json_ld']);
});

test('the zone is shown as given, with the abbreviation at the start', () => {
  const zoneOf = (timezone: string, start = TIMES.start) => {
    const one = shown(event({ times: { start, end: start, timezone } }));
    return [one.timezone, one.timezone_abbr];
  };
  assert.equal(zoneOf('America/New_York', '2027-07-01 20:00'), ['America/New_York', 'EDT']);
  assert.equal(zoneOf('UTC+5.5'), ['UTC+5.5', 'UTC+5.5']);
  assert.equal(zoneOf('+02:00'), ['+02:00', 'GMT+0200']);
});

test('the schema.org event has the real offset and a price', () => {
  const ld = JSON.parse(
    fill(eventJsonLd(whole), { ...LINKS, location: '"location":{},', organizerLd: '"organizer":{},' }),
  );
  assert.equal(ld, {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: 'Jazz & Wine',
    description: 'First set at eight.',
    url: 'https://cal.example/event/jazz-wine/',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: '2027-03-01T20:00:00-05:00',
    endDate: '2027-03-01T23:00:00-05:00',
    location: {},
    organizer: {},
    offers: {
      '@type': 'AggregateOffer',
      lowPrice: 10,
      highPrice: 20,
      priceCurrency: 'USD',
      url: 'https://cal.example/event/jazz-wine/',
      category: 'primary',
      availability: 'https://schema.org/InStock',
      validFrom: '2026-03-01T10:00:00+00:00',
    },
  });
  const { startDate } = JSON.parse(fill(eventJsonLd(event({ times: { ...TIMES, timezone: 'Asia/Kolkata' } })), LINKS));
  assert.is(startDate, '2027-03-01T20:00:00+05:30');
});

test('an event without cost, text and links has a small schema.org object; long texts are cut', () => {
  const bare = JSON.parse(fill(eventJsonLd(event()), LINKS));
  for (const key of ['offers', 'location', 'organizer', 'image', 'description']) assert.not.ok(key in bare, key);
  const long = JSON.parse(fill(eventJsonLd(event({ description: `<b>"x" & y</b> ${'z'.repeat(400)}` })), LINKS));
  assert.ok(long.description.startsWith('"x" & y z'));
  assert.ok(long.description.endsWith('z…'));
  assert.is(JSON.parse(fill(eventJsonLd(event({ cost: costFrom('0') })), LINKS)).offers.price, 0);
});

const SLOTS = Object.values(SLOT);
const NAMES = Object.keys(SLOT) as SlotName[]; // Keys of SLOT itself.
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(...SLOTS, '"', '\\', '<p>', '\n', '\u0000', '\ud800', 'a'), { maxLength: 8 })
    .map((all) => all.join('')),
);

test('whatever the texts hold, the fragments are JSON and every slot in them is ours', () => {
  const count = (fragment: string): number => [...fragment].filter((one) => SLOTS.some((slot) => slot === one)).length;
  const image = { id: 1, url: 'x', width: null, height: null };
  const [full, hidden, ld = 0] = [eventFragment, maskedEventFragment, eventJsonLd].map((render) =>
    count(render(event({ website: 'w', image, cost: costFrom('€5') }), SETTINGS)),
  );
  fc.assert(
    fc.property(anyText, anyText, anyText, anyText, (title, description, website, url) => {
      const cost = { entries: [title], symbol: description, position: '' } as const;
      const one = event(
        { title, description, excerpt: description, website, image: { ...image, url }, cost },
        { slug: url, schedule: { ...event().schedule, timezone: title } },
      );
      const values = { ...Object.fromEntries(NAMES.map((name) => [name, ''])), ...LINKS };
      for (const [render, slots] of [
        [eventFragment, full],
        [maskedEventFragment, hidden],
      ] as const) {
        const fragment = render(one, SETTINGS);
        assert.ok([slots, (slots ?? 0) + 2].includes(count(fragment)), 'an amount without a mark has two more');
        JSON.parse(fill(fragment, values));
      }
      const fragment = eventJsonLd(one);
      const offers: unknown = JSON.parse(fill(fragment, values)).offers ?? [];
      assert.is(count(fragment), ld - 1 + [offers].flat().length, 'an offer has an address');
    }),
    { numRuns: 300 },
  );
});

test.run();
