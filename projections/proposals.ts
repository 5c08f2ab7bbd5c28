// The documents of proposals: what lists of them are narrowed by, and their state.
import { evolveProposal, type Proposal, type ProposalFact } from '../src/editorial/proposals/domain/proposal.ts';
import { factOf, instantOf } from '../src/log/envelope.ts';
import { type AnyProjection, asJson, projectionOf } from './projection.ts';

export const proposalsProjection = (): AnyProjection =>
  projectionOf<Proposal>({
    kind: 'proposal',
    prefix: 'proposal-',
    fold: (state, event) => evolveProposal(state, factOf<ProposalFact>(event), instantOf(event)),
    document: (proposal, at) => ({
      kind: 'proposal',
      id: proposal.id,
      ...at,
      stage: proposal.state,
      target: proposal.target,
      author: proposal.author,
      reviewers: proposal.reviewers,
      opened: proposal.opened,
      // Wishes and texts are read from the log: they may be personal data, which views would keep beyond its erasure.
      state: asJson({ ...proposal, wish: {}, facts: {}, note: '', comments: [] }),
    }),
  });
