// Rules that cannot be expanded, refused with the reason.

import { type Refused, refused } from '../../../commands/handle-command.ts';
import { invalidParameter } from '../../../domain/rejections.ts';

export const refusedRuleSet = (reason: string): Refused =>
  refused({ ...invalidParameter('recurrence'), details: { reason } });
