// The history of the rules of review: who set them, when and why, and what they were before.

import type { Sentences } from '../../../locales/language.ts';
import type { Fields } from '../../../rendering/public-fields.ts';
import { TARGET_KINDS } from '../../proposals/domain/proposal.ts';
import {
  changedRules,
  DEFAULT_POLICY,
  evolveReviewPolicy,
  type KindRules,
  REVIEW_POLICY_STREAM,
  type ReviewPolicy,
  type ReviewPolicyFact,
} from '../../review-rules/domain/review-policy.ts';
import type { Change } from './field-changes.ts';
import { singleHistory } from './single-history.ts';

const changesBetween = (before: ReviewPolicy, after: ReviewPolicy): Change[] =>
  TARGET_KINDS.flatMap((kind) =>
    changedRules(before[kind], after[kind]).map((member) => ({
      field: `${kind}.${member}`,
      before: before[kind][member] ?? null,
      after: after[kind][member] ?? null,
    })),
  );

function inWords({ rules: { words, ...rules } }: Sentences, { field, before, after }: Change): string {
  const [kind = '', member = ''] = field.split('.');
  const named: Readonly<Record<string, string>> = words;
  const values: Fields = { kind, role: member, before, after };
  const sentences: { readonly [Member in keyof KindRules]?: string } = rules;
  const sentence = sentences[member as keyof KindRules] ?? rules.mode; // As `changesBetween` names fields.
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => named[String(values[name])] ?? String(values[name]));
}

/** Newest first. A rule's field is `event.author`: kind and role. */
export const policyHistory = singleHistory<ReviewPolicy, ReviewPolicyFact>({
  stream: REVIEW_POLICY_STREAM,
  initial: DEFAULT_POLICY,
  evolve: evolveReviewPolicy,
  facts: ({ reviewPolicy }) => reviewPolicy,
  changesBetween,
  inWords,
});
