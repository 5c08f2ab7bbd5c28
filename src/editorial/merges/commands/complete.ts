// Completes a merge that was interrupted between its appends, in the name of the caller who began it.

import { loadMergeable } from '../../../calendar/resource/commands/references.ts';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { handleCommand } from '../../../commands/handle-command.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { Fact } from '../../../domain/decider.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { EventMetadata } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { isAbsorbedFact, isMergedFact, type MergedKind, mergeFacts } from '../domain/merge.ts';
import { evolveOf, type Mergeable, relinkEvents } from './merge.ts';

/** How long a merge may still be under way. */
const UNDER_WAY_MS = 5_000;

/** `complete`: there was nothing to do. */
export async function completeMerge(
  dependencies: CommandDependencies,
  now: EpochSeconds,
  merged: { readonly kind: MergedKind; readonly id: number },
) {
  const rest = await restOfMerge(dependencies.store, merged);
  if (!rest) return 'complete';
  const { actor, correlationId, instant } = rest.begun;
  if (now * 1000 - Date.parse(instant) < UNDER_WAY_MS) return 'under way';
  const result = await endMerge(dependencies, { caller: null, actor, now, correlationId }, rest);
  return result.kind === 'written' ? 'completed' : 'under way';
}

/** A merge whose end is not in the log. */
export interface RestOfMerge {
  readonly kind: MergedKind;
  readonly from: Mergeable;
  readonly into: Mergeable;
  /** What was linked to the one that goes, as its beginning has it. */
  readonly events: readonly number[];
  /** The metadata of its beginning. */
  readonly begun: EventMetadata;
}

/** Null: it is not merged, or nothing of its merge is missing. */
export async function restOfMerge(
  store: StreamReader,
  { kind, id }: { readonly kind: MergedKind; readonly id: number },
): Promise<RestOfMerge | null> {
  const from = await loadMergeable(store, kind, id);
  if (from?.mergedInto === undefined) return null;
  const merged = (await store.readStream(streamOf(kind, id))).findLast((event) => isMergedFact(kind, event));
  if (!merged) return null;
  const hasEnded = (await store.readStream(streamOf(kind, from.mergedInto))).some(
    (event) => event.metadata.correlationId === merged.metadata.correlationId && isAbsorbedFact(kind, id, event),
  );
  const into = hasEnded ? null : await loadMergeable(store, kind, from.mergedInto);
  if (!into) return null;
  // As `mergeFacts` makes it.
  const { events } = merged.data as unknown as { readonly events: readonly number[] };
  return { kind, from, into, events, begun: merged.metadata };
}

/** Records what is missing. */
export function endMerge(
  dependencies: CommandDependencies,
  context: CommandContext,
  { kind, from, into, events }: RestOfMerge,
) {
  const stream = streamOf(kind, into.id);
  return handleCommand<Mergeable, Fact>(dependencies, context, [stream], async (unit) => {
    await relinkEvents(unit, kind, { from, into }, events);
    await unit.record(stream, [mergeFacts(kind, from.id, { into: into.id, events }).absorbed], 'last');
    return { kind: 'planned', id: into.id, stream, evolve: evolveOf(kind), created: false };
  });
}
