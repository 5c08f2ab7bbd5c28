// The rules of review: whose writes are made at once and whose become proposals, and how many approvals those need.
import { accepted, type Decision, type Evolve, type Fact, rejected, UnexpectedFact } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { TARGET_KINDS, type TargetKind } from '../../proposals/domain/proposal.ts';

/** The roles that write. */
export const WRITING_ROLES = ['contributor', 'author', 'editor', 'administrator'] as const;
export type WritingRole = (typeof WRITING_ROLES)[number];

export const WRITE_MODES = ['direct', 'review'] as const;
export type WriteMode = (typeof WRITE_MODES)[number];

export const NOTICE_RULES = ['optional', 'required'] as const;
export type NoticeRule = (typeof NOTICE_RULES)[number];

/** How resources of one kind are written, by role. */
export interface KindRules extends Readonly<Record<WritingRole, WriteMode>> {
  /** How many users approve a proposal before it is applied. */
  readonly approvals: number;
  /** Whether those who may approve may also write without review, if they say why. */
  readonly bypass: boolean;
  /** Only for events: whether the date of a published event changes with a notice for its readers only. */
  readonly notice?: NoticeRule;
}

export type ReviewPolicy = { readonly [Kind in TargetKind]: KindRules };
export type ReviewPolicyPatch = { readonly [Kind in TargetKind]?: Partial<KindRules> };

/** All rules, those that have changed and those that have not: the last fact says everything. */
export type ReviewPolicyFact = Fact<'ReviewPolicySet', { readonly rules: ReviewPolicy }>;

/** The rules are one resource, with one stream. */
export const REVIEW_POLICY_STREAM = 'review-policy';

export const MAX_APPROVALS = 10;

const DIRECT: KindRules = {
  contributor: 'direct',
  author: 'direct',
  editor: 'direct',
  administrator: 'direct',
  approvals: 1,
  bypass: false,
};

/** The rules until an administrator decides otherwise. */
export const DEFAULT_POLICY: ReviewPolicy = {
  event: { ...DIRECT, notice: 'optional' },
  venue: DIRECT,
  organizer: DIRECT,
  category: DIRECT,
  tag: DIRECT,
};

/** How many users of a role there are who may approve changes of others, by kind. */
export type Approvers = { readonly [Kind in TargetKind]: Readonly<Partial<Record<WritingRole, number>>> };

/** Sets what is given and leaves the rest. Rules under which a proposal could never be approved are refused. */
export function setReviewPolicy(
  present: ReviewPolicy | null,
  patch: ReviewPolicyPatch,
  approvers: Approvers,
): Decision<ReviewPolicyFact> {
  const before = present ?? DEFAULT_POLICY;
  const rules = { ...before };
  for (const kind of TARGET_KINDS) rules[kind] = { ...before[kind], ...patch[kind] };
  for (const kind of TARGET_KINDS) {
    const { approvals, notice } = rules[kind];
    if (notice !== undefined && kind !== 'event') return rejected(invalidParameter(kind));
    if (!Number.isInteger(approvals) || approvals < 1 || approvals > MAX_APPROVALS)
      return rejected(invalidParameter(kind));
    const lock = lockOf(rules[kind], approvers[kind]);
    if (lock) return rejected({ code: 'policy_locks_out', details: { kind, ...lock } });
  }
  const isSame = TARGET_KINDS.every((kind) => changedRules(before[kind], rules[kind]).length === 0);
  return accepted(isSame && present !== null ? [] : [{ type: 'ReviewPolicySet', data: { rules } }]);
}

interface Lock {
  readonly role: WritingRole;
  readonly approvals: number;
  /** How many users may approve what one of this role proposes. */
  readonly approvers: number;
}

/** The first role whose proposals could not be approved: users do not approve their own. */
function lockOf(rules: KindRules, approvers: Approvers[TargetKind]): Lock | null {
  const all = WRITING_ROLES.reduce((sum, role) => sum + (approvers[role] ?? 0), 0);
  for (const role of WRITING_ROLES) {
    if (rules[role] === 'direct') continue;
    const others = (approvers[role] ?? 0) > 0 ? all - 1 : all;
    if (others < rules.approvals) return { role, approvals: rules.approvals, approvers: others };
  }
  return null;
}

/** The members in which two sets of rules differ. */
export const changedRules = (before: KindRules, after: KindRules): readonly (keyof KindRules)[] =>
  ([...WRITING_ROLES, 'approvals', 'bypass', 'notice'] as const).filter((member) => before[member] !== after[member]);

export const evolveReviewPolicy: Evolve<ReviewPolicy, ReviewPolicyFact> = (_policy, fact) => {
  if (fact.type === 'ReviewPolicySet') {
    const { event, ...others } = fact.data.rules;
    return { event: { ...DEFAULT_POLICY.event, ...event }, ...others }; // Facts may be older than a rule.
  }
  throw new UnexpectedFact(fact); // The log may hold what today's code does not know.
};

/** The kinds that this role writes by proposals. */
export const reviewedKinds = (policy: ReviewPolicy, role: string): readonly TargetKind[] => {
  const writing = WRITING_ROLES.find((one) => one === role);
  return writing === undefined ? [] : TARGET_KINDS.filter((kind) => policy[kind][writing] === 'review');
};
