// The user: who may sign in, with which role and credentials.

import { accepted, type Decision, type Evolve, type Fact, rejected, UnexpectedFact } from '../../../domain/decider.ts';
import { invalidParameter, type Rejection } from '../../../domain/rejections.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { ERASED, erasedText } from '../../personal-data/domain/erasure.ts';
import { type DeskAccess, type DeskFact, evolveDeskAccess, withoutSessionsOf } from './desk-access.ts';
import { evolveSearches, type Searcher, type SearchFact } from './saved-searches.ts';

export type UserRole = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber';

export interface UserProfile {
  /** The user signs in with it, in any case of letters. */
  readonly login: string;
  /** `''` for none. */
  readonly email: string;
  /** As shown to others. */
  readonly name: string;
  readonly role: UserRole;
}

export interface Credential {
  /** Counts from 1 for each user; numbers of revoked ones are not reused. */
  readonly id: number;
  /** What it was issued for, in the issuer's words. */
  readonly label: string;
  /** Salted; the secret itself is not stored. */
  readonly hash: string;
}

/** The identity of a user at a single sign-on: the subject is the issuer's own, unchanging id of the user. */
export interface SignOnIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** The claims of a single sign-on token; `claimed` is when it was issued. */
interface ClaimedProfile extends Pick<UserProfile, 'role' | 'name'> {
  readonly claimed: EpochSeconds;
}

export interface UserAccount extends UserProfile, DeskAccess, Searcher {
  readonly id: number;
  /** Valid credentials, oldest first. */
  readonly credentials: readonly (Credential & { readonly issued: EpochSeconds })[];
  /** The highest credential number ever issued. */
  readonly lastCredential: number;
  /** Absent for users without single sign-on. */
  readonly identity?: SignOnIdentity;
  /** When the token was issued that role and name come from; absent before the first one. */
  readonly claimed?: EpochSeconds;
  /** Set once personal data has been erased: none can be added again, and the user cannot sign in. */
  readonly erased?: true;
}

/** On facts caused by a single sign-on token. */
interface Claimed {
  readonly claimed?: EpochSeconds;
}

export type UserFact =
  | Fact<'UserAdded', UserProfile & { readonly id: number }>
  | Fact<'UserCredentialIssued', { readonly credential: Credential }>
  | Fact<'UserCredentialRevoked', { readonly credentialId: number }>
  | Fact<'UserIdentityBound', SignOnIdentity & Claimed>
  | Fact<'UserRoleChanged', Pick<UserProfile, 'role'> & Claimed>
  | Fact<'UserRenamed', Pick<UserProfile, 'name'> & Claimed>
  | Fact<'UserEmailChanged', Pick<UserProfile, 'email'>>
  | DeskFact
  | SearchFact
  | Fact<'UserRemoved', Record<string, never>>
  | Fact<'UserErased', Record<string, never>>;

const MAX_LOGIN_LENGTH = 60;
const MAX_EMAIL_LENGTH = 100;
// A colon ends the login in an `Authorization` header; the other characters cannot be told apart by eye or not be
// typed.
const LOGIN = /^[^\s:\p{C}](?:[^:\p{C}\p{Zl}\p{Zp}]*[^\s:\p{C}])?$/u;
const EMAIL = /^[^\s@:\p{C}]+@[^\s@:\p{C}]+$/u;

/** What is invalid in a profile; null if nothing is. `parameter` is `login`, `email` or `name`. */
export function profileProblem({ login, email, name }: Omit<UserProfile, 'role'>): Rejection | null {
  // No profile may look like that of an erased user.
  if (login.length > MAX_LOGIN_LENGTH || !LOGIN.test(login) || login === ERASED) return invalidParameter('login');
  if (email !== '' && (email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email))) return invalidParameter('email');
  return name.trim() === '' || name.trim() === ERASED ? invalidParameter('name') : null;
}

/** The form in which logins and e-mail addresses are compared: `Ann` equals `ann`. */
export const comparedName = (loginOrEmail: string): string => loginOrEmail.toLowerCase();

/**
 * The names reserved for this user: login and e-mail address in the form in which they are compared, without
 * duplicates.
 */
export const namesOf = ({ login, email }: Pick<UserProfile, 'login' | 'email'>): readonly string[] => [
  ...new Set([login, email].filter(Boolean).map(comparedName)),
];

export function addUser(id: number, profile: UserProfile): Decision<UserFact> {
  const problem = profileProblem(profile);
  if (problem) return rejected(problem);
  const { login, email, name, role } = profile;
  return accepted([{ type: 'UserAdded', data: { id, login, email, name, role } }]);
}

/** Issues a credential for a hashed secret, with the user's next number. */
export function issueCredential(
  user: UserAccount,
  { label, hash }: Pick<Credential, 'label' | 'hash'>,
): Decision<UserFact> {
  if (user.erased) return rejected('user_not_found');
  if (label.trim() === '') return rejected(invalidParameter('label'));
  return accepted([
    { type: 'UserCredentialIssued', data: { credential: { id: user.lastCredential + 1, label, hash } } },
  ]);
}

/** Revokes one credential, or all of them; there must be such a one, not yet revoked. */
export function revokeCredential(user: UserAccount, which: number | 'all'): Decision<UserFact> {
  const good = user.credentials.map(({ id }) => id);
  const revoked = which === 'all' ? good : good.filter((id) => id === which);
  if (which !== 'all' && revoked.length === 0) return rejected('credential_not_found');
  return accepted(revoked.map((credentialId) => ({ type: 'UserCredentialRevoked', data: { credentialId } })));
}

/** Changes a user; returns facts for differences only. The login never changes. */
export function changeUser(user: UserAccount, patch: Partial<Omit<UserProfile, 'login'>>): Decision<UserFact> {
  const { role = user.role, name = user.name, email = user.email } = patch;
  if (user.erased && (name !== user.name || email !== user.email)) return rejected('user_not_found');
  const problem = profileProblem({ login: user.login, name, email });
  if (problem) return rejected(problem);
  const facts: UserFact[] = [];
  if (role !== user.role) facts.push({ type: 'UserRoleChanged', data: { role } });
  if (name !== user.name) facts.push({ type: 'UserRenamed', data: { name } });
  if (email !== user.email) facts.push({ type: 'UserEmailChanged', data: { email } });
  return accepted(facts);
}

/** Links a user to an identity of an issuer, once and for ever. */
export function bindIdentity(user: UserAccount, identity: SignOnIdentity, claimed: EpochSeconds): Decision<UserFact> {
  if (user.identity !== undefined || user.erased) return rejected(invalidParameter('identity'));
  const { issuer, subject } = identity;
  return accepted([{ type: 'UserIdentityBound', data: { issuer, subject, claimed } }]);
}

/**
 * Adopts role and name from a token. A token older than the last adopted one changes nothing, so an old token that is
 * still in use does not undo a newer one.
 */
export function followClaims(user: UserAccount, { role, name, claimed }: ClaimedProfile): Decision<UserFact> {
  if (user.claimed !== undefined && claimed <= user.claimed) return accepted([]);
  const changes = changeUser(user, { role, name });
  if (changes.kind === 'rejected') return changes;
  return accepted(
    changes.facts.map((fact): UserFact => {
      if (fact.type === 'UserRoleChanged') return { ...fact, data: { ...fact.data, claimed } };
      return fact.type === 'UserRenamed' ? { ...fact, data: { ...fact.data, claimed } } : fact;
    }),
  );
}

/** Whether a user is an administrator with a token or password of their own, independent of single sign-on. */
export const isUsableAdministrator = (user: UserAccount | null): boolean =>
  user?.role === 'administrator' && (user.credentials.length > 0 || user.passwordHash !== undefined);

/** Removes a user. The user's posts keep the id as their author, so the id is not reused. */
export const removeUser = (): Decision<UserFact> => accepted([{ type: 'UserRemoved', data: {} }]);

/** Erases personal data, of a present or removed user, at most once. */
export const eraseUser = (user: UserAccount | null): Decision<UserFact> =>
  accepted(user?.erased ? [] : [{ type: 'UserErased', data: {} }]);

/** What remains: the id, as the author of posts, and the role. */
function withoutPerson(account: UserAccount): UserAccount {
  const { identity: _i, claimed: _c, passwordHash: _p, sessions: _s, resetLink: _r, searches: _q, ...user } = account;
  return { ...user, login: ERASED, name: ERASED, email: erasedText(user.email), credentials: [], erased: true };
}

export const evolveUser: Evolve<UserAccount, UserFact> = (user, fact, at) => {
  if (fact.type === 'UserAdded') return { ...fact.data, credentials: [], lastCredential: 0 };
  if (fact.type === 'UserErased') return user && withoutPerson(user);
  if (!user) throw new UnexpectedFact(fact);
  switch (fact.type) {
    case 'UserCredentialIssued': {
      const { credential } = fact.data;
      return {
        ...user,
        credentials: [...user.credentials, { ...credential, issued: at }],
        lastCredential: credential.id,
      };
    }
    case 'UserCredentialRevoked': {
      const { credentialId } = fact.data;
      const left = user.credentials.filter(({ id }) => id !== credentialId);
      return withoutSessionsOf({ ...user, credentials: left }, credentialId);
    }
    case 'UserIdentityBound': {
      const { issuer, subject, claimed } = fact.data;
      return { ...user, identity: { issuer, subject }, ...(claimed !== undefined && { claimed }) };
    }
    case 'UserRoleChanged':
    case 'UserRenamed':
    case 'UserEmailChanged':
      return { ...user, ...fact.data };
    case 'UserPasswordSet':
    case 'UserResetLinkIssued':
    case 'UserSessionStarted':
    case 'UserSessionEnded':
      return evolveDeskAccess(user, fact, at);
    case 'UserSearchSaved':
    case 'UserSearchRemoved':
      return evolveSearches(user, fact);
    case 'UserRemoved':
      return null;
    default:
      throw new UnexpectedFact(fact); // Never by its type, yet the log may hold what today's code does not know.
  }
};
