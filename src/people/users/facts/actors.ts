// What is told of actors: their present names, and their roles. Events store only ids, because names are personal data and
// change; both follow from the users' own streams.

import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import { type Actor, factOf, instantOf, type Position, type RecordedEvent } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { evolveUser, type UserAccount, type UserFact, type UserRole } from '../domain/user.ts';

/** `system`: imports, schedules, and operators at the command line, who are no users. */
export type ActorRole = UserRole | 'system';

export type Actors = ReturnType<typeof openActors>;

/** Reads the log once per user: create one per answer. */
export function openActors(store: StreamReader) {
  const pastOf = askedOnce((id: number) => readPast(store, id));

  async function nameOf({ id, name }: Actor): Promise<string> {
    return id === null || id <= 0 ? name : ((await pastOf(id)).login ?? name);
  }

  return {
    /**
     * The user's current or last login; `[erased]` after an erasure. For actors that were never users here (a program, a
     * user of another log), the recorded name.
     */
    nameOf,
    /** A user, by number, with the name. */
    person: async (id: number): Promise<{ readonly id: number; readonly name: string }> => ({
      id,
      name: await nameOf({ id, name: '' }),
    }),
    /** The role when the change was made; null for a user of whom this log knows nothing. */
    async roleOf({
      metadata: { actor },
      position,
    }: Pick<RecordedEvent, 'metadata' | 'position'>): Promise<ActorRole | null> {
      if (actor.id === null || actor.id <= 0) return 'system';
      const { roles } = await pastOf(actor.id);
      return roles.findLast(({ since }) => since <= position)?.role ?? null;
    },
    /** Null for one who has been removed, too. */
    presentRoleOf: async (id: number): Promise<UserRole | null> => (await pastOf(id)).roles.at(-1)?.role ?? null,
  };
}

interface Past {
  /** The last one. */
  readonly login: string | null;
  /** Each from a position on; null: removed. */
  readonly roles: readonly { readonly since: Position; readonly role: UserRole | null }[];
}

async function readPast(store: StreamReader, id: number): Promise<Past> {
  let user: UserAccount | null = null;
  let login: string | null = null;
  const roles: Past['roles'][number][] = [];
  for (const event of await store.readStream(`user-${id}`)) {
    user = evolvedOr(user, event);
    login = user?.login ?? login;
    const role = user?.role ?? null;
    if (role !== (roles.at(-1)?.role ?? null)) roles.push({ since: event.position, role });
  }
  return { login, roles };
}

/** A fact of a newer version says nothing about login and role that this version could read. */
function evolvedOr(user: UserAccount | null, event: RecordedEvent): UserAccount | null {
  try {
    return evolveUser(user, factOf<UserFact>(event), instantOf(event));
  } catch {
    return user;
  }
}
