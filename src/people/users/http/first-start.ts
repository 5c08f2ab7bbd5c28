// What the page of the first start needs: whether its word counts, and setting the calendar up.
import { randomUUID } from 'node:crypto';
import { stateOfCalendar } from '../../../calendar/site/commands/settings.ts';
import type { Site } from '../../../calendar/site/queries/site.ts';
import type { CommandContext } from '../../../commands/context.ts';
import { type Views, writtenOr } from '../../../http/routes/writing.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { systemActor } from '../../../log/writing.ts';
import type { User } from '../../auth/caller.ts';
import { secretDigest } from '../../auth/sessions.ts';
import { type FirstChoices, finishFirstStartWith, isFirstStart } from '../commands/first-start.ts';
import type { UserDependencies } from '../commands/users.ts';
import type { Asking } from './desk-access.ts';

export interface Offered {
  /** An import may have come before the first start. */
  readonly calendar: 'empty' | 'filled';
}

export type FirstStarts = ReturnType<typeof openFirstStart>;

interface Filling {
  readonly now: EpochSeconds;
  readonly correlationId: string;
}

interface FirstStartOptions {
  readonly users: UserDependencies;
  readonly site: Site;
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
  readonly views: Views;
  readonly log: { error(details: object, message: string): void };
  readonly fillWithSample: (filling: Filling) => Promise<unknown>;
}

/** How long the desk waits for the read model to show the sample. */
const VIEWS_MS = 5_000;

const contextFor = ({ now, id }: Asking): CommandContext => ({
  caller: null,
  actor: systemActor('first start'),
  now,
  correlationId: id,
});

export const openFirstStart = ({ users, site, store, views, log, fillWithSample }: FirstStartOptions) => ({
  /** What the word opens; null if it does not count, or not any more. */
  async find(asking: Asking, word: string): Promise<Offered | null> {
    const isOffered = await isFirstStart(users, contextFor(asking), secretDigest(word));
    return isOffered ? { calendar: await stateOfCalendar(store) } : null;
  },
  /** Throws an `ApiError` for choices that are refused, and for a word that does not count. */
  async finish(asking: Asking, word: string, choices: FirstChoices): Promise<User> {
    const context = contextFor(asking);
    const done = writtenOr(await finishFirstStartWith(users, context, secretDigest(word), choices), context);
    if (done.settings) site.note(done.settings, done.revision);
    const { id, login, name, role } = done.user;
    return { id, login, name, role };
  },
  /** Fills the calendar with the sample. */
  async fillWithSample({ now }: Asking) {
    try {
      await fillWithSample({ now, correlationId: randomUUID() });
      await views.reached(await store.head(), VIEWS_MS);
    } catch (error) {
      // The calendar is set up all the same.
      log.error({ err: error }, 'writing the sample calendar failed');
    }
  },
});
