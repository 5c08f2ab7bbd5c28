import type { FastifyInstance } from 'fastify';

/** Lets an application listen, and begins at once what is made a moment afterwards. */
export async function listening(app: FastifyInstance): Promise<void> {
  const due: (() => void)[] = [];
  const { setTimeout: later } = globalThis;
  globalThis.setTimeout = ((work: () => void) => {
    due.push(work);
    return later(() => {}, 0);
  }) as typeof setTimeout; // Only what a warm-up uses of it.
  try {
    await app.listen({ port: 0, host: '127.0.0.1' });
  } finally {
    globalThis.setTimeout = later;
  }
  for (const work of due) work();
}
