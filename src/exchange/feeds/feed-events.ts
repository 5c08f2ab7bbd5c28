// Events for feeds: what the API answers to this reader, in the form that feeds need. So everything that
// decides there about what is shown (passwords, links, rights) decides here, too.
import { type CalendarEvent, FURTHER_EVENT_ROWS } from '../../calendar/event/domain/calendar-event.ts';
import { PLACE_ROWS } from '../../calendar/linked-post/domain/venue.ts';
import type { PostStatus } from '../../calendar/resource/domain/post.ts';
import type { Answer } from '../../http/schemas/components.ts';
import { openTurns } from '../../kernel/event-loop/turns.ts';
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import { assembleEvents } from '../../queries/assemble.ts';
import type { Assembled } from '../../queries/bodies.ts';
import type { EmbeddedSource, Reader } from '../../queries/reader.ts';
import type { Document, EventDocument } from '../../read-model/documents.ts';
import type { FeedEvent, FeedOrganizer, FeedVenue } from './feed-event.ts';

/** The events of these ids that are still published, in the given order. Others get their turn meanwhile. */
export async function publishedFeedEvents(
  readModel: EmbeddedSource,
  ids: readonly number[],
  reader: Reader,
): Promise<FeedEvent[]> {
  const documents = await readModel.fetch(ids.map((id) => ({ kind: 'event', id })));
  const published = documents.filter(isPublished);
  const bodies = await assembleEvents({ readModel }, published, reader, 'plain', new Set());
  const turn = openTurns();
  const events: FeedEvent[] = [];
  for (const [index, document] of published.entries()) {
    await turn();
    const body = bodies[index];
    if (body) events.push(feedEvent(document, body));
  }
  return events;
}

/** It may have changed since it was listed. */
const isPublished = (document: Document | null): document is EventDocument =>
  document?.kind === 'event' && document.status === 'publish' && !document.hidden;

/** `body`: the event from `assembleEvents`. */
export function feedEvent(document: EventDocument, { text }: Pick<Assembled, 'text'>): FeedEvent {
  // Projections store folded events as state, and fragments have the form of this type.
  const { created, modified } = document.state as unknown as Pick<CalendarEvent, 'created' | 'modified'>;
  const body: Answer<'Event'> = JSON.parse(text);
  const { id, revision, date, startsAt, endsAt } = document;
  const status: PostStatus = document.status;
  return {
    id,
    revision,
    status,
    eventStatus: body.event_status ?? 'scheduled',
    notice: body.notices?.findLast((notice) => notice.text !== '')?.text ?? '',
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
    onlineAt: (body.is_virtual && body.virtual_url) || '',
    venues: ('venue' in body.venue ? [body.venue] : body.venue).map(feedVenue),
    organizers: body.organizer.map(feedOrganizer),
    terms: [...body.categories, ...body.tags].map(({ name, slug }) => ({ name: lineOfHtml(name), slug })),
    further: furtherOf(body),
  };
}

const wiresOf = (rows: readonly { readonly wire: string }[]): string[] => rows.map(({ wire }) => wire);
const MEMBERS = ['cost', 'excerpt', ...wiresOf(FURTHER_EVENT_ROWS)];
const PLACE_MEMBERS = wiresOf(PLACE_ROWS);

/** Flags that are set, and texts that are not empty. */
const saidIn = (record: object, names: readonly string[]): object =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) => names.includes(name) && (value === true || (typeof value === 'string' && value !== '')),
    ),
  );

/** Without its status a place or a person that is not public would be so where the calendar is read. */
const withheld = ({ status }: { readonly status: string }): object => (status === 'publish' ? {} : { status });

function furtherOf(body: Answer<'Event'>): object {
  const { description, excerpt, tags, url, website } = body;
  // A plain text says the same.
  const isRich = /[<&]/.test(description.replace(/<\/?p>|<br ?\/>/g, ''));
  const venue = ('venue' in body.venue ? [body.venue] : body.venue).map((place) => ({
    venue: lineOfHtml(place.venue),
    ...saidIn(place, PLACE_MEMBERS),
    ...withheld(place),
  }));
  const organizer = body.organizer.flatMap((host) =>
    host.status === 'publish' ? [] : [{ organizer: lineOfHtml(host.organizer), ...withheld(host) }],
  );
  return {
    ...saidIn(body, MEMBERS),
    // That of an event without one is its page, which another property names.
    website: website === url ? undefined : website || undefined,
    ...(isRich || (description === '' && excerpt !== '') ? { description } : {}),
    ...(venue.length > 0 && { venue }),
    ...(organizer.length > 0 && { organizer }),
    ...(tags.length > 0 && { tags: tags.map(({ name }) => lineOfHtml(name)) }),
  };
}

function feedVenue(venue: Answer<'Venue'>): FeedVenue {
  const { address = '', zip = '', city = '', stateprovince = '', country = '', geo_lat: lat, geo_lng: lng } = venue;
  const isPlaced = venue.show_map !== null && lat !== undefined && lng !== undefined;
  return {
    name: lineOfHtml(venue.venue),
    address: [address, zip, city, stateprovince, country],
    coordinates: isPlaced ? { lat, lng } : null,
  };
}

const feedOrganizer = ({ organizer, email = '', phone = '', website = '' }: Answer<'Organizer'>): FeedOrganizer => ({
  name: lineOfHtml(organizer),
  email,
  phone,
  website,
});
