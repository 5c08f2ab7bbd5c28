// The thread of read models; see reading-thread.ts.
import { parentPort } from 'node:worker_threads';
import { ReadModelDamaged } from '../damage.ts';
import type { ReadModel } from '../read-model.ts';
import { openSqliteReadModel } from './open.ts';
import type { ThreadCall, ThreadReply } from './reading-thread.ts';

const models = new Map<number, ReadModel>();

async function answerTo({ model, options, method, args }: ThreadCall): Promise<unknown> {
  const readModel = models.get(model) ?? openSqliteReadModel(options);
  models.set(model, readModel);
  if (method === 'close') models.delete(model);
  // The other side sends what this method takes.
  return (readModel[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
}

async function replyTo(call: ThreadCall): Promise<ThreadReply> {
  const { id } = call;
  try {
    return { id, answer: await answerTo(call) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const damaged = error instanceof ReadModelDamaged ? error.place : null;
    return { id, failure: { name, message, damaged } };
  }
}

parentPort?.on('message', async (call: ThreadCall) => parentPort?.postMessage(await replyTo(call)));
