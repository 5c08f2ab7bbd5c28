// Who has changed what: the newest first, narrowed by who, when, what and why.

import { siteMomentText } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { inWordsOf, problemNote } from '../../../pages/desk/forms.ts';
import { choice, filterInput } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import type { Known, Titles } from '../../../pages/desk/titles.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address, type Query } from '../../../pages/links.ts';
import { mayManageUsers } from '../../../people/auth/policy.ts';
import { CHANGE_KINDS } from '../../history/http/history-schema.ts';
import { type Change, type ChangesPage, factPath, pathOf, streamOf } from './reading.ts';

export const AUDIT = '/desk/audit';
export const FILTERS = ['kind', 'actor', 'reason', 'request', 'from', 'to'] as const;

/** An actor to choose: by number, or by name where there is none. */
export interface Person {
  readonly value: string;
  readonly name: string;
}

interface AuditShown {
  readonly list: ChangesPage;
  readonly titles: Titles;
  readonly people: readonly Person[];
  readonly problem: Problem | null;
}

export function auditPage(request: DeskRequest, { list, titles, people, problem }: AuditShown): DeskPage {
  const { words, sent, user } = request;
  const isOneRequest = textOf(sent, 'request') !== '';
  const title = words(isOneRequest ? 'audit_request' : 'audit');
  const filters: Query = FILTERS.map((name) => [name, textOf(sent, name)]);
  const isNarrowed = filters.some(([, value]) => value !== '');
  return {
    title,
    section: AUDIT,
    problem,
    main: [
      html`<h1>${title}</h1>`,
      isOneRequest && html`<p>${words('audit_request_text')}</p>`,
      problemNote(inWordsOf(problem, { from: words('opened_from'), to: words('opened_to') })),
      html`<form class="filters" id="audit" method="get" action=${AUDIT} role="search">
        ${choice('kind', words('kind'), textOf(sent, 'kind'), [
          ['', words('any_kind')],
          ...CHANGE_KINDS.map((kind) => [kind, words(`kind_${kind}`)] as const),
        ])}
        ${choice('actor', words('by_whom'), textOf(sent, 'actor'), [
          ['', words('anyone')],
          ...people.map(({ value, name }) => [value, name] as const),
        ])}
        ${filterInput('from', words('opened_from'), textOf(sent, 'from'), 'date')}
        ${filterInput('to', words('opened_to'), textOf(sent, 'to'), 'date')}
        ${filterInput('reason', words('reason_has'), textOf(sent, 'reason'), 'text')}
        ${isOneRequest && html`<input type="hidden" name="request" value=${textOf(sent, 'request')} />`}
        <p class="actions"><button type="submit">${words('find')}</button>
          ${isNarrowed && html`<a href=${AUDIT}>${words('clear_filters')}</a>`}</p>
      </form>`,
      mayManageUsers(user) &&
        html`<p><button type="submit" form="audit" formaction=${`${AUDIT}/export`}>${words('audit_export')}</button></p>`,
      isOneRequest &&
        html`<p><a class="button" href=${address(`${AUDIT}/revert`, [['request', textOf(sent, 'request')]])}>${words('revert_request')}</a></p>`,
      list.changes.length === 0 && html`<p role="status">${words('no_changes')}</p>`,
      html`<ol class="rows">${list.changes.map((change) => row(request, change, titles(subjectOf(change))))}</ol>`,
      list.has_more &&
        html`<nav class="pages" aria-label=${words('pages')}>
          <a rel="next" href=${address(AUDIT, [...filters, ['after', list.next]])}>${words('older')}</a></nav>`,
      importForm(request),
    ],
  };
}

/** A proposal is called as what it is about. */
export const subjectOf = ({ kind, id, target }: Change): Known => target ?? { kind, id };

function row(request: DeskRequest, change: Change, title: string): Html {
  const { words, user } = request;
  const {
    kind,
    id,
    revision,
    instant,
    actor,
    reason,
    summary,
    correlation_id: correlation,
    bypassed_review: bypassed,
    proposal,
  } = change;
  const path = pathOf(kind, id);
  return html`<li><div>
    <p class="what">${path === null ? title : html`<a href=${path}>${title}</a>`} <span class="label">${words(`kind_${kind}`)}</span></p>
    <p>${summary}</p>
    ${bypassed !== undefined && html`<p class="problems"><strong>${words('review_bypassed')}</strong> ${bypassed}</p>`}
    ${reason !== null && html`<p class="reason"><q>${reason}</q></p>`}
    <p class="hint"><time datetime=${instant}>${siteMomentText(request, instant)}</time> · <a href=${address(AUDIT, [['actor', namedBy(actor)]])}>${actor.name}</a> ·${' '}
      ${proposal && html`<a href=${`/desk/review/${proposal.id}`}>${words('by_proposal', { name: proposal.author.name })}</a> · `}
      <a href=${address(AUDIT, [['request', correlation]])}>${words('same_request')}<span class="unseen"> ${correlation}</span></a>
      ${mayManageUsers(user) && html` · <a href=${factPath(streamOf(change), revision)}>${words('log_fact')}</a>`}</p>
  </div></li>`;
}

/** As the filter names an actor. */
export const namedBy = ({ id, name }: Change['actor']): string => (id === null ? name : String(id));

const importForm = ({ words }: DeskRequest): Html =>
  html`<form class="bulk" method="get" action=${`${AUDIT}/revert`}>
    <div class="field"><label for="import">${words('import_id')}</label><input id="import" name="import" required maxlength="200" /></div>
    <p class="actions"><button type="submit">${words('revert_import')}</button></p>
  </form>`;
