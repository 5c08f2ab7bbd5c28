// One source: how it does, what its polls did with links that take them back, and its settings.

import { AUDIT } from '../../../editorial/audit/desk/list-page.ts';
import { importReasonIn } from '../../../locales/import-reasons.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { buttonForm, formFields, problemNote } from '../../../pages/desk/forms.ts';
import type { DeskPage, DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address as link } from '../../../pages/links.ts';
import { whenText } from '../../../people/users/desk/reading.ts';
import { COUNTED } from '../http/source-schema.ts';
import { labelsOf, sourceFields } from './fields.ts';
import { stateLabels } from './list-page.ts';
import { SOURCES, type Source, type SourcePoll, titleOf } from './reading.ts';

export interface SourceShown {
  readonly source: Source;
  /** The newest first. */
  readonly polls: readonly SourcePoll[];
  /** What a poll would do; null if that was not asked for. */
  readonly dry: SourcePoll | null;
  readonly problem: Problem | null;
}

export function sourcePage(request: DeskRequest, { source, polls, dry, problem }: SourceShown): DeskPage {
  const { words } = request;
  const path = `${SOURCES}/${source.id}`;
  const title = titleOf(source);
  const failed = polls.find(({ outcome }) => outcome !== 'running');
  return {
    title,
    section: SOURCES,
    status: problem?.status ?? 200,
    main: html`<div class="narrow">
      <p><a href=${SOURCES}>${words('sources')}</a></p>
      <h1>${title}</h1>
      ${problemNote(problem, labelsOf(request))}
      ${dry !== null && html`<section class="box" role="status"><p>${words('source_would')}</p>${pollText(request, dry)}</section>`}
      ${source.failures > 0 && failed?.problem && html`<div class="note">${problemText(request, failed)}</div>`}
      ${source.to_confirm !== null && buttonForm(request, `${path}/polls`, words('source_accept'), { accept: '1' })}
      <p class="labels">${stateLabels(request, source)}</p>
      ${facts(request, source)}
      <div class="actions">
        ${buttonForm(request, `${path}/polls`, words('source_poll_now'))}
        ${buttonForm(request, `${path}/dry-run`, words('source_dry_run'))}
        ${
          source.paused
            ? buttonForm(request, `${path}/resume`, words('webhook_resume'))
            : buttonForm(request, `${path}/pause`, words('webhook_pause'))
        }
      </div>
      <section><h2>${words('source_polls')}</h2>
        ${polls.length === 0 && html`<p>${words('source_no_polls')}</p>`}
        <ul class="rows">${polls.map((poll) => pollRow(request, poll))}</ul></section>
      <section><h2>${words('settings')}</h2>
        <form method="post" action=${path} class="fields">
          ${formFields({ ...request, form: {} })}
          ${sourceFields(request, { source, problem })}
          <p class="actions"><button class="main" type="submit">${words('save')}</button></p>
        </form></section>
      <details class="box"><summary>${words('source_remove')}</summary>
        <p>${words('source_remove_text')}</p>
        ${buttonForm(request, `${path}/remove`, words('remove_user_sure'))}
      </details>
    </div>`,
  };
}

function facts(request: DeskRequest, { address, user, next_poll: next }: Source): Html {
  const { words } = request;
  return html`<dl class="facts">
    <div><dt>${words('source_address')}</dt><dd>${address}</dd></div>
    <div><dt>${words('source_whose')}</dt><dd>${user.name || String(user.id)}</dd></div>
    ${next !== null && html`<div><dt>${words('source_next')}</dt><dd>${whenText(request, next)}</dd></div>`}
  </dl>`;
}

/** What it did, and a link that takes it back if it has written anything. */
function pollRow(request: DeskRequest, poll: SourcePoll): Html {
  const { words } = request;
  const { begun, by, outcome, request: id, counts } = poll;
  const when = [
    whenText(request, begun),
    by === null ? '' : words('source_asked_by', { user: by.name || String(by.id) }),
  ];
  const hasWritten = outcome === 'applied' && counts.created + counts.changed + counts.missing > 0;
  return html`<li><div>${pollText(request, poll)}
      <p class="hint">${when.filter((part) => part !== '').join(' · ')}</p>
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
      <ul>${poll.notes.map(({ name, reason }) => html`<li>${name === '' ? '' : `${name}: `}${importReasonIn(request.language, reason)}</li>`)}</ul></details>`
    }`;
}

const countLabel = ({ words }: DeskRequest, name: (typeof COUNTED)[number]): string =>
  name === 'missing' || name === 'proposed' ? words(`source_count_${name}`) : words(`imported_${name}`);

const problemText = ({ words, language }: DeskRequest, { problem, detail }: SourcePoll): Html =>
  html`<p>${problem && words(`source_problem_${problem}`)}</p>
    ${detail !== '' && html`<p class="hint">${importReasonIn(language, detail)}</p>`}`;
