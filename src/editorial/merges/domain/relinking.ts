// What events record whose venue, organizer or terms were merged with another.
import {
  type CalendarEvent,
  EVENT_FIELDS,
  type EventFact,
  type Link,
} from '../../../calendar/event/domain/calendar-event.ts';
import { fieldFacts } from '../../../calendar/resource/domain/fields.ts';
import type { MergedKind } from './merge.ts';

export const LINK_MEMBERS = { venue: 'venues', organizer: 'organizers', category: 'categories', tag: 'tags' } as const;

/** The facts by which an event is linked to the one that stays; none if it is not linked to the other. Terms have no life. */
export function relinkedFacts(event: CalendarEvent, kind: MergedKind, from: Link, into: Link): EventFact[] {
  const member = LINK_MEMBERS[kind];
  if (member === 'venues' || member === 'organizers') {
    const isFrom = ({ id, life }: Link): boolean => id === from.id && life === from.life;
    if (!event[member].some(isFrom)) return [];
    const links = event[member].map((link) => (isFrom(link) ? { id: into.id, life: into.life } : link));
    return fieldFacts(EVENT_FIELDS, event, { [member]: withoutRepeats(links, ({ id, life }) => `${id}.${life}`) });
  }
  if (!event[member].includes(from.id)) return [];
  const ids = event[member].map((id) => (id === from.id ? into.id : id));
  return fieldFacts(EVENT_FIELDS, event, { [member]: withoutRepeats(ids, String) });
}

/** The first of those with the same key. */
const withoutRepeats = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] =>
  [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();
