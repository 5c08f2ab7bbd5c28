// Shared by the routes of users: rights, representation, and refusals on the wire.
import type { FastifyRequest, preHandlerHookHandler } from 'fastify';
import { mayKeepCredentials, mayManageUsers } from '../../auth/policy.ts';
import type { Written } from '../../commands/context.ts';
import type { RequestKey, UserDependencies, UserRefused, UserWritten } from '../../commands/users/users.ts';
import type { UserAccount } from '../../domain/user.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { phrase } from '../../locales/phrases.ts';
import type { CredentialView, Directory, UserView } from '../../queries/list-users.ts';
import type { Finder } from '../../queries/log-fallback.ts';
import type { Zone } from '../../time/zone.ts';
import { firstOf } from '../answers/headers.ts';
import type { DeskAccess } from '../desk/desk-access.ts';
import { ApiError, forbidden, invalidParameters, refusedParameter } from '../errors.ts';
import type { Links, PathParameters } from '../route.ts';
import type { RouteDependencies } from './writing.ts';

export interface UserRouteDependencies extends RouteDependencies {
  readonly users: UserDependencies;
  readonly directory: Directory;
  readonly access: Pick<DeskAccess, 'end'>;
  /** Documents built from the log, for what the read model does not have yet. */
  readonly fromLog: Pick<Finder, 'fetch'>;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly siteZone: Zone;
}

/** Route-level hooks: who manages users, and who keeps the credentials of the one in the path. */
export const managesUsers: preHandlerHookHandler = ({ caller }, _reply, done) => {
  if (!mayManageUsers(caller)) throw forbidden(caller);
  done();
};

export const keepsCredentials: preHandlerHookHandler = ({ caller, params }, _reply, done) => {
  const { id } = params as PathParameters; // Of routes that have it.
  if (!mayKeepCredentials(caller, id)) throw forbidden(caller);
  done();
};

/** A user as clients see it. */
export const shownUser = ({ credentials, identity, ...user }: UserView, links: Links) => ({
  ...user,
  credentials: credentials.map(shownCredential),
  url: `${links.root}/users/${user.id}`,
  ...(identity && { single_sign_on: identity }),
});

export const shownCredential = ({ id, label, issued }: CredentialView) => ({
  id,
  label,
  issued: new Date(issued * 1000).toISOString(),
});

/** The idempotency key of a request; null without one. An empty key counts as none. */
export function keyOf(request: FastifyRequest): RequestKey | null {
  const key = firstOf(request.headers['idempotency-key']);
  return key ? { caller: request.caller, key } : null;
}

/** The result of a write, in the form of all other writes. */
export const asWritten = ({ user, revision, position }: Omit<UserWritten, 'kind'>): Written<UserAccount> => ({
  id: user.id,
  state: user,
  revision,
  position,
  created: false,
});

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
