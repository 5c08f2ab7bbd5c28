// Proposals that wait for the one who looks: to be judged, to be revised, or because others have changed the same since.

import {
  authorText,
  nameIn,
  type Proposal,
  type ProposalsPage,
  REVIEW,
  type ReadProposal,
} from '../../../editorial/proposals/desk/reading.ts';
import { siteMomentText } from '../../dates.ts';
import type { DeskRequest } from '../page.ts';
import { titlesOf } from '../titles.ts';
import type { WorkItem, WorkList } from './work.ts';

const PROPOSALS = '/proposals';
const SHOWN = 6;

export async function waitingForMe(request: DeskRequest): Promise<WorkList> {
  const { user, api } = request;
  // One's own are not for oneself to judge: as many as there are may be in the way.
  const [total, open, own] = await Promise.all([
    reviewsWaiting(request),
    api.read<ProposalsPage>(PROPOSALS, { state: 'open', per_page: 2 * SHOWN }),
    api.read<ProposalsPage>(PROPOSALS, {
      state: 'open,changes_requested,approved',
      author: user.id,
      per_page: SHOWN,
    }),
  ]);
  const toJudge = open.proposals.filter(({ author }) => author.id !== user.id).slice(0, SHOWN);
  // Reading one takes as long as a whole list: only of what is new it tells the name, and of one's own whether it fits.
  const titles = await titlesOf(
    request,
    toJudge.map(({ target }) => target),
  );
  const resources = await Promise.all([
    ...toJudge.map((proposal) =>
      proposal.creates
        ? readProposal(request, proposal)
        : { proposal, name: titles(proposal.target), isInConflict: false },
    ),
    ...own.proposals.map((proposal) => readProposal(request, proposal)),
  ]);
  const items = resources.flatMap((one) => itemOf(request, one) ?? []);
  return {
    heading: 'home_waiting',
    empty: 'home_waiting_none',
    items,
    more: total > toJudge.length ? { path: REVIEW, total } : undefined,
  };
}

/** Open proposals of others, for those who see all: counted by names, without reading any. */
export async function reviewsWaiting({ api, user }: DeskRequest): Promise<number> {
  const [all, own] = await Promise.all([
    api.ask<ProposalsPage>(PROPOSALS, { state: 'open', per_page: 1 }),
    api.ask<ProposalsPage>(PROPOSALS, { state: 'open', author: user.id, per_page: 1 }),
  ]);
  // The menu stands on every page: without a number it says less, and nothing wrong.
  return all.problem || own.problem ? 0 : all.body.total - own.body.total;
}

interface Read {
  readonly proposal: Proposal;
  readonly name: string;
  readonly isInConflict: boolean;
}

async function readProposal({ api }: DeskRequest, proposal: Proposal): Promise<Read> {
  const { body, problem } = await api.ask<ReadProposal>(`/proposals/${proposal.id}`);
  if (problem) return { proposal, name: '', isInConflict: false };
  return { proposal, name: nameIn(body), isInConflict: (body.conflicts ?? []).length > 0 };
}

/** Null: it waits for others. */
function itemOf(request: DeskRequest, { proposal, name, isInConflict }: Read): WorkItem | null {
  const { words, user } = request;
  const { id, state, action, target, opened, author } = proposal;
  const isOwn = author.id === user.id;
  const isSentBack = state === 'changes_requested';
  if (isOwn && !isSentBack && !isInConflict) return null;
  const kind = words(`kind_${target.kind}`);
  const label = isInConflict ? 'home_conflict' : isSentBack && 'home_sent_back';
  return {
    title: name || `${kind} ${target.id}`,
    path: `${REVIEW}/${id}`,
    ...(label && { label: { text: words(label), tone: 'bad' } }),
    action: isOwn ? 'home_revise' : 'home_judge',
    hint: [`${words(`action_${action}`)}: ${kind}`, authorText(request, proposal), siteMomentText(request, opened)],
  };
}
