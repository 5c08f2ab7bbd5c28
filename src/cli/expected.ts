// Failures that people can mend; all others are faults of ours.
import { ProjectionError } from '../../projections/fold.ts';
import { ConfigError } from '../config.ts';
import { EventStoreUnavailable } from '../event-store/event-store.ts';
import { ReadModelUnavailable } from '../read-model/read-model.ts';
import { UsageError } from './usage-error.ts';

/** Its message says, in one line, what is wrong and what to do. */
export const isExpected = (error: unknown): error is Error =>
  error instanceof UsageError ||
  error instanceof ConfigError ||
  error instanceof EventStoreUnavailable ||
  error instanceof ReadModelUnavailable ||
  error instanceof ProjectionError;
