// Writes that the rules of review turn into proposals: answered with 202 and the proposal.
import type { FastifyReply } from 'fastify';
import { storable } from '../../../calendar/resource/commands/post-input.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { ApiError } from '../../../http/errors.ts';
import { contextOf } from '../../../http/routes/writing.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { How } from '../commands/decide-wish.ts';
import { type ProposalResult, proposeChange, proposeCreation } from '../commands/proposals.ts';
import type { TargetKind, Wish } from '../domain/proposal.ts';
import { answerProposal, type ProposalRouteDependencies } from './proposal-answers.ts';

/** A write as a proposal has it. Without an id it creates. */
interface ProposableWrite {
  readonly kind: TargetKind;
  readonly id?: number;
  readonly how: How;
  /** The input of its command. */
  readonly wish: object;
}

/** Opens a proposal where the write is refused because it has to be reviewed. */
export async function orPropose(
  dependencies: ProposalRouteDependencies,
  reply: FastifyReply,
  instead: ProposableWrite,
  write: () => Promise<Body>,
): Promise<Body> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rest_review_required')
      return propose(dependencies, reply, instead);
    throw error;
  }
}

/** Says what to do instead where a write to a series is refused because it has to be reviewed: proposals are for one event. */
export async function orSayUnproposable<Answer>(write: () => Promise<Answer>): Promise<Answer> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rest_review_required')
      throw new ApiError('rest_review_required', { text: phrase('series_not_proposed') });
    throw error;
  }
}

async function propose(
  dependencies: ProposalRouteDependencies,
  reply: FastifyReply,
  instead: ProposableWrite,
): Promise<Body> {
  const result = await opened(dependencies, reply, instead);
  if (result.kind === 'rejected' && result.rejection.code === 'target_in_trash')
    throw new ApiError('rest_target_in_trash', { text: phrase('trash_not_proposed') });
  return answerProposal(dependencies, reply, result, 202);
}

function opened(
  { proposals }: ProposalRouteDependencies,
  { request }: FastifyReply,
  { kind, id, how, wish }: ProposableWrite,
): Promise<ProposalResult> {
  const proposed = { wish: storable(wish) as Wish, note: request.reason ?? '' };
  const context = contextOf(request);
  return id === undefined || how === 'create'
    ? proposeCreation(proposals, context, kind, proposed)
    : proposeChange(proposals, context, { kind, id }, proposed, how);
}
