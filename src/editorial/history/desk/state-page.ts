// Something as it was at one of its revisions, and the way back to it.
import type { Json } from '../../../http/schemas/members.ts';
import { momentText } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { timeControl } from '../../../pages/desk/time-control.ts';
import { type Html, html } from '../../../pages/html.ts';
import { safeHtml } from '../../../pages/safe-html.ts';
import { type FieldChange, type HistoryEntry, type Members, pathOf, type Subject, timesOf } from './reading.ts';
import { changeList, fieldName, valueText } from './values.ts';

interface StateShown {
  readonly subject: Subject;
  readonly name: string;
  readonly revision: number;
  readonly newest: number;
  readonly state: Members;
  /** The change that led to it; null if it is on another page of the history. */
  readonly entry: HistoryEntry | null;
  /** From the present state to this one: what going back would change. Null: this is the present state. */
  readonly changes: readonly FieldChange[] | null;
  /** The `ETag` of the present state. */
  readonly etag: string;
  readonly problem: Problem | null;
}

export async function statePage(request: DeskRequest, view: StateShown): Promise<DeskPage> {
  const { words, language } = request;
  const { subject, name, revision, newest, entry, problem } = view;
  const title = words('name_at_revision', { name, revision });
  return {
    title,
    section: subject.section,
    problem,
    main: [
      html`<h1>${title}</h1>`,
      html`<p><a href=${pathOf(subject)}>${words('history_of', { name })}</a></p>`,
      problemNote(problem),
      slider(request, view),
      timeControl(request, timesOf(subject)),
      entry !== null &&
        html`<p class="what">${entry.summary} <span class="hint">${momentText(language.code, entry.date)} · ${entry.actor.name}</span></p>`,
      await facts(request, view),
      revision < newest && goBack(request, view),
    ],
  };
}

/** Works as a form; the script sends it when the slider moves. */
const slider = ({ words }: DeskRequest, { subject, revision, newest }: StateShown): Html =>
  html`<form class="slider" method="get" action=${`${pathOf(subject)}/at`}>
    <label for="revision">${words('slide')}</label>
    <input type="range" id="revision" name="revision" min="0" max=${newest} value=${revision} data-submits />
    <output for="revision">${revision} / ${newest}</output>
    <button type="submit">${words('show_it')}</button>
  </form>`;

async function facts(request: DeskRequest, { subject, state }: StateShown): Promise<Html> {
  const present = shownFields(subject.kind, state);
  const rows = present.map(async (field) => {
    const value = state[field] ?? null;
    const text =
      field === 'description'
        ? html`<div class="prose" dangerouslySetInnerHTML=${await safeHtml(String(value))}></div>`
        : valueText(request, field, value);
    return html`<div><dt>${fieldName(request, field)}</dt><dd>${text}</dd></div>`;
  });
  return html`<dl class="facts">${await Promise.all(rows)}</dl>`;
}

/** Those that say something. */
export const shownFields = ({ fields }: Subject['kind'], state: Members): readonly string[] =>
  fields.filter((field) => !isEmpty(state[field]));

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function goBack(request: DeskRequest, { subject, revision, changes, etag }: StateShown): Html {
  const { words, form } = request;
  return html`<section class="box">
    <h2>${words('go_back')}</h2>
    ${previewOf(request, changes)}
    <form method="post" action=${`${pathOf(subject)}/revert`}>
      ${formFields(request)}
      <input type="hidden" name="revision" value=${revision} />
      <input type="hidden" name="_etag" value=${etag} />
      ${textField({ name: 'reason', label: words('reason'), value: textOf(form, 'reason'), hint: words('hint_reason') })}
      <p class="actions"><button class="main" type="submit">${words('go_back')}</button></p>
    </form>
  </section>`;
}

function previewOf(request: DeskRequest, changes: StateShown['changes']): Html | false {
  const { words } = request;
  if (changes === null) return false;
  if (changes.length === 0) return html`<p>${words('go_back_nothing')}</p>`;
  return html`<p>${words('go_back_text')}</p>${changeList(request, changes)}`;
}
