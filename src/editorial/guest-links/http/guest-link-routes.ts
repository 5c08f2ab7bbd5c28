// The routes of links for guests: /guest-links. What guests do by them has no route: an address of the desk is all they have.
import type { FastifyRequest } from 'fastify';
import type { Written } from '../../../commands/context.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { ApiError, foundOr, invalidParameters } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import { creatingInLog, deletingInLog, reading } from '../../../http/openapi/documentation.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Routes } from '../../../http/route.ts';
import { sendMarked } from '../../../http/routes/pages.ts';
import { contextOf, type RouteDependencies, sendWritten } from '../../../http/routes/writing.ts';
import { byId } from '../../../http/schemas/path.ts';
import Type from '../../../http/schemas/type.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import { mayShareWithGuests } from '../../../people/auth/policy.ts';
import { newLongSecret } from '../../../people/auth/sessions.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { guestLinksOf, loadGuestLink, makeGuestLink, revokeGuestLinkOf } from '../commands/guest-links.ts';
import { type GuestLink, type GuestTarget, isOpen } from '../domain/guest-link.ts';
import { GUEST_DAYS, guestLinkList, guestLinkTables } from './guest-link-schema.ts';

const right = { of: 'endpoint', may: mayShareWithGuests } as const;
const about = { group: 'Proposals', answer: Type.Ref('GuestLink') } as const;
const all = guardedRoutes(right, about);
const one = guardedRoutes(right, { ...about, errors: ['rest_guest_link_not_found'] });

const NOT_THERE = {
  event: 'rest-event-not-found',
  proposal: 'rest_proposal_not_found',
  set: 'rest_set_not_found',
} as const;

const DAY_SECONDS = 86_400;

/** The path of the pages of guests. */
export const GUEST_PATH = '/desk/guest';

export const guestLinkRoutes: Routes<RouteDependencies> = async (api, { commands }) => {
  const { store } = commands;

  async function objectOf({ now }: FastifyRequest, { target, ...link }: GuestLink) {
    return {
      id: link.id,
      kind: target.kind,
      of: target.id,
      name: link.name,
      by: await openActors(store).person(link.by),
      made: instantText(link.made),
      until: instantText(link.until),
      open: isOpen(link, now),
      remarks: link.remarks.map(({ step, text, at }) => ({ step, text, instant: instantText(at) })),
    };
  }

  async function assertThere({ kind, id }: GuestTarget): Promise<void> {
    if ((await store.readStream(streamOf(kind, id), { limit: 1 })).length === 0) throw new ApiError(NOT_THERE[kind]);
  }

  api.get(
    '/guest-links',
    all(reading, { summary: 'guest_link.list', answer: guestLinkList }, { querystring: guestLinkTables.list }),
    async (request, reply) => {
      const { kind, of } = request.query;
      if (kind === undefined || of === undefined) throw invalidParameters('kind', 'of');
      const links = await guestLinksOf(store, { kind, id: of });
      return sendMarked(reply, { links: await Promise.all(links.map((link) => objectOf(request, link))) });
    },
  );

  api.post(
    '/guest-links',
    all(
      creatingInLog,
      {
        summary: 'guest_link.make',
        description: 'guest_link.make_description',
        example: { kind: 'proposal', of: 1, name: 'Anna of the museum' },
        errors: Object.values(NOT_THERE),
      },
      { body: guestLinkTables.create },
    ),
    async (request, reply) => {
      const { kind, of, name = '', days = GUEST_DAYS.usual } = request.body;
      const target = { kind, id: of };
      await assertThere(target);
      const secret = newLongSecret();
      const link = { target, name: oneLine(name), until: request.now + days * DAY_SECONDS };
      const result = await makeGuestLink(commands, contextOf(request), link, secret);
      const object = async ({ id, state, created }: Written<GuestLink>) => ({
        ...(await objectOf(request, state)),
        // A repeated request gets the link of the first one, which has been shown.
        link: created ? `${request.links.site}${GUEST_PATH}/${id}-${secret}` : null,
      });
      return sendWritten(reply, result, object, 'guest-links');
    },
  );

  api.get(
    `/guest-links/${ID}`,
    one(reading, { summary: 'guest_link.read' }, { params: byId, querystring: guestLinkTables.read }),
    async (request, reply) => {
      const link = await foundOr('rest_guest_link_not_found', loadGuestLink(store, request.params.id));
      return sendMarked(reply, await objectOf(request, link.state), { revision: link.revision });
    },
  );

  api.delete(
    `/guest-links/${ID}`,
    one(deletingInLog, { summary: 'guest_link.revoke' }, { params: byId, querystring: guestLinkTables.read }),
    async (request, reply) => {
      const revoked = await revokeGuestLinkOf(commands, contextOf(request), request.params.id);
      return sendWritten(reply, revoked, ({ state }) => objectOf(request, state));
    },
  );
};
