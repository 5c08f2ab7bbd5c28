// A change that is proposed instead of made: what it wishes, what became of it, and who may take which step.

import { POST_KINDS, type PostKind } from '../../../calendar/resource/domain/post.ts';
import { TERM_KINDS, type TermKind } from '../../../calendar/term/domain/term.ts';
import { accepted, type Decision, type Evolve, type Fact, rejected, UnexpectedFact } from '../../../domain/decider.ts';
import { invalidParameter, type ProposalConflict, type Rejection } from '../../../domain/rejections.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';

export type TargetKind = PostKind | TermKind;
export const TARGET_KINDS: readonly TargetKind[] = [...POST_KINDS, ...TERM_KINDS];

/** What is to change. A creation has its id from the beginning. */
export interface Target {
  readonly kind: TargetKind;
  readonly id: number;
}

/** The input of a command as plain JSON: what its author sent, cleaned by the author's rights. */
export type Wish = { readonly [member: string]: unknown };
/** The facts that a wish decides to, by type: a decision has one of each at most. */
export type ProposedFacts = { readonly [type: string]: unknown };

/**
 * What a wish is for, where its fields are not the wish: to put the target into the trash, back to a revision, or to make
 * it one with another.
 */
export type ProposedAction = 'delete' | 'revert' | 'merge';

/** A wish, and the revision of its target that it was decided on; -1 for a creation. */
export interface ProposedChange {
  /** Absent: a creation, or a change of fields. */
  readonly action?: ProposedAction;
  readonly base: number;
  readonly wish: Wish;
  readonly facts: ProposedFacts;
  /** Under whose key personal data in it is encrypted (`organizer-7`); null: there is none. */
  readonly subject: string | null;
}

/** `approved`: its facts are being written; `approved_for_set`: it becomes public with a set that it is in. */
export const PROPOSAL_STATES = [
  ...(['open', 'changes_requested', 'approved', 'approved_for_set'] as const),
  ...(['applied', 'rejected', 'withdrawn'] as const),
] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

export interface Comment {
  readonly by: number;
  readonly at: EpochSeconds;
  readonly text: string;
}

export interface Proposal extends ProposedChange {
  readonly id: number;
  readonly target: Target;
  readonly note: string;
  readonly author: number;
  /** What it was submitted as by the public; its author is no user then. */
  readonly submission?: number;
  readonly state: ProposalState;
  readonly opened: EpochSeconds;
  readonly modified: EpochSeconds;
  readonly comments: readonly Comment[];
  /** Users other than the author who have judged or revised it. */
  readonly reviewers: readonly number[];
  /** Users who have approved it as it is, while it needs more approvals; absent: none. */
  readonly approvals?: readonly number[];
  /** Sets that have collected it and not dropped it since; absent: none. A set that is not pending counts no more. */
  readonly sets?: readonly number[];
  /** Who took the step that led to `state`; null while it is as its author opened it. */
  readonly decidedBy: number | null;
}

interface Step {
  readonly by: number;
  readonly text: string;
}

/** A step as recorded: its text may tell of the person whom the proposal is about. */
type RecordedStep = Step & { readonly subject?: string };

const recorded = ({ subject }: Proposal, step: Step): RecordedStep => (subject === null ? step : { ...step, subject });

export type ProposalFact =
  | Fact<'ProposalOpened', ProposedChange & Pick<Proposal, 'id' | 'target' | 'note' | 'author' | 'submission'>>
  | Fact<'ProposalRevised', ProposedChange & Step>
  | Fact<'ProposalCommented', RecordedStep>
  | Fact<'ProposalChangesRequested', RecordedStep>
  /** One of several that it needs. */
  | Fact<'ProposalApprovalGiven', RecordedStep>
  /** The last one. Its facts follow in the stream of the target. */
  | Fact<'ProposalApproved', RecordedStep>
  /** The last one of a proposal in a set: it is carried out with the set. */
  | Fact<'ProposalApprovedForSet', RecordedStep>
  | Fact<'ProposalRejected', RecordedStep>
  | Fact<'ProposalWithdrawn', RecordedStep>
  /** An approval that was interrupted and can no longer be carried out, for this reason. */
  | Fact<'ProposalSetBack', { readonly problem: Rejection['code'] }>
  /** Behind the facts of the target. */
  | Fact<'ProposalApplied', { readonly by: number }>
  /** Before the set says so: from here on an approval is one for the set. */
  | Fact<'ProposalCollected', { readonly set: number }>
  /** Behind the fact of the set that it was dropped from, or that was withdrawn. */
  | Fact<'ProposalReleased', { readonly set: number }>;

/** What a caller is to a proposal; a reviewer could make the change directly. */
export type Part = 'author' | 'reviewer' | 'reader';
export type ProposalStep = 'revise' | 'comment' | 'request_changes' | 'approve' | 'reject' | 'withdraw';

interface StepRule {
  readonly from: readonly ProposalState[];
  readonly by: readonly Part[];
}

const UNDECIDED: readonly ProposalState[] = ['open', 'changes_requested', 'approved_for_set'];

/** Whether it may still be approved as it is, or revised. */
export const isUndecided = ({ state }: Pick<Proposal, 'state'>): boolean => UNDECIDED.includes(state);

/** Which step may be taken from which state, and by whom. */
export const STEPS: { readonly [Name in ProposalStep]: StepRule } = {
  revise: { from: UNDECIDED, by: ['author', 'reviewer'] },
  comment: { from: PROPOSAL_STATES, by: ['author', 'reviewer', 'reader'] },
  request_changes: { from: ['open', 'approved_for_set'], by: ['reviewer'] },
  // One whose application was interrupted is approved again.
  approve: { from: [...UNDECIDED, 'approved'], by: ['reviewer'] },
  reject: { from: UNDECIDED, by: ['reviewer'] },
  withdraw: { from: UNDECIDED, by: ['author'] },
};

/** Opens one. A wish that would change nothing is none. */
export const openProposal = (
  opened: ProposedChange & Pick<Proposal, 'id' | 'target' | 'note' | 'author' | 'submission'>,
): Decision<ProposalFact> =>
  isEmpty(opened) ? rejected('nothing_proposed') : accepted([{ type: 'ProposalOpened', data: opened }]);

const isEmpty = ({ facts }: ProposedChange): boolean => Object.keys(facts).length === 0;

/** Why the state of a proposal does not let this step be taken; null when it does. */
const closedTo = ({ state }: Proposal, step: ProposalStep) =>
  STEPS[step].from.includes(state) ? null : ({ code: 'proposal_closed', details: { state } } as const);

const STEP_FACTS = {
  comment: 'ProposalCommented',
  request_changes: 'ProposalChangesRequested',
  reject: 'ProposalRejected',
  withdraw: 'ProposalWithdrawn',
} as const;

/** A step that changes nothing but the proposal. A comment must say something. */
export function takeStep(proposal: Proposal, step: keyof typeof STEP_FACTS, remark: Step): Decision<ProposalFact> {
  const closed = closedTo(proposal, step);
  if (closed) return rejected(closed);
  if (step === 'comment' && remark.text === '') return rejected(invalidParameter('text'));
  return accepted([{ type: STEP_FACTS[step], data: recorded(proposal, remark) }]);
}

/** Another wish in the place of the one before. */
export function reviseProposal(proposal: Proposal, change: ProposedChange, step: Step): Decision<ProposalFact> {
  const closed = closedTo(proposal, 'revise');
  if (closed) return rejected(closed);
  if (isEmpty(change)) return rejected('nothing_proposed');
  return accepted([{ type: 'ProposalRevised', data: { ...change, ...step } }]);
}

/**
 * The last of the `needed` approvals applies it, or leaves it to the sets that it is in to apply it. One that was approved before, and not carried out to the end, needs no
 * other approval; nor does one that needs fewer since the rules were changed: any of those who have approved applies it.
 */
export function approveProposal(proposal: Proposal, step: Step, needed: number): Decision<ProposalFact> {
  const closed = closedTo(proposal, 'approve');
  if (closed) return rejected(closed);
  if (proposal.state === 'approved') return accepted([]);
  const { approvals = [] } = proposal;
  const isLast = new Set([...approvals, step.by]).size >= needed;
  const hasNoEffect = !isLast || proposal.state === 'approved_for_set';
  if (approvals.includes(step.by) && hasNoEffect) return rejected('already_approved');
  const last = isInSet(proposal) ? 'ProposalApprovedForSet' : 'ProposalApproved';
  return accepted([{ type: isLast ? last : 'ProposalApprovalGiven', data: recorded(proposal, step) }]);
}

const isInSet = ({ sets = [] }: Proposal): boolean => sets.length > 0;

/** A set collects it. One that is decided stays as it is: the set skips it, or says that it cannot be applied. */
export const collectProposal = (proposal: Proposal, set: number): Decision<ProposalFact> =>
  // An interrupted approval may be set back.
  accepted(closedTo(proposal, 'approve') ? [] : [{ type: 'ProposalCollected', data: { set } }]);

/** Ends an interrupted approval: what was made (`null`) is applied, what cannot be made is open to revision again. */
export function settleApproval({ state, decidedBy }: Proposal, problem: Rejection | null): Decision<ProposalFact> {
  if (state !== 'approved') return accepted([]);
  if (problem) return accepted([{ type: 'ProposalSetBack', data: { problem: problem.code } }]);
  return accepted([{ type: 'ProposalApplied', data: { by: decidedBy ?? 0 } }]);
}

export const evolveProposal: Evolve<Proposal, ProposalFact> = (proposal, fact, at) => {
  if (fact.type === 'ProposalOpened') {
    const { subject = null, ...opened } = fact.data;
    const blank = { comments: [], reviewers: [], decidedBy: null };
    return { ...opened, subject, ...blank, state: 'open', opened: at, modified: at };
  }
  if (!proposal) throw new UnexpectedFact(fact);
  switch (fact.type) {
    case 'ProposalRevised': {
      const { by, text, ...change } = fact.data;
      const { action: _, ...revised } = withStep(proposal, { by, text }, 'open', at);
      return { ...withoutApprovals(revised), ...change };
    }
    case 'ProposalCommented':
      return { ...proposal, ...commented(proposal, fact.data, at), modified: at };
    case 'ProposalChangesRequested': {
      const requested = withStep(proposal, fact.data, 'changes_requested', at);
      // Nothing but the request keeps the set from applying it.
      return proposal.state === 'approved_for_set' ? withoutApprovals(requested) : requested;
    }
    case 'ProposalApprovalGiven':
      return approved(proposal, fact.data, proposal.state, at);
    case 'ProposalApprovedForSet':
      return approved(proposal, fact.data, 'approved_for_set', at);
    case 'ProposalApproved':
      return withStep(proposal, fact.data, 'approved', at);
    case 'ProposalRejected':
      return withStep(proposal, fact.data, 'rejected', at);
    case 'ProposalWithdrawn':
      return withStep(proposal, fact.data, 'withdrawn', at);
    case 'ProposalSetBack':
      return { ...withoutApprovals(proposal), state: 'changes_requested', modified: at, decidedBy: null };
    case 'ProposalApplied':
      return { ...proposal, state: 'applied', modified: at };
    case 'ProposalCollected':
      return { ...proposal, modified: at, sets: [...new Set([...(proposal.sets ?? []), fact.data.set])] };
    case 'ProposalReleased':
      return { ...released(proposal, fact.data.set), modified: at };
    default:
      throw new UnexpectedFact(fact); // The log may hold what today's code does not know.
  }
};

/** Those were given to what it was. */
function withoutApprovals({ approvals: _, ...proposal }: Proposal): Proposal {
  return proposal;
}

const approved = (proposal: Proposal, step: Step, state: ProposalState, at: EpochSeconds): Proposal => ({
  ...withStep(proposal, step, state, at),
  approvals: [...new Set([...(proposal.approvals ?? []), step.by])],
});

/** Approvals for its sets are none for a proposal by itself. */
function released(proposal: Proposal, set: number): Proposal {
  const { sets: all = [], ...alone } = proposal;
  const sets = all.filter((one) => one !== set);
  if (sets.length > 0) return { ...proposal, sets };
  if (!isUndecided(proposal)) return alone;
  return proposal.state === 'approved_for_set'
    ? { ...withoutApprovals(alone), state: 'open', decidedBy: null }
    : withoutApprovals(alone);
}

function withStep(proposal: Proposal, step: Step, state: ProposalState, at: EpochSeconds): Proposal {
  const { author, reviewers } = proposal;
  const isNew = step.by !== author && !reviewers.includes(step.by);
  return {
    ...proposal,
    ...commented(proposal, step, at),
    state,
    modified: at,
    reviewers: isNew ? [...reviewers, step.by] : reviewers,
    decidedBy: step.by,
  };
}

const commented = ({ comments }: Proposal, { by, text }: Step, at: EpochSeconds): Pick<Proposal, 'comments'> => ({
  comments: text === '' ? comments : [...comments, { by, at, text }],
});

/**
 * What a user is to a proposal or a set. `reviewer`: has judged it, or revised a proposal; `approver`: has approved it as
 * it is; `owner`: the author of what is to change; `set_author`: of the set, not of its proposals.
 */
export const CONCERNS = ['author', 'reviewer', 'approver', 'owner', 'set_author'] as const;
export type Concern = (typeof CONCERNS)[number];

/** The fields of a resource as the API calls them. */
export type TargetFields = { readonly [field: string]: unknown };

/** What was changed by both sides, and differently. Notices add up: none takes the place of another. */
export function conflictsBetween(base: TargetFields, theirs: TargetFields, mine: TargetFields): ProposalConflict[] {
  const differ = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);
  return Object.keys(mine)
    .filter((field) => field !== 'notices' && differ(base[field], mine[field]))
    .filter((field) => differ(base[field], theirs[field]) && differ(theirs[field], mine[field]))
    .map((field) => ({ field, base: base[field] ?? null, theirs: theirs[field] ?? null, mine: mine[field] ?? null }));
}
