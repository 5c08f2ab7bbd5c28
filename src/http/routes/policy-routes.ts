// The rules of review: all who write may read them, administrators set them.
import Type from 'typebox';
import type { Caller } from '../../auth/caller.ts';
import { mayReadReviewPolicy, maySetReviewPolicy } from '../../auth/policy.ts';
import { presentPolicy } from '../../commands/review/present-policy.ts';
import { setReviewPolicyOf } from '../../commands/review/review-policy.ts';
import { TARGET_KINDS } from '../../domain/proposal.ts';
import type { KindRules, ReviewPolicy, ReviewPolicyPatch } from '../../domain/review-policy.ts';
import { phrase } from '../../locales/phrases.ts';
import { policyHistory as readHistory } from '../../queries/history/policy-history.ts';
import { entityTag } from '../answers/etag.ts';
import { forbidden, refusedParameter } from '../errors.ts';
import { bodyOf, documented } from '../openapi/documentation/documentation.ts';
import { POLICY_EXAMPLE } from '../openapi/documentation/examples.ts';
import { listing, reading } from '../openapi/documentation/reads.ts';
import type { Right } from '../openapi/documentation/rights.ts';
import type { Method, Routes } from '../route.ts';
import { page } from '../schemas/lists.ts';
import { policyHistory, policyRead, policySet } from '../schemas/review-policy.ts';
import { COLLECTIONS, type HistoryRouteDependencies } from './history-routes.ts';
import { sendHistory } from './pages.ts';
import { contextOf, type RouteDependencies, writtenOr } from './writing.ts';

const toRead: Right = { of: 'endpoint', may: mayReadReviewPolicy };
const toSet: Right = { of: 'endpoint', may: maySetReviewPolicy };

const SETTING: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH'];

type PolicyRouteDependencies = Pick<RouteDependencies, 'commands'> & HistoryRouteDependencies;

export const policyRoutes: Routes<PolicyRouteDependencies> = async (api, dependencies) => {
  const { commands, perPage } = dependencies;
  const answer = Type.Ref('ReviewPolicy');
  const about = { group: 'Proposals' } as const;

  function allow(caller: Caller): readonly Method[] {
    if (maySetReviewPolicy(caller)) return SETTING;
    return mayReadReviewPolicy(caller) ? ['GET'] : [];
  }

  api.get(
    '/policy',
    {
      schema: {
        ...reading({ ...about, answer, summary: 'policy.read', right: toRead, errors: ['rest_forbidden'] }),
        querystring: policyRead,
      },
      config: { allow },
      preHandler: async ({ caller }) => {
        if (!mayReadReviewPolicy(caller)) throw forbidden(caller);
      },
    },
    async (_request, reply) => {
      const { rules, revision } = await presentPolicy(commands.store);
      return reply.conditional(JSON.stringify(shownPolicy(rules)), tagOf(revision));
    },
  );

  api.route({
    method: ['POST', 'PUT', 'PATCH'],
    url: '/policy',
    schema: {
      ...documented(
        {
          ...about,
          summary: 'policy.set',
          description: 'policy.set_description',
          right: toSet,
          errors: ['rest_forbidden', 'rest_precondition_failed', 'rest_policy_locks_out'],
          takes: ['IfMatch', 'ChangeReason'],
          example: POLICY_EXAMPLE,
        },
        { 200: { description: 'answer.changed', ...bodyOf(answer), carries: ['ETag'] } },
      ),
      body: policySet,
    },
    config: { allow },
    preHandler: async ({ caller }) => {
      if (!maySetReviewPolicy(caller)) throw forbidden(caller);
    },
    handler: async (request, reply) => {
      const kinds = Object.values(COLLECTIONS);
      // A misspelt kind is ignored like every unknown parameter: its rules must not seem to be set.
      if (kinds.every((kind) => !Object.hasOwn(request.body, kind)))
        throw refusedParameter('events', phrase('no_rules', { values: kinds }));
      const set = await setReviewPolicyOf(commands, contextOf(request), patchIn(request.body));
      const { state, revision } = writtenOr(set, request);
      return reply.header('etag', tagOf(revision)).send(shownPolicy(state));
    },
  });

  api.get(
    '/policy/history',
    {
      schema: {
        ...listing({
          ...about,
          summary: 'policy.history',
          right: toRead,
          answer: page('history', 'history.answer', Type.Ref('Revision')),
          errors: ['rest_forbidden', 'rest_history_page_not_found'],
        }),
        querystring: policyHistory({ perPage }),
      },
      config: { allow: (caller) => (mayReadReviewPolicy(caller) ? ['GET'] : []) },
      preHandler: async ({ caller }) => {
        if (!mayReadReviewPolicy(caller)) throw forbidden(caller);
      },
    },
    async ({ query, language, links }, reply) => {
      const entries = await readHistory({ ...dependencies, sentences: language.sentences });
      return sendHistory(reply, entries, { query, perPage, address: `${links.root}/policy/history/`, language });
    },
  );
};

/** Counts what was set: the rules that have never been set have a tag, too. */
const tagOf = (revision: number): string => entityTag(revision + 1, '');

const shownPolicy = (rules: ReviewPolicy): object =>
  Object.fromEntries(TARGET_KINDS.map((kind) => [COLLECTIONS[kind], rules[kind]]));

const patchIn = (sent: { readonly [collection: string]: Partial<KindRules> | undefined }): ReviewPolicyPatch =>
  Object.fromEntries(TARGET_KINDS.map((kind) => [kind, sent[COLLECTIONS[kind]] ?? {}]));
