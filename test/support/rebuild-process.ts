// `daybook rebuild` in a process of its own, over stores that the test names; see rebuilding.ts.
import { once } from 'node:events';
import { allProjections, fingerprintOf } from '../../projections/catalogue.ts';
import { rateLines } from '../../src/cli/rate-progress.ts';
import { type RebuildDependencies, rebuildCommand } from '../../src/cli/rebuild.ts';
import type { Progress } from '../../src/exchange/import/progress.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { countSqliteEvents } from '../../src/log/sqlite/maintenance.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { openRedisGenerations } from '../../src/read-model/redis/generations.ts';
import { openSqliteGenerations } from '../../src/read-model/sqlite/generations.ts';
import { NEW_YORK } from './given.ts';
import { perform } from './perform.ts';

export interface RebuildOrder {
  readonly log: string;
  /** A file, or `redis://…`. */
  readonly views: string;
  readonly args: readonly string[];
  /** `held`: behind its first batch of events it waits until its input ends. */
  readonly pace: 'at once' | 'held';
}

export const RENDERING = {
  siteZone: NEW_YORK,
  signBefore: '$',
  signAfter: '',
  freeLabel: 'Free',
} as const;

export const FINGERPRINT = fingerprintOf();

/** A busy machine may renew a claim a second late, and the next rebuild would begin beside the first. */
const CLAIM_EXPIRES_MS = 3_000;

/** Reads the first batch at once, and the others when its input has ended. */
function held(store: EventStore): EventStore {
  const ended = once(process.stdin.resume(), 'end');
  return {
    ...store,
    async *readByStream(asked) {
      for await (const events of store.readByStream(asked)) {
        yield events;
        await ended;
      }
    },
  };
}

/** Answers the exit code. `out` gets what it says, line by line; `signal` is Ctrl-C. */
export async function performRebuild(
  { log, views, args, pace }: RebuildOrder,
  out: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const opened = openSqliteEventStore({ file: log });
  const store = pace === 'held' ? held(opened) : opened;
  const projections = allProjections(RENDERING);
  const generations = views.startsWith('redis:')
    ? await openRedisGenerations({ url: views, fingerprint: FINGERPRINT, claimExpiresMs: CLAIM_EXPIRES_MS })
    : openSqliteGenerations({ file: views, fingerprint: FINGERPRINT });
  const lines = rateLines(out, () => performance.now());
  const progress: Progress = {
    ...lines,
    reach(done) {
      out(`at ${done}`);
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
    ...{ out, progress, signal },
  };
  try {
    return await perform(rebuildCommand, args, dependencies);
  } finally {
    await generations.close();
    await store.close();
  }
}

async function run(order: RebuildOrder): Promise<void> {
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  process.exitCode = await performRebuild(order, say, stopping.signal);
}

const [, , order] = process.argv;
if (order !== undefined && import.meta.filename === process.argv[1])
  run(JSON.parse(order) as RebuildOrder).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
