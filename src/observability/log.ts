// The log of the service: JSON lines on standard error, so that standard output is free for output; on a terminal, lines
// for people.
import pino from 'pino';

/** The part of a logger that the rest of the service uses. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/**
 * Opens the log at a level (`info`, `warn`, …, `silent`). Headers and bodies are never logged. A line is JSON, so
 * nothing in it can end it or move a terminal's cursor.
 */
export const openLog = (level: string, destination: pino.DestinationStream = pino.destination(2)): Log =>
  pino(
    { level, base: { name: 'daybook' }, serializers: { err: (error: unknown) => serializeError(error) } },
    destination,
  );

/** Where the log goes: to standard error, on a terminal in lines for people. */
export async function logDestination(stderr: NodeJS.WriteStream): Promise<pino.DestinationStream> {
  if (!stderr.isTTY) return pino.destination(2);
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({ colorize: false, ignore: 'name', translateTime: 'SYS:HH:MM:ss.l' });
  // Messages of errors may contain what was sent: it must not move the cursor.
  return { write: (line) => void stderr.write(pretty(line).replace(/[^\P{Cc}\n]/gu, ' ')) };
}

const DEEPEST_CAUSE = 3;

/** Name, message and stack of an error. Other properties that libraries add may contain what was sent. */
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
