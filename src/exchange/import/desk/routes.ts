// The routes of imports: choose a source, look at what it would do, carry it out, and see how far it is.
import type { FastifyReply } from 'fastify';
import { changeList } from '../../../editorial/history/desk/values.ts';
import type { Answer, PageOf } from '../../../http/schemas/components.ts';
import type { DeskWord } from '../../../locales/language.ts';
import { momentText, siteMomentText } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { choiceField, field, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { pageIn, pagesNav } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { mayImport } from '../../../people/auth/policy.ts';
import { ENCODINGS, OUTCOMES } from '../http/import-schema.ts';

// Imports, as the API answers them.

const IMPORT = '/desk/import';

type Import = Answer<'Import'>;

type ImportsPage = PageOf<'imports', Import>;

/** The names of the fields of tables at the desk. */
export const COLUMN_WORDS: { readonly [field: string]: DeskWord } = {
  uid: 'column_uid',
  title: 'field_title',
  start: 'field_start_date',
  start_time: 'column_start_time',
  end: 'field_end_date',
  end_time: 'column_end_time',
  timezone: 'field_timezone',
  all_day: 'field_all_day',
  status: 'field_status',
  private: 'column_private',
  public: 'column_public',
  slug: 'field_slug',
  venue: 'field_venue',
  address: 'field_address',
  city: 'field_city',
  province: 'field_stateprovince',
  zip: 'field_zip',
  country: 'field_country',
  lat: 'column_lat',
  lng: 'column_lng',
  organizer: 'field_organizer',
  category: 'field_categories',
  tags: 'field_tags',
  url: 'field_website',
  cost: 'field_cost',
  currency: 'column_currency',
  image: 'field_image',
  description: 'field_description',
  excerpt: 'field_excerpt',
  event_status: 'field_event_status',
  recurrence: 'field_recurrence',
  accessibility: 'field_accessibility',
  age_range: 'field_age_range',
  languages: 'field_languages',
  registration_url: 'field_registration_url',
};

/** A mapping as the API takes it. */
const mapText = (columns: NonNullable<Import['columns']>): string =>
  columns.flatMap(({ name, field }) => (field === null ? [] : [`${field}="${name.replaceAll('"', '""')}"`])).join(',');

const PER_PAGE = 10;
/** A body may be as large as the API takes it, with the fields of the form. */
const BODY_LIMIT = 16 * 1024 * 1024 + 65_536;
/** Seconds after which a browser asks again, with or without script. */
const REFRESH = '2';

export const importSection: DeskSection = {
  word: 'import',
  path: IMPORT,
  may: (user, { importers }) => mayImport(user, importers),
  routes(app) {
    app.get(IMPORT, async (_request, reply) => start(reply, null));
    app.post(IMPORT, { bodyLimit: BODY_LIMIT }, async ({ desk, upload }, reply) => {
      const job = await desk.api.upload<Import>('/imports', formFor(desk, upload?.file ?? null));
      return job.problem ? start(reply, job.problem) : leadTo(reply, `${IMPORT}/${job.body.id}`);
    });
    app.get<{ Params: { id: string } }>(`${IMPORT}/:id(^\\d+$)`, async ({ desk, params }, reply) => {
      const job = await desk.api.read<Import>(`/imports/${params.id}`);
      if (job.ended === null) reply.header('refresh', REFRESH);
      return show(reply, importPage(desk, job));
    });
    app.post<{ Params: { id: string } }>(`${IMPORT}/:id(^\\d+$)`, async ({ desk, params }, reply) => {
      const former = await desk.api.read<Import>(`/imports/${params.id}`);
      const job = await desk.api.send<Import>('POST', '/imports', furtherFor(desk, former));
      return job.problem
        ? show(reply, importPage(desk, former, job.problem))
        : leadTo(reply, `${IMPORT}/${job.body.id}`);
    });
  },
};

async function start(reply: FastifyReply, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const list = await desk.api.read<ImportsPage>('/imports', { page: pageIn(desk), per_page: PER_PAGE });
  const { words } = desk;
  return show(reply, {
    title: words('import'),
    section: IMPORT,
    problem,
    main: [
      html`<h1>${words('import')}</h1>`,
      html`<p>${words('import_text')}</p>`,
      problemNote(problem, {
        file: words('import_file'),
        url: words('import_address'),
        timezone: words('field_timezone'),
      }),
      sourceForm(desk, problem),
      html`<h2>${words('imports_so_far')}</h2>`,
      list.total === 0 && html`<p>${words('no_imports')}</p>`,
      html`<ul class="rows">${list.imports.map((one) => row(desk, one))}</ul>`,
      pagesNav(desk, list.total_pages, IMPORT),
    ],
  });
}

/** A dry run of what the form names: the file counts if there are both. */
function formFor({ form }: DeskRequest, file: File | null): FormData {
  const request = new FormData();
  request.set('dry_run', 'true');
  const url = textOf(form, 'url').trim();
  if (file) request.set('file', file, file.name);
  else if (url !== '') request.set('url', url);
  for (const option of OPTIONS) {
    const value = textOf(form, option).trim();
    if (value !== '') request.set(option, value);
  }
  return request;
}

/** The import after its dry run, as it was looked at; or another dry run with other columns and options. */
function furtherFor({ form }: DeskRequest, job: Import): object {
  const isImport = textOf(form, 'do') === 'import';
  const { columns = [] } = job;
  const mapping = isImport ? columns : chosenIn(form, columns);
  const isSame = mapText(mapping) === mapText(columns);
  // What was guessed is guessed again.
  const map = isSame ? (job.map ?? '') : mapText(mapping);
  const options = OPTIONS.map((option) => [option, isImport ? (job[option] ?? '') : textOf(form, option).trim()]);
  return {
    from: job.id,
    dry_run: !isImport,
    ...(map !== '' && { map }),
    ...Object.fromEntries(options.filter(([, value]) => value !== '')),
  };
}

const chosenIn = (form: DeskRequest['form'], columns: NonNullable<Import['columns']>): NonNullable<Import['columns']> =>
  columns.map((column, at) =>
    at < MAX_COLUMNS ? { name: column.name, field: textOf(form, `column-${at}`) || null } : column,
  );

// One import or dry run: how far it is, what becomes of what, what was refused and why, and what can be done next.

/** Rows of a table on the page; the API has more of them. */
const MAX_ROWS = 100;
/** Columns that can be mapped on the page. */
const MAX_COLUMNS = 60;

function importPage(request: DeskRequest, job: Import, problem: Problem | null = null): DeskPage {
  const { words } = request;
  const isOver = job.ended !== null;
  const title = words('import_of', { source: job.source });
  return {
    title,
    section: IMPORT,
    problem,
    main: [
      html`<p><a href=${IMPORT}>${words('import')}</a></p>`,
      html`<h1>${title}</h1>`,
      html`<p>${job.dry_run && html`<span class="label">${words('import_dry')}</span> `}${stateLabel(request, job)}</p>`,
      problemNote(problem),
      job.problem !== null && html`<p class="problems" role="alert">${job.problem}</p>`,
      ...(isOver ? results(request, job) : [progress(request, job)]),
    ],
  };
}

function progress({ words }: DeskRequest, { id, done, total }: Import): Html {
  const text = total === null ? '' : words('import_progress', { done, total });
  return html`<div class="note">
    <p role="status">${
      total === null
        ? html`<progress aria-label=${words('import')}></progress>`
        : html`<progress aria-label=${words('import')} max=${Math.max(1, total)} value=${done}></progress>`
    } ${text}</p>
    <p>${words('import_refreshes')} <a href=${`${IMPORT}/${id}`}>${words('refresh')}</a></p>
  </div>`;
}

function results(request: DeskRequest, job: Import): (Html | false)[] {
  const { words } = request;
  const { refused = [], notes = [], remarks = [], columns = [] } = job;
  const kinds = Object.entries(job.counts);
  const written = kinds.reduce((sum, [, { created, changed }]) => sum + created + changed, 0);
  const isWaiting = job.dry_run && job.state === 'done';
  return [
    kinds.length === 0 && job.problem === null && html`<p role="status">${words('import_nothing')}</p>`,
    kinds.length > 0 && html`<p class="note" role="status">${words(job.dry_run ? 'import_would' : 'import_did')}</p>`,
    kinds.length > 0 && totals(request, job.counts),
    isWaiting &&
      written > 0 &&
      html`<form class="button" method="post" action=${`${IMPORT}/${job.id}`}>
        ${formFields(request)}
        <p class="actions"><button class="main" type="submit" name="do" value="import">${words('import_now')}</button></p>
      </form>`,
    !job.dry_run && written > 0 && afterwards(request, job),
    refused.length > 0 && faults(request, 'imported_refused', refused, countOf(job, 'refused')),
    rows(request, job),
    columns.length > 0 && job.dry_run && columnsForm(request, job, columns),
    notes.length > 0 && faults(request, 'import_notes', notes, notes.length),
    remarks.length > 0 &&
      html`<h2>${words('import_remarks')}</h2><ul>${remarks.map((remark) => html`<li>${remark}</li>`)}</ul>`,
  ];
}

const countOf = ({ counts }: Import, outcome: (typeof OUTCOMES)[number]): number =>
  Object.values(counts).reduce((sum, row) => sum + row[outcome], 0);

const KINDS: { readonly [kinds: string]: NonNullable<Import['refused']>[number]['kind'] } = {
  ...{ events: 'event', venues: 'venue', organizers: 'organizer', categories: 'category', tags: 'tag' },
  ...{ records: 'record', sources: 'source' },
};

const scroll = (label: string, table: Html): Html =>
  html`<div class="scroll" role="region" tabindex="0" aria-label=${label}>${table}</div>`;

function totals({ words }: DeskRequest, counts: Import['counts']): Html {
  const outcomes = OUTCOMES.filter((outcome) => Object.values(counts).some((row) => row[outcome] > 0));
  return scroll(
    words('what'),
    html`<table class="numbers">
      <thead><tr><th scope="col">${words('what')}</th>${outcomes.map((one) => html`<th scope="col">${words(`imported_${one}`)}</th>`)}</tr></thead>
      <tbody>${Object.entries(counts).map(
        ([kinds, row]) => html`<tr>
          <th scope="row">${words(`kind_${KINDS[kinds] ?? 'record'}`)}</th>
          ${outcomes.map((one) => html`<td>${row[one]}</td>`)}
        </tr>`,
      )}</tbody>
    </table>`,
  );
}

const afterwards = ({ words }: DeskRequest, { correlation_id: id }: Import): Html =>
  html`<p class="actions">
    <a class="button" href=${address('/desk/audit', [['request', id]])}>${words('import_in_audit')}</a>
    <a class="button" href=${address('/desk/audit/revert', [['import', id]])}>${words('revert_import')}</a>
  </p>`;

const faults = (
  { words }: DeskRequest,
  title: DeskWord,
  all: NonNullable<Import['refused']>,
  count: number,
): Html => html`<h2>${words(title)}</h2>
  ${scroll(
    words(title),
    html`<table>
      <thead><tr>${(['import_line', 'what', 'name', 'import_why'] as const).map((word) => html`<th scope="col">${words(word)}</th>`)}</tr></thead>
      <tbody>${all.slice(0, MAX_ROWS).map(
        ({ kind, name, line, file, reason }) => html`<tr>
          <td>${line ?? words('nothing')}</td><td>${words(`kind_${kind}`)}</td><td>${kind === 'source' ? file : name}</td><td>${reason}</td>
        </tr>`,
      )}</tbody>
    </table>`,
  )}
  ${count > MAX_ROWS && html`<p>${words('import_more', { count: count - Math.min(all.length, MAX_ROWS) })}</p>`}`;

type Column = NonNullable<Import['columns']>[number];
type Row = NonNullable<Import['rows']>[number];

const RANKS: { readonly [outcome: string]: number } = { changed: 2, created: 1 };

/** What is changed is shown first, then what is new; among those what visitors come for. */
const rankOf = ({ kind, outcome }: Row): number => 2 * (RANKS[outcome] ?? 0) + Number(kind === 'event');

function rows(request: DeskRequest, { rows: all = [], done }: Import): Html | false {
  const { words, language } = request;
  if (all.length === 0) return false;
  const sorted = all.toSorted((one, other) => rankOf(other) - rankOf(one));
  const first = sorted.slice(0, MAX_ROWS);
  return html`<h2>${words('import_first')}</h2>
    ${scroll(
      words('import_first'),
      html`<table>
        <thead><tr>${(['import_line', 'revert_outcome', 'what', 'name', 'when'] as const).map((word) => html`<th scope="col">${words(word)}</th>`)}</tr></thead>
        <tbody>${first.map(
          ({ kind, name, line, start, outcome, changes }) => html`<tr>
            <td>${line ?? words('nothing')}</td>
            <td><span class=${outcome === 'created' || outcome === 'changed' ? 'label good' : 'label'}>${words(`imported_${outcome}`)}</span></td>
            <td>${words(`kind_${kind}`)}</td><td>${name}</td>
            <td>${start === null ? words('nothing') : startText(language.code, start)}</td>
          </tr>
          ${changes.length > 0 && html`<tr class="further"><td></td><td colspan="4">${changeList(request, changes)}</td></tr>`}`,
        )}</tbody>
      </table>`,
    )}
    ${done > first.length && html`<p>${words('import_more', { count: done - first.length })}</p>`}`;
}

/** Instants keep their form. */
const startText = (language: string, start: string): string =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(start) ? momentText(language, start) : start;

function columnsForm(request: DeskRequest, job: Import, columns: readonly Column[]): Html {
  const { words } = request;
  const { id } = job;
  return html`<h2 id="columns">${words('import_columns')}</h2>
    <form class="box fields" method="post" action=${`${IMPORT}/${id}`}>
      ${formFields(request)}
      <p class="hint">${words('import_columns_text')}</p>
      <div class="columns">${columns.slice(0, MAX_COLUMNS).map((column, at) => columnField(request, column, at))}</div>
      ${optionFields(request, (option) => job[option] ?? '', null)}
      <p class="actions"><button type="submit" name="do" value="look">${words('look_again')}</button></p>
    </form>`;
}

const columnField = ({ words }: DeskRequest, { name, field: choice }: Column, at: number): Html =>
  html`<div class="field">
    <label for=${`column-${at}`}>${name}</label>
    <select id=${`column-${at}`} name=${`column-${at}`}>
      <option value="" selected=${choice === null}>${words('column_unused')}</option>
      ${Object.entries(COLUMN_WORDS).map(
        ([field, word]) => html`<option value=${field} selected=${choice === field}>${words(word)}</option>`,
      )}
    </select>
  </div>`;

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
    ${optionFields(request, (option) => textOf(form, option), problem)}
    <p class="actions"><button class="main" type="submit">${words('import_look')}</button></p>
  </form>`;
}

const STATUSES = ['draft', 'pending', 'publish', 'private'] as const;

/** What may be said of a source besides. */
const OPTIONS = ['status', 'timezone', 'encoding'] as const;
type Option = (typeof OPTIONS)[number];

function optionFields({ words }: DeskRequest, valueIn: (option: Option) => string, problem: Problem | null): Html {
  const choice = (name: Option, label: DeskWord, choices: readonly (readonly [value: string, text: string])[]): Html =>
    choiceField({ name, label: words(label), value: valueIn(name) }, [['', words('as_recorded')], ...choices]);
  const zone = {
    ...{ name: 'timezone', label: words('field_timezone'), value: valueIn('timezone') },
    ...{ hint: words('hint_import_zone'), problem: problem?.fields.timezone },
  };
  return html`<div class="pair">
    ${choice(
      ...(['status', 'import_status'] as const),
      STATUSES.map((status) => [status, words(`state_${status}`)] as const),
    )}
    ${textField(zone, { maxlength: 64, autocomplete: 'off' })}
    ${choice(
      ...(['encoding', 'field_encoding'] as const),
      ENCODINGS.map((name) => [name, name] as const),
    )}
  </div>`;
}

const row = (request: DeskRequest, one: Import): Html =>
  html`<li>
    <div><p class="what"><a href=${`${IMPORT}/${one.id}`}>${one.source}</a></p>
      <p class="hint">${one.user.name} · ${siteMomentText(request, one.begun)}</p></div>
    <p>${one.dry_run && html`<span class="label">${request.words('import_dry')}</span> `}${stateLabel(request, one)}</p>
  </li>`;

const stateLabel = ({ words }: DeskRequest, { state }: Import): Html => {
  const kind = state === 'done' ? 'label good' : 'label';
  return html`<span class=${state === 'failed' || state === 'interrupted' ? 'label bad' : kind}>${words(`import_${state}`)}</span>`;
};
