// Random calendars, changes to them, and questions to ask of them. Small numbers everywhere, so that resources meet:
// equal starts, shared venues, lives that match or just do not.
import fc from 'fast-check';
import {
  type EventLabel,
  LABEL_PARAMETERS,
  type LabelParameter,
  labelOf,
} from '../../src/calendar/event/domain/event-labels.ts';
import { EVENT_STATUSES } from '../../src/calendar/event/domain/event-status.ts';
import { EVENT_TRAITS, LISTED_FLAGS, type ListedFlag } from '../../src/calendar/event/domain/event-traits.ts';
import { POST_STATUSES } from '../../src/calendar/resource/domain/post.ts';
import { foldLetters } from '../../src/kernel/text/ascii-folding.ts';
import type { Document, DocumentLink, EventDocument } from '../../src/read-model/documents.ts';
import {
  type EventAccess,
  type EventQuery,
  type LinkedPostQuery,
  NO_POSTS,
  type TermQuery,
  type TimeBounds,
  type Visibility,
} from '../../src/read-model/queries.ts';
import type { DocumentChange } from '../../src/read-model/read-model.ts';
import { category, event, organizer, removed, saved, seriesOfDates, tag, venue } from './documents.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Wall-clock zones as offsets before and after the clocks change, in hours, and when they change (UTC). */
const ZONES = [
  { before: 0, after: 0, change: 0 },
  { before: -5, after: -4, change: Date.UTC(2027, 2, 14, 7) / 1_000 },
  { before: 1, after: 2, change: Date.UTC(2027, 2, 28, 1) / 1_000 },
  { before: 11, after: 10, change: Date.UTC(2027, 3, 3, 16) / 1_000 },
  { before: 5.75, after: 5.75, change: 0 },
  { before: -12, after: -12, change: 0 },
] as const;

type Zone = (typeof ZONES)[number];

/** A wall-clock time, as if it were UTC, as an instant. */
const instant = (wall: number, { before, after, change }: Zone): number =>
  wall - before * HOUR < change ? wall - before * HOUR : wall - after * HOUR;

const FIRST_DAY = Date.UTC(2027, 2, 13) / 1_000;

const days = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 16 }), weight: 6 },
  { arbitrary: fc.integer({ min: -800, max: 800 }), weight: 1 },
);
const timeOfDay = fc.constantFrom(0, 1, HOUR, 2.5 * HOUR, 19 * HOUR, DAY - 1);

/** Of all kinds: a moment, an evening, past midnight, whole days, weeks, years. */
const lengths = fc.oneof(
  fc.constantFrom(0, 1, HOUR, 3 * HOUR, 8 * HOUR, DAY, 2 ** 17, 2 ** 17 - 1),
  fc.integer({ min: 1, max: 60 }).map((some) => some * DAY - 1),
  fc.integer({ min: 1, max: 3 }).map((some) => some * 366 * DAY),
);

const anyTimes = fc
  .record({ day: days, time: timeOfDay, length: lengths, zone: fc.constantFrom(...ZONES), allDay: fc.boolean() })
  .map(({ day, time, length, zone, allDay }) => {
    const start = FIRST_DAY + day * DAY + (allDay ? 0 : time);
    const end = allDay ? start + Math.ceil((length + 1) / DAY) * DAY - 1 : start + length;
    const startsAt = instant(start, zone);
    return { startsAt, endsAt: Math.max(startsAt, instant(end, zone)) };
  });

/** Some events share their times to the second. */
const times = fc.oneof(
  { arbitrary: anyTimes, weight: 3 },
  {
    arbitrary: fc.constantFrom(...ZONES.slice(0, 2)).map((zone) => {
      const startsAt = instant(FIRST_DAY + DAY, zone);
      return { startsAt, endsAt: startsAt + 2 * DAY };
    }),
    weight: 1,
  },
);

const instants = fc.oneof(
  times.map(({ startsAt }) => startsAt),
  times.map(({ endsAt }) => endsAt),
  // Where the usual events begin, so that bounds meet them.
  fc.constantFrom(...ZONES.slice(0, 2)).map((zone) => instant(FIRST_DAY + DAY, zone)),
  fc.tuple(days, fc.constantFrom(-1, 0, 1)).map(([day, by]) => FIRST_DAY + day * DAY + by),
);

export const EVENT_IDS = { min: 1, max: 40 };
const VENUE_IDS = { min: 41, max: 46 };
const ORGANIZER_IDS = { min: 51, max: 55 };
const CATEGORY_IDS = { min: 1, max: 9 };
const TAG_IDS = { min: 11, max: 16 };

const ids = (range: { readonly min: number; readonly max: number }, maxLength = 3) =>
  fc.uniqueArray(fc.integer(range), { maxLength });

const lives = fc.constantFrom(0, 0, 0, 1);

const links = (range: { readonly min: number; readonly max: number }): fc.Arbitrary<DocumentLink[]> =>
  fc.array(fc.record({ id: fc.integer(range), life: lives }), { maxLength: 3 });

const status = fc.oneof(
  { arbitrary: fc.constant('publish' as const), weight: 4 },
  { arbitrary: fc.constantFrom(...POST_STATUSES), weight: 3 },
);
const author = fc.integer({ min: 1, max: 3 });
const dates = fc.constantFrom(1_000, 1_000, 2_000, 3_000);
const seldom = fc.constantFrom(false, false, false, true);

const WORDS = [
  'jazz',
  'Jazz night',
  'Ärger',
  'straße',
  'Łódź Café',
  'lodz',
  'Cafe\u0301',
  'ИСТОРИЯ',
  '100%',
  '_',
  '"quoted"',
  'a',
  '\0',
  '東京タワー',
  '😀 fun',
  'it’s',
];
const texts = fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }).map((words) => words.join(' '));

/** Searched words: whole ones, parts of them, and what runs across fields. */
const words = fc
  .tuple(
    fc.constantFrom(...WORDS, 'azz', 'jazz jazz', 'ni', 'z', 'ßE', 'CAFÉ', 'ódź C', 'тори', 'タワ', '😀', 'none'),
    fc.nat(2),
  )
  .map(([word, cut]) => [...foldLetters(word)].slice(cut).join(''))
  .filter((word) => word !== '');

const post = { status, author, date: dates, protected: seldom };

const fates = <Found extends Document>(documents: fc.Arbitrary<Found>): fc.Arbitrary<DocumentChange> =>
  fc
    .tuple(documents, fc.integer({ min: 0, max: 11 }))
    .map(([document, fate]) => (fate === 0 ? removed(document.kind, document.id) : saved(document)));

/** Two values of each filter; another one is of no event. */
export const LABELS: readonly EventLabel[] = LABEL_PARAMETERS.flatMap((wire) => [
  labelOf(wire, 'one'),
  labelOf(wire, 'two'),
]);

const members = fc.record({
  ...post,
  hidden: seldom,
  featured: seldom,
  ticketed: seldom,
  parent: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 3 }),
  categories: ids(CATEGORY_IDS),
  tags: ids(TAG_IDS),
  labels: fc.subarray([...LABELS]),
  venues: links(VENUE_IDS),
  organizers: links(ORGANIZER_IDS),
  title: texts,
  excerpt: texts,
  description: texts,
});

const events: fc.Arbitrary<EventDocument> = fc
  .tuple(
    fc.integer(EVENT_IDS),
    times,
    members,
    fc.constantFrom(null, null, null, 'canceled', 'postponed'),
    fc.subarray(EVENT_TRAITS.map(({ member }) => member)),
  )
  .map(([id, when, rest, eventStatus, traits]) =>
    event(id, {
      ...{ ...rest, ...when },
      ...(eventStatus && { eventStatus }),
      ...Object.fromEntries(traits.map((member) => [member, true])),
    }),
  );

const places = fc.record({ lat: fc.constantFrom(-45, 0, 10, 52.5), lng: fc.constantFrom(-179.9, 0, 0.2, 13.4, 179.9) });

const venues = fc
  .tuple(
    fc.integer(VENUE_IDS),
    fc.record({ ...post, life: lives, searchable: fc.array(texts, { maxLength: 3 }), coordinates: fc.option(places) }),
  )
  .map(([id, rest]) => venue(id, rest));

const organizers = fc
  .tuple(fc.integer(ORGANIZER_IDS), fc.record({ ...post, life: lives, searchable: fc.array(texts, { maxLength: 3 }) }))
  .map(([id, rest]) => organizer(id, rest));

const term = {
  name: fc.constantFrom('Music', 'music', 'ärger', 'arg', 'Zoo', 'Éclair', '\uffee', '😀', 'Fun 100%'),
  slug: fc.constantFrom('music', 'fun', 'zoo', 'a-b'),
  description: fc.constantFrom('', 'x', 'X'),
  deleted: seldom,
};

/** A parent has a smaller id, so there are no circles; those have a test of their own. */
const categories = fc
  .tuple(fc.integer(CATEGORY_IDS), fc.record({ ...term, parent: fc.integer({ min: 0, max: 8 }) }))
  .map(([id, rest]) => category(id, { ...rest, parent: rest.parent < id ? rest.parent : 0 }));

/** Of the ids that events have as their parents. */
const series = fc.integer({ min: 1, max: 5 }).map((id) => seriesOfDates(id));

const tags = fc.tuple(fc.integer(TAG_IDS), fc.record(term)).map(([id, rest]) => tag(id, rest));

const change = fc.oneof(
  { arbitrary: fates(events), weight: 8 },
  { arbitrary: fates(venues), weight: 2 },
  { arbitrary: fates(organizers), weight: 2 },
  { arbitrary: fates(categories), weight: 2 },
  { arbitrary: fates(tags), weight: 1 },
  { arbitrary: fates(series), weight: 1 },
);

/** Batches that make a calendar and change it again; later ones meet the same ids. */
export const histories: fc.Arbitrary<DocumentChange[][]> = fc.array(fc.array(change, { maxLength: 90, size: 'max' }), {
  maxLength: 6,
  size: 'max',
});

const statuses = fc.oneof(
  fc.constant(['publish' as const]),
  fc.constant(POST_STATUSES.filter((one) => one !== 'trash')),
  fc.uniqueArray(fc.constantFrom(...POST_STATUSES)),
);

const visibility: fc.Arbitrary<Visibility> = fc.record({
  statuses,
  own: fc.option(fc.record({ author, statuses: fc.uniqueArray(fc.constantFrom(...POST_STATUSES)) })),
});

/** What is published is visible to every reader. */
const access: fc.Arbitrary<EventAccess> = fc.record({
  visible: visibility.map(({ statuses, own }) => ({ statuses: [...new Set([...statuses, 'publish' as const])], own })),
  unmasked: fc.oneof(fc.constant(NO_POSTS), visibility),
});

const page = fc.oneof(
  fc.constant({ offset: 0, limit: 100 }),
  fc.record({ offset: fc.integer({ min: 0, max: 12 }), limit: fc.integer({ min: 0, max: 8 }) }),
);

const BOUNDS = ['startsFrom', 'startsAfter', 'startsBefore', 'endsUntil', 'endsBefore', 'endsAfter'] as const;

const bounds: fc.Arbitrary<TimeBounds> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 4 },
  fc.tuple(instants, lengths).map(([from, length]) => ({ startsFrom: from, endsUntil: from + length })),
  fc.record({ startsFrom: instants, endsUntil: instants }),
  fc.tuple(fc.constantFrom(...BOUNDS), instants).map(([bound, at]) => ({ [bound]: at })),
  fc.record(
    {
      startsFrom: instants,
      startsAfter: instants,
      startsBefore: instants,
      endsUntil: instants,
      endsBefore: instants,
      endsAfter: instants,
    },
    { requiredKeys: [] },
  ),
);

/** Optional members, of which a query has few, so that something is found. */
const filters = fc.record({
  search: fc.record({ words: fc.array(words, { maxLength: 2 }), without: fc.array(words, { maxLength: 1 }) }),
  categories: ids(CATEGORY_IDS, 6),
  tags: ids(TAG_IDS, 4),
  venues: ids(VENUE_IDS, 4),
  organizers: ids(ORGANIZER_IDS, 4),
  // Each of them.
  ...(Object.fromEntries(LISTED_FLAGS.map(({ member }) => [member, fc.boolean()])) as Record<
    ListedFlag,
    fc.Arbitrary<boolean>
  >),
  ...(Object.fromEntries(LABEL_PARAMETERS.map((wire) => [wire, fc.subarray(['one', 'two', 'none'])])) as Record<
    LabelParameter,
    fc.Arbitrary<string[]>
  >),
  collapse: fc.constant('series' as const),
  eventStatuses: fc.subarray([...EVENT_STATUSES]),
  include: fc.array(fc.integer(EVENT_IDS), { maxLength: 40, size: 'max' }),
  parent: fc.integer({ min: 1, max: 5 }),
  geolocated: fc.boolean(),
  nearby: fc
    .tuple(places, fc.constantFrom(0, 20, 3_000, 9_000, 15_000))
    .map(([place, radiusKm]) => ({ ...place, radiusKm })),
});

/** Some of the members of a record, none to two. */
const some = <Members extends object>(all: fc.Arbitrary<Members>): fc.Arbitrary<Partial<Members>> =>
  fc.tuple(all, fc.array(fc.nat(), { maxLength: 2 })).map(([whole, chosen]) => {
    const members = Object.entries(whole);
    // Some members of it.
    return Object.fromEntries(chosen.flatMap((at) => [members[at % members.length] ?? []])) as Partial<Members>;
  });

export const eventQueries: fc.Arbitrary<EventQuery> = fc
  .tuple(
    fc.record({
      visibility,
      page,
      bounds,
      unmasked: visibility,
      linked: fc.record({ venue: visibility, organizer: visibility }),
      order: fc.constantFrom('start' as const, 'start' as const, 'date' as const),
    }),
    some(filters),
    fc.boolean(),
  )
  .map(([query, chosen, near]) => ({
    ...query,
    ...chosen,
    ...(chosen.nearby && near ? { order: 'distance' as const } : {}),
  }));

const linkedPostFilters = fc.record({
  search: fc.array(words, { maxLength: 2 }),
  event: fc.integer(EVENT_IDS),
  hasEvents: fc.boolean(),
  upcoming: fc.record({ from: instants, visibility }),
});

export const linkedPostQueries: fc.Arbitrary<LinkedPostQuery> = fc
  .tuple(
    fc.record({ kind: fc.constantFrom('venue' as const, 'organizer' as const), visibility, events: access, page }),
    some(linkedPostFilters),
  )
  .map(([query, chosen]) => ({ ...query, ...chosen }));

const termFilters = fc.record({
  search: fc.constantFrom('m', 'mus', 'är', '100%', '-'),
  include: fc.uniqueArray(fc.integer({ min: 1, max: 16 })),
  exclude: ids({ min: 1, max: 16 }),
  slug: term.slug,
  parent: fc.integer({ min: 1, max: 8 }),
  event: fc.integer(EVENT_IDS),
});

export const termQueries: fc.Arbitrary<TermQuery> = fc
  .tuple(
    fc.record({
      kind: fc.constantFrom('category' as const, 'tag' as const),
      events: access,
      page,
      hideEmpty: fc.boolean(),
      orderBy: fc.constantFrom('name', 'id', 'slug', 'count', 'description', 'parent', 'include', 'none'),
      direction: fc.constantFrom('ascending' as const, 'descending' as const),
    }),
    some(termFilters),
  )
  .map(([query, chosen]) => ({ ...query, ...chosen }));

/** Instants at which something is likely to begin or end. */
export const moments: fc.Arbitrary<number> = instants;
