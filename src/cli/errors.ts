// Failures that users can fix; all others are bugs.
import { ConfigError } from '../config.ts';
import { Interrupted, Unusable } from '../exchange/export/unusable.ts';
import { ApiError } from '../http/errors.ts';
import { EventStoreUnavailable } from '../log/event-store.ts';
import { ReadModelUnavailable } from '../read-model/read-model.ts';

/** Its message is printed as it is, without a stack. Exit code 2: invalid arguments; 1: the request is not possible. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }

  /** With the name of the command in front. */
  of(command: string): UsageError {
    return new UsageError(`${command}: ${this.message}`, this.exitCode);
  }
}

/** What a command refuses, or the API in its place; null for all else. */
export function asUsageError(error: unknown): UsageError | null {
  if (error instanceof UsageError) return error;
  if (!(error instanceof ApiError)) return null;
  return new UsageError(Object.values(error.data.params ?? {}).join(' ') || error.message);
}

/** Its message says, in one line, what is wrong and what to do. */
export const isExpected = (error: unknown): error is Error =>
  error instanceof UsageError ||
  error instanceof ConfigError ||
  error instanceof EventStoreUnavailable ||
  error instanceof ReadModelUnavailable;

/** The shell's exit code after Ctrl-C. */
export const INTERRUPTED = 130;

/**
 * Handles the end of work on a file or log that was interrupted or found something unusable: `interrupted` says what is
 * left.
 */
export function ended(error: unknown, interrupted: () => void, place = ''): typeof INTERRUPTED {
  if (error instanceof Unusable) throw new UsageError(`${place}${error.message}.`, 1);
  if (!(error instanceof Interrupted)) throw error;
  interrupted();
  return INTERRUPTED;
}
