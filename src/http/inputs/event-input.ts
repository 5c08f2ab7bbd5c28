// From what a client sent of an event to the command's input.
import type { Static } from 'typebox';
import type { EventInput, PostReference } from '../../commands/events.ts';
import { EVENT_ROWS } from '../../domain/calendar-event.ts';
import type { eventCreate } from '../schemas/event.ts';
import { organizerInput, venueInput } from './linked-post-input.ts';
import { plainInput, postInput, present, slugSent } from './post-input.ts';

type EventSent = Partial<Static<typeof eventCreate>>;

export function eventInput(sent: EventSent): EventInput {
  const { start_date: start, end_date: end, timezone, all_day: allDay } = sent;
  const { slug, cost, website, categories, tags, venue, organizer, post_parent: parent } = sent;
  const times = present({ start, end, timezone, allDay });
  return {
    ...postInput(sent),
    ...plainInput(sent, EVENT_ROWS),
    ...(Object.keys(times).length > 0 && { times }),
    ...present({
      slug: slugSent(slug),
      cost,
      website,
      categories,
      tags,
      venues: venue && references(venue, venueInput),
      organizers: organizer && references(organizer, organizerInput),
      parent,
    }),
  };
}

type Linked<Fields> = { readonly id: number } | { readonly fields: Fields };

const references = <Fields, Input>(
  linked: readonly Linked<Fields>[],
  inputOf: (fields: Fields) => Input,
): PostReference<Input>[] => linked.map((one) => ('id' in one ? { id: one.id } : { input: inputOf(one.fields) }));
