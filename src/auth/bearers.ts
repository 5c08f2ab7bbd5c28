// Users of single sign-on: those in the log, cached for as long as the log has nothing newer.
import { LRUCache } from 'lru-cache';
import type { UserAccount } from '../domain/user.ts';
import type { User } from './caller.ts';
import type { NewestRevisions } from './newest-revisions.ts';
import type { AdmitBearer, SignOnClaims } from './single-sign-on.ts';

/** A user as the log has it. */
export interface Admitted {
  readonly user: UserAccount;
  readonly revision: number;
}

export interface BearerOptions {
  /** Finds the bearer's user in the log, adds a new one, and records changes; null: the user was removed. */
  readonly admit: (claims: SignOnClaims) => Promise<Admitted | null>;
  readonly newest: Pick<NewestRevisions, 'look' | 'isOutdated' | 'note'>;
}

const MAX_CACHED = 10_000;

/** Reads the log for a bearer once; then only if the log has something newer, or the token does. */
export function openBearers({ admit, newest }: BearerOptions): AdmitBearer {
  const cache = new LRUCache<string, Admitted>({ max: MAX_CACHED });
  const underWay = new Map<string, Promise<Admitted | null>>();

  function put(key: string, admitted: Admitted | null): void {
    if (admitted) newest.note(admitted.user.id, admitted.revision);
    cache.set(key, admitted ?? undefined);
  }

  async function askLog(key: string, claims: SignOnClaims): Promise<Admitted | null> {
    const flight = JSON.stringify([key, claims.role, claims.name, claims.claimed]);
    const joined = underWay.get(flight);
    if (joined) return joined;
    const asking = admit(claims).finally(() => underWay.delete(flight));
    underWay.set(flight, asking);
    const admitted = await asking;
    put(key, admitted);
    return admitted;
  }

  async function cached(key: string, claims: SignOnClaims): Promise<Admitted | null> {
    const admitted = cache.get(key);
    if (!admitted) return null;
    const { user, revision } = admitted;
    await newest.look(user.id);
    return newest.isOutdated(user.id, revision) || saysMore(claims, user) ? null : admitted;
  }

  return async (claims) => {
    const key = JSON.stringify([claims.issuer, claims.subject]);
    const admitted = (await cached(key, claims)) ?? (await askLog(key, claims));
    return admitted && callerOf(admitted.user, claims);
  };
}

/** Whether a token has newer claims than what is recorded, and different ones. */
const saysMore = ({ role, name, claimed }: SignOnClaims, user: UserAccount): boolean =>
  (user.claimed === undefined || claimed > user.claimed) &&
  (role !== user.role || (name !== undefined && name !== user.name));

/** The role of a request is that of its own token, whatever is recorded. */
const callerOf = ({ id, login, name: recorded }: UserAccount, { role, name = recorded }: SignOnClaims): User => ({
  id,
  login,
  name,
  role,
});
