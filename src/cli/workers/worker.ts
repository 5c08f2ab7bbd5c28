// The side of a worker: its number, its end, and the metrics of all.
import cluster from 'node:cluster';
import type { MetricsOfWorkers } from '../../observability/metrics.ts';
import { type FromWorker, type ToWorker, WORKER_NUMBER } from './messages.ts';

export interface Worker extends MetricsOfWorkers {
  /** Calls back when the process that started it asks. */
  on(kind: 'end' | 'reopen', asked: () => void): void;
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
    on(kind, asked) {
      listen((message) => {
        if (message.kind === kind) asked();
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
