// Who has changed what: the newest first, narrowed by who, when, what and why.

import type { Problem } from '../../../pages/desk/api.ts';
import { inWordsOf, problemNote } from '../../../pages/desk/forms.ts';
import { choice, filterInput } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address, type Query } from '../../../pages/links.ts';
import { CHANGE_KINDS } from '../../history/http/history-schema.ts';
import { type Change, type ChangesPage, placeOf } from './reading.ts';

export const AUDIT = '/desk/audit';
export const FILTERS = ['kind', 'actor', 'reason', 'request', 'from', 'to'] as const;

export interface AuditShown {
  readonly list: ChangesPage;
  readonly problem: Problem | null;
}

export function auditPage(request: DeskRequest, { list, problem }: AuditShown): DeskPage {
  const { words, sent } = request;
  const filters: Query = FILTERS.map((name) => [name, textOf(sent, name)]);
  const isNarrowed = filters.some(([, value]) => value !== '');
  return {
    title: words('audit'),
    section: AUDIT,
    status: problem?.status ?? 200,
    main: [
      html`<h1>${words('audit')}</h1>`,
      problemNote(inWordsOf(problem, { from: words('opened_from'), to: words('opened_to') })),
      html`<form class="filters" id="audit" method="get" action=${AUDIT} role="search">
        ${choice('kind', words('kind'), textOf(sent, 'kind'), [
          ['', words('any_kind')],
          ...CHANGE_KINDS.map((kind) => [kind, words(`kind_${kind}`)] as const),
        ])}
        ${filterInput('actor', words('by_whom'), textOf(sent, 'actor'), 'text')}
        ${filterInput('from', words('opened_from'), textOf(sent, 'from'), 'date')}
        ${filterInput('to', words('opened_to'), textOf(sent, 'to'), 'date')}
        ${filterInput('reason', words('reason_has'), textOf(sent, 'reason'), 'text')}
        ${filterInput('request', words('request'), textOf(sent, 'request'), 'text')}
        <p class="actions"><button type="submit">${words('find')}</button>
          ${isNarrowed && html`<a href=${AUDIT}>${words('clear_filters')}</a>`}</p>
      </form>`,
      mayManageUsers(user) &&
        html`<p><button type="submit" form="audit" formaction=${`${AUDIT}/export`}>${words('audit_export')}</button></p>`,
      isOneRequest &&
        html`<p><a class="button" href=${address(`${AUDIT}/revert`, [['request', textOf(sent, 'request')]])}>${words('revert_request')}</a></p>`,
      list.changes.length === 0 && html`<p role="status">${words('no_changes')}</p>`,
      html`<ol class="rows">${list.changes.map((change) => row(request, change))}</ol>`,
      list.has_more &&
        html`<nav class="pages" aria-label=${words('pages')}>
          <a rel="next" href=${address(AUDIT, [...filters, ['after', list.next]])}>${words('older')}</a></nav>`,
      importForm(request),
    ].filter((part) => part !== false),
  };
}

function row({ words, language, siteZone }: DeskRequest, change: Change): Html {
  const { kind, id, actor, reason, summary, correlation_id: correlation, bypassed_review: bypassed } = change;
  const { path, when, time } = placeOf(change, language.code, siteZone);
  const what = `${words(`kind_${kind}`)} ${id}`;
  return html`<li><div>
    <p class="what">${path === null ? what : html`<a href=${path}>${what}</a>`}</p>
    <p>${summary}</p>
    ${bypassed !== undefined && html`<p class="problems"><strong>${words('review_bypassed')}</strong> ${bypassed}</p>`}
    ${reason !== null && html`<p class="reason"><q>${reason}</q></p>`}
    <p class="hint"><time datetime=${time}>${when}</time> · ${actor.name} ·${' '}
      <a href=${address(AUDIT, [['request', correlation]])}>${words('same_request')}<span class="unseen"> ${correlation}</span></a></p>
  </div></li>`;
}

const importForm = ({ words }: DeskRequest): Html =>
  html`<form class="bulk" method="get" action=${`${AUDIT}/revert`}>
    <div class="field"><label for="import">${words('import_id')}</label><input id="import" name="import" required maxlength="200" /></div>
    <p class="actions"><button type="submit">${words('revert_import')}</button></p>
  </form>`;
