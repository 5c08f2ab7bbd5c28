// Puts together what many records say of the same things.
import type { EventInput } from '../commands/events.ts';
import type { OrganizerInput } from '../commands/organizers.ts';
import type { VenueInput } from '../commands/venues.ts';
import type { EventWish, LinkedWish, TermWish, Wishes } from './wishes.ts';

export interface Collection {
  add(wishes: Wishes): void;
  /** Each thing once, in the order in which it was first met. */
  collected(): Wishes;
}

export function openCollection(): Collection {
  const terms = new Map<string, TermWish>();
  const venues = new Map<string, LinkedWish<VenueInput>>();
  const organizers = new Map<string, LinkedWish<OrganizerInput>>();
  const events = new Map<string, EventWish>();
  return {
    add(wishes) {
      for (const term of wishes.terms) merge(terms, term, (known) => known);
      for (const venue of wishes.venues) merge(venues, venue, newest);
      for (const organizer of wishes.organizers) merge(organizers, organizer, newest);
      for (const event of wishes.events) merge(events, event, mergedEvent);
    },
    collected: () => ({
      terms: [...terms.values()],
      venues: [...venues.values()],
      organizers: [...organizers.values()],
      events: [...events.values()],
    }),
  };
}

function merge<Wish extends { readonly origin: { readonly key: string } }>(
  all: Map<string, Wish>,
  wish: Wish,
  merged: (known: Wish, further: Wish) => Wish,
): void {
  const { key } = wish.origin;
  const known = all.get(key);
  all.set(key, known ? merged(known, wish) : wish);
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
