// What categories and tags share: a name, a slug, a description and, for categories, a place in a tree.
import { accepted, type Decision, type Evolve, type Fact, UnfoldableFact } from './decider.ts';

export type TermKind = 'category' | 'tag';
export const TERM_KINDS: readonly TermKind[] = ['category', 'tag'];
export type TermNoun = 'Category' | 'Tag';

export interface Term {
  readonly id: number;
  /** As displayed: without markup, `&` encoded. */
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  /** 0 for none; always 0 for tags. */
  readonly parent: number;
  /** A deleted term stays as a redirect: its children belong to its parent from then on. */
  readonly deleted: boolean;
}

export type TermFact<N extends TermNoun = TermNoun> =
  | Fact<`${N}Created`, Omit<Term, 'deleted'>>
  | Fact<`${N}Renamed`, Pick<Term, 'name'>>
  | Fact<`${N}SlugChanged`, Pick<Term, 'slug'>>
  | Fact<`${N}Described`, Pick<Term, 'description'>>
  | Fact<`${N}Moved`, Pick<Term, 'parent'>>
  | Fact<`${N}Deleted`, Record<string, never>>
  | Fact<`${N}Restored`, Record<string, never>>
  /** Names the revision that the accompanying facts restore; changes nothing by itself. */
  | Fact<`${N}Reverted`, { readonly toRevision: number }>;

/** What a command changes; absent members stay as they are. */
export type TermPatch = Partial<Pick<Term, 'name' | 'slug' | 'description' | 'parent'>>;

export const nounOf = (kind: TermKind): TermNoun => (kind === 'category' ? 'Category' : 'Tag');

export const createTerm = (noun: TermNoun, term: Omit<Term, 'deleted'>): Decision<TermFact> =>
  accepted([{ type: `${noun}Created`, data: term }]);

/** Changes a term; returns facts for differences only. */
export function changeTerm(noun: TermNoun, term: Term, patch: TermPatch): Decision<TermFact> {
  const { name = term.name, slug = term.slug, description = term.description, parent = term.parent } = patch;
  const facts: TermFact[] = [];
  if (name !== term.name) facts.push({ type: `${noun}Renamed`, data: { name } });
  if (slug !== term.slug) facts.push({ type: `${noun}SlugChanged`, data: { slug } });
  if (description !== term.description) facts.push({ type: `${noun}Described`, data: { description } });
  if (parent !== term.parent) facts.push({ type: `${noun}Moved`, data: { parent } });
  return accepted(facts);
}

export const deleteTerm = (noun: TermNoun, term: Term): Decision<TermFact> =>
  accepted(term.deleted ? [] : [{ type: `${noun}Deleted`, data: {} }]);

export const evolveTerm: Evolve<Term, TermFact> = (term, fact) => {
  switch (fact.type) {
    case 'CategoryCreated':
    case 'TagCreated':
      return { ...fact.data, deleted: false };
  }
  if (!term) throw new UnfoldableFact(fact.type);
  switch (fact.type) {
    case 'CategoryDeleted':
    case 'TagDeleted':
      return { ...term, deleted: true };
    case 'CategoryRestored':
    case 'TagRestored':
      return { ...term, deleted: false };
    case 'CategoryReverted':
    case 'TagReverted':
      return term;
    case 'CategoryRenamed':
    case 'TagRenamed':
    case 'CategorySlugChanged':
    case 'TagSlugChanged':
    case 'CategoryDescribed':
    case 'TagDescribed':
    case 'CategoryMoved':
    case 'TagMoved':
      return { ...term, ...fact.data };
    default:
      throw new UnfoldableFact((fact as Fact).type); // Never by its type, yet the log may hold what today's code does not know.
  }
};
