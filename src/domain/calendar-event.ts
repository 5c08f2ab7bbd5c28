// The calendar event: what people attend. Its facts, its state, and what may follow from a command.

import type { EpochSeconds, Zone } from '../time/zone.ts';
import type { ZoneRules } from '../time/zone-rules.ts';
import type { StoredCost } from './cost.ts';
import { accepted, type Decision, type Evolve, type Fact, rejected, UnfoldableFact } from './decider.ts';
import type { Extensions } from './extensions.ts';
import type { Image } from './image.ts';
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
  type PostPatch,
  postFacts,
  statusAfter,
  touchedBy,
} from './post.ts';
import { invalidParameter } from './rejections.ts';
import { reschedule, type Schedule, type SchedulePatch, sameSchedule, scheduleUnder } from './schedule.ts';

/**
 * A link to a venue or organizer. `life` counts how often that had been through the trash when it was linked: trashing
 * it ends every link of the life before, for good and without touching the events (architecture: one write, not 10,000).
 */
export interface Link {
  readonly id: number;
  readonly life: number;
}

/** What an event says, beside its life as a post and its times. */
export interface EventContent {
  readonly title: string;
  readonly description: string;
  readonly excerpt: string;
  readonly image: Image | null;
  readonly cost: StoredCost | null;
  /** Null: never set; `''`: cleared. They look different to a reader. */
  readonly website: string | null;
  readonly showMap: boolean;
  readonly showMapLink: boolean;
  readonly hidden: boolean;
  readonly sticky: boolean;
  readonly featured: boolean;
  readonly ticketed: boolean;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly venues: readonly Link[];
  readonly organizers: readonly Link[];
  /** Id of the event that this one belongs to. */
  readonly parent: number | null;
  /** Absent: it has never had any. */
  readonly extensions?: Extensions;
}

export interface CalendarEvent extends Post, EventContent {
  readonly schedule: Schedule;
}

export type EventFact =
  | PostFact<'Event'>
  | Fact<'EventDrafted', EventContent & DraftedPost & { readonly schedule: Schedule }>
  | Fact<'EventRetitled', Pick<EventContent, 'title'>>
  | Fact<'EventDescribed', Pick<EventContent, 'description' | 'excerpt'>>
  | Fact<'EventRescheduled', Schedule>
  /** The rules of its zone have changed, and clock or instant with them. `rules`: their release. */
  | Fact<'EventAdjustedToZoneRules', Schedule & { readonly rules: string }>
  | Fact<'EventPriced', Pick<EventContent, 'cost'>>
  | Fact<'EventWebsiteChanged', Pick<EventContent, 'website'>>
  | Fact<'EventImageChanged', Pick<EventContent, 'image'>>
  | Fact<'EventMapDisplayChanged', Pick<EventContent, 'showMap' | 'showMapLink'>>
  | Fact<'EventHiddenFromListings' | 'EventShownInListings', Record<string, never>>
  | Fact<'EventMadeSticky' | 'EventUnstuck', Record<string, never>>
  | Fact<'EventFeatured' | 'EventUnfeatured', Record<string, never>>
  | Fact<'EventTicketed' | 'EventUnticketed', Record<string, never>>
  | Fact<'EventCategorized', Pick<EventContent, 'categories'>>
  | Fact<'EventTagged', Pick<EventContent, 'tags'>>
  | Fact<'EventMoved', Pick<EventContent, 'venues'>>
  | Fact<'EventOrganizersChanged', Pick<EventContent, 'organizers'>>
  | Fact<'EventPlacedUnder', Pick<EventContent, 'parent'>>
  | Fact<'EventExtended', { readonly extensions: Extensions }>;

/** What a command changes; absent members stay as they are. */
export interface EventPatch extends PostPatch, Partial<EventContent> {
  readonly times?: SchedulePatch;
}

export interface EventContext extends PostContext {
  readonly siteZone: Zone;
}

const BLANK_CONTENT: EventContent = {
  title: '',
  description: '',
  excerpt: '',
  image: null,
  cost: null,
  website: null,
  showMap: false,
  showMapLink: false,
  hidden: false,
  sticky: false,
  featured: false,
  ticketed: false,
  categories: [],
  tags: [],
  venues: [],
  organizers: [],
  parent: null,
};

/** Creates an event: drafted first, then brought into its status. `settledStatus` gave `patch.status` its value. */
export function createEvent(id: number, patch: EventPatch & NewPostPatch, context: EventContext): Decision<EventFact> {
  const times = reschedule(null, patch.times ?? {}, context);
  if ('unreadable' in times) return rejected(invalidParameter(times.unreadable));
  const { author: _author, status: _status, date: _date, passwordHash: _hash, times: _times, ...content } = patch;
  const post = draftedPost(id, patch, context);
  const drafted = { ...BLANK_CONTENT, ...content, ...post, schedule: times.schedule };
  return accepted([{ type: 'EventDrafted', data: drafted }, ...firstStatusFacts('Event', patch, post)]);
}

/** Changes an event. Facts come out for what differs, so a patch that says what already is yields none. */
export function changeEvent(event: CalendarEvent, patch: EventPatch, context: EventContext): Decision<EventFact> {
  const times = reschedule(event.schedule, patch.times ?? {}, context);
  if ('unreadable' in times) return rejected(invalidParameter(times.unreadable));
  const status = statusAfter(event, patch, context.now);
  return accepted([
    ...textFacts(event, patch),
    ...(patch.times && !sameSchedule(event.schedule, times.schedule)
      ? [{ type: 'EventRescheduled', data: times.schedule } as const]
      : []),
    ...detailFacts(event, patch),
    ...flagFacts(event, patch),
    ...relationFacts(event, patch),
    ...postFacts('Event', event, patch, { status, slug: context.slug, now: context.now }),
  ]);
}

/** Whether a sent member differs from what stands; JSON comparison is enough for the plain data that content is made of. */
const differs = <K extends keyof EventContent>(event: EventContent, patch: Partial<EventContent>, key: K): boolean =>
  patch[key] !== undefined && JSON.stringify(patch[key]) !== JSON.stringify(event[key]);

function textFacts(event: CalendarEvent, patch: EventPatch): EventFact[] {
  const facts: EventFact[] = [];
  if (differs(event, patch, 'title')) facts.push({ type: 'EventRetitled', data: { title: patch.title ?? '' } });
  if (differs(event, patch, 'description') || differs(event, patch, 'excerpt')) {
    const { description = event.description, excerpt = event.excerpt } = patch;
    facts.push({ type: 'EventDescribed', data: { description, excerpt } });
  }
  return facts;
}

function detailFacts(event: CalendarEvent, patch: EventPatch): EventFact[] {
  const facts: EventFact[] = [];
  if (differs(event, patch, 'cost')) facts.push({ type: 'EventPriced', data: { cost: patch.cost ?? null } });
  if (differs(event, patch, 'website'))
    facts.push({ type: 'EventWebsiteChanged', data: { website: patch.website ?? null } });
  if (differs(event, patch, 'image')) facts.push({ type: 'EventImageChanged', data: { image: patch.image ?? null } });
  if (differs(event, patch, 'showMap') || differs(event, patch, 'showMapLink')) {
    const { showMap = event.showMap, showMapLink = event.showMapLink } = patch;
    facts.push({ type: 'EventMapDisplayChanged', data: { showMap, showMapLink } });
  }
  const { extensions } = patch;
  if (extensions && JSON.stringify(extensions) !== JSON.stringify(event.extensions ?? {}))
    facts.push({ type: 'EventExtended', data: { extensions } });
  return facts;
}

/** The fact by which an event that lies ahead takes on these rules of its zone; none where that changes nothing. */
export function zoneRulesFacts(event: CalendarEvent, rules: ZoneRules, now: EpochSeconds): EventFact[] {
  const schedule = scheduleUnder(event.schedule, rules, now);
  if (schedule === event.schedule) return [];
  return [{ type: 'EventAdjustedToZoneRules', data: { ...schedule, rules: rules.release } }];
}

const FLAG_FACTS = [
  ['hidden', 'EventHiddenFromListings', 'EventShownInListings'],
  ['sticky', 'EventMadeSticky', 'EventUnstuck'],
  ['featured', 'EventFeatured', 'EventUnfeatured'],
  ['ticketed', 'EventTicketed', 'EventUnticketed'],
] as const;

const flagFacts = (event: CalendarEvent, patch: EventPatch): EventFact[] =>
  FLAG_FACTS.filter(([key]) => differs(event, patch, key)).map(([key, on, off]) => ({
    type: patch[key] ? on : off,
    data: {},
  }));

function relationFacts(event: CalendarEvent, patch: EventPatch): EventFact[] {
  const facts: EventFact[] = [];
  if (differs(event, patch, 'categories'))
    facts.push({ type: 'EventCategorized', data: { categories: patch.categories ?? [] } });
  if (differs(event, patch, 'tags')) facts.push({ type: 'EventTagged', data: { tags: patch.tags ?? [] } });
  if (differs(event, patch, 'venues')) facts.push({ type: 'EventMoved', data: { venues: patch.venues ?? [] } });
  if (differs(event, patch, 'organizers'))
    facts.push({ type: 'EventOrganizersChanged', data: { organizers: patch.organizers ?? [] } });
  if (differs(event, patch, 'parent')) facts.push({ type: 'EventPlacedUnder', data: { parent: patch.parent ?? null } });
  return facts;
}

export const evolveEvent: Evolve<CalendarEvent, EventFact> = (event, fact, at) => {
  if (fact.type === 'EventDrafted') return Object.assign({}, fact.data, bornPost(at));
  if (!event) throw new UnfoldableFact(fact.type);
  // Views are folded from a million of these: each copies the event once.
  const { modified, date } = touchedBy(event, at);
  switch (fact.type) {
    case 'EventRescheduled':
      return { ...event, modified, date, schedule: fact.data };
    case 'EventAdjustedToZoneRules': {
      const { rules: _rules, ...schedule } = fact.data;
      return { ...event, modified, date, schedule };
    }
    case 'EventHiddenFromListings':
    case 'EventShownInListings':
      return { ...event, modified, date, hidden: fact.type === 'EventHiddenFromListings' };
    case 'EventMadeSticky':
    case 'EventUnstuck':
      return { ...event, modified, date, sticky: fact.type === 'EventMadeSticky' };
    case 'EventFeatured':
    case 'EventUnfeatured':
      return { ...event, modified, date, featured: fact.type === 'EventFeatured' };
    case 'EventTicketed':
    case 'EventUnticketed':
      return { ...event, modified, date, ticketed: fact.type === 'EventTicketed' };
    case 'EventRetitled':
    case 'EventDescribed':
    case 'EventPriced':
    case 'EventWebsiteChanged':
    case 'EventImageChanged':
    case 'EventMapDisplayChanged':
    case 'EventCategorized':
    case 'EventTagged':
    case 'EventMoved':
    case 'EventOrganizersChanged':
    case 'EventPlacedUnder':
      return { ...event, modified, date, ...fact.data };
    case 'EventExtended': {
      const { extensions: _before, ...rest } = event;
      const { extensions } = fact.data;
      return { ...rest, modified, date, ...(Object.keys(extensions).length > 0 && { extensions }) };
    }
    default: {
      const touched = { ...event, modified, date };
      return { ...touched, ...evolvePost(touched, fact.type, 'Event', fact.data) };
    }
  }
};
