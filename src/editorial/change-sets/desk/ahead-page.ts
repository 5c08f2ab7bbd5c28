// What a set changes in the list of events: the list with it, compared with the one of now.

import type { ListedEvent } from '../../../calendar/event/desk/reading.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import type { Difference } from '../../../kernel/text/wire-words.ts';
import type { DeskWord } from '../../../locales/language.ts';
import { whenText } from '../../../pages/dates.ts';
import type { DeskApi } from '../../../pages/desk/api.ts';
import { pagesNav } from '../../../pages/desk/lists.ts';
import type { DeskPage, DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import type { FieldChange } from '../../history/desk/reading.ts';
import { changeList } from '../../history/desk/values.ts';
import { SETS } from './list-page.ts';
import type { ChangeSet } from './reading.ts';

interface ListDifference {
  readonly id: number;
  readonly what: Difference;
  readonly changes: readonly FieldChange[];
  readonly event: ListedEvent;
}

interface ListDifferences {
  readonly events: readonly ListDifference[];
  readonly totals: { readonly [What in Difference]: number };
  readonly total: number;
  readonly total_pages: number;
}

const WORDS: { readonly [What in Difference]: DeskWord } = {
  added: 'differs_added',
  removed: 'differs_removed',
  moved: 'differs_moved',
  changed: 'differs_changed',
  cancelled: 'differs_cancelled',
};

/** Without an end: what is long past or far ahead may change as well. */
const ALL_DATES = { start_date: '1000-01-01', end_date: '9999-12-31' };

export const differencesWith = (api: DeskApi, now: number, { id }: ChangeSet, page: string): Promise<ListDifferences> =>
  api.read<ListDifferences>('/events/compare', { ...ALL_DATES, from: `@${now}`, with: `set:${id}`, words: '1', page });

/** The list of events with a set, at its instant if it has one. */
export const listAhead = ({ id, at }: ChangeSet): string =>
  address('/desk/events', [
    ['with', `set:${id}`],
    ['as_of', at ?? ''],
  ]);

export const aheadPathOf = ({ id }: ChangeSet): string => `${SETS}/${id}/ahead`;

interface AheadShown {
  readonly set: ChangeSet;
  readonly page: number;
  readonly found: ListDifferences;
}

export function aheadPage(request: DeskRequest, { set, page, found }: AheadShown): DeskPage {
  const { words } = request;
  const title = words('ahead_of', { name: set.name });
  const kinds = (Object.keys(WORDS) as Difference[]).filter((what) => found.totals[what] > 0);
  const to = (number: number): string => address(aheadPathOf(set), [['page', String(number)]]);
  return {
    title,
    section: SETS,
    main: [
      html`<p><a href=${`${SETS}/${set.id}`}>${set.name}</a></p>`,
      html`<h1>${title}</h1>`,
      html`<p><a href=${listAhead(set)}>${words('list_ahead')}</a></p>`,
      found.total === 0
        ? html`<p role="status">${words('no_difference')}</p>`
        : html`<p role="status">${kinds.map((what) => `${words(WORDS[what])}: ${found.totals[what]}`).join(' · ')}</p>`,
      html`<ul class="rows">${found.events.map((one) => differenceOf(request, one))}</ul>`,
      pagesNav(request, { page, pages: found.total_pages, to }),
    ].filter((part) => part !== false),
  };
}

function differenceOf(request: DeskRequest, { id, what, changes, event }: ListDifference): Html {
  const { words, language } = request;
  const title = lineOfHtml(event.title) || words('untitled');
  // What the set creates is not there yet.
  const name = what === 'added' ? title : html`<a href=${`/desk/events/${id}`}>${title}</a>`;
  return html`<li><div>
    <p class="what">${name} <span class="label">${words(WORDS[what])}</span></p>
    <p class="hint">${whenText(language.code, event, 'medium')}</p>
    ${changes.length > 0 && changeList(request, changes)}
  </div></li>`;
}
