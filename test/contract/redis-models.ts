// Read models over one server for a test file.

import type { ReadModel } from '../../src/read-model/read-model.ts';
import { openRedisReadModel, type RedisReadModel } from '../../src/read-model/redis/open.ts';
import { event, saved } from '../support/documents.ts';

/** What a piece of work complains about. */
export const complaint = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (found) => `no complaint but ${JSON.stringify(found)}`,
    (error: Error) => `${error.name}: ${error.message}`,
  );

/** Runs with read models that are closed afterwards. */
export async function withModels(
  server: { readonly port: number },
  run: (open: (fingerprint?: string, port?: number) => Promise<RedisReadModel>) => Promise<void>,
): Promise<void> {
  const opened: ReadModel[] = [];
  try {
    await run(async (fingerprint = 'test', port = server.port) => {
      const model = await openRedisReadModel({ url: `redis://127.0.0.1:${port}`, fingerprint });
      opened.push(model);
      return model;
    });
  } finally {
    for (const model of opened) await model.close();
  }
}

/** Changes that put so many events with a title. */
export const many = (count: number, title: string) =>
  Array.from({ length: count }, (_, at) => saved(event(at + 1, { title, startsAt: 10_000 + at, endsAt: 20_000 + at })));
