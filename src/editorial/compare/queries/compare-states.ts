// Two states of a resource field by field, with what it looked like.

import { nextTurn } from '../../../kernel/event-loop/turns.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import type { EpochSeconds, WallClock } from '../../../kernel/time/zone.ts';
import type { Actor, RecordedEvent, Revision } from '../../../log/envelope.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { termObject } from '../../../queries/assemble.ts';
import type { Assembled } from '../../../queries/bodies.ts';
import { digestOf } from '../../../queries/digest.ts';
import type { Reader } from '../../../queries/reader.ts';
import type { TermView } from '../../../read-model/queries.ts';
import type { Fields } from '../../../rendering/public-fields.ts';
import { changedFields, changesOf, fieldsOf, withNames } from '../../history/queries/field-changes.ts';
import {
  frameOf,
  type HistoryDependencies,
  isExchangeOfPassword,
  loadHistory,
  mayRead,
} from '../../history/queries/history.ts';
import { happenedBy } from '../../history/queries/moments.ts';
import { openNames } from '../../history/queries/reference-names.ts';
import type { AnyState, ResourceKey, ResourceKind, Step } from '../../history/queries/resource.ts';
import {
  type AsOfDependencies,
  type AsOfRefusal,
  readAsOf,
  type WhichState,
} from '../../time-travel/queries/read-resource.ts';
import { type ComparedField, withWords } from './text-changes.ts';

export interface ComparedState {
  /** The state is that which this proposal would make of the resource of now. */
  readonly proposal?: number;
  readonly revision: Revision;
  readonly instant: string;
  readonly date: WallClock;
  /** Who made it so. */
  readonly actor: Actor;
  /** The resource as JSON, with what it embeds. */
  readonly body: Assembled;
}

interface ComparedStates {
  readonly from: ComparedState;
  readonly to: ComparedState;
  readonly changes: readonly ComparedField[];
}

export type CompareRefusal =
  | { readonly why: 'unknown' }
  | { readonly why: 'no right' }
  | { readonly why: 'from after to'; readonly from: Revision; readonly to: Revision }
  | { readonly why: 'no state'; readonly which: WhichState; readonly refusal: AsOfRefusal };

type AnyStep = Step<AnyState>;

/** A state that has been, that a proposal would make, or that will be. */
export type ComparedSide = WhichState | { readonly proposal: number } | ComingSide;

/** `at`: an instant to come, or now for what is not scheduled; `asked` says which of them, as the request did. */
export interface ComingSide {
  readonly at: EpochSeconds;
  readonly parameters: { readonly as_of?: string; readonly with?: string };
}

/** The event as it will be. */
export interface ComingState {
  /** What will have happened last; undefined if nothing will. */
  readonly event: RecordedEvent | undefined;
  readonly state: AnyState;
  readonly body: Assembled;
}

/** The resource as a proposal would make it now. */
export interface ProposedState {
  readonly proposal: number;
  readonly author: number;
  readonly opened: EpochSeconds;
  readonly state: AnyState;
  readonly body: Assembled;
}

interface CompareDependencies extends AsOfDependencies, HistoryDependencies {
  /** Rejects if there is no such proposal about the resource, for this reader, or if it does not fit any more. */
  readonly proposed: (proposal: number) => Promise<ProposedState>;
  /** Rejects if this reader cannot see it then. */
  readonly coming: (query: ComingSide['parameters']) => Promise<ComingState>;
}

/** One side, with what has happened for it to be. */
interface Side {
  readonly step: AnyStep;
  readonly state: ComparedState;
}

/** For those who may read the history. `to` is the newest state when not given. */
export async function compareStates(
  dependencies: CompareDependencies,
  key: ResourceKey,
  sides: { readonly from: ComparedSide; readonly to: ComparedSide | null },
  reader: Reader,
): Promise<ComparedStates | { readonly refused: CompareRefusal }> {
  const history = await loadHistory(dependencies, key);
  if (history === null) return { refused: { why: 'unknown' } };
  const { steps } = history;
  if (!mayRead(reader.caller, history)) return { refused: { why: 'no right' } };
  const from = sides.from;
  const to = sides.to ?? { revision: steps.at(-1)?.event.revision ?? 0 };
  const [before, after] = [stepAt(steps, from), stepAt(steps, to)];
  if (before && after && before.event.revision > after.event.revision)
    return { refused: { why: 'from after to', from: before.event.revision, to: after.event.revision } };
  const first = await sideOf(dependencies, { key, steps, which: from }, reader);
  // Each of them may be folded from thousands of facts, or have texts of 256 KiB.
  await nextTurn();
  const last = await sideOf(dependencies, { key, steps, which: to }, reader);
  await nextTurn();
  if ('why' in first) return { refused: first };
  if ('why' in last) return { refused: last };
  return {
    from: first.state,
    to: last.state,
    changes: await changesBetween(dependencies, key.kind, [first.step, last.step], reader),
  };
}

interface Choice {
  readonly key: ResourceKey;
  readonly steps: readonly AnyStep[];
  readonly which: ComparedSide;
}

async function sideOf(
  dependencies: CompareDependencies,
  { key, steps, which }: Choice,
  reader: Reader,
): Promise<Side | CompareRefusal> {
  if ('proposal' in which) return proposedSide(dependencies, steps, which.proposal);
  if ('at' in which) return comingSide(dependencies, steps, which);
  const state = await readAsOf(dependencies, key, which, reader);
  if ('refused' in state) return { why: 'no state', which, refusal: state.refused };
  const step = stepAt(steps, which);
  if (!step) return { why: 'unknown' };
  const body = state.kind === 'post' ? state.answer : termBody(state.term, reader);
  return { step, state: { ...(await frameIn(dependencies, step.event)), body } };
}

const frameIn = ({ store, display, actors = openActors(store) }: HistoryDependencies, event: RecordedEvent) =>
  frameOf(event, display, actors);

function termBody(term: TermView, { links }: Reader): Assembled {
  const text = JSON.stringify(termObject(term, links));
  return { text, mark: () => digestOf(text) };
}

async function proposedSide(
  dependencies: CompareDependencies,
  steps: readonly AnyStep[],
  id: number,
): Promise<Side | CompareRefusal> {
  const last = steps.at(-1);
  if (!last) return { why: 'unknown' };
  const { proposal, author, opened, state, body } = await dependencies.proposed(id);
  const { event } = last;
  const by = { actor: { id: author, name: '' }, instant: instantText(opened) };
  const opening = { ...event, metadata: { ...event.metadata, ...by } };
  const frame = await frameIn(dependencies, opening);
  return { step: { event, state, understood: true }, state: { proposal, ...frame, body } };
}

async function comingSide(
  dependencies: CompareDependencies,
  steps: readonly AnyStep[],
  { parameters }: ComingSide,
): Promise<Side | CompareRefusal> {
  const last = steps.at(-1);
  if (!last) return { why: 'unknown' };
  const { event = last.event, state, body } = await dependencies.coming(parameters);
  const frame = await frameIn(dependencies, event);
  // What it refers to is named as of now: nothing is recorded at a position to come.
  const step = { event: { ...event, position: last.event.position }, state, understood: true };
  return { step, state: { ...frame, body } };
}

/** What had happened last, for this state to be. */
function stepAt(steps: readonly AnyStep[], which: ComparedSide): AnyStep | undefined {
  if ('proposal' in which || 'at' in which) return undefined;
  if ('revision' in which) return steps.find(({ event }) => event.revision === which.revision);
  return steps[
    happenedBy(
      { at: which.asOf },
      steps.map(({ event }) => event),
    ).length - 1
  ];
}

async function changesBetween(
  dependencies: HistoryDependencies,
  kind: ResourceKind,
  [before, after]: readonly [AnyStep, AnyStep],
  { caller }: Reader,
): Promise<ComparedField[]> {
  const namesAt = openNames(dependencies, { caller });
  const fields = ({ state }: AnyStep): Fields => (state === null ? {} : fieldsOf(kind, state, dependencies.display));
  const [former, present] = [fields(before), fields(after)];
  const changed = changedFields(former, present);
  const names = isExchangeOfPassword(before.state, after.state) ? [...changed, 'password'] : changed;
  const namedBefore = await withNames(kind, former, names, namesAt(before.event.position));
  const namedAfter = await withNames(kind, present, names, namesAt(after.event.position));
  return changesOf(names, namedBefore, namedAfter).map(withWords);
}
