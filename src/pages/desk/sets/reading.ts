// Sets of proposals, as the API answers them.
import type { ListedProposal, Person, ReadProposal } from '../review/reading.ts';

export const SET_STATES = ['open', 'scheduled', 'failed', 'applied', 'withdrawn'] as const;
type SetState = (typeof SET_STATES)[number];

interface SetProblem {
  readonly proposal: number;
  readonly problem: string;
}

export interface ShownSet {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly state: SetState;
  readonly author: Person;
  readonly opened: string;
  readonly at: string | null;
  readonly proposals: readonly number[];
  /** How often each of them has been revised. */
  readonly revisions: readonly number[];
  readonly problems: readonly SetProblem[];
  /** What it was applied as. */
  readonly request: string | null;
  readonly decided_by: Person | null;
  readonly approvals: readonly Person[];
  readonly approvals_needed: number;
  /** As many of them as each of its undecided proposals has at least. */
  readonly approvals_given: number;
  readonly unapproved: readonly number[];
  readonly changes_requested: Person | null;
  readonly comments: ListedProposal['comments'];
}

/** What applying it now would come to. */
export interface TriedSet extends ShownSet {
  readonly others: readonly { readonly name: string }[];
}

export interface SetsPage {
  readonly sets: readonly ShownSet[];
  readonly total: number;
  readonly total_pages: number;
}

/** A proposal of a set; null: this user may not see it. */
export interface SetMember {
  readonly id: number;
  readonly proposal: ReadProposal | null;
}

export const isUndecided = ({ state }: ShownSet): boolean => state !== 'applied' && state !== 'withdrawn';
