// The format of exported resources: JSON lines, a header first, then one resource a line, then a trailer.
//
//   {"format":"daybook-resources","version":1,"daybook":"0.1.0","exported":"2030-…Z","origin":"…","position":"…"}
//   {"kind":"category","id":3,…}
//   …
//   {"end":"daybook-resources","counts":{"category":1,…},"digest":"sha256:…"}
//
// Referenced resources come first: categories, tags, venues, organizers, events, proposals. Members have their API names. The
// digest is over the bytes of all lines before the trailer, including their line ends.
import { type CalendarEvent, FURTHER_EVENT_ROWS } from '../../calendar/event/domain/calendar-event.ts';
import type { Notice } from '../../calendar/event/domain/event-status.ts';
import type { Online } from '../../calendar/event/domain/online.ts';
import { ORGANIZER_ROWS, type Organizer } from '../../calendar/linked-post/domain/organizer.ts';
import { VENUE_ROWS, type Venue } from '../../calendar/linked-post/domain/venue.ts';
import { byWire } from '../../calendar/resource/domain/fields.ts';
import type { Image } from '../../calendar/resource/domain/image.ts';
import type { Post, PostKind } from '../../calendar/resource/domain/post.ts';
import { TERM_ROWS, type Term, type TermKind } from '../../calendar/term/domain/term.ts';
import type { Proposal } from '../../editorial/proposals/domain/proposal.ts';
import { formatCivil } from '../../kernel/time/civil-time.ts';
import type { Position } from '../../log/envelope.ts';

export const RESOURCE_FORMAT = 'daybook-resources';
export const RESOURCE_VERSION = 1;

export type ResourceKind = PostKind | TermKind | 'proposal';
/** In the order in which an import can create them; proposals are for other readers. */
export const RESOURCE_KINDS: readonly ResourceKind[] = ['category', 'tag', 'venue', 'organizer', 'event', 'proposal'];

export type ResourceCounts = { readonly [Kind in ResourceKind]?: number };

interface ResourceHeader {
  /** The version of Daybook that wrote it. */
  readonly daybook: string;
  /** ISO 8601 in UTC. */
  readonly exported: string;
  /** The id of the first event of the log: identifies the log and its copies. */
  readonly origin: string | null;
  /** The log position up to which the export is complete. */
  readonly position: Position;
}

export const resourceHeader = (header: ResourceHeader): string =>
  JSON.stringify({ format: RESOURCE_FORMAT, version: RESOURCE_VERSION, ...header });

export const resourceTrailer = (counts: ResourceCounts, digest: string): string =>
  JSON.stringify({ end: RESOURCE_FORMAT, counts, digest });

/** The links that are effective today. */
interface Links {
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly venues: readonly number[];
  readonly organizers: readonly number[];
}

export const termLine = (kind: TermKind, term: Term, parent: number): string =>
  JSON.stringify({ kind, id: term.id, ...byWire(TERM_ROWS, term), ...(kind === 'category' && { parent }) });

export function venueLine(venue: Venue): string {
  const { id, name, coordinates } = venue;
  const [place, others] = [byWire(PLACE, venue), byWire(VENUE_REST, venue)];
  return JSON.stringify({ kind: 'venue', id, name, ...place, coordinates, ...others, ...lifeOf(venue) });
}

/** The name is under its field name, and coordinates follow the address. */
const NAMELESS = VENUE_ROWS.filter(({ member }) => member !== 'name');
const PLACE = NAMELESS.filter(({ fact }) => fact === 'VenueDescribed' || fact === 'VenueRelocated');
const VENUE_REST = NAMELESS.filter((row) => !PLACE.includes(row));
const ORGANIZER_REST = ORGANIZER_ROWS.filter(({ member }) => member !== 'name');

export function organizerLine(organizer: Organizer): string {
  const { id, name } = organizer;
  return JSON.stringify({ kind: 'organizer', id, name, ...byWire(ORGANIZER_REST, organizer), ...lifeOf(organizer) });
}

export function calendarEventLine(event: CalendarEvent, links: Links): string {
  const { id, title, description, excerpt, schedule, cost, website, parent } = event;
  const { timezone, allDay, start, end, startsAt, endsAt, given } = schedule;
  return JSON.stringify({
    kind: 'event',
    id,
    title,
    description,
    excerpt,
    timezone,
    all_day: allDay,
    start_date: start,
    end_date: end,
    utc_start_date: formatCivil(startsAt),
    utc_end_date: formatCivil(endsAt),
    ...(given && { dates_given: given }),
    cost: cost?.entries ?? null,
    website,
    ...byWire(FURTHER_EVENT_ROWS, event),
    ...links,
    parent,
    ...membersAdded(event),
    ...lifeOf(event),
  });
}

/** What only some events have. */
export const membersAdded = ({ extensions, eventStatus, notices, online }: CalendarEvent) => ({
  ...(extensions && { extensions }),
  ...(eventStatus && { event_status: eventStatus }),
  ...(notices && { notices: notices.map(noticeMembers) }),
  ...(online && onlineMembers(online)),
});

const onlineMembers = ({ isVirtual, virtualUrl, virtualVideoSource }: Online) => ({
  is_virtual: isVirtual,
  virtual_url: virtualUrl,
  virtual_video_source: virtualVideoSource,
});

const noticeMembers = ({ type, text, date, previous }: Notice) => ({
  type,
  text,
  date_utc: formatCivil(date),
  ...(previous && {
    previous_start_date: previous.start,
    previous_utc_start_date: formatCivil(previous.startsAt),
  }),
});

/** `wish` and `facts` are as the log has them: what was sent, and what it would change. */
export const proposalLine = ({ id, target, base, opened, modified, ...proposal }: Proposal): string =>
  JSON.stringify({
    kind: 'proposal',
    id,
    target,
    base_revision: base < 0 ? null : base,
    state: proposal.state,
    note: proposal.note,
    author: proposal.author,
    reviewers: proposal.reviewers,
    decided_by: proposal.decidedBy,
    sets: proposal.sets ?? [],
    comments: proposal.comments.map(({ by, at, text }) => ({ author: by, date_utc: formatCivil(at), text })),
    wish: proposal.wish,
    facts: proposal.facts,
    opened_utc: formatCivil(opened),
    modified_utc: formatCivil(modified),
  });

/** The members of every post. The password is exported only as a flag; a floating date is null. */
function lifeOf(post: Post & { readonly image: Image | null }): object {
  const { author, status, slug, date, dateFloats, created, modified, before, passwordHash, image } = post;
  return {
    slug,
    status,
    author,
    date_utc: dateFloats ? null : formatCivil(date),
    created_utc: formatCivil(created),
    modified_utc: formatCivil(modified),
    password_protected: passwordHash !== null,
    trashed_from: before,
    image: image && {
      url: image.url,
      width: image.width,
      height: image.height,
      ...(image.sizes && { sizes: image.sizes }),
    },
  };
}
