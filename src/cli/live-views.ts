// The generation in use, for commands that read it if it exists.

import { generationsOf } from '../composition.ts';
import type { Config } from '../config.ts';
import { closing } from '../kernel/files/closing.ts';
import type { Position } from '../log/envelope.ts';
import type { Generation } from '../read-model/generations.ts';
import { ReadModelUnavailable } from '../read-model/read-model.ts';

/** `live` is null if no generation is in use, or if it is unavailable; then `unreachable` is called. */
export async function lookAtViews<Result>(
  config: Config,
  unreachable: (why: string) => void,
  work: (live: Generation | null) => Promise<Result>,
): Promise<Result> {
  const generations = await generationsOf(config).catch(absent(unreachable));
  return closing(generations, async () =>
    closing((await generations?.live().catch(absent(unreachable))) ?? null, work),
  );
}

const absent =
  (unreachable: (why: string) => void) =>
  (error: unknown): null => {
    if (!(error instanceof ReadModelUnavailable)) throw error;
    unreachable(error.message);
    return null;
  };

/**
 * The checkpoint of the read model in use; null if there is none, or if it is unavailable, which is reported to
 * `unreachable`.
 */
export const viewsStandAt = (config: Config, unreachable: (why: string) => void): Promise<Position | null> =>
  lookAtViews(config, unreachable, async (live) => (await live?.model.checkpoint()) ?? null);
