// The caller of a request. Null is the public.

export type Role = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber';

export const ROLES: readonly Role[] = ['administrator', 'editor', 'author', 'contributor', 'subscriber'];

export interface User {
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly role: Role;
}

export type Caller = User | null;

/** The result of checking a request's credentials, if it has any. */
export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'refused'; readonly code: CredentialRefusal | SignOnRefusal };

export type CredentialRefusal = 'invalid_username' | 'invalid_email' | 'incorrect_password';

/** For single sign-on tokens. */
type SignOnRefusal = 'rest_invalid_token' | 'rest_no_role' | 'rest_user_removed' | 'rest_sign_on_unavailable';

/** The account of a sign-in attempt. */
export interface TriedAccount {
  readonly name: string;
  /** Whether the account exists. */
  readonly exists: boolean;
}

/**
 * Called before a credential is verified that was never right before. It throws if too many were wrong; the function
 * that it returns is called if the credential was right, or could not be verified at all.
 */
export type BeforeVerifying = (account: TriedAccount) => { forgive(): void };

/** Reads an `Authorization` header; malformed ones count as none. Rejects with what `beforeVerifying` throws. */
export type Authenticate = (
  authorization: string | undefined,
  beforeVerifying?: BeforeVerifying,
) => Promise<Authentication>;
