// Who asks. Null is the public.

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
  | { readonly kind: 'refused'; readonly code: CredentialRefusal | SignOnRefusal };

export type CredentialRefusal = 'invalid_username' | 'invalid_email' | 'incorrect_password';

/** Of tokens of a single sign-on. */
export type SignOnRefusal = 'rest_invalid_token' | 'rest_no_role' | 'rest_user_removed' | 'rest_sign_on_unavailable';

/** The account of an attempt to sign in. */
export interface TriedAccount {
  readonly name: string;
  /** Whether there is such an account. */
  readonly exists: boolean;
}

/**
 * Asked before a credential is verified that was never right before. It throws where too many were wrong; what it
 * answers is told when the credential was right, or could not be verified at all.
 */
export type BeforeVerifying = (account: TriedAccount) => { forgive(): void };

/** Reads an `Authorization` header; malformed ones count as none. Rejects with what `beforeVerifying` throws. */
export type Authenticate = (
  authorization: string | undefined,
  beforeVerifying?: BeforeVerifying,
) => Promise<Authentication>;
