// Follows the settings of the site: what another process sets counts here as well, a little later.
import { type Reaction, type ReactionOptions, repeat } from '../../../reactions/repeat.ts';

interface SiteFollowerOptions extends Pick<ReactionOptions, 'log'> {
  readonly site: { look(): Promise<void> };
}

/** How much later at most. */
const LOOK_AFTER_MS = 2_000;

export const startSiteFollower = ({ site, log }: SiteFollowerOptions): Reaction =>
  repeat({
    pauseMs: LOOK_AFTER_MS,
    look: site.look,
    failed: (error) => log.error({ err: error }, 'reading the site settings failed; retrying'),
  });
