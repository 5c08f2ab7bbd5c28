// What the feed needs of the resources behind the facts: their former states, and their present authors. Cached for those
// who ask at the same end of the log: readers of one page, and all who follow.
import { LRUCache } from 'lru-cache';
import type { Position } from '../../../log/envelope.ts';
import { EventStoreUnavailable } from '../../../log/event-store.ts';
import { loadHistory, type ResourceHistory } from '../../history/queries/history.ts';
import type { LogDependencies, ResourceKey } from '../../history/queries/resource.ts';

export type ChangedResources = ReturnType<typeof openChangedResources>;

/** Limit of facts in all cached histories. */
const MAX_STEPS = 5_000;

export function openChangedResources(dependencies: LogDependencies) {
  const cache = new LRUCache<string, { readonly history: ResourceHistory | null }, ResourceKey>({
    maxSize: MAX_STEPS,
    // A longer history takes the whole cache.
    sizeCalculation: ({ history }) => Math.min(Math.max(history?.steps.length ?? 1, 1), MAX_STEPS),
    fetchMethod: async (_, _before, { context }) => ({ history: await readHistory(dependencies, context) }),
    // Whoever waits for a history gets it, also when others have taken its place.
    ignoreFetchAbort: true,
  });

  async function historyOf(key: ResourceKey, atLeast: Position): Promise<ResourceHistory | null> {
    const cached = await cache.fetch(`${key.kind} ${key.id} ${atLeast}`, { context: key });
    return cached?.history ?? null;
  }

  return {
    /** Read from the log at `atLeast` or later; null if this version cannot read all of it. */
    historyOf,
    /** Its author at `atLeast` or later; null if it has none, or it cannot be determined. */
    async authorOf(key: ResourceKey, atLeast: Position): Promise<number | null> {
      const { state = null } = (await historyOf(key, atLeast)) ?? {};
      return state && 'author' in state ? state.author : null;
    },
  };
}

async function readHistory(dependencies: LogDependencies, key: ResourceKey): Promise<ResourceHistory | null> {
  try {
    return await loadHistory(dependencies, key);
  } catch (error) {
    if (error instanceof EventStoreUnavailable) throw error;
    return null;
  }
}
