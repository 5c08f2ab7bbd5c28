// The generation in use, for commands that read it if it exists.
import { generationsOf } from '../composition.ts';
import type { Config } from '../config.ts';
import type { Position } from '../event-store/envelope.ts';
import { configuredLanguage } from '../locales/languages.ts';
import type { Generation } from '../read-model/generations.ts';
import { ReadModelUnavailable } from '../read-model/read-model.ts';
import type { RenderingSettings } from '../rendering/post-fragment.ts';
import { renderingSettings } from '../rendering/post-fragment.ts';

/** `live` is null if no generation is in use, or if it is unavailable; then `unreachable` is called. */
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

/** Which generation is in use does not depend on what the log says of the site. */
const siteOf = (config: Config) => ({ zone: config.siteZone, language: configuredLanguage(config) });

/**
 * The checkpoint of the read model in use; null if there is none, or if it is unavailable, which is reported to
 * `unreachable`.
 */
export const viewsStandAt = (config: Config, unreachable: (why: string) => void): Promise<Position | null> =>
  lookAtViews(
    config,
    renderingSettings(siteOf(config)),
    unreachable,
    async (live) => (await live?.model.checkpoint()) ?? null,
  );
