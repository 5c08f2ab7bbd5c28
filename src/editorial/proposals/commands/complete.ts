// Completes an approval that was interrupted between its appends, in the name of who approved it.

import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { fold } from '../../../log/envelope.ts';
import type { User } from '../../../people/auth/caller.ts';
import { evolveUser } from '../../../people/users/domain/user.ts';
import { evolveProposal, type ProposalState } from '../domain/proposal.ts';
import { approveProposalOf, settleProposal } from './approve.ts';
import type { ProposalDependencies } from './proposals.ts';

/** For so long an approval may still be under way. The log would accept it once even so. */
const UNDER_WAY_SECONDS = 5;

interface CompletionContext {
  readonly now: EpochSeconds;
  readonly correlationId: string;
}

/** Applies it, or sets it back if it does not fit any more. Returns its state; null: there is nothing to do yet. */
export async function completeApproval(
  dependencies: ProposalDependencies,
  { now, correlationId }: CompletionContext,
  id: number,
): Promise<ProposalState | null> {
  const { store } = dependencies;
  const proposal = fold(await store.readStream(streamOf('proposal', id)), evolveProposal);
  if (proposal?.state !== 'approved') return null;
  if (Math.abs(now - proposal.modified) < UNDER_WAY_SECONDS) return null;
  const approver = await approverOf(dependencies, proposal.decidedBy);
  const context = { caller: approver, now, correlationId };
  const result = await approveProposalOf(dependencies, context, id, '');
  if (result.kind === 'written') return result.written.state.state;
  if (result.rejection.code === 'busy') return null;
  const settled = await settleProposal(dependencies, context, id, result.rejection);
  return settled.kind === 'written' ? settled.written.state.state : null;
}

/** With the rights that this user has now; null for one who has been removed. */
export async function approverOf(
  { store }: Pick<ProposalDependencies, 'store'>,
  id: number | null,
): Promise<User | null> {
  const user = id === null ? null : fold(await store.readStream(streamOf('user', id)), evolveUser);
  return user && { id: user.id, login: user.login, name: user.name, role: user.role };
}
