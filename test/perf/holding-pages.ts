// What is asked of the service beside the lists and single reads of the API: pages, forms with files, series, other interfaces.
import type { Question } from './holding-requests.ts';
import { firstEventId, LARGE } from './sample-calendar.ts';

/** Below the root of the site. */
const page = (path: string, what: string, query?: Question['query']): Question => ({
  route: path,
  what,
  path,
  below: 'site',
  ...(query && { query }),
});

const FORM = 'application/x-www-form-urlencoded';

const monthAfter = (turn: number): string =>
  new Date(Date.now() + (40 + 30 * turn) * 86_400_000).toISOString().slice(0, 7);

const PAGES: readonly Question[] = [
  page('/', 'page: list'),
  page('/', 'page: search', (turn) => ({ search: ['garden history', 'music', '"e"'][turn % 3] ?? '' })),
  page('/', 'page: nine words', (turn) => ({
    search: `concert music garden history reading dance choir jazz f${turn}`,
  })),
  page('/', 'page: phrase of separators', () => ({ search: '", "' })),
  page('/', 'page: near', (turn) => ({ near: `52,-${turn}`, geoloc_radius: '20000' })),
  page(`/events/month/${monthAfter(0)}/`, 'page: month'),
  page(`/events/month/${monthAfter(1)}/`, 'page: month of a search', () => ({ search: 'er' })),
  page(`/events/day/${monthAfter(0)}-12/`, 'page: day'),
  page(`/event/event-${firstEventId(LARGE) + LARGE.events + 3}/`, 'page: very long event'),
  ...[6, 7, 8, 9].map((index) => ({
    ...page(`/event/event-${firstEventId(LARGE) + LARGE.events + index}/`, `page: another very long event, ${index}`),
    once: true as const,
  })),
  page('/venue/venue-1/', 'page: venue'),
  page('/sitemap.xml', 'sitemap'),
  page('/robots.txt', 'robots'),
  page('/submit', 'form for visitors'),
  {
    ...page('/submit', 'form for visitors, 100 kB'),
    ...{ method: 'POST', expected: 400, contentType: FORM },
    body: () => `title=x&description=${'%3Cb%3E'.repeat(14_000)}`,
  },
  page('/embed/events', 'embedded list', (turn) => ({ per_page: String(20 - turn) })),
];

const tags = (count: number): string =>
  Array.from({ length: count }, (_, index) => LARGE.categories + 1 + index).join(',');

/** What few ask for but those who mean no good. */
const ODD: readonly Question[] = [
  page('/', 'page: since 1990', (turn) => ({ start_date: '1990-01-01', page: String(1 + turn) })),
  page('/', 'page: many filters', (turn) => ({
    ...{ search: 'concert', categories: 'category-1,category-2', when: 'weekend', near: `52,-${turn}` },
    geoloc_radius: '20000',
  })),
  page('/', 'page: far on', (turn) => ({ page: String(2_000 + turn) })),
  {
    ...page('/', 'page: HEAD, many languages', (turn) => ({ page: String(20 + turn) })),
    method: 'HEAD',
    headers: { 'accept-language': 'de-DE;q=0.1,'.repeat(1_200) },
  },
  page(`/events/month/${monthAfter(2)}/`, 'page: month near', (turn) => ({
    near: `52,-${turn}`,
    geoloc_radius: '20000',
  })),
  {
    route: '/events.atom',
    what: 'the whole globe',
    query: (turn) => ({ geoloc_lat: '52', geoloc_lng: String(-turn), geoloc_radius: '20000' }),
  },
  {
    route: '/events.rss',
    what: 'tags, 500',
    query: (turn) => ({ tags: tags(500 - turn) }),
  },
  {
    route: '/events/{id}/why',
    what: 'many filters',
    path: `/events/${firstEventId(LARGE) + 7}/why`,
    query: (turn) => ({
      ...{ start_date: '1990-01-01', end_date: '2200-01-01', search: 'concert', tags: tags(400) },
      ...{ geoloc_lat: '52', geoloc_lng: String(-turn), geoloc_radius: '20000' },
    }),
  },
  ...(
    [
      ['If-None-Match of 14 kB', 'if-none-match', '"abc", '.repeat(2_000)],
      ['Accept-Encoding of 14 kB', 'accept-encoding', 'gzip;q=0.5,br;q=0.4,'.repeat(700)],
      ['Range of 14 kB', 'range', 'bytes=0-0,'.repeat(1_400)],
      ['Cookie of 15 kB', 'cookie', 'a=b; '.repeat(3_000)],
    ] as const
  ).map(
    ([what, name, value]): Question => ({
      ...{ route: '/events', what, headers: { [name]: value }, query: (turn) => ({ page: String(5 + turn) }) },
    }),
  ),
  ...(
    [
      ['ampersands', '&'.repeat(15_000), 400],
      ['brackets', `a${'[b]'.repeat(4_900)}=1`, 400],
      ['blanks', `search=${'+'.repeat(15_000)}`, 200],
      ['combining accents', `search=a${'%CC%A3%CC%81'.repeat(1_200)}`, 200],
    ] as const
  ).map(
    ([what, query, expected]): Question => ({
      ...{ route: '/events', what: `a query of ${what}`, path: `/events?${query}`, expected },
    }),
  ),
];

const SHIMS: readonly Question[] = [
  '/wp-json/wp/v2/tags',
  '/wp-json/wp/v2/media',
  '/wp-json/tribe/events/v1/events',
].map((path) => ({
  ...page(path, 'other interface', (turn) => ({ per_page: String(50 - turn) })),
  ...(path.endsWith('media') && { signedIn: true as const }),
}));

const BOUNDARY = 'daybook';
const part = (headers: string, content: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`;
const formOf = (parts: string): string => `${parts}--${BOUNDARY}--\r\n`;
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const BYTES = 900_000;

const repeated = (text: string, bytes = BYTES): string => text.repeat(Math.floor(bytes / text.length));

/** JSON that costs a parser most, each refused or not what an event is. */
const objects = (names: number): string => {
  let name = 0;
  const texts: string[] = [];
  for (let bytes = 0; bytes < BYTES; ) {
    const text = `{${Array.from({ length: names }, () => `"k${name++}":1`).join()}}`;
    texts.push(text);
    bytes += text.length + 1;
  }
  return `{"title":"x","start_date":"now","end_date":"now","venue":[${texts.join()}]}`;
};

const sent = (what: string, body: () => string, contentType = 'application/json', route = '/events'): Question => ({
  ...{ route, what, method: 'POST', expected: 400, contentType, body },
});

const ofDesk = { below: 'site', expected: 401, origin: 'own' } as const;

const BODIES: readonly Question[] = [
  sent('a description of &, anonymous', () => JSON.stringify({ title: 'x', description: '&'.repeat(250_000) })),
  sent('objects with a name each, anonymous', () => objects(1)),
  sent('objects with 1,900 names each, anonymous', () => objects(1_900)),
  sent('empty objects, anonymous', () => `{"title":[${repeated('{},')}{}]}`),
  sent('nested lists, anonymous', () => `{"title":[${repeated('[[[[[[1]]]]]],')}1]}`),
  sent(
    'as many values as may be, anonymous',
    () => `{"title":"x","start_date":"now","end_date":"now","venue":[${'{"venue":"x"},'.repeat(12_000)}1]}`,
  ),
  sent('500 venues with all fields, anonymous', () =>
    JSON.stringify({
      ...{ title: 'x', start_date: 'now', end_date: 'never' },
      venue: Array.from({ length: 500 }, (_, index) => ({
        ...{ venue: `V ${index}`, description: 'd'.repeat(1_000), address: 'a', city: 'c', country: 'x', zip: '1' },
        ...{ website: 'https://example.org', phone: '1', show_map: true, show_map_link: false },
      })),
    }),
  ),
  sent('a form of small parts, anonymous', () => formOf(repeated(part('name="a"', '1'))), MULTIPART),
  sent('a form of as many parts as may be, anonymous', () => formOf(part('name="a"', '1').repeat(2_000)), MULTIPART),
  sent(
    'a form of a file of lines, anonymous',
    () => formOf(part('name="a"; filename="a"', repeated('\r\n--'))),
    MULTIPART,
  ),
  ...(
    [
      ['boundaries alone', '--daybook\r\n'],
      ['parts without headers', '--daybook\r\n\r\n'],
      ['beginnings of a boundary', '\r\n--'],
    ] as const
  ).flatMap(([what, text]): Question[] => [
    sent(`a form of ${what}, anonymous`, () => repeated(text), MULTIPART.replace('m', 'M')),
    {
      ...sent(`a form of ${what}, anonymous`, () => repeated(text), MULTIPART.replace('m', 'M'), '/desk/pictures'),
      ...ofDesk,
    },
  ]),
  ...(
    [
      ['percent sequences that are no characters', 'a=', '%C3%28'],
      ['percent sequences, every other one broken', 'a=', '%41%zz'],
      ['blanks', 'a=', '+'],
      ['NULs', 'a=', '%00'],
      ['broken pairs', '', `${'%41%zz'.repeat(38)}=%C3%28&`],
      ['brackets', 'a', '[b]'],
    ] as const
  ).map(([what, name, text]) => sent(`${what}, anonymous`, () => `${name}${repeated(text)}`, FORM)),
  {
    ...sent(
      '1,900 fields, anonymous',
      () => formOf(part('name="a"', '<'.repeat(400)).repeat(1_900)),
      MULTIPART,
      '/desk/events',
    ),
    ...ofDesk,
  },
  {
    ...sent(
      'a short form, anonymous',
      () => formOf(part('name="a"', '<'.repeat(20)).repeat(600)),
      MULTIPART,
      '/desk/events',
    ),
    ...ofDesk,
  },
  sent('a form of long headers, anonymous', () => formOf(part(`name="a"; ${repeated('x="1"; ')}`, '1')), MULTIPART),
  {
    ...sent(
      'a file, anonymous',
      () => formOf(part('name="file"; filename="a.png"', repeated('png'))),
      MULTIPART,
      '/media',
    ),
    expected: 401,
  },
];

export const OTHER_QUESTIONS: readonly Question[] = [
  ...PAGES,
  ...ODD,
  ...SHIMS,
  ...BODIES,
  { route: '/media', what: 'everything', signedIn: true, query: (turn) => ({ per_page: String(50 - turn) }) },
  { route: '/series', what: 'everything', query: (turn) => ({ per_page: String(50 - turn) }) },
  { route: '/metrics', what: 'metrics', path: '/metrics', below: 'site' },
];
