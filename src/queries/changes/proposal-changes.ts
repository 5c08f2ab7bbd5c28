// Steps of proposals in the feed of changes, with those who are concerned, so that others can notify them.
import type { Caller } from '../../auth/caller.ts';
import { partsIn } from '../../auth/proposal-rights.ts';
import { evolveProposal, type Proposal, type ProposalFact, type Target } from '../../domain/proposal.ts';
import { type Actors, openActors } from '../../event-store/encryption/actors.ts';
import { type Actor, fold, type RecordedEvent } from '../../event-store/envelope.ts';
import { ENGLISH } from '../../locales/languages.ts';
import { frameOf, type HistoryDependencies, type HistoryEntry } from '../history/history.ts';
import { readResourceEvents, stepsOf } from '../history/resource.ts';

export const PROPOSAL_PREFIX = 'proposal-';

const loadProposal = async ({ store }: HistoryDependencies, id: number): Promise<Proposal | null> =>
  fold(await store.readStream(`${PROPOSAL_PREFIX}${id}`), evolveProposal);

/** The post that a proposal is about; null for a term, and while there is none. */
async function loadPost(dependencies: HistoryDependencies, target: Target) {
  const events = await readResourceEvents(dependencies, target);
  const state = stepsOf(dependencies, target.kind, events).at(-1)?.state ?? null;
  return state && 'author' in state ? { ...state, protected: state.passwordHash !== null } : null;
}

/** Whether a caller who does not see all proposals sees this one. */
export async function maySeeProposal(dependencies: HistoryDependencies, id: number, caller: Caller): Promise<boolean> {
  const proposal = await loadProposal(dependencies, id);
  return proposal !== null && partsIn(caller, proposal, await loadPost(dependencies, proposal.target)).length > 0;
}

export interface ProposalChange extends Omit<HistoryEntry, 'changes'> {
  readonly target?: Target;
  readonly concerned: readonly Actor[];
}

export async function proposalChange(
  dependencies: HistoryDependencies & { readonly actors?: Actors },
  id: number,
  event: RecordedEvent,
): Promise<ProposalChange> {
  const { display, sentences = ENGLISH.sentences, actors = openActors(dependencies.store) } = dependencies;
  const proposal = await loadProposal(dependencies, id);
  const post = proposal && (await loadPost(dependencies, proposal.target));
  const concerned = proposal ? [proposal.author, ...proposal.reviewers, ...(post ? [post.author] : [])] : [];
  const people = [...new Set(concerned)].map(async (user) => ({
    id: user,
    name: await actors.nameOf({ id: user, name: '' }),
  }));
  const { type, metadata } = event;
  return {
    ...(await frameOf(event, display, actors)),
    reason: metadata.reason ?? null,
    type,
    // Types of streams of proposals are those of their facts; a newer version may have others.
    summary: sentences.proposals[type as ProposalFact['type']] ?? sentences.unknown.replace('{type}', () => type),
    correlation_id: metadata.correlationId,
    ...(proposal && { target: proposal.target }),
    concerned: await Promise.all(people),
  };
}
