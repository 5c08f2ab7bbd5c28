// Whose words the description of an event is: those of administrators alone may be shown with more HTML than others.

import { fold, type RecordedEvent, type Revision } from '../../../log/envelope.ts';
import { mayShowRawHtml } from '../../../people/auth/policy.ts';
import { evolveUser, type UserAccount, type UserFact } from '../../../people/users/domain/user.ts';
import { recordedAt } from './moments.ts';
import { type LogDependencies, readResourceEvents, stepsOf } from './resource.ts';

/** Importers give this reason; a client that gives it gets what imports get. */
const IMPORTED = /^imported from /;

/**
 * Whether administrators alone have written the description that an event had at this revision: the fact that said it
 * first, and the one that said it last, which may have brought it back. They were administrators then, still are, and
 * wrote it themselves: no import, and no proposal of others. Rejections: those of the store.
 */
export async function isByAdministrators(
  dependencies: LogDependencies,
  id: number,
  revision: Revision,
): Promise<boolean> {
  const events = await readResourceEvents(dependencies, { kind: 'event', id });
  const steps = stepsOf(dependencies, 'event', events).filter(({ event }) => event.revision <= revision);
  const text = steps.at(-1)?.state?.description;
  if (text === undefined || steps.at(-1)?.event.revision !== revision) return false;
  const first = steps.find(({ state }) => state?.description === text);
  // Behind the last step that said something else.
  const last = steps[steps.findLastIndex(({ state }) => state?.description !== text) + 1];
  for (const step of [first, last]) if (!step?.understood || !(await isOwnWord(dependencies, step.event))) return false;
  return true;
}

async function isOwnWord(dependencies: LogDependencies, event: RecordedEvent): Promise<boolean> {
  const { actor, proposal, reason = '' } = event.metadata;
  if (IMPORTED.test(reason)) return false;
  const writers = [actor.id, ...(proposal ? [proposal.author] : [])];
  for (const id of writers) if (id === null || !(await isAdministrator(dependencies, id, event))) return false;
  return true;
}

async function isAdministrator({ store }: LogDependencies, id: number, event: RecordedEvent): Promise<boolean> {
  const all = await store.readStream(`user-${id}`);
  const { at } = recordedAt(event);
  const then = all.filter((one) => recordedAt(one).at <= at);
  return [all, then].every((events) => {
    const user = fold<UserAccount, UserFact>(events, evolveUser);
    return user !== null && mayShowRawHtml(user) && user.erased === undefined;
  });
}
