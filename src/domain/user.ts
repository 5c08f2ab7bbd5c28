// The user: somebody who may sign in, the role that says what for, and the credentials that prove it.
import { accepted, type Decision, type Evolve, type Fact, rejected, UnfoldableFact } from './decider.ts';
import { invalidParameter, type Rejection } from './rejections.ts';
import type { EpochSeconds } from './zone.ts';

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
  /** What it was issued for, in words of whoever issued it. */
  readonly label: string;
  /** Salted; the secret itself is nowhere. */
  readonly hash: string;
}

export interface UserAccount extends UserProfile {
  readonly id: number;
  /** Those that are good to sign in with, oldest first. */
  readonly credentials: readonly (Credential & { readonly issued: EpochSeconds })[];
  /** The highest credential number ever given. */
  readonly lastCredential: number;
}

export type UserFact =
  | Fact<'UserAdded', UserProfile & { readonly id: number }>
  | Fact<'UserCredentialIssued', { readonly credential: Credential }>
  | Fact<'UserCredentialRevoked', { readonly credentialId: number }>
  | Fact<'UserRoleChanged', Pick<UserProfile, 'role'>>
  | Fact<'UserRenamed', Pick<UserProfile, 'name'>>
  | Fact<'UserEmailChanged', Pick<UserProfile, 'email'>>
  | Fact<'UserRemoved', Record<string, never>>;

const LONGEST_LOGIN = 60;
const LONGEST_EMAIL = 100;
// A colon ends the login in an `Authorization` header; the rest could not be told apart by eye, or not be typed.
const LOGIN = /^[^\s:\p{C}](?:[^:\p{C}\p{Zl}\p{Zp}]*[^\s:\p{C}])?$/u;
const EMAIL = /^[^\s@:\p{C}]+@[^\s@:\p{C}]+$/u;

/** What is wrong with a profile; null when nothing is. `parameter` is `login`, `email` or `name`. */
export function profileProblem({ login, email, name }: Omit<UserProfile, 'role'>): Rejection | null {
  if (login.length > LONGEST_LOGIN || !LOGIN.test(login)) return invalidParameter('login');
  if (email !== '' && (email.length > LONGEST_EMAIL || !EMAIL.test(email))) return invalidParameter('email');
  return name.trim() === '' ? invalidParameter('name') : null;
}

/** The form in which logins and e-mails are compared: `Ann` and `ann` are one. */
export const comparedName = (loginOrEmail: string): string => loginOrEmail.toLowerCase();

/** Everything that nobody else may sign in as: login and e-mail, as compared, without repetition. */
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
  const problem = profileProblem({ login: user.login, name, email });
  if (problem) return rejected(problem);
  const facts: UserFact[] = [];
  if (role !== user.role) facts.push({ type: 'UserRoleChanged', data: { role } });
  if (name !== user.name) facts.push({ type: 'UserRenamed', data: { name } });
  if (email !== user.email) facts.push({ type: 'UserEmailChanged', data: { email } });
  return accepted(facts);
}

/** Removes a user. What the user wrote keeps the id as its author, so the id is not given again. */
export const removeUser = (): Decision<UserFact> => accepted([{ type: 'UserRemoved', data: {} }]);

export const evolveUser: Evolve<UserAccount, UserFact> = (user, fact, at) => {
  if (fact.type === 'UserAdded') return { ...fact.data, credentials: [], lastCredential: 0 };
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
