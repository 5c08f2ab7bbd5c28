// What happens by itself, at an instant that was set before: its kinds, and what happens to each.
import { POST_KINDS } from '../../../calendar/resource/domain/post.ts';

export const SCHEDULED_KINDS = [...POST_KINDS, 'set'] as const;
export type ScheduledKind = (typeof SCHEDULED_KINDS)[number];

/** `publish`: a post with the status `future` becomes public. `apply`: the proposals of a set are carried out. */
export const SCHEDULED_ACTIONS = ['publish', 'apply'] as const;
export type ScheduledAction = (typeof SCHEDULED_ACTIONS)[number];
