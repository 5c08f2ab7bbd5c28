// From what a client sent, as the check of its schema has read it, to the input of a command.
import type { Static, TObject } from 'typebox';
import {
  EVENT_FIELDS,
  type EventInput,
  type Link,
  type PostReference,
} from '../../calendar/event/domain/calendar-event.ts';
import type { eventCreate } from '../../calendar/event/http/event-schema.ts';
import { ORGANIZER_FIELDS, type OrganizerInput } from '../../calendar/linked-post/domain/organizer.ts';
import { VENUE_FIELDS, type VenueInput } from '../../calendar/linked-post/domain/venue.ts';
import type { organizerTables, venueTables } from '../../calendar/linked-post/http/linked-post-schema.ts';
import type { FieldInput, FieldTable, FieldValues } from '../../calendar/resource/domain/fields.ts';
import type { PostInput } from '../../calendar/resource/domain/post.ts';
import { TERM_FIELDS, type TermInput } from '../../calendar/term/domain/term.ts';
import type { categoryTables } from '../../calendar/term/http/term-schema.ts';
import { present } from '../../domain/present.ts';
import { withoutControls } from '../../kernel/text/plain-text.ts';
import type { authorship } from '../schemas/primitives.ts';

/** What the check of a schema gives; a change sends some of what a creation does. */
type Body<Schema extends TObject> = Partial<Static<Schema>>;

/** The fields that were sent, under the names of their members; plain texts without control characters. */
function fieldInput<T extends FieldTable>(table: T, body: FieldValues<T>): FieldInput<T> {
  const values: { readonly [wire: string]: unknown } = body;
  const members = Object.entries(table).flatMap(([member, field]) => {
    const value = values[field.wire];
    if (value === undefined) return [];
    return [[member, 'kind' in field && typeof value === 'string' ? withoutControls(value) : value] as const];
  });
  // Each as its row takes it.
  return Object.fromEntries(members) as FieldInput<T>;
}

type PostBody = Body<TObject<typeof authorship>> & { readonly password?: string; readonly slug?: string };

const postInput = ({ status, author, date, date_utc: dateUtc, password, slug }: PostBody): PostInput =>
  present({ status, author, date, dateUtc, password, slug: slug && withoutControls(slug) });

export function eventInput({ venue, organizer, ...body }: Body<typeof eventCreate>): EventInput {
  const { start_date: start, end_date: end, timezone, all_day: allDay, event_status: eventStatus } = body;
  const notice = body.notice && withoutControls(body.notice);
  const times = present({ start, end, timezone, allDay });
  return {
    ...postInput(body),
    ...fieldInput(EVENT_FIELDS, {
      ...body,
      ...present({
        venue: references(venue, venueInput),
        organizer: references(organizer, organizerInput),
      }),
    }),
    ...present({ eventStatus, notice, online: onlineInput(body) }),
    ...(Object.keys(times).length > 0 && { times }),
  };
}

/** Undefined if nothing was sent about it; an empty address removes it. */
function onlineInput(body: Body<typeof eventCreate>): EventInput['online'] {
  const { is_virtual: isVirtual, virtual_url: url, virtual_video_source: source } = body;
  const online = present({
    isVirtual,
    virtualUrl: url === undefined ? undefined : url || null,
    virtualVideoSource: source === undefined ? undefined : withoutControls(source),
  });
  return Object.keys(online).length > 0 ? online : undefined;
}

/** Null links nothing. */
const references = <Fields, Input>(
  linked: readonly (Link | { readonly fields: Fields })[] | null | undefined,
  inputOf: (fields: Fields) => Input,
): PostReference<Input>[] | undefined =>
  linked === null ? [] : linked?.map((one) => ('fields' in one ? { input: inputOf(one.fields) } : one));

export const venueInput = (body: Body<typeof venueTables.update>): VenueInput => ({
  ...postInput(body),
  ...fieldInput(VENUE_FIELDS, { ...body, ...present({ coordinates: coordinates(body) }) }),
});

/** Both or none; both empty remove them. */
function coordinates({ geo_lat: lat, geo_lng: lng }: Body<typeof venueTables.update>): VenueInput['coordinates'] {
  if (lat === undefined || lng === undefined) return undefined;
  return lat === null || lng === null ? null : { lat, lng };
}

export const organizerInput = (body: Body<typeof organizerTables.update>): OrganizerInput => ({
  ...postInput(body),
  ...fieldInput(ORGANIZER_FIELDS, body),
});

export const termInput = (body: Body<typeof categoryTables.create>): TermInput =>
  fieldInput(TERM_FIELDS.Category, body);
