#!/usr/bin/env node
// The `daybook` command line.
import { randomUUID } from 'node:crypto';
import { IMPORT_USAGE, runImport } from './cli/import.ts';
import { SERVE_USAGE, serve } from './cli/serve.ts';
import { UsageError } from './cli/usage-error.ts';
import { runUsers, USERS_USAGE } from './cli/users.ts';
import { ConfigError, readConfig } from './config.ts';
import { EventStoreUnavailable } from './event-store/event-store.ts';
import { barProgress, lineProgress } from './import/progress.ts';
import { ReadModelUnavailable } from './read-model/read-model.ts';
import { commandDependencies, systemNow } from './service.ts';
import { openStores } from './wiring.ts';

const USAGE = `${SERVE_USAGE}
${IMPORT_USAGE}
${USERS_USAGE}

Settings come from the environment: PORT, HOST, DAYBOOK_DATA_DIR, DAYBOOK_EVENT_STORE, DAYBOOK_READ_MODEL,
DAYBOOK_TIMEZONE, DAYBOOK_PER_PAGE, DAYBOOK_SITE_URL, DAYBOOK_LANGUAGE, DAYBOOK_PREFIX_ALIASES, DAYBOOK_TRUST_PROXY,
DAYBOOK_LOG_LEVEL. docs/operations.md says what each is for.`;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function users(args: readonly string[]): Promise<void> {
  const stores = await openStores(readConfig(process.env));
  try {
    await runUsers(args, { store: stores.store, project: stores.project, now: systemNow, newId: randomUUID, out: say });
  } finally {
    await stores.close();
  }
}

const elapsed = (): number => performance.now();

async function importing(args: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  const stores = await openStores(config);
  const warn = (line: string): void => void process.stderr.write(`${line}\n`);
  try {
    process.exitCode = await runImport(args, {
      store: stores.store,
      commandsOn: (store) => commandDependencies({ ...stores, store }, config),
      project: stores.project,
      display: stores.rendering,
      now: systemNow,
      elapsed,
      newId: randomUUID,
      out: say,
      progress: process.stderr.isTTY ? barProgress(process.stderr) : lineProgress(warn, elapsed),
    });
  } finally {
    await stores.close();
  }
}

async function run([command, ...args]: readonly string[]): Promise<void> {
  switch (command) {
    case 'serve':
      return serve(args, readConfig(process.env), say);
    case 'import':
      return importing(args);
    case 'users':
      return users(args);
    case 'help':
    case '--help':
    case '-h':
      return say(USAGE);
    default:
      throw new UsageError(
        `${command === undefined ? 'the command is missing' : `unknown command "${command}"`}\n${USAGE}`,
      );
  }
}

/** Where the service cannot listen, by the system's code. */
const LISTENING: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'The port is taken by another process. Set PORT to a free one.'],
  ['EADDRNOTAVAIL', 'HOST is no address of this machine. Set it to one that is, to 127.0.0.1 or to 0.0.0.0.'],
  ['ENOTFOUND', 'HOST is a name that nobody knows. Set it to an address of this machine, to 127.0.0.1 or to 0.0.0.0.'],
]);

/** What went wrong in one line for what people can mend; everything else is a fault of ours and shows where. */
function explained(error: unknown): string {
  const isExpected =
    error instanceof UsageError ||
    error instanceof ConfigError ||
    error instanceof EventStoreUnavailable ||
    error instanceof ReadModelUnavailable;
  if (isExpected) return error.message;
  const listening = error instanceof Error && 'code' in error && LISTENING.get(error.code);
  if (listening) return listening;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`daybook: ${explained(error)}\n`);
  process.exitCode = error instanceof UsageError ? error.exitCode : 1;
});
