// Opening, revising and discussing proposals: what changes nothing but the proposal itself.
// decision 21

import type { CommandContext, CommandDependencies, Written } from '../../../commands/context.ts';
import {
  type CommandResult,
  handleCommand,
  handleCommandOnce,
  recordDecision,
} from '../../../commands/handle-command.ts';
import { reserveIdIn } from '../../../commands/reservations/id-reservations.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Rejected, rejected } from '../../../domain/decider.ts';
import type { Rejection } from '../../../domain/rejections.ts';
import { fold } from '../../../log/envelope.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';
import { mayPropose, mayProposeNew, mayTake, partsIn } from '../../../people/auth/proposal-rights.ts';
import { afterRepairs, type Membership, openMemberships } from '../../change-sets/commands/membership.ts';
import { idOfTarget, mergeTarget } from '../../merges/commands/merge.ts';
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
} from '../domain/proposal.ts';
import { type DecidedWish, decideWish, type How } from './decide-wish.ts';
import { TARGETS, type TargetState } from './targets.ts';

export interface ProposalDependencies extends CommandDependencies {
  /** What the API calls the fields of a resource, without those that follow from others. */
  readonly fieldsOf: (kind: TargetKind, state: TargetState) => TargetFields;
}

export const PROPOSALS = { kind: 'proposal', evolve: evolveProposal } as const;

/** The target of a proposal. */
export type PresentTarget = Awaited<ReturnType<typeof presentTarget>>;

/** What a command has found out about a proposal, for the answer to it. */
export interface Known {
  readonly present: PresentTarget;
  /** Absent: it is decided no more. */
  readonly decided?: DecidedWish;
}

/** `known` is absent for one that was there before. */
type WrittenProposal = Written<Proposal> & { readonly known?: Known };
export type ProposalResult = { readonly kind: 'written'; readonly written: WrittenProposal } | Rejected;

/** Adds what was found out while it was decided. */
export const knowing = (result: CommandResult<Proposal>, known: Known | null): ProposalResult =>
  result.kind === 'written' && known !== null ? { ...result, written: { ...result.written, known } } : result;

/** A resource as the rules about proposals look at it. */
export const subjectOf = (state: TargetState | null) =>
  state && 'author' in state ? { ...state, protected: state.passwordHash !== null } : null;

export const isInTrash = (state: TargetState | null): boolean =>
  state !== null && 'status' in state && state.status === 'trash';

/** Proposes to change a resource, to delete it, to put it back to a revision, or to merge it. */
export async function proposeChange(
  dependencies: ProposalDependencies,
  context: CommandContext,
  target: Target,
  proposed: Proposed,
  how: Exclude<How, 'create'> = 'change',
): Promise<ProposalResult> {
  const change = await changeOf(dependencies, context, target, proposed.wish, how);
  if (change.kind === 'rejected') return change;
  const { ifRevision } = context;
  if (ifRevision !== undefined && ifRevision !== change.change.base) return rejected('precondition_failed');
  return open(dependencies, context, proposed, async () => ({ target, ...change }));
}

/** Proposes a new resource; its id is drawn now. */
export function proposeCreation(
  dependencies: ProposalDependencies,
  context: CommandContext,
  kind: TargetKind,
  proposed: Proposed,
): Promise<ProposalResult> {
  const ids = kind === 'category' || kind === 'tag' ? 'ids-term' : 'ids-post';
  return open(dependencies, context, proposed, async (unit) => {
    const target = { kind, id: await reserveIdIn(unit, ids) };
    const change = await changeOf(dependencies, context, target, proposed.wish, 'create');
    return change.kind === 'rejected' ? change : { target, ...change };
  });
}

/** What the proposal of a new resource would come to; nothing is written. */
export const tryCreation = (
  dependencies: ProposalDependencies,
  context: CommandContext,
  kind: TargetKind,
  wish: Wish,
): Promise<Change | Rejected> => changeOf(dependencies, context, { kind, id: NO_ID }, wish, 'create');

/** Where none is. */
const NO_ID = -1;

/** A creation that has been carried out is a change from then on. */
export const howOf = ({ base, action }: Proposal, target: TargetState | null): How =>
  base < 0 && target === null ? 'create' : (action ?? 'change');

/** A wish as it was sent, and why. */
export interface Proposed {
  readonly wish: Wish;
  readonly note: string;
  /** What the public has submitted it as. */
  readonly submission?: number;
}

interface Change {
  readonly kind: 'change';
  readonly change: ProposedChange;
  readonly known: Known;
}

type Opening = (Change & { readonly target: Target }) | Rejected;

/** What is refused draws no id: ids are reserved in the append of the proposal. */
async function open(
  dependencies: ProposalDependencies,
  context: CommandContext,
  { note, submission }: Proposed,
  prepare: (unit: UnitOfWork) => Promise<Opening>,
): Promise<ProposalResult> {
  let known: Known | null = null;
  const opened = await handleCommandOnce<Proposal, ProposalFact>(
    dependencies,
    context,
    PROPOSALS,
    [IDS],
    async (unit) => {
      const prepared = await prepare(unit);
      if (prepared.kind === 'rejected') return prepared;
      const { target, change } = prepared;
      known = prepared.known;
      const id = await reserveIdIn(unit, IDS);
      const opening = { id, target, ...change, note, author: context.caller?.id ?? 0 };
      const submitted = submission === undefined ? opening : { ...opening, submission };
      return recordDecision(unit, PROPOSALS, id, openProposal(submitted), 'created');
    },
  );
  return knowing(opened, known);
}

/** Openings take turns at it. */
const IDS = 'ids-proposal';

/** What a wish comes to on the log of now, if the caller may propose it. */
async function changeOf(
  { fieldsOf: _, ...dependencies }: ProposalDependencies,
  context: CommandContext,
  target: Target,
  input: Wish,
  how: How,
): Promise<Change | Rejected> {
  const { kind, id } = target;
  const { caller } = context;
  const present = await presentTarget(dependencies, target);
  const { state } = present;
  const mayAsk = state === null ? mayProposeNew(caller, kind) : mayPropose(caller, kind, subjectOf(state));
  if (!mayAsk) return rejected('forbidden');
  if (isInTrash(state)) return rejected('target_in_trash');
  const unfit = refusedMember(context, subjectOf(state)?.author ?? caller?.id, input);
  if (unfit) return rejected(unfit);
  const isNewPost = how === 'create' && kind !== 'category' && kind !== 'tag';
  const into = how === 'merge' ? await stayingOf(dependencies, caller, kind, input) : null;
  if (how === 'merge' && into === null) return rejected('merge_into_unknown');
  const wish = into ?? TARGETS[kind].stored(context, isNewPost ? { author: caller?.id, ...input } : input);
  const decided = await decideWish(dependencies, context, target, wish, how);
  if (decided.kind === 'rejected') return decided;
  const { base, facts } = decided;
  const subject = kind === 'organizer' ? streamOf(kind, id) : null;
  const action = how === 'create' || how === 'change' ? {} : { action: how };
  return { kind: 'change', change: { ...action, base, wish, facts, subject }, known: { present, decided } };
}

/** The wish of a merge, which names the one that stays by its id; null if there is none that the caller may see. */
async function stayingOf(
  { store }: CommandDependencies,
  caller: Caller,
  kind: TargetKind,
  { into }: Wish,
): Promise<Wish | null> {
  if (kind === 'event') return null;
  const id = await idOfTarget(store, kind, mergeTarget(into));
  const { state } = await presentTarget({ store }, { kind, id });
  return state !== null && mayPropose(caller, kind, subjectOf(state)) ? { into: id } : null;
}

/** A password would be readable until it is approved, and an organizer beside the target is encrypted under no key. */
function refusedMember(
  { caller }: CommandContext,
  author: number | undefined,
  { author: wished, password, organizers = [] }: Wish,
): Rejection | null {
  if (password !== undefined) return { code: 'password_not_proposed', parameter: 'password' };
  if ((organizers as readonly object[]).some((one) => 'input' in one))
    return { code: 'organizer_not_proposed', parameter: 'organizer' };
  const isReassigned = wished !== undefined && wished !== author;
  return isReassigned && !mayAssignAuthors(caller) ? { code: 'forbidden', parameter: 'author' } : null;
}

/** Its state as it is; null while it is only proposed. */
export async function presentTarget(
  { store }: { readonly store: Pick<CommandDependencies['store'], 'readStream'> },
  { kind, id }: Target,
) {
  const events = await store.readStream(streamOf(kind, id));
  return { state: fold(events, TARGETS[kind].evolve), events };
}

/** A proposal that the caller may take a step with, and what the caller is to it. */
export interface Presented extends Pick<Membership, 'repairs'> {
  readonly kind: 'presented';
  readonly proposal: Proposal;
  readonly present: PresentTarget;
  readonly parts: readonly Part[];
}

/** Looks a proposal up for a step. To those who may not see it, it is not there. */
export async function presentProposal(
  unit: Pick<UnitOfWork, 'load' | 'store'>,
  { caller, ifRevision }: CommandContext,
  id: number,
  step: ProposalStep,
): Promise<Presented | Rejected> {
  const { state: proposal, revision } = await unit.load(streamOf('proposal', id), evolveProposal);
  if (!proposal) return rejected('proposal_not_found');
  const present = await presentTarget(unit, proposal.target);
  const parts = partsIn(caller, proposal, subjectOf(present.state));
  if (parts.length === 0) return rejected('proposal_not_found');
  const allowed = mayTake(step, parts);
  if (allowed !== true) return rejected(allowed === 'own' ? 'own_proposal' : 'forbidden');
  // What is said about it holds nothing up.
  const membership = step === 'comment' ? { proposal, repairs: [] } : await openMemberships(unit.store)(proposal);
  if ('isBeingApplied' in membership && membership.isBeingApplied) return rejected('busy');
  if (ifRevision !== undefined && ifRevision !== revision) return rejected('precondition_failed');
  // Its key is gone, and what is written of it from now on is read.
  const isErased = present.state !== null && 'erased' in present.state;
  const { proposal: state, repairs } = membership;
  return { kind: 'presented', proposal: isErased ? { ...state, subject: null } : state, repairs, present, parts };
}

/** Comments on a proposal, sends it back, rejects or withdraws it. */
export function stepProposal(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  step: Parameters<typeof takeStep>[1],
  text: string,
) {
  return handleCommand(dependencies, context, [streamOf('proposal', id)], async (unit) => {
    const result = await presentProposal(unit, context, id, step);
    if (result.kind === 'rejected') return result;
    const decision = takeStep(result.proposal, step, { by: context.caller?.id ?? 0, text });
    return recordDecision(unit, PROPOSALS, id, afterRepairs(result, decision));
  });
}

/** Puts another wish in the place of the one before, decided on the target as it is now. */
export async function reviseProposalOf(
  dependencies: ProposalDependencies,
  context: CommandContext,
  id: number,
  { wish, note }: Proposed,
  mode: 'change' | 'merge' = 'change',
): Promise<ProposalResult> {
  let known: Known | null = null;
  const streams = [streamOf('proposal', id)];
  const revised = await handleCommand(dependencies, context, streams, async (unit) => {
    const result = await presentProposal(unit, context, id, 'revise');
    if (result.kind === 'rejected') return result;
    const { proposal, present } = result;
    const isNew = present.state === null && proposal.wish.author !== undefined;
    const input = isNew ? { author: proposal.wish.author, ...wish } : wish;
    const how = proposal.base < 0 && present.state === null ? 'create' : mode;
    const change = await changeOf(dependencies, context, proposal.target, input, how);
    if (change.kind === 'rejected') return change;
    known = change.known;
    const decision = reviseProposal(proposal, change.change, { by: context.caller?.id ?? 0, text: note });
    return recordDecision(unit, PROPOSALS, id, afterRepairs(result, decision));
  });
  return knowing(revised, known);
}
