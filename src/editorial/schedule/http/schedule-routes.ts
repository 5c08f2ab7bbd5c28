// `GET /schedule`: everything that will happen by itself, for callers who see unpublished posts.
import Type from 'typebox';
import { ApiError, forbidden, refusedParameter } from '../../../http/errors.ts';
import { listing } from '../../../http/openapi/documentation/reads.ts';
import type { Right } from '../../../http/openapi/documentation/rights.ts';
import type { Routes } from '../../../http/route.ts';
import { pageMembers, totalsOf } from '../../../http/routes/pages.ts';
import { timeRangeIn } from '../../../http/routes/time-range.ts';
import { awaitPosition, type RouteDependencies } from '../../../http/routes/writing.ts';
import { page } from '../../../http/schemas/lists.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import { toWallClock } from '../../../kernel/time/zone.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { mayListUnpublished } from '../../../people/auth/policy.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { pageCount, pagingOf, windowOf } from '../../../queries/arguments.ts';
import { digestOf } from '../../../queries/digest.ts';
import { COLLECTIONS } from '../../history/http/history-routes.ts';
import { isoOf } from '../../time-travel/http/as-of-reads.ts';
import { SCHEDULED_KINDS, type ScheduledKind } from '../domain/upcoming.ts';
import { listSchedule, type ScheduledItem, type ScheduleSource } from '../queries/schedule.ts';
import { scheduleList } from './schedule-schema.ts';

export interface ScheduleRouteDependencies extends RouteDependencies {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly sources: readonly ScheduleSource[];
}

const toSeeUnpublished: Right = { of: 'endpoint', may: mayListUnpublished };
const ARGUMENTS = ['page', 'per_page', 'kind', 'from', 'to'] as const;

export const scheduleRoutes: Routes<ScheduleRouteDependencies> = async (api, dependencies) => {
  const { queries, store, sources, shownAt } = dependencies;
  const { readModel, perPage, siteZone } = queries;

  api.get(
    '/schedule',
    {
      schema: {
        ...listing({
          group: 'Changes',
          summary: 'schedule.summary',
          description: 'schedule.description',
          right: toSeeUnpublished,
          answer: page('schedule', 'schedule.answer', Type.Ref('Scheduled')),
          errors: ['rest_forbidden', 'rest_schedule_page_not_found'],
          takes: ['AtLeast'],
        }),
        querystring: scheduleList({ perPage }),
      },
      config: { allow: (caller) => (mayListUnpublished(caller) ? ['GET'] : []) },
      preHandler: async ({ caller }) => {
        if (!mayListUnpublished(caller)) throw forbidden(caller);
      },
    },
    async (request, reply) => {
      const { caller, query, links } = request;
      const filter = { ...kindsIn(query.kind), ...timeRangeIn(request, query) };
      await awaitPosition(dependencies, request);
      const paging = pagingOf(query, perPage);
      const { items, total, version } = await listSchedule(readModel, sources, caller, filter, windowOf(paging));
      if (paging.page > Math.max(1, pageCount(total, paging))) throw new ApiError('rest_schedule_page_not_found');
      const actors = openActors(store);
      const toShown = async ({ at, action, kind, id, title, author }: ScheduledItem) => ({
        instant: isoOf(at),
        date: toWallClock(at, siteZone),
        action,
        kind,
        id,
        url: `${links.root}/${kind === 'set' ? 'sets' : COLLECTIONS[kind]}/${id}`,
        title,
        author: { id: author, name: await actors.nameOf({ id: author, name: '' }) },
      });
      const asked = {
        ...query,
        from: query.from?.text,
        to: query.to?.text,
        kind: query.kind && listOf(query.kind).join(),
      };
      const body = JSON.stringify({
        schedule: await Promise.all(items.map(toShown)),
        ...pageMembers(`${links.root}/schedule/`, asked, ARGUMENTS, { paging, total }),
      });
      return reply
        .headers({ ...shownAt(version).headers, ...totalsOf(total, paging) })
        .conditional(body, `"${digestOf(body)}"`);
    },
  );
};

function kindsIn(sent: unknown): { readonly kinds?: readonly ScheduledKind[] } {
  if (sent === undefined) return {};
  const words = listOf(sent);
  const kinds = SCHEDULED_KINDS.filter((kind) => words.includes(kind));
  if (kinds.length === 0 || words.some((word) => !SCHEDULED_KINDS.some((kind) => kind === word)))
    throw refusedParameter('kind', phrase('allowed_some_of', { name: 'kind', values: SCHEDULED_KINDS }));
  return { kinds };
}
