// Puts together what many records say of the same things.
import type { EventInput } from '../commands/events.ts';
import type { OrganizerInput, VenueInput } from '../commands/linked-posts.ts';
import type { EventWish, ImportKind, LinkedWish, Origin, TermWish, Wishes } from './import-plan.ts';

export interface Collection {
  /** Answers what was there before of the records that this one speaks of: they are one with it from now on. */
  add(wishes: Wishes): readonly Merged[];
  /** Each thing once, in the order in which it was first met. */
  collected(): Wishes;
}

export interface Merged {
  readonly kind: ImportKind;
  readonly origin: Origin;
  readonly into: Origin;
}

export function openCollection(): Collection {
  const terms = new Map<string, TermWish>();
  const venues = new Map<string, LinkedWish<VenueInput>>();
  const organizers = new Map<string, LinkedWish<OrganizerInput>>();
  const events = new Map<string, EventWish>();
  return {
    add(wishes) {
      const merged = {
        terms: wishes.terms.flatMap((term) => merge(terms, term, term.kind, (known) => known)),
        venues: wishes.venues.flatMap((venue) => merge(venues, venue, 'venue', newest)),
        organizers: wishes.organizers.flatMap((organizer) => merge(organizers, organizer, 'organizer', newest)),
        events: wishes.events.flatMap((event) => merge(events, event, 'event', mergedEvent)),
      };
      // Events bring along what they refer to, again and again: those are no records of their own.
      if (wishes.events.length > 0) return merged.events;
      return [...merged.terms, ...merged.venues, ...merged.organizers];
    },
    collected: () => ({
      terms: [...terms.values()],
      venues: [...venues.values()],
      organizers: [...organizers.values()],
      events: [...events.values()],
    }),
  };
}

function merge<Wish extends { readonly origin: Origin }>(
  all: Map<string, Wish>,
  wish: Wish,
  kind: ImportKind,
  merged: (earlier: Wish, further: Wish) => Wish,
): Merged[] {
  const { key } = wish.origin;
  const earlier = all.get(key);
  all.set(key, earlier ? merged(earlier, wish) : wish);
  return earlier ? [{ kind, origin: wish.origin, into: earlier.origin }] : [];
}

const newest = <Wish extends { readonly modified: string }>(known: Wish, further: Wish): Wish =>
  further.modified > known.modified ? further : known;

function mergedEvent(known: EventWish, further: EventWish): EventWish {
  if (known.merging === 'newest') return newest(known, further);
  const input: EventInput = { ...further.input, ...known.input };
  return {
    ...known,
    input,
    categories: united(known.categories, further.categories),
    tags: united(known.tags, further.tags),
  };
}

const united = (one: readonly string[] | undefined, other: readonly string[] | undefined): readonly string[] => [
  ...new Set([...(one ?? []), ...(other ?? [])]),
];
