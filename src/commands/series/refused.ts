// Rules that cannot be expanded, refused with the reason.
import { invalidParameter } from '../../domain/rejections.ts';
import { type Refused, refused } from '../handle-command.ts';

export const refusedRuleSet = (reason: string): Refused =>
  refused({ ...invalidParameter('recurrence'), details: { reason } });
