// Shared by the routes of users: rights, representation, and refusals on the wire.
import type { FastifyRequest, preHandlerHookHandler } from 'fastify';
import type { Written } from '../../../commands/context.ts';
import { firstOf } from '../../../http/answers/headers.ts';
import { forbidden } from '../../../http/errors.ts';
import type { Links, PathParameters } from '../../../http/route.ts';
import type { RouteDependencies } from '../../../http/routes/writing.ts';
import type { Zone } from '../../../kernel/time/zone.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { Finder } from '../../../queries/log-fallback.ts';
import { mayKeepCredentials, mayManageUsers } from '../../auth/policy.ts';
import type { RequestKey, UserDependencies, UserWritten } from '../commands/users.ts';
import type { UserAccount } from '../domain/user.ts';
import type { CredentialView, Directory, UserView } from '../queries/list-users.ts';
import type { DeskAccess } from './desk-access.ts';

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
