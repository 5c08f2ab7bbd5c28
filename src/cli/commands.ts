// The commands of `daybook`, in the order of its help: what new users need comes first. Loading all of them takes longer
// than most of them run, so each is loaded when it is called.
import type { Command, Group } from './command.ts';
import type { Sections } from './help.ts';

type Load = () => Promise<Command | Group>;

/** By the word after `daybook`. */
const LOAD: { readonly [title: string]: { readonly [name: string]: Load } } = {
  'Run it': {
    serve: async () => (await import('./serve.ts')).serveCommand,
    mcp: async () => (await import('./mcp.ts')).mcpCommand,
    demo: async () => (await import('./demo.ts')).demoCommand,
    doctor: async () => (await import('./doctor/doctor.ts')).doctorCommand,
    purge: async () => (await import('./purge.ts')).purgeCommand,
  },
  'Move data': {
    import: async () => (await import('./import.ts')).importCommand,
    export: async () => (await import('./export.ts')).exportCommand,
    backup: async () => (await import('./backup.ts')).backupCommand,
    restore: async () => (await import('./restore.ts')).restoreCommand,
  },
  'See and undo changes': {
    history: async () => (await import('./history.ts')).historyCommand,
    why: async () => (await import('./why.ts')).whyCommand,
    tail: async () => (await import('./tail.ts')).tailCommand,
    revert: async () => (await import('./revert.ts')).revertCommand,
    audit: async () => (await import('./audit/audit.ts')).auditGroup,
  },
  People: {
    users: async () => (await import('./users/users.ts')).usersGroup,
    policy: async () => (await import('./policy.ts')).policyGroup,
    erase: async () => (await import('./erase.ts')).eraseCommand,
  },
  'Other servers': {
    sources: async () => (await import('./sources/sources.ts')).sourcesGroup,
    webhooks: async () => (await import('./webhooks/webhooks.ts')).webhooksGroup,
  },
  'Maintain log and read model': {
    verify: async () => (await import('./verify.ts')).verifyCommand,
    zones: async () => (await import('./zones.ts')).zonesCommand,
    rebuild: async () => (await import('./rebuild.ts')).rebuildCommand,
    rehearse: async () => (await import('./rehearse/rehearse.ts')).rehearseCommand,
    projections: async () => (await import('./projections.ts')).projectionsGroup,
  },
};

const LOADERS: ReadonlyMap<string, Load> = new Map(Object.values(LOAD).flatMap((section) => Object.entries(section)));

export const COMMAND_NAMES: readonly string[] = [...LOADERS.keys()];

/** Undefined if there is none of this name. */
export const commandNamed = async (name: string): Promise<Command | Group | undefined> => LOADERS.get(name)?.();

/** All commands, for the help. */
export const loadSections = async (): Promise<Sections> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(LOAD).map(async ([title, section]) => {
        const commands = await Promise.all(Object.values(section).map((load) => load()));
        return [title, commands] as const;
      }),
    ),
  );
