// `daybook audit`: the table of its subcommands.
import type { Group } from '../command.ts';
import { exportAudit } from './export.ts';
import { auditKeys } from './keys.ts';
import { verifyAudit } from './verify.ts';

export const auditGroup: Group = {
  name: 'audit',
  summary: 'write who did what to a signed file, and check such files',
  subcommands: { export: exportAudit, verify: verifyAudit, keys: auditKeys },
};
