// `daybook rebuild` in a process of its own, over stores that the test names; see rebuilding.ts.
import { allProjections, fingerprintOf } from '../../projections/catalogue.ts';
import { rateLines } from '../../src/cli/rate-progress.ts';
import { type RebuildDependencies, rebuildCommand } from '../../src/cli/rebuild.ts';
import { countSqliteEvents } from '../../src/event-store/sqlite/maintenance.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/store.ts';
import type { Progress } from '../../src/import/progress.ts';
import { openRedisGenerations } from '../../src/read-model/redis/generations.ts';
import { openSqliteGenerations } from '../../src/read-model/sqlite/generations.ts';
import { NEW_YORK } from './given.ts';
import { perform } from './perform.ts';

export interface RebuildOrder {
  readonly log: string;
  /** A file, or `redis://…`. */
  readonly views: string;
  readonly args: readonly string[];
  /** Milliseconds for which it stands still after each batch of events. */
  readonly pauseMs: number;
}

export const RENDERING = {
  siteZone: NEW_YORK,
  defaultSymbol: '$',
  defaultPosition: 'prefix',
  freeLabel: 'Free',
} as const;

export const FINGERPRINT = fingerprintOf(RENDERING);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function run({ log, views, args, pauseMs }: RebuildOrder): Promise<void> {
  const store = openSqliteEventStore({ file: log });
  const projections = allProjections(RENDERING);
  const generations = views.startsWith('redis:')
    ? await openRedisGenerations({ url: views, fingerprint: FINGERPRINT, claimExpiresMs: 1_000 })
    : openSqliteGenerations({ file: views, fingerprint: FINGERPRINT });
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  const lines = rateLines(say, () => performance.now());
  const slow: Progress = {
    ...lines,
    reach(done) {
      say(`at ${done}`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      lines.reach(done);
    },
  };
  const dependencies: RebuildDependencies = {
    store,
    generations,
    projections,
    countEvents: async () =>
      countSqliteEvents(
        log,
        projections.map(({ prefix }) => prefix),
      ),
    elapsed: () => performance.now(),
    out: say,
    progress: slow,
    signal: stopping.signal,
  };
  try {
    process.exitCode = await perform(rebuildCommand, args, dependencies);
  } finally {
    await generations.close();
    await store.close();
  }
}

const [, , order] = process.argv;
if (order !== undefined && import.meta.filename === process.argv[1])
  run(JSON.parse(order) as RebuildOrder).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
