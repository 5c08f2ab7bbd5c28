// The review of a set: its reviewers judge it as a whole, and each of its proposals counts their approvals as its own.

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { rejected } from '../../../domain/decider.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { presentPolicy } from '../../review-rules/commands/present-policy.ts';
import {
  approvalsOf,
  approveChangeSet,
  type ChangeSet,
  commentOnChangeSet,
  requestChangesOfSet,
} from '../domain/change-set.ts';
import { reviewOf, revisionsOf, type SetReview } from '../domain/set-review.ts';
import { type ChangeSetResult, stepOfSet } from './change-sets.ts';
import { loadMembers } from './load.ts';

export type SetReviewStep = 'approve' | 'request_changes' | 'comment';

/** How often each of its proposals had been revised when the caller looked; undefined: the caller takes them as they are. */
export type JudgedRevisions = readonly number[] | undefined;

/** Judges a set as it is, or comments on it. `precondition_failed` if its proposals are not those that were seen. */
export const reviewChangeSet = (
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  step: SetReviewStep,
  { text, revisions }: { readonly text: string; readonly revisions: JudgedRevisions },
): ChangeSetResult =>
  stepOfSet(dependencies, context, id, async (set, { store }) => {
    const by = context.caller?.id ?? 0;
    if (!(await isSetAsSeen(store, set, revisions))) return rejected('precondition_failed');
    if (step === 'comment') return commentOnChangeSet(set, { by, text });
    const members = await loadMembers(store, set);
    const judged = { by, text, revisions: revisionsOf(members) };
    if (step === 'request_changes') return requestChangesOfSet(set, judged);
    const authors = members.map(({ proposal }) => proposal.author);
    return approveChangeSet(set, judged, authors);
  });

/** Whether the proposals of a set are those that were seen. */
export const isSetAsSeen = async (store: StreamReader, set: ChangeSet, revisions: JudgedRevisions): Promise<boolean> =>
  revisions === undefined || revisions.join() === (await presentRevisions(store, set)).join();

/** How often each of its proposals, in their order, has been revised. */
export const presentRevisions = async (store: StreamReader, set: ChangeSet): Promise<readonly number[]> =>
  revisionsOf(await loadMembers(store, set));

/** How far the review of a set is, by the rules of now. */
export async function presentReview(store: StreamReader, set: ChangeSet): Promise<SetReview> {
  const { rules } = await presentPolicy(store);
  return reviewOf(set, await loadMembers(store, set), rules);
}

/** Who has approved the set as it is. One without approvals needs no look at its proposals. */
export async function presentApprovals(store: StreamReader, set: ChangeSet): Promise<readonly number[]> {
  return set.approvals === undefined ? [] : approvalsOf(set, revisionsOf(await loadMembers(store, set)));
}
