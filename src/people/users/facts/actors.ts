// Current names of actors. Events store only ids, because names are personal data and change.

import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import { type Actor, factOf, instantOf } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { evolveUser, type UserAccount, type UserFact } from '../domain/user.ts';

export interface Actors {
  /**
   * The user's current or last login; `[erased]` after an erasure. For actors that were never users here (a program, a
   * user of another log), the recorded name.
   */
  nameOf(actor: Actor): Promise<string>;
  /** A user, by number, with the name. */
  person(id: number): Promise<{ readonly id: number; readonly name: string }>;
}

/** Reads the log once per user: create one per answer. */
export function openActors(store: StreamReader): Actors {
  const loginOf = askedOnce((id: number) => lastLogin(store, id));

  async function nameOf({ id, name }: Actor): Promise<string> {
    return id === null || id <= 0 ? name : ((await loginOf(id)) ?? name);
  }

  return { nameOf, person: async (id) => ({ id, name: await nameOf({ id, name: '' }) }) };
}

async function lastLogin(store: StreamReader, id: number): Promise<string | null> {
  let user: UserAccount | null = null;
  let login: string | null = null;
  for (const event of await store.readStream(`user-${id}`)) {
    user = evolvedOr(user, factOf(event), instantOf(event));
    login = user?.login ?? login;
  }
  return login;
}

/** A fact of a newer version says nothing about the login that this version could read. */
function evolvedOr(user: UserAccount | null, fact: UserFact, at: number): UserAccount | null {
  try {
    return evolveUser(user, fact, at);
  } catch {
    return user;
  }
}
