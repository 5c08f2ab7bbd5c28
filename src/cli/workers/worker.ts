// What workers and the process that starts them tell each other, and the side of a worker: its number, its end, and the metrics of all.
import cluster from 'node:cluster';
import type { Measured, MetricsOfWorkers } from '../../observability/metrics.ts';

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

export interface Worker extends MetricsOfWorkers {
  /** Calls back when the process that started it asks. */
  on(kind: 'end' | 'reopen', handler: () => void): void;
}

/** What this process is as a worker of `serve --workers`; null if it was started by itself. */
export function thisWorker(): Worker | null {
  if (!cluster.isWorker) return null;
  // One that cannot listen ends by itself.
  process.channel?.unref();
  const waiting = new Map<number, (text: string | null) => void>();
  let questions = 0;
  // The channel carries only what the two sides of this room send.
  const listen = (take: (message: ToWorker) => void): void => void process.on('message', take);
  const tell = (message: FromWorker): void => void process.send?.(message);
  listen((message) => {
    if (message.kind !== 'metrics of all') return;
    waiting.get(message.question)?.(message.text);
    waiting.delete(message.question);
  });
  return {
    worker: Number(process.env[WORKER_NUMBER]),
    on(kind, handler) {
      listen((message) => {
        if (message.kind === kind) handler();
      });
    },
    answer(own) {
      listen((message) => {
        if (message.kind !== 'measure') return;
        // A worker that cannot tell is left out of the answer.
        void own().then(
          (metrics) => tell({ kind: 'measured', question: message.question, metrics }),
          () => {},
        );
      });
    },
    ofAll() {
      const question = ++questions;
      return new Promise((resolve, reject) => {
        waiting.set(question, (text) => {
          if (text === null) reject(new Error('collecting the metrics of the workers failed'));
          else resolve(text);
        });
        tell({ kind: 'metrics of all?', question });
      });
    },
  };
}
