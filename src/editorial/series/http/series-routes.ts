// The routes of series: what repeats, and by which rules. Their dates are events: `GET /events?series=…`.
import type { FastifyRequest } from 'fastify';
import { seriesOfState } from '../../../../projections/series.ts';
import { onDryRun } from '../../../commands/dry-run.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import { ApiError, forbidden } from '../../../http/errors.ts';
import {
  changing,
  listing,
  listingHistory,
  onPosts,
  reading,
  toReadHistory,
  toRevert,
} from '../../../http/openapi/documentation.ts';
import { ID } from '../../../http/plugins/routing.ts';
import { READ_ONLY, type Routes } from '../../../http/route.ts';
import { sendMarked, sendPage } from '../../../http/routes/pages.ts';
import {
  answerWrite,
  awaitPosition,
  contextOf,
  type RouteDependencies,
  writtenOr,
} from '../../../http/routes/writing.ts';
import { onlyPages, page } from '../../../http/schemas/lists.ts';
import { byId } from '../../../http/schemas/path.ts';
import Type from '../../../http/schemas/type.ts';
import { displayTitle } from '../../../kernel/text/typography.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import { recurrenceWords } from '../../../locales/recurrence/recurrence-words.ts';
import { fold } from '../../../log/envelope.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { may, mayReadHistory, maySeePost, NO_USER } from '../../../people/auth/policy.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { pagingOf, windowOf } from '../../../queries/arguments.ts';
import { digestOf } from '../../../queries/digest.ts';
import { LISTED, type SeriesDocument } from '../../../read-model/documents.ts';
import { openReviewChanges } from '../../audit/queries/review-changes.ts';
import type { HistoryDependencies } from '../../history/queries/history.ts';
import { orSayUnproposable } from '../../proposals/http/reviewed-writes.ts';
import { revisionOf } from '../../time-travel/http/as-of-reads.ts';
import { compareDates, loadAllOfSeries } from '../commands/compare-dates.ts';
import { loadSeries, streamOfSeries } from '../commands/record.ts';
import { revertSeries } from '../commands/revert.ts';
import type { Series, SeriesFact } from '../domain/facts.ts';
import { evolveSeries, scheduleOf } from '../domain/occurrences.ts';
import { presentDates } from '../domain/series.ts';
import { seriesHistoryList, seriesRead, seriesRevert } from './series-schema.ts';
import { triedOnDates, UNREVIEWED } from './series-writes.ts';

// The documentation of the routes of series.

const about = { group: 'Series', right: onPosts('read', 'event'), takes: ['AtLeast'] } as const;
const answer = Type.Ref('Series');

/** The name under which the public finds the series that it may see. */
const PUBLISHED = 'state:publish';

const DRAFT_OF_OTHERS = { kind: 'event', status: 'draft', author: NO_USER } as const;

/** A series is seen by those who see its dates, apart from dates that were changed alone. */
const maySee = (caller: Caller, { seriesStatus, author }: SeriesDocument): boolean =>
  seriesStatus !== 'trash' && maySeePost(caller, { kind: 'event', status: seriesStatus, author });

const statusOf = ({ inTrash, template }: Series) => (inTrash ? 'trash' : template.status);

function seriesObject({ links, language }: FastifyRequest, series: Series, status: string) {
  const { id, template, zone, allDay, rules, added, skipped, horizon, splitFrom } = series;
  const [first] = presentDates(series);
  const { start, end } = first ? scheduleOf(series, first) : template.schedule;
  return {
    id,
    rest_url: `${links.root}/series/${id}`,
    title: displayTitle(template.title),
    status,
    author: template.author,
    start_date: start,
    end_date: end,
    timezone: zone,
    all_day: allDay,
    recurrence: { rrule: rules, rdates: added, exdates: skipped },
    summary: recurrenceWords(series)(language),
    dates_until: instantText(horizon),
    split_from: splitFrom,
    events_url: `${links.root}/events?series=${id}`,
  };
}

interface SeriesRouteDependencies extends RouteDependencies {
  readonly history: HistoryDependencies;
}

export const seriesRoutes: Routes<SeriesRouteDependencies> = async (api, dependencies) => {
  const { queries, beyondViews, history, commands } = dependencies;
  const { readModel, perPage } = queries;

  /** The series of these ids that are still there. */
  async function described(request: FastifyRequest, ids: readonly number[]) {
    const documents = await readModel.fetch(ids.map((id) => ({ kind: 'series', id })));
    return documents.flatMap((document) =>
      document?.kind === 'series' ? [seriesObject(request, seriesOfState(document.state), document.seriesStatus)] : [],
    );
  }

  api.get(
    '/series',
    {
      schema: {
        ...listing({
          ...about,
          summary: 'series.list',
          description: 'series.list_description',
          answer: page('series', 'series.page', answer),
          errors: ['rest_series_page_not_found'],
        }),
        querystring: onlyPages({ perPage }),
      },
      config: READ_ONLY,
    },
    async (request, reply) => {
      const { query, caller } = request;
      await awaitPosition(dependencies, request);
      const name = maySeePost(caller, DRAFT_OF_OTHERS) ? LISTED : PUBLISHED;
      const total = await readModel.countNamed('series', name);
      const paging = pagingOf(query, perPage);
      const ids = await readModel.namedPage('series', name, windowOf(paging));
      const page = { paging, total, path: 'series', pastTheEnd: 'rest_series_page_not_found' } as const;
      return sendPage(reply, { series: await described(request, ids) }, page);
    },
  );

  api.get(
    `/series/${ID}`,
    {
      schema: {
        ...reading({ ...about, summary: 'series.read', answer, errors: ['rest_series_not_found'] }),
        params: byId,
        querystring: seriesRead,
      },
      config: READ_ONLY,
    },
    async (request, reply) => {
      await awaitPosition(dependencies, request);
      const [document] = await beyondViews.either.fetch([{ kind: 'series', id: request.params.id }]);
      if (document?.kind !== 'series' || !maySee(request.caller, document)) throw new ApiError('rest_series_not_found');
      return sendMarked(reply, seriesObject(request, seriesOfState(document.state), document.seriesStatus), document);
    },
  );

  api.post(
    `/series/${ID}/revert`,
    {
      schema: {
        ...changing({
          group: 'Series',
          right: toRevert('event'),
          summary: 'series.revert',
          description: 'series.revert_description',
          example: { revision: 0 },
          answer: Type.Union([answer, Type.Ref('TriedOnDates')]),
          errors: [
            'rest_series_not_found',
            'rest_revision_not_found',
            'rest_series_joined',
            'rest_review_required',
            'rest_bypass_refused',
          ],
          takes: ['BypassReview'],
        }),
        params: byId,
        body: seriesRevert,
      },
      config: {
        async allow(caller, { id }) {
          const [series] = await beyondViews.either.fetch([{ kind: 'series', id }]);
          if (series?.kind !== 'series') return [];
          const { author } = series;
          const mayRevert = may(caller, 'update', 'event', seriesOfState(series.state).template);
          return mayRevert && mayReadHistory(caller, 'event', { author }) ? ['POST'] : [];
        },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const { id } = params;
      const revision = revisionOf(body.revision);
      const context = contextOf(request);
      if (!mayReadHistory(context.caller, 'event', await authorOf(id))) throw forbidden(context.caller);
      if (body.dry_run) {
        const tried = onDryRun(commands);
        const before = await loadAllOfSeries(commands.store, id);
        writtenOr(await revertSeries(tried, { ...context, within: UNREVIEWED }, id, revision), request);
        const dates = compareDates(before, await loadAllOfSeries(tried.store, id));
        return triedOnDates(reply, { scope: 'all' }, dates, await commands.store.head());
      }
      const write = async () => writtenOr(await revertSeries(commands, context, id, revision), request);
      const written = await orSayUnproposable(write);
      return answerWrite(dependencies, reply, written, async () => {
        const body = JSON.stringify(seriesObject(request, written.state, statusOf(written.state)));
        return { status: 200, body, etag: entityTag(written.revision, digestOf(body)), location: '' };
      });
    },
  );

  /** The author, on whom the right to read the history may depend; null for a series that is not there. */
  async function authorOf(id: number): Promise<{ readonly author: number } | null> {
    const series = await loadSeries(history.store, id);
    return series && { author: series.template.author };
  }

  api.get(
    `/series/${ID}/history`,
    {
      schema: {
        ...listingHistory({
          ...about,
          right: toReadHistory('event'),
          summary: 'series.history',
          errors: ['rest_forbidden', 'rest_series_not_found'],
        }),
        params: byId,
        querystring: seriesHistoryList({ perPage }),
      },
      config: READ_ONLY,
    },
    async (request, reply) => {
      const { caller, language, params, query } = request;
      const { id } = params;
      if (caller === null) throw forbidden(null);
      const events = await history.store.readStream(streamOfSeries(id));
      const series = fold<Series, SeriesFact>(events, evolveSeries);
      if (!mayReadHistory(caller, 'event', series?.template ?? null)) throw forbidden(caller);
      if (!series) throw new ApiError('rest_series_not_found');
      const paging = pagingOf(query, perPage);
      const total = events.length;
      const { offset, limit } = windowOf(paging);
      const changes = openReviewChanges({
        ...history,
        sentences: language.sentences,
        actors: openActors(history.store),
      });
      const newest = events.toReversed().slice(offset, offset + limit);
      const entries = await Promise.all(
        // Its sentence says all: what it does to each date is in the history of its event.
        newest.map(async (event) => ({ ...(await changes.describe({ kind: 'series', id, event })), changes: [] })),
      );
      const page = { paging, total, path: `series/${id}/history`, revision: total - 1, language };
      return sendPage(reply, { history: entries }, { ...page, pastTheEnd: 'rest_history_page_not_found' });
    },
  );
};
