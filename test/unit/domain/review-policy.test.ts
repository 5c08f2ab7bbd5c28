// The rules of review: what setting them decides, and that none can lock a role out.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TARGET_KINDS, type TargetKind } from '../../../src/editorial/proposals/domain/proposal.ts';
import {
  type Approvers,
  DEFAULT_POLICY,
  evolveReviewPolicy,
  type KindRules,
  type ReviewPolicyPatch,
  reviewedKinds,
  setReviewPolicy,
  WRITING_ROLES,
  type WritingRole,
} from '../../../src/editorial/review-rules/domain/review-policy.ts';
import { approvingRoles } from '../../../src/people/auth/proposal-rights.ts';

const test = suite('rules of review');

/** Who may approve what others propose, written down by hand. */
const MAY_APPROVE: { readonly [Kind in TargetKind]: readonly WritingRole[] } = {
  event: ['editor', 'administrator'],
  venue: ['editor', 'administrator'],
  organizer: ['editor', 'administrator'],
  category: ['author', 'editor', 'administrator'],
  tag: ['editor', 'administrator'],
};

type Users = readonly WritingRole[];

const approversAmong = (users: Users): Approvers => {
  const of = (kind: TargetKind) =>
    Object.fromEntries(MAY_APPROVE[kind].map((role) => [role, users.filter((one) => one === role).length]));
  return {
    ...{ event: of('event'), venue: of('venue'), organizer: of('organizer') },
    ...{ category: of('category'), tag: of('tag') },
  };
};

const ENOUGH = approversAmong(['editor', 'editor', 'administrator']);

const set = (patch: ReviewPolicyPatch, approvers = ENOUGH) => setReviewPolicy(null, patch, approvers);

test('the roles that approve are those of the hand-written table', () => {
  for (const kind of TARGET_KINDS) assert.equal([...approvingRoles(kind)].sort(), [...MAY_APPROVE[kind]].sort(), kind);
});

test('what is left out stays, and what says nothing new records nothing', () => {
  const first = set({ event: { author: 'review', approvals: 2 } });
  assert.is(first.kind, 'accepted');
  const rules = first.kind === 'accepted' && first.facts[0] ? first.facts[0].data.rules : DEFAULT_POLICY;
  assert.equal(rules, { ...DEFAULT_POLICY, event: { ...DEFAULT_POLICY.event, author: 'review', approvals: 2 } });
  assert.equal([reviewedKinds(rules, 'author'), reviewedKinds(rules, 'editor')], [['event'], []]);
  assert.equal(setReviewPolicy(rules, { event: { author: 'review' } }, ENOUGH), { kind: 'accepted', facts: [] });
});

test('facts that are older than the rule of notices demand none', () => {
  const { notice: _, ...event } = DEFAULT_POLICY.event;
  const rules = evolveReviewPolicy(null, { type: 'ReviewPolicySet', data: { rules: { ...DEFAULT_POLICY, event } } }, 0);
  assert.equal(rules, DEFAULT_POLICY);
});

test('only events have the rule of notices', () => {
  assert.is(set({ event: { notice: 'required' } }).kind, 'accepted');
  assert.equal(set({ venue: { notice: 'required' } }), {
    kind: 'rejected',
    rejection: { code: 'invalid_parameter', parameter: 'venue' },
  });
});

/** Plays it: a user of the role proposes, and all others who may approve do. */
const isLockedOut = (kind: TargetKind, role: WritingRole, approvals: number, users: Users): boolean => {
  const others = [...users];
  const author = others.indexOf(role);
  if (author >= 0) others.splice(author, 1);
  return others.filter((one) => MAY_APPROVE[kind].includes(one)).length < approvals;
};

function* everyModes(): Generator<Pick<KindRules, WritingRole>> {
  for (let bits = 0; bits < 2 ** WRITING_ROLES.length; bits += 1) {
    const modes = WRITING_ROLES.map((role, at) => [role, bits & (1 << at) ? 'review' : 'direct'] as const);
    // One entry for each role.
    yield Object.fromEntries(modes) as Pick<KindRules, WritingRole>;
  }
}

function* everyTeam(): Generator<Users> {
  const COUNTS = [0, 1, 2];
  for (const authors of COUNTS)
    for (const editors of COUNTS)
      for (const administrators of COUNTS)
        yield [
          ...Array<WritingRole>(authors).fill('author'),
          ...Array<WritingRole>(editors).fill('editor'),
          ...Array<WritingRole>(administrators).fill('administrator'),
        ];
}

for (const kind of TARGET_KINDS)
  test(`${kind}: of all rules and teams, exactly those that lock a role out are refused, and the refusal says which`, () => {
    const counts = { accepted: 0, rejected: 0 };
    for (const users of everyTeam())
      for (const modes of everyModes())
        for (const approvals of [1, 2, 3, 4]) {
          const what = JSON.stringify({ users, modes, approvals });
          const decision = set({ [kind]: { ...modes, approvals } }, approversAmong(users));
          counts[decision.kind] += 1;
          const reviewed = WRITING_ROLES.filter((role) => modes[role] === 'review');
          const locked = reviewed.filter((role) => isLockedOut(kind, role, approvals, users));
          assert.is(decision.kind, locked.length === 0 ? 'accepted' : 'rejected', what);
          if (decision.kind === 'accepted') continue;
          const { code, details = {} } = decision.rejection;
          assert.equal([code, details.kind, details.role], ['policy_locks_out', kind, locked[0]], what);
          // What to do: fewer approvals than that many approvers can give.
          assert.ok(Number(details.approvers) < Number(details.approvals), what);
        }
    assert.ok(counts.accepted > 100 && counts.rejected > 100, JSON.stringify(counts));
  });

test.run();
