// The projection of calendar events, for public lists and reads.

import {
  type CalendarEvent,
  EVENT_FILTERS,
  type EventFact,
  evolveEvent,
} from '../src/calendar/event/domain/calendar-event.ts';
import { labelsOf } from '../src/calendar/event/domain/event-labels.ts';
import { traitsOf } from '../src/calendar/event/domain/event-traits.ts';
import { factOf, instantOf } from '../src/log/envelope.ts';
import type { EventDocument, EventFlags } from '../src/read-model/documents.ts';
import { eventFragment, maskedEventFragment } from '../src/rendering/event-fragment.ts';
import type { RenderingSettings } from '../src/rendering/post-fragment.ts';
import { shownBy } from './pictures.ts';
import { type AnyProjection, asJson, type Place, projectionOf } from './projection.ts';

export const eventsProjection = (settings: RenderingSettings): AnyProjection =>
  projectionOf<CalendarEvent>({
    kind: 'event',
    prefix: 'event-',
    fold: (state, event) => evolveEvent(state, factOf<EventFact>(event), instantOf(event)),
    document: (event, at) => eventDocument(event, settings, at),
  });

/** The document of one event; answers to writes are built from it, too. */
export const eventDocument = (event: CalendarEvent, settings: RenderingSettings, at: Place): EventDocument =>
  // Assigned, not spread, for speed; see `bornPost`.
  Object.assign(indexedEvent(event, at), {
    state: asJson(event),
    fragments: {
      full: eventFragment(event, settings),
      masked: event.passwordHash === null ? null : maskedEventFragment(event),
    },
  });

const flagsOf = (event: CalendarEvent): EventFlags =>
  // One by one.
  Object.fromEntries(EVENT_FILTERS.map(({ member }) => [member, event[member]])) as EventFlags;

/** What it is found and sorted by, and what it embeds. */
export const indexedEvent = (event: CalendarEvent, at: Place): Omit<EventDocument, 'state' | 'fragments'> => ({
  kind: 'event',
  id: event.id,
  revision: at.revision,
  position: at.position,
  status: event.status,
  author: event.author,
  slug: event.slug,
  ...(event.formerSlugs && { formerSlugs: event.formerSlugs }),
  date: event.date,
  protected: event.passwordHash !== null,
  startsAt: event.schedule.startsAt,
  endsAt: event.schedule.endsAt,
  hidden: event.hidden,
  ...flagsOf(event),
  ...(event.eventStatus && { eventStatus: event.eventStatus }),
  ...traitsOf(event),
  ...shownBy(event),
  ...(event.series && { series: event.series.id }),
  parent: event.parent,
  categories: event.categories,
  tags: event.tags,
  labels: labelsOf(event),
  venues: event.venues,
  organizers: event.organizers,
  title: event.title,
  excerpt: event.excerpt,
  description: event.description,
});
