// Who may propose, see and judge changes: follows from the rights of policy.ts on what is to change.
import type { PostKind } from '../../calendar/resource/domain/post.ts';
import type { TermKind } from '../../calendar/term/domain/term.ts';
import {
  type Part,
  type Proposal,
  type ProposalStep,
  STEPS,
  type TargetKind,
} from '../../editorial/proposals/domain/proposal.ts';
import { type Caller, ROLES, type Role } from './caller.ts';
import {
  may,
  mayAssignAuthors,
  mayManageTerms,
  mayMerge,
  mayReadHistory,
  maySeePost,
  type RightsSubject,
  representativeOf,
} from './policy.ts';

/** What rights depend on: the post that is to change; null for a term, or while there is none. */
export type TargetSubject = PresentPost | null;

interface PresentPost extends RightsSubject {
  /** Behind a password: what it hides is for those who may edit it. */
  readonly protected: boolean;
}

const isTerm = (kind: TargetKind): kind is TermKind => kind === 'category' || kind === 'tag';

/** Whether the caller may propose a new resource of this kind. Those who write events may propose terms for them. */
export const mayProposeNew = (caller: Caller, kind: TargetKind): boolean =>
  may(caller, 'create', isTerm(kind) ? 'event' : kind);

/** Whether the caller may propose a change of this very resource: who may read it, and write anything of its kind. */
export const mayPropose = (caller: Caller, kind: TargetKind, target: TargetSubject): boolean =>
  mayProposeNew(caller, kind) && (isTerm(kind) || (target !== null && mayRead(caller, kind, target)));

const mayRead = (caller: Caller, kind: PostKind, target: PresentPost): boolean =>
  may(caller, 'update', kind, target) || (!target.protected && maySeePost(caller, { kind, ...target }));

/** Whether the caller could make the change without asking: of a new post, in the name of its author. */
function mayMake(caller: Caller, kind: TargetKind, target: TargetSubject): boolean {
  if (isTerm(kind)) return mayManageTerms(caller, kind);
  return target === null
    ? may(caller, 'create', kind) && mayAssignAuthors(caller)
    : may(caller, 'update', kind, target);
}

const OTHERS_POST: PresentPost = { author: -2, status: 'publish', before: null, protected: false };

/** The roles that may approve what others propose. */
export const approvingRoles = (kind: TargetKind): readonly Role[] =>
  ROLES.filter((role) => mayMake(representativeOf(role), kind, isTerm(kind) ? null : OTHERS_POST));

type Proposed = Pick<Proposal, 'author' | 'target' | 'action'>;

/** What the caller is to a proposal; none: it does not exist for the caller, like its target. */
export function partsIn(
  caller: Caller,
  { author, target: { kind }, action }: Proposed,
  target: TargetSubject,
): readonly Part[] {
  if (caller === null || !mayProposeNew(caller, kind)) return [];
  if (!isTerm(kind) && target !== null && !mayRead(caller, kind, target)) return [];
  const parts: Part[] = [];
  if (caller.id === author) parts.push('author');
  const mayChange = mayMake(caller, kind, target);
  if (mayChange && (action !== 'merge' || kind === 'event' || mayMerge(caller, kind))) parts.push('reviewer');
  else if (mayChange || (!isTerm(kind) && mayReadHistory(caller, kind, null))) parts.push('reader');
  return parts;
}

/** Whether one of these may take the step. Authors cannot judge their own proposals. */
export function mayTake(step: ProposalStep, parts: readonly Part[]): boolean | 'own' {
  const { by } = STEPS[step];
  const isJudging = by.length === 1 && by[0] === 'reviewer';
  if (isJudging && parts.includes('author')) return 'own';
  return by.some((part) => parts.includes(part));
}
