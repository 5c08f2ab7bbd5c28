// Calendar events on the wire: parameters and answers of their routes.
import { type Repeating, SCOPES, type Scope } from '../../../editorial/series/domain/facts.ts';
import { asOf, oldState, withProposals } from '../../../editorial/time-travel/http/as-of-schema.ts';
import {
  eventToFilterBy,
  type ListSettings,
  postsToFilterBy,
  search,
  statusFilter,
  termFilter,
} from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import {
  anyId,
  anything,
  authorship,
  dateField,
  dateFilter,
  decimal,
  flag,
  type ImageInput,
  image,
  integer,
  list,
  optional,
  otherName,
  paging,
  passwordToPresent,
  passwordToSet,
  text,
} from '../../../http/schemas/primitives.ts';
import Type, { type Static, type TObject, type TUnsafe } from '../../../http/schemas/type.ts';
import type { IdFilter } from '../../../kernel/text/wire-words.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import { organizerTables, venueTables } from '../../linked-post/http/linked-post-schema.ts';
import type { Row } from '../../resource/domain/fields.ts';
import { authorshipMembers, globalIdMembers, parkedMember, shownOrHidden } from '../../resource/http/post-schema.ts';
import type { TermReference } from '../../term/domain/term.ts';
import { EVENT_FILTERS, FURTHER_EVENT_ROWS, type Link } from '../domain/calendar-event.ts';
import type { CostInput } from '../domain/cost.ts';
import { byLabelParameter } from '../domain/event-labels.ts';
import { EVENT_STATUSES, type EventStatus, NOTICE_TYPES } from '../domain/event-status.ts';
import { byParameter } from '../domain/event-traits.ts';
import { dateMembers } from './details-schema.ts';

/**
 * `GET /events`. The defaults of `start_date` and `end_date` depend on the clock: the schema has these words, which the
 * index replaces by dates.
 */
export const WINDOW_START = 'yesterday 23:59';
export const WINDOW_END = '+24 months';

/** Members that venues have, too, share their description. */
const aboutRow = ({ wire }: Row): DescriptionKey =>
  // A test checks that each row has its description.
  (wire.startsWith('show_map') ? `post.${wire}` : `event.${wire}`) as DescriptionKey;

type Filters = { readonly [Wire in (typeof EVENT_FILTERS)[number]['wire']]: TUnsafe<boolean> };

const filters = (addition: 'expected' | 'added'): Filters =>
  // Each under its name.
  Object.fromEntries(
    EVENT_FILTERS.filter((row) => (row.addition === undefined) === (addition === 'expected')).map(({ wire }) => [
      wire,
      flag(`event_list.${wire}`),
    ]),
  ) as Filters;

/** Filters that are derived from other fields of an event. */
export const traitFilters = {
  ...byParameter((wire) => flag(`event_list.${wire}`)),
  ...byLabelParameter((wire, { checked }) => anything<readonly string[]>(`event_list.${wire}`, checked)),
};

export const eventList = ({ perPage }: ListSettings) =>
  Type.Object({
    ...paging(perPage),
    ...optional({
      start_date: dateFilter('event_list.start_date', { default: WINDOW_START }),
      end_date: dateFilter('event_list.end_date', { default: WINDOW_END }),
      starts_before: dateFilter('event_list.starts_before'),
      starts_after: dateFilter('event_list.starts_after'),
      ends_before: dateFilter('event_list.ends_before'),
      ends_after: dateFilter('event_list.ends_after'),
      strict_dates: anything('event_list.strict_dates', 'nonEmptyString', { default: 'false' }),
      search: search('event_list.search'),
      categories: list<IdFilter>('event_list.categories', termFilter('category')),
      tags: list<IdFilter>('event_list.tags', termFilter('tag')),
      venue: list<IdFilter>('event_list.venue', postsToFilterBy('venue')),
      organizer: list<IdFilter>('event_list.organizer', postsToFilterBy('organizer')),
      ...filters('expected'),
      status: statusFilter,
      geoloc: flag('event_list.geoloc'),
      geoloc_lat: decimal('event_list.geoloc_lat', ['coordinate', 90, 'geoloc_lng'], { format: 'double' }),
      geoloc_lng: decimal('event_list.geoloc_lng', ['coordinate', 180, 'geoloc_lat'], { format: 'double' }),
      geoloc_radius: decimal('event_list.geoloc_radius', 'radius', { format: 'double' }),
      include: list<IdFilter>('event_list.include', 'idsOnly'),
      post_parent: integer('event_list.post_parent', eventToFilterBy),
      ...filters('added'),
      event_status: anything<readonly EventStatus[]>('event_list.event_status', ['someOf', EVENT_STATUSES]),
      series: integer('event_list.series', 'positiveInt'),
      author: integer('event_list.author', 'positiveInt'),
      collapse: text<'series'>('event_list.collapse', ['oneOf', ['series']]),
      ...traitFilters,
      as_of: asOf,
      with: withProposals,
    }),
  });

/** The parameters of `GET /events`. Lists are in the notation in which they were sent. */
export type EventListInput = Static<ReturnType<typeof eventList>>;

const beginning = {
  title: text('event.title', 'filledText'),
  start_date: dateField('event.start_date'),
  end_date: dateField('event.end_date'),
};

/** By id, or as an object. */
type LinkInput<Entry extends TObject> = Link | { readonly fields: Static<Entry> };

const links = <Entry extends TObject>(kind: 'venue' | 'organizer', entry: Entry) =>
  list<readonly LinkInput<Entry>[] | null>(`event.${kind}`, ['linkedPosts', kind, entry], {
    default: null,
    alsoTakes: ['null'],
  });

type FurtherFields = { readonly [R in (typeof FURTHER_EVENT_ROWS)[number] as R['wire']]: TUnsafe<R['blank']> };

const CHECKS = {
  line: 'stringOrEmpty',
  html: 'longText',
  url: 'urlOrEmpty',
  ages: 'agesOrEmpty',
  languages: 'languagesOrEmpty',
} as const;

// Each under its name, as its row says.
const furtherFields = Object.fromEntries(
  FURTHER_EVENT_ROWS.map((row) => [
    row.wire,
    row.kind === 'flag' ? flag(aboutRow(row)) : text(aboutRow(row), CHECKS[row.kind]),
  ]),
) as FurtherFields;

const fields = optional({
  ...authorship,
  description: text('event.description', 'longText'),
  slug: text('event.slug', 'nonEmptyString'),
  excerpt: text('event.excerpt', 'longText'),
  timezone: text('event.timezone', 'zoneOrEmpty'),
  all_day: flag('event.all_day', { default: false }),
  image,
  cost: anything<CostInput | null>('event.cost', 'cost'),
  website: anything<string>('event.website', 'urlOrEmpty', { default: null }),
  ...furtherFields,
  post_parent: integer<number | null>('event.post_parent', ['postIdOrEmpty', 'event']),
  categories: list<readonly TermReference[]>('event.categories', 'termList', { default: null }),
  tags: list<readonly TermReference[]>('event.tags', 'termList', { default: null }),
  venue: links('venue', venueTables.create),
  organizer: links('organizer', organizerTables.create),
  venue_id: otherName('venue', 'event.venue_id', links('venue', venueTables.create)),
  organizers: otherName('organizer', 'event.organizers', links('organizer', organizerTables.create)),
  featured_image: otherName(
    'image',
    'event.featured_image',
    anything<ImageInput>('post.image', 'imageOrEmpty', { alsoTakes: ['null'] }),
  ),
  event_status: text<EventStatus>('event.event_status', ['oneOf', EVENT_STATUSES]),
  notice: text('event.notice', 'stringOrEmpty'),
  is_virtual: flag('event.is_virtual'),
  virtual_url: anything<string>('event.virtual_url', 'urlOrEmpty', { default: null }),
  virtual_video_source: text('event.virtual_video_source', 'stringOrEmpty'),
});

/** What it repeats by; only a new event, or a change of a series. */
const recurrence = anything<Partial<Repeating>>('event.recurrence', 'recurrence');
/** Which dates of a series are meant; a dry run tells what would happen to them. */
const scope = optional({
  scope: text<Scope>('event.scope', ['oneOf', SCOPES], { default: 'this' }),
  dry_run: flag('event.dry_run'),
});

const id = anyId('event');
const slug = text('event.path_slug', ['postSlug', 'event']);

export const eventExamples = {
  create: {
    title: 'Concert in the park',
    start_date: '2027-06-18T19:30:00+02:00',
    end_date: '2027-06-18T22:00:00+02:00',
    timezone: 'Europe/Berlin',
    description: 'Chamber music under the old lime trees. Bring a blanket.',
    cost: '12 €',
    website: 'https://music.example/park',
    categories: ['Concerts'],
    tags: ['open air'],
  },
  change: { start_date: '2027-06-18T20:00:00+02:00', end_date: '2027-06-18T22:30:00+02:00' },
} as const;

export const eventCreate = Type.Object({
  ...beginning,
  ...fields,
  ...optional({ password: passwordToSet, recurrence }),
});

const changes = { ...optional({ ...beginning, recurrence }), ...fields, ...scope };

/** By id; `slug` is the new one. */
export const eventUpdate = Type.Object({ id, ...changes, ...optional({ password: passwordToSet }) });

/** By slug; the handler decides whether the one in the path exists, and a `slug` sent besides it is the new one. */
export const eventUpdateBySlug = Type.Object(changes);

export const eventRead = Type.Object({ id, ...optional({ password: passwordToPresent }), ...oldState });
export const eventReadBySlug = Type.Object({ slug, ...optional({ password: passwordToPresent }), ...oldState });
export const eventDelete = Type.Object({ id, ...optional({ password: passwordToPresent }), ...scope });
export const eventDeleteBySlug = Type.Object({ slug, ...scope });

/** A flag that is null without the password of the event. */
const shownFlag = (description: DescriptionKey) => member.orNull(member.flag(description));

/** Members that a password hides are null or empty without it. */
const furtherMember = (row: Row) => {
  if (row.kind !== 'flag') return member.text(aboutRow(row));
  return row.addition === undefined || row.addition === 'masked'
    ? shownFlag(aboutRow(row))
    : member.flag(aboutRow(row));
};

/** Where its members stand in an answer. */
const PLACES = { expected: 'expected', 'always shown': 'added', masked: 'added', 'once said': 'once said' } as const;

type FurtherMembers = {
  readonly [R in (typeof FURTHER_EVENT_ROWS)[number] as R['wire']]: TUnsafe<
    R['blank'] extends boolean ? boolean | null : string
  >;
};

const furtherMembers = (addition: 'expected' | 'added' | 'once said') =>
  // Each under its name, as its row says.
  Object.fromEntries(
    FURTHER_EVENT_ROWS.filter((row) => PLACES[row.addition ?? 'expected'] === addition).map((row) => [
      row.wire,
      furtherMember(row),
    ]),
  ) as unknown as FurtherMembers;

const notice = member.object('shown_event.notice', {
  type: member.oneOf('shown_event.notice_type', NOTICE_TYPES),
  text: member.text('shown_event.notice_text'),
  date: member.dateTime('shown_event.notice_date'),
  date_utc: member.dateTime('shown_event.notice_date_utc'),
  ...optional({
    previous_start_date: member.dateTime('shown_event.notice_previous_start_date'),
    previous_utc_start_date: member.dateTime('shown_event.notice_previous_utc_start_date'),
  }),
});

/** Only once an event has been canceled, postponed or rescheduled in public, or a notice has been published. */
const traceMembers = optional({
  event_status: member.oneOf('event.event_status', EVENT_STATUSES),
  /** Empty without the password. */
  previous_start_date: member.text('shown_event.previous_start_date'),
  notices: member.listOf(notice, 'shown_event.notices'),
});

/** Only once it has been said whether the event is online. */
const onlineMembers = optional({
  is_virtual: member.flag('event.is_virtual'),
  virtual_url: member.orNull(member.text('event.virtual_url')),
  virtual_video_source: member.text('event.virtual_video_source'),
});

/** Only once they have been said. */
const saidMembers = optional(furtherMembers('once said'));

/** Only of a date of a series. */
const seriesMembers = optional({
  recurrence: member.component('Recurrence', 'event.recurrence'),
  series: member.object('shown_event.series', {
    id: member.integer('series.id'),
    index: member.integer('shown_event.series_index'),
    is_override: member.flag('shown_event.series_is_override'),
  }),
});

export const recurrenceShown = member.object('event.recurrence', {
  rrule: member.listOf(member.text('recurrence.rrule'), 'recurrence.rrule'),
  rdates: member.listOf(member.text('recurrence.date'), 'recurrence.rdates'),
  exdates: member.listOf(member.text('recurrence.date'), 'recurrence.exdates'),
});

export const event = member.object('shown_event', {
  id: member.integer('shown.id'),
  ...globalIdMembers,
  ...authorshipMembers,
  url: member.address('shown.url'),
  rest_url: member.address('shown_event.rest_url'),
  title: member.text('shown_event.title'),
  description: member.text('shown_event.description'),
  excerpt: member.text('shown_event.excerpt'),
  slug: member.text('shown_event.slug'),
  image: shownOrHidden('shown_event.image', Type.Ref('Image')),
  all_day: shownFlag('event.all_day'),
  ...dateMembers('start_date', 'shown_event.start_date'),
  ...dateMembers('end_date', 'shown_event.end_date'),
  ...dateMembers('utc_start_date', 'shown_event.utc_start_date'),
  ...dateMembers('utc_end_date', 'shown_event.utc_end_date'),
  timezone: member.text('shown_event.timezone'),
  timezone_abbr: member.text('shown_event.timezone_abbr'),
  cost: member.text('shown_event.cost'),
  cost_details: member.component('CostDetails', 'cost_details'),
  website: member.text('shown_event.website'),
  ...furtherMembers('expected'),
  categories: member.listOf(Type.Ref('EventTerm'), 'shown_event.categories'),
  tags: member.listOf(Type.Ref('EventTerm'), 'shown_event.tags'),
  venue: member.eitherOf('shown_event.venue', [Type.Ref('Venue'), Type.Array(Type.Ref('Venue'))]),
  organizer: member.listOf(Type.Ref('Organizer'), 'shown_event.organizer'),
  ...furtherMembers('added'),
  post_parent: member.integer('event.post_parent'),
  ...traceMembers,
  ...onlineMembers,
  ...saidMembers,
  ...seriesMembers,
  custom_fields: member.emptyList('shown.always_empty'),
  ...optional({ json_ld: member.component('EventJsonLd', 'shown.json_ld') }),
  ...parkedMember,
});
