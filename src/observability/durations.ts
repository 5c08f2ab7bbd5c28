// How often something took how long, counted as it happens: appends by what came of them, and answered requests by route.

/** Durations with the same labels. */
export interface Durations {
  readonly labels: { readonly [label: string]: string | number };
  /** One per bound: what took at most that long, and longer than the bound before. */
  readonly buckets: readonly number[];
  readonly count: number;
  /** Seconds. */
  readonly sum: number;
}

export interface Tally {
  /** Seconds. */
  readonly bounds: readonly number[];
  /** `key`: says the same as the labels. */
  add(key: string, labels: Durations['labels'], seconds: number): void;
  read(): Durations[];
}

function createTally(bounds: readonly number[]): Tally {
  const tallies = new Map<string, { labels: Durations['labels']; buckets: number[]; count: number; sum: number }>();
  return {
    bounds,
    add(key, labels, seconds) {
      const tally = tallies.get(key) ?? { labels, buckets: bounds.map(() => 0), count: 0, sum: 0 };
      tallies.set(key, tally);
      const bucket = bounds.findIndex((bound) => seconds <= bound);
      if (bucket !== -1) tally.buckets[bucket] = (tally.buckets[bucket] ?? 0) + 1;
      tally.count += 1;
      tally.sum += seconds;
    },
    read: () => [...tallies.values()],
  };
}

/** From an append to a file on a fast disk to one that a distant cluster has to acknowledge. */
export const tallyAppends = (): Tally =>
  createTally([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]);

export interface RequestTally extends Pick<Tally, 'bounds' | 'read'> {
  /** Counts an answer. `route`: one of few, never an address. */
  add(route: string, method: string, status: number, milliseconds: number): void;
}

/** Clients may send any method; unknown ones are counted as one. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function tallyRequests(): RequestTally {
  const { add, ...rest } = createTally([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]);
  return {
    ...rest,
    add(route, requestMethod, answered, milliseconds) {
      const method = METHODS.has(requestMethod) ? requestMethod : 'other';
      const status = answered >= 100 && answered < 600 ? answered : 0;
      add(`${status} ${method} ${route}`, { route, method, status }, milliseconds / 1000);
    },
  };
}

/** Joins the statuses of a class: `2xx`, `4xx`, … */
export function byClass(tallied: readonly Durations[]): Durations[] {
  const classes = new Map<string, Durations>();
  for (const { labels, buckets, count, sum } of tallied) {
    const ofClass = { ...labels, status: `${Math.floor(Number(labels.status) / 100)}xx` };
    const key = Object.values(ofClass).join(' ');
    const existing = classes.get(key);
    classes.set(key, {
      labels: ofClass,
      buckets: buckets.map((inBucket, index) => inBucket + (existing?.buckets[index] ?? 0)),
      count: count + (existing?.count ?? 0),
      sum: sum + (existing?.sum ?? 0),
    });
  }
  return [...classes.values()];
}
