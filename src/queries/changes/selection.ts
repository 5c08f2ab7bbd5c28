// Which changes a reader requests, and which of them the reader may see.
import { may, mayManageTerms, mayReadHistory } from '../../auth/policy.ts';
import { ENGLISH } from '../../locales/languages.ts';
import type { HistoryReader } from '../history/reference-names.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../history/resource.ts';

/** Per kind, the selected types of facts. A missing kind is not selected at all. */
export type Selection = ReadonlyMap<ResourceKind, 'all' | ReadonlySet<string>>;

/** Kinds by the prefix of the names of their facts. */
const NOUNS: { readonly [Kind in ResourceKind]: string } = {
  event: 'Event',
  venue: 'Venue',
  organizer: 'Organizer',
  category: 'Category',
  tag: 'Tag',
};

export const EVERYTHING: Selection = new Map(RESOURCE_KINDS.map((kind) => [kind, 'all']));

/**
 * The selection of a list of words: kinds (`event`) and types of facts (`EventRescheduled`), in any mixture; no word at
 * all selects everything. A word that is neither is returned as `unknown`.
 */
export function selectionOf(words: readonly string[]): Selection | { readonly unknown: string } {
  if (words.length === 0) return EVERYTHING;
  const selected = new Map<ResourceKind, 'all' | ReadonlySet<string>>();
  for (const word of words) {
    const kind = RESOURCE_KINDS.find((known) => known === word) ?? kindOfFact(word);
    if (kind === undefined) return { unknown: word };
    const known = selected.get(kind) ?? new Set();
    const isWhole = word === kind || known === 'all';
    selected.set(kind, isWhole ? 'all' : new Set([...known, word]));
  }
  return selected;
}

const kindOfFact = (type: string): ResourceKind | undefined =>
  Object.hasOwn(ENGLISH.sentences.facts, type)
    ? RESOURCE_KINDS.find((kind) => type.startsWith(NOUNS[kind]))
    : undefined;

export const isSelected = (selection: Selection, kind: ResourceKind, type: string): boolean => {
  const wanted = selection.get(kind);
  return wanted === 'all' || (wanted?.has(type) ?? false);
};

/** How much of a kind a reader may follow: everything, the reader's own, or nothing. */
export type Reach = 'all' | 'own' | 'none';

/** The same rights as for reading the history of one resource. */
export function reachOf(reader: HistoryReader, kind: ResourceKind): Reach {
  if (reader === 'operator') return 'all';
  const { caller } = reader;
  if (kind === 'category' || kind === 'tag') return mayManageTerms(caller, kind) ? 'all' : 'none';
  if (mayReadHistory(caller, kind, null)) return 'all';
  return may(caller, 'create', kind) ? 'own' : 'none';
}

/** The kinds of a selection of which the reader may see anything; empty if there is nothing to see. */
export const withinReach = (selection: Selection, reader: HistoryReader): readonly ResourceKind[] =>
  [...selection.keys()].filter((kind) => reachOf(reader, kind) !== 'none');
