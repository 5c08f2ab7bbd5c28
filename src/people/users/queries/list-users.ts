// Users for administrators: all users of the read model, cached until it changes.

import { foldLetters } from '../../../kernel/text/ascii-folding.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import { ALL_USERS, type Document } from '../../../read-model/documents.ts';
import { type ReadModel, ReadModelUnavailable } from '../../../read-model/read-model.ts';
import type { UserAccount } from '../domain/user.ts';

export type UserView = ReturnType<typeof viewOf>;

interface UserFilter {
  /** Each word must occur in login, name or e-mail address, ignoring case and accents. */
  readonly search: string | undefined;
  readonly role: UserAccount['role'] | undefined;
}

export type Directory = ReturnType<typeof openDirectory>;

/** Documents fetched at once. */
const PORTION = 500;

/**
 * Some ten thousand users are a few megabytes, and read in well under a second; only administrators request them. So
 * the read model has no index for this search.
 */
export function openDirectory(readModel: Pick<ReadModel, 'version' | 'named' | 'fetch'>) {
  let directory: { readonly version: string; readonly users: readonly UserView[] } | null = null;

  async function all(): Promise<readonly UserView[]> {
    // Read before the documents: if these are newer, they are only read once more.
    const version = await readModel.version();
    if (directory?.version === version) return directory.users;
    const ids = await readModel.named('user', ALL_USERS);
    const users: UserView[] = [];
    for (let at = 0; at < ids.length; at += PORTION) {
      const documents = await readModel.fetch(ids.slice(at, at + PORTION).map((id) => ({ kind: 'user', id })));
      users.push(...documents.flatMap((document) => viewIn(document) ?? []));
    }
    directory = { version, users };
    return users;
  }

  return {
    /** By id. Rejections: those of the read model. */
    async users({ search, role }: UserFilter): Promise<readonly UserView[]> {
      const words = foldLetters(search ?? '')
        .split(/\s+/)
        .filter(Boolean);
      return (await all()).filter((user) => (role === undefined || user.role === role) && hasAll(user, words));
    },
    /** Null if the read model is unavailable: the log has them too. */
    async administrators(): Promise<readonly UserView[] | null> {
      try {
        return (await all()).filter(({ role }) => role === 'administrator');
      } catch (error) {
        if (error instanceof ReadModelUnavailable) return null;
        throw error;
      }
    },
  };
}

const hasAll = ({ login, name, email }: UserView, words: readonly string[]): boolean =>
  words.every((word) => [login, name, email].some((text) => foldLetters(text).includes(word)));

/** The user in a document; null if there is none. */
export const viewIn = (document: Document | null | undefined): UserView | null =>
  // Only the projection of users writes these documents.
  document?.kind === 'user' ? viewOf(document.state as unknown as UserAccount) : null;

/** The public part of a user: everything but hashes. */
export const viewOf = ({ id, login, name, email, role, credentials, identity }: UserAccount) => ({
  id,
  login,
  name,
  email,
  role,
  credentials: credentials.map(({ id: number, label, issued }) => ({ id: number, label, issued })),
  identity,
});

/** A token as clients see it. */
export const credentialObject = ({ id, label, issued }: UserView['credentials'][number]) => ({
  id,
  label,
  issued: instantText(issued),
});
