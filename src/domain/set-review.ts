// How far the review of a set is: what was judged, what counts for which of its proposals, and what is missing.
import { approvalsOf, type ChangeSet, requesterOf } from './change-set.ts';
import type { Evolve } from './decider.ts';
import { evolveProposal, isUndecided, type Proposal, type ProposalFact } from './proposal.ts';
import type { ReviewPolicy } from './review-policy.ts';

/** A proposal of a set. */
export interface SetMember {
  readonly proposal: Proposal;
  /** How often another wish has come into the place of the one before. */
  readonly revisions: number;
}

export const evolveSetMember: Evolve<SetMember, ProposalFact> = (member, fact, at) => {
  const proposal = evolveProposal(member?.proposal ?? null, fact, at);
  const revisions = (member?.revisions ?? 0) + (fact.type === 'ProposalRevised' ? 1 : 0);
  return proposal && { proposal, revisions };
};

export const revisionsOf = (members: readonly SetMember[]): readonly number[] =>
  members.map(({ revisions }) => revisions);

/** Who has approved a proposal as it is, by itself or with its set. Its author does not count. */
export const approversOf = (
  { author, approvals = [] }: Pick<Proposal, 'author' | 'approvals'>,
  ofSet: readonly number[],
): ReadonlySet<number> => new Set([...approvals, ...ofSet].filter((user) => user !== author));

export interface SetReview {
  /** How often each of its proposals, in their order, has been revised. */
  readonly revisions: readonly number[];
  /** Users who have approved it as it is. */
  readonly approvals: readonly number[];
  /** Who has asked for changes of it as it is. */
  readonly changesRequested: number | null;
  /** As many as the strictest rule about its proposals; 0: all who may apply it may do so unreviewed. */
  readonly needed: number;
  /** Its proposals that have fewer approvals than they need. */
  readonly unapproved: readonly number[];
}

/** How far the review is, by these rules. */
export function reviewOf(set: ChangeSet, members: readonly SetMember[], rules: ReviewPolicy): SetReview {
  const revisions = revisionsOf(members);
  const approvals = approvalsOf(set, revisions);
  const proposals = members.map(({ proposal }) => proposal);
  const isLacking = (proposal: Proposal): boolean =>
    isUndecided(proposal) && approversOf(proposal, approvals).size < neededFor(rules, proposal);
  return {
    revisions,
    approvals,
    changesRequested: requesterOf(set, revisions),
    needed: Math.max(0, ...proposals.map((proposal) => neededFor(rules, proposal))),
    unapproved: proposals.filter(isLacking).map(({ id }) => id),
  };
}

/** Those who apply sets are editors and administrators. */
function neededFor(rules: ReviewPolicy, { target: { kind } }: Pick<Proposal, 'target'>): number {
  const { editor, administrator, approvals } = rules[kind];
  return editor === 'review' || administrator === 'review' ? approvals : 0;
}
