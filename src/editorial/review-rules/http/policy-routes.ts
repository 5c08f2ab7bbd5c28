// The rules of review: all who write may read them, administrators set them.
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import { refusedParameter } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import { answering, listingHistory, reading } from '../../../http/openapi/documentation.ts';
import type { Routes } from '../../../http/route.ts';
import { sendHistory } from '../../../http/routes/pages.ts';
import { contextOf, type RouteDependencies, writtenOr } from '../../../http/routes/writing.ts';
import { onlyPages } from '../../../http/schemas/lists.ts';
import Type from '../../../http/schemas/type.ts';
import { phrase } from '../../../locales/phrases.ts';
import { mayReadReviewPolicy, maySetReviewPolicy } from '../../../people/auth/policy.ts';
import type { HistoryRouteDependencies } from '../../history/http/history-routes.ts';
import { policyHistory as readHistory } from '../../history/queries/policy-history.ts';
import { TARGET_KINDS } from '../../proposals/domain/proposal.ts';
import { presentPolicy } from '../commands/present-policy.ts';
import { setReviewPolicyOf } from '../commands/review-policy.ts';
import type { KindRules, ReviewPolicy, ReviewPolicyPatch } from '../domain/review-policy.ts';
import { policyRead, policySet } from './review-policy-schema.ts';

const answer = Type.Ref('ReviewPolicy');
const reader = guardedRoutes({ of: 'endpoint', may: mayReadReviewPolicy }, { group: 'Proposals' });
const setting = guardedRoutes({ of: 'endpoint', may: maySetReviewPolicy }, { group: 'Proposals' });

type PolicyRouteDependencies = Pick<RouteDependencies, 'commands'> & HistoryRouteDependencies;

export const policyRoutes: Routes<PolicyRouteDependencies> = async (api, dependencies) => {
  const { commands, perPage } = dependencies;

  api.get(
    '/policy',
    reader(reading, { answer, summary: 'policy.read' }, { querystring: policyRead }),
    async (_request, reply) => {
      const { rules, revision } = await presentPolicy(commands.store);
      return reply.conditional(JSON.stringify(policyObject(rules)), tagOf(revision));
    },
  );

  api.route({
    method: ['POST', 'PUT', 'PATCH'],
    url: '/policy',
    ...setting(
      answering(200, 'answer.changed', answer, ['ETag']),
      {
        summary: 'policy.set',
        description: 'policy.set_description',
        errors: ['rest_precondition_failed', 'rest_policy_locks_out'],
        takes: ['IfMatch', 'ChangeReason'],
        example: { events: { author: 'review', approvals: 1, bypass: true } },
      },
      { body: policySet },
    ),
    handler: async (request, reply) => {
      const kinds = Object.values(COLLECTIONS);
      // A misspelt kind is ignored like every unknown parameter: its rules must not seem to be set.
      if (kinds.every((kind) => !Object.hasOwn(request.body, kind)))
        throw refusedParameter('events', phrase('no_rules', { values: kinds }));
      const set = await setReviewPolicyOf(commands, contextOf(request), patchIn(request.body));
      const { state, revision } = writtenOr(set, request);
      return reply.header('etag', tagOf(revision)).send(policyObject(state));
    },
  });

  api.get(
    '/policy/history',
    reader(
      listingHistory,
      {
        summary: 'policy.history',
      },
      { querystring: onlyPages({ perPage }) },
    ),
    async ({ language }, reply) => {
      const entries = await readHistory({ ...dependencies, sentences: language.sentences });
      return sendHistory(reply, entries, { perPage, path: 'policy/history', language });
    },
  );
};

/** Counts what was set: the rules that have never been set have a tag, too. */
const tagOf = (revision: number): string => entityTag(revision + 1, '');

const policyObject = (rules: ReviewPolicy): object =>
  Object.fromEntries(TARGET_KINDS.map((kind) => [COLLECTIONS[kind], rules[kind]]));

const patchIn = (body: { readonly [collection: string]: Partial<KindRules> | undefined }): ReviewPolicyPatch =>
  Object.fromEntries(TARGET_KINDS.map((kind) => [kind, body[COLLECTIONS[kind]] ?? {}]));
