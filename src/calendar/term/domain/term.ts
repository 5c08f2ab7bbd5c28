// What categories and tags share: a name, a slug, a description and, for categories, a place in a tree.
import { accepted, type Decision, type Evolve, type Fact, UnexpectedFact } from '../../../domain/decider.ts';
import { type MergeFact, mergedTerm, unmerged } from '../../../editorial/merges/domain/merge.ts';
import {
  type Content,
  type FieldFact,
  type FieldInput,
  fieldFacts,
  fieldFold,
  html,
  line,
  plainRows,
  value,
} from '../../resource/domain/fields.ts';
import { type FormerlyNamed, withFormerSlug } from '../../resource/domain/post.ts';

export type TermKind = 'category' | 'tag';
export const TERM_KINDS: readonly TermKind[] = ['category', 'tag'];
export type TermNoun = 'Category' | 'Tag';

const fieldsOf = <const Noun extends TermNoun>(noun: Noun) => ({
  /** As displayed: without markup, `&` encoded. */
  name: line('name', `${noun}Renamed`),
  slug: line('slug', `${noun}SlugChanged`),
  description: html('description', `${noun}Described`),
  /** 0 for none; always 0 for tags. */
  parent: value('parent', `${noun}Moved`, 0),
});

/** They differ in the names of facts alone. */
export const TERM_FIELDS = { Category: fieldsOf('Category'), Tag: fieldsOf('Tag') };
type CategoryFields = typeof TERM_FIELDS.Category;
type TagFields = typeof TERM_FIELDS.Tag;

export const TERM_ROWS = plainRows(TERM_FIELDS.Category);

type TermContent = Content<CategoryFields>;

export interface Term extends TermContent, FormerlyNamed {
  readonly id: number;
  /** A deleted term stays as a redirect: its children belong to its parent from then on. */
  readonly deleted: boolean;
  /** Only of a deleted term that was merged: the one that stays. */
  readonly mergedInto?: number;
}

type NewTerm = Omit<Term, 'deleted' | 'mergedInto' | 'formerSlugs'>;

export type TermFact =
  | MergeFact<TermNoun>
  | FieldFact<CategoryFields>
  | FieldFact<TagFields>
  | Fact<`${TermNoun}Created`, NewTerm>
  | Fact<`${TermNoun}Deleted`, Record<string, never>>
  | Fact<`${TermNoun}Restored`, Record<string, never>>
  /** Names the revision that the accompanying facts restore; changes nothing by itself. */
  | Fact<`${TermNoun}Reverted`, { readonly toRevision: number }>;

/** What commands take; absent members were not sent. */
export interface TermInput extends FieldInput<CategoryFields> {
  /** A wish of an import. */
  readonly id?: number;
}

/** A term by its id, or by its slug or name. */
export type TermReference = { readonly id: number } | { readonly text: string };

export const nounOf = (kind: TermKind): TermNoun => (kind === 'category' ? 'Category' : 'Tag');

export const createTerm = (noun: TermNoun, term: NewTerm): Decision<TermFact> =>
  accepted([{ type: `${noun}Created`, data: term }]);

/** Changes a term; returns facts for differences only. */
export const changeTerm = (noun: TermNoun, term: Term, patch: Partial<TermContent>): Decision<TermFact> =>
  accepted(fieldFacts(TERM_FIELDS[noun], term, patch));

export const deleteTerm = (noun: TermNoun, term: Term): Decision<TermFact> =>
  accepted(term.deleted ? [] : [{ type: `${noun}Deleted`, data: {} }]);

const [inCategory, inTag] = [fieldFold(TERM_FIELDS.Category), fieldFold(TERM_FIELDS.Tag)];

export const evolveTerm: Evolve<Term, TermFact> = (term, fact, at) => {
  if (fact.type === 'CategoryCreated' || fact.type === 'TagCreated') return { ...fact.data, deleted: false };
  if (!term) throw new UnexpectedFact(fact);
  switch (fact.type) {
    case 'CategoryDeleted':
    case 'TagDeleted':
      return { ...term, deleted: true };
    case 'CategoryRestored':
    case 'TagRestored':
      return unmerged({ ...term, deleted: false });
    case 'CategoryMerged':
      // Children move below the one that stays, as they move up when a term is deleted.
      return { ...mergedTerm(term, fact.data), parent: fact.data.into };
    case 'TagMerged':
      return mergedTerm(term, fact.data);
    case 'CategoryAbsorbed':
    case 'TagAbsorbed':
    case 'CategoryReverted':
    case 'TagReverted':
      return term;
  }
  const content = inCategory(fact) ?? inTag(fact);
  if (content) {
    const isRenamed = content.slug !== undefined && content.slug !== term.slug;
    const former = { slug: term.slug, status: 'publish', until: at } as const;
    return { ...term, ...content, ...(isRenamed && withFormerSlug(term, former)) };
  }
  throw new UnexpectedFact(fact); // The log may hold what today's code does not know.
};
