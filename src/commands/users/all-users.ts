// All users, from the log: correct even without a usable read model.
import { evolveUser, isUsableAdministrator, type UserAccount } from '../../domain/user.ts';
import { LOG_START, type RecordedEvent } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { fold } from '../../event-store/fold.ts';
import { ReadModelUnavailable } from '../../read-model/read-model.ts';
import type { Candidates } from './user-changes.ts';

const PAGE = 1000;

/** By id. Reads every event of users ever recorded. */
export async function allUsers(store: Pick<EventStore, 'readAll'>): Promise<UserAccount[]> {
  const streams = new Map<string, RecordedEvent[]>();
  let after = LOG_START;
  for (;;) {
    const page = await store.readAll({ after, prefixes: ['user-'], limit: PAGE });
    for (const event of page) {
      const recorded = streams.get(event.stream);
      if (recorded) recorded.push(event);
      else streams.set(event.stream, [event]);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.position;
  }
  const users = [...streams.values()].flatMap((events) => fold(events, evolveUser) ?? []);
  return users.sort((one, other) => one.id - other.id);
}

// Where administrators are looked for: first in the read model, which has them all at once.

interface Listed {
  readonly id: number;
  readonly credentials: readonly unknown[];
}

interface UserList {
  users(filter: { readonly role: 'administrator'; readonly search: undefined }): Promise<readonly Listed[]>;
}

/** Ids of users who are probably administrators with a credential. Without a read model the log is read for them. */
export function openAdministrators(views: UserList, log: Pick<EventStore, 'readAll'>): Candidates {
  return async () => {
    const listed = await views.users({ role: 'administrator', search: undefined }).catch((error: unknown) => {
      if (error instanceof ReadModelUnavailable) return null;
      throw error;
    });
    const found = listed ?? (await allUsers(log)).filter(isUsableAdministrator);
    return found.filter(({ credentials }) => credentials.length > 0).map(({ id }) => id);
  };
}
