// What has happened to something, the newest first.
import { momentText } from '../../../pages/dates.ts';
import { pagesNav } from '../../../pages/desk/lists.ts';
import type { DeskPage, DeskRequest } from '../../../pages/desk/page.ts';
import { timeControl } from '../../../pages/desk/time-control.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { type HistoryEntry, type HistoryPage, pathOf, type Subject, timesOf } from './reading.ts';
import { changeList } from './values.ts';

interface TimelineShown {
  readonly subject: Subject;
  readonly name: string;
  readonly page: number;
  readonly found: HistoryPage;
}

export function timelinePage(request: DeskRequest, { subject, name, page, found }: TimelineShown): DeskPage {
  const { words } = request;
  const to = (number: number): string => address(pathOf(subject), [['page', String(number)]]);
  const title = words('history_of', { name });
  const isChosen = found.history.length > 1;
  return {
    title,
    section: subject.section,
    main: [
      html`<h1>${title}</h1>`,
      html`<p class="actions"><a href=${`${subject.section}/${subject.id}`}>${words('back_to', { name })}</a>
        <a class="button" href=${`${pathOf(subject)}/values`}>${words('values_by')}</a></p>`,
      timeControl(request, timesOf(subject)),
      html`<form class="timeline" method="get" action=${`${pathOf(subject)}/compare`}>
        <ol class="rows" reversed>${found.history.map((entry, at) => entryOf(request, subject, entry, isChosen ? at : null))}</ol>
        ${isChosen && html`<p class="actions"><button type="submit">${words('compare_chosen')}</button></p>`}
      </form>`,
      pagesNav(request, { page, pages: found.total_pages, to }),
    ],
  };
}

/** Until others are chosen, the newest state is compared with the one before. */
const CHOSEN = { from: 1, to: 0 } as const;

/** `at`: its place among those that can be chosen for a comparison; null where none can. */
function entryOf(request: DeskRequest, subject: Subject, entry: HistoryEntry, at: number | null): Html {
  const { words, language } = request;
  const { revision, date, actor, reason, summary, changes } = entry;
  const choice = (side: 'from' | 'to'): Html =>
    html`<label><input type="radio" name=${side} value=${revision} checked=${at === CHOSEN[side]} /> ${words(`compare_${side}`)}
      <span class="unseen">${words('revision', { revision })}</span></label>`;
  return html`<li>
    <p class="what">${summary}</p>
    <p class="hint"><time datetime=${date.replace(' ', 'T')}>${momentText(language.code, date)}</time> · ${actor.name}</p>
    ${reason !== null && html`<p class="reason"><q>${reason}</q></p>`}
    ${changes.length > 0 && html`<details><summary>${words('what_changed')}</summary>${changeList(request, changes)}</details>`}
    <p class="actions">${at !== null && html`${choice('from')} ${choice('to')}`}
      <a href=${address(`${pathOf(subject)}/at`, [['revision', String(revision)]])}>${words('as_it_was')}<span class="unseen"> ${words('revision', { revision })}</span></a></p>
  </li>`;
}
