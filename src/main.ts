#!/usr/bin/env node
import { COMMANDS, say } from './cli/commands.ts';
// The entry: finds the command, carries it out, and says what went wrong.
import { isExpected } from './cli/expected.ts';
import { helpText } from './cli/help.ts';
import { UsageError } from './cli/usage-error.ts';

const USAGE = helpText(COMMANDS);

const HELP = new Set(['help', '--help', '-h']);

/** Who reads the answer has seen enough (`daybook history … | head`). */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

async function run([name, ...args]: readonly string[]): Promise<void> {
  if (name !== undefined && HELP.has(name)) return say(USAGE);
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    const said = name === undefined ? 'the command is missing' : `unknown command "${name}"`;
    throw new UsageError(`${said}\n${USAGE}`);
  }
  if (args.some((word) => word === '--help' || word === '-h')) return say(command.usage);
  const code = await command.run(args);
  if (typeof code === 'number') process.exitCode = code;
}

/** Where the service cannot listen, by the system's code. */
const LISTENING: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'The port is taken by another process. Set PORT to a free one.'],
  ['EADDRNOTAVAIL', 'HOST is no address of this machine. Set it to one that is, to 127.0.0.1 or to 0.0.0.0.'],
  ['ENOTFOUND', 'HOST is a name that nobody knows. Set it to an address of this machine, to 127.0.0.1 or to 0.0.0.0.'],
]);

/** What went wrong in one line for what people can mend; everything else is a fault of ours and shows where. */
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
