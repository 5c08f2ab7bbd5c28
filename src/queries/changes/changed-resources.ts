// What the feed has to know of the resources behind the facts: what they were, and whose they are today. Kept in memory, and
// never believed without asking the log whether something has been added.
import { LRUCache } from 'lru-cache';
import type { Position, Revision } from '../../event-store/envelope.ts';
import { EventStoreUnavailable } from '../../event-store/event-store.ts';
import { loadHistory, type ResourceHistory } from '../history/history.ts';
import { foldingOf, type LogDependencies, type ResourceKey } from '../history/resource.ts';

export interface ChangedResources {
  /** As the log tells it at `atLeast` or later; null when it has something of it that this version cannot read. */
  historyOf(key: ResourceKey, atLeast: Position): Promise<ResourceHistory | null>;
  /** Its author at `atLeast` or later; null when it has none, or that cannot be told. */
  authorOf(key: ResourceKey, atLeast: Position): Promise<number | null>;
}

/** Facts of all the histories that are cached at most. */
const MAX_STEPS = 5_000;
const MAX_AUTHORS = 20_000;

export function openChangedResources(dependencies: LogDependencies): ChangedResources {
  const load = async (key: ResourceKey): Promise<Loaded<ResourceHistory>> => {
    const history = await loadHistory(dependencies, key);
    return { value: history, revision: history?.steps.at(-1)?.event.revision ?? null };
  };
  const histories = renewing(dependencies, load, {
    most: MAX_STEPS,
    // One that is longer takes the whole of it.
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
  /** Of the last fact it was made of; null when there was none. */
  readonly revision: Revision | null;
}

interface Cached<T> extends Loaded<T> {
  /** Nothing was added to it up to here. */
  readonly at: Position;
}

interface Limits<T> {
  /** Of all weights together. */
  readonly most: number;
  readonly weigh: (value: T | null) => number;
}

/** Loads a resource once, and again when its stream has grown. Those not asked for the longest go first. */
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
      // What it weighs is known only now.
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

/** What cannot be read has been added all the same. */
async function hasGrown(dependencies: LogDependencies, key: ResourceKey, revision: Revision): Promise<boolean> {
  const stream = `${foldingOf(dependencies, key.kind).prefix}${key.id}`;
  try {
    return (await dependencies.store.readStream(stream, { from: revision + 1, limit: 1 })).length > 0;
  } catch (error) {
    if (error instanceof EventStoreUnavailable) throw error;
    return true;
  }
}
