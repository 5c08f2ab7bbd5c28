// Counters per key in a running time window, in bounded memory.
import { LRUCache } from 'lru-cache';

/** One count, from the first event until the window ends. */
export interface Window {
  count: number;
  /** By the clock that the windows were created with. */
  readonly endsAt: number;
}

export type Windows = ReturnType<typeof openWindows>;

interface WindowOptions {
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
  readonly lengthMs: number;
  /** Limit of keys; the least recently counted one is dropped first. */
  readonly maxKeys: number;
}

export function openWindows({ elapsed, lengthMs, maxKeys }: WindowOptions) {
  // Not `max`: that allocates room for all of them at once, in every process that starts.
  const windows = new LRUCache<string, Window>({ maxSize: maxKeys, sizeCalculation: () => 1 });

  function look(key: string): Window | null {
    const window = windows.peek(key);
    return window && window.endsAt > elapsed() ? window : null;
  }

  return {
    /** Counts one more for `key`, in the window of this event. */
    take(key: string): Window {
      const window = look(key) ?? { count: 0, endsAt: elapsed() + lengthMs };
      window.count += 1;
      windows.set(key, window);
      return window;
    },
    /** The window of `key`; null if nothing was counted in it. */
    look,
    /** Milliseconds until `window` ends. */
    left: ({ endsAt }: Window) => endsAt - elapsed(),
  };
}
