// Users: added, changed, removed; their credentials issued and revoked, their passwords set.

import { openIdSequence } from '../../../commands/reservations/ids.ts';
import { reserveNames, streamOfUser, takenName } from '../../../commands/reservations/user-names.ts';
import type { Planned, UnitOfWork } from '../../../commands/unit-of-work.ts';
import type { Decision } from '../../../domain/decider.ts';
import { type EventMetadata, instantOf, LOG_START } from '../../../log/envelope.ts';
import { tokenText } from '../../auth/passwords.ts';
import { setPassword as decideToSet, isPassword, isUsableLink } from '../domain/desk-access.ts';
import {
  addUser as decideToAdd,
  changeUser as decideToChange,
  issueCredential as decideToIssue,
  removeUser as decideToRemove,
  revokeCredential as decideToRevoke,
  evolveUser,
  profileProblem,
  type UserAccount,
  type UserFact,
  type UserProfile,
} from '../domain/user.ts';
import { refused, type UserRefused } from './refusals.ts';
import {
  type ChangeDependencies,
  changeUser,
  handleUserCommand,
  refusalOf,
  type UserContext,
  type UserDependencies,
  type UserReference,
  type UserWritten,
} from './user-changes.ts';

export type { UserRefusal, UserRefused } from './refusals.ts';
export type { UserDependencies, UserReference, UserWritten } from './user-changes.ts';

export interface CredentialIssued extends UserWritten {
  /** Returned here, once; afterwards only its hash exists. Null: the same request was carried out before. */
  readonly secret: string | null;
}

/** The credential as its user types it; null for one that was shown before. */
export const passwordOf = ({ user, credentialId, secret }: CredentialIssued): string | null =>
  secret && tokenText({ user: user.id, credential: credentialId, secret });

interface NewUser extends UserProfile {
  /** What the first credential is for. */
  readonly label: string;
  /** A requested id; without one the user gets the next id. */
  readonly id?: number;
}

/** All requests for ids have the same claimant: what decides is whether `user-<id>` was ever written. */
const CLAIMANT = 'users';

/** The number of a user's first credential. */
const FIRST = 1;

/**
 * Adds a user with a first credential, all or nothing. Logins and e-mail addresses share their reservations, so that no
 * user can take another's e-mail address as a login. A request with a key takes effect once. Refusals: `invalid_*`,
 * `login_taken`, `email_taken`, `id_taken`, `key_used`, `busy`.
 */
export async function addUser(
  dependencies: UserDependencies,
  context: UserContext,
  wanted: NewUser,
): Promise<CredentialIssued | UserRefused> {
  const sent = { ...wanted };
  const problem = profileProblem(wanted);
  if (problem) return refusalOf(problem, sent);
  const secret = dependencies.newSecret();
  let id: number | null = null;
  let hash: string | null = null;
  const added = await handleUserCommand(dependencies, context, { makes: 'user', sent }, async (unit) => {
    const taken = await takenName(unit.store, wanted);
    if (taken) return taken;
    id ??= await idFor(dependencies, unit.metadata, wanted.id);
    if (id === null) return refused('id_taken', String(wanted.id));
    hash ??= await dependencies.hashSecret(secret);
    return planUser(unit, id, wanted, hash);
  });
  return withSecret(secret, added);
}

/** The secret of a repeated request is unknown: only its hash is stored. */
const withSecret = (secret: string, outcome: UserWritten | UserRefused): CredentialIssued | UserRefused =>
  outcome.kind === 'refused' ? outcome : { ...outcome, secret: outcome.created ? secret : null };

/** Plans names, user and first credential, in this order: a reserved name without a user does no harm. */
async function planUser(
  unit: UnitOfWork,
  id: number,
  wanted: NewUser,
  hash: string,
): Promise<Planned<UserAccount, UserFact> | UserRefused> {
  const stream = streamOfUser(id);
  const { revision } = await unit.load(stream, evolveUser);
  // Two concurrent requests for one id are both granted it; the second one to arrive here finds the first one's user.
  if (revision >= 0) return refused('id_taken', String(id));
  const lost = await reserveNames(unit, id, wanted);
  if (lost) return lost;
  await unit.record(stream, factsOf(decideToAdd(id, wanted)));
  const { state: user } = await unit.load(stream, evolveUser);
  if (!user) throw new Error(`${stream} is planned and has no state`);
  const issuing = decideToIssue(user, { label: wanted.label, hash });
  if (issuing.kind === 'rejected') return refused('invalid_label', wanted.label);
  await unit.record(stream, issuing.facts);
  return { kind: 'planned', id, stream, evolve: evolveUser, created: true, credential: FIRST };
}

/**
 * Issues another credential. A request with a key takes effect once. Refusals: `unknown_user`, `invalid_label`, `changed`,
 * `key_used`, `busy`.
 */
export async function issueCredential(
  dependencies: UserDependencies,
  context: UserContext,
  reference: UserReference,
  label: string,
): Promise<CredentialIssued | UserRefused> {
  const secret = dependencies.newSecret();
  let hash: string | null = null;
  const decide = async (user: UserAccount) => {
    hash ??= await dependencies.hashSecret(secret);
    return decideToIssue(user, { label, hash });
  };
  const terms = { makes: 'credential', sent: { label } } as const;
  const issued = withSecret(secret, await changeUser(dependencies, context, reference, decide, terms));
  // A key that led to a credential of another user was used for something else.
  return issued.kind === 'written' && typeof reference === 'number' && issued.user.id !== reference
    ? refused('key_used', '')
    : issued;
}

/**
 * Revokes one credential, or all of them. Refusals: `unknown_user`, `unknown_credential` (never issued, or revoked
 * already), `last_administrator`, `changed`, `busy`.
 */
export const revokeCredential = (
  dependencies: ChangeDependencies,
  context: UserContext,
  reference: UserReference,
  which: number | 'all',
): Promise<UserWritten | UserRefused> =>
  changeUser(dependencies, context, reference, (user) => decideToRevoke(user, which), { sent: { credential: which } });

/**
 * Changes role, name or e-mail address; the login never changes. Refusals: `unknown_user`, `invalid_*`, `email_taken`,
 * `last_administrator`, `changed`, `busy`.
 */
export const updateUser = (
  dependencies: ChangeDependencies,
  context: UserContext,
  reference: UserReference,
  patch: Partial<Omit<UserProfile, 'login'>>,
): Promise<UserWritten | UserRefused> =>
  changeUser(dependencies, context, reference, (user) => decideToChange(user, patch), { sent: patch });

/**
 * Removes a user: all credentials become invalid, the names become free, and the id is not reused. Refusals:
 * `unknown_user`, `last_administrator`, `changed`, `busy`.
 */
export const removeUser = (
  dependencies: ChangeDependencies,
  context: UserContext,
  reference: UserReference,
): Promise<UserWritten | UserRefused> => changeUser(dependencies, context, reference, decideToRemove);

/**
 * Sets a password; all sessions of the user end. `link`: the digest of the one that allows it; without it nothing but the
 * caller's right does. Refusals: `unknown_user`, `invalid_password`, `invalid_link`,
 * `changed`, `busy`.
 */
export async function setPassword(
  dependencies: ChangeDependencies & Pick<UserDependencies, 'hashSecret'>,
  context: UserContext,
  reference: UserReference,
  password: string,
  link?: string,
): Promise<UserWritten | UserRefused> {
  if (!isPassword(password)) return refused('invalid_password', '');
  const hash = await dependencies.hashSecret(password);
  const now = instantOf({ metadata: context });
  const decide = (user: UserAccount) =>
    link !== undefined && !isUsableLink(user, link, now)
      ? refused('invalid_link', 'the link')
      : decideToSet(user, hash);
  return changeUser(dependencies, context, reference, decide);
}

/**
 * Adds an administrator to a log that never had a user; null if it had. If several processes start at once, one of them
 * succeeds, because all want the same login.
 */
export async function ensureFirstAdministrator(
  dependencies: UserDependencies,
  metadata: EventMetadata,
  wanted: Omit<NewUser, 'role' | 'id'>,
): Promise<CredentialIssued | UserRefused | null> {
  const users = await dependencies.store.readAll({ after: LOG_START, prefixes: ['user-'], limit: 1 });
  if (users.length > 0) return null;
  const added = await addUser(dependencies, metadata, { ...wanted, role: 'administrator' });
  return added.kind === 'refused' && added.why === 'login_taken' ? null : added;
}

/** The requested id if it is free, or the next one; null if the request cannot be granted. */
export async function idFor(
  { store, newEventId }: Pick<UserDependencies, 'store' | 'newEventId'>,
  metadata: EventMetadata,
  wish?: number,
): Promise<number | null> {
  const ids = openIdSequence(store, { stream: 'ids-user', first: 1, blockSize: 1, newEventId });
  if (wish === undefined) return ids.next(metadata);
  const isUsed = async (id: number) => (await store.readStream(streamOfUser(id), { limit: 1 })).length > 0;
  const granted = await ids.claim([wish], metadata, { claimant: CLAIMANT, isUsed });
  return granted.has(wish) ? wish : null;
}

/** The facts of a decision that cannot be rejected, because its conditions were checked before. */
export function factsOf(decision: Decision<UserFact>): readonly UserFact[] {
  if (decision.kind === 'accepted') return decision.facts;
  throw new Error(`a checked profile was rejected: ${decision.rejection.parameter}`);
}
