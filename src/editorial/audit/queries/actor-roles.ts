// The role that an actor had when a change was made. Events record only who; the role follows from the user's own
// stream, up to the position of the change.

import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import { factOf, instantOf, type Position, type RecordedEvent } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { ROLES, type Role } from '../../../people/auth/caller.ts';
import { evolveUser, type UserAccount, type UserFact } from '../../../people/users/domain/user.ts';

/** `system`: imports, schedules, and operators at the command line, who are no users. */
export type ActorRole = Role | 'system';
export const ACTOR_ROLES: readonly ActorRole[] = [...ROLES, 'system'];

export interface ActorRoles {
  /** Null for a user of whom this log knows nothing. */
  roleOf(event: Pick<RecordedEvent, 'metadata' | 'position'>): Promise<ActorRole | null>;
  /** Null for one who has been removed, too. */
  presentRoleOf(user: number): Promise<Role | null>;
}

/** From a position on. */
interface RoleChange {
  readonly since: Position;
  /** Null: removed. */
  readonly role: Role | null;
}

/** Reads the log once per user: open it for one answer. */
export function openActorRoles(store: StreamReader): ActorRoles {
  const rolesOf = askedOnce((user: number) => readRoles(store, user));

  return {
    async roleOf({ metadata: { actor }, position }) {
      if (actor.id === null || actor.id <= 0) return 'system';
      const roles = await rolesOf(actor.id);
      return roles.findLast(({ since }) => since <= position)?.role ?? null;
    },
    presentRoleOf: async (user) => (await rolesOf(user)).at(-1)?.role ?? null,
  };
}

async function readRoles(store: StreamReader, user: number): Promise<readonly RoleChange[]> {
  const roles: RoleChange[] = [];
  let account: UserAccount | null = null;
  for (const event of await store.readStream(`user-${user}`)) {
    account = evolvedOr(account, event);
    const role = account?.role ?? null;
    if (role !== (roles.at(-1)?.role ?? null)) roles.push({ since: event.position, role });
  }
  return roles;
}

/** A fact of a newer version says nothing about the role that this version could read. */
function evolvedOr(account: UserAccount | null, event: RecordedEvent): UserAccount | null {
  try {
    return evolveUser(account, factOf<UserFact>(event), instantOf(event));
  } catch {
    return account;
  }
}
