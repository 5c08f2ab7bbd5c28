// Choosing what to import, and the imports so far.

import { instantText } from '../../../editorial/proposals/desk/reading.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { field, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { pagesNav } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { IMPORT, type Import, type ImportsPage } from './reading.ts';

export interface StartShown {
  readonly list: ImportsPage;
  readonly page: number;
  readonly problem: Problem | null;
}

export function startPage(request: DeskRequest, { list, page, problem }: StartShown): DeskPage {
  const { words } = request;
  const to = (number: number): string => address(IMPORT, [['page', String(number)]]);
  return {
    title: words('import'),
    section: IMPORT,
    status: problem?.status ?? 200,
    main: [
      html`<h1>${words('import')}</h1>`,
      html`<p>${words('import_text')}</p>`,
      problemNote(problem, {
        file: words('import_file'),
        url: words('import_address'),
        timezone: words('field_timezone'),
      }),
      sourceForm(request, problem),
      html`<h2>${words('imports_so_far')}</h2>`,
      list.total === 0 && html`<p>${words('no_imports')}</p>`,
      html`<ul class="rows">${list.imports.map((one) => row(request, one))}</ul>`,
      pagesNav(request, { page, pages: list.total_pages, to }),
    ].filter((part) => part !== false),
  };
}

function sourceForm(request: DeskRequest, problem: Problem | null): Html {
  const { words, form } = request;
  const file = {
    ...{ name: 'file', label: words('import_file'), hint: words('hint_import_file'), problem: problem?.fields.file },
  };
  const url = { name: 'url', label: words('import_address'), value: textOf(form, 'url'), problem: problem?.fields.url };
  return html`<form class="box fields narrow" method="post" action=${IMPORT} enctype="multipart/form-data">
    ${formFields(request)}
    ${field(
      file,
      html`<input type="file" id="file" name="file" aria-describedby=${file.problem ? 'file-hint file-problem' : 'file-hint'} accept=".ics,.ical,.csv,.tsv,.json,.jsonl,.ndjson,.gz,text/calendar,text/csv,application/json" />`,
    )}
    ${textField(url, { type: 'url', placeholder: 'https://', maxlength: 2000 })}
    ${optionFields(request, { status: textOf(form, 'status'), timezone: textOf(form, 'timezone') }, problem)}
    <p class="actions"><button class="main" type="submit">${words('import_look')}</button></p>
  </form>`;
}

const STATUSES = ['draft', 'pending', 'publish', 'private'] as const;

interface Options {
  readonly status: string;
  readonly timezone: string;
}

export const optionFields = ({ words }: DeskRequest, options: Options, problem: Problem | null): Html =>
  html`<div class="pair">
    ${field(
      { name: 'status', label: words('import_status') },
      html`<select id="status" name="status">
        <option value="" selected=${options.status === ''}>${words('as_recorded')}</option>
        ${STATUSES.map(
          (status) =>
            html`<option value=${status} selected=${options.status === status}>${words(`state_${status}`)}</option>`,
        )}
      </select>`,
    )}
    ${textField(
      {
        ...{ name: 'timezone', label: words('field_timezone'), value: options.timezone },
        ...{ hint: words('hint_import_zone'), problem: problem?.fields.timezone },
      },
      { maxlength: 64, autocomplete: 'off' },
    )}
  </div>`;

const row = (request: DeskRequest, one: Import): Html =>
  html`<li>
    <div><p class="what"><a href=${`${IMPORT}/${one.id}`}>${one.source}</a></p>
      <p class="hint">${one.user.name} · ${instantText(request, one.begun)}</p></div>
    <p>${one.dry_run && html`<span class="label">${request.words('import_dry')}</span> `}${stateLabel(request, one)}</p>
  </li>`;

export const stateLabel = ({ words }: DeskRequest, { state }: Import): Html => {
  const kind = state === 'done' ? 'label good' : 'label';
  return html`<span class=${state === 'failed' || state === 'interrupted' ? 'label bad' : kind}>${words(`import_${state}`)}</span>`;
};
