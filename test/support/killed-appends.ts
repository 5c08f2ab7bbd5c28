// `kill -9` at a chosen append, for drills over the event store that writes stream after stream.
import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { AppendFault, EventStoreDbServer } from './eventstoredb-server.ts';
import type { Serving } from './process.ts';

export interface KilledAppend {
  /** Counted from 1, from the request on. */
  readonly at: number;
  /** Whether it is written before the process ends. */
  readonly fault: AppendFault;
}

/** Sends it, and kills the process as soon as that append has arrived. No other process may append meanwhile. */
export async function killedAt(
  server: EventStoreDbServer,
  running: Serving,
  { at, fault }: KilledAppend,
  send: () => Promise<unknown>,
): Promise<void> {
  const before = server.counts.appends;
  server.appendFaults.push(...Array.from({ length: at - 1 }, (): AppendFault => 'none'), fault);
  const sent = send().catch(() => null);
  await until(() => server.counts.appends >= before + at, `append ${at} did not come`);
  await running.kill();
  await sent;
  server.appendFaults.splice(0);
}

const PATIENCE_MS = 60_000;

export async function until(isSo: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - begun < PATIENCE_MS, otherwise);
    await sleep(50);
  }
}
