// Users, as the API answers them.
import type { Answer, AnswerOf, PageOf } from '../../../http/schemas/components.ts';
import type { sessions } from '../http/user-schema.ts';

export const USERS = '/desk/users';

export type User = Answer<'User'>;
export type Sessions = AnswerOf<typeof sessions>;

export type UsersPage = PageOf<'users', User>;

/** What is shown once, in the answer to the form that made it. */
export interface Secrets {
  /** A link for a password. */
  readonly link?: string;
  /** Null: the form was sent again, and it was shown before. */
  readonly token?: string | null;
}
