// Completes a merge that was interrupted between its appends, in the name of the caller who began it.
import { isAbsorbedFact, isMergedFact, type MergedKind, mergeFacts } from '../../domain/merge.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import type { CommandDependencies } from '../context.ts';
import { handleCommand } from '../handle-command.ts';
import { loadMergeable } from '../references.ts';
import { streamOf } from '../reservations/reservations.ts';
import { evolveOf, relinkEvents } from './merge.ts';

/** For so long a merge may still be under way. */
const UNDER_WAY_MS = 5_000;

export type MergeProgress = 'complete' | 'completed' | 'under way';

/** `complete`: there was nothing to do. */
export async function completeMerge(
  dependencies: CommandDependencies,
  now: EpochSeconds,
  { kind, id }: { readonly kind: MergedKind; readonly id: number },
): Promise<MergeProgress> {
  const { store } = dependencies;
  const from = await loadMergeable(store, kind, id);
  if (from?.mergedInto === undefined) return 'complete';
  const merged = (await store.readStream(streamOf(kind, id))).findLast((event) => isMergedFact(kind, event));
  if (!merged) return 'complete';
  const stream = streamOf(kind, from.mergedInto);
  const { actor, correlationId, instant } = merged.metadata;
  const hasEnded = (await store.readStream(stream)).some(
    (event) => event.metadata.correlationId === correlationId && isAbsorbedFact(kind, id, event),
  );
  if (hasEnded) return 'complete';
  if (now * 1000 - Date.parse(instant) < UNDER_WAY_MS) return 'under way';
  const none = { reason: undefined, ifRevision: undefined, idempotencyKey: undefined };
  const context = { caller: null, actor, now, correlationId, ...none };
  // As `mergeFacts` makes it.
  const { events } = merged.data as unknown as { readonly events: readonly number[] };
  const into = await loadMergeable(store, kind, from.mergedInto);
  if (!into) return 'complete';
  const result = await handleCommand(dependencies, context, [stream], async (unit) => {
    await relinkEvents(unit, kind, { from, into }, events);
    await unit.record(stream, [mergeFacts(kind, id, { into: into.id, events }).absorbed], 'last');
    return { kind: 'planned', id: into.id, stream, evolve: evolveOf(kind), created: false };
  });
  return result.kind === 'written' ? 'completed' : 'under way';
}
