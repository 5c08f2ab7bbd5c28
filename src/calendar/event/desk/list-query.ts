// The filters of the list of events, as the API takes them.
import type { QueryMembers } from '../../../pages/desk/api.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { mayListUnpublished } from '../../../people/auth/policy.ts';
import { isPast, STATES } from './list-page.ts';

export const OPEN_STATES = STATES.filter((state) => state !== 'trash').join(',');

/** But for the time that the list shows. */
export function filtersFor(request: DeskRequest): QueryMembers {
  const { parameters, user } = request;
  return {
    search: textOf(parameters, 'search'),
    categories: textOf(parameters, 'category'),
    tags: textOf(parameters, 'tag'),
    venue: textOf(parameters, 'venue'),
    organizer: textOf(parameters, 'organizer'),
    series: textOf(parameters, 'series'),
    author: textOf(parameters, 'author'),
    as_of: textOf(parameters, 'as_of'),
    with: textOf(parameters, 'with'),
    ...(mayListUnpublished(user) && !isPast(request) && { status: textOf(parameters, 'state') || OPEN_STATES }),
  };
}

/** The whole query of the list, page by page. */
export const listQuery = (request: DeskRequest): QueryMembers => ({
  ...filtersFor(request),
  ...{ page: textOf(request.parameters, 'page'), per_page: PER_PAGE },
  ...periodQuery(textOf(request.parameters, 'period'), request.now),
});

const PER_PAGE = 25;

function periodQuery(period: string, now: number): QueryMembers {
  if (period === 'past') return { ends_before: `@${now}`, strict_dates: '1' };
  if (period === 'all') return { start_date: '1000-01-01', end_date: '9999-12-31' };
  return { ends_after: `@${now}`, strict_dates: '1' };
}
