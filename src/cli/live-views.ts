// The generation of views in use, for commands that look at it if it is there.
import { generationsOf, renderingSettings } from '../composition.ts';
import type { Config } from '../config.ts';
import type { Position } from '../event-store/envelope.ts';
import type { Generation } from '../read-model/generations.ts';
import { ReadModelUnavailable } from '../read-model/read-model.ts';
import type { RenderingSettings } from '../rendering/settings.ts';

/**
 * `live` is null when no generation is in use, or when it cannot be reached; then `unreachable` is called.
 */
export async function lookAtViews<Result>(
  config: Config,
  rendering: RenderingSettings,
  unreachable: (why: string) => void,
  work: (live: Generation | null) => Promise<Result>,
): Promise<Result> {
  const generations = await generationsOf(config, rendering).catch(absent(unreachable));
  const live = (await generations?.live().catch(absent(unreachable))) ?? null;
  try {
    return await work(live);
  } finally {
    await live?.close();
    await generations?.close();
  }
}

const absent =
  (unreachable: (why: string) => void) =>
  (error: unknown): null => {
    if (!(error instanceof ReadModelUnavailable)) throw error;
    unreachable(error.message);
    return null;
  };

/** Where the views in use stand; null when there are none, or when they cannot be reached, which `unreachable` is told. */
export const viewsStandAt = (config: Config, unreachable: (why: string) => void): Promise<Position | null> =>
  lookAtViews(config, renderingSettings(config), unreachable, async (live) => (await live?.model.checkpoint()) ?? null);
