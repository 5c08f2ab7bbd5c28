// The routes of a user's credentials: for the user, and for administrators.
import Type from 'typebox';
import { metadataOf } from '../../../commands/context.ts';
import { streamOfUser } from '../../../commands/reservations/user-names.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import { ApiError } from '../../../http/errors.ts';
import { USER_EXAMPLES } from '../../../http/openapi/documentation/examples.ts';
import { reading } from '../../../http/openapi/documentation/reads.ts';
import type { Right } from '../../../http/openapi/documentation/rights.ts';
import { creating, deleting } from '../../../http/openapi/documentation/writes.ts';
import { CREDENTIAL, ID } from '../../../http/plugins/routing.ts';
import type { Allow, Method, Routes } from '../../../http/route.ts';
import { answerWrite, awaitPosition, contextOf } from '../../../http/routes/writing.ts';
import { byCredential, byId } from '../../../http/schemas/path.ts';
import { fold } from '../../../log/envelope.ts';
import { tokenText } from '../../auth/passwords.ts';
import { mayKeepCredentials } from '../../auth/policy.ts';
import { issueCredentialOnce, revokeCredential } from '../commands/users.ts';
import { evolveUser, type UserAccount } from '../domain/user.ts';
import { viewIn, viewOf } from '../queries/list-users.ts';
import { asWritten, keepsCredentials, keyOf, shownCredential, type UserRouteDependencies } from './user-answers.ts';
import { carriedOut } from './user-refusals.ts';
import { credentials, issuedCredential, userTables } from './user-schema.ts';

const about = { group: 'Users', right: { of: 'users', may: mayKeepCredentials } satisfies Right } as const;

const whereTokensMayBeChanged =
  (...methods: Method[]): Allow =>
  (caller, { id }) =>
    mayKeepCredentials(caller, id) ? methods : [];

export const credentialRoutes: Routes<UserRouteDependencies> = async (api, dependencies) => {
  const { users, beyondViews, store } = dependencies;
  const ofAll = { allow: whereTokensMayBeChanged('GET', 'POST') };

  api.get(
    `/users/${ID}/credentials`,
    {
      schema: {
        ...reading({
          ...about,
          summary: 'user.credentials',
          answer: credentials,
          errors: ['rest_forbidden', 'rest_user_not_found'],
          takes: ['AtLeast'],
        }),
        params: byId,
        querystring: userTables.credentials,
      },
      config: ofAll,
      preHandler: keepsCredentials,
    },
    async (request, reply) => {
      await awaitPosition(dependencies, request);
      const [document] = await beyondViews.either.fetch([{ kind: 'user', id: request.params.id }]);
      const user = viewIn(document);
      if (!document || !user) throw new ApiError('rest_user_not_found');
      const body = { credentials: user.credentials.map(shownCredential) };
      return reply.conditional(body, entityTag(document.revision, ''));
    },
  );

  api.post(
    `/users/${ID}/credentials`,
    {
      schema: {
        ...creating({
          ...about,
          example: USER_EXAMPLES.issue,
          summary: 'user.issue',
          description: 'user.token_once',
          answer: issuedCredential,
          errors: ['rest_user_not_found'],
        }),
        params: byId,
        body: userTables.issue,
      },
      config: ofAll,
      preHandler: keepsCredentials,
    },
    async (request, reply) => {
      const context = contextOf(request);
      const { ifRevision } = context;
      const terms = { label: request.body.label, key: keyOf(request), ifRevision };
      const issued = carriedOut(await issueCredentialOnce(users, metadataOf(context), request.params.id, terms));
      const { user, credentialId } = issued;
      const credential = viewOf(user).credentials.find((one) => one.id === credentialId);
      // A repeated request, after its credential was revoked.
      if (!credential) throw new ApiError('rest_credential_not_found');
      const password =
        issued.kind === 'written'
          ? tokenText({ user: user.id, credential: credentialId, secret: issued.secret })
          : null;
      return answerWrite(dependencies, reply, asWritten(issued), async () => ({
        status: 201,
        body: { ...shownCredential(credential), password },
        etag: entityTag(issued.revision, ''),
        location: `/users/${user.id}/credentials/${credentialId}`,
      }));
    },
  );

  api.delete(
    `/users/${ID}/credentials/${CREDENTIAL}`,
    {
      schema: {
        ...deleting({
          ...about,
          summary: 'user.revoke',
          answer: Type.Ref('Credential'),
          errors: ['rest_user_not_found', 'rest_credential_not_found', 'rest_last_administrator'],
        }),
        params: byCredential,
        querystring: userTables.revoke,
      },
      config: { allow: whereTokensMayBeChanged('DELETE') },
      preHandler: keepsCredentials,
    },
    async (request, reply) => {
      const { id, credential: number } = request.params;
      const context = contextOf(request);
      const { ifRevision } = context;
      // Afterwards its purpose is no longer known.
      const former = await credentialOf(id, number);
      const revoked = carriedOut(await revokeCredential(users, metadataOf(context), id, number, { ifRevision }));
      if (!former) throw new ApiError('rest_credential_not_found');
      return answerWrite(dependencies, reply, asWritten(revoked), async () => ({
        status: 200,
        body: shownCredential(former),
        etag: entityTag(revoked.revision, ''),
        location: '',
      }));
    },
  );

  async function credentialOf(id: number, number: number): Promise<UserAccount['credentials'][number] | undefined> {
    const user = fold(await store.readStream(streamOfUser(id)), evolveUser);
    return user?.credentials.find((one) => one.id === number);
  }
};
