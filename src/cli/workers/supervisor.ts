// `daybook serve --workers N`: starts N processes that listen at one port (node:cluster), starts another one in the place of
// one that ends, and ends them together. It opens no store itself.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { AggregatorRegistry } from 'prom-client';
import { heapOptions, PROCESSES } from '../../kernel/memory/limit.ts';
import type { Log } from '../../observability/log.ts';
import type { Measured } from '../../observability/metrics.ts';
import { type FromWorker, type ToWorker, WORKER_NUMBER } from './worker.ts';

interface Supervised {
  readonly workers: number;
  /** How long workers may take to end, in milliseconds. */
  readonly graceMs: number;
  readonly log: Pick<Log, 'error' | 'warn'>;
}

/** Between the end of a worker and the start of the next one in its place: doubled each time, up to the limit. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** A worker that has listened for so long was well. */
const WELL_AFTER_MS = 60_000;
/** How long the answer of a worker about its metrics is waited for. */
const ANSWER_MS = 2_000;

/**
 * Returns the exit code once all workers have ended. The first worker creates what is missing and fills the read model;
 * the others start when it listens. If it cannot, it has said why, and the code is 1.
 */
export async function superviseWorkers({ workers, graceMs, log }: Supervised): Promise<0 | 1> {
  const ending = new AbortController();
  const slots: Promise<unknown>[] = [];
  closeWithGrace({ delay: graceMs, skip: ['beforeExit', 'SIGHUP'] }, async ({ err }) => {
    if (err) log.error({ err }, 'unhandled error; exiting');
    ending.abort();
    tellAll({ kind: 'end' });
    await Promise.all(slots);
  });
  process.on('SIGHUP', () => tellAll({ kind: 'reopen' }));
  answerForMetrics(log);

  // Each has its part of the container's memory.
  process.env[PROCESSES] = String(workers);
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...heapOptions()] });
  const first = start(1);
  const failed = codeOf(first).then((code) => code !== 0);
  if (await Promise.race([once(first, 'listening').then(() => false), failed])) return 1;
  const keep = (number: number, worker: Worker) => keepAlive({ number, worker, log, ending: ending.signal });
  slots.push(keep(1, first));
  for (let number = 2; number <= workers && !ending.signal.aborted; number++) slots.push(keep(number, start(number)));
  await Promise.all(slots);
  return 0;
}

const start = (number: number): Worker => cluster.fork({ [WORKER_NUMBER]: String(number) });

/** Its exit code, once it has ended; of one that a signal ended 1. */
const codeOf = (worker: Worker): Promise<number> => once(worker, 'exit').then(([code]) => (code === null ? 1 : code));

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}

const running = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

function tellAll(message: ToWorker): void {
  for (const worker of running()) tell(worker, message);
}

interface Place {
  readonly number: number;
  readonly worker: Worker;
  readonly log: Supervised['log'];
  readonly ending: AbortSignal;
}

/** Starts another worker in the place of one that has ended, until `ending`. Returns once the last one has. */
async function keepAlive({ number, worker: first, log, ending }: Place): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  for (let worker = first; ; worker = start(number)) {
    const begun = performance.now();
    const code = await codeOf(worker);
    if (ending.aborted) return;
    if (performance.now() - begun > WELL_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
    log.error({ worker: number, pid: worker.process.pid, code }, 'worker exited; starting another');
    await pause(pauseMs, undefined, { signal: ending }).catch(() => {});
    if (ending.aborted) return;
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  }
}

/** Any worker may be asked for metrics: it asks here, and here all are asked. */
function answerForMetrics(log: Supervised['log']): void {
  const open = new Map<number, (metrics: Measured) => void>();
  let questions = 0;

  async function ofAll(): Promise<string> {
    const question = ++questions;
    const connected = running().filter((worker) => worker.isConnected());
    const answers: Measured[] = [];
    const answered = new Promise<void>((resolve) => {
      open.set(question, (metrics) => {
        if (answers.push(metrics) === connected.length) resolve();
      });
    });
    for (const worker of connected) tell(worker, { kind: 'measure', question });
    const patience = new AbortController();
    await Promise.race([answered, pause(ANSWER_MS, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
    open.delete(question);
    return AggregatorRegistry.aggregate(answers).metrics();
  }

  cluster.on('message', (worker, message: FromWorker) => {
    if (message.kind === 'measured') return open.get(message.question)?.(message.metrics);
    const answer = (text: string | null) => tell(worker, { kind: 'metrics of all', question: message.question, text });
    void ofAll().then(answer, (error: unknown) => {
      log.error({ err: error }, 'collecting the metrics of the workers failed');
      answer(null);
    });
  });
}
