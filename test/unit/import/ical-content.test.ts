// What iCalendar files say of an event besides its times: texts, places, meetings, pictures, people.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FeedEvent, FeedVenue } from '../../../src/exchange/feeds/feed-event.ts';
import { CALENDAR_END, calendarHead } from '../../../src/exchange/feeds/icalendar/calendar.ts';
import { eventComponent } from '../../../src/exchange/feeds/icalendar/event-component.ts';
import { readCalendar } from '../../../src/exchange/import/formats/ical/ical-records.ts';
import type { PlannedEvent } from '../../../src/exchange/import/import-plan.ts';
import { textOfHtml } from '../../../src/kernel/text/html-text.ts';
import { formatCivil } from '../../../src/kernel/time/civil-time.ts';
import { zoneNamed } from '../../support/given.ts';
import { during, PRESENTATION, someFeedEvent } from '../http/feeds/sample-event.ts';

const test = suite('contents of iCalendar');

interface Planned {
  readonly event: PlannedEvent;
  readonly venues: readonly object[];
  readonly organizers: readonly object[];
  readonly categories: readonly string[];
}

function planned(text: string): Planned {
  const until = Date.UTC(2040, 0, 1) / 1000;
  const reading = { file: 'a.ics', site: null, siteZone: zoneNamed('Europe/Berlin'), until, rules: 'kept' } as const;
  const [first] = [...readCalendar(text, reading).readings].map(({ plan }) => plan);
  const [event] = first?.events ?? [];
  if (!first || !event) throw new Error('nothing was read');
  return {
    event,
    venues: first.venues.map(({ input }) => input),
    organizers: first.organizers.map(({ input }) => input),
    categories: first.terms.map(({ name }) => name),
  };
}

const read = (...lines: readonly string[]): Planned =>
  planned(
    [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:1', 'DTSTART:20270610T180000Z', 'SUMMARY:One'],
      ...[...lines, 'END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\r\n'),
  );

const DESCRIPTIONS: readonly (readonly [what: string, lines: readonly string[], description: string])[] = [
  [
    'HTML of Google',
    ['DESCRIPTION:<p>Doors at <b>19:30</b>.<br>Bring <a href="https://hall.example/">tickets</a> &amp\\; friends.</p>'],
    '<p>Doors at <b>19:30</b>.<br />Bring <a href="https://hall.example/">tickets</a> &amp; friends.</p>',
  ],
  [
    'HTML with lines of its own',
    ['DESCRIPTION:See <a href="https://hall.example/">here</a>\\nand there'],
    'See <a href="https://hall.example/">here</a>\nand there',
  ],
  [
    'Outlook, whose HTML has a head and looks',
    [
      'DESCRIPTION:Doors',
      'X-ALT-DESC;FMTTYPE=text/html:<html><head><title>T</title><style>p {}</style></head><body lang=EN>\\n' +
        '<!-- x --><p class=MsoNormal style="color:red">Doors at <span><b>19:30</b></span><o:p></o:p></p></body></html>',
    ],
    '<p>Doors at <b>19:30</b></p>',
  ],
  ['RFC 9073', ['STYLED-DESCRIPTION;VALUE=TEXT;FMTTYPE=text/html:<p>Doors</p>'], '<p>Doors</p>'],
  ['HTML that says nothing', ['DESCRIPTION:Doors', 'X-ALT-DESC;FMTTYPE=text/html:<p>&nbsp\\;</p>'], 'Doors'],
  [
    'signs in a plain text',
    ['DESCRIPTION:Ages < 12 & > 60 free\\; 3 <3 songs'],
    'Ages &lt; 12 & &gt; 60 free; 3 &lt;3 songs',
  ],
  ['HTML that is escaped as well', ['DESCRIPTION:&lt\\;p&gt\\;Doors&lt\\;/p&gt\\;'], '<p>Doors</p>'],
  ['a plain text that is called HTML', ['X-ALT-DESC;FMTTYPE=text/html:Doors'], 'Doors'],
  ['a letter between signs', ['DESCRIPTION:if a <b and c> d'], 'if a &lt;b and c&gt; d'],
  [
    'what would run',
    ['DESCRIPTION:<p onclick="x()">a<script>b</script><a href="javascript:c">d</a></p>'],
    '<p>a<a>d</a></p>',
  ],
];

for (const [what, lines, description] of DESCRIPTIONS)
  test(`description: ${what}`, () => assert.is(read(...lines).event.input.description, description));

const OLD_MILL = { name: 'Old Mill', address: '12 River Lane', zip: '10115', city: 'Berlin', country: 'Germany' };

const PLACES: readonly (readonly [location: string, venue: object])[] = [
  ['Old Mill\\, 12 River Lane\\, 10115\\, Berlin\\, Germany', OLD_MILL],
  ['Old Mill\\, 12 River Lane\\, Berlin\\, 10115\\, Germany', OLD_MILL],
  ['Old Mill\\, 12 River Lane\\, 10115 Berlin\\, Deutschland', { ...OLD_MILL, country: 'Deutschland' }],
  ['Old Mill\\n12 River Lane\\n10115 Berlin\\nGermany', OLD_MILL],
  ['Old Mill\\, 12 River Lane\\, Berlin', { name: 'Old Mill', address: '12 River Lane', city: 'Berlin' }],
  [
    'The Hall\\, 1200 Market Street\\, San Francisco\\, CA 94103\\, USA',
    {
      ...{ name: 'The Hall', address: '1200 Market Street', city: 'San Francisco' },
      ...{ stateprovince: 'CA', zip: '94103', country: 'USA' },
    },
  ],
  [
    'Town Hall (12 Main St\\, Springfield\\, IL)',
    { name: 'Town Hall', address: '12 Main St', city: 'Springfield', stateprovince: 'IL' },
  ],
  [
    'Café (Rue de la Paix 3\\, 75002 Paris)',
    { name: 'Café', address: 'Rue de la Paix 3', city: 'Paris', zip: '75002' },
  ],
  ['Hall (Room 2\\, upstairs)', { name: 'Hall (Room 2, upstairs)' }],
  ['Mill\\, 1 Mill Lane\\, Leeds LS1 1AA', { name: 'Mill', address: '1 Mill Lane', city: 'Leeds', zip: 'LS1 1AA' }],
  [
    'Mill\\, Suite 5\\, 1200 Market Street\\, Boston',
    { name: 'Mill', address: 'Suite 5, 1200 Market Street', city: 'Boston' },
  ],
  ['Kino\\, Graben 7\\, 1010 Wien', { name: 'Kino', address: 'Graben 7', city: 'Wien', zip: '1010' }],
  // No addresses.
  ['Library\\, Room 3\\, 2nd floor', { name: 'Library, Room 3, 2nd floor' }],
  ['Town Hall\\, Big Room', { name: 'Town Hall, Big Room' }],
  ['12 River Lane', { name: '12 River Lane' }],
  ['Room 1\\; Room 2', [{ name: 'Room 1' }, { name: 'Room 2' }]],
  ['Kino\\; Graben 7\\; 1010 Wien', { name: 'Kino', address: 'Graben 7', city: 'Wien', zip: '1010' }],
  ['Microsoft Teams-Besprechung\\; Room 2', { name: 'Room 2' }],
];

for (const [location, venue] of PLACES)
  test(`place: ${location}`, () => assert.equal(read(`LOCATION:${location}`).venues, [venue].flat()));

/** Behind the name: street; code; town; state; country, as far as they are written. */
const ADDRESSES: { readonly [location: string]: string } = {
  'Melkweg, Lijnbaansgracht 234A, 1017 PH Amsterdam, Nederland': 'Lijnbaansgracht 234A; 1017 PH; Amsterdam; Nederland',
  'Muza, ul. Marcin 30, 61-805 Poznań, Polska': 'ul. Marcin 30; 61-805; Poznań; Polska',
  'Casa, Av. da Boavista 604-610, 4149-071 Porto, Portugal': 'Av. da Boavista 604-610; 4149-071; Porto; Portugal',
  'Sala, Praça Prestes, 16 - Campos, São Paulo - SP, 01218-020, Brasil':
    'Praça Prestes, 16, Campos; 01218-020; São Paulo; SP; Brasil',
  'Hall, Lime Street, Liverpool, England L1 1JJ, United Kingdom':
    'Lime Street; L1 1JJ; Liverpool; England; United Kingdom',
  'Scala, Via Filodrammatici, 2, 20121 Milano MI, Italia': 'Via Filodrammatici, 2; 20121; Milano; MI; Italia',
  'Opera, Hötorget 8, 103 87 Stockholm, Sverige': 'Hötorget 8; 103 87; Stockholm; Sverige',
  'Opera House, Bennelong Point, Sydney NSW 2000, Australia': 'Bennelong Point; 2000; Sydney; NSW; Australia',
  'Massey, 178 Victoria St, Toronto, ON, M5B 1T7': '178 Victoria St; M5B 1T7; Toronto; ON',
  'Müpa, Budapest, Komor u. 1, 1095, Hungary': 'Komor u. 1; 1095; Budapest; Hungary',
  'Abbey, 26/27 Abbey Street, Dublin 1, D01 K0F1, Ireland': '26/27 Abbey Street; D01 K0F1; Dublin 1; Ireland',
  'Esplanade, 1 Esplanade Dr, Singapore 038981': '1 Esplanade Dr; 038981; Singapore',
  'NCPA, NCPA Marg, Mumbai, Maharashtra 400021, India': 'NCPA Marg; 400021; Mumbai; Maharashtra; India',
  'Forum, 3 Chome-5-1, Chiyoda City, Tokyo 100-0005, Japan': '3 Chome-5-1; 100-0005; Chiyoda City; Tokyo; Japan',
  '세종문화회관, 서울특별시 종로구 세종대로 175, 03172': '종로구 세종대로 175; 03172; 서울특별시',
  'Sejong Center, 175 Sejong-daero, Jongno-gu, Seoul, South Korea': '175 Sejong-daero, Jongno-gu; Seoul; South Korea',
  '国家大剧院, 北京市西城区西长安街2号, 100031': '西城区西长安街2号; 100031; 北京市',
  '大剧院, 广东省广州市珠江西路1号, 510623, 中国': '珠江西路1号; 510623; 广州市; 广东省; 中国',
  'Teatro Colón, Cl. 10 #5-32, Bogotá, D.C., Colombia': 'Cl. 10 #5-32; Bogotá; D.C.; Colombia',
  'フォーラム, 日本、〒100-0005 東京都千代田区３丁目５−１': '千代田区３丁目５−１; 100-0005; 東京都; 日本',
  'Colón, Cerrito 628, C1010 Buenos Aires, Argentina': 'Cerrito 628; C1010; Buenos Aires; Argentina',
  'c-base (Rungestrasse 20, Berlin, Germany 10179)': 'Rungestrasse 20; 10179; Berlin; Germany',
  'Fort Mason - 2 Marina Boulevard, San Francisco, CA 94123': '2 Marina Boulevard; 94123; San Francisco; CA',
  'Kirche | Markt 7 | 17489 Greifswald': 'Markt 7; 17489; Greifswald',
  'Park\\nNew York, NY, United States': 'New York; NY; United States',
};

test('places of calendars in many countries have their address apart', () => {
  for (const [location, address] of Object.entries(ADDRESSES)) {
    const [venue = {}] = read(`LOCATION:${location.replaceAll(',', '\\,')}`).venues;
    const {
      name: _,
      address: street,
      zip,
      city,
      stateprovince,
      country,
    } = venue as { readonly [part: string]: string };
    assert.is([street, zip, city, stateprovince, country].filter(Boolean).join('; '), address, location);
  }
});

const NO_VENUES: readonly (readonly [written: string, isOnline: boolean])[] = [
  ...['TBA', 'To be announced', 'n/a', 'Register to See Address', 'Wird noch bekannt gegeben', '未定'].map(
    (written) => [written, false] as const,
  ),
  ...[
    'Zoom',
    'Zoom: https://zoom.us/j/1',
    'Zoom Webinar',
    'Virtual Event',
    'Online-Veranstaltung',
    'Événement en ligne',
  ].map((written) => [written, true] as const),
  ['Google Meet (instructions in description)', true],
  ['https://lu.ma/event/evt-1', false],
];

test('what stands for no place makes no venue, and what is online is', () => {
  for (const [written, isOnline] of NO_VENUES) {
    const { event, venues } = read(`LOCATION:${written}`);
    assert.equal([venues, event.input.online?.isVirtual ?? false], [[], isOnline], written);
  }
  assert.is(read('LOCATION:https://lu.ma/event/evt-1').event.input.website, 'https://lu.ma/event/evt-1');
  assert.is(read('LOCATION:Online Bar').venues.length, 1);
});

test('entities in plain texts of others are what they stand for', () => {
  const { event, venues } = read('DESCRIPTION:Tom &amp\\; Ann&#8217\\;s &lt\\;3', 'LOCATION:Hall &amp\\; Bar');
  assert.equal([event.input.description, venues], ['Tom & Ann’s &lt;3', [{ name: 'Hall & Bar' }]]);
});

test('prices, tickets and contacts of single programs are read, and an address without a scheme is told', () => {
  const { event, organizers } = read(
    ...['X-COST:$10', 'X-TICKETS-URL:https://hall.example/t', 'URL:hall.example/a'],
    'CONTACT:Bob\\; 555-1234\\; bob@hall.example',
  );
  const { cost, registrationUrl, website } = event.input;
  assert.equal([cost, registrationUrl, website], ['$10', 'https://hall.example/t', 'hall.example/a']);
  assert.equal(organizers, [{ name: 'Bob', email: 'bob@hall.example', phone: '555-1234' }]);
  assert.is(read('X-TRUMBA-CUSTOMFIELD;NAME="Cost";TYPE=SingleLine:$5').event.input.cost, '$5');
});

test('a place of Apple has a name, an address and coordinates, also without a LOCATION', () => {
  const apple =
    'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="12 River Lane\\\\n10115 Berlin\\\\nGermany";X-APPLE-RADIUS=70;' +
    'X-TITLE="Old Mill":geo:52.532000,13.384000';
  const venue = { ...OLD_MILL, coordinates: { lat: 52.532, lng: 13.384 } };
  assert.equal(read('LOCATION:Old Mill\\n12 River Lane\\n10115 Berlin\\nGermany', apple).venues, [venue]);
  assert.equal(read(apple).venues, [venue]);
});

test('a calendar says for its events who may see them, and in which zone they are', () => {
  const of = (...properties: readonly string[]) => {
    const event = ['BEGIN:VEVENT', 'UID:1', 'DTSTART:20270610T180000', 'SUMMARY:One', 'END:VEVENT'];
    const { input } = planned(['BEGIN:VCALENDAR', ...properties, ...event, 'END:VCALENDAR', ''].join('\r\n')).event;
    return [input.status ?? 'publish', input.times?.timezone];
  };
  assert.equal(of('X-CALENDARSERVER-ACCESS:PRIVATE'), ['private', 'Europe/Berlin']);
  assert.equal(of('X-WR-TIMEZONE:"America/New_York"'), ['publish', 'America/New_York']);
  assert.equal(of('TIMEZONE-ID:America/New_York'), ['publish', 'America/New_York']);
});

test('no place is at zero in both coordinates', () =>
  assert.equal(read('LOCATION:A', 'GEO:0.000000;0.000000').venues, [{ name: 'A' }]));

const ON_THE_EIGHTH: readonly (readonly [lines: readonly string[], what: string])[] = [
  [['STATUS:CANCELLED'], 'One canceled 2027-06-08 19:00:00 to 2027-06-08 20:30:00'],
  [
    ['SUMMARY:Two', 'DTSTART;TZID=Europe/Berlin:20270609T210000'],
    'Two undefined 2027-06-09 21:00:00 to 2027-06-09 22:30:00',
  ],
  [
    ['DTSTART;TZID=Europe/Berlin:20270608T210000', 'DURATION:PT1H'],
    'One undefined 2027-06-08 21:00:00 to 2027-06-08 22:00:00',
  ],
];

test('a date that does not say its name, begin or end has those of its series', () => {
  for (const [lines, what] of ON_THE_EIGHTH) {
    const text = [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:1', 'SUMMARY:One', 'RRULE:FREQ=WEEKLY;COUNT=3'],
      ...['DTSTART;TZID=Europe/Berlin:20270601T190000', 'DTEND;TZID=Europe/Berlin:20270601T203000', 'END:VEVENT'],
      ...['BEGIN:VEVENT', 'UID:1', 'RECURRENCE-ID;TZID=Europe/Berlin:20270608T190000', ...lines, 'END:VEVENT'],
      ...['END:VCALENDAR', ''],
    ];
    const [[date, single] = []] = planned(text.join('\r\n')).event.series?.overrides ?? [];
    const input = single?.input;
    assert.is(date, '2027-06-08 19:00:00');
    assert.is(`${input?.title} ${input?.eventStatus} ${input?.times?.start} to ${input?.times?.end}`, what);
  }
});

test('GEO takes a comma for a semicolon, and for a point', () => {
  for (const geo of ['52.5;13.4', '52.5,13.4', '52,5;13,4', '52,5,13,4'])
    assert.equal(read('LOCATION:A', `GEO:${geo}`).venues, [{ name: 'A', coordinates: { lat: 52.5, lng: 13.4 } }], geo);
});

const MEETINGS: readonly (readonly [lines: readonly string[], address: string | undefined])[] = [
  [['CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL="Join: here":https://meet.example/a'], 'https://meet.example/a'],
  [['CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+1', 'CONFERENCE:https://meet.example/b'], 'https://meet.example/b'],
  [['X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij'], 'https://meet.google.com/abc-defg-hij'],
  [['X-MICROSOFT-SKYPETEAMSMEETINGURL:https://teams.example/l'], 'https://teams.example/l'],
  [['LOCATION:https://zoom.us/j/1'], 'https://zoom.us/j/1'],
  [
    ['LOCATION:Microsoft Teams Meeting', 'DESCRIPTION:Join <https://teams.microsoft.com/l/meetup-join/19%3a?a=1> now'],
    'https://teams.microsoft.com/l/meetup-join/19%3a?a=1',
  ],
  [['DESCRIPTION:Join with Google Meet: https://meet.google.com/abc-defg-hij'], 'https://meet.google.com/abc-defg-hij'],
  [['LOCATION:Microsoft Teams Meeting'], undefined],
];

for (const [lines, virtualUrl] of MEETINGS)
  test(`meeting: ${lines.join(' with ').slice(0, 60)}`, () => {
    const { event, venues } = read(...lines);
    assert.equal(event.input.online, { isVirtual: true, ...(virtualUrl && { virtualUrl }) });
    assert.equal([venues, event.input.website], [[], undefined]);
  });

test('a link to a meeting beside a place is both, another link is none', () => {
  const { event, venues } = read('LOCATION:Hall\\; https://zoom.us/j/1', 'DESCRIPTION:See https://hall.example/');
  assert.equal([event.input.online?.virtualUrl, venues], ['https://zoom.us/j/1', [{ name: 'Hall' }]]);
  assert.is(read('LOCATION:Hall', 'DESCRIPTION:See https://hall.example/').event.input.online, undefined);
});

const PICTURES: readonly (readonly [line: string, image: string | undefined])[] = [
  ['IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/png:https://hall.example/a.png', 'https://hall.example/a.png'],
  ['ATTACH:https://hall.example/b.jpg?w=1', 'https://hall.example/b.jpg?w=1'],
  ['ATTACH;FMTTYPE=image/jpeg:https://hall.example/c', 'https://hall.example/c'],
  ['ATTACH:https://hall.example/d.pdf', undefined],
  ['ATTACH;FMTTYPE=application/pdf:https://hall.example/e.png', undefined],
];

for (const [line, image] of PICTURES) test(`picture: ${line}`, () => assert.is(read(line).event.input.image, image));

const besides = (further: object, ...lines: readonly string[]): Planned =>
  read(...lines, `X-DAYBOOK-EVENT:${JSON.stringify(further).replace(/[\\;,]/g, '\\$&')}`);

test('what a Daybook says besides is cleaned, and gives way to what was edited elsewhere', () => {
  const hostile = 'x<script>alert(1)</script><img src="x" onerror="alert(1)">';
  const { input } = besides({ description: hostile, excerpt: hostile }, 'DESCRIPTION:x').event;
  assert.not.match(JSON.stringify(input), /<script|onerror/);
  const rich = '<p>Doors at <b>19:30</b></p>';
  assert.is(besides({ description: rich }, 'DESCRIPTION:Doors at 19:30').event.input.description, rich);
  assert.is(besides({ description: rich }, 'DESCRIPTION:No doors').event.input.description, 'No doors');
  assert.is(besides({ description: '' }, 'DESCRIPTION:An excerpt').event.input.description, '');
  const site = { website: 'https://hall.example/' };
  const websiteOf = (...lines: readonly string[]) => besides(site, ...lines).event.input.website;
  assert.is(websiteOf('URL:https://cal.example/event/a/'), 'https://hall.example/');
  assert.is(websiteOf('URL:https://edited.example/'), 'https://edited.example/');
  assert.is(websiteOf(), undefined, 'taken out elsewhere');
  const venue = [{ venue: 'Hall', phone: '1' }];
  assert.equal(besides({ venue }, 'LOCATION:Hall').venues, [{ phone: '1', name: 'Hall' }]);
  assert.equal(besides({ venue }, 'LOCATION:Park').venues, [{ name: 'Park' }]);
  assert.equal(besides({ venue }).venues, []);
});

test('HTML without a text is none', () => {
  const empty =
    'X-ALT-DESC;FMTTYPE=text/html:<!DOCTYPE HTML><HTML><BODY>\\n<!-- Converted from text/rtf format --></BODY></HTML>';
  assert.is(read('DESCRIPTION:\\n', empty).event.input.description, '');
});

const anyName = fc.stringMatching(/^[A-Z][a-zäöü]{1,8}( [A-Z][a-z]{1,8}){0,2}$/).map((name) => name.trim());
const anyVenue: fc.Arbitrary<FeedVenue> = fc.record({
  name: anyName,
  address: fc.constantFrom(
    ['12 River Lane', '10115', 'Berlin', '', 'Germany'],
    ['', '10115', 'Berlin', '', ''],
    ['Graben 7', '3500', 'Krems', 'Niederösterreich', 'Austria'],
    ['1 High Street', '', 'Springfield', 'Ohio', 'United States'],
    ['', '', '', '', ''],
  ),
  coordinates: fc.option(fc.constant({ lat: 52.532, lng: 13.384 })),
});
const anyFeedEvent = fc.record({
  title: anyName,
  description: fc.constantFrom(
    '',
    '<p>First &lt;b&gt;line&lt;/b&gt; &amp; more<br />second</p>\n<p>third, \\ ; end</p>',
  ),
  onlineAt: fc.constantFrom('', 'https://meet.example/abc?x=1&y=2'),
  venues: fc.uniqueArray(anyVenue, { maxLength: 2, selector: ({ name }) => name }),
  organizers: fc.uniqueArray(
    fc.record({
      name: anyName,
      email: fc.constantFrom('', 'office@hall.example'),
      phone: fc.constantFrom('', '+49 30 1234567'),
      website: fc.constantFrom('', 'https://hall.example/'),
    }),
    { maxLength: 3, selector: ({ name }) => name },
  ),
  terms: fc.uniqueArray(fc.constantFrom('A;B', 'Food, Drink', 'x|y'), { maxLength: 3 }),
  image: fc.constantFrom(null, { url: 'https://hall.example/a.png', extension: 'png' }),
  status: fc.constantFrom('publish' as const, 'private' as const),
  eventStatus: fc.constantFrom('scheduled' as const, 'canceled' as const, 'postponed' as const),
  hours: fc.integer({ min: 0, max: 60 }),
  day: fc.integer({ min: 0, max: 400 }),
  isAllDay: fc.boolean(),
});

test('our own calendar read back is the same event', () => {
  fc.assert(
    fc.property(anyFeedEvent, ({ hours, day, terms, ...members }) => {
      const startsAt = Date.UTC(2027, 0, 1, 9) / 1000 + day * 86_400;
      const timed: Partial<FeedEvent> = during('Europe/Berlin', startsAt, startsAt + hours * 3_600);
      const named = terms.map((name) => ({ name, slug: name }));
      const event = someFeedEvent({ ...members, ...timed, terms: named });
      const zones = new Map([['Europe/Berlin', new Set([2026, 2027, 2028, 2029])]]);
      const surroundings = { host: 'cal.example', described: new Set(zones.keys()), presentation: PRESENTATION };
      const text = calendarHead('cal.example', zones) + eventComponent(event, surroundings) + CALENDAR_END;
      const back = planned(text);
      const { input } = back.event;
      assert.equal([input.title, input.image ?? null], [event.title, event.image?.url ?? null], text);
      const described = (input.description ?? '').replaceAll('\n', '<br>');
      assert.is(textOfHtml(described), textOfHtml(event.description), text);
      assert.is(input.online?.virtualUrl ?? '', event.onlineAt, text);
      assert.equal([input.status ?? 'publish', input.eventStatus], [event.status, event.eventStatus], text);
      const ends = event.isAllDay ? event.end.slice(0, 10) : event.end;
      const end = typeof input.times?.end === 'number' ? formatCivil(input.times.end) : input.times?.end;
      assert.equal([input.times?.allDay, end], [event.isAllDay, ends], text);
      const [pinned] = event.venues.filter(({ coordinates }) => coordinates !== null);
      const places = event.venues.map(({ name, address: [address, zip, city, stateprovince, country] }, at) => {
        const all = Object.entries({ name, address, zip, city, stateprovince, country });
        const coordinates = at === 0 && pinned?.coordinates;
        return { ...Object.fromEntries(all.filter(([, value]) => value)), ...(coordinates && { coordinates }) };
      });
      const sorted = (all: readonly object[]): string[] =>
        all.map((one) => JSON.stringify(Object.entries(one).sort())).sort();
      assert.equal(sorted(back.venues), sorted(places), text);
      const people = event.organizers.map((one) =>
        Object.fromEntries(Object.entries(one).filter(([, value]) => value)),
      );
      const [leader] = event.organizers.filter(({ email }) => email !== '');
      const written = people.map((one) =>
        leader && one.name === leader.name ? { name: leader.name, email: leader.email } : one,
      );
      assert.equal(sorted(back.organizers), sorted(written), text);
      assert.equal([...back.categories].sort(), [...terms].sort());
    }),
    { seed: 33, numRuns: 200 },
  );
});

test('a place of 256 KiB is read to its 2,000th character, whatever it is made of', () => {
  for (const part of ['-', 'ab ', 'a 1, ', '1', '('])
    assert.is(read(`LOCATION:${part.repeat((256 * 1_024) / part.length)}x`).venues.length <= 1, true, part);
});

test.run();
