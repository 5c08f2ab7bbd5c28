// Adding users, issuing and revoking their credentials. Only the command line and the first start do this.
import type { Decision } from '../domain/decider.ts';
import {
  comparedName,
  addUser as decideToAdd,
  issueCredential as decideToIssue,
  revokeCredential as decideToRevoke,
  evolveUser,
  namesOf,
  profileProblem,
  type UserAccount,
  type UserFact,
  type UserProfile,
} from '../domain/user.ts';
import { type EventMetadata, LOG_START, type Position } from '../event-store/envelope.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { openIdSequence } from './ids.ts';
import { findFreeSlug, ownerOfSlug } from './slugs.ts';
import { beginUnit, type Unit } from './unit.ts';

export interface UserDependencies {
  readonly store: EventStore;
  readonly newEventId: () => string;
  readonly newSecret: () => string;
  /** Salted hash of a secret. */
  readonly hashSecret: (secret: string) => Promise<string>;
}

export type UserRefusal =
  | 'invalid_login'
  | 'invalid_email'
  | 'invalid_name'
  | 'invalid_label'
  | 'login_taken'
  | 'email_taken'
  | 'id_taken'
  | 'unknown_user'
  | 'unknown_credential'
  | 'busy';

/** `value` is what was refused, as it was given. */
export interface UserRefused {
  readonly kind: 'refused';
  readonly why: UserRefusal;
  readonly value: string;
}

export interface UserWritten {
  readonly kind: 'written';
  readonly user: UserAccount;
  readonly position: Position;
}

/** A credential's secret is told once, here; afterwards only its hash is left. */
export interface CredentialIssued extends UserWritten {
  readonly credentialId: number;
  readonly secret: string;
}

export interface NewUser extends UserProfile {
  /** What the first credential is for. */
  readonly label: string;
  /** A wish; without one the user gets the next id. */
  readonly id?: number;
}

/** Lost races before giving up: people do not add users that fast. */
const MOST_ATTEMPTS = 5;
/** All wishes for ids are of one claimant: what decides is whether `user-<id>` was ever written. */
const CLAIMANT = 'users';

const refused = (why: UserRefusal, value: string): UserRefused => ({ kind: 'refused', why, value });

const streamOf = (id: number): string => `user-${id}`;

/**
 * Adds a user with a first credential, all or nothing. Login and e-mail share one register, so that nobody can take as
 * a login what another one signs in with. Refusals: `invalid_*`, `login_taken`, `email_taken`, `id_taken`, `busy`.
 */
export async function addUser(
  dependencies: UserDependencies,
  metadata: EventMetadata,
  wanted: NewUser,
): Promise<CredentialIssued | UserRefused> {
  const { store, newEventId } = dependencies;
  const problem = profileProblem(wanted);
  if (problem) return invalid(problem.parameter, wanted);
  const taken = await takenName(store, wanted);
  if (taken) return taken;
  const id = await idFor(dependencies, metadata, wanted.id);
  if (id === null) return refused('id_taken', String(wanted.id));
  const secret = dependencies.newSecret();
  const hash = await dependencies.hashSecret(secret);
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const unit = beginUnit(store, metadata, newEventId);
    const refusal = await planUser(unit, id, wanted, hash);
    if (refusal) return refusal;
    const outcome = await unit.commit();
    if (outcome.kind === 'appended') return issued(unit, id, secret, outcome.written.at(-1)?.position);
    if (outcome.stream === streamOf(id)) return refused('id_taken', String(id));
  }
  return refused('busy', wanted.login);
}

/** Plans names, user and first credential, in this order: a name that is reserved for nobody does no harm. */
async function planUser(unit: Unit, id: number, wanted: NewUser, hash: string): Promise<UserRefused | null> {
  const stream = streamOf(id);
  const { revision } = await unit.load(stream, evolveUser);
  // Two who wish for the same id at once are both granted it; the second one to get here finds the first one's user.
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

/** Issues another credential to the user of that login or e-mail. Refusals: `unknown_user`, `invalid_label`, `busy`. */
export async function issueCredential(
  dependencies: UserDependencies,
  metadata: EventMetadata,
  loginOrEmail: string,
  label: string,
): Promise<CredentialIssued | UserRefused> {
  const secret = dependencies.newSecret();
  const hash = await dependencies.hashSecret(secret);
  const written = await changeUser(dependencies, metadata, loginOrEmail, (user) => {
    const issuing = decideToIssue(user, { label, hash });
    return issuing.kind === 'rejected' ? refused('invalid_label', label) : issuing.facts;
  });
  if (written.kind === 'refused') return written;
  return { ...written, credentialId: written.user.lastCredential, secret };
}

/**
 * Revokes one credential of the user of that login or e-mail, or all of them. Refusals: `unknown_user`,
 * `unknown_credential` (never issued, or revoked already), `busy`.
 */
export function revokeCredential(
  dependencies: Pick<UserDependencies, 'store' | 'newEventId'>,
  metadata: EventMetadata,
  loginOrEmail: string,
  which: number | 'all',
): Promise<UserWritten | UserRefused> {
  return changeUser(dependencies, metadata, loginOrEmail, (user) => {
    const revoking = decideToRevoke(user, which);
    return revoking.kind === 'rejected' ? refused('unknown_credential', String(which)) : revoking.facts;
  });
}

/**
 * Adds an administrator to a log in which there has never been a user; null when there has. Of several processes that
 * start at once one gets there first, as they all want the same login.
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

async function changeUser(
  { store, newEventId }: Pick<UserDependencies, 'store' | 'newEventId'>,
  metadata: EventMetadata,
  loginOrEmail: string,
  decide: (user: UserAccount) => readonly UserFact[] | UserRefused,
): Promise<UserWritten | UserRefused> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const unit = beginUnit(store, metadata, newEventId);
    const stream = await ownerOfSlug(unit.store, 'user', comparedName(loginOrEmail));
    const { state: user } = stream === null ? { state: null } : await unit.load(stream, evolveUser);
    if (stream === null || user === null) return refused('unknown_user', loginOrEmail);
    const facts = decide(user);
    if ('kind' in facts) return facts;
    await unit.record(stream, facts);
    const outcome = await unit.commit();
    if (outcome.kind === 'appended') return asWritten(unit, user.id, outcome.written.at(-1)?.position);
  }
  return refused('busy', loginOrEmail);
}

async function asWritten(unit: Unit, id: number, position: Position | undefined): Promise<UserWritten> {
  const { state: user, position: before } = await unit.load(streamOf(id), evolveUser);
  if (!user) throw new Error(`${streamOf(id)} was written and has no state`);
  return { kind: 'written', user, position: position ?? before };
}

async function issued(
  unit: Unit,
  id: number,
  secret: string,
  position: Position | undefined,
): Promise<CredentialIssued> {
  const { user, ...rest } = await asWritten(unit, id, position);
  return { ...rest, user, credentialId: user.lastCredential, secret };
}

/** A free id as it was wished for, or the next one; null when the wish cannot be granted. */
async function idFor(
  { store, newEventId }: UserDependencies,
  metadata: EventMetadata,
  wish: number | undefined,
): Promise<number | null> {
  const ids = openIdSequence(store, { stream: 'ids-user', first: 1, blockSize: 1, newEventId });
  if (wish === undefined) return ids.next(metadata);
  const isUsed = async (id: number) => (await store.readStream(streamOf(id), { limit: 1 })).length > 0;
  const granted = await ids.claim([wish], metadata, { claimant: CLAIMANT, isUsed });
  return granted.has(wish) ? wish : null;
}

/** Looked at before an id is spent; what is decided here is decided for good only by `reserveNames`. */
async function takenName(store: EventStore, wanted: NewUser): Promise<UserRefused | null> {
  for (const name of namesOf(wanted)) {
    const owner = await ownerOfSlug(store, 'user', name);
    const isWritten = owner !== null && (await store.readStream(owner, { limit: 1 })).length > 0;
    if (isWritten) return takenAs(name, wanted);
  }
  return null;
}

async function reserveNames(unit: Unit, id: number, wanted: NewUser): Promise<UserRefused | null> {
  const { metadata, newEventId } = unit;
  for (const name of namesOf(wanted)) {
    const request = { kind: 'user', wanted: name, owner: streamOf(id), metadata, newEventId };
    const { slug, append } = await findFreeSlug(unit.store, request);
    if (slug !== name) return takenAs(name, wanted);
    unit.add(append);
  }
  return null;
}

const takenAs = (name: string, { login, email }: NewUser): UserRefused =>
  comparedName(login) === name ? refused('login_taken', login) : refused('email_taken', email);

function invalid(parameter: string | undefined, { login, email, name }: NewUser): UserRefused {
  if (parameter === 'login') return refused('invalid_login', login);
  return parameter === 'email' ? refused('invalid_email', email) : refused('invalid_name', name);
}

/** The facts of a decision that cannot be rejected, because its conditions were checked before. */
function factsOf(decision: Decision<UserFact>): readonly UserFact[] {
  if (decision.kind === 'accepted') return decision.facts;
  throw new Error(`a checked profile was rejected: ${decision.rejection.parameter}`);
}
