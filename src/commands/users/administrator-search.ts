// Where administrators are looked for: in the views first, which know them all at once.
import { isUsableAdministrator } from '../../domain/user.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { ReadModelUnavailable } from '../../read-model/read-model.ts';
import type { Candidates } from './administrators.ts';
import { allUsers } from './all-users.ts';

interface Listed {
  readonly id: number;
  readonly credentials: readonly unknown[];
}

interface UserList {
  users(filter: { readonly role: 'administrator'; readonly search: undefined }): Promise<readonly Listed[]>;
}

/** Ids of those who seem to be administrators with a credential. Without views the log is read for them. */
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
