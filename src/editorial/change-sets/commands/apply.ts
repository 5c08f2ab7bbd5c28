// Applying a set: the facts of all its members in one unit of work, between `ChangeSetBegun` and `ChangeSetEnded`.
//
// With transactions the unit is one. Without, the set is completed once it has begun, as it was begun: in the name, at
// the instant and under the request of its beginning. Read models hold back what lies between the two (whole-sets.ts),
// so readers see none of it or all of it.

import { type CommandContext, metadataOf } from '../../../commands/context.ts';
import { onDryRun } from '../../../commands/dry-run.ts';
import { type CommandResult, handleCommand, recordDecision } from '../../../commands/handle-command.ts';
import { openUndrawnSequences } from '../../../commands/reservations/ids.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { beginUnitOfWork } from '../../../commands/unit-of-work.ts';
import { rejected } from '../../../domain/decider.ts';
import type { MemberProblem } from '../../../domain/rejections.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { fold } from '../../../log/envelope.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';
import { approverOf } from '../../proposals/commands/complete.ts';
import type { ProposalDependencies } from '../../proposals/commands/proposals.ts';
import { evolveProposal } from '../../proposals/domain/proposal.ts';
import {
  type AgendaFact,
  type Beginning,
  type ChangeSet,
  type ChangeSetFact,
  evolveChangeSet,
  refusalToApply,
} from '../domain/change-set.ts';
import { AGENDA } from '../facts/whole-sets.ts';
import { CHANGE_SETS, loadAgenda, loadChangeSet, loadChangeSets } from './load.ts';
import { type Moment, planChangeSet } from './plan.ts';
import { isSetAsSeen, type JudgedRevisions, presentRevisions } from './review.ts';

type Applied = CommandResult<ChangeSet> | { readonly kind: 'unfit'; readonly problems: readonly MemberProblem[] };

/**
 * Applies it now. If one member cannot be carried out, or is not what the caller has seen (`precondition_failed`), nothing
 * is written.
 */
export async function applyChangeSet(
  dependencies: ProposalDependencies,
  context: CommandContext,
  id: number,
  { revisions, moment = 'now' }: { readonly revisions?: JudgedRevisions; readonly moment?: Moment } = {},
): Promise<Applied> {
  // What is refused draws no id. A set that creates resources is decided again, with ids of the log.
  const { sequences, isAsked } = openUndrawnSequences();
  const outcome = await applyWith({ ...dependencies, ...sequences }, context, id, { revisions, moment, isAsked });
  if (outcome !== LACKS_IDS) return outcome;
  return applyWith(dependencies, context, id, { revisions, moment, isAsked: () => false });
}

/** The answer to a set that fits and whose new resources need ids. */
const LACKS_IDS = rejected('busy');

interface Applying {
  readonly revisions: JudgedRevisions;
  readonly moment: Moment;
  /** Whether ids were given that are none. */
  readonly isAsked: () => boolean;
}

async function applyWith(
  dependencies: ProposalDependencies,
  context: CommandContext,
  id: number,
  { revisions, moment, isAsked }: Applying,
): Promise<Applied> {
  let problems: readonly MemberProblem[] = [];
  const begun: Beginning = { set: id, at: context.now, by: context.caller?.id ?? 0, request: context.correlationId };
  const streams = [AGENDA, streamOf('set', id)];
  // Rules of review are applied to each member.
  const within: NonNullable<CommandContext['within']> = (_unit, attempt) => attempt();
  const own: CommandContext = { ...context, ifRevision: undefined, within };
  const result = await handleCommand(dependencies, own, streams, async (unit) => {
    // The agenda is read first: a caller that finds nothing under way must not go on with a set as it was before it was applied.
    const { underWay } = await loadAgenda(unit.store);
    const { state, revision } = await unit.load(streamOf('set', id), evolveChangeSet);
    if (!state) return rejected('set_not_found');
    // A race lost behind the beginning is decided again, and goes on. Other sets wait for the end of this one.
    const isGoingOn = underWay?.set === id && underWay.request === begun.request;
    if (underWay && !isGoingOn) return rejected('busy');
    if (!isGoingOn && context.ifRevision !== undefined && context.ifRevision !== revision)
      return rejected('precondition_failed');
    const closed = isGoingOn ? null : refusalToApply(state);
    if (closed) return rejected(closed);
    if (!isGoingOn && !(await isSetAsSeen(unit.store, state, revisions))) return rejected('precondition_failed');
    if (!isGoingOn) {
      const data = { ...begun, revisions: await presentRevisions(unit.store, state) };
      await unit.record(AGENDA, [{ type: 'ChangeSetBegun', data } satisfies AgendaFact], 'first');
    }
    const stage = { begunWith: underWay?.revisions };
    const plan = await planChangeSet(dependencies, own, unit, state, isGoingOn ? { stage } : { moment });
    problems = plan.problems;
    if (!isGoingOn && problems.length > 0) return rejected('set_unfit');
    if (isAsked()) return LACKS_IDS;
    if (state.state !== 'applied') {
      const data = { by: begun.by, request: begun.request, problems };
      await unit.record(streamOf('set', id), [{ type: 'ChangeSetApplied', data } satisfies ChangeSetFact], 'closing');
    }
    await unit.record(AGENDA, [{ type: 'ChangeSetEnded', data: { set: id } } satisfies AgendaFact], 'closing');
    return { kind: 'planned', id, stream: streamOf('set', id), evolve: evolveChangeSet, created: false };
  });
  return result.kind === 'rejected' && result.rejection.code === 'set_unfit' ? { kind: 'unfit', problems } : result;
}

/** How long an application may still be under way in another process. */
const UNDER_WAY_SECONDS = 5;

/** Completes the set that has begun and has not ended, and says what could not be carried out; null: there is none, or not yet. */
export async function completeChangeSet(dependencies: ProposalDependencies, now: EpochSeconds) {
  const { underWay } = await loadAgenda(dependencies.store);
  if (!underWay || Math.abs(now - underWay.at) < UNDER_WAY_SECONDS) return null;
  const { set, at, by, request } = underWay;
  const context = { caller: await approverOf(dependencies, by), now: at, correlationId: request };
  const result = await applyChangeSet(dependencies, context, set);
  return result.kind === 'written' ? { set, problems: result.written.state.problems } : null;
}

/**
 * Applies a scheduled set that is due, in the name of who scheduled it. One that does not fit is left as it is. `unchanged`: another
 * process was faster, or it is not due any more.
 */
export async function applyDueChangeSet(
  dependencies: ProposalDependencies,
  { now, correlationId }: Pick<CommandContext, 'now' | 'correlationId'>,
  id: number,
) {
  const set = (await loadChangeSet(dependencies.store, id))?.state;
  if (!set?.schedule || set.schedule.at > now) return 'unchanged';
  const caller = await approverOf(dependencies, set.schedule.by);
  const context = { caller, now, correlationId };
  const result: Applied = mayAssignAuthors(caller)
    ? await applyChangeSet(dependencies, context, id, { moment: 'at_its_instant' })
    : { kind: 'unfit', problems: set.proposals.map((proposal) => ({ proposal, code: 'forbidden', fields: [] })) };
  if (result.kind === 'written') return 'applied';
  if (result.kind === 'rejected') return 'unchanged';
  await fail(dependencies, context, id, result.problems);
  return 'failed';
}

function fail(
  dependencies: ProposalDependencies,
  context: CommandContext,
  id: number,
  problems: readonly MemberProblem[],
) {
  const stream = streamOf('set', id);
  return handleCommand(dependencies, context, [AGENDA, stream], async (unit) => {
    const { state } = await unit.load(stream, evolveChangeSet);
    if (!state) return rejected('set_not_found');
    const isDue = state.schedule !== null && state.schedule.at <= context.now;
    if (isDue) {
      const fact: AgendaFact = { type: 'ChangeSetAnnounced', data: { set: id, at: null } };
      await unit.record(AGENDA, [fact], 'last');
    }
    const facts: ChangeSetFact[] = isDue ? [{ type: 'ChangeSetFailed', data: { problems } }] : [];
    return recordDecision(unit, CHANGE_SETS, id, { kind: 'accepted', facts });
  });
}

/** Members of this and of another pending set that are about the same resource. */
interface SharedTarget {
  readonly set: number;
  readonly name: string;
  readonly proposals: readonly number[];
}

/** What applying it would come to, on the log of now; nothing is written. */
export async function tryChangeSet(
  dependencies: ProposalDependencies,
  context: CommandContext,
  set: ChangeSet,
  moment: Moment,
) {
  const dry = onDryRun(dependencies);
  const unit = beginUnitOfWork(dry.store, metadataOf(context), dry.newEventId);
  try {
    const { problems, targets } = await planChangeSet(dry, context, unit, set, { moment });
    const streams = new Set(targets.map(({ kind, id }) => streamOf(kind, id)));
    return { problems, targets, others: await othersAbout(dependencies, set.id, streams) };
  } finally {
    unit.end();
  }
}

async function othersAbout(
  { store }: Pick<ProposalDependencies, 'store'>,
  own: number,
  streams: ReadonlySet<string>,
): Promise<SharedTarget[]> {
  const shared: SharedTarget[] = [];
  for (const { id, name, proposals } of await loadChangeSets(store)) {
    if (id === own) continue;
    const members: number[] = [];
    for (const proposal of proposals) {
      const state = fold(await store.readStream(streamOf('proposal', proposal)), evolveProposal);
      if (state && streams.has(streamOf(state.target.kind, state.target.id))) members.push(proposal);
    }
    if (members.length > 0) shared.push({ set: id, name, proposals: members });
  }
  return shared;
}
