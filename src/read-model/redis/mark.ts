// Marks of stores in Redis. That of the read model is beside all generations, of which each build has its own.
import { ReadModelUnavailable } from '../read-model.ts';
import { connectWriter } from './connections.ts';
import type { Writer } from './writer.ts';

const DEADLINE_MS = 2_000;

/** The mark at a key. Connects for each call. Rejects with `ReadModelUnavailable`. */
export function redisMark(url: string, key: string) {
  async function connected<Answer>(work: (writer: Writer) => Promise<Answer>): Promise<Answer> {
    const writer = await connectWriter({ url, deadlineMs: DEADLINE_MS });
    try {
      return await work(writer);
    } finally {
      writer.close();
    }
  }
  return {
    read: (): Promise<string | null> =>
      connected((writer) => writer.with(key, (redis) => redis.get(key))).catch((error: unknown) => {
        // Opening the store itself says why it is out of reach.
        if (error instanceof ReadModelUnavailable) return null;
        throw error;
      }),
    write: async (text: string): Promise<void> => {
      await connected((writer) => writer.with(key, (redis) => redis.set(key, text)));
    },
  };
}
