// The worst that each route can be asked for. `turn` makes every try another request, so that no answer is a repeated one.
import { CHANGED, DEEPEST_CATEGORY, FIRST_HUGE, HUGE_PARENT, longest } from './holding-calendar.ts';
import { firstEventId, LARGE } from './sample-calendar.ts';

export interface Question {
  readonly route: string;
  readonly what: string;
  readonly query?: (turn: number) => { readonly [name: string]: string };
  readonly path?: string;
  /** Absent: below the root of the API. */
  readonly below?: 'site';
  readonly method?: string;
  readonly body?: (turn: number) => string;
  readonly contentType?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly signedIn?: true;
  /** Sent as by a form of the site itself. */
  readonly origin?: 'own';
  /** Makes something that everything after it finds: only the first try counts. */
  readonly once?: true;
  readonly expected?: number;
}

const ALWAYS = { start_date: '1990-01-01', end_date: '2200-01-01' };
/** Makes another list of the same events. */
const fresh = (turn: number) => ({ ...ALWAYS, starts_before: `2199-01-${10 + turn}` });
const ids = (first: number, count: number, step = 1): string =>
  Array.from({ length: count }, (_, index) => first + index * step).join(',');
const NINE = 'concert music garden history reading dance choir jazz film';
/** What a URL of 16 KiB has room for, with everything else that it says. */
const LONG = 15_000;

type Filters = readonly (readonly [what: string, filters: { readonly [name: string]: string }])[];

const EVENT_FILTERS: Filters = [
  ['everything', {}],
  ['a common word', { search: 'concert' }],
  ['nine common words', { search: NINE }],
  ['a letter of each text', { search: '"e"' }],
  ['part of many words', { search: 'er' }],
  ['nine pairs of letters', { search: 'er co ar en in re al wa us' }],
  ['a phrase of two words', { search: '"garden history"' }],
  ['a phrase of separators', { search: '", "' }],
  ['all but a letter', { search: '-"zz" -"e"' }],
  ['a phrase as long as can be', { search: `"${'reading dance '.repeat(14)}"` }],
  ['more than nine words', { search: 'music garden '.repeat(15) }],
  ['categories, all of them', { categories: ids(1, LARGE.categories) }],
  ['the deepest categories', { categories: ids(LARGE.categories + LARGE.tags + 1, 200) }],
  ['tags, 500', { tags: ids(LARGE.categories + 1, 500) }],
  ['venues, 500', { venue: ids(1, 500, 4) }],
  ['organizers, 500', { organizer: ids(LARGE.venues + 1, 500) }],
  [
    'venues, organizers and tags, 500 each',
    {
      venue: ids(1, 500, 4),
      organizer: ids(LARGE.venues + 1, 500),
      tags: ids(LARGE.categories + 1, 500),
    },
  ],
  ['events by their ids, 500', { include: ids(firstEventId(LARGE), 500, 199) }],
  ['neither featured nor with tickets', { featured: '0', ticketed: '0' }],
  ['with a place', { geoloc: '1' }],
  ['without a place', { geoloc: '0' }],
  ['the whole globe, nearest first', { geoloc_lat: '52', geoloc_lng: '-1', geoloc_radius: '20000' }],
  ['half the country, with a word', { geoloc_lat: '52', geoloc_lng: '-1', geoloc_radius: '200', search: 'concert' }],
  ['of an event, very long', { post_parent: String(HUGE_PARENT) }],
  ['a category and a word', { categories: ids(1, 25), search: 'music' }],
];

const lists = (filters: Filters, route: string, own: { readonly [name: string]: string } = {}): Question[] =>
  filters.map(([what, sent]) => ({ route, what, query: (turn) => ({ ...fresh(turn), ...own, ...sent }) }));

/** `per_page` makes another list of each. */
const others = (route: string, filters: Filters): Question[] =>
  filters.map(([what, sent]) => ({ route, what, query: (turn) => ({ per_page: String(50 - turn), ...sent }) }));

const LINKED: Filters = [
  ['everything', {}],
  ['the last page', { page: '9' }],
  ['a word', { search: 'garden' }],
  ['many letters', { search: 'a b c d e f g h i j k l m n o p q r s t u v w x y z' }],
  ['a word as long as can be', { search: 'e'.repeat(LONG) }],
  ['with events', { has_events: '1' }],
  ['without events', { has_events: '0' }],
  ['with events ahead', { only_with_upcoming: '1' }],
  ['of an event', { event: String(firstEventId(LARGE)) }],
];

const TERMS: Filters = [
  ['everything', { hide_empty: '0' }],
  ['by count', { hide_empty: '0', orderby: 'count' }],
  ['a word', { hide_empty: '0', search: 'e' }],
];

/** Every fact of the sample calendar was recorded on 1 January 2026: there is one calendar of the past. */
const AS_OF = { as_of: '2026-02-01 00:00:00' };

const escaped = (text: string): string => JSON.stringify({ title: 'x', description: text });
const hostile: readonly (readonly [what: string, text: string])[] = [
  ['&', '&'],
  ['<', '<'],
  ['<b>', '<b>'],
  ['"', '"'],
  ["'", "'"],
  ['\\n', '\n'],
  ['&amp;', '&amp;'],
  ['<a href="', '<a href="'],
  ['<p><b><i>', '<p><b><i>'],
  ['1x1x', '1x1x'],
  ['words', 'word '],
];

export const QUESTIONS: readonly Question[] = [
  ...lists(EVENT_FILTERS, '/events'),
  ...lists([['everything, page 2000', {}]], '/events', { per_page: '50', page: '2000' }),
  ...lists([['everything, page 1000', {}]], '/events', { per_page: '50', page: '1000' }),
  ...lists([['of an event, 50 very long ones', { post_parent: String(HUGE_PARENT) }]], '/events', { per_page: '50' }),
  ...lists([['50 very long ones in an envelope', { post_parent: String(HUGE_PARENT) }]], '/events', {
    per_page: '50',
    _envelope: '1',
  }),
  ...lists([['50 very long ones, some fields', { post_parent: String(HUGE_PARENT) }]], '/events', {
    per_page: '50',
    _fields: 'events,total',
  }),
  ...lists(EVENT_FILTERS, '/events.ics'),
  {
    route: '/events',
    what: 'search in a body of 900 kB',
    expected: 400,
    body: (turn) => JSON.stringify({ ...fresh(turn), search: 'music garden '.repeat(69_000) }),
  },
  {
    route: '/events',
    what: 'a form of 900 kB',
    expected: 400,
    contentType: 'application/x-www-form-urlencoded',
    method: 'POST',
    body: () => 'a=%41&'.repeat(150_000),
  },
  {
    route: '/events',
    what: 'JSON of 900 kB, anonymous',
    expected: 400,
    method: 'POST',
    body: () =>
      JSON.stringify({
        title: 'x',
        start_date: 'now',
        end_date: 'now',
        venue: Array.from({ length: 30_000 }, () => ({ venue: 'x', a: [1] })),
      }),
  },
  { route: '/events/{id}', what: 'very long', path: `/events/${FIRST_HUGE + 1}` },
  {
    route: '/events/{id}',
    what: '2,500 changes, as of',
    path: `/events/${CHANGED}`,
    query: (turn) => ({ as_of: `2026-02-01 00:00:0${turn}` }),
  },
  { route: '/events/{id}.ics', what: 'very long', path: `/events/${FIRST_HUGE + 1}.ics` },
  { route: '/events/by-slug/{slug}', what: 'very long', path: `/events/by-slug/event-${FIRST_HUGE + 2}` },
  { route: '/events.rss', what: 'very long ones' },
  { route: '/events.atom', what: 'very long ones' },
  { route: '/events.rss', what: 'a common word', query: (turn) => ({ search: `concert ${turn}` }) },
  ...[16, 17, 18, 19].map(
    (index): Question => ({
      route: '/events/{id}.ics',
      what: `another very long one, ${index}`,
      path: `/events/${FIRST_HUGE + index}.ics`,
      once: true,
    }),
  ),
  ...others('/venues', LINKED),
  ...others('/organizers', LINKED),
  ...others('/categories', TERMS),
  ...others('/tags', TERMS),
  {
    route: '/tags',
    what: 'include and exclude, 500',
    query: (turn) => ({ hide_empty: '0', include: ids(51, 500), exclude: ids(51, 499 - turn) }),
  },
  { route: '/categories/{id}', what: 'the deepest', path: `/categories/${DEEPEST_CATEGORY}` },
  { route: '/events', what: 'as of an instant, first', query: (turn) => ({ ...fresh(turn), ...AS_OF }), once: true },
  {
    route: '/events',
    what: 'as of an instant, first that searches',
    query: (turn) => ({ ...fresh(turn), ...AS_OF, search: 'zz' }),
    once: true,
  },
  ...EVENT_FILTERS.filter(([what]) => what !== 'everything').map(
    ([what, sent]): Question => ({
      route: '/events',
      what: `as of an instant, ${what}`,
      query: (turn) => ({ ...fresh(turn), ...sent, ...AS_OF }),
    }),
  ),
  {
    route: '/venues',
    what: 'as of an instant',
    query: (turn) => ({ per_page: String(50 - turn), ...AS_OF }),
  },
  {
    route: '/categories',
    what: 'as of an instant',
    query: (turn) => ({ per_page: String(50 - turn), ...AS_OF }),
  },
  { route: '/', what: 'index', path: '/' },
  {
    route: '/doc',
    what: 'in another language each time',
    query: (turn) => ({ _locale: ['fr', 'de', 'es', 'it', 'nl'][turn % 5] ?? 'fr' }),
  },
  {
    route: '/doc',
    what: 'some fields',
    query: (turn) => ({
      _fields: ['paths', 'components', 'paths./events', 'components.schemas.Event.properties'][turn % 4] ?? '',
    }),
  },
  { route: '/users', what: 'signed in', signedIn: true },
  ...EVENT_FILTERS.map(
    ([what, sent]): Question => ({
      route: '/events/{id}/why',
      what,
      path: `/events/${firstEventId(LARGE) + 7}/why`,
      query: (turn) => ({ ...fresh(turn), ...sent }),
    }),
  ),
  {
    route: '/events/compare',
    what: 'everything, by two instants',
    query: (turn) => ({ ...fresh(turn), from: AS_OF.as_of, per_page: '50' }),
  },
  {
    route: '/events/compare',
    what: 'everything, signed in',
    query: (turn) => ({ ...fresh(turn), from: AS_OF.as_of, per_page: '50' }),
    signedIn: true,
  },
  {
    route: '/events/{id}/compare',
    what: '2,500 changes',
    path: `/events/${CHANGED}/compare`,
    query: (turn) => ({ from: String(turn) }),
    signedIn: true,
  },
  {
    route: '/events/{id}/compare',
    what: 'very long',
    path: `/events/${FIRST_HUGE + 1}/compare`,
    query: () => ({ from: '0' }),
    signedIn: true,
  },
  ...[0, 2].map(
    (kind): Question => ({
      route: '/events/{id}/compare',
      what: `two texts of 256 KiB, ${kind}`,
      path: `/events/${FIRST_HUGE + 40 + kind}/compare`,
      query: () => ({ from: '0', to: '1' }),
      signedIn: true,
    }),
  ),
  {
    route: '/events/{id}/history',
    what: 'two texts of 256 KiB',
    path: `/events/${FIRST_HUGE + 40}/history`,
    signedIn: true,
  },
  {
    route: '/events/{id}/history',
    what: '2,500 changes, signed in',
    path: `/events/${CHANGED}/history`,
    signedIn: true,
  },
  { route: '/changes', what: 'signed in', signedIn: true, query: (turn) => ({ per_page: String(50 - turn) }) },
  {
    route: '/events/{id}',
    what: 'PATCH after 2,500 changes',
    path: `/events/${CHANGED}`,
    method: 'PATCH',
    signedIn: true,
    body: (turn) => JSON.stringify({ title: `Again ${turn} ${Date.now()}` }),
  },
  ...hostile.map(
    ([what, text]): Question => ({
      route: '/events/{id}',
      what: `PATCH with 256 KiB of ${what}`,
      path: `/events/${FIRST_HUGE}`,
      method: 'PATCH',
      signedIn: true,
      body: (turn) => escaped(`${turn}${longest(text).slice(1)}`),
    }),
  ),
];
