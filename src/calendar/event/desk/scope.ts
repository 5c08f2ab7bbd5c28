// Which dates of a series a change or a deletion is about. A wider scope than one date is tried first: the page shows
// what would happen to the dates, and only what was shown is carried out.
import { SCOPES, type Scope } from '../../../editorial/series/domain/facts.ts';
import type { DeskWord } from '../../../locales/language.ts';
import { dateText } from '../../../pages/dates.ts';
import type { ApiAnswer, Problem } from '../../../pages/desk/api.ts';
import { choiceField, formFields } from '../../../pages/desk/forms.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';

interface TriedDate {
  readonly date: string;
}

/** The answer of the API to a dry run. */
export interface TriedAnswer {
  readonly dates: { readonly [Group in (typeof GROUPS)[number]]: readonly TriedDate[] } & { readonly kept: number };
}

/** What a change would do to the dates of a series. */
export interface Tried extends TriedAnswer {
  /** The entity tag of the dates that are shown: if they are others by now, they are shown again. */
  readonly mark: string;
}

const GROUPS = ['added', 'removed', 'changed'] as const;
/** Dates that are named; the others are counted. */
const NAMED = 12;

export const scopeOf = ({ form }: DeskRequest): Scope =>
  SCOPES.find((scope) => scope === textOf(form, 'scope')) ?? 'this';

/** What is to be shown before it is carried out; null where it has been, or the dry run was refused. */
export function unseen({ form }: DeskRequest, { body, headers, problem }: ApiAnswer<TriedAnswer>): Tried | null {
  const mark = headers.etag ?? '';
  return problem !== null || textOf(form, 'scope_seen') === mark ? null : { dates: body.dates, mark };
}

export function scopeField(request: DeskRequest, problem: Problem | null): Html {
  const { words } = request;
  const props = { name: 'scope', label: words('scope'), value: scopeOf(request), problem: problem?.fields.scope };
  return choiceField(
    props,
    SCOPES.map((scope) => [scope, words(`scope_${scope}`)]),
  );
}

/** What would happen, and that it has been seen: part of the form that carries it out. */
export const triedPart = (request: DeskRequest, { dates, mark }: Tried): Html =>
  html`<div class="note" role="status">
    <p>${request.words('scope_tried')}</p>
    <ul>${GROUPS.map((group) => dates[group].length > 0 && datesItem(request, `scope_${group}`, dates[group]))}
      <li>${request.words('scope_kept', { count: dates.kept })}</li></ul>
    <input type="hidden" name="scope_seen" value=${mark} />
    <p class="actions"><button type="submit" class="main">${request.words('scope_do')}</button></p>
  </div>`;

function datesItem({ words, language }: DeskRequest, word: DeskWord, dates: readonly TriedDate[]): Html {
  const named = dates.slice(0, NAMED).map(({ date }) => html`<li>${dateText(language.code, 'medium', date)}</li>`);
  return html`<li>${words(word, { count: dates.length })}<ul>${named}${dates.length > NAMED && html`<li>…</li>`}</ul></li>`;
}

/** A deletion before it is carried out. */
export const deletionPage = (request: DeskRequest, id: string, tried: Tried): DeskPage => ({
  title: request.words('to_bin'),
  section: '/desk/events',
  main: [
    html`<h1>${request.words('to_bin')}</h1>`,
    html`<form method="post" action=${`/desk/events/${id}/bin`}>
      ${formFields(request)}
      <input type="hidden" name="scope" value=${scopeOf(request)} />
      ${triedPart(request, tried)}
    </form>`,
    html`<p><a href=${`/desk/events/${id}`}>${request.words('scope_back')}</a></p>`,
  ],
});
