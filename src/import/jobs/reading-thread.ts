// The thread that reads a source for the service: parsing a large file would hold up all requests, and what a file makes
// of memory ends with the thread.
import { on } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { CostDisplay } from '../../domain/cost.ts';
import { shareOf } from '../../memory/limit.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import type { FetchValidators } from '../fetch-text.ts';
import type { RulesOfSeries } from '../formats/ical/ical-records.ts';
import type { ColumnUse, Mapping } from '../formats/table/mapping.ts';
import type { Fault, ImportPlan } from '../import-plan.ts';
import type { Merger } from '../import-summary.ts';
import type { ReadLimits } from '../read-source.ts';

/** What the thread is to read: plain data, so zones are given by name. */
export interface ReadingTask {
  /** A file or an address. */
  readonly source: string;
  /** Who owns the records of calendars; absent: the file by its name, or the address. */
  readonly owner?: string;
  /** The folder of an upload, which is not shown. */
  readonly folder: string | null;
  readonly limits: Omit<ReadLimits, 'answered'>;
  readonly rules: RulesOfSeries;
  readonly display: CostDisplay;
  readonly siteZone: string;
  readonly until: EpochSeconds;
  readonly ownOrigin: string | null;
  readonly now: EpochSeconds;
  readonly mapping: Mapping | null;
  /** How many resources are taken at most. */
  readonly resources: number;
}

/** A part of what was read. */
export interface ReadPortion {
  readonly plan?: Partial<ImportPlan>;
  readonly refused?: readonly Fault[];
  readonly notes?: readonly Fault[];
  readonly mergers?: readonly Merger[];
}

/** What is known once all of it was read. */
export interface ReadEnd {
  readonly records: number;
  readonly remarks: readonly string[];
  readonly columns: readonly ColumnUse[];
  /** There are more than a run takes. */
  readonly isTooMuch: boolean;
  /** What an address answered. */
  readonly answer: ReadAnswer;
}

/** Validators are those of a single page: of several, others may have changed. */
export interface ReadAnswer extends FetchValidators {
  /** Of all pages. */
  readonly hash: string;
}

/** Its messages. Portions are JSON: one text crosses between threads several times faster than its many objects. */
export type ReadingMessage =
  | { readonly reached: number }
  | { readonly portion: string }
  | { readonly end: ReadEnd }
  | { readonly failure: string };

const MEBIBYTE = 1_048_576;
/** The heap of the thread, in MiB. */
const HEAP = Math.floor(shareOf(512 * MEBIBYTE, 1 / 6) / MEBIBYTE);

const SCRIPT = new URL('./reading-worker.ts', import.meta.url);

/** The source makes more of memory, or takes longer, than is allowed. */
export class ReadingEnded extends Error {
  override readonly name = 'ReadingEnded';
}

/** What a source holds, in portions; another one is read when one was taken. Throws `ReadingEnded`. */
export async function* readInThread(
  task: ReadingTask,
  reach: (records: number) => void,
  signal: AbortSignal,
): AsyncGenerator<ReadPortion, ReadEnd> {
  const worker = new Worker(SCRIPT, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP },
  });
  const exit = new AbortController();
  const ended = (): void => exit.abort(new ReadingEnded('The thread that reads the source has ended.'));
  worker.once('error', ended).once('exit', ended);
  try {
    for await (const [message] of on(worker, 'message', { signal: AbortSignal.any([exit.signal, signal]) })) {
      const said = message as ReadingMessage; // As reading-worker.ts sends it.
      if ('reached' in said) reach(said.reached);
      else if ('end' in said) return said.end;
      else if ('failure' in said) throw new Error(said.failure);
      else {
        yield JSON.parse(said.portion) as ReadPortion; // Plain data, as the thread has made it.
        await nextTurn();
        worker.postMessage('taken');
      }
    }
  } catch (error) {
    throw signal.aborted || exit.signal.aborted ? new ReadingEnded('The reading was ended.', { cause: error }) : error;
  } finally {
    await worker.terminate();
  }
  throw new ReadingEnded('The thread that reads the source ended without a result.');
}
