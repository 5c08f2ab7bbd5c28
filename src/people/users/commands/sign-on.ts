// Users of single sign-on: found by issuer and subject, added on first use, updated as the issuer says.
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreeSlug } from '../../../commands/reservations/slugs.ts';
import { identityName, ownerOfName, reserveName, streamOfUser } from '../../../commands/reservations/user-names.ts';
import { beginUnitOfWork, type UnitOfWork } from '../../../commands/unit-of-work.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { EventMetadata } from '../../../log/envelope.ts';
import { EventStoreUnavailable } from '../../../log/event-store.ts';
import {
  bindIdentity,
  comparedName,
  addUser as decideToAdd,
  evolveUser,
  followClaims,
  profileProblem,
  type SignOnIdentity,
  type UserAccount,
  type UserProfile,
} from '../domain/user.ts';
import type { ChangeDependencies } from './user-changes.ts';
import { factsOf, idFor } from './users.ts';

/** The issuer's claims about a bearer. */
export interface Newcomer extends SignOnIdentity {
  readonly role: UserProfile['role'];
  readonly claimed: EpochSeconds;
  readonly name?: string | undefined;
  readonly login?: string | undefined;
  readonly email?: string | undefined;
}

const MAX_ATTEMPTS = 12;
const PAUSE_MS = 20;
/** Leaves room for a suffix below the longest login. */
const MAX_BASE_LENGTH = 50;

/**
 * The user of an identity, as the log has it now; null if that user was removed. Only issuer and subject identify it:
 * an e-mail address or a login that a local user has proves nothing. Rejects with `EventStoreUnavailable` if every race
 * was lost.
 */
export async function admitBearer(
  { store, newEventId }: ChangeDependencies,
  metadata: EventMetadata,
  newcomer: Newcomer,
): Promise<Awaited<ReturnType<typeof present>> | null> {
  let id: number | null = null;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const unit = beginUnitOfWork(store, metadata, newEventId);
    const stream = await ownerOfName(unit.store, identityName(newcomer));
    const loaded = stream === null ? null : await unit.load(stream, evolveUser);
    if (loaded && loaded.revision >= 0) {
      if (loaded.state === null || loaded.state.erased) return null;
      await follow(unit, loaded.state, newcomer);
      if (await commits(unit)) return present(unit, loaded.state.id);
      continue;
    }
    id ??= await idFor({ store, newEventId }, metadata);
    if (id !== null && (await planNewcomer(unit, id, newcomer)) && (await commits(unit))) return present(unit, id);
    // Another writer has reserved the identity and is about to write its user.
    await sleep(PAUSE_MS * attempt);
  }
  throw new EventStoreUnavailable('Others were faster each time to add this user.');
}

const commits = async (unit: UnitOfWork): Promise<boolean> => (await unit.commit()).kind === 'appended';

async function present(unit: UnitOfWork, id: number) {
  const { state: user, revision } = await unit.load(streamOfUser(id), evolveUser);
  if (!user) throw new Error(`${streamOfUser(id)} was written and has no state`);
  return { user, revision };
}

async function follow(
  unit: UnitOfWork,
  user: UserAccount,
  { role, name = user.name, claimed }: Newcomer,
): Promise<void> {
  const following = followClaims(user, { role, name, claimed });
  // The issuer's name may be invalid here; then the recorded one stays.
  if (following.kind === 'accepted') await unit.record(streamOfUser(user.id), following.facts);
}

/** Plans names and user. The identity is reserved first: if two add the same one, one gets a conflict. */
async function planNewcomer(unit: UnitOfWork, id: number, newcomer: Newcomer): Promise<boolean> {
  if (!(await reserveName(unit, id, identityName(newcomer)))) return false;
  const login = await reserveLogin(unit, id, newcomer);
  const email = await reserveEmail(unit, id, login, newcomer);
  const { role, name = login, claimed } = newcomer;
  const stream = streamOfUser(id);
  await unit.record(stream, factsOf(decideToAdd(id, { login, email, name, role })));
  const { user } = await present(unit, id);
  await unit.record(stream, factsOf(bindIdentity(user, newcomer, claimed)));
  return true;
}

async function reserveLogin(unit: UnitOfWork, id: number, newcomer: Newcomer): Promise<string> {
  const login = loginFor(newcomer);
  const { metadata, newEventId } = unit;
  const base = comparedName(login);
  const request = { kind: 'user', base, origin: 'given', owner: streamOfUser(id), metadata, newEventId } as const;
  const { slug, append } = await findFreeSlug(unit.store, request);
  unit.add(append);
  return slug === base ? login : slug;
}

/** An address that is taken stays with its user: the new user gets none. */
async function reserveEmail(unit: UnitOfWork, id: number, login: string, { email = '' }: Newcomer): Promise<string> {
  if (email === '' || profileProblem({ login, email, name: login })) return '';
  const isOwn = comparedName(email) === comparedName(login);
  return isOwn || (await reserveName(unit, id, comparedName(email))) ? email : '';
}

/** The first claim that is a valid login. */
function loginFor(newcomer: Newcomer): string {
  const { login, email, subject } = newcomer;
  const wishes = [login, email?.split('@')[0], subject].map((text) => usable(text ?? ''));
  const fitting = wishes.find((text) => text !== '' && !profileProblem({ login: text, email: '', name: text }));
  return fitting ?? `user-${identityName(newcomer).slice(-12)}`;
}

const usable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[:\p{C}\p{Zl}\p{Zp}]+/gu, '-')
    .slice(0, MAX_BASE_LENGTH)
    .toWellFormed()
    .trim();
