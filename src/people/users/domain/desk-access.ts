// How a user gets into the desk: a password of their own, sessions, and links for setting a new password.

import { accepted, type Decision, type Fact, rejected } from '../../../domain/decider.ts';
import { present } from '../../../domain/present.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';

interface Session {
  /** Counts from 1 for each user; numbers of ended ones are not reused. */
  readonly id: number;
  /** SHA-256 of the secret in the cookie. */
  readonly digest: string;
  /** The credential that it was started with; absent after the password. */
  readonly credential?: number;
  /** When it ends by itself, if that is earlier than others do. */
  readonly ends?: EpochSeconds;
}

export type RunningSession = Session & { readonly started: EpochSeconds };

/** Each member is absent until there is such a fact. */
export interface DeskAccess {
  /** Salted; the password itself is not stored. */
  readonly passwordHash?: string;
  /** Oldest first. When one starts, those that have run out are left out, and the oldest beyond the limit. */
  readonly sessions?: readonly RunningSession[];
  /** The highest session number ever used. */
  readonly lastSession?: number;
  /** SHA-256 of the secret in a link that sets a new password, once. */
  readonly resetLink?: { readonly digest: string; readonly issued: EpochSeconds };
}

export type DeskFact =
  | Fact<'UserPasswordSet', { readonly hash: string }>
  | Fact<'UserResetLinkIssued', { readonly digest: string }>
  | Fact<'UserSessionStarted', { readonly session: Session }>
  | Fact<'UserSessionEnded', { readonly sessionId: number }>;

type Person = DeskAccess & { readonly erased?: true };

const DAY = 86_400;
export const SESSION_SECONDS = 14 * DAY;
/** The sessions of one user: beyond them the oldest ends. */
export const MAX_SESSIONS = 50;
/** After a single sign-on: an account that was closed there loses the desk on the same day. */
export const SIGN_ON_SESSION_SECONDS = DAY / 2;
export const RESET_LINK_SECONDS = DAY;
const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 1_000;

/** Whether a password may be chosen. Characters are counted, not bytes. */
export function isPassword(password: string): boolean {
  const { length } = [...password.slice(0, MAX_PASSWORD_LENGTH + 1)];
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
}

/** When a session ends by itself. */
export const endOf = ({ started, ends = started + SESSION_SECONDS }: RunningSession): EpochSeconds => ends;

export const isRunning = (session: RunningSession, now: EpochSeconds): boolean => now < endOf(session);

/** Whether a link with this digest can be used. */
export const isUsableLink = ({ resetLink }: DeskAccess, digest: string, now: EpochSeconds): boolean =>
  resetLink?.digest === digest && now < resetLink.issued + RESET_LINK_SECONDS;

/** Sets a hashed password. All sessions and the link for a new one end. */
export const setPassword = (user: Person, hash: string): Decision<DeskFact> =>
  user.erased ? rejected('user_not_found') : accepted([{ type: 'UserPasswordSet', data: { hash } }]);

/** Issues a link for a new password, in place of an earlier one. */
export const issueResetLink = (user: Person, digest: string): Decision<DeskFact> =>
  user.erased ? rejected('user_not_found') : accepted([{ type: 'UserResetLinkIssued', data: { digest } }]);

export function startSession(user: Person, { digest, credential, ends }: Omit<Session, 'id'>): Decision<DeskFact> {
  if (user.erased) return rejected('user_not_found');
  const session = { id: (user.lastSession ?? 0) + 1, digest, ...present({ credential, ends }) };
  return accepted([{ type: 'UserSessionStarted', data: { session } }]);
}

/** Ends one session, or all of them; an unknown one is an error (`session`). */
export function endSession({ sessions = [] }: DeskAccess, which: number | 'all'): Decision<DeskFact> {
  const ending = which === 'all' ? sessions : sessions.filter(({ id }) => id === which);
  if (which !== 'all' && ending.length === 0) return rejected(invalidParameter('session'));
  return accepted(ending.map(({ id }) => ({ type: 'UserSessionEnded', data: { sessionId: id } })));
}

/** A user after such a fact. */
export function evolveDeskAccess<U extends DeskAccess>(user: U, fact: DeskFact, at: EpochSeconds): U {
  switch (fact.type) {
    case 'UserPasswordSet': {
      const { resetLink: _used, ...rest } = user;
      // Without an optional member it is the same kind of user.
      return { ...(rest as U), passwordHash: fact.data.hash, sessions: [] };
    }
    case 'UserResetLinkIssued':
      return { ...user, resetLink: { digest: fact.data.digest, issued: at } };
    case 'UserSessionStarted': {
      const { session } = fact.data;
      const running = (user.sessions ?? []).filter((one) => isRunning(one, at));
      const sessions = [...running, { ...session, started: at }].slice(-MAX_SESSIONS);
      return { ...user, sessions, lastSession: session.id };
    }
    case 'UserSessionEnded': {
      const { sessionId } = fact.data;
      return { ...user, sessions: (user.sessions ?? []).filter(({ id }) => id !== sessionId) };
    }
  }
}

/** A user after a credential was revoked: what was started with it ends. */
export const withoutSessionsOf = <U extends DeskAccess>(user: U, credential: number): U =>
  user.sessions === undefined
    ? user
    : { ...user, sessions: user.sessions.filter((session) => session.credential !== credential) };
