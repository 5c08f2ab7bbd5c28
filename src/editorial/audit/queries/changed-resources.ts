// What the feed needs of the resources behind the facts: their former states, and their present authors. Cached, and
// never used without asking the log for newer events.
import { LRUCache } from 'lru-cache';
import type { Position, Revision } from '../../../log/envelope.ts';
import { EventStoreUnavailable } from '../../../log/event-store.ts';
import { loadHistory, type ResourceHistory } from '../../history/queries/history.ts';
import { foldingOf, type LogDependencies, type ResourceKey } from '../../history/queries/resource.ts';

export interface ChangedResources {
  /** Read from the log at `atLeast` or later; null if this version cannot read all of it. */
  historyOf(key: ResourceKey, atLeast: Position): Promise<ResourceHistory | null>;
  /** Its author at `atLeast` or later; null if it has none, or it cannot be determined. */
  authorOf(key: ResourceKey, atLeast: Position): Promise<number | null>;
}

/** Limit of facts in all cached histories. */
const MAX_STEPS = 5_000;
const MAX_AUTHORS = 20_000;

export function openChangedResources(dependencies: LogDependencies): ChangedResources {
  const load = async (key: ResourceKey): Promise<Loaded<ResourceHistory>> => {
    const history = await loadHistory(dependencies, key);
    return { value: history, revision: history?.steps.at(-1)?.event.revision ?? null };
  };
  const histories = renewing(dependencies, load, {
    most: MAX_STEPS,
    // A longer history takes the whole cache.
    weigh: (history) => Math.min(Math.max(history?.steps.length ?? 1, 1), MAX_STEPS),
  });
  const authors = renewing(
    dependencies,
    async (key) => {
      const { value, revision } = await load(key);
      return { value: authorIn(value), revision };
    },
    { most: MAX_AUTHORS, weigh: () => 1 },
  );
  return { historyOf: histories, authorOf: authors };
}

const authorIn = (history: ResourceHistory | null): number | null =>
  history?.state && 'author' in history.state ? history.state.author : null;

interface Loaded<T> {
  readonly value: T | null;
  /** Of the last folded fact; null if there was none. */
  readonly revision: Revision | null;
}

interface Cached<T> extends Loaded<T> {
  /** Nothing was added up to here. */
  readonly at: Position;
}

interface Limits<T> {
  /** Sum of all weights. */
  readonly most: number;
  readonly weigh: (value: T | null) => number;
}

/** Loads a resource once, and again after its stream has grown. The least recently used ones are dropped first. */
function renewing<T>(
  dependencies: LogDependencies,
  load: (key: ResourceKey) => Promise<Loaded<T>>,
  { most, weigh }: Limits<T>,
): (key: ResourceKey, atLeast: Position) => Promise<T | null> {
  const cache = new LRUCache<string, Promise<Cached<T>>>({ maxSize: most });

  async function loadedAt(key: ResourceKey, at: Position): Promise<Cached<T>> {
    try {
      return { ...(await load(key)), at };
    } catch (error) {
      if (error instanceof EventStoreUnavailable) throw error;
      return { value: null, revision: null, at };
    }
  }

  async function renewed(before: Promise<Cached<T>> | undefined, key: ResourceKey, at: Position): Promise<Cached<T>> {
    const cached = await before?.catch(() => undefined);
    if (cached === undefined) return loadedAt(key, at);
    if (cached.at >= at) return cached;
    return cached.revision !== null && !(await hasGrown(dependencies, key, cached.revision))
      ? { ...cached, at }
      : loadedAt(key, at);
  }

  return async (key, atLeast) => {
    const name = `${key.kind} ${key.id}`;
    const promise = renewed(cache.get(name), key, atLeast);
    cache.set(name, promise, { size: 1 });
    try {
      const { value } = await promise;
      // Its weight is known only now.
      if (cache.peek(name) === promise) {
        cache.delete(name);
        cache.set(name, promise, { size: weigh(value) });
      }
      return value;
    } catch (error) {
      if (cache.peek(name) === promise) cache.delete(name);
      throw error;
    }
  };
}

/** A fact that cannot be read is an addition all the same. */
async function hasGrown(dependencies: LogDependencies, key: ResourceKey, revision: Revision): Promise<boolean> {
  const stream = `${foldingOf(dependencies, key.kind).prefix}${key.id}`;
  try {
    return (await dependencies.store.readStream(stream, { from: revision + 1, limit: 1 })).length > 0;
  } catch (error) {
    if (error instanceof EventStoreUnavailable) throw error;
    return true;
  }
}
