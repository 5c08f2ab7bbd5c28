// Whether a user's write is to be reviewed: judged by what it would record, on the rules of the log.
//
// A write that may have to be reviewed is decided without drawing ids first, so that none are lost if it is.
// decision 21

import type { CommandContext } from '../../../commands/context.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Rejected, rejected } from '../../../domain/decider.ts';
import type { StreamAppend } from '../../../log/event-store.ts';
import type { Caller, User } from '../../../people/auth/caller.ts';
import { mayBypassReview } from '../../../people/auth/policy.ts';
import { TARGET_KINDS, type TargetKind } from '../../proposals/domain/proposal.ts';
import { type ReviewPolicy, reviewedKinds } from '../domain/review-policy.ts';
import { presentPolicy } from './present-policy.ts';

type Verdict = Rejected | { readonly kind: 'direct' } | { readonly kind: 'bypassed'; readonly reason: string };

interface ReviewGate {
  judge(planned: readonly StreamAppend[]): Verdict;
}

/** Whether the rules are for this caller: not for imports, schedules and operators, who are no users. */
const isJudged = (caller: Caller): caller is User => caller !== null && caller.id > 0;

/**
 * Whether the date of a published event changes with a notice for its readers only. Unlike review this cannot be bypassed,
 * and holds wherever a user changes a date: also when a proposal is opened, and when it is carried out.
 */
export const demandsNotice = async (
  { store }: Pick<UnitOfWork, 'store'>,
  { caller }: CommandContext,
): Promise<boolean> => isJudged(caller) && (await presentPolicy(store)).rules.event.notice === 'required';

/**
 * Null: the caller writes directly. So does whatever is decided within something else: the application of a proposal, or
 * a wish that is only tried out.
 */
export async function openReviewGate(
  { store }: Pick<UnitOfWork, 'store'>,
  { caller, within, bypassReview }: CommandContext,
): Promise<ReviewGate | null> {
  if (!isJudged(caller) || within !== undefined) return null;
  const { rules } = await presentPolicy(store);
  const kinds = reviewedKinds(rules, caller.role);
  if (kinds.length === 0) return null;
  return {
    judge(planned) {
      const written = kinds.filter((kind) => planned.some(({ stream }) => kindOfStream(stream) === kind));
      if (written.length === 0) return { kind: 'direct' };
      if (bypassReview === undefined) return rejected('review_required');
      const mayBypass = mayBypassReview(caller) && allowBypass(rules, written);
      return mayBypass ? { kind: 'bypassed', reason: bypassReview } : rejected('bypass_refused');
    },
  };
}

const allowBypass = (rules: ReviewPolicy, kinds: readonly TargetKind[]): boolean =>
  kinds.every((kind) => rules[kind].bypass);

/** Ids of what is only tried out are below zero. */
const RESOURCE = /^([a-z]+)--?\d+$/;

function kindOfStream(stream: string): TargetKind | undefined {
  const name = RESOURCE.exec(stream)?.[1];
  // Its dates are events.
  if (name === 'series') return 'event';
  return TARGET_KINDS.find((kind) => kind === name);
}
