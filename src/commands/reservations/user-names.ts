// Reservations of sign-in names: logins, e-mail addresses, and identities of a single sign-on.
import { createHash } from 'node:crypto';
import { type Rejected, rejected } from '../../domain/decider.ts';
import type { StreamReader } from '../../log/event-store.ts';
import { comparedName, namesOf, type SignOnIdentity, type UserProfile } from '../../people/users/domain/user.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { findFreeSlug, ownerOfSlug, releaseSlug } from './slugs.ts';

const KIND = 'user';

type UserNames = Pick<UserProfile, 'login' | 'email'>;

const PREFIX = 'user-';

export const streamOfUser = (id: number): string => `${PREFIX}${id}`;

/** The user's id in the name of such a stream. */
export const idOfUser = (stream: string): number => Number(stream.slice(PREFIX.length));

/**
 * The reserved name of an identity. Neither logins nor e-mail addresses contain a colon, so no user can take it by
 * either, and a digest does not reveal the identity.
 */
export const identityName = ({ issuer, subject }: SignOnIdentity): string =>
  `sso:${createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')}`;

/** The stream of the user who has reserved a name, also after a removal; null if it is free. */
export const ownerOfName = (store: StreamReader, name: string): Promise<string | null> =>
  ownerOfSlug(store, KIND, name);

/** Checked before an id is used up; the final decision is `reserveNames`. */
export async function takenName(store: StreamReader, names: UserNames): Promise<Rejected | null> {
  for (const name of namesOf(names)) {
    const owner = await ownerOfName(store, name);
    const isWritten = owner !== null && (await store.readStream(owner, { limit: 1 })).length > 0;
    if (isWritten) return takenAs(name, names);
  }
  return null;
}

/** Plans the reservation of all sign-in names of this user. It belongs before the user's own facts. */
export async function reserveNames(unit: UnitOfWork, id: number, names: UserNames): Promise<Rejected | null> {
  for (const name of namesOf(names)) if (!(await reserveName(unit, id, name))) return takenAs(name, names);
  return null;
}

/** Plans the reservation of one name; false if it is taken. */
export async function reserveName(unit: UnitOfWork, id: number, name: string): Promise<boolean> {
  const { slug, append } = await findFreeSlug(unit.store, { ...requestOf(unit, id), base: name, origin: 'given' });
  if (slug !== name) return false;
  unit.add(append);
  return true;
}

/** Plans the change from one set of names to another: new ones are reserved first, old ones released last. */
export async function moveNames(
  unit: UnitOfWork,
  id: number,
  before: UserNames,
  after: UserNames,
): Promise<Rejected | null> {
  const [former, future] = [namesOf(before), namesOf(after)];
  for (const name of future)
    if (!former.includes(name) && !(await reserveName(unit, id, name))) return takenAs(name, after);
  await release(
    unit,
    id,
    former.filter((name) => !future.includes(name)),
  );
  return null;
}

/** Plans the release of all sign-in names of a user. The identity at a single sign-on stays reserved. */
export const releaseNames = (unit: UnitOfWork, id: number, names: UserNames): Promise<void> =>
  release(unit, id, namesOf(names));

async function release(unit: UnitOfWork, id: number, names: readonly string[]): Promise<void> {
  for (const slug of names)
    unit.addLast(await releaseSlug(unit.store, { ...requestOf(unit, id), slug, leaving: 'free at once' }));
}

const requestOf = ({ metadata, newEventId }: UnitOfWork, id: number) => ({
  kind: KIND,
  owner: streamOfUser(id),
  metadata,
  newEventId,
});

const takenAs = (name: string, { login }: UserNames): Rejected =>
  rejected(
    comparedName(login) === name
      ? { code: 'login_taken', details: { params: ['login'] } }
      : { code: 'email_taken', details: { params: ['email'] } },
  );
