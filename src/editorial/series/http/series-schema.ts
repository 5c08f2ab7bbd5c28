// Series on the wire: what their routes take, and what they answer.
import { recurrenceShown } from '../../../calendar/event/http/event-schema.ts';
import { POST_STATUSES } from '../../../calendar/resource/domain/post.ts';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import { anyId, flag, integer, optional, paging } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
import { SCOPES } from '../domain/facts.ts';

export const seriesRead = Type.Object({ id: anyId('series') });

export const seriesHistoryList = ({ perPage }: ListSettings) =>
  Type.Object({ id: anyId('series'), ...paging(perPage) });

export const seriesRevert = Type.Object({
  id: anyId('series'),
  revision: integer('revert.revision', 'anything'),
  ...optional({ dry_run: flag('event.dry_run') }),
});

export const series = member.object('shown_series', {
  id: member.integer('series.id'),
  rest_url: member.address('shown.url'),
  title: member.text('event.title'),
  status: member.oneOf('post.status', POST_STATUSES),
  author: member.integer('post.author'),
  start_date: member.text('shown_series.start_date'),
  end_date: member.text('shown_series.end_date'),
  timezone: member.text('event.timezone'),
  all_day: member.flag('event.all_day'),
  recurrence: recurrenceShown,
  summary: member.text('shown_series.summary'),
  dates_until: member.instant('shown_series.dates_until'),
  split_from: member.orNull(member.integer('shown_series.split_from')),
  events_url: member.address('shown_series.events_url'),
});

const date = member.object('tried_on_dates.date', {
  id: member.orNull(member.integer('tried_on_dates.id')),
  date: member.text('recurrence.date'),
});

/** What a change would do to the dates of a series. */
export const triedOnDates = member.object('tried_on_dates', {
  dry_run: member.flag('event.dry_run'),
  scope: member.oneOf('event.scope', SCOPES),
  dates: member.object('tried_on_dates.dates', {
    added: member.listOf(date, 'tried_on_dates.added'),
    removed: member.listOf(date, 'tried_on_dates.removed'),
    changed: member.listOf(date, 'tried_on_dates.changed'),
    kept: member.integer('tried_on_dates.kept'),
  }),
});
