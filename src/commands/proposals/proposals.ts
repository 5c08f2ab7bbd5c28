// Opening, revising and discussing proposals: what changes nothing but the proposal itself.
import { mayAssignAuthors } from '../../auth/policy.ts';
import { mayPropose, mayProposeNew, mayTake, partsIn } from '../../auth/proposal-rights.ts';
import {
  evolveProposal,
  openProposal,
  type Part,
  type Proposal,
  type ProposalFact,
  type ProposalStep,
  type ProposedChange,
  reviseProposal,
  type Target,
  type TargetFields,
  type TargetKind,
  takeStep,
  type Wish,
} from '../../domain/proposal.ts';
import { invalidParameter, type Rejection } from '../../domain/rejections.ts';
import { fold, type RecordedEvent } from '../../event-store/envelope.ts';
import type { CommandContext, CommandDependencies } from '../context.ts';
import {
  type CommandResult,
  handleCommand,
  handleCommandOnce,
  type Refused,
  recordDecision,
  refused,
} from '../handle-command.ts';
import type { IdSequence } from '../reservations/ids.ts';
import { streamOf } from '../reservations/reservations.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { decideWish, type How } from './decide-wish.ts';
import { TARGETS, type TargetState } from './targets.ts';

export interface ProposalDependencies extends CommandDependencies {
  readonly proposalIds: Pick<IdSequence, 'next'>;
  /** What the API calls the fields of a resource, without those that follow from others. */
  readonly fieldsOf: (kind: TargetKind, state: TargetState) => TargetFields;
}

export const PROPOSALS = { kind: 'proposal', evolve: evolveProposal } as const;

/** A resource as the rules about proposals look at it. */
export const subjectOf = (state: TargetState | null) =>
  state && 'author' in state ? { ...state, protected: state.passwordHash !== null } : null;

export const isInTrash = (state: TargetState | null): boolean =>
  state !== null && 'status' in state && state.status === 'trash';

/** Proposes to change a resource. */
export async function proposeChange(
  dependencies: ProposalDependencies,
  context: CommandContext,
  target: Target,
  proposed: Proposed,
): Promise<CommandResult<Proposal>> {
  const change = await changeOf(dependencies, context, target, proposed.wish, 'change');
  if (change.kind === 'rejected') return change;
  const { ifRevision } = context;
  if (ifRevision !== undefined && ifRevision !== change.change.base) return refused({ code: 'precondition_failed' });
  return open(dependencies, context, proposed, async () => ({ target, ...change }));
}

/** Proposes a new resource; its id is drawn now. */
export async function proposeCreation(
  dependencies: ProposalDependencies,
  context: CommandContext,
  kind: TargetKind,
  proposed: Proposed,
): Promise<CommandResult<Proposal>> {
  // What cannot be created draws no id.
  const draft = await changeOf(dependencies, context, { kind, id: UNDRAWN }, proposed.wish, 'create');
  if (draft.kind === 'rejected') return draft;
  return open(dependencies, context, proposed, async (unit) => {
    const isTerm = kind === 'category' || kind === 'tag';
    const target = { kind, id: await unit.nextId(isTerm ? dependencies.termIds : dependencies.postIds) };
    const change = await changeOf(dependencies, context, target, proposed.wish, 'create');
    return change.kind === 'rejected' ? change : { target, ...change };
  });
}

/** A creation that has been carried out is a change from then on. */
export const howOf = ({ base }: Proposal, target: TargetState | null): How =>
  base < 0 && target === null ? 'create' : 'change';

/** A wish as it was sent, and why. */
export interface Proposed {
  readonly wish: Wish;
  readonly note: string;
}

/** In the place of an id that a creation has not drawn yet. */
const UNDRAWN = 0;

interface Change {
  readonly kind: 'change';
  readonly change: ProposedChange;
}

type Opening = (Change & { readonly target: Target }) | Refused;

function open(
  dependencies: ProposalDependencies,
  context: CommandContext,
  { note }: Proposed,
  prepare: (unit: UnitOfWork) => Promise<Opening>,
): Promise<CommandResult<Proposal>> {
  return handleCommandOnce<Proposal, ProposalFact>(dependencies, context, PROPOSALS, [], async (unit) => {
    const prepared = await prepare(unit);
    if (prepared.kind === 'rejected') return prepared;
    const { target, change } = prepared;
    const opening = { target, ...change, note, author: context.caller?.id ?? 0 };
    // What is refused draws no id.
    const draft = openProposal({ id: UNDRAWN, ...opening });
    if (draft.kind === 'rejected') return draft;
    const id = await unit.nextId(dependencies.proposalIds);
    return recordDecision(unit, PROPOSALS, id, openProposal({ id, ...opening }), 'created');
  });
}

/** What a wish comes to on the log of now, if the caller may propose it. */
async function changeOf(
  { fieldsOf: _, ...dependencies }: ProposalDependencies,
  context: CommandContext,
  target: Target,
  sent: Wish,
  how: How,
): Promise<Change | Refused> {
  const { kind, id } = target;
  const { caller } = context;
  const { state } = await presentTarget(dependencies, target);
  const mayAsk = state === null ? mayProposeNew(caller, kind) : mayPropose(caller, kind, subjectOf(state));
  if (!mayAsk) return refused({ code: 'forbidden' });
  if (isInTrash(state)) return refused({ code: 'target_in_trash' });
  const unfit = refusedMember(context, subjectOf(state)?.author ?? caller?.id, sent);
  if (unfit) return refused(unfit);
  const isNewPost = how === 'create' && kind !== 'category' && kind !== 'tag';
  const wish = TARGETS[kind].stored(context, isNewPost ? { author: caller?.id, ...sent } : sent);
  const decided = await decideWish(dependencies, context, target, wish, how);
  if (decided.kind === 'rejected') return decided;
  const { base, facts } = decided;
  return { kind: 'change', change: { base, wish, facts, subject: kind === 'organizer' ? streamOf(kind, id) : null } };
}

/** A password would be readable until it is approved, and an organizer beside the target is encrypted under no key. */
function refusedMember(
  { caller }: CommandContext,
  author: number | undefined,
  { author: wished, password, organizers = [] }: Wish,
): Rejection | null {
  if (password !== undefined) return invalidParameter('password');
  if ((organizers as readonly object[]).some((one) => 'input' in one)) return invalidParameter('organizer');
  const isReassigned = wished !== undefined && wished !== author;
  return isReassigned && !mayAssignAuthors(caller) ? { code: 'forbidden', parameter: 'author' } : null;
}

/** The target as it is; null while it is only proposed. */
export async function presentTarget(
  { store }: { readonly store: Pick<CommandDependencies['store'], 'readStream'> },
  { kind, id }: Target,
): Promise<{ readonly state: TargetState | null; readonly events: readonly RecordedEvent[] }> {
  const events = await store.readStream(streamOf(kind, id));
  return { state: fold(events, TARGETS[kind].evolve), events };
}

/** A proposal that the caller may take a step with, and what the caller is to it. */
export interface Presented {
  readonly kind: 'presented';
  readonly proposal: Proposal;
  readonly target: TargetState | null;
  readonly parts: readonly Part[];
}

/** Looks a proposal up for a step. To those who may not see it, it is not there. */
export async function presentProposal(
  unit: Pick<UnitOfWork, 'load' | 'store'>,
  { caller, ifRevision }: CommandContext,
  id: number,
  step: ProposalStep,
): Promise<Presented | Refused> {
  const { state: proposal, revision } = await unit.load(streamOf('proposal', id), evolveProposal);
  if (!proposal) return refused({ code: 'proposal_not_found' });
  const { state: target } = await presentTarget(unit, proposal.target);
  const parts = partsIn(caller, proposal, subjectOf(target));
  if (parts.length === 0) return refused({ code: 'proposal_not_found' });
  const allowed = mayTake(step, parts);
  if (allowed !== true) return refused({ code: allowed === 'own' ? 'own_proposal' : 'forbidden' });
  if (ifRevision !== undefined && ifRevision !== revision) return refused({ code: 'precondition_failed' });
  return { kind: 'presented', proposal, target, parts };
}

/** Comments on a proposal, sends it back, rejects or withdraws it. */
export function stepProposal(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  step: Parameters<typeof takeStep>[1],
  text: string,
): Promise<CommandResult<Proposal>> {
  return handleCommand<Proposal, ProposalFact>(dependencies, context, [streamOf('proposal', id)], async (unit) => {
    const found = await presentProposal(unit, context, id, step);
    if (found.kind === 'rejected') return found;
    return recordDecision(unit, PROPOSALS, id, takeStep(found.proposal, step, { by: context.caller?.id ?? 0, text }));
  });
}

/** Puts another wish in the place of the one before, decided on the target as it is now. */
export function reviseProposalOf(
  dependencies: ProposalDependencies,
  context: CommandContext,
  id: number,
  { wish, note }: Proposed,
): Promise<CommandResult<Proposal>> {
  return handleCommand<Proposal, ProposalFact>(dependencies, context, [streamOf('proposal', id)], async (unit) => {
    const found = await presentProposal(unit, context, id, 'revise');
    if (found.kind === 'rejected') return found;
    const { proposal, target } = found;
    const isNew = target === null && proposal.wish.author !== undefined;
    const sent = isNew ? { author: proposal.wish.author, ...wish } : wish;
    const change = await changeOf(dependencies, context, proposal.target, sent, howOf(proposal, target));
    if (change.kind === 'rejected') return change;
    const decision = reviseProposal(proposal, change.change, { by: context.caller?.id ?? 0, text: note });
    return recordDecision(unit, PROPOSALS, id, decision);
  });
}
