// What one request or import has changed of a resource, field by field; also in a log that a dry run has written to.

import type { EventStore } from '../../../log/event-store.ts';
import type { Fields } from '../../../rendering/public-fields.ts';
import { changedFields, changesOf, fieldsOf, withNames } from '../../history/queries/field-changes.ts';
import type { HistoryDependencies } from '../../history/queries/history.ts';
import { type HistoryReader, openNames } from '../../history/queries/reference-names.ts';
import { type AnyState, type ResourceKey, readResourceEvents, stepsOf } from '../../history/queries/resource.ts';
import { withOccurrences } from '../../series/facts/occurrences.ts';
import { type ComparedField, openWords, type TextChange } from './text-changes.ts';

/** The longest text in a table, in characters. */
const MAX_TEXT = 1_000;

interface Request {
  readonly correlationId: string;
  readonly reader: HistoryReader;
}

/** Long texts are cut. Empty if it has changed nothing, or made the resource. Rejections: those of the store. */
export async function changesOfRequest(
  { display, foldings, store }: Pick<HistoryDependencies, 'display' | 'foldings'> & { readonly store: EventStore },
  key: ResourceKey,
  { correlationId, reader }: Request,
): Promise<readonly ComparedField[]> {
  // A dry run keeps what it appends to a series apart from the dates that follow from it.
  const dependencies = { foldings, store: withOccurrences(store) };
  const steps = stepsOf(dependencies, key.kind, await readResourceEvents(dependencies, key));
  const isItsOwn = ({ event }: (typeof steps)[number]): boolean => event.metadata.correlationId === correlationId;
  const first = steps.findIndex(isItsOwn);
  if (first <= 0) return [];
  const fields = (state: AnyState | null | undefined): Fields => (state ? fieldsOf(key.kind, state, display) : {});
  const [former, present] = [fields(steps[first - 1]?.state), fields(steps.findLast(isItsOwn)?.state)];
  const changed = changedFields(former, present);
  const names = openNames(dependencies, reader)(await store.head());
  const before = await withNames(key.kind, former, changed, names);
  const after = await withNames(key.kind, present, changed, names);
  return (await openWords()(changesOf(changed, before, after))).map(shortened);
}

function shortened({ field, before, after, words }: ComparedField): ComparedField {
  const whole = { field, before: shortText(before), after: shortText(after) };
  if (words === undefined || lengthOf(words) > MAX_TEXT) return whole;
  return { ...whole, words };
}

const lengthOf = (words: readonly TextChange[]): number => words.reduce((sum, { text }) => sum + text.length, 0);

const shortText = <Value>(value: Value): Value | string =>
  typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT).toWellFormed()}…` : value;
