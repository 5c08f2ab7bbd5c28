// Setting the rules of review.

import type { CommandContext } from '../../../commands/context.ts';
import { type StepDependencies, setSingle } from '../../../commands/numbered.ts';
import { rejected } from '../../../domain/decider.ts';
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

const POLICY = { stream: REVIEW_POLICY_STREAM, evolve: evolveReviewPolicy };

/** Sets rules of review; `forbidden`, `precondition_failed`, `policy_locks_out`. */
export async function setReviewPolicyOf(
  dependencies: StepDependencies,
  context: CommandContext,
  patch: ReviewPolicyPatch,
) {
  if (!maySetReviewPolicy(context.caller)) return rejected('forbidden');
  return setSingle<ReviewPolicy, ReviewPolicyFact>(POLICY, dependencies, context, async (rules) =>
    setReviewPolicy(rules, patch, approversAmong(await allUsers(dependencies.store))),
  );
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
