import { suite } from 'uvu';
import {
  evolveProposal,
  type Proposal,
  type ProposalFact,
  settleApproval,
} from '../../../src/editorial/proposals/domain/proposal.ts';
import { given } from '../../support/given.ts';

const test = suite('proposals');

const [AUTHOR, REVIEWER] = [2, 7];
const OPENED: ProposalFact = {
  type: 'ProposalOpened',
  data: {
    id: 1,
    target: { kind: 'event', id: 3 },
    note: '',
    author: AUTHOR,
    base: 0,
    wish: {},
    facts: {},
    subject: null,
  },
};
const APPROVED: ProposalFact = { type: 'ProposalApproved', data: { by: REVIEWER, text: '' } };

test('an interrupted approval is ended in the name of who gave it, set back if it cannot be made, and only once', () => {
  given<Proposal, ProposalFact>(evolveProposal, [OPENED, APPROVED])
    .when((state) => settleApproval(state, null))
    .thenFacts({ type: 'ProposalApplied', data: { by: REVIEWER } });
  given<Proposal, ProposalFact>(evolveProposal, [OPENED, APPROVED])
    .when((state) => settleApproval(state, { code: 'target_in_trash' }))
    .thenFacts({ type: 'ProposalSetBack', data: { problem: 'target_in_trash' } });
  given<Proposal, ProposalFact>(evolveProposal, [OPENED])
    .when((state) => settleApproval(state, null))
    .thenNothing();
});

test.run();
