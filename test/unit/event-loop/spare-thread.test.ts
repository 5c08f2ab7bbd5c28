import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openThreads, type Threads } from '../../../src/kernel/event-loop/spare-thread.ts';

const MODULE = new URL('../../../src/kernel/event-loop/spare-thread.ts', import.meta.url).href;
/** Answers each message with the number of the thread. */
const SCRIPT = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (text) => {
      if (text === 'fail') throw new Error('failed');
      parentPort.postMessage(threadId);
    });`)}`,
);

async function work(worker: Worker): Promise<number> {
  worker.postMessage('work');
  const [thread] = await once(worker, 'message');
  return thread;
}

/** Does some work, keeps the thread and answers which it was. */
async function kept(threads: Threads): Promise<Worker> {
  const worker = threads.take();
  await work(worker);
  threads.keep(worker);
  return worker;
}

test('a thread that waits is taken for the next work', async () => {
  const threads = openThreads(SCRIPT);
  const first = threads.take();
  const thread = await work(first);
  threads.keep(first);
  const next = threads.take();
  assert.is(next, first);
  assert.is(await work(next), thread);
  await next.terminate();
});

test('work at the same time has a thread each, of which one waits afterwards and the other ends', async () => {
  const threads = openThreads(SCRIPT);
  const [one, other] = [threads.take(), threads.take()];
  assert.is.not(await work(one), await work(other));
  const ended = once(other, 'exit');
  threads.keep(one);
  threads.keep(other);
  await ended;
  assert.is(threads.take(), one);
  await one.terminate();
});

test('a thread that has ended by itself is not taken again', async () => {
  const threads = openThreads(SCRIPT);
  const first = threads.take();
  await work(first);
  await first.terminate();
  threads.keep(first);
  const next = threads.take();
  assert.is.not(next, first);
  assert.type(await work(next), 'number');
  await next.terminate();
});

test('a thread that waits for nothing ends', async () => {
  const threads = openThreads(SCRIPT, {}, 1);
  const worker = threads.take();
  await work(worker);
  const ended = once(worker, 'exit');
  threads.keep(worker);
  await ended;
  const next = threads.take();
  assert.is.not(next, worker);
  await next.terminate();
});

test('a thread that fails while it waits is not taken, and ends no process', async () => {
  const threads = openThreads(SCRIPT);
  const worker = await kept(threads);
  const ended = Promise.withResolvers<number>();
  worker.once('exit', ended.resolve);
  worker.postMessage('fail');
  await ended.promise;
  const next = threads.take();
  assert.is.not(next, worker);
  await next.terminate();
});

test('a thread that waits does not keep the process alive', async () => {
  const script = `
    const { openThreads } = await import(${JSON.stringify(MODULE)});
    const threads = openThreads(new URL(${JSON.stringify(SCRIPT.href)}), {}, 3_600_000);
    const worker = threads.take();
    worker.once('message', () => threads.keep(worker));
    worker.postMessage('work');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  const [code] = await once(child, 'exit');
  assert.is(code, 0);
});

test('a thread that works again is not ended because it has waited', async () => {
  const threads = openThreads(SCRIPT, {}, 1);
  const worker = await kept(threads);
  assert.is(threads.take(), worker);
  // The time of another one, which begins later, is over.
  const other = threads.take();
  await work(other);
  const ended = once(other, 'exit');
  threads.keep(other);
  await ended;
  assert.type(await work(worker), 'number');
  await worker.terminate();
});

test.run();
