// Merges records of the same resource.

import type { EventInput } from '../../calendar/event/domain/calendar-event.ts';
import type { OrganizerInput } from '../../calendar/linked-post/domain/organizer.ts';
import type { VenueInput } from '../../calendar/linked-post/domain/venue.ts';
import type {
  ImportKind,
  ImportPlan,
  LargePlan,
  Origin,
  PlannedEvent,
  PlannedPost,
  PlannedTerm,
} from './import-plan.ts';
import { openPackedEvents } from './packed.ts';

interface Merged {
  readonly kind: ImportKind;
  readonly origin: Origin;
  readonly into: Origin;
}

export function openCollection() {
  const terms = new Map<string, PlannedTerm>();
  const venues = new Map<string, PlannedPost<VenueInput>>();
  const organizers = new Map<string, PlannedPost<OrganizerInput>>();
  const events = openPackedEvents();
  const places = new Map<string, number>();

  function addEvent(event: PlannedEvent): Merged[] {
    const { origin } = event;
    const identity = JSON.stringify([origin.owner, origin.key]);
    const place = places.get(identity);
    const earlier = place === undefined ? undefined : events.at(place);
    if (place === undefined || !earlier) {
      places.set(identity, events.add(event));
      return [];
    }
    events.replace(place, mergedEvent(earlier, event));
    return [{ kind: 'event', origin, into: earlier.origin }];
  }

  return {
    /** Returns the earlier records that this one also describes: from now on they are merged. */
    add(plan: ImportPlan): readonly Merged[] {
      const mergers = {
        terms: plan.terms.flatMap((term) => merge(terms, term, term.kind, (earlier) => earlier)),
        venues: plan.venues.flatMap((venue) => merge(venues, venue, 'venue', newest)),
        organizers: plan.organizers.flatMap((organizer) => merge(organizers, organizer, 'organizer', newest)),
        events: plan.events.flatMap(addEvent),
      };
      // Embedded resources repeat with every event and do not count as records of their own.
      if (plan.events.length > 0) return mergers.events;
      return [...mergers.terms, ...mergers.venues, ...mergers.organizers];
    },
    /** Each resource once, in order of first occurrence. */
    collected: (): LargePlan => ({
      terms: [...terms.values()],
      venues: [...venues.values()],
      organizers: [...organizers.values()],
      events,
    }),
  };
}

function merge<Planned extends { readonly origin: Origin }>(
  all: Map<string, Planned>,
  planned: Planned,
  kind: ImportKind,
  choose: (earlier: Planned, further: Planned) => Planned,
): Merged[] {
  const { key } = planned.origin;
  const earlier = all.get(key);
  all.set(key, earlier ? choose(earlier, planned) : planned);
  return earlier ? [{ kind, origin: planned.origin, into: earlier.origin }] : [];
}

const newest = <Planned extends { readonly modified: string }>(earlier: Planned, later: Planned): Planned =>
  later.modified > earlier.modified ? later : earlier;

function mergedEvent(earlier: PlannedEvent, later: PlannedEvent): PlannedEvent {
  if (earlier.merging === 'newest') return newest(earlier, later);
  const input: EventInput = { ...later.input, ...earlier.input };
  return {
    ...earlier,
    input,
    categories: united(earlier.categories, later.categories),
    tags: united(earlier.tags, later.tags),
  };
}

const united = (one: readonly string[] | undefined, other: readonly string[] | undefined): readonly string[] => [
  ...new Set([...(one ?? []), ...(other ?? [])]),
];
