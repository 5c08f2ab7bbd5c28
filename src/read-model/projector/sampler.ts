// Looks through the read model in use beside the work, again and again: compares each document with its checksum, its row, its
// names and the list index of this process, and some with what the log gives. What differs is told, and folded anew, alone. Answers notice damage only where they
// read; without this, the rest would stay as it is until `daybook verify`.
// decision 10

import { setTimeout as sleep } from 'node:timers/promises';
import { changesOfAll, keptOf, wholeStream } from '../../../projections/changes.ts';
import { type AnyProjection, withSkips } from '../../../projections/projection.ts';
import { closing } from '../../kernel/files/closing.ts';
import type { StreamReader } from '../../log/event-store.ts';
import { fetchReadable, ReadModelDamaged } from '../damage.ts';
import { type Document, type DocumentKey, parkedResource } from '../documents.ts';
import type { Generation, Generations } from '../generations.ts';
import type { IndexedModel } from '../indexed-model.ts';
import { type Row, rowOf, unpackRow } from '../list-index/rows.ts';
import type { ReadModel } from '../read-model.ts';
import { canonical } from './compare.ts';
import { readControl } from './control.ts';

/** A document, and what is not as it was written, or not as the document or the log says. */
export interface Difference {
  readonly key: DocumentKey;
  readonly part: 'document' | 'row' | 'name' | 'index' | 'log';
}

export interface Sampled {
  /** Documents that were compared since the start. */
  readonly compared: number;
  readonly different: number;
  readonly last: Difference | null;
}

interface SamplerOptions {
  readonly store: StreamReader;
  readonly openGenerations: () => Promise<Generations>;
  /** As the projector has it: what differs is replaced there. */
  readonly readModel: ReadModel;
  /** The index of this process, if it shows this state; absent: it has none. */
  readonly indexAt?: IndexedModel['indexAt'];
  /** Without skips: these are read from the log. */
  readonly projections: readonly AnyProjection[];
  /** Another process does it. */
  readonly isIdle: () => boolean;
  readonly log: { warn(details: object, message: string): void; error(details: object, message: string): void };
  /** Milliseconds between two portions, and between two passes. */
  readonly pauseMs?: number;
  readonly restMs?: number;
}

export interface Sampler {
  sample(): Sampled;
  stop(): Promise<void>;
}

/**
 * 100,000 documents in less than ten minutes. On a loaded machine (load 32 to 34) a document took 177 µs of processor time in
 * portions of 20, 117 to 130 in these, 61 without pauses: waking up costs as much as comparing.
 */
const PORTION = 100;
const PAUSE_MS = 550;
const REST_MS = 30_000;
/** The read model may change while it is read. */
const ATTEMPTS = 3;

export function startSampler(options: SamplerOptions): Sampler {
  const { openGenerations, isIdle, log, pauseMs = PAUSE_MS, restMs = REST_MS } = options;
  const ending = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal, ref: false }).catch(() => {});
  let sampled: Sampled = { compared: 0, different: 0, last: null };

  async function pass(live: Generation): Promise<void> {
    const projections = withSkips(options.projections, (await readControl(options.store)).skips);
    for await (const keys of live.keys())
      for (let from = 0; from < keys.length; from += PORTION) {
        await pause(pauseMs);
        if (ending.signal.aborted || isIdle()) return;
        await look(live, projections, keys.slice(from, from + PORTION));
      }
  }

  async function look(live: Generation, projections: readonly AnyProjection[], keys: readonly DocumentKey[]) {
    // Folding it takes as long as comparing ten others with what is kept.
    const withLog = keys[Math.floor(Math.random() * keys.length)];
    const differences = await differencesIn({ ...options, live, projections }, keys, withLog);
    sampled = { ...sampled, compared: sampled.compared + keys.length };
    for (const { key, part } of differences) {
      sampled = { ...sampled, different: sampled.different + 1, last: { key, part } };
      log.error({ ...key, part }, 'read model differs from the log; its resource is folded anew');
      await replayOne({ ...options, projections }, key);
    }
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      await pause(restMs);
      if (ending.signal.aborted || isIdle()) continue;
      await closing(await openGenerations(), async (generations) =>
        closing(await generations.live(), async (live) => {
          if (live) await pass(live);
        }),
      );
    }
  }

  async function again(): Promise<void> {
    while (!ending.signal.aborted)
      await run().catch((error: unknown) => log.warn({ err: error }, 'sampling of the read model failed; retrying'));
  }

  const running = again();
  return {
    sample: () => sampled,
    async stop() {
      ending.abort();
      await running;
    },
  };
}

interface Sources extends Pick<SamplerOptions, 'store' | 'readModel' | 'projections' | 'indexAt'> {
  readonly live: Generation;
}

/** What differs among some documents, one of which is compared with the log; nothing if they keep changing. */
export async function differencesIn(
  { live, store, projections, indexAt }: Omit<Sources, 'readModel'>,
  keys: readonly DocumentKey[],
  withLog?: DocumentKey,
): Promise<readonly Difference[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const version = await live.storage.version();
    const documents = await fetchReadable(live.model, keys);
    const sound = documents.filter((document) => document !== null && document !== 'damaged');
    const beside = await live.beside(sound);
    const differences = keys.flatMap((key, index): Difference[] =>
      documents[index] === 'damaged' ? [{ key, part: 'document' }] : [],
    );
    const rows: Row[] = [];
    for (const [index, document] of sound.entries()) {
      const { row: packed = null, hasNames = false } = beside[index] ?? {};
      const row = packed && rowIn(document, packed);
      if (row === null ? rowOf(document) !== null : row?.revision !== document.revision)
        differences.push({ key: document, part: 'row' });
      else if (!hasNames) differences.push({ key: document, part: 'name' });
      if (row) rows.push(row);
    }
    const one = withLog && (sound.find(({ kind, id }) => kind === withLog.kind && id === withLog.id) ?? null);
    const projection = one && projections.find(({ kind }) => kind === one.kind);
    if (
      one &&
      projection &&
      !(await isAsLogSays(one, await wholeStream(store, { key: one, projection }, version.checkpoint)))
    )
      differences.push({ key: one, part: 'log' });
    const after = await live.storage.version();
    if (after.life !== version.life || after.batch !== version.batch) continue;
    const index = indexAt?.(after);
    for (const row of rows) if (index && !index.shows(row)) differences.push({ key: row, part: 'index' });
    return differences.map(({ key: { kind, id }, part }) => ({ key: { kind, id }, part }));
  }
  return [];
}

/** By its checksum; undefined: it is damaged. Making each row anew took 40 µs more. */
function rowIn(document: Document, packed: Uint8Array): Row | undefined {
  try {
    return unpackRow(document, packed);
  } catch (error) {
    if (error instanceof ReadModelDamaged) return undefined;
    throw error;
  }
}

const isAsLogSays = async (document: Document, stream: Parameters<typeof keptOf>[0]): Promise<boolean> =>
  canonical(keptOf(stream, null).document).toWellFormed() === canonical(document).toWellFormed();

/** Replaces what is kept of one resource by what the log gives. Another writer at the same time is harmless. */
async function replayOne({ store, readModel, projections }: Omit<Sources, 'live'>, one: DocumentKey): Promise<void> {
  const key = one.kind === 'parked' ? parkedResource(one) : one;
  const projection = projections.find(({ kind }) => kind === key.kind);
  if (!projection) return;
  const { checkpoint: after, mark } = await readModel.progress();
  const changes = changesOfAll(await wholeStream(store, { key, projection }, after));
  await readModel.apply({ after, upTo: after, mark, changes });
}
