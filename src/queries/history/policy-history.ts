// The history of the rules of review: who set them, when and why, and what they were before.

import { TARGET_KINDS } from '../../domain/proposal.ts';
import { changedRules, DEFAULT_POLICY, evolveReviewPolicy, type ReviewPolicy } from '../../domain/review-policy.ts';
import { openActors } from '../../event-store/encryption/actors.ts';
import { factOf, instantOf, type RecordedEvent } from '../../event-store/envelope.ts';
import { ENGLISH } from '../../locales/languages.ts';
import type { Change } from './field-changes.ts';
import { frameOf, type HistoryDependencies, type HistoryEntry } from './history.ts';

/** Newest first. A rule's field is `event.author`: kind and role. */
export async function policyHistory(
  { store, display, sentences = ENGLISH.sentences }: Pick<HistoryDependencies, 'store' | 'display' | 'sentences'>,
  stream: string,
): Promise<HistoryEntry[]> {
  const actors = openActors(store);
  const entries: HistoryEntry[] = [];
  let before = DEFAULT_POLICY;
  for (const event of await store.readStream(stream)) {
    const after = rulesIn(event, before);
    const { type, metadata } = event;
    entries.push({
      ...(await frameOf(event, display, actors)),
      reason: metadata.reason ?? null,
      type,
      summary: sentences.reviewPolicy.ReviewPolicySet,
      changes: changesBetween(before, after),
      correlation_id: metadata.correlationId,
    });
    before = after;
  }
  return entries.reverse();
}

/** A fact of a newer version is listed, and changes nothing for later ones. */
function rulesIn(event: RecordedEvent, before: ReviewPolicy): ReviewPolicy {
  try {
    return evolveReviewPolicy(before, factOf(event), instantOf(event)) ?? before;
  } catch {
    return before;
  }
}

const changesBetween = (before: ReviewPolicy, after: ReviewPolicy): Change[] =>
  TARGET_KINDS.flatMap((kind) =>
    changedRules(before[kind], after[kind]).map((member) => ({
      field: `${kind}.${member}`,
      before: before[kind][member],
      after: after[kind][member],
    })),
  );
