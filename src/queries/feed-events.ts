// Events for feeds: what the API answers to this reader, put into the words of src/feeds. Whatever decides there about
// what is shown (passwords, what is linked, who reads) therefore decides here.
import type { CalendarEvent } from '../domain/calendar-event.ts';
import type { PostStatus } from '../domain/post-status.ts';
import type { WallClock } from '../domain/zone.ts';
import type { FeedEvent, FeedImage, FeedOrganizer, FeedTerm, FeedVenue } from '../feeds/feed-event.ts';
import { lineOfHtml } from '../feeds/html-text.ts';
import type { EventDocument } from '../read-model/documents.ts';
import { type Assembled, assembleEvents, type Unlocked } from './assemble.ts';
import type { EmbeddedSource, Reader } from './reader.ts';

/** Documents have to come with their state. */
export async function feedEvents(
  dependencies: { readonly readModel: EmbeddedSource },
  documents: readonly EventDocument[],
  reader: Reader,
  unlocked: Unlocked,
): Promise<FeedEvent[]> {
  const bodies = await assembleEvents(dependencies, documents, reader, 'plain', unlocked);
  return documents.flatMap((document, index) => {
    const body = bodies[index];
    return body ? [feedEvent(document, body)] : [];
  });
}

/** What feeds use of an event on the wire. While its password is owed `all_day` is null, and texts and lists are empty. */
interface EventBody {
  readonly title: string;
  readonly description: string;
  readonly excerpt: string;
  readonly url: string;
  readonly image: false | FeedImage;
  readonly all_day: boolean | null;
  readonly start_date: WallClock;
  readonly end_date: WallClock;
  readonly timezone: string;
  readonly categories: readonly FeedTerm[];
  readonly tags: readonly FeedTerm[];
  readonly venue: VenueBody | readonly VenueBody[];
  readonly organizer: readonly OrganizerBody[];
}

/** Members without a value are absent. `show_map` is null while the password is owed. */
interface VenueBody {
  readonly venue: string;
  readonly show_map: boolean | null;
  readonly geo_lat?: number;
  readonly geo_lng?: number;
  readonly address?: string;
  readonly zip?: string;
  readonly city?: string;
  readonly stateprovince?: string;
  readonly country?: string;
}

interface OrganizerBody {
  readonly organizer: string;
  readonly email?: string;
  readonly phone?: string;
  readonly website?: string;
}

/** `body`: the event as `assembleEvents` made it. */
export function feedEvent(document: EventDocument, { text }: Pick<Assembled, 'text'>): FeedEvent {
  // Projections fold events into the state, and fragments say what this type says.
  const { created, modified } = document.state as unknown as Pick<CalendarEvent, 'created' | 'modified'>;
  const body: EventBody = JSON.parse(text);
  const { id, revision, date, startsAt, endsAt } = document;
  const status: PostStatus = document.status;
  return {
    id,
    revision,
    status,
    created,
    modified,
    published: date,
    timezone: body.timezone,
    isAllDay: body.all_day === true,
    start: body.start_date,
    end: body.end_date,
    startsAt,
    endsAt,
    title: body.title,
    description: body.description,
    excerpt: body.excerpt,
    url: body.url,
    image: body.image === false ? null : { url: body.image.url, extension: body.image.extension },
    venues: ('venue' in body.venue ? [body.venue] : body.venue).map(feedVenue),
    organizers: body.organizer.map(feedOrganizer),
    terms: [...body.categories, ...body.tags].map(({ name, slug }) => ({ name: lineOfHtml(name), slug })),
  };
}

function feedVenue(venue: VenueBody): FeedVenue {
  const { address = '', zip = '', city = '', stateprovince = '', country = '', geo_lat: lat, geo_lng: lng } = venue;
  const isPlaced = venue.show_map !== null && lat !== undefined && lng !== undefined;
  return {
    name: lineOfHtml(venue.venue),
    address: [address, zip, city, stateprovince, country],
    coordinates: isPlaced ? { lat, lng } : null,
  };
}

const feedOrganizer = ({ organizer, email = '', phone = '', website = '' }: OrganizerBody): FeedOrganizer => ({
  name: lineOfHtml(organizer),
  email,
  phone,
  website,
});
