#!/usr/bin/env node
// The entry: finds the command, runs it, and explains errors.
// decision 31: there is no build: these sources are what runs.
import { meant, requestedHelp, selected } from './cli/command.ts';
import { COMMAND_NAMES, commandNamed, loadSections } from './cli/commands.ts';
import { isExpected, UsageError } from './cli/errors.ts';
import { overview } from './cli/help.ts';
import { say } from './cli/terminal.ts';
import { VERSION } from './version.ts';

/** The reader of the output has seen enough (`daybook history … | head`). */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

async function run([word, ...rest]: readonly string[]): Promise<void> {
  if (word === undefined) throw new UsageError('the command is missing. Try `daybook --help`.');
  if (word === '--version' || word === '-v') return say(VERSION);
  const isHelp = word === 'help' || word === '--help' || word === '-h';
  const [name, ...args] = isHelp ? [...rest, '--help'] : [word, ...rest];
  if (name === '--help') return say(overview(await loadSections()));
  const target = await commandNamed(name ?? '');
  if (!target)
    throw new UsageError(`unknown command "${name}"${meant(name ?? '', COMMAND_NAMES)}. Try \`daybook --help\`.`);
  const help = requestedHelp(target, args);
  if (help !== null) return say(help);
  const { command, args: words } = selected(target, args);
  process.exitCode = await command.run(command.parse(words));
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
