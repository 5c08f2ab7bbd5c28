// Series on the wire: what their routes take, and what they answer.
import Type from 'typebox';
import { recurrenceShown } from '../../../calendar/event/http/event-schema.ts';
import { POST_STATUSES } from '../../../calendar/resource/domain/post.ts';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anyId, flag, integer, optional, paging } from '../../../http/schemas/primitives.ts';
import { SCOPES } from '../domain/facts.ts';

export const seriesRead = Type.Object({ id: anyId('series') });

export const seriesHistoryList = ({ perPage }: ListSettings) =>
  Type.Object({ id: anyId('series'), ...paging(perPage) });

export const seriesRevert = Type.Object({
  id: anyId('series'),
  revision: integer('revert.revision', 'anything'),
  ...optional({ dry_run: flag('event.dry_run') }),
});

export const seriesList = ({ perPage }: ListSettings) => Type.Object(paging(perPage));

export const series = shown.object('shown_series', {
  id: shown.integer('series.id'),
  rest_url: shown.address('shown.url'),
  title: shown.text('event.title'),
  status: shown.oneOf('post.status', POST_STATUSES),
  author: shown.integer('post.author'),
  start_date: shown.text('shown_series.start_date'),
  end_date: shown.text('shown_series.end_date'),
  timezone: shown.text('event.timezone'),
  all_day: shown.flag('event.all_day'),
  recurrence: recurrenceShown,
  summary: shown.text('shown_series.summary'),
  dates_until: shown.instant('shown_series.dates_until'),
  split_from: shown.orNull(shown.integer('shown_series.split_from')),
  events_url: shown.address('shown_series.events_url'),
});

const date = shown.object('tried_on_dates.date', {
  id: shown.orNull(shown.integer('tried_on_dates.id')),
  date: shown.text('recurrence.date'),
});

/** What a change would do to the dates of a series. */
export const triedOnDates = shown.object('tried_on_dates', {
  dry_run: shown.flag('event.dry_run'),
  scope: shown.oneOf('event.scope', SCOPES),
  dates: shown.object('tried_on_dates.dates', {
    added: shown.listOf(date, 'tried_on_dates.added'),
    removed: shown.listOf(date, 'tried_on_dates.removed'),
    changed: shown.listOf(date, 'tried_on_dates.changed'),
    kept: shown.integer('tried_on_dates.kept'),
  }),
});
