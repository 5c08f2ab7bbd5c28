// `tags`: found by slug or words, created, changed and deleted, as in the API.

import type { FastifyReply } from 'fastify';
import { methodsForList, methodsForTerm } from '../../../http/answers/allow.ts';
import { ApiError, forbidden, invalidParameters } from '../../../http/errors.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Links, Method, Routes } from '../../../http/route.ts';
import type { Answer } from '../../../http/schemas/components.ts';
import { byId } from '../../../http/schemas/path.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayManageTerms } from '../../../people/auth/policy.ts';
import { carryHeaders, type OwnAnswer, type OwnApi, translating } from './own-api.ts';
import { pageOfItems } from './page-of-items.ts';
import { SHIM_DOCUMENTATION } from './shim-documentation.ts';
import { shimTagTables } from './shims-schema.ts';

type OwnTag = Answer<'Term'>;

interface OwnTagPage {
  readonly tags: readonly OwnTag[];
}

const MAX_SLUGS = 50;

export const tagShim: Routes<{ readonly own: OwnApi }> = async (api, { own }) => {
  const ofAll = { allow: (caller: Caller) => methodsForList(caller, 'tag') };
  const ofOne = { allow: (caller: Caller): readonly Method[] => methodsForTerm(caller, 'tag') };

  api.get(
    '/tags',
    { schema: { ...SHIM_DOCUMENTATION.tags, querystring: shimTagTables.list }, config: ofAll },
    async (request, reply) => {
      const { query, links } = request;
      const { page, per_page, slug, hide_empty: hideEmpty = false, ...filters } = query;
      const ask = (parameters: object) =>
        own.ask<OwnTagPage>(request, 'GET', '/tags', { query: { ...filters, hide_empty: hideEmpty, ...parameters } });
      const slugs = slug === undefined ? [] : listOf(slug);
      if (slugs.length > MAX_SLUGS) throw invalidParameters('slug');
      const tags =
        slugs.length > 1
          ? await tagsOf(reply, await Promise.all(slugs.map((one) => ask({ slug: one }))))
          : await pageOfItems(
              reply,
              { ...(page && { page }), ...(per_page && { per_page }) },
              (own, size) => ask({ slug: slugs[0], page: own, per_page: size }),
              (body) => body.tags,
            );
      return JSON.stringify(tags.map((tag) => tagObject(tag, links)));
    },
  );

  api.post(
    '/tags',
    { schema: { ...SHIM_DOCUMENTATION.createTag, body: shimTagTables.create }, config: ofAll },
    async (request, reply) => {
      const { name, description = '', slug = '' } = request.body;
      // Clients send empty ones for what they do not say.
      const members = { name, ...(description !== '' && { description }), ...(slug !== '' && { slug }) };
      return answer(reply, await own.ask<OwnTag>(request, 'POST', '/tags', { members }));
    },
  );

  api.get(
    `/tags/${ID}`,
    { schema: { ...SHIM_DOCUMENTATION.readTag, params: byId, querystring: shimTagTables.read }, config: ofOne },
    async (request, reply) =>
      answer(reply, await present(() => own.ask<OwnTag>(request, 'GET', `/tags/${request.params.id}`))),
  );

  api.route({
    method: ['POST', 'PUT', 'PATCH'],
    url: `/tags/${ID}`,
    schema: { ...SHIM_DOCUMENTATION.changeTag, params: byId, body: shimTagTables.update },
    config: ofOne,
    handler: async (request, reply) => {
      const { id, ...members } = request.body;
      await present(() => own.ask(request, 'GET', `/tags/${request.params.id}`));
      return answer(reply, await own.ask<OwnTag>(request, 'PATCH', `/tags/${request.params.id}`, { members }));
    },
  });

  api.delete(
    `/tags/${ID}`,
    { schema: { ...SHIM_DOCUMENTATION.deleteTag, params: byId, querystring: shimTagTables.remove }, config: ofOne },
    async (request, reply) => {
      if (!mayManageTerms(request.caller, 'tag')) throw forbidden(request.caller);
      if (request.query.force !== true) throw new ApiError('rest_trash_not_supported');
      const removed = await present(() => own.ask<OwnTag>(request, 'DELETE', `/tags/${request.params.id}`));
      if (removed.status !== 200) return passOn(reply, removed);
      return carryHeaders(reply, removed).send({ deleted: true, previous: tagObject(removed.body, request.links) });
    },
  );
};

/** Clients know a missing tag by a code and status of its own. */
const present = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
  translating({ rest_invalid_param: 'rest_term_invalid' }, work);

function answer(reply: FastifyReply, response: OwnAnswer<OwnTag>): FastifyReply {
  // Under rules of review a write is answered with a proposal.
  if (response.status === 202) return passOn(reply, response);
  const { links } = reply.request;
  if (response.status === 201) reply.header('location', `${links.root}/tags/${response.body.id}`);
  return carryHeaders(reply.code(response.status), response).send(tagObject(response.body, links));
}

function passOn(reply: FastifyReply, { status, body, headers }: OwnAnswer<object>): FastifyReply {
  if (headers.location !== undefined) reply.header('location', headers.location);
  return carryHeaders(reply.code(status), { headers }).send(body);
}

async function tagsOf(reply: FastifyReply, answers: readonly OwnAnswer<OwnTagPage>[]): Promise<readonly OwnTag[]> {
  const tags = answers.flatMap(({ body }) => body.tags);
  reply.headers({ 'x-wp-total': String(tags.length), 'x-wp-totalpages': tags.length === 0 ? '0' : '1' });
  return tags;
}

const tagObject = ({ id, count, description, name, slug, taxonomy, url }: OwnTag, { root }: Links) => ({
  id,
  count,
  description,
  link: url,
  name,
  slug,
  taxonomy,
  meta: [],
  _links: { self: [{ href: `${root}/tags/${id}` }], collection: [{ href: `${root}/tags` }] },
});
