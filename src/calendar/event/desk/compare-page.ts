// The list of events of another time, compared with that of today.

import { ALL_DATES, differenceList, type ListDifferences } from '../../../editorial/compare/desk/list-differences.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import { problemOf } from '../../../pages/desk/api.ts';
import { problemNote } from '../../../pages/desk/forms.ts';
import { pagesNav } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { askedInstant, timeControl } from '../../../pages/desk/time-control.ts';
import { html } from '../../../pages/html.ts';
import { without } from '../../../pages/links.ts';
import { filtersOf } from './list-page.ts';
import { filtersFor } from './list-query.ts';

const PATH = '/desk/events/compare';

/** Only what is public is compared, so states are none of its filters. */
export async function comparedLists(request: DeskRequest): Promise<DeskPage> {
  const { api, parameters, now, siteZone, words } = request;
  const { status: _status, as_of: at = '', with: _with, ...query } = filtersFor(request);
  const instant = askedInstant(String(at), siteZone);
  const sides = instant > now ? { from: `@${now}`, to: String(at) } : { from: String(at) };
  const { body, problem } = Number.isNaN(instant)
    ? { body: null, problem: problemOf(words('choose_state')) }
    : await api.ask<ListDifferences>('/events/compare', {
        ...query,
        ...ALL_DATES,
        ...sides,
        words: '1',
        page: textOf(parameters, 'page'),
      });
  const filters = without(filtersOf(request), 'state', 'period');
  const when = Number.isNaN(instant) ? '' : siteMomentText(request, instant);
  const title = words(instant > now ? 'time_changes_until' : 'time_changes_since', { date: when });
  return {
    title,
    section: '/desk/events',
    problem,
    main: [
      html`<h1>${title}</h1>`,
      timeControl(request, { at: '/desk/events', compare: PATH, now: '/desk/events', filters }),
      problemNote(problem),
      problem === null && body !== null && differenceList(request, body),
      problem === null && body !== null && pagesNav(request, body.total_pages, PATH, filters),
    ],
  };
}
