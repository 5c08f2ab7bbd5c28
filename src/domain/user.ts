// The user: who may sign in, with which role and credentials.

import type { EpochSeconds } from '../time/zone.ts';
import { accepted, type Decision, type Evolve, type Fact, rejected, UnfoldableFact } from './decider.ts';
import { ERASED, erasedText } from './erasure.ts';
import { invalidParameter, type Rejection } from './rejections.ts';

export type UserRole = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber';

export interface UserProfile {
  /** What the user signs in with, in any case. */
  readonly login: string;
  /** `''` for none. */
  readonly email: string;
  /** As shown to others. */
  readonly name: string;
  readonly role: UserRole;
}

export interface Credential {
  /** Counts from 1 for each user; the number of a revoked one is not given again. */
  readonly id: number;
  /** What it was issued for, as its issuer put it. */
  readonly label: string;
  /** Salted; the secret itself is nowhere. */
  readonly hash: string;
}

/** The identity of a user at a single sign-on: the subject is the issuer's own name for the user, and never changes. */
export interface SignOnIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** What a token of a single sign-on says of its bearer; `claimed` is when the issuer said so. */
export interface ClaimedProfile extends Pick<UserProfile, 'role' | 'name'> {
  readonly claimed: EpochSeconds;
}

export interface UserAccount extends UserProfile {
  readonly id: number;
  /** Those that are good to sign in with, oldest first. */
  readonly credentials: readonly (Credential & { readonly issued: EpochSeconds })[];
  /** The highest credential number ever given. */
  readonly lastCredential: number;
  /** Absent for whom no single sign-on vouches. */
  readonly identity?: SignOnIdentity;
  /** When the issuer said what is recorded of role and name; absent before it has said anything. */
  readonly claimed?: EpochSeconds;
  /** Only once personal data has been erased: it does not come back, and the user cannot sign in. */
  readonly erased?: true;
}

/** On facts that a token of a single sign-on has caused. */
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
  | Fact<'UserRemoved', Record<string, never>>
  | Fact<'UserErased', Record<string, never>>;

const MAX_LOGIN_LENGTH = 60;
const MAX_EMAIL_LENGTH = 100;
// A colon ends the login in an `Authorization` header; the rest could not be told apart by eye, or not be typed.
const LOGIN = /^[^\s:\p{C}](?:[^:\p{C}\p{Zl}\p{Zp}]*[^\s:\p{C}])?$/u;
const EMAIL = /^[^\s@:\p{C}]+@[^\s@:\p{C}]+$/u;

/** What is wrong with a profile; null when nothing is. `parameter` is `login`, `email` or `name`. */
export function profileProblem({ login, email, name }: Omit<UserProfile, 'role'>): Rejection | null {
  // No profile may look like that of an erased user.
  if (login.length > MAX_LOGIN_LENGTH || !LOGIN.test(login) || login === ERASED) return invalidParameter('login');
  if (email !== '' && (email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email))) return invalidParameter('email');
  return name.trim() === '' || name.trim() === ERASED ? invalidParameter('name') : null;
}

/** The form in which logins and e-mails are compared: `Ann` and `ann` are one. */
export const comparedName = (loginOrEmail: string): string => loginOrEmail.toLowerCase();

/** The names reserved for this user: login and e-mail, as compared, without repetition. */
export const namesOf = ({ login, email }: Pick<UserProfile, 'login' | 'email'>): readonly string[] => [
  ...new Set([login, email].filter((name) => name !== '').map(comparedName)),
];

export function addUser(id: number, profile: UserProfile): Decision<UserFact> {
  const problem = profileProblem(profile);
  if (problem) return rejected(problem);
  const { login, email, name, role } = profile;
  return accepted([{ type: 'UserAdded', data: { id, login, email, name, role } }]);
}

/** Issues a credential for a secret that is known by its hash; it gets the user's next number. */
export function issueCredential(
  user: UserAccount,
  { label, hash }: Pick<Credential, 'label' | 'hash'>,
): Decision<UserFact> {
  if (user.erased) return rejected(invalidParameter('user'));
  if (label.trim() === '') return rejected(invalidParameter('label'));
  return accepted([
    { type: 'UserCredentialIssued', data: { credential: { id: user.lastCredential + 1, label, hash } } },
  ]);
}

/** Revokes one credential, or all of them; one that is not good any more is an error (`credential`). */
export function revokeCredential(user: UserAccount, which: number | 'all'): Decision<UserFact> {
  const good = user.credentials.map(({ id }) => id);
  const revoked = which === 'all' ? good : good.filter((id) => id === which);
  if (which !== 'all' && revoked.length === 0) return rejected(invalidParameter('credential'));
  return accepted(revoked.map((credentialId) => ({ type: 'UserCredentialRevoked', data: { credentialId } })));
}

/** Changes a user; facts come out for what differs. The login is for ever. */
export function changeUser(user: UserAccount, patch: Partial<Omit<UserProfile, 'login'>>): Decision<UserFact> {
  const { role = user.role, name = user.name, email = user.email } = patch;
  if (user.erased && (name !== user.name || email !== user.email)) return rejected(invalidParameter('user'));
  const problem = profileProblem({ login: user.login, name, email });
  if (problem) return rejected(problem);
  const facts: UserFact[] = [];
  if (role !== user.role) facts.push({ type: 'UserRoleChanged', data: { role } });
  if (name !== user.name) facts.push({ type: 'UserRenamed', data: { name } });
  if (email !== user.email) facts.push({ type: 'UserEmailChanged', data: { email } });
  return accepted(facts);
}

/** Binds a user to the one whom an issuer vouches for; a user is bound once and for ever. */
export function bindIdentity(user: UserAccount, identity: SignOnIdentity, claimed: EpochSeconds): Decision<UserFact> {
  if (user.identity !== undefined || user.erased) return rejected(invalidParameter('identity'));
  const { issuer, subject } = identity;
  return accepted([{ type: 'UserIdentityBound', data: { issuer, subject, claimed } }]);
}

/**
 * Takes over role and name as an issuer says them now. What it said before the last time that something was taken over
 * changes nothing: an older token that is still in use does not undo what a newer one has told.
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

/** Whether a user can administer this calendar with a credential of its own, independent of a single sign-on. */
export const isUsableAdministrator = (user: UserAccount | null): boolean =>
  user?.role === 'administrator' && user.credentials.length > 0;

/** Removes a user. What the user wrote keeps the id as its author, so the id is not given again. */
export const removeUser = (): Decision<UserFact> => accepted([{ type: 'UserRemoved', data: {} }]);

/** Erases what is known of a person, whether the user is still there or has been removed; never twice. */
export const eraseUser = (user: UserAccount | null): Decision<UserFact> =>
  accepted(user?.erased ? [] : [{ type: 'UserErased', data: {} }]);

/** What is left: an id for what the user wrote, and the role that the user had. */
function withoutPerson({ identity: _identity, claimed: _claimed, ...user }: UserAccount): UserAccount {
  return { ...user, login: ERASED, name: ERASED, email: erasedText(user.email), credentials: [], erased: true };
}

export const evolveUser: Evolve<UserAccount, UserFact> = (user, fact, at) => {
  if (fact.type === 'UserAdded') return { ...fact.data, credentials: [], lastCredential: 0 };
  if (fact.type === 'UserErased') return user && withoutPerson(user);
  if (!user) throw new UnfoldableFact(fact.type);
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
      return { ...user, credentials: user.credentials.filter(({ id }) => id !== credentialId) };
    }
    case 'UserIdentityBound': {
      const { issuer, subject, claimed } = fact.data;
      return { ...user, identity: { issuer, subject }, ...(claimed !== undefined && { claimed }) };
    }
    case 'UserRoleChanged':
    case 'UserRenamed':
    case 'UserEmailChanged':
      return { ...user, ...fact.data };
    case 'UserRemoved':
      return null;
    default:
      throw new UnfoldableFact((fact as Fact).type); // Never by its type, yet the log may hold what today's code does not know.
  }
};
