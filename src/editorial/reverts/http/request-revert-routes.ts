// `POST /reverts`: reverts what a whole request or import did, resource by resource, as `daybook revert` does.
import type { FastifyRequest } from 'fastify';
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import type { CommandContext } from '../../../commands/context.ts';
import { openDryRunStore } from '../../../commands/dry-run-store.ts';
import { ApiError, refusedParameter, rejectionError } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import { answering } from '../../../http/openapi/documentation.ts';
import type { Routes } from '../../../http/route.ts';
import { awaitWritten, contextOf, type RouteDependencies } from '../../../http/routes/writing.ts';
import Type, { type Static } from '../../../http/schemas/type.ts';
import { derivedId } from '../../../kernel/text/derived-id.ts';
import { conflictClause } from '../../../locales/conflicts.ts';
import { clauses, phrase, type Wording } from '../../../locales/phrases.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayManageUsers, mayRevertRequests } from '../../../people/auth/policy.ts';
import { countsOf, type Reverted, revertCorrelation } from '../commands/revert-correlation.ts';
import { type Touched, touchedBy } from '../commands/touched.ts';
import { requestRevert } from './request-revert-schema.ts';

// The documentation of `POST /reverts`.

const route = guardedRoutes({ of: 'endpoint', may: mayRevertRequests }, { group: 'Changes' })(
  answering(200, 'request_reverted', Type.Ref('RequestReverted'), ['Position', 'Views']),
  {
    summary: 'request_revert.summary',
    description: 'request_revert.description',
    errors: ['rest_precondition_failed', 'rest_request_not_found'],
    takes: ['ChangeReason', 'IdempotencyKey'],
    example: { request: '907f997a-722e-4f00-b782-ecaca8384068', dry_run: true },
  },
  { body: requestRevert },
);

/** Resources that one request writes at most: it has to answer in time. */
const MAX_WRITTEN = 500;
const MAX_NAMED = 5;

export const requestRevertRoutes: Routes<RouteDependencies> = async (api, dependencies) => {
  const { commands } = dependencies;
  api.post('/reverts', route, async (request, reply) => {
    const reverts = revertedIn(request.body);
    const isDryRun = request.body.dry_run === true;
    const { store } = commands;
    const touched = await touchedBy(store, reverts, () => {});
    if (!isToBeSeen(touched, request.caller)) throw new ApiError('rest_request_not_found');
    const context = contextFor(request, reverts);
    const reverted = await revertCorrelation(
      {
        commands: isDryRun ? { ...commands, store: openDryRunStore(store) } : commands,
        correlationId: reverts,
        context,
        ...(!isDryRun && { most: MAX_WRITTEN }),
      },
      touched,
      () => {},
    );
    await awaitWritten(dependencies, reply, await store.head());
    const left = reverted.filter(({ outcome }) => outcome.kind === 'left').length;
    return {
      reverts,
      dry_run: isDryRun,
      correlation_id: isDryRun ? null : context.correlationId,
      complete: left === 0,
      ...countsOf(reverted),
      left,
      resources: reverted.map((one) => resourceBody(one, request)),
      ...(mayManageUsers(request.caller) && { users_not_reverted: touched.users }),
    };
  });
};

/** What editors may not read of is not there for them: users alone are nothing to revert. */
const isToBeSeen = ({ events, resources, users }: Touched, caller: Caller): boolean =>
  mayManageUsers(caller) ? events > 0 : resources.length > 0 || (events > 0 && users === 0);

function revertedIn({ request, import: imported }: Static<typeof requestRevert>): string {
  const [only, other] = [request, imported].filter((id) => id !== undefined);
  if (only !== undefined && other === undefined) return only;
  throw refusedParameter('request', phrase('one_of_request_and_import'));
}

/**
 * The correlation id of a run with a key follows from caller, key and request: the run goes on when it is repeated, and
 * what it has done already is done.
 */
function contextFor(request: FastifyRequest, reverts: string): CommandContext {
  const { idempotencyKey: key, ifRevision: _, ...context } = contextOf(request);
  const owner = request.caller?.id ?? 0;
  return {
    ...context,
    reason: request.reason ?? `revert of ${reverts}`,
    ...(key !== undefined && { correlationId: derivedId(`revert\n${owner}\n${key}\n${reverts}`) }),
  };
}

function resourceBody({ resource, action, outcome }: Reverted, { links, language, caller }: FastifyRequest): object {
  const { kind, id, firstRevision } = resource;
  const why = whyNot(outcome, caller);
  const conflicts = outcome.kind === 'refused' ? outcome.rejection.conflicts : undefined;
  return {
    kind,
    id,
    url: `${links.root}/${kind === 'series' ? kind : COLLECTIONS[kind]}/${id}`,
    action,
    ...(action === 'revert' && { to_revision: firstRevision - 1 }),
    outcome: outcome.kind,
    ...(why && { why: why(language) }),
    ...(conflicts && { conflicts }),
  };
}

function whyNot(outcome: Reverted['outcome'], caller: Caller): Wording | null {
  switch (outcome.kind) {
    case 'changed_later': {
      const { actor, instant, correlationId } = outcome.by;
      return phrase('revert_changed_later', { actor, instant, request: correlationId });
    }
    case 'in_use':
      return phrase('revert_in_use', { things: outcome.by.slice(0, MAX_NAMED).map((one) => one.replace('-', ' ')) });
    case 'refused': {
      const { conflicts = [] } = outcome.rejection;
      return conflicts.length > 0
        ? clauses(conflicts.map(conflictClause))
        : (language) => rejectionError(outcome.rejection, caller).text(language);
    }
    default:
      return null;
  }
}
