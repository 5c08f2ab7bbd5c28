// Users: added, changed, removed; their credentials issued and revoked, their passwords set.

import { type Answered, earlierAnswer, keyStream } from '../../../commands/handle-command.ts';
import { openIdSequence } from '../../../commands/reservations/ids.ts';
import { reserveNames, streamOfUser, takenName } from '../../../commands/reservations/user-names.ts';
import { beginUnitOfWork, type UnitOfWork } from '../../../commands/unit-of-work.ts';
import { accepted, type Decision } from '../../../domain/decider.ts';
import { type EventMetadata, instantOf, LOG_START } from '../../../log/envelope.ts';
import type { Caller } from '../../auth/caller.ts';
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
  type UserFact,
  type UserProfile,
} from '../domain/user.ts';
import { refused, type UserRefused } from './refusals.ts';
import {
  type ChangeDependencies,
  type ChangeTerms,
  changeUser,
  type Decide,
  MAX_ATTEMPTS,
  refusalOf,
  type UserDependencies,
  type UserReference,
  type UserWritten,
  written,
} from './user-changes.ts';

export type { UserRefusal, UserRefused } from './refusals.ts';
export type { ChangeTerms, UserDependencies, UserReference, UserWritten } from './user-changes.ts';

export interface CredentialIssued extends UserWritten {
  readonly credentialId: number;
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
  metadata: EventMetadata,
  wanted: NewUser,
  key: RequestKey | null = null,
): Promise<CredentialIssued | UserRefused> {
  const { store, newEventId } = dependencies;
  const problem = profileProblem(wanted);
  if (problem) return refusalOf(problem, { ...wanted });
  const earlier = await earlierRequest(beginUnitOfWork(store, metadata, newEventId), key, 'user');
  if (earlier) return earlier;
  // The same request may have been faster, between two reads too.
  const unlessAnswered = async (refusal: UserRefused) =>
    (await earlierRequest(beginUnitOfWork(store, metadata, newEventId), key, 'user')) ?? refusal;
  const taken = await takenName(store, wanted);
  if (taken) return unlessAnswered(taken);
  const id = await idFor(dependencies, metadata, wanted.id);
  if (id === null) return refused('id_taken', String(wanted.id));
  const secret = dependencies.newSecret();
  const hash = await dependencies.hashSecret(secret);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const unit = beginUnitOfWork(store, metadata, newEventId);
    const answered = await earlierRequest(unit, key, 'user');
    if (answered) return answered;
    const refusal = await planUser(unit, id, wanted, hash);
    if (refusal) return unlessAnswered(refusal);
    await rememberRequest(unit, key, { id, credential: FIRST, made: 'user' });
    const outcome = await unit.commit();
    if (outcome.kind === 'appended') {
      const { state: user } = await unit.load(streamOfUser(id), evolveUser);
      if (!user) throw new Error(`${streamOfUser(id)} was written and has no state`);
      return { ...(await written(unit, user, outcome.written.at(-1)?.position)), credentialId: FIRST, secret };
    }
    if (outcome.stream === streamOfUser(id)) return refused('id_taken', String(id));
  }
  return refused('busy', wanted.login);
}

/** Plans names, user and first credential, in this order: a reserved name without a user does no harm. */
async function planUser(unit: UnitOfWork, id: number, wanted: NewUser, hash: string): Promise<UserRefused | null> {
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
  return null;
}

/**
 * Issues another credential. A request with a key takes effect once. Refusals: `unknown_user`, `invalid_label`, `changed`,
 * `key_used`, `busy`.
 */
export async function issueCredential(
  dependencies: UserDependencies,
  metadata: EventMetadata,
  reference: UserReference,
  label: string,
  { key = null, ...terms }: ChangeTerms & { readonly key?: RequestKey | null } = {},
): Promise<CredentialIssued | UserRefused> {
  const { store, newEventId } = dependencies;
  const earlier = await earlierRequest(beginUnitOfWork(store, metadata, newEventId), key, 'credential');
  if (earlier) return ofUser(reference, earlier);
  const secret = dependencies.newSecret();
  const hash = await dependencies.hashSecret(secret);
  let answered: CredentialIssued | UserRefused | null = null;
  const decide: Decide = async (user, unit) => {
    // The same request may have been faster, in another process too.
    answered = await earlierRequest(unit, key, 'credential');
    if (answered) return accepted([]);
    const issuing = decideToIssue(user, { label, hash });
    if (issuing.kind === 'accepted')
      await rememberRequest(unit, key, { id: user.id, credential: user.lastCredential + 1, made: 'credential' });
    return issuing;
  };
  const issued = await changeUser(dependencies, metadata, reference, decide, { ...terms, sent: { label } });
  if (answered) return ofUser(reference, answered);
  if (issued.kind === 'refused') return issued;
  return { ...issued, credentialId: issued.user.lastCredential, secret };
}

/** A key that led to a credential of another user was used for something else. */
const ofUser = (reference: UserReference, earlier: CredentialIssued | UserRefused): CredentialIssued | UserRefused =>
  earlier.kind === 'written' && typeof reference === 'number' && earlier.user.id !== reference
    ? refused('key_used', '')
    : earlier;

/**
 * Revokes one credential, or all of them. Refusals: `unknown_user`, `unknown_credential` (never issued, or revoked
 * already), `last_administrator`, `changed`, `busy`.
 */
export const revokeCredential = (
  dependencies: ChangeDependencies,
  metadata: EventMetadata,
  reference: UserReference,
  which: number | 'all',
  terms: ChangeTerms = {},
): Promise<UserWritten | UserRefused> =>
  changeUser(dependencies, metadata, reference, (user) => decideToRevoke(user, which), {
    ...terms,
    sent: { credential: which },
  });

/**
 * Changes role, name or e-mail address; the login never changes. Refusals: `unknown_user`, `invalid_*`, `email_taken`,
 * `last_administrator`, `changed`, `busy`.
 */
export const updateUser = (
  dependencies: ChangeDependencies,
  metadata: EventMetadata,
  reference: UserReference,
  patch: Partial<Omit<UserProfile, 'login'>>,
  terms: ChangeTerms = {},
): Promise<UserWritten | UserRefused> =>
  changeUser(dependencies, metadata, reference, (user) => decideToChange(user, patch), { ...terms, sent: patch });

/**
 * Removes a user: all credentials become invalid, the names become free, and the id is not reused. Refusals:
 * `unknown_user`, `last_administrator`, `changed`, `busy`.
 */
export const removeUser = (
  dependencies: ChangeDependencies,
  metadata: EventMetadata,
  reference: UserReference,
  terms: ChangeTerms = {},
): Promise<UserWritten | UserRefused> => changeUser(dependencies, metadata, reference, decideToRemove, terms);

interface PasswordTerms extends ChangeTerms {
  /** Of the link that allows it; absent: nothing but the caller's right does. */
  readonly link?: string;
}

/**
 * Sets a password; all sessions of the user end. Refusals: `unknown_user`, `invalid_password`, `invalid_link`,
 * `changed`, `busy`.
 */
export async function setPassword(
  dependencies: ChangeDependencies & Pick<UserDependencies, 'hashSecret'>,
  metadata: EventMetadata,
  reference: UserReference,
  password: string,
  { link, ...terms }: PasswordTerms = {},
): Promise<UserWritten | UserRefused> {
  if (!isPassword(password)) return refused('invalid_password', '');
  const hash = await dependencies.hashSecret(password);
  const now = instantOf({ metadata });
  const decide: Decide = (user) =>
    link !== undefined && !isUsableLink(user, link, now)
      ? refused('invalid_link', 'the link')
      : decideToSet(user, hash);
  return changeUser(dependencies, metadata, reference, decide, terms);
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

// Requests about users that clients may safely repeat: the same key of the same caller takes effect once. The secret of
// the first answer is not stored, so a repetition cannot return it again.

/** A key chosen by a client; each caller has keys of its own. */
export interface RequestKey {
  readonly caller: Caller;
  readonly key: string;
}

interface Remembered extends Answered {
  /** Number of the credential that was issued with it. */
  readonly credential: number;
  /** The kind of request. */
  readonly made: 'user' | 'credential';
}

/** What the key led to before, in its present state; null if it was not used, or its resource is gone. */
async function earlierRequest(
  unit: UnitOfWork,
  key: RequestKey | null,
  wanted: Remembered['made'],
): Promise<CredentialIssued | UserRefused | null> {
  const answer = key && (await earlierAnswer(unit.store, key.caller, key.key));
  if (!answer) return null;
  // Only this file writes these entries, with the kind of request.
  const { id, stream, credential, made } = answer as Partial<Remembered> & Answered;
  if (made !== wanted || credential === undefined) return refused('key_used', '');
  const { state: user, revision, position } = await unit.load(stream, evolveUser);
  return user && { kind: 'written', user: { ...user, id }, revision, position, credentialId: credential, secret: null };
}

/** Plans the record of a key's result. It is written first: a key without its resource counts as unused. */
async function rememberRequest(
  unit: UnitOfWork,
  key: RequestKey | null,
  { id, credential, made }: Omit<Remembered, 'stream'>,
): Promise<void> {
  if (key === null) return;
  const data: Remembered = { stream: streamOfUser(id), id, credential, made };
  await unit.record(keyStream(key.caller, key.key), [{ type: 'RequestAnswered', data }], 'first');
}
