// Why a change of a user was refused.

export type UserRefusal =
  | 'invalid_login'
  | 'invalid_email'
  | 'invalid_name'
  | 'invalid_label'
  /** Too short or too long. The value is not repeated. */
  | 'invalid_password'
  | 'login_taken'
  | 'email_taken'
  | 'id_taken'
  | 'unknown_user'
  | 'unknown_credential'
  | 'unknown_session'
  /** The link for a new password was used, replaced, or is too old. */
  | 'invalid_link'
  /** Of a first start; `value` is the name of the setting. */
  | 'invalid_settings'
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
