// Users: added, changed, removed; their credentials issued and revoked, their passwords set.

import type { CommandContext, Written } from '../../../commands/context.ts';
import { type CommandResult, KEY_HEADER, type Outcome } from '../../../commands/handle-command.ts';
import { openIdSequence } from '../../../commands/reservations/ids.ts';
import { reserveNames, streamOfUser, takenName } from '../../../commands/reservations/user-names.ts';
import type { Attempt, UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Decision, rejected } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { type EventMetadata, LOG_START } from '../../../log/envelope.ts';
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
import {
  type ChangeDependencies,
  changeUser,
  handleUserCommand,
  type UserDependencies,
  type UserReference,
} from './user-changes.ts';

export type { UserDependencies, UserReference } from './user-changes.ts';

interface CredentialIssued extends Written<UserAccount> {
  /** Returned here, once; afterwards only its hash exists. Null: the same request was carried out before. */
  readonly secret: string | null;
}

export type IssueResult = Outcome<CredentialIssued>;

/** The credential as its user types it; null for one that was shown before. */
export const passwordOf = ({ id, credential = 0, secret }: CredentialIssued): string | null =>
  secret && tokenText({ user: id, credential, secret });

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
 * user can take another's e-mail address as a login. A request with a key takes effect once. Rejections:
 * `invalid_parameter`, `login_taken`, `email_taken`, `id_taken`, `busy`.
 */
export async function addUser(
  dependencies: UserDependencies,
  context: CommandContext,
  input: NewUser,
): Promise<IssueResult> {
  const problem = profileProblem(input);
  if (problem) return rejected(problem);
  const secret = dependencies.newSecret();
  let id: number | null = null;
  let hash: string | null = null;
  const added = await handleUserCommand(dependencies, context, {}, async (unit) => {
    const conflict = await takenName(unit.store, input);
    if (conflict) return conflict;
    id ??= await idFor(dependencies, unit.metadata, input.id);
    if (id === null) return rejected('id_taken');
    hash ??= await dependencies.hashSecret(secret);
    return planUser(unit, id, input, hash);
  });
  return withSecret(secret, added);
}

/** The secret of a repeated request is unknown: only its hash is stored. */
const withSecret = (secret: string, result: CommandResult<UserAccount>): IssueResult =>
  result.kind === 'rejected'
    ? result
    : { kind: 'written', written: { ...result.written, secret: result.written.created ? secret : null } };

/** Plans names, user and first credential, in this order: a reserved name without a user does no harm. */
async function planUser(
  unit: UnitOfWork,
  id: number,
  input: NewUser,
  hash: string,
): Promise<Attempt<UserAccount, UserFact>> {
  const stream = streamOfUser(id);
  const { revision } = await unit.load(stream, evolveUser);
  // Two concurrent requests for one id are both granted it; the second one to arrive here finds the first one's user.
  if (revision >= 0) return rejected('id_taken');
  const lost = await reserveNames(unit, id, input);
  if (lost) return lost;
  await unit.record(stream, factsOf(decideToAdd(id, input)));
  const { state: user } = await unit.load(stream, evolveUser);
  if (!user) throw new Error(`${stream} is planned and has no state`);
  const issuing = decideToIssue(user, { label: input.label, hash });
  if (issuing.kind === 'rejected') return issuing;
  await unit.record(stream, issuing.facts);
  return { kind: 'planned', id, stream, evolve: evolveUser, created: true, credential: FIRST };
}

/**
 * Issues another credential. A request with a key takes effect once. Rejections: `invalid_parameter`, and those of
 * `changeUser`.
 */
export async function issueCredential(
  dependencies: UserDependencies,
  context: CommandContext,
  reference: UserReference,
  label: string,
): Promise<IssueResult> {
  const secret = dependencies.newSecret();
  let hash: string | null = null;
  const decide = async (user: UserAccount) => {
    hash ??= await dependencies.hashSecret(secret);
    return decideToIssue(user, { label, hash });
  };
  const issued = withSecret(secret, await changeUser(dependencies, context, reference, decide, 'credential'));
  // A key that led to a credential of another user was used for something else.
  return issued.kind === 'written' && typeof reference === 'number' && issued.written.id !== reference
    ? rejected(invalidParameter(KEY_HEADER))
    : issued;
}

/** Revokes one credential, or all of them. Rejections: `credential_not_found`, and those of `changeUser`. */
export const revokeCredential = (
  dependencies: ChangeDependencies,
  context: CommandContext,
  reference: UserReference,
  which: number | 'all',
) => changeUser(dependencies, context, reference, (user) => decideToRevoke(user, which));

/**
 * Changes role, name or e-mail address; the login never changes. Rejections: `invalid_parameter`, and those of
 * `changeUser`.
 */
export const updateUser = (
  dependencies: ChangeDependencies,
  context: CommandContext,
  reference: UserReference,
  patch: Partial<Omit<UserProfile, 'login'>>,
) => changeUser(dependencies, context, reference, (user) => decideToChange(user, patch));

/** Removes a user: all credentials become invalid, the names become free, and the id is not reused. */
export const removeUser = (dependencies: ChangeDependencies, context: CommandContext, reference: UserReference) =>
  changeUser(dependencies, context, reference, decideToRemove);

/**
 * Sets a password; all sessions of the user end. `link`: the digest of the one that allows it; without it nothing but the
 * caller's right does. Rejections: `password_length`, `invalid_parameter`, and those of `changeUser`.
 */
export async function setPassword(
  dependencies: ChangeDependencies & Pick<UserDependencies, 'hashSecret'>,
  context: CommandContext,
  reference: UserReference,
  password: string,
  link?: string,
) {
  if (!isPassword(password)) return rejected('password_length');
  const hash = await dependencies.hashSecret(password);
  return changeUser(dependencies, context, reference, (user) =>
    link !== undefined && !isUsableLink(user, link, context.now)
      ? rejected(invalidParameter('link'))
      : decideToSet(user, hash),
  );
}

/**
 * Adds an administrator to a log that never had a user; null if it had. If several processes start at once, one of them
 * succeeds, because all want the same login.
 */
export async function ensureFirstAdministrator(
  dependencies: UserDependencies,
  context: CommandContext,
  input: Omit<NewUser, 'role' | 'id'>,
): Promise<IssueResult | null> {
  const users = await dependencies.store.readAll({ after: LOG_START, prefixes: ['user-'], limit: 1 });
  if (users.length > 0) return null;
  const added = await addUser(dependencies, context, { ...input, role: 'administrator' });
  return added.kind === 'rejected' && added.rejection.code === 'login_taken' ? null : added;
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
