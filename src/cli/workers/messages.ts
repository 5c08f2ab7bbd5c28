// What the process that starts workers and its workers tell each other.
import type { Measured } from '../../observability/metrics.ts';

/** To a worker. `end`: shut down. `measure`: tell your metrics. `reopen`: open the access log again. */
export type ToWorker =
  | { readonly kind: 'end' }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'measure'; readonly question: number }
  /** Null: collecting them failed. */
  | { readonly kind: 'metrics of all'; readonly question: number; readonly text: string | null };

/** From a worker. */
export type FromWorker =
  | { readonly kind: 'metrics of all?'; readonly question: number }
  | { readonly kind: 'measured'; readonly question: number; readonly metrics: Measured };

/** The variable by which a worker knows its number. */
export const WORKER_NUMBER = 'DAYBOOK_WORKER';
