// Setting the rules of review.

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { type CommandResult, handleCommand, refused } from '../../../commands/handle-command.ts';
import type { Role } from '../../../people/auth/caller.ts';
import { maySetReviewPolicy } from '../../../people/auth/policy.ts';
import { approvingRoles } from '../../../people/auth/proposal-rights.ts';
import { allUsers } from '../../../people/users/commands/user-changes.ts';
import { TARGET_KINDS } from '../../proposals/domain/proposal.ts';
import {
  type Approvers,
  evolveReviewPolicy,
  REVIEW_POLICY_STREAM,
  type ReviewPolicy,
  type ReviewPolicyFact,
  type ReviewPolicyPatch,
  setReviewPolicy,
  WRITING_ROLES,
} from '../domain/review-policy.ts';

/** The one resource of its kind. */
const ONLY = 1;

/** Sets rules of review; `forbidden`, `precondition_failed`, `policy_locks_out`. */
export function setReviewPolicyOf(
  dependencies: Pick<CommandDependencies, 'store' | 'newEventId' | 'turns' | 'slugSearches'>,
  context: CommandContext,
  patch: ReviewPolicyPatch,
): Promise<CommandResult<ReviewPolicy>> {
  const streams = [REVIEW_POLICY_STREAM];
  return handleCommand<ReviewPolicy, ReviewPolicyFact>(dependencies, context, streams, async (unit) => {
    if (!maySetReviewPolicy(context.caller)) return refused({ code: 'forbidden' });
    const { state, revision } = await unit.load(REVIEW_POLICY_STREAM, evolveReviewPolicy);
    const { ifRevision } = context;
    // Tags count its facts: there is one of the rules that have never been set, too.
    if (ifRevision !== undefined && ifRevision !== revision + 1) return refused({ code: 'precondition_failed' });
    const decision = setReviewPolicy(state, patch, approversAmong(await allUsers(dependencies.store)));
    if (decision.kind === 'rejected') return decision;
    await unit.record(REVIEW_POLICY_STREAM, decision.facts);
    return { kind: 'planned', id: ONLY, stream: REVIEW_POLICY_STREAM, evolve: evolveReviewPolicy, created: false };
  });
}

function approversAmong(users: readonly { readonly role: Role }[]): Approvers {
  const countOf = (role: Role) => users.filter((user) => user.role === role).length;
  const of = TARGET_KINDS.map((kind) => {
    const approving = approvingRoles(kind);
    const counts = WRITING_ROLES.filter((role) => approving.includes(role)).map((role) => [role, countOf(role)]);
    return [kind, Object.fromEntries(counts)] as const;
  });
  // One entry of each kind.
  return Object.fromEntries(of) as Approvers;
}
