// Documents of the public calendar as of an instant: only those that lists show and filter by.

import { indexedEvent } from '../../../../projections/events.ts';
import { indexedOrganizer } from '../../../../projections/organizers.ts';
import type { Place } from '../../../../projections/projection.ts';
import { type StoredSeries, seriesDocument } from '../../../../projections/series.ts';
import { indexedVenue } from '../../../../projections/venues.ts';
import type { CalendarEvent } from '../../../calendar/event/domain/calendar-event.ts';
import type { Organizer } from '../../../calendar/linked-post/domain/organizer.ts';
import type { Venue } from '../../../calendar/linked-post/domain/venue.ts';
import type { Post, PostStatus } from '../../../calendar/resource/domain/post.ts';
import type { Term } from '../../../calendar/term/domain/term.ts';
import type {
  Document,
  DocumentKind,
  EventDocument,
  Fragments,
  LinkedPostDocument,
  TermDocument,
} from '../../../read-model/documents.ts';
import type { RowsThen } from '../../../read-model/list-index/list-index.ts';
import { eventFragment, maskedEventFragment } from '../../../rendering/event-fragment.ts';
import {
  maskedOrganizerFragment,
  maskedVenueFragment,
  organizerFragment,
  venueFragment,
} from '../../../rendering/linked-post-fragment.ts';
import type { RenderingSettings } from '../../../rendering/post-fragment.ts';

export interface AsOfDocumentOptions {
  readonly rendering: RenderingSettings;
}

/** The state of a resource then, and whether its present state allows the public to see it. */
interface Then {
  readonly kind: DocumentKind;
  /** As folded by the projection of this kind. */
  readonly state: unknown;
  readonly at: Place;
  readonly today: 'open' | 'closed';
}

/**
 * Statuses here decide about the reader's rights: `publish` was public then and is public today, `private` was public
 * then and has been closed since, `trash` was not public: not shown, it only counts where lists ask whether something
 * is linked. Null: not even that. Terms, which have no status, say it as their state.
 */
export function documentAsOf({ kind, state, at, today }: Then, options: AsOfDocumentOptions): Document | null {
  // Each projection folds states of its own kind.
  switch (kind) {
    case 'event':
      return eventAsOf(state as CalendarEvent, at, today, options);
    case 'venue':
      return venueAsOf(state as Venue, at, today);
    case 'organizer':
      return organizerAsOf(state as Organizer, at, today);
    case 'category':
    case 'tag':
      return termAsOf(kind, state as Term, at, today);
    case 'series':
      return seriesDocument(state as StoredSeries, at);
    case 'user':
    case 'proposal':
    case 'picture':
    case 'parked':
      return null;
  }
}

/**
 * Whether the former state of a resource may be shown to the public. `today` is its folded state, null if it no longer
 * exists.
 */
export function isOpenToday(kind: DocumentKind, then: { readonly isProtected: boolean }, today: unknown): boolean {
  if (today === null) return false;
  // What was merged since is open: it leads to the one that stays.
  if (kind === 'category' || kind === 'tag') return !(today as Term).deleted || 'mergedInto' in (today as Term);
  const { passwordHash, mergedInto, before, status: present } = today as Post;
  const status = mergedInto === undefined ? present : before?.status;
  return status === 'publish' && (passwordHash === null || then.isProtected);
}

export const NOTHING_SHOWN = { full: '', masked: null };

const statusFor = ({ status }: Pick<Post, 'status'>, today: Then['today']): PostStatus => {
  if (status !== 'publish') return 'trash';
  return today === 'open' ? 'publish' : 'private';
};

const isUnsettled = (status: PostStatus): boolean => status === 'draft' || status === 'pending';

/** The same of rows of today that are those of then: what was public is open. */
export const ROWS_THEN: RowsThen = {
  event: (status) => (isUnsettled(status) ? null : statusFor({ status }, 'open')),
  linkedPost: (row) => ({
    ...row,
    status: statusFor(row, 'open'),
    coordinates: row.status === 'publish' ? row.coordinates : null,
  }),
};

/**
 * Behind a password only the masked form is shown, and no password is accepted: the protected content is left out. Rendered
 * when it is read: most documents are only indexed.
 */
function fragmentsOf(post: Post, full: () => Fragments['full'], masked: () => string): Fragments {
  if (post.status !== 'publish') return NOTHING_SHOWN;
  const isOpen = post.passwordHash === null;
  return {
    ...NOTHING_SHOWN,
    get undrawn() {
      return isOpen ? Object.values(post).filter((value) => typeof value === 'string') : [];
    },
    get full() {
      return isOpen ? full() : '';
    },
    get masked() {
      return isOpen ? null : masked();
    },
  };
}

function eventAsOf(
  event: CalendarEvent,
  at: Place,
  today: Then['today'],
  { rendering }: AsOfDocumentOptions,
): EventDocument | null {
  if (isUnsettled(event.status)) return null;
  const isSearchable = event.status === 'publish' && event.passwordHash === null;
  return {
    ...indexedEvent(event, at),
    state: null,
    status: statusFor(event, today),
    ...(!isSearchable && { title: '', excerpt: '', description: '' }),
    fragments: fragmentsOf(
      event,
      () => eventFragment(event, rendering),
      () => maskedEventFragment(event),
    ),
  };
}

function venueAsOf(venue: Venue, at: Place, today: Then['today']): LinkedPostDocument {
  const indexed = indexedVenue(venue, at);
  return {
    ...indexed,
    state: null,
    status: statusFor(venue, today),
    // A venue that has been closed since is not found by its place.
    coordinates: today === 'open' ? indexed.coordinates : null,
    fragments: fragmentsOf(
      venue,
      () => venueFragment(venue),
      () => maskedVenueFragment(venue),
    ),
  };
}

const organizerAsOf = (organizer: Organizer, at: Place, today: Then['today']): LinkedPostDocument => ({
  ...indexedOrganizer(organizer, at),
  state: null,
  status: statusFor(organizer, today),
  fragments: fragmentsOf(
    organizer,
    () => organizerFragment(organizer),
    () => maskedOrganizerFragment(organizer),
  ),
});

const termAsOf = (kind: 'category' | 'tag', term: Term, at: Place, today: Then['today']): TermDocument => ({
  kind,
  id: term.id,
  ...at,
  state: today,
  name: term.name,
  slug: term.slug,
  description: term.description,
  parent: term.parent,
  deleted: term.deleted,
  ...(term.mergedInto !== undefined && { mergedInto: term.mergedInto }),
});
