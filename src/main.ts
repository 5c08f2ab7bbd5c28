#!/usr/bin/env node
// The entry: finds the command, runs it, and explains errors.
// decision 31: there is no build: these sources are what runs.
import { chosenBy } from './cli/commands.ts';
import { isExpected, UsageError } from './cli/errors.ts';

/** The reader of the output has seen enough (`daybook history … | head`). */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

async function run(words: readonly string[]): Promise<void> {
  const chosen = await chosenBy(words);
  if (chosen) process.exitCode = await chosen.command.run(chosen.input);
}

/** Why the service cannot listen, by the system's code. */
const LISTENING: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'The port is taken by another process. Set PORT to a free one.'],
  ['EADDRNOTAVAIL', 'HOST must be an address of this machine, 127.0.0.1 or 0.0.0.0.'],
  ['ENOTFOUND', 'HOST is an unknown name. Set it to an address of this machine, to 127.0.0.1 or to 0.0.0.0.'],
]);

/** One line for errors that users can fix; anything else is a bug and shows its stack. */
function explained(error: unknown): string {
  if (isExpected(error)) return error.message;
  const listening = error instanceof Error && 'code' in error && LISTENING.get(error.code);
  if (listening) return listening;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

process.stdout.on('error', endQuietly);
run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`daybook: ${explained(error)}\n`);
  process.exitCode = error instanceof UsageError ? error.exitCode : 1;
});
