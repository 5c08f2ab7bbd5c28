// Who asks. Null stands for nobody in particular: the public.

export type Role = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber';

export const ROLES: readonly Role[] = ['administrator', 'editor', 'author', 'contributor', 'subscriber'];

export interface User {
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly role: Role;
}

export type Caller = User | null;

/** What became of the credentials that a request brought (or did not bring). */
export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'refused'; readonly code: 'invalid_username' | 'invalid_email' | 'incorrect_password' };

/** Reads an `Authorization` header; malformed ones count as none. */
export type Authenticate = (authorization: string | undefined) => Promise<Authentication>;
