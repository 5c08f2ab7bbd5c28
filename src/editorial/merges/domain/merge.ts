// Two resources of a kind that are the same are made one: what the one that stays and the other record.
// decision 4: events record ordinary facts, so no reader resolves links.

import type { Post } from '../../../calendar/resource/domain/post.ts';
import type { Fact } from '../../../domain/decider.ts';

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
  /** Ends a merge, in the stream of the one that stays and behind everything else that belongs to it. */
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

interface MergedTerm {
  readonly deleted: boolean;
  readonly mergedInto?: number;
}

export const mergedTerm = <State extends MergedTerm>(term: State, { into }: MergedInto): State => ({
  ...term,
  deleted: true,
  mergedInto: into,
});

/** A resource that was merged is one of its own again. */
export const unmerged = <State extends { readonly mergedInto?: number }>({
  mergedInto: _into,
  ...state
}: State): Omit<State, 'mergedInto'> => state;
