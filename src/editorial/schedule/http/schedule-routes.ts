// `GET /schedule`: everything that will happen by itself, for callers who see unpublished posts.
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { refusedParameter } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import { listing } from '../../../http/openapi/documentation.ts';
import type { Routes } from '../../../http/route.ts';
import { sendPage } from '../../../http/routes/pages.ts';
import { timeRangeIn } from '../../../http/routes/time-range.ts';
import { awaitPosition, type RouteDependencies } from '../../../http/routes/writing.ts';
import { page } from '../../../http/schemas/lists.ts';
import Type from '../../../http/schemas/type.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import { shortInstant } from '../../../kernel/time/instant.ts';
import { toWallClock } from '../../../kernel/time/zone.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { mayListUnpublished } from '../../../people/auth/policy.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { pagingOf, windowOf } from '../../../queries/arguments.ts';
import { SCHEDULED_KINDS, type ScheduledKind } from '../domain/upcoming.ts';
import { listSchedule, type ScheduledItem, type ScheduleSource } from '../queries/schedule.ts';
import { scheduleList } from './schedule-schema.ts';

export interface ScheduleRouteDependencies extends RouteDependencies {
  readonly store: StreamReader;
  readonly sources: readonly ScheduleSource[];
}

const route = guardedRoutes({ of: 'endpoint', may: mayListUnpublished }, { group: 'Changes' });

const ARGUMENTS = ['page', 'per_page', 'kind', 'from', 'to'] as const;

export const scheduleRoutes: Routes<ScheduleRouteDependencies> = async (api, dependencies) => {
  const { queries, store, sources, freshnessAt } = dependencies;
  const { readModel, perPage, siteZone } = queries;

  api.get(
    '/schedule',
    route(
      listing,
      {
        summary: 'schedule.summary',
        description: 'schedule.description',
        answer: page('schedule', 'schedule.answer', Type.Ref('Scheduled')),
        errors: ['rest_schedule_page_not_found'],
        takes: ['AtLeast'],
      },
      { querystring: scheduleList({ perPage }) },
    ),
    async (request, reply) => {
      const { caller, query, links } = request;
      const filter = { ...kindsIn(query.kind), ...timeRangeIn(request, query) };
      await awaitPosition(dependencies, request);
      const paging = pagingOf(query, perPage);
      const { items, total, version } = await listSchedule(readModel, sources, caller, filter, windowOf(paging));
      const actors = openActors(store);
      const itemObject = async ({ at, action, kind, id, title, author }: ScheduledItem) => ({
        instant: shortInstant(at),
        date: toWallClock(at, siteZone),
        action,
        kind,
        id,
        url: `${links.root}/${kind === 'set' ? 'sets' : COLLECTIONS[kind]}/${id}`,
        title,
        author: await actors.person(author),
      });
      reply.headers(freshnessAt(version).headers);
      const schedule = await Promise.all(items.map(itemObject));
      return sendPage(
        reply,
        { schedule },
        {
          ...{ paging, total, path: 'schedule', names: ARGUMENTS, pastTheEnd: 'rest_schedule_page_not_found' },
          query: {
            ...query,
            from: query.from?.text,
            to: query.to?.text,
            kind: query.kind && listOf(query.kind).join(),
          },
        },
      );
    },
  );
};

function kindsIn(value: unknown): { readonly kinds?: readonly ScheduledKind[] } {
  if (value === undefined) return {};
  const words = listOf(value);
  const kinds = SCHEDULED_KINDS.filter((kind) => words.includes(kind));
  if (kinds.length === 0 || words.some((word) => !SCHEDULED_KINDS.some((kind) => kind === word)))
    throw refusedParameter('kind', phrase('allowed_some_of', { name: 'kind', values: SCHEDULED_KINDS }));
  return { kinds };
}
