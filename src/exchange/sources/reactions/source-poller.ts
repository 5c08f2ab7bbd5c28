// Polls sources that are due. Runs in every process that answers requests, without coordination: the log accepts the beginning
// of a poll once.
// decision 25
import { type Reaction, type ReactionOptions, repeat } from '../../../reactions/repeat.ts';

interface SourcePollerOptions extends Pick<ReactionOptions, 'log'> {
  /** Compares the clock with when each source is due. */
  readonly pollDue: (ending: AbortSignal) => Promise<void>;
}

const LOOK_AFTER_MS = 1_000;

export const startSourcePoller = ({ pollDue, log }: SourcePollerOptions): Reaction =>
  repeat({
    pauseMs: LOOK_AFTER_MS,
    look: pollDue,
    failed: (error) => log.error({ err: error }, 'polling sources failed; retrying'),
  });
