// Adding, changing and removing sources, and recording their polls. Who may do so is decided where the command comes from: over
// HTTP by rights, at the command line by access to the log.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { type Loaded, numbered, type StepDependencies } from '../../../commands/numbered.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { rejected } from '../../../domain/decider.ts';
import { invalidParameter, type Rejection } from '../../../domain/rejections.ts';
import { approverOf } from '../../../editorial/proposals/commands/complete.ts';
import { presentPolicy } from '../../../editorial/review-rules/commands/present-policy.ts';
import { reviewedKinds } from '../../../editorial/review-rules/domain/review-policy.ts';
import { factOf } from '../../../log/envelope.ts';
import type { EventStore, StreamReader } from '../../../log/event-store.ts';
import type { User } from '../../../people/auth/caller.ts';
import { type ImportersAdmitted, mayImport } from '../../../people/auth/policy.ts';
import { noteItems, type SourceItem, type SourceItemFact, type SourceItems } from '../domain/items.ts';
import {
  type Beginning,
  beginPoll,
  changeSource,
  endPoll,
  evolveSource,
  type PollEnd,
  type PollFailure,
  type Source,
  type SourceFact,
  type SourceSettings,
} from '../domain/source.ts';

/** Steps and removals reject with `source_not_found`, `precondition_failed`, and what the step is refused for. */
const sources = numbered<Source, SourceFact>({ kind: 'source', evolve: evolveSource, missing: 'source_not_found' });

export const { load: loadSource, all: allSources, step: stepOfSource } = sources;

/** Sources that are not removed; each is polled all the time. */
export const MAX_SOURCES = 50;

type SourceResult = Promise<CommandResult<Source>>;

export type LoadedSource = Pick<Loaded<Source>, 'state' | 'revision'>;

/** Events of the stream of items that are read in one turn of the event loop. */
const PORTION = 10;
/** Items of one fact. */
const ITEMS_OF_FACT = 100;

const streamOfItems = (id: number): string => streamOf('sourced', id);

/** What its polls have found so far. */
export async function loadItems(store: StreamReader, id: number): Promise<SourceItems> {
  const items: SourceItems = new Map();
  for (let from = 0; ; from += PORTION) {
    const events = await store.readStream(streamOfItems(id), { from, limit: PORTION });
    for (const event of events) noteItems(items, factOf(event));
    if (events.length < PORTION) return items;
    await nextTurn();
  }
}

/** What keeps a source from writing in the name of a user. */
export async function problemOfUser(
  store: StreamReader,
  { user, mode }: Pick<SourceSettings, 'user' | 'mode'>,
  importers: ImportersAdmitted,
): Promise<{ readonly user: User } | { readonly problem: 'user' | 'review' }> {
  const approver = await approverOf({ store: store as EventStore }, user);
  if (!approver || !mayImport(approver, importers)) return { problem: 'user' };
  const { rules } = await presentPolicy(store);
  // An import decides for itself: who has to propose cannot import.
  return mode === 'apply' && reviewedKinds(rules, approver.role).length > 0
    ? { problem: 'review' }
    : { user: approver };
}

async function refusal(
  unit: UnitOfWork,
  settings: Pick<SourceSettings, 'user' | 'mode'>,
  importers: ImportersAdmitted,
): Promise<Rejection | null> {
  const check = await problemOfUser(unit.store, settings, importers);
  if (!('problem' in check)) return null;
  return check.problem === 'user' ? invalidParameter('user') : { code: 'source_needs_review' };
}

/** Rejections: `too_many_sources`, `source_needs_review`, and `invalid_parameter` for a user who may not import. */
export function addSource(
  dependencies: CommandDependencies,
  context: CommandContext,
  settings: SourceSettings,
  importers: ImportersAdmitted,
): SourceResult {
  return sources.create(dependencies, context, async (unit) => {
    const problem = await refusal(unit, settings, importers);
    if (problem) return rejected(problem);
    const others = await allSources(unit.store);
    if (others.length >= MAX_SOURCES) return rejected('too_many_sources');
    const hasLeft = ({ state }: LoadedSource) => state.origin === settings.address && state.address !== state.origin;
    const apart = others.some(hasLeft) ? ({ isApart: true } as const) : {};
    return (id) => ({ type: 'SourceAdded', data: { id, ...settings, ...apart } });
  });
}

/** Rejections besides: those of `addSource`. */
export const changeSourceOf = (
  dependencies: StepDependencies,
  context: CommandContext,
  id: number,
  changes: Partial<SourceSettings>,
  importers: ImportersAdmitted,
): SourceResult =>
  stepOfSource(dependencies, context, id, async (source, unit) => {
    const concernsUser = changes.user !== undefined || changes.mode !== undefined;
    const problem = concernsUser ? await refusal(unit, { ...source, ...changes }, importers) : null;
    return problem ? rejected(problem) : changeSource(source, changes);
  });

export const removeSourceOf = (
  dependencies: StepDependencies,
  context: CommandContext,
  id: number,
  destroyKey: (subject: string) => Promise<unknown>,
): SourceResult => sources.remove(dependencies, context, id, { type: 'SourceRemoved', data: {} }, destroyKey);

/**
 * The request id of the context is that of the poll. Rejections: `source_polling` while another one has not ended, or if it
 * is not due any more.
 */
export const beginPollOf = (
  dependencies: StepDependencies,
  context: CommandContext,
  id: number,
  beginning: Omit<Beginning, 'now'>,
): SourceResult => {
  const poll = { request: context.correlationId, by: context.caller?.id ?? null };
  return stepOfSource(dependencies, context, id, (source) =>
    beginPoll(source, poll, { now: context.now, ...beginning }),
  );
};

/** What a poll has found, in the same append as its end. */
export interface ItemChanges {
  readonly items: readonly SourceItem[];
  readonly forgotten: readonly string[];
}

export const endPollOf = (
  dependencies: StepDependencies,
  context: CommandContext,
  id: number,
  end: PollEnd | PollFailure,
  changes: ItemChanges | null,
): SourceResult =>
  stepOfSource(dependencies, context, id, async (source, unit) => {
    const decision = endPoll(source, end);
    if (changes && decision.kind === 'accepted' && decision.facts.length > 0)
      await unit.record(streamOfItems(id), factsOf(changes), 'first');
    return decision;
  });

function factsOf({ items, forgotten }: ItemChanges): SourceItemFact[] {
  const facts: SourceItemFact[] = [];
  const most = Math.max(items.length, forgotten.length);
  for (let at = 0; at < most; at += ITEMS_OF_FACT) {
    const part = { items: items.slice(at, at + ITEMS_OF_FACT), forgotten: forgotten.slice(at, at + ITEMS_OF_FACT) };
    facts.push({ type: 'SourceItemsNoted', data: part });
  }
  return facts;
}
