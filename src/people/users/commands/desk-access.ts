// Getting into the desk: passwords, links for new ones, sessions.

import { type EventMetadata, instantOf } from '../../../log/envelope.ts';
import {
  issueResetLink as decideOnLink,
  endSession as decideToEnd,
  setPassword as decideToSet,
  startSession as decideToStart,
  isPassword,
  isUsableLink,
  type Session,
} from '../domain/desk-access.ts';
import { refused, type UserRefused } from './refusals.ts';
import {
  type ChangeDependencies,
  type ChangeTerms,
  changeUser,
  type Decide,
  factsOr,
  type UserDependencies,
  type UserReference,
  type UserWritten,
} from './user-changes.ts';

type Outcome = Promise<UserWritten | UserRefused>;

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
): Outcome {
  if (!isPassword(password)) return refused('invalid_password', '');
  const hash = await dependencies.hashSecret(password);
  const now = instantOf({ metadata });
  const decide: Decide = (user) => {
    if (link !== undefined && !isUsableLink(user, link, now)) return refused('invalid_link', 'the link');
    return factsOr(decideToSet(user, hash), 'unknown_user', String(reference));
  };
  return changeUser(dependencies, metadata, reference, decide, terms);
}

/** Records the digest of a link that sets a new password once. Refusals: `unknown_user`, `busy`. */
export function issueResetLink(
  dependencies: ChangeDependencies,
  metadata: EventMetadata,
  reference: UserReference,
  digest: string,
): Outcome {
  const decide: Decide = (user) => factsOr(decideOnLink(user, digest), 'unknown_user', String(reference));
  return changeUser(dependencies, metadata, reference, decide);
}

/** Starts a session; its number is `user.lastSession` of the result. Refusals: `unknown_user`, `busy`. */
export function startSession(
  dependencies: ChangeDependencies,
  metadata: EventMetadata,
  user: number,
  session: Omit<Session, 'id'>,
): Outcome {
  const decide: Decide = (account) => factsOr(decideToStart(account, session), 'unknown_user', String(user));
  return changeUser(dependencies, metadata, user, decide);
}

/** Ends one session, or all of them. Refusals: `unknown_user`, `unknown_session`, `busy`. */
export function endSession(
  dependencies: ChangeDependencies,
  metadata: EventMetadata,
  user: number,
  which: number | 'all',
): Outcome {
  const decide: Decide = (account) => factsOr(decideToEnd(account, which), 'unknown_session', String(which));
  return changeUser(dependencies, metadata, user, decide);
}
