// `daybook audit`: the table of its subcommands.
import type { Group } from '../../../cli/command.ts';
import { exportAudit } from './export.ts';
import { auditKeys } from './keys.ts';
import { verifyAudit } from './verify.ts';

export const auditGroup: Group = {
  name: 'audit',
  subcommands: [exportAudit, verifyAudit, auditKeys],
};
