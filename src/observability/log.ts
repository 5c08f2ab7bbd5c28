// The log of the service: JSON lines on standard error, so that standard output stays for people and for answers.
import pino from 'pino';

/** What the rest of the service asks of a log. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Opens the log at a level (`info`, `warn`, …, `silent`). Headers and bodies are never put into it. */
export const openLog = (level: string): Log => pino({ level, base: { name: 'daybook' } }, pino.destination(2));
