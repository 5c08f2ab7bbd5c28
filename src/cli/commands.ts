// The commands of `daybook`, in the order of its help: what new users need comes first. Loading all of them takes longer
// than most of them run, so each is loaded when it is called.
import { CommanderError, type Command as Program } from 'commander';
import { VERSION } from '../version.ts';
import { type Chosen, type Command, type Group, openProgram, programOf, sentenceOf, summarized } from './command.ts';
import { SETTINGS } from './settings.ts';

type Entry = readonly [summary: string, load: () => Promise<Command | Group>];

/** By the word after `daybook`. */
export const COMMANDS: { readonly [title: string]: { readonly [name: string]: Entry } } = {
  'Run it': {
    serve: [
      'run the service: answer requests and keep the read model up to date',
      async () => (await import('./serve.ts')).serveCommand,
    ],
    mcp: [
      'let an assistant search the calendar and propose changes, over the Model Context Protocol',
      async () => (await import('../exchange/mcp/cli/mcp.ts')).mcpCommand,
    ],
    demo: [
      'fill an empty calendar with realistic sample data, and serve it',
      async () => (await import('./demo.ts')).demoCommand,
    ],
    doctor: [
      'check settings, stores, clock, read model and the running service, and say what to do',
      async () => (await import('./doctor/doctor.ts')).doctorCommand,
    ],
    purge: [
      'purge outdated answers from caches in front, change by change',
      async () => (await import('./purge.ts')).purgeCommand,
    ],
  },
  'Move data': {
    import: [
      'import events from CSV, JSON and iCalendar files, from the events API, and from exports',
      async () => (await import('../exchange/import/cli/import.ts')).importCommand,
    ],
    export: [
      'write all resources, or the log itself, to a file',
      async () => (await import('../exchange/export/cli/export.ts')).exportCommand,
    ],
    backup: [
      'copy log, keys and pictures into a folder, and check the copy',
      async () => (await import('../exchange/export/cli/backup.ts')).backupCommand,
    ],
    restore: [
      'restore a backup, an exported log or the log of another store into an empty store',
      async () => (await import('../exchange/export/cli/restore.ts')).restoreCommand,
    ],
  },
  'See and undo changes': {
    history: [
      'show what happened to one resource: who, when, what and why',
      async () => (await import('../editorial/history/cli/history.ts')).historyCommand,
    ],
    why: [
      'say why an event is in a list or not, condition by condition',
      async () => (await import('../editorial/why/cli/why.ts')).whyCommand,
    ],
    tail: ['show changes as they happen', async () => (await import('../editorial/audit/cli/tail.ts')).tailCommand],
    revert: [
      'revert what one request or one import did',
      async () => (await import('../editorial/reverts/cli/revert.ts')).revertCommand,
    ],
    audit: [
      'write who did what to a signed file, and check such files',
      async () => (await import('../editorial/audit/cli/audit.ts')).auditGroup,
    ],
  },
  People: {
    users: [
      'add, show and change users and their tokens',
      async () => (await import('../people/users/cli/users.ts')).usersGroup,
    ],
    policy: [
      'show and set the rules of review',
      async () => (await import('../editorial/review-rules/cli/policy.ts')).policyGroup,
    ],
    erase: [
      'erase the personal data of an organizer, a user or a submission, irreversibly',
      async () => (await import('../people/personal-data/cli/erase.ts')).eraseCommand,
    ],
  },
  'Other servers': {
    sources: [
      'poll calendars elsewhere',
      async () => (await import('../exchange/sources/cli/sources.ts')).sourcesGroup,
    ],
    webhooks: [
      'send changes to other addresses, signed',
      async () => (await import('../exchange/webhooks/cli/webhooks.ts')).webhooksGroup,
    ],
  },
  'Maintain log and read model': {
    verify: [
      'check the log by its hashes, the keys of personal data, and the read model against the log',
      async () => (await import('./verify.ts')).verifyCommand,
    ],
    zones: [
      'show which future events newer time zone rules would move, and move them',
      async () => (await import('../calendar/zone-rules/cli/zones.ts')).zonesCommand,
    ],
    rebuild: [
      'rebuild the read model from the log, compare it with the one in use, and switch',
      async () => (await import('./rebuild.ts')).rebuildCommand,
    ],
    projections: [
      'show projection status; retry parked resources, or skip an event',
      async () => (await import('./projections.ts')).projectionsGroup,
    ],
  },
};

/** `daybook` with all its commands, of which only those that are `wanted` know more than their summary. */
export async function openDaybook(
  isWanted: (name: string) => boolean,
  choose: (chosen: Chosen) => void,
): Promise<Program> {
  const daybook = openProgram('daybook', (error) => `${sentenceOf(error)} Try \`daybook --help\`.`)
    .description('An event calendar service that keeps its whole history.')
    .version(VERSION, '-v, --version', 'show the version');
  for (const [title, section] of Object.entries(COMMANDS))
    for (const [name, [summary, load]] of Object.entries(section)) {
      const program = isWanted(name) ? programOf(await load(), choose) : openProgram(name, sentenceOf);
      daybook.addCommand(summarized(program, summary).helpGroup(`${title}:`));
    }
  const settings = `Settings are environment variables; docs/operations/configure.md explains each of them, and \`daybook serve\` takes them as options, too: ${SETTINGS.join(' ')}`;
  const help = daybook.createHelp();
  return daybook.addHelpText('after', () => `\n${help.boxWrap(settings, 100)}`);
}

/** What the words after `daybook` choose; null once they have been answered with a help or the version. Throws `UsageError`. */
export async function chosenBy([first, ...rest]: readonly string[]): Promise<Chosen | null> {
  const words = first === 'help' ? [...rest, '--help'] : first === undefined ? [] : [first, ...rest];
  const chosen: Chosen[] = [];
  const daybook = await openDaybook(
    (name) => name === words[0],
    (one) => void chosen.push(one),
  );
  try {
    daybook.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return chosen[0] ?? null;
}
