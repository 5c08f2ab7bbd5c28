// What the page of an event says about the series that it is a date of.

import type { DeskApi } from '../../../pages/desk/api.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';

export interface SeriesContent {
  readonly id: number;
  /** By which rules it repeats, in words. */
  readonly summary: string;
  /** Whether this date was changed apart from the others. */
  readonly isApart: boolean;
}

interface DateOfSeries {
  readonly series?: { readonly id: number; readonly is_override: boolean };
}

/** The series of an event; null for one that takes place once, or whose series cannot be read. */
export async function seriesOf(api: DeskApi, event: string): Promise<SeriesContent | null> {
  const date = await api.ask<DateOfSeries>(`/events/${event}`, { _fields: 'series' });
  const series = date.problem ? undefined : date.body.series;
  if (series === undefined) return null;
  const { body, problem } = await api.ask<{ readonly summary: string }>(`/series/${series.id}`);
  return problem ? null : { id: series.id, summary: body.summary, isApart: series.is_override };
}

export const seriesNote = ({ words }: DeskRequest, { id, summary, isApart }: SeriesContent): Html =>
  html`<div class="note">
    <p>${words('series_date')}</p>
    <p><strong>${summary}</strong></p>
    ${isApart && html`<p>${words('series_apart')}</p>`}
    <p><a href=${datesOf(id)}>${words('series_dates')}</a></p>
  </div>`;

/** The list of all dates of a series. */
export const datesOf = (series: number): string =>
  address('/desk/events', [
    ['series', String(series)],
    ['period', 'all'],
  ]);
