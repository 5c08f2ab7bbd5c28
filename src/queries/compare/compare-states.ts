// Two states of an event field by field, with what it looked like.
import { mayReadHistory } from '../../auth/policy.ts';
import { openActors } from '../../event-store/encryption/actors.ts';
import type { Actor, Json, Revision } from '../../event-store/envelope.ts';
import type { Fields } from '../../rendering/public-fields.ts';
import type { WallClock } from '../../time/zone.ts';
import { type AsOfDependencies, type AsOfRefusal, readAsOf, type WhichState } from '../as-of/read-resource.ts';
import type { Assembled } from '../assemble.ts';
import { type Change, changedFields, fieldsOf, withNames } from '../history/field-changes.ts';
import {
  frameOf,
  type HistoryDependencies,
  happenedBy,
  isExchangeOfPassword,
  loadHistory,
} from '../history/history.ts';
import { openNames } from '../history/reference-names.ts';
import type { StateOf, Step } from '../history/resource.ts';
import type { Reader } from '../reader.ts';
import { nextTurn, openTurns } from '../time-slices.ts';
import { type TextChange, textChanges } from './text-changes.ts';

export interface ComparedField extends Change {
  /** Of texts that were there before and after. */
  readonly words?: readonly TextChange[];
}

export interface ComparedState {
  readonly revision: Revision;
  readonly instant: string;
  readonly date: WallClock;
  /** Who made it so. */
  readonly actor: Actor;
  /** The event as JSON, with what it embeds. */
  readonly body: Assembled;
}

export interface ComparedStates {
  readonly from: ComparedState;
  readonly to: ComparedState;
  readonly changes: readonly ComparedField[];
}

export type CompareRefusal =
  | { readonly why: 'unknown' }
  | { readonly why: 'no right' }
  | { readonly why: 'from after to'; readonly from: Revision; readonly to: Revision }
  | { readonly why: 'no state'; readonly which: WhichState; readonly refusal: AsOfRefusal };

type EventStep = Step<StateOf['event']>;

/** For those who may read the history. `to` is the newest state when not given. */
export async function compareStates(
  dependencies: AsOfDependencies & HistoryDependencies,
  id: number,
  sides: { readonly from: WhichState; readonly to: WhichState | null },
  reader: Reader,
): Promise<ComparedStates | { readonly refused: CompareRefusal }> {
  const key = { kind: 'event', id } as const;
  const history = await loadHistory(dependencies, key);
  if (history === null) return { refused: { why: 'unknown' } };
  const { steps } = history;
  if (!mayReadHistory(reader.caller, 'event', history.state)) return { refused: { why: 'no right' } };
  const from = sides.from;
  const to = sides.to ?? { revision: steps.at(-1)?.event.revision ?? 0 };
  const [before, after] = [stepAt(steps, from), stepAt(steps, to)];
  if (before && after && before.event.revision > after.event.revision)
    return { refused: { why: 'from after to', from: before.event.revision, to: after.event.revision } };
  const first = await readAsOf(dependencies, key, from, reader);
  // Each of the two may take apart texts of a megabyte.
  await nextTurn();
  const last = await readAsOf(dependencies, key, to, reader);
  await nextTurn();
  if ('refused' in first) return { refused: { why: 'no state', which: from, refusal: first.refused } };
  if ('refused' in last) return { refused: { why: 'no state', which: to, refusal: last.refused } };
  if (!before || !after || first.kind !== 'post' || last.kind !== 'post') return { refused: { why: 'unknown' } };
  const actors = dependencies.actors ?? openActors(dependencies.store);
  return {
    from: { ...(await frameOf(before.event, dependencies.display, actors)), body: first.answer },
    to: { ...(await frameOf(after.event, dependencies.display, actors)), body: last.answer },
    changes: await changesBetween(dependencies, before, after, reader),
  };
}

/** What had happened last, for this state to be. */
function stepAt(steps: readonly EventStep[], which: WhichState): EventStep | undefined {
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
  before: EventStep,
  after: EventStep,
  { caller }: Reader,
): Promise<ComparedField[]> {
  const namesAt = openNames(dependencies, { caller });
  const fields = ({ state }: EventStep): Fields =>
    state === null ? {} : fieldsOf('event', state, dependencies.display);
  const [former, present] = [fields(before), fields(after)];
  const changed = changedFields(former, present);
  const names = isExchangeOfPassword(before.state, after.state) ? [...changed, 'password'] : changed;
  const shownBefore = await withNames('event', former, names, namesAt(before.event.position));
  const shownAfter = await withNames('event', present, names, namesAt(after.event.position));
  const turn = openTurns();
  const compared: ComparedField[] = [];
  for (const field of names) {
    await turn();
    compared.push(comparedField(field, shownBefore[field] ?? null, shownAfter[field] ?? null));
  }
  return compared;
}

const TEXTS: ReadonlySet<string> = new Set(['title', 'description', 'excerpt']);

function comparedField(field: string, before: Json, after: Json): ComparedField {
  const isText = TEXTS.has(field) && typeof before === 'string' && typeof after === 'string';
  return { field, before, after, ...(isText && { words: textChanges(before, after) }) };
}
