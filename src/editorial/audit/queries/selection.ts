// Which changes a reader requests, and which of them the reader may see.

import { isPostKind, POST_KINDS, type PostKind } from '../../../calendar/resource/domain/post.ts';
import { ENGLISH } from '../../../locales/languages.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import {
  may,
  mayAssignAuthors,
  mayImport,
  mayManageTerms,
  mayManageWebhooks,
  mayReadHistory,
  mayReadReviewPolicy,
  maySeeSite,
  mayShareWithGuests,
  mayUpload,
} from '../../../people/auth/policy.ts';
import type { HistoryReader } from '../../history/queries/reference-names.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../../history/queries/resource.ts';
import { REVIEW_KINDS, type ReviewKind } from './review-changes.ts';

/** Changes of resources, and steps of their review. */
export type ChangeKind = ResourceKind | ReviewKind;
export const CHANGE_KINDS: readonly ChangeKind[] = [...RESOURCE_KINDS, ...REVIEW_KINDS];

/** Per kind, the selected types of facts. A missing kind is not selected at all. */
export type Selection = ReadonlyMap<ChangeKind, 'all' | ReadonlySet<string>>;

/** Kinds by the prefix of the names of their facts. */
const NOUNS: { readonly [Kind in ChangeKind]: string } = {
  event: 'Event',
  venue: 'Venue',
  organizer: 'Organizer',
  category: 'Category',
  tag: 'Tag',
  proposal: 'Proposal',
  set: 'ChangeSet',
  policy: 'ReviewPolicy',
  settings: 'SiteSettings',
  picture: 'Picture',
  series: 'Series',
  webhook: 'Webhook',
  source: 'Source',
  guest: 'Guest',
};

export const EVERYTHING: Selection = new Map(CHANGE_KINDS.map((kind) => [kind, 'all']));

/**
 * The selection of a list of words: kinds (`event`) and types of facts (`EventRescheduled`), in any mixture; no word at
 * all selects everything. A word that is neither is returned as `unknown`.
 */
export function selectionOf(words: readonly string[]): Selection | { readonly unknown: string } {
  if (words.length === 0) return EVERYTHING;
  const selected = new Map<ChangeKind, 'all' | ReadonlySet<string>>();
  for (const word of words) {
    const kind = CHANGE_KINDS.find((known) => known === word) ?? kindOfFact(word);
    if (kind === undefined) return { unknown: word };
    const known = selected.get(kind) ?? new Set();
    const isWhole = word === kind || known === 'all';
    selected.set(kind, isWhole ? 'all' : new Set([...known, word]));
  }
  return selected;
}

const { facts, proposals, sets, reviewPolicy, siteSettings, pictures, series, webhooks, sources, guests } =
  ENGLISH.sentences;
const FACTS: ReadonlySet<string> = new Set(
  [facts, proposals, sets, reviewPolicy, siteSettings, pictures, series, webhooks, sources, guests].flatMap(
    Object.keys,
  ),
);

const kindOfFact = (type: string): ChangeKind | undefined =>
  // Not all facts of series begin with their noun.
  Object.hasOwn(series, type)
    ? 'series'
    : FACTS.has(type)
      ? CHANGE_KINDS.find((kind) => type.startsWith(NOUNS[kind]))
      : undefined;

export const isSelected = (selection: Selection, kind: ChangeKind, type: string): boolean => {
  const types = selection.get(kind);
  return types === 'all' || (types?.has(type) ?? false);
};

/** How much of a kind a reader may follow: everything, the reader's own, or nothing. */
type Reach = 'all' | 'own' | 'none';

/** Who follows all of a kind; others follow nothing of it. */
const WHOLE: { readonly [Kind in Exclude<ChangeKind, PostKind | 'proposal'>]: (caller: Caller) => boolean } = {
  policy: mayReadReviewPolicy,
  settings: maySeeSite,
  set: mayAssignAuthors,
  picture: mayUpload,
  source: mayImport,
  guest: mayShareWithGuests,
  webhook: mayManageWebhooks,
  series: (caller) => mayReadHistory(caller, 'event', null),
  category: (caller) => mayManageTerms(caller, 'category'),
  tag: (caller) => mayManageTerms(caller, 'tag'),
};

/** The same rights as for reading the history of one resource. */
export function reachOf(reader: HistoryReader, kind: ChangeKind): Reach {
  if (reader === 'operator') return 'all';
  const { caller } = reader;
  if (kind === 'proposal') return reachOfProposals(reader);
  if (!isPostKind(kind)) return WHOLE[kind](caller) ? 'all' : 'none';
  if (mayReadHistory(caller, kind, null)) return 'all';
  return may(caller, 'create', kind) ? 'own' : 'none';
}

/** Who reads every history sees every proposal. */
function reachOfProposals(reader: HistoryReader): Reach {
  const reaches = POST_KINDS.map((kind) => reachOf(reader, kind));
  if (reaches.every((reach) => reach === 'all')) return 'all';
  return reaches.some((reach) => reach !== 'none') ? 'own' : 'none';
}

/** The kinds of a selection of which the reader may see anything; empty if there is nothing to see. */
export const withinReach = (selection: Selection, reader: HistoryReader): readonly ChangeKind[] =>
  [...selection.keys()].filter((kind) => reachOf(reader, kind) !== 'none');

/** The words that select the same. */
export const wordsOf = (selection: Selection): readonly string[] =>
  [...selection].flatMap(([kind, types]) => (types === 'all' ? [kind] : [...types]));
