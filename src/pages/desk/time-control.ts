// The one control for other times: of lists and of resources, as they were and as they will be, and compared with today.

import { type EpochSeconds, toInstant, toWallClock, type Zone } from '../../kernel/time/zone.ts';
import { type Html, html } from '../html.ts';
import type { Query } from '../links.ts';
import { hiddenFields } from './forms.ts';
import { isMoment, momentField } from './moments.ts';
import { type DeskRequest, textOf } from './page.ts';

export interface TimeLinks {
  /** Where it is shown as of the instant `as_of`. */
  readonly at: string;
  /** Where that is compared with today; absent where nothing compares. */
  readonly compare?: string;
  /** Where it is shown as it is now. */
  readonly now: string;
  /** Filters that stay. */
  readonly filters?: Query;
}

export function timeControl(request: DeskRequest, { at, compare, now, filters = [] }: TimeLinks): Html {
  const { words, parameters, siteZone } = request;
  const asOf = textOf(parameters, 'as_of');
  const instant = askedInstant(asOf, siteZone);
  const value = Number.isNaN(instant) ? '' : toWallClock(instant, siteZone).slice(0, 16).replace(' ', 'T');
  return html`<form class="time" method="get" action=${at}>
    <div id="kept" data-live hidden>${hiddenFields(filters.filter(([name, value]) => value !== '' && name !== 'as_of'))}</div>
    ${momentField({ ...request, form: parameters }, { name: 'as_of', label: words('time_at'), value }, { required: true })}
    <button type="submit">${words('show_it')}</button>
    ${compare !== undefined && html`<button type="submit" formaction=${compare}>${words('time_compare')}</button>`}
    ${(asOf !== '' || textOf(parameters, 'with') !== '') && html`<a href=${now}>${words('time_now')}</a>`}
  </form>`;
}

/** The instant of a minute in the zone of the site, of another text of an instant, or of `@` with seconds; NaN for another text. */
export function askedInstant(text: string, zone: Zone): EpochSeconds {
  if (text.startsWith('@')) return Number(text.slice(1));
  return isMoment(text) ? toInstant(`${text.replace('T', ' ')}:00`, zone) : Date.parse(text) / 1000;
}
