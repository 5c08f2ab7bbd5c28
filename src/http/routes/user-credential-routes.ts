// The routes of a user's credentials: for the user, and for administrators.
import type { FastifyRequest } from 'fastify';
import { tokenText } from '../../auth/passwords.ts';
import { mayKeepCredentials } from '../../auth/policy.ts';
import { metadataOf } from '../../commands/context.ts';
import { streamOfUser } from '../../commands/reservations/user-names.ts';
import { issueCredentialOnce, revokeCredential } from '../../commands/users/users.ts';
import { evolveUser, type UserAccount } from '../../domain/user.ts';
import { fold } from '../../event-store/envelope.ts';
import { viewIn, viewOf } from '../../queries/list-users.ts';
import { ApiError } from '../errors.ts';
import { entityTag } from '../etag.ts';
import { USER_DOCUMENTATION } from '../openapi/documentation/user-documentation.ts';
import { type ApiAnswer, givenBy, type Method, type Route } from '../route.ts';
import { userTables } from '../schemas/user.ts';
import { conditional } from './reading.ts';
import {
  assertKeeps,
  asWritten,
  carriedOut,
  keyOf,
  shownCredential,
  type UserRouteDependencies,
} from './user-answers.ts';
import { answerWrite, awaitPosition, contextOf } from './writing.ts';

const NOTHING: readonly Method[] = [];

export function credentialRoutes(dependencies: UserRouteDependencies): Route[] {
  const { users, beyondViews, store } = dependencies;

  async function list(request: FastifyRequest): Promise<ApiAnswer> {
    await awaitPosition(dependencies, request);
    const [document] = await beyondViews.either.fetch([{ kind: 'user', id: request.target.id }]);
    const user = viewIn(document);
    if (!document || !user) throw new ApiError('rest_user_not_found');
    const body = { credentials: user.credentials.map(shownCredential) };
    return conditional(request, body, entityTag(document.revision, ''));
  }

  async function issue(request: FastifyRequest): Promise<ApiAnswer> {
    const { target } = request;
    const { id } = target;
    const context = contextOf(request);
    const terms = {
      label: givenBy(userTables.issue, request).label,
      key: keyOf(request),
      ifRevision: context.ifRevision,
    };
    const issued = carriedOut(await issueCredentialOnce(users, metadataOf(context), id, terms));
    const { user, credentialId } = issued;
    const credential = viewOf(user).credentials.find((one) => one.id === credentialId);
    // A repeated request, after its credential was revoked.
    if (!credential) throw new ApiError('rest_credential_not_found');
    const password =
      issued.kind === 'written' ? tokenText({ user: user.id, credential: credentialId, secret: issued.secret }) : null;
    return answerWrite(dependencies, request, asWritten(issued), async () => ({
      status: 201,
      body: { ...shownCredential(credential), password },
      etag: entityTag(issued.revision, ''),
      location: `/users/${user.id}/credentials/${credentialId}`,
    }));
  }

  async function revoke(request: FastifyRequest): Promise<ApiAnswer> {
    const { id, credential: number } = request.target;
    const context = contextOf(request);
    const former = await credentialOf(id, number);
    const terms = { ifRevision: context.ifRevision };
    const revoked = carriedOut(await revokeCredential(users, metadataOf(context), id, number, terms));
    if (!former) throw new ApiError('rest_credential_not_found');
    return answerWrite(dependencies, request, asWritten(revoked), async () => ({
      status: 200,
      body: shownCredential(former),
      etag: entityTag(revoked.revision, ''),
      location: '',
    }));
  }

  /** Afterwards its purpose is unknown. */
  async function credentialOf(id: number, number: number): Promise<UserAccount['credentials'][number] | undefined> {
    const user = fold(await store.readStream(streamOfUser(id)), evolveUser);
    return user?.credentials.find((one) => one.id === number);
  }

  return [
    {
      path: '/users/{id}/credentials',
      allow: (caller, { id = 0 }) => (mayKeepCredentials(caller, id) ? ['GET', 'POST'] : NOTHING),
      endpoints: [
        {
          methods: ['GET'],
          parameters: userTables.credentials,
          documentation: USER_DOCUMENTATION.credentials,
          authorize: assertKeeps,
          handle: list,
        },
        {
          methods: ['POST'],
          parameters: userTables.issue,
          documentation: USER_DOCUMENTATION.issue,
          authorize: assertKeeps,
          handle: issue,
        },
      ],
    },
    {
      path: '/users/{id}/credentials/{credential}',
      allow: (caller, { id = 0 }) => (mayKeepCredentials(caller, id) ? ['DELETE'] : NOTHING),
      endpoints: [
        {
          methods: ['DELETE'],
          parameters: userTables.revoke,
          documentation: USER_DOCUMENTATION.revoke,
          authorize: assertKeeps,
          handle: revoke,
        },
      ],
    },
  ];
}
