// What differs between two lists of events: each event with what has become of it.

import type { PageOf } from '../../../http/schemas/components.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import type { Difference } from '../../../kernel/text/wire-words.ts';
import type { DeskWord } from '../../../locales/language.ts';
import type { EventAnswer } from '../../../pages/answers.ts';
import { whenInList } from '../../../pages/dates.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { FieldChange } from '../../history/desk/reading.ts';
import { changeList } from '../../history/desk/values.ts';

interface ListDifference {
  readonly id: number;
  readonly what: Difference;
  readonly changes: readonly FieldChange[];
  /** Null: not for this reader any more. */
  readonly event: EventAnswer | null;
}

export type ListDifferences = PageOf<'events', ListDifference> & {
  readonly totals: { readonly [What in Difference]: number };
};

const WORDS: { readonly [What in Difference]: DeskWord } = {
  added: 'differs_added',
  removed: 'differs_removed',
  moved: 'differs_moved',
  changed: 'differs_changed',
  cancelled: 'differs_cancelled',
};

/** A range without an end: what is long past or far ahead may differ as well. */
export const ALL_DATES = { start_date: '1000-01-01', end_date: '9999-12-31' };

/** How many of each, and then each of them. */
export function differenceList(request: DeskRequest, { events, totals, total }: ListDifferences): Html {
  const { words } = request;
  if (total === 0) return html`<p role="status">${words('no_difference')}</p>`;
  const kinds = (Object.keys(WORDS) as Difference[]).filter((what) => totals[what] > 0); // Its keys.
  return html`<p role="status">${kinds.map((what) => `${words(WORDS[what])}: ${totals[what]}`).join(' · ')}</p>
    <ul class="rows">${events.map((one) => differenceOf(request, one))}</ul>`;
}

function differenceOf(request: DeskRequest, { id, what, changes, event }: ListDifference): Html {
  const { words } = request;
  const title = event === null ? `${words('kind_event')} ${id}` : lineOfHtml(event.title) || words('untitled');
  // What is to be created is not there yet.
  const name = what === 'added' ? title : html`<a href=${`/desk/events/${id}`}>${title}</a>`;
  return html`<li><div>
    <p class="what">${name} <span class="label">${words(WORDS[what])}</span></p>
    <p class="hint">${event !== null && whenInList(request, event)}</p>
    ${changes.length > 0 && changeList(request, changes)}
  </div></li>`;
}
