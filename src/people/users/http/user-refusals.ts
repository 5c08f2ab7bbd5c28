// What refuses a command about users, as the API says it.

import { ApiError, invalidParameters, refusedParameter } from '../../../http/errors.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { UserRefused } from '../commands/users.ts';

export function carriedOut<Outcome extends { readonly kind: string }>(
  outcome: Outcome | UserRefused,
): Exclude<Outcome, UserRefused> {
  if (outcome.kind === 'refused') throw refusalError(outcome as UserRefused);
  // Anything but a refusal is an outcome.
  return outcome as Exclude<Outcome, UserRefused>;
}

function refusalError({ why, value }: UserRefused): ApiError {
  switch (why) {
    case 'invalid_login':
      return invalidParameters('login');
    case 'invalid_email':
      return invalidParameters('email');
    case 'invalid_name':
      return invalidParameters('name');
    case 'invalid_label':
      return invalidParameters('label');
    case 'invalid_password':
      return refusedParameter('password', phrase('allowed_password'));
    case 'unknown_session':
      return invalidParameters('session');
    case 'invalid_settings':
      return invalidParameters(value);
    case 'invalid_link':
      return invalidParameters('link');
    case 'key_used':
      return invalidParameters('Idempotency-Key');
    case 'login_taken':
      return new ApiError('rest_user_exists', { data: { params: ['login'] } });
    case 'email_taken':
      return new ApiError('rest_user_exists', { data: { params: ['email'] } });
    case 'unknown_user':
      return new ApiError('rest_user_not_found');
    case 'unknown_credential':
      return new ApiError('rest_credential_not_found');
    case 'last_administrator':
      return new ApiError('rest_last_administrator');
    case 'changed':
      return new ApiError('rest_precondition_failed');
    // Ids cannot be chosen here: a concurrent request got the same one first.
    case 'id_taken':
    case 'busy':
      return new ApiError('rest_unavailable', { headers: { 'Retry-After': '1' } });
  }
}
