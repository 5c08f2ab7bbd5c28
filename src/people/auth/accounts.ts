// Users as documents of the read model, and of the log in the same form.

import type { UserDocument } from '../../read-model/documents.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import { comparedName, type UserAccount } from '../users/domain/user.ts';
import type { User } from './caller.ts';

/** Logins and e-mail addresses have at most so many characters; longer ones cannot exist and are not looked up. */
const MAX_NAME_LENGTH = 100;

/** A user by number; null if there is none. */
export async function userWith(id: number, accounts: Pick<ReadModel, 'fetch'>): Promise<UserDocument | null> {
  const [document] = await accounts.fetch([{ kind: 'user', id }]);
  return document?.kind === 'user' ? document : null;
}

/** A user by login or e-mail address, in any case; null if there is none. */
export async function userNamed(text: string, accounts: Pick<ReadModel, 'findBySlug'>): Promise<UserDocument | null> {
  const name = comparedName(text);
  // Users without an e-mail address have `''`.
  return name === '' || name.length > MAX_NAME_LENGTH ? null : accounts.findBySlug('user', name);
}

// Only the projection of users writes these documents.
export const accountIn = (document: UserDocument): UserAccount => document.state as unknown as UserAccount;

/** An account as rights see it. */
export const userOf = ({ id, login, name, role }: UserAccount): User => ({ id, login, name, role });
