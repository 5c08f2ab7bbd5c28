// Answered requests by route, counted in plain arrays at every request; labels are only built when metrics are read.

interface RequestCount {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly count: number;
}

interface DurationCount {
  readonly route: string;
  readonly method: string;
  /** `2xx`, `4xx`, … */
  readonly statusClass: string;
  /** One per bound of `DURATION_BOUNDS`: requests that took at most that long, and longer than the bound before. */
  readonly buckets: readonly number[];
  readonly count: number;
  /** Seconds. */
  readonly sum: number;
}

export interface RequestTally {
  /** Counts an answer. `route`: one of few, never an address. */
  add(route: string, method: string, status: number, milliseconds: number): void;
  requests(): RequestCount[];
  durations(): DurationCount[];
}

/** Seconds. */
export const DURATION_BOUNDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

const BOUNDS_MS = DURATION_BOUNDS.map((seconds) => seconds * 1000);

/** Clients may send any method; unknown ones are counted as one. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'];
const OTHER = METHODS.length - 1;
const INDEX_OF: ReadonlyMap<string, number> = new Map(METHODS.map((method, index) => [method, index]));

const STATUSES = 600;
const CLASSES = 6;
/** Buckets, then those beyond all bounds, then the sum of milliseconds. */
const WIDTH = BOUNDS_MS.length + 2;
const SUM = WIDTH - 1;

export function createRequestTally(): RequestTally {
  const routes = new Map<string, RouteTally>();

  function tallyOf(route: string): RouteTally {
    const begun = routes.get(route);
    if (begun) return begun;
    const tally = createRouteTally(route);
    routes.set(route, tally);
    return tally;
  }

  return {
    add: (route, method, status, milliseconds) => tallyOf(route).add(method, status, milliseconds),
    requests: () => [...routes.values()].flatMap((tally) => tally.requests()),
    durations: () => [...routes.values()].flatMap((tally) => tally.durations()),
  };
}

interface RouteTally {
  add(method: string, status: number, milliseconds: number): void;
  requests(): RequestCount[];
  durations(): DurationCount[];
}

function createRouteTally(route: string): RouteTally {
  /** By method and status. */
  const statuses = new Map<number, number>();
  // Doubles: they count exactly for longer than any process lives, while 32 bits would last a day of full load.
  const durations = new Float64Array(METHODS.length * CLASSES * WIDTH);

  const bump = (index: number, by: number): void => {
    durations[index] = (durations[index] ?? 0) + by;
  };

  function durationOf(index: number): DurationCount {
    const cells = [...durations.subarray(index * WIDTH, (index + 1) * WIDTH)];
    const taken = cells.slice(0, SUM);
    return {
      route,
      method: METHODS[Math.floor(index / CLASSES)] ?? 'other',
      statusClass: `${index % CLASSES}xx`,
      buckets: taken.slice(0, -1),
      count: taken.reduce((sum, count) => sum + count, 0),
      sum: (cells[SUM] ?? 0) / 1000,
    };
  }

  return {
    add(method, status, milliseconds) {
      const which = INDEX_OF.get(method) ?? OTHER;
      const code = status >= 100 && status < STATUSES ? status : 0;
      const place = which * STATUSES + code;
      statuses.set(place, (statuses.get(place) ?? 0) + 1);
      const row = (which * CLASSES + Math.floor(code / 100)) * WIDTH;
      let bucket = 0;
      while (bucket < BOUNDS_MS.length && milliseconds > (BOUNDS_MS[bucket] ?? 0)) bucket += 1;
      bump(row + bucket, 1);
      bump(row + SUM, milliseconds);
    },
    requests: () =>
      [...statuses]
        .sort(([one], [other]) => one - other)
        .map(([place, count]) => ({
          route,
          method: METHODS[Math.floor(place / STATUSES)] ?? 'other',
          status: place % STATUSES,
          count,
        })),
    durations: () =>
      Array.from({ length: METHODS.length * CLASSES }, (_, index) => durationOf(index)).filter(
        ({ count }) => count > 0,
      ),
  };
}
