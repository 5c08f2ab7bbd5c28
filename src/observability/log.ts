// The log of the service: JSON lines on standard error, so that standard output stays for people and for answers.
import pino from 'pino';

/** What the rest of the service asks of a log. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/**
 * Opens the log at a level (`info`, `warn`, …, `silent`). Headers and bodies are never put into it. A line is JSON, so
 * nothing in it can end it or move a terminal's cursor.
 */
export const openLog = (level: string, destination: pino.DestinationStream = pino.destination(2)): Log =>
  pino(
    { level, base: { name: 'daybook' }, serializers: { err: (error: unknown) => serializeError(error) } },
    destination,
  );

const DEEPEST_CAUSE = 3;

/** Of an error what it is, says and where it was. Whatever else libraries hang on theirs may be what was sent. */
function serializeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    ...('code' in error && { code: String(error.code) }),
    stack,
    ...(cause !== undefined && depth < DEEPEST_CAUSE && { cause: serializeError(cause, depth + 1) }),
  };
}
