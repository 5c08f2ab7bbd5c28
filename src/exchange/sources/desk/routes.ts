// The routes of sources. Who may manage them is decided by the API.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { AUDIT } from '../../../editorial/audit/desk/reading.ts';
import { ID } from '../../../http/plugins/routing.ts';
import { importReasonIn } from '../../../locales/import-reasons.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { buttonForm, choiceField, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { type ById, formsOf } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address as link } from '../../../pages/links.ts';
import { mayImport, mayManageUsers } from '../../../people/auth/policy.ts';
import { ON_MISSING, SOURCE_MODES } from '../domain/source.ts';
import { COUNTED } from '../http/source-schema.ts';
import { isFailing, SOURCES, type Source, type SourcePoll, STATUSES, titleOf } from './reading.ts';

/** What is shown on the page of a source only now. */
interface Now {
  readonly dry?: SourcePoll | null;
  readonly problem?: Problem | null;
}

export const sourceSection: DeskSection = {
  word: 'sources',
  path: SOURCES,
  may: (user, { importers }) => mayImport(user, importers),
  routes(app) {
    app.get(SOURCES, (_request, reply) => showList(reply, null));
    app.post(SOURCES, async ({ desk }, reply) => {
      const { body, problem } = await desk.api.send<Source>('POST', '/sources', membersIn(desk));
      return problem ? showList(reply, problem) : leadTo(reply, `${SOURCES}/${body.id}`, 'said_source_added');
    });
    app.get<ById>(`${SOURCES}/${ID}`, ({ params }, reply) => showOne(reply, params.id, {}));
    writes(app);
  },
};

async function showList(reply: FastifyReply, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { sources } = await desk.api.read<{ readonly sources: readonly Source[] }>('/sources');
  const { words } = desk;
  return show(reply, {
    title: words('sources'),
    section: SOURCES,
    problem,
    main: [
      html`<h1>${words('sources')}</h1>`,
      html`<p>${words('sources_text')}</p>`,
      sources.length === 0 && html`<p role="status">${words('no_sources')}</p>`,
      html`<ul class="rows">${sources.map((one) => row(desk, one))}</ul>`,
      html`<form class="box fields narrow" method="post" action=${SOURCES}>
        <h2>${words('new_source')}</h2>
        ${problemNote(problem, labelsOf(desk))}
        ${formFields(desk)}
        ${sourceFields(desk, { source: null, problem })}
        <p class="actions"><button class="main" type="submit">${words('new_source')}</button></p>
      </form>`,
    ],
  });
}

async function showOne(reply: FastifyReply, id: string, { dry = null, problem = null }: Now): Promise<FastifyReply> {
  const { desk } = reply.request;
  const source = await desk.api.read<Source>(`/sources/${id}`);
  const { polls } = await desk.api.read<{ readonly polls: readonly SourcePoll[] }>(`/sources/${id}/polls`);
  const { words } = desk;
  const path = `${SOURCES}/${source.id}`;
  const title = titleOf(source);
  const failed = polls.find(({ outcome }) => outcome !== 'running');
  return show(reply, {
    title,
    section: SOURCES,
    problem,
    main: html`<div class="narrow">
      <p><a href=${SOURCES}>${words('sources')}</a></p>
      <h1>${title}</h1>
      ${problemNote(problem, labelsOf(desk))}
      ${dry !== null && html`<section class="box" role="status"><p>${words('source_would')}</p>${pollText(desk, dry)}</section>`}
      ${source.failures > 0 && failed?.problem && html`<div class="note">${problemText(desk, failed)}</div>`}
      ${source.to_confirm !== null && buttonForm(desk, `${path}/polls`, words('source_accept'), { accept: '1' })}
      <p class="labels">${stateLabels(desk, source)}</p>
      ${facts(desk, source)}
      <div class="actions">
        ${buttonForm(desk, `${path}/polls`, words('source_poll_now'))}
        ${buttonForm(desk, `${path}/dry-run`, words('source_dry_run'))}
        ${
          source.paused
            ? buttonForm(desk, `${path}/resume`, words('resume'))
            : buttonForm(desk, `${path}/pause`, words('pause'))
        }
      </div>
      <section><h2>${words('source_polls')}</h2>
        ${polls.length === 0 && html`<p>${words('source_no_polls')}</p>`}
        <ul class="rows">${polls.map((poll) => pollRow(desk, poll))}</ul></section>
      <section><h2>${words('settings')}</h2>
        <form method="post" action=${path} class="fields">
          ${formFields({ ...desk, form: {} })}
          ${sourceFields(desk, { source, problem })}
          <p class="actions"><button class="main" type="submit">${words('save')}</button></p>
        </form></section>
      <details class="box"><summary>${words('source_remove')}</summary>
        <p>${words('source_remove_text')}</p>
        ${buttonForm(desk, `${path}/remove`, words('remove_sure'))}
      </details>
    </div>`,
  });
}

function writes(app: FastifyInstance): void {
  const form = formsOf(app, SOURCES, (reply, id, problem) => showOne(reply, id, { problem }));
  form('', 'said_saved', (desk, id) => desk.api.send('PATCH', `/sources/${id}`, membersIn(desk)));
  form('polls', 'said_source_polled', ({ api, form: values }, id) =>
    api.send('POST', `/sources/${id}/polls`, { accept: textOf(values, 'accept') === '1' }),
  );

  app.post<ById>(`${SOURCES}/${ID}/dry-run`, async ({ desk, params: { id } }, reply) => {
    const { body, problem } = await desk.api.send<SourcePoll>('POST', `/sources/${id}/polls`, { dry_run: true });
    return showOne(reply, id, problem ? { problem } : { dry: body });
  });

  // Answers with the page itself, so its address may be asked for again.
  app.get<ById>(`${SOURCES}/${ID}/dry-run`, async ({ params: { id } }, reply) => leadTo(reply, `${SOURCES}/${id}`));

  form('pause', 'said_source_paused', ({ api }, id) => api.send('POST', `/sources/${id}/pause`));
  form('resume', 'said_source_resumed', ({ api }, id) => api.send('POST', `/sources/${id}/resume`));
  form('remove', 'said_source_removed', ({ api }, id) => api.send('DELETE', `/sources/${id}`), SOURCES);
}

function facts(request: DeskRequest, { address, user, next_poll: next }: Source): Html {
  const { words } = request;
  return html`<dl class="facts">
    <div><dt>${words('source_address')}</dt><dd>${address}</dd></div>
    <div><dt>${words('source_whose')}</dt><dd>${user.name || String(user.id)}</dd></div>
    ${next !== null && html`<div><dt>${words('source_next')}</dt><dd>${siteMomentText(request, next)}</dd></div>`}
  </dl>`;
}

/** What it did, and a link that takes it back if it has written anything. */
function pollRow(request: DeskRequest, poll: SourcePoll): Html {
  const { words } = request;
  const { begun, by, outcome, request: id, counts } = poll;
  const hasWritten = outcome === 'applied' && counts.created + counts.changed + counts.missing > 0;
  return html`<li><div>${pollText(request, poll)}
      <p class="hint">${siteMomentText(request, begun)}${by !== null && ` · ${words('source_asked_by', { user: by.name || String(by.id) })}`}</p>
      ${hasWritten && html`<p><a href=${link(`${AUDIT}/revert`, [['request', id]])}>${words('source_take_back')}</a></p>`}</div></li>`;
}

function pollText(request: DeskRequest, poll: SourcePoll): Html {
  const { words } = request;
  const counts = COUNTED.filter((name) => poll.counts[name] > 0).map(
    (name) => `${countLabel(request, name)}: ${poll.counts[name]}`,
  );
  return html`<p class="what">${[words(`source_outcome_${poll.outcome}`), ...counts].join(' · ')}</p>
    ${poll.problem && problemText(request, poll)}
    ${
      poll.notes.length > 0 &&
      html`<details><summary>${words('import_notes')}: ${poll.notes.length}</summary>
      <ul>${poll.notes.map(({ name, reason }) => html`<li>${name && `${name}: `}${importReasonIn(request.language, reason)}</li>`)}</ul></details>`
    }`;
}

const countLabel = ({ words }: DeskRequest, name: (typeof COUNTED)[number]): string =>
  name === 'missing' || name === 'proposed' ? words(`source_count_${name}`) : words(`imported_${name}`);

const problemText = ({ words, language }: DeskRequest, { problem, detail }: SourcePoll): Html =>
  html`<p>${problem && words(`source_problem_${problem}`)}</p>
    ${detail !== '' && html`<p class="hint">${importReasonIn(language, detail)}</p>`}`;

function row(request: DeskRequest, source: Source): Html {
  const { words } = request;
  const { id, name, address, last_poll: last, mode } = source;
  const hint = [
    name && address,
    words(`source_mode_${mode}`),
    last ? words('source_last', { date: siteMomentText(request, last.begun) }) : words('source_no_polls'),
    source.failures > 0 && last?.problem ? words(`source_problem_${last.problem}`) : '',
  ];
  return html`<li><div><p class="what"><a href=${`${SOURCES}/${id}`}>${titleOf(source)}</a></p>
      <p class="hint">${hint.filter(Boolean).join(' · ')}</p></div>
    <p class="labels">${stateLabels(request, source)}</p></li>`;
}

function stateLabels({ words }: DeskRequest, source: Source): readonly (Html | false)[] {
  const { paused, failures, to_confirm: doubt } = source;
  return [
    paused && html`<span class="label">${words('source_paused')}</span>`,
    failures > 0 && html`<span class="label bad">${words('source_failed', { count: failures })}</span>`,
    doubt !== null && html`<span class="label bad">${words('source_held')}</span>`,
    !paused && !isFailing(source) && html`<span class="label good">${words('source_well')}</span>`,
  ];
}

// The form of a source: where it is, how often it is polled, and what becomes of what it says.

const NAMES = ['address', 'name', 'every', 'mode', 'on_missing', 'status', 'user'] as const;
type Values = { readonly [Name in (typeof NAMES)[number]]: string };

const blankFor = ({ user }: DeskRequest): Values => ({
  address: '',
  name: '',
  every: '60',
  mode: 'apply',
  on_missing: 'leave',
  status: '',
  user: String(user.id),
});

const valuesOf = (source: Source): Values => ({
  ...source,
  every: String(source.every),
  user: String(source.user.id),
});

const typedIn = (form: DeskRequest['form']): Values =>
  Object.fromEntries(NAMES.map((name) => [name, textOf(form, name).trim()])) as Values; // All of them.

const numberOr = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);

/** The members of a creation or a change; all that the form shows. */
function membersIn({ form }: DeskRequest): object {
  const { every, user, ...texts } = typedIn(form);
  return { ...texts, every: numberOr(every), ...('user' in form && { user: numberOr(user) }) };
}

interface FormState {
  /** Null: a new one. */
  readonly source: Source | null;
  readonly problem: Problem | null;
}

function sourceFields(request: DeskRequest, { source, problem }: FormState): Html[] {
  const { words, form, user } = request;
  const values = 'address' in form ? typedIn(form) : source ? valuesOf(source) : blankFor(request);
  const labels = labelsOf(request);
  const fieldOf = (name: keyof Values) => ({
    name,
    label: labels[name] ?? name,
    value: values[name],
    problem: problem?.fields[name],
  });
  return [
    textField(
      { ...fieldOf('address'), hint: words('hint_source_address') },
      { required: true, maxlength: 2000, autocomplete: 'off', inputmode: 'url' },
    ),
    html`<div class="pair">
      ${textField(fieldOf('name'), { maxlength: 200, autocomplete: 'off' })}
      ${textField(fieldOf('every'), { required: true, inputmode: 'numeric', maxlength: 5, autocomplete: 'off' })}
    </div>`,
    html`<div class="pair">
      ${choiceField(
        fieldOf('mode'),
        SOURCE_MODES.map((mode) => [mode, words(`source_mode_${mode}`)]),
      )}
      ${choiceField(
        fieldOf('on_missing'),
        ON_MISSING.map((fate) => [fate, words(`source_missing_${fate}`)]),
      )}
    </div>`,
    html`<div class="pair">
      ${choiceField(fieldOf('status'), [
        ['', words('as_recorded')],
        ...STATUSES.map((status) => [status, words(`state_${status}`)] as const),
      ])}
      ${
        mayManageUsers(user) &&
        textField(fieldOf('user'), { required: true, inputmode: 'numeric', maxlength: 15, autocomplete: 'off' })
      }
    </div>`,
  ].flat();
}

/** The labels of what may be refused. */
const labelsOf = ({ words }: DeskRequest): { readonly [name: string]: string } => ({
  address: words('source_address'),
  name: words('name'),
  every: words('source_every'),
  mode: words('source_mode'),
  on_missing: words('source_missing'),
  status: words('import_status'),
  user: words('source_user'),
});
