// How often something was done by each of many in the time that runs, in bounded memory.

/** One count, from the first time on until the window ends. */
export interface Window {
  count: number;
  /** By the clock that the windows were opened with. */
  readonly endsAt: number;
}

export interface Windows {
  /** Counts one more time for `key`, in the window that this is of. */
  take(key: string): Window;
  /** The window of `key` as it is; null when nothing was counted in it. */
  look(key: string): Window | null;
  /** Milliseconds until `window` ends. */
  left(window: Window): number;
}

export interface WindowOptions {
  /** Milliseconds of a clock that never goes back; only differences count. */
  readonly elapsed: () => number;
  readonly lengthMs: number;
  /** Keys that are remembered; what was counted least lately is forgotten first. */
  readonly mostKeys: number;
}

export function openWindows({ elapsed, lengthMs, mostKeys }: WindowOptions): Windows {
  const windows = new Map<string, Window>();

  function look(key: string): Window | null {
    const window = windows.get(key);
    return window && window.endsAt > elapsed() ? window : null;
  }

  return {
    take(key) {
      const window = look(key) ?? { count: 0, endsAt: elapsed() + lengthMs };
      window.count += 1;
      windows.delete(key);
      windows.set(key, window);
      const [oldest] = windows.keys();
      if (windows.size > mostKeys && oldest !== undefined) windows.delete(oldest);
      return window;
    },
    look,
    left: ({ endsAt }) => endsAt - elapsed(),
  };
}
