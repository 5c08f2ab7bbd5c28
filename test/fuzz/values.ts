// Values to send: what parameters are meant for, what nearly is, and what no sane client would send.
import type { Choices } from './choices.ts';

/** What has ids, as paths call it. */
export const SPACES = ['events', 'venues', 'organizers', 'categories', 'tags', 'users'] as const;
export type Space = (typeof SPACES)[number];

/** What values may speak of. */
export interface Words {
  readonly ids: { readonly [Of in Space]: readonly number[] };
  /** Slugs, names and titles of resources, existing ones among them. */
  readonly names: readonly string[];
  readonly passwords: readonly string[];
}

/** As JSON text. */
export type JsonText = string;

const DATES = [
  ...[
    '2026-12-21',
    '2026-12-21 10:00:00',
    '2026-12-21T10:00:00Z',
    '2026-12-21T10:00:00+05:30',
    'tomorrow',
    '1798000000',
  ],
  ...['now', 'yesterday noon', 'next monday', '+1 week', 'last day of february 2027', '@1798000000', '21 Dec 2026 8pm'],
];
const ABSURD_DATES = [
  ...[
    '0000-00-00',
    '2027-02-30',
    '9999-12-31 23:59:59',
    '-9999-01-01',
    '275760-09-13',
    '2026-13-01',
    '2026-12-21T25:00Z',
  ],
  ...[
    '99999999999999999999',
    '1e400',
    '-1',
    '0',
    'the day after',
    '+999999999999 years',
    '2026-12-21T10:00:00+99:99',
    '٢٠٢٦-١٢-٢١',
  ],
  ...[
    'last day of',
    '@',
    '@1e9',
    '2026-366',
    '2026-W53-7',
    'first monday of',
    'noon noon noon',
    '1970-01-01',
    '0001-01-01 00:00:00',
  ],
];

const HOSTILE_TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1.5',
    '1e1',
    '0x10',
    'NaN',
    'Infinity',
    '-0',
    '1e400',
    '9007199254740993',
    '18446744073709551616',
  ],
  ...[
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
    '[object Object]',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ],
  ...[
    '\0',
    'a\0b',
    'a\r\nX-Evil: 1',
    '\u2028\u2029',
    '\u202eabc',
    '\ufeff',
    '\ud800',
    'x\udfff',
    '\u{1f600}\u{1f3fd}',
    'İıßſ',
    '日本 語',
  ],
  ...[
    "'; DROP TABLE event; --",
    '" OR 1=1',
    '%',
    '_',
    '%%',
    '*',
    '\\',
    '\\u0000',
    '../../etc/passwd',
    '#{7*7}',
    '{{7*7}}',
    '<script>alert(1)</script>',
  ],
  ...[
    '<b onclick=x>y</b>',
    '&#0;',
    '&amp;amp;',
    '<![CDATA[',
    ']]>',
    '--',
    '"',
    "'",
    '`',
    '|',
    ';',
    ',',
    ',,,',
    'a,b',
    '(',
    '((((',
    '-',
    '-a',
    '"a',
    '[[',
  ],
  ...['a'.repeat(300), 'é'.repeat(5_000), '9'.repeat(400), 'a '.repeat(200), ','.repeat(700), '('.repeat(2_000)],
];

const HOSTILE_JSON: readonly JsonText[] = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '-1',
    '1.5',
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740993',
    '123456789012345678901234567890',
  ],
  ...[
    '[]',
    '{}',
    '[[]]',
    '[null]',
    '[{}]',
    '{"a":1}',
    '{"0":"a","1":"b"}',
    '{"length":3}',
    '[1,[2,[3]]]',
    '[true]',
    '["","",""]',
  ],
  ...[
    '{"__proto__":{"role":"administrator"}}',
    '{"constructor":{"prototype":{"role":"administrator"}}}',
    '{"toString":1,"valueOf":2}',
  ],
  ...[
    '"\\ud800"',
    '"\\u0000"',
    '"a\\u0000b"',
    '{"id":{"id":1}}',
    '{"id":-1}',
    '{"id":1e400}',
    '{"venue":null}',
    '[{"organizer":[]}]',
  ],
  ...[
    `${'['.repeat(60)}${']'.repeat(60)}`,
    `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
    `[${'1,'.repeat(600)}1]`,
    `"${'x'.repeat(70_000)}"`,
  ],
];

const BROKEN_JSON: readonly JsonText[] = [
  'NaN',
  'undefined',
  "'a'",
  '01',
  '+1',
  '.5',
  '1.',
  '"\\x"',
  '"',
  '[1,',
  '{"a"',
  '\u0000',
  '/* */1',
];

/** What is fine nearly always, and what is fine sometimes or never. */
type Family = readonly [names: RegExp, likely: readonly string[], odd: readonly string[]];

/** Parameters that mean the same under any route, by what their names say. */
const FAMILIES: readonly Family[] = [
  [/^(?:start_date|end_date|date|date_utc|starts_\w+|ends_\w+)$/, DATES, ABSURD_DATES],
  [
    /^as_of$/,
    ['2026-11-20T12:30:00Z', '2026-11-20T13:30:00Z', '2026-11-20T14:00:00Z'],
    ['2099-01-01', '1990-01-01', '2026-11-20T12:00:00Z', 'now'],
  ],
  [/^page$/, ['1', '1', '2'], ['3', '999999', '0', '-1']],
  [/^per_page$/, ['1', '3', '50'], ['51', '999999', '0', '-1']],
  [/^revision$/, ['0', '1', '2'], ['3', '7', '99999', '-1']],
  [/^after$/, ['', 'end', '0000000000000010', '0000000000000200'], ['9999999999999999', '0', 'x']],
  [/^types$/, ['event', 'venue,organizer', 'EventRescheduled', 'tag', 'category'], ['user', 'UserAdded', '', 'x']],
  // A request that waits would hold up the run.
  [/^wait$/, ['0'], ['-5', 'x', '', '0.4']],
  [
    /^status$/,
    ['publish', 'draft', 'pending', 'private', 'future'],
    ['trash', 'any', 'auto-draft', 'inherit', 'draft,pending', '', 'x'],
  ],
  [
    /^timezone$/,
    ['Europe/Paris', 'America/New_York', 'UTC', 'UTC+5:30', '+02:00', 'EST', ''],
    ['Nowhere/Land', 'UTC+99', 'Z', 'utc'],
  ],
  [
    /^cost$/,
    ['20', '$5', 'Free', '0', '10 - 20', '1,234.50', '€15,50', 'Donation', ''],
    ['-5', '9'.repeat(20), '$', 'NaN'],
  ],
  [
    /^(?:website|image)$/,
    ['https://a.example/x?y=1', 'http://a.example/b.png'],
    ['ftp://a.example', 'javascript:alert(1)', 'mailto:a@b.example', '//a', '', '5'],
  ],
  [/^geoloc_radius$/, ['25', '100'], ['0', '-1', '1e9']],
  [/^geo/, ['50', '8', '51.5'], ['-90', '90.0001', '0', '', '1e2', '180', 'true']],
  [/^(?:order|orderby)$/, ['asc', 'desc', 'name', 'count', 'id', 'slug'], ['DESC', 'include', 'none', 'x']],
  [/^role$/, ['editor', 'author', 'contributor', 'subscriber'], ['administrator', 'king', '']],
  [
    /^(?:featured|ticketed|all_day|sticky|show_\w+|hide_\w+|has_events|only_\w+|geoloc|strict_dates)$/,
    ['true', 'false', '1', '0'],
    ['yes', 'no', 'on', 'TRUE', '', '2'],
  ],
  [/^event_status$/, ['scheduled', 'canceled', 'postponed', 'canceled,postponed'], ['cancelled', 'x', '']],
  [/^cancelled$/, ['status', 'prefix', 'omit'], ['yes', '']],
  [/^context$/, ['edit', 'view', 'embed'], ['x', '']],
  [/^login$/, Array.from({ length: 12 }, (_, count) => `login${count}`), ['author', 'a b', '']],
  [/^email$/, ['a@b.example', 'c@d.example', ''], ['a', '@', 'a@b@c']],
];

/** Parameters that hold ids, and of what. */
const REFERENCES: { readonly [name: string]: Space } = {
  venue: 'venues',
  organizer: 'organizers',
  include: 'events',
  post: 'events',
  event: 'events',
  post_parent: 'events',
  parent: 'categories',
  categories: 'categories',
  tags: 'tags',
  exclude: 'tags',
  author: 'users',
};

/** An id of this sort, most of the time. */
export const idOf = ({ one, once }: Choices, { ids }: Words, space: Space): number =>
  once(8) ? one([...Object.values(ids).flat(), 1, 2, 5_000]) : one(ids[space]);

function references(choose: Choices, words: Words, space: Space): string {
  const { once, one, below } = choose;
  const isNamed = space === 'categories' || space === 'tags';
  const count = 1 + (once(3) && space !== 'users' ? below(3) : 0);
  return Array.from({ length: count }, () =>
    isNamed && once(3) ? one(words.names) : idOf(choose, words, space),
  ).join();
}

/** A value such as the parameter is meant for, mostly. */
export function likelyValue(choose: Choices, words: Words, name: string): string {
  const { one, once } = choose;
  const space = Object.hasOwn(REFERENCES, name) ? REFERENCES[name] : undefined;
  if (space) return references(choose, words, space);
  if (name === 'password') return one(words.passwords);
  const family = FAMILIES.find(([pattern]) => pattern.test(name));
  if (family) return one(once(9) ? family[2] : family[1]);
  return once(2) ? one(words.names) : `Text ${choose.below(200)}`;
}

export function hostileText(choose: Choices, name: string): string {
  const text = choose.one(HOSTILE_TEXTS);
  return name === 'wait' && Number(text) > 0 ? '0' : text;
}

/** What may stand as the value of a member in a JSON body. */
export function likelyJson(choose: Choices, words: Words, name: string): JsonText {
  const text = likelyValue(choose, words, name);
  if (/^-?\d+$/.test(text) && choose.once(2)) return String(Number(text));
  if ((text === 'true' || text === 'false') && choose.once(2)) return text;
  if (name === 'venue' && choose.once(3)) return JSON.stringify({ venue: choose.one(words.names), city: 'Leeds' });
  if (name === 'organizer' && choose.once(3))
    return JSON.stringify([{ organizer: choose.one(words.names) }, idOf(choose, words, 'organizers')]);
  if (text.includes(',') && choose.once(2)) return JSON.stringify(text.split(','));
  return JSON.stringify(text);
}

/** Objects where none are expected: without a text of their own, or with one that is none. */
const TREES: readonly JsonText[] = [
  '{"a":{"b":1}}',
  '{"toString":1,"valueOf":2}',
  '{"toString":null}',
  '[[[]]]',
  '[{"toString":1}]',
];

export function hostileJson(choose: Choices, name: string): JsonText {
  if (name === 'wait') return choose.once(2) ? '0' : choose.one(TREES);
  if (choose.once(40)) return choose.one(BROKEN_JSON);
  if (choose.once(4)) return choose.one(TREES);
  return choose.once(2) ? choose.one(HOSTILE_JSON) : JSON.stringify(hostileText(choose, name));
}
