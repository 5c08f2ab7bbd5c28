// The commands of `daybook`, in the order of its help: what new users need comes first.
import { auditGroup } from './audit/audit.ts';
import { backupCommand } from './backup.ts';
import type { Command, Group } from './command.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { eraseCommand } from './erase.ts';
import { exportCommand } from './export.ts';
import type { Sections } from './help.ts';
import { historyCommand } from './history.ts';
import { importCommand } from './import.ts';
import { policyGroup } from './policy.ts';
import { projectionsGroup } from './projections.ts';
import { rebuildCommand } from './rebuild.ts';
import { restoreCommand } from './restore.ts';
import { revertCommand } from './revert.ts';
import { serveCommand } from './serve.ts';
import { tailCommand } from './tail.ts';
import { usersGroup } from './users/users.ts';
import { verifyCommand } from './verify.ts';
import { whyCommand } from './why.ts';
import { zonesCommand } from './zones.ts';

export const SECTIONS: Sections = {
  'Run it': [serveCommand, demoCommand, doctorCommand],
  'Move data': [importCommand, exportCommand, backupCommand, restoreCommand],
  'See and undo changes': [historyCommand, whyCommand, tailCommand, revertCommand, auditGroup],
  People: [usersGroup, policyGroup, eraseCommand],
  'Maintain log and read model': [verifyCommand, zonesCommand, rebuildCommand, projectionsGroup],
};

/** By the word after `daybook`. */
export const COMMANDS: ReadonlyMap<string, Command | Group> = new Map(
  Object.values(SECTIONS).flatMap((commands) => commands.map((one) => [one.name, one] as const)),
);
