// Rules of review of one kind, as clients send them.

import { allowed } from '../../../http/parameters/allowed.ts';
import { positiveInteger } from '../../../http/parameters/readers.ts';
import { allowing, type Validator } from '../../../http/parameters/validator.ts';
import { textOf } from '../../../kernel/text/wire-words.ts';
import { type KindRules, MAX_APPROVALS, NOTICE_RULES, WRITE_MODES, WRITING_ROLES } from '../domain/review-policy.ts';

const ALLOWED = { roles: WRITING_ROLES, most: MAX_APPROVALS } as const;

/** Members that are left out stay as they are; others than these are refused. */
export const reviewRules: Validator = allowing(allowed('allowed_review_rules', ALLOWED), (value) => {
  const rules = reviewRulesIn(value);
  return rules !== null && rules.notice === undefined && { value: rules };
});

export const eventReviewRules = allowing(allowed('allowed_event_rules', ALLOWED), (value) => {
  const rules = reviewRulesIn(value);
  return rules !== null && { value: rules };
});

/** The rules of one kind as they were sent, as an object or in words; null if one of them is none of any kind. */
export function reviewRulesIn(value: unknown): Partial<KindRules> | null {
  const members = typeof value === 'string' ? membersIn(value) : value;
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return null;
  const rules: { [member: string]: unknown } = {};
  for (const [member, value] of Object.entries(members)) {
    const rule = READERS[member]?.(value) ?? null;
    if (rule === null) return null;
    rules[member] = rule;
  }
  return rules;
}

/** The members of rules in words, as forms send them: `author=review approvals=2`. */
const membersIn = (words: string): object =>
  Object.fromEntries(
    words
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((word) => word.split('=', 2)),
  );

type Read = (value: unknown) => string | number | boolean | null;

const mode: Read = (value) => WRITE_MODES.find((one) => one === value) ?? null;

const READERS: { readonly [member: string]: Read } = {
  ...Object.fromEntries(WRITING_ROLES.map((role) => [role, mode])),
  notice: (value) => NOTICE_RULES.find((one) => one === value) ?? null,
  approvals(value) {
    const count = positiveInteger(value);
    return count !== null && count <= MAX_APPROVALS ? count : null;
  },
  bypass(value) {
    const word = textOf(value);
    return typeof value === 'boolean' ? value : word === 'true' || (word === 'false' ? false : null);
  },
};
