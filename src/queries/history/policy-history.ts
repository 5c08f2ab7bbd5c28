// The history of the rules of review: who set them, when and why, and what they were before.

import { TARGET_KINDS, type TargetKind } from '../../domain/proposal.ts';
import {
  changedRules,
  DEFAULT_POLICY,
  evolveReviewPolicy,
  type KindRules,
  type ReviewPolicy,
} from '../../domain/review-policy.ts';
import { openActors } from '../../event-store/encryption/actors.ts';
import { factOf, instantOf, type RecordedEvent } from '../../event-store/envelope.ts';
import type { Sentences } from '../../locales/language.ts';
import { ENGLISH } from '../../locales/languages.ts';
import type { Fields } from '../../rendering/public-fields.ts';
import { sentenceFor } from './describe-change.ts';
import type { Change } from './field-changes.ts';
import { frameOf, type HistoryDependencies, type HistoryEntry } from './history.ts';

/** Newest first. A rule's field is `event.author`: kind and role. */
export async function policyHistory(
  { store, display, sentences = ENGLISH.sentences }: Pick<HistoryDependencies, 'store' | 'display' | 'sentences'>,
  stream: string,
): Promise<HistoryEntry[]> {
  const actors = openActors(store);
  const words: Sentences = { ...sentences, facts: { ...sentences.facts, ...sentences.reviewPolicy } };
  const entries: HistoryEntry[] = [];
  let before = DEFAULT_POLICY;
  for (const event of await store.readStream(stream)) {
    const after = rulesIn(event, before);
    const changed = changesBetween(before, after);
    const { type, metadata } = event;
    entries.push({
      ...(await frameOf(event, display, actors)),
      reason: metadata.reason ?? null,
      type,
      summary: sentenceFor(words, event, null, { changes: changed.map((one) => inWords(sentences, one)) }),
      changes: changed.map(({ kind, member, ...values }) => ({ field: `${kind}.${member}`, ...values })),
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

interface ChangedRule extends Omit<Change, 'field'> {
  readonly kind: TargetKind;
  readonly member: keyof KindRules;
}

const changesBetween = (before: ReviewPolicy, after: ReviewPolicy): ChangedRule[] =>
  TARGET_KINDS.flatMap((kind) =>
    changedRules(before[kind], after[kind]).map((member) => ({
      ...{ kind, member },
      before: before[kind][member] ?? null,
      after: after[kind][member] ?? null,
    })),
  );

function inWords({ rules: { words, ...rules } }: Sentences, { kind, member, before, after }: ChangedRule): string {
  const named: Readonly<Record<string, string>> = words;
  const values: Fields = { kind, role: member, before, after };
  const sentences: { readonly [Member in keyof KindRules]?: string } = rules;
  const sentence = sentences[member] ?? rules.mode;
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => named[String(values[name])] ?? String(values[name]));
}
