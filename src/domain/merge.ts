// Two resources of a kind that are the same are made one: what the one that stays, the other and their events record.
// decision 4: events record ordinary facts, so no reader resolves links.
import { type CalendarEvent, EVENT_FIELDS, type EventFact, type Link } from './calendar-event.ts';
import type { Fact } from './decider.ts';
import { fieldFacts } from './fields.ts';
import type { Post } from './post.ts';

export const MERGED_KINDS = ['venue', 'organizer', 'category', 'tag'] as const;
export type MergedKind = (typeof MERGED_KINDS)[number];

/** Why two look alike. */
export const DUPLICATE_REASONS = ['name', 'place', 'address'] as const;
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number];

const NOUNS = { venue: 'Venue', organizer: 'Organizer', category: 'Category', tag: 'Tag' } as const;
type MergedNoun = (typeof NOUNS)[MergedKind];

interface MergedInto {
  readonly into: number;
  /** Ids of the events that were linked to it, ascending. */
  readonly events: readonly number[];
}

export type MergeFact<N extends MergedNoun> =
  /** It is one with another, to which its events are linked from then on. */
  | Fact<`${N}Merged`, MergedInto>
  /** In the stream of the one that stays, behind everything else that belongs to the merge. */
  | Fact<`${N}Absorbed`, { readonly from: number }>;

/** What the merged one and the one that stays record. */
export const mergeFacts = (kind: MergedKind, from: number, merged: MergedInto) => ({
  merged: { type: `${NOUNS[kind]}Merged`, data: merged } as const,
  absorbed: { type: `${NOUNS[kind]}Absorbed`, data: { from } } as const,
});

/** Whether a fact says that a resource was merged. */
export const isMergedFact = (kind: MergedKind, { type }: Pick<Fact, 'type'>): boolean =>
  type === `${NOUNS[kind]}Merged`;

/** Whether a fact ends the merge of `from`. */
export const isAbsorbedFact = (kind: MergedKind, from: number, { type, data }: Fact): boolean =>
  type === `${NOUNS[kind]}Absorbed` && (data as { readonly from: number }).from === from;

/** A merged post is in the trash with its slug, so that it is still found by it. */
export const mergedPost = <State extends Post>(post: State, { into }: MergedInto): State => ({
  ...post,
  status: 'trash',
  before: { status: post.status, slug: post.slug },
  mergedInto: into,
});

export function restoredPost<State extends Post>({ mergedInto: _before, ...post }: State): Omit<State, 'mergedInto'> {
  return post;
}

interface MergedTerm {
  readonly deleted: boolean;
  readonly mergedInto?: number;
}

export const mergedTerm = <State extends MergedTerm>(term: State, { into }: MergedInto): State => ({
  ...term,
  deleted: true,
  mergedInto: into,
});

export function restoredTerm<State extends MergedTerm>({
  mergedInto: _before,
  ...term
}: State): Omit<State, 'mergedInto'> {
  return term;
}

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
