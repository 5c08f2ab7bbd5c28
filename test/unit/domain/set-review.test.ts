// The review of a set: what approves it, what makes approvals void, and which of its proposals they count for.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Evolve, evolveAll } from '../../../src/domain/decider.ts';
import {
  approvalsOf,
  approveChangeSet,
  type ChangeSetFact,
  changeChangeSet,
  commentOnChangeSet,
  evolveChangeSet,
  requestChangesOfSet,
  requesterOf,
} from '../../../src/editorial/change-sets/domain/change-set.ts';
import { evolveSetMember, reviewOf, type SetMember } from '../../../src/editorial/change-sets/domain/set-review.ts';
import type { ProposalFact } from '../../../src/editorial/proposals/domain/proposal.ts';
import { DEFAULT_POLICY, type ReviewPolicy } from '../../../src/editorial/review-rules/domain/review-policy.ts';
import { given, NOW } from '../../support/given.ts';

const test = suite('the review of a set');

const [OWNER, WRITER, FIRST, SECOND] = [1, 2, 3, 4];

const opened = (proposals: readonly number[] = [7, 8]): ChangeSetFact => ({
  type: 'ChangeSetOpened',
  data: { id: 1, key: 'spring', name: 'Spring', description: '', author: OWNER, proposals },
});
const approved = (by: number, revisions: readonly number[] = [0, 0]): ChangeSetFact => ({
  type: 'ChangeSetApproved',
  data: { by, text: '', revisions },
});
const asked = (by: number, revisions: readonly number[] = [0, 0]): ChangeSetFact => ({
  type: 'ChangeSetChangesRequested',
  data: { by, text: 'The hall is shut.', revisions },
});
const collected = (proposals: readonly number[]): ChangeSetFact => ({
  type: 'ChangeSetCollected',
  data: { proposals, by: OWNER },
});
const approving = (by: number, revisions: readonly number[] = [0, 0]) => ({ by, text: '', revisions });

const set = (...facts: readonly ChangeSetFact[]) => given(evolveChangeSet, [opened(), ...facts]);

test('a reviewer approves it as it is, once', () => {
  const approve = set().when((state) => approveChangeSet(state, approving(FIRST), [WRITER, WRITER]));
  approve.thenFacts(approved(FIRST));
  assert.equal(approvalsOf(approve.state(), [0, 0]), [FIRST]);
  set(approved(FIRST))
    .when((state) => approveChangeSet(state, approving(FIRST), [WRITER, WRITER]))
    .thenRejected({ code: 'set_already_approved' });
});

test('its author judges it in no way, and others not what is theirs alone', () => {
  const own = { code: 'own_set' } as const;
  set()
    .when((state) => approveChangeSet(state, approving(OWNER), [WRITER, WRITER]))
    .thenRejected(own);
  set()
    .when((state) => requestChangesOfSet(state, approving(OWNER)))
    .thenRejected(own);
  set()
    .when((state) => approveChangeSet(state, approving(WRITER), [WRITER, WRITER]))
    .thenRejected({ code: 'own_proposal' });
  set()
    .when((state) => approveChangeSet(state, approving(WRITER), [WRITER, OWNER]))
    .thenTypes('ChangeSetApproved');
});

test('what is empty or closed is not judged; comments are always taken, if they say something', () => {
  given(evolveChangeSet, [opened([])])
    .when((state) => approveChangeSet(state, approving(FIRST, []), []))
    .thenRejected({ code: 'set_empty' });
  const closed = set({ type: 'ChangeSetWithdrawn', data: { by: OWNER } });
  const rejection = { code: 'set_closed', details: { state: 'withdrawn' } } as const;
  closed.when((state) => approveChangeSet(state, approving(FIRST), [WRITER, WRITER])).thenRejected(rejection);
  closed.when((state) => requestChangesOfSet(state, approving(FIRST))).thenRejected(rejection);
  const comment = closed.when((state) => commentOnChangeSet(state, { by: OWNER, text: 'A pity.' }));
  assert.equal(comment.state().comments, [{ by: OWNER, at: NOW, text: 'A pity.' }]);
  closed
    .when((state) => commentOnChangeSet(state, { by: OWNER, text: '' }))
    .thenRejected({ code: 'invalid_parameter', parameter: 'text' });
});

test('another collection, a revision and a request for changes make approvals void', () => {
  const [both] = [set(approved(FIRST), approved(SECOND)).state];
  assert.equal(approvalsOf(both, [0, 0]), [FIRST, SECOND]);
  assert.equal(approvalsOf(both, [0, 1]), [], 'one was revised');
  for (const proposals of [[7, 8, 9], [7], [8, 7]]) {
    const changed = set(approved(FIRST)).when((state) => changeChangeSet(state, { proposals }, OWNER));
    assert.equal([changed.state().approvals, changed.state().changesRequested], [undefined, undefined], `${proposals}`);
  }
  const renamed = set(approved(FIRST)).when((state) => changeChangeSet(state, { name: 'Summer' }, OWNER));
  assert.equal(approvalsOf(renamed.state(), [0, 0]), [FIRST], 'another name changes nothing');
  const { state } = set(approved(FIRST), asked(SECOND));
  assert.equal([approvalsOf(state, [0, 0]), requesterOf(state, [0, 0])], [[], SECOND]);
  assert.is(requesterOf(state, [1, 0]), null, 'answered by a revision');
  assert.is(requesterOf(set(asked(SECOND), approved(FIRST)).state, [0, 0]), null, 'or by an approval');
  assert.equal(set(approved(FIRST), asked(SECOND), collected([7])).state.reviewers, [FIRST, SECOND]);
});

const fold = (evolve: Evolve<SetMember, ProposalFact>, facts: readonly ProposalFact[]): SetMember => {
  const member = evolveAll(evolve, null, facts, NOW);
  if (!member) throw new Error('these facts make no proposal');
  return member;
};

function member(id: number, kind: 'event' | 'venue', author: number, ...facts: readonly ProposalFact[]): SetMember {
  const change = { base: 0, wish: {}, facts: { Any: {} }, subject: null };
  return fold(evolveSetMember, [
    { type: 'ProposalOpened', data: { ...change, id, target: { kind, id }, note: '', author } },
    ...facts,
  ]);
}

const rules = (event: object, venue: object = {}): ReviewPolicy => ({
  ...DEFAULT_POLICY,
  event: { ...DEFAULT_POLICY.event, ...event },
  venue: { ...DEFAULT_POLICY.venue, ...venue },
});

test('it needs as many approvals as the strictest rule about its proposals', () => {
  const members = [member(7, 'event', WRITER), member(8, 'venue', WRITER)];
  const needed = (policy: ReviewPolicy) => reviewOf(set().state, members, policy).needed;
  assert.is(needed(DEFAULT_POLICY), 0);
  assert.is(needed(rules({ contributor: 'review', approvals: 2 })), 0, 'those who apply sets write directly');
  assert.is(needed(rules({ editor: 'review' })), 1);
  assert.is(needed(rules({ editor: 'review' }, { administrator: 'review', approvals: 3 })), 3);
});

test('an approval counts for each proposal that has another author, beside those of the proposal itself', () => {
  const given: ProposalFact = { type: 'ProposalApprovalGiven', data: { by: SECOND, text: '' } };
  const members = [member(7, 'event', FIRST), member(8, 'event', WRITER, given), member(9, 'event', WRITER)];
  const state = evolveAll(evolveChangeSet, null, [opened([7, 8, 9]), approved(FIRST, [0, 0, 0])], NOW);
  assert.ok(state);
  const twice = rules({ editor: 'review', approvals: 2 });
  assert.equal(reviewOf(state, members, twice).unapproved, [7, 9]);
  assert.equal(reviewOf(state, members, rules({ editor: 'review' })).unapproved, [7]);
  const applied: ProposalFact = { type: 'ProposalApplied', data: { by: SECOND } };
  const done = [member(7, 'event', FIRST, applied), ...members.slice(1)];
  assert.equal(reviewOf(state, done, twice).unapproved, [9], 'what is applied lacks nothing');
});

test('revisions of a proposal are counted, and nothing else', () => {
  const step = { by: WRITER, text: '' };
  const change = { base: 0, wish: {}, facts: { Any: {} }, subject: null };
  const revised: ProposalFact = { type: 'ProposalRevised', data: { ...change, ...step } };
  const commented: ProposalFact = { type: 'ProposalCommented', data: { ...step, text: 'So.' } };
  assert.is(member(7, 'event', WRITER, commented, revised, commented, revised).revisions, 2);
});

test.run();
