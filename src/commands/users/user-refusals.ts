// Why a command about users was refused.

export type UserRefusal =
  | 'invalid_login'
  | 'invalid_email'
  | 'invalid_name'
  | 'invalid_label'
  | 'login_taken'
  | 'email_taken'
  | 'id_taken'
  | 'unknown_user'
  | 'unknown_credential'
  /** This user is the last administrator. */
  | 'last_administrator'
  /** The user has changed since the expected revision. */
  | 'changed'
  /** The key of the request was used for another kind of request before. */
  | 'key_used'
  | 'busy';

/** `value` is the refused value, as given. */
export interface UserRefused {
  readonly kind: 'refused';
  readonly why: UserRefusal;
  readonly value: string;
}

export const refused = (why: UserRefusal, value: string): UserRefused => ({ kind: 'refused', why, value });
