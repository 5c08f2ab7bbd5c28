// A server that begins to throw keys away while it is used: what is left would be served as if it were all. The policy is
// looked at whenever the read model is judged, and whether anything was thrown away since the last time.
import type { Redis } from 'ioredis';
import { connectRedis } from '../../kernel/redis/connect.ts';
import type { ReadModel } from '../read-model.ts';
import { isClusterAddress } from './cluster-address.ts';
import { readModelFailure, shownAddress } from './failures.ts';
import { checkServer } from './server.ts';

const DEADLINE_MS = 2_000;

interface Judged {
  readonly forProjector: ReadModel;
  close(): Promise<void>;
}

/**
 * The same read model, which is judged (`forProjector.progress`) to be unavailable while its server may throw keys away, and is
 * distrusted once it has. Nodes of a cluster are looked at when they are connected to.
 */
export function withoutEviction<Model extends Judged>(model: Model, url: string): Model {
  if (isClusterAddress(url)) return model;
  const { forProjector } = model;
  const address = shownAddress(url);
  let connection: Promise<Redis> | null = null;
  let evicted: number | null = null;

  function connected(): Promise<Redis> {
    connection ??= connectRedis({ url, deadlineMs: DEADLINE_MS }).catch((error: unknown) => {
      connection = null;
      throw error;
    });
    return connection;
  }

  async function assertComplete(): Promise<void> {
    const info = await connected()
      .then((redis) => redis.info('memory', 'stats'))
      .catch((error: unknown) => {
        throw readModelFailure(address, error);
      });
    const previous = evicted;
    evicted = Number(/^evicted_keys:(\d+)/m.exec(info)?.[1] ?? 0);
    if (previous !== null && evicted > previous) await forProjector.distrust();
    checkServer(info, address);
  }

  return {
    ...model,
    forProjector: {
      ...forProjector,
      async progress() {
        await assertComplete();
        return forProjector.progress();
      },
    },
    async close() {
      await connection?.then((redis) => redis.disconnect()).catch(() => {});
      await model.close();
    },
  };
}
