// How far the review of a set is: what was judged, what counts for which of its proposals, and what is missing.

import type { Evolve } from '../../../domain/decider.ts';
import { evolveProposal, isUndecided, type Proposal, type ProposalFact } from '../../proposals/domain/proposal.ts';
import type { ReviewPolicy } from '../../review-rules/domain/review-policy.ts';
import { approvalsOf, type ChangeSet, requesterOf, type SeenMember } from './change-set.ts';

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
  /** What the strictest rule about its proposals demands; 0: all who may apply it may do so unreviewed. */
  readonly needed: number;
  /** The fewest approvals that any proposal that needs some has. */
  readonly approvalCount: number;
  /**
   * Its proposals that have fewer approvals than they need. Of a scheduled set also those of which changes are requested,
   * and those that were revised since they were planned and have not been approved as they are.
   */
  readonly unapproved: readonly number[];
}

/** How far the review is, by these rules. */
export function reviewOf(set: ChangeSet, members: readonly SetMember[], rules: ReviewPolicy): SetReview {
  const revisions = revisionsOf(members);
  const approvals = approvalsOf(set, revisions);
  const proposals = members.map(({ proposal }) => proposal);
  const undecided = members.filter(({ proposal }) => isUndecided(proposal));
  const decider = set.state === 'applied' && set.decidedBy !== null ? [set.decidedBy] : [];
  /** Planning it for an instant is an approval of what others have proposed, as applying it is. */
  const givenTo = (member: SetMember): number =>
    approversOf(member.proposal, [...approvals, ...plannersOf(set, member), ...decider]).size;
  const isLacking = (member: SetMember): boolean => {
    const count = givenTo(member);
    if (count < neededFor(rules, member.proposal)) return true;
    if (set.schedule === null) return false;
    return member.proposal.state === 'changes_requested' || (count === 0 && plannersOf(set, member).length === 0);
  };
  const needed = Math.max(0, ...proposals.map((proposal) => neededFor(rules, proposal)));
  // Proposals that have been applied count as well: users who write directly may have applied them without all approvals.
  const reviewed = members.filter(({ proposal }) => neededFor(rules, proposal) > 0);
  return {
    revisions,
    approvals,
    changesRequested: requesterOf(set, revisions),
    needed,
    approvalCount: Math.min(needed, ...reviewed.map(givenTo)),
    unapproved: undecided.filter(isLacking).map(({ proposal }) => proposal.id),
  };
}

/** Who has planned it for the instant of its set as it is; schedules of earlier releases take it as it is. */
function plannersOf({ schedule }: ChangeSet, { proposal, revisions }: SetMember): readonly number[] {
  if (schedule === null) return [];
  const { by, seen } = schedule;
  if (seen === undefined) return [by];
  return seen.filter((one) => one.proposal === proposal.id && one.revisions === revisions).map((one) => one.by);
}

/** Members as a user plans them. */
export const seenBy = (by: number, members: readonly SetMember[]): readonly SeenMember[] =>
  members.map(({ proposal, revisions }) => ({ proposal: proposal.id, revisions, by }));

/** How many approvals a proposal needs in a set, which editors and administrators apply. */
function neededFor(rules: ReviewPolicy, { target: { kind } }: Pick<Proposal, 'target'>): number {
  const { editor, administrator, approvals } = rules[kind];
  return editor === 'review' || administrator === 'review' ? approvals : 0;
}
