// What a set changes in the list of events: the list with it, compared with the one of now.

import type { DeskApi } from '../../../pages/desk/api.ts';
import { pagesNav } from '../../../pages/desk/lists.ts';
import type { DeskPage, DeskRequest } from '../../../pages/desk/page.ts';
import { html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { ALL_DATES, differenceList, type ListDifferences } from '../../compare/desk/list-differences.ts';
import { type ChangeSet, SETS } from './reading.ts';

export const differencesWith = (api: DeskApi, now: number, { id }: ChangeSet, page: string): Promise<ListDifferences> =>
  api.read('/events/compare', { ...ALL_DATES, from: `@${now}`, with: `set:${id}`, words: '1', page });

/** The list of events with a set, at its instant if it has one. */
export const listAhead = ({ id, at }: ChangeSet): string =>
  address('/desk/events', [
    ['with', `set:${id}`],
    ['as_of', at ?? ''],
  ]);

export const aheadPathOf = ({ id }: ChangeSet): string => `${SETS}/${id}/ahead`;

export function aheadPage(request: DeskRequest, set: ChangeSet, differences: ListDifferences): DeskPage {
  const { words } = request;
  const title = words('ahead_of', { name: set.name });
  return {
    title,
    section: SETS,
    main: [
      html`<p><a href=${`${SETS}/${set.id}`}>${set.name}</a></p>`,
      html`<h1>${title}</h1>`,
      html`<p><a href=${listAhead(set)}>${words('list_ahead')}</a></p>`,
      differenceList(request, differences),
      pagesNav(request, differences.total_pages, aheadPathOf(set)),
    ],
  };
}
