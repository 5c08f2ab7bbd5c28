// One change of a resource as its history describes it, wherever it is in the log.
import type { Position, RecordedEvent } from '../../../log/envelope.ts';
import {
  type HistoryDependencies,
  type HistoryEntry,
  historyEntries,
  type ResourceHistory,
} from '../../history/queries/history.ts';
import type { HistoryReader } from '../../history/queries/reference-names.ts';
import type { ResourceKey } from '../../history/queries/resource.ts';
import type { ChangedResources } from './changed-resources.ts';

interface Changed extends ResourceKey {
  readonly event: RecordedEvent;
}

/** `atLeast`: a position that its history must include. */
export async function changeOf(
  dependencies: HistoryDependencies,
  resources: ChangedResources,
  { kind, id, event }: Changed,
  atLeast: Position,
  reader: HistoryReader,
): Promise<HistoryEntry> {
  const loaded = await resources.historyOf({ kind, id }, atLeast);
  const index = loaded?.steps.findLastIndex((step) => step.event.revision === event.revision) ?? -1;
  const history = loaded && index >= 0 ? loaded : unknownHistory(kind, event);
  const offset = index < 0 ? 0 : history.steps.length - 1 - index;
  const [entry] = await historyEntries(dependencies, history, { offset, limit: 1 }, reader);
  if (!entry) throw new Error(`${event.stream} has no revision ${event.revision}`);
  return entry;
}

/** That it happened can be said of any fact, even if this version cannot fold the resource. */
const unknownHistory = (kind: ResourceKey['kind'], event: RecordedEvent): ResourceHistory => ({
  kind,
  steps: [{ event, state: null, understood: false }],
  state: null,
  isErased: false,
});
