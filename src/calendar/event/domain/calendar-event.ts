// The calendar event: what people attend. Its domain events, its state and its decisions.

import { accepted, type Decision, type Evolve, type Fact, rejected, UnexpectedFact } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import type { EpochSeconds, WallClock, Zone, ZoneRules } from '../../../kernel/time/zone.ts';
import type { OrganizerInput } from '../../linked-post/domain/organizer.ts';
import type { VenueInput } from '../../linked-post/domain/venue.ts';
import {
  ages,
  blankOf,
  type Content,
  type FieldFact,
  type FieldInput,
  fieldFacts,
  fieldFold,
  flag,
  html,
  languages,
  line,
  plainRows,
  takes,
  url,
  value,
} from '../../resource/domain/fields.ts';
import type { Image, ImageReference } from '../../resource/domain/image.ts';
import {
  bornPost,
  type DraftedPost,
  draftedPost,
  evolvePost,
  firstStatusFacts,
  type NewPostPatch,
  type Post,
  type PostContext,
  type PostFact,
  type PostInput,
  type PostPatch,
  postFacts,
  statusAfter,
  touchedBy,
} from '../../resource/domain/post.ts';
import type { TermReference } from '../../term/domain/term.ts';
import type { CostInput, StoredCost } from './cost.ts';
import {
  attendanceFacts,
  type EventStatusFact,
  type EventStatusPatch,
  evolveStatus,
  firstAttendanceFacts,
  isUnpublishable,
  noticesAfter,
  type PublicTrace,
  type Rescheduled,
} from './event-status.ts';
import {
  type Attendance,
  evolveOnline,
  type OnlineFact,
  type OnlinePatch,
  onlineAfter,
  onlineFacts,
} from './online.ts';
import { reschedule, type Schedule, type SchedulePatch, scheduleUnder } from './schedule.ts';

/**
 * A link to a venue or organizer. `life` is how often the target had been in the trash when it was linked. Trashing the
 * target ends all links of its current life with one write, instead of changing every event (decision 8, link
 * lives).
 */
export interface Link {
  readonly id: number;
  readonly life: number;
}

/** A venue or organizer by id, one that has been looked up already, or one to be created or found. */
export type PostReference<Input> = { readonly id: number } | Link | { readonly input: Input };

const TEXTS = {
  title: html('title', 'EventRetitled'),
  description: html('description', 'EventDescribed'),
  excerpt: html('excerpt', 'EventDescribed'),
};

const DETAILS = {
  cost: value('cost', 'EventPriced', null as StoredCost | null, takes<CostInput | null>()),
  /** Null: never set. `''`: cleared. Readers see the difference. */
  website: value('website', 'EventWebsiteChanged', null as string | null, takes<string>()),
  image: value('image', 'EventImageChanged', null as Image | null, takes<ImageReference | null>()),
  showMap: flag('show_map', 'EventMapDisplayChanged'),
  showMapLink: flag('show_map_link', 'EventMapDisplayChanged'),
};

const FLAGS = {
  hidden: flag('hide_from_listings', ['EventHiddenFromListings', 'EventShownInListings'], {}),
  sticky: flag('sticky', ['EventMadeSticky', 'EventUnstuck']),
  featured: flag('featured', ['EventFeatured', 'EventUnfeatured'], {
    filter: true,
  }),
  ticketed: flag('ticketed', ['EventTicketed', 'EventUnticketed'], {
    filter: true,
    addition: 'always shown',
  }),
};

const RELATIONS = {
  categories: value('categories', 'EventCategorized', [] as readonly number[], takes<readonly TermReference[]>()),
  tags: value('tags', 'EventTagged', [] as readonly number[], takes<readonly TermReference[]>()),
  venues: value('venue', 'EventMoved', [] as readonly Link[], takes<readonly PostReference<VenueInput>[]>()),
  organizers: value(
    'organizer',
    'EventOrganizersChanged',
    [] as readonly Link[],
    takes<readonly PostReference<OrganizerInput>[]>(),
  ),
  /** Id of the parent event. */
  parent: value('post_parent', 'EventPlacedUnder', null as number | null),
};

/** What visitors decide by. */
const AUDIENCE = {
  accessible: flag('accessible', ['EventMadeAccessible', 'EventMadeInaccessible'], { addition: 'once said' }),
  accessibility: line('accessibility', 'EventAudienceChanged', { addition: 'once said' }),
  ageRange: ages('age_range', 'EventAudienceChanged', { addition: 'once said' }),
  languages: languages('languages', 'EventAudienceChanged', { addition: 'once said' }),
  registrationUrl: url('registration_url', 'EventRegistrationChanged', { addition: 'once said' }),
};

/** The content of an event, apart from its publication and its schedule: docs/adding-a-field.md. */
export const EVENT_FIELDS = { ...TEXTS, ...DETAILS, ...FLAGS, ...RELATIONS, ...AUDIENCE };

export const EVENT_ROWS = plainRows(EVENT_FIELDS);
type EventRow = (typeof EVENT_ROWS)[number];
type FurtherRow = Exclude<EventRow, { readonly member: keyof typeof TEXTS }>;
/** All but title, description and excerpt, which are handled separately. */
export const FURTHER_EVENT_ROWS = EVENT_ROWS.filter(
  (row: EventRow): row is FurtherRow => !Object.hasOwn(TEXTS, row.member),
);

type Fields = typeof EVENT_FIELDS;

/** Flags that lists can filter by. */
export type FilterFlag = {
  [Member in keyof Fields]: Fields[Member] extends { readonly filter: true } ? Member : never;
}[keyof Fields];
type FilterRow = Extract<EventRow, { readonly member: FilterFlag }>;
export const EVENT_FILTERS = EVENT_ROWS.filter((row: EventRow): row is FilterRow => row.filter === true);

export interface EventContent extends Content<typeof EVENT_FIELDS>, PublicTrace, Attendance {
  /** Absent: never set. */
  readonly extensions?: Extensions;
}

/** The place of an event in a series of dates. */
interface SeriesPlace {
  /** The id of the series. */
  readonly id: number;
  /** Where its rules put this date. */
  readonly date: WallClock;
  /** The how-manieth date of the series it is, from 1. */
  readonly index: number;
  /** It has been changed apart from the others. */
  readonly isOverride?: true;
}

export interface CalendarEvent extends Post, EventContent {
  readonly schedule: Schedule;
  /** Absent: it does not repeat. */
  readonly series?: SeriesPlace;
}

export type EventFact =
  | PostFact<'Event'>
  | Fact<'EventDrafted', EventContent & DraftedPost & Pick<CalendarEvent, 'schedule' | 'series'>>
  | FieldFact<typeof EVENT_FIELDS>
  | Fact<'EventRescheduled', Rescheduled>
  | EventStatusFact
  | OnlineFact
  /** New time zone rules have changed the wall clock or the instant. `rules`: the release of the tz database. */
  | Fact<'EventAdjustedToZoneRules', Schedule & { readonly rules: string }>
  | Fact<'EventExtended', { readonly extensions: Extensions }>
  | Fact<'EventJoinedSeries', { readonly series: SeriesPlace }>
  /** A date of a series is changed apart from the others from now on. */
  | Fact<'EventSetApart', Record<string, never>>;

/** What commands take; absent members were not sent. */
export interface EventInput extends PostInput, EventStatusPatch, OnlinePatch, FieldInput<typeof EVENT_FIELDS> {
  readonly times?: SchedulePatch;
  /** Only from an import. */
  readonly extensions?: Extensions;
}

/** What a command changes; absent members stay as they are. */
export interface EventPatch
  extends PostPatch,
    Partial<Omit<EventContent, 'eventStatus' | 'online'>>,
    EventStatusPatch,
    OnlinePatch {
  readonly times?: SchedulePatch;
}

export interface EventContext extends PostContext {
  readonly siteZone: Zone;
}

/** In the order in which events have always stored these members. */
const BLANK_CONTENT: EventContent = (({ title, description, excerpt, image, ...others }) => ({
  title,
  description,
  excerpt,
  image,
  ...others,
}))(blankOf(EVENT_FIELDS));

/** Creates an event: first as a draft, then with its status. `settledStatus` is the result for `patch.status`. */
export function createEvent(id: number, patch: EventPatch & NewPostPatch, context: EventContext): Decision<EventFact> {
  const times = reschedule(null, patch.times ?? {}, context);
  if ('unreadable' in times) return rejected(invalidParameter(times.unreadable));
  if (isUnpublishable(patch, patch.status)) return rejected('notice_unpublished');
  const { author: _author, status: _status, date: _date, passwordHash: _hash, times: _times, ...rest } = patch;
  const { eventStatus: _eventStatus, notice: _notice, notices = [], online: _online, ...content } = rest;
  const online = onlineAfter({}, patch);
  const post = draftedPost(id, patch, context);
  const announcement = notices.length > 0 && { notices };
  const drafted = {
    ...BLANK_CONTENT,
    ...content,
    ...(online && { online }),
    ...announcement,
    ...post,
    schedule: times.schedule,
  };
  return accepted([
    { type: 'EventDrafted', data: drafted },
    ...firstStatusFacts('Event', patch, post),
    ...firstAttendanceFacts(patch),
  ]);
}

/** Changes an event. Returns facts for differences only, so a patch that equals the state returns none. */
export function changeEvent(event: CalendarEvent, patch: EventPatch, context: EventContext): Decision<EventFact> {
  const times = reschedule(event.schedule, patch.times ?? {}, context);
  if ('unreadable' in times) return rejected(invalidParameter(times.unreadable));
  const status = statusAfter(event, patch, context.now);
  if (isUnpublishable(patch, status)) return rejected('notice_unpublished');
  return accepted([
    ...fieldFacts(TEXTS, event, patch),
    ...attendanceFacts(event, patch, { status, schedule: patch.times ? times.schedule : event.schedule }),
    ...fieldFacts(DETAILS, event, patch),
    ...extensionFacts(event, patch),
    ...onlineFacts(event, patch),
    ...fieldFacts({ ...FLAGS, ...RELATIONS, ...AUDIENCE }, event, patch),
    ...postFacts('Event', event, patch, { status, slug: context.slug, now: context.now }),
  ]);
}

function extensionFacts({ extensions: present = {} }: CalendarEvent, patch: EventPatch): EventFact[] {
  const extensions = patch.extensions ?? (patch.online === undefined ? present : withoutOnline(present));
  return JSON.stringify(extensions) === JSON.stringify(present)
    ? []
    : [{ type: 'EventExtended', data: { extensions } }];
}

/** Imports kept these members as they came before they had a meaning here. */
const withoutOnline = ({ is_virtual, virtual_url, virtual_video_source, ...others }: Extensions): Extensions => others;

/** The fact by which a future event adopts these zone rules; none if they change nothing. */
export function zoneRulesFacts(event: CalendarEvent, rules: ZoneRules, now: EpochSeconds): EventFact[] {
  const schedule = scheduleUnder(event.schedule, rules, now);
  if (schedule === event.schedule) return [];
  return [{ type: 'EventAdjustedToZoneRules', data: { ...schedule, rules: rules.release } }];
}

const contentIn = fieldFold(EVENT_FIELDS);

export const evolveEvent: Evolve<CalendarEvent, EventFact> = (event, fact, at) => {
  if (fact.type === 'EventDrafted') return Object.assign({}, BLANK_CONTENT, fact.data, bornPost(at));
  if (!event) throw new UnexpectedFact(fact);
  // Read models are folded from millions of these: copy the event once each.
  const { modified, date } = touchedBy(event, at);
  switch (fact.type) {
    case 'EventRescheduled': {
      const { notice, ...schedule } = fact.data;
      return { ...event, modified, date, schedule, ...noticesAfter(event, fact.type, { notice }, at) };
    }
    case 'EventAdjustedToZoneRules': {
      const { rules: _rules, ...schedule } = fact.data;
      return { ...event, modified, date, schedule };
    }
    case 'EventExtended': {
      const { extensions: _before, ...rest } = event;
      const { extensions } = fact.data;
      return { ...rest, modified, date, ...(Object.keys(extensions).length > 0 && { extensions }) };
    }
    case 'EventJoinedSeries':
      return { ...event, modified, date, series: fact.data.series };
    case 'EventSetApart':
      return { ...event, modified, date, ...(event.series && { series: { ...event.series, isOverride: true } }) };
    default: {
      const content = contentIn(fact);
      if (content) return { ...event, modified, date, ...content };
      const touched = { ...event, modified, date };
      const next = evolveStatus(touched, fact, at) ?? evolveOnline(touched, fact);
      if (next) return next;
      return { ...touched, ...evolvePost(touched, fact.type, 'Event', fact.data) };
    }
  }
};

// Members imported from another calendar that have no field here: stored and shown unchanged.

/** Any JSON value. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [member: string]: Plain };

/** Values by member name. */
export type Extensions = { readonly [member: string]: Plain };
