// The rules of review in the log: a stream of their own, whose last fact has all of them.

import { fold } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import {
  DEFAULT_POLICY,
  evolveReviewPolicy,
  REVIEW_POLICY_STREAM,
  type ReviewPolicy,
  type ReviewPolicyFact,
} from '../domain/review-policy.ts';

/** Read from the log whenever it decides: one event, whatever happened before. */
export async function presentPolicy(store: StreamReader) {
  const last = await store.readStream(REVIEW_POLICY_STREAM, { direction: 'backwards', limit: 1 });
  const rules = fold<ReviewPolicy, ReviewPolicyFact>(last, evolveReviewPolicy);
  return {
    rules: rules ?? DEFAULT_POLICY,
    /** -1 while nothing has been set. */
    revision: last[0]?.revision ?? -1,
  };
}
