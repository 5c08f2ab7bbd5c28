// Users, as the API answers them.
import { toWallClock } from '../../../time/zone.ts';
import { momentText } from '../../dates.ts';
import type { DeskRequest } from '../page.ts';

export const USERS = '/desk/users';
export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;
export type Role = (typeof ROLES)[number];

/** A token of a user, without its secret. */
export interface ShownCredential {
  readonly id: number;
  readonly label: string;
  readonly issued: string;
}

export interface ShownUser {
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly credentials: readonly ShownCredential[];
  readonly single_sign_on?: { readonly issuer: string; readonly subject: string };
}

export interface UsersPage {
  readonly users: readonly ShownUser[];
  readonly total: number;
  readonly total_pages: number;
}

export interface ShownSession {
  readonly id: number;
  readonly started: string;
}

/** What is shown once, in the answer to the form that made it. */
export interface Secrets {
  /** A link for a password. */
  readonly link?: string;
  /** Null: the form was sent again, and it was shown before. */
  readonly token?: string | null;
}

export const whenText = ({ language, siteZone }: DeskRequest, instant: string): string =>
  momentText(language.code, toWallClock(Math.floor(Date.parse(instant) / 1000), siteZone));
