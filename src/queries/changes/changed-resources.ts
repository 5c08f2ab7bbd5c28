// What the feed has to know of the resources behind the facts: what they were, and whose they are today. Kept in memory, and
// never believed without asking the log whether something has been added.
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

/** Facts of all the histories that are kept at most. */
const MAX_STEPS = 5_000;
const MAX_AUTHORS = 20_000;

export function openChangedResources(dependencies: LogDependencies): ChangedResources {
  const load = async (key: ResourceKey): Promise<Loaded<ResourceHistory>> => {
    const history = await loadHistory(dependencies, key);
    return { value: history, revision: history?.steps.at(-1)?.event.revision ?? null };
  };
  const histories = renewing(dependencies, load, {
    most: MAX_STEPS,
    weigh: (history) => history?.steps.length ?? 1,
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

interface Kept<T> extends Loaded<T> {
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
  const kept = new Map<string, { readonly promise: Promise<Kept<T>>; weight: number }>();
  let weight = 0;

  async function loadedAt(key: ResourceKey, at: Position): Promise<Kept<T>> {
    try {
      return { ...(await load(key)), at };
    } catch (error) {
      if (error instanceof EventStoreUnavailable) throw error;
      return { value: null, revision: null, at };
    }
  }

  async function renewed(before: Promise<Kept<T>> | undefined, key: ResourceKey, at: Position): Promise<Kept<T>> {
    const known = await before?.catch(() => undefined);
    if (known === undefined) return loadedAt(key, at);
    if (known.at >= at) return known;
    return known.revision !== null && !(await hasGrown(dependencies, key, known.revision))
      ? { ...known, at }
      : loadedAt(key, at);
  }

  function forget(name: string): void {
    weight -= kept.get(name)?.weight ?? 0;
    kept.delete(name);
  }

  function trim(): void {
    for (const name of kept.keys()) {
      if (weight <= most || kept.size === 1) return;
      forget(name);
    }
  }

  return async (key, atLeast) => {
    const name = `${key.kind} ${key.id}`;
    const promise = renewed(kept.get(name)?.promise, key, atLeast);
    const entry = { promise, weight: 1 };
    forget(name);
    kept.set(name, entry);
    weight += 1;
    try {
      const { value } = await promise;
      if (kept.get(name) === entry) {
        weight += weigh(value) - entry.weight;
        entry.weight = weigh(value);
      }
      trim();
      return value;
    } catch (error) {
      if (kept.get(name) === entry) forget(name);
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
