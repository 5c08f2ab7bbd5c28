// The routes of the audit list: the feed of changes, and reverts of whole requests and imports.

import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { forbidden } from '../../../http/errors.ts';
import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import type { Answer } from '../../../http/schemas/components.ts';
import { resolveRange } from '../../../kernel/time/time-range.ts';
import { inLanguage, siteMomentText } from '../../../pages/dates.ts';
import { ApiProblem, problemOf } from '../../../pages/desk/api.ts';
import { formFields, hiddenFields, inWordsOf, problemNote, textField, typedField } from '../../../pages/desk/forms.ts';
import { choice, filterDay, filterInput, filtersForm, results } from '../../../pages/desk/lists.ts';
import { type DeskRequest, type DeskSection, type Installation, type Lines, textOf } from '../../../pages/desk/page.ts';
import { show } from '../../../pages/desk/show.ts';
import { titlesOf } from '../../../pages/desk/titles.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address, type Query } from '../../../pages/links.ts';
import { mayManageUsers, mayRevertRequests } from '../../../people/auth/policy.ts';
import type { UsersPage } from '../../../people/users/desk/reading.ts';
import { CHANGE_KINDS } from '../../history/http/history-schema.ts';
import {
  AUDIT,
  type Change,
  type ChangesPage,
  factPath,
  pathOf,
  type RequestReverted,
  streamOf,
  subjectOf,
} from './reading.ts';

const PER_PAGE = 30;
/** As many as the API lists at once. */
const MAX_PEOPLE = 50;
const NONE: ChangesPage = { changes: [], next: '', has_more: false };

export const auditSection: DeskSection = {
  word: 'audit',
  path: AUDIT,
  may: mayRevertRequests,
  routes(app, installation) {
    auditExportRoute(app, installation);
    app.get(AUDIT, async ({ desk }, reply) => {
      const { api, words, parameters, user } = desk;
      const filters: Query = FILTERS.map((name) => [name, textOf(parameters, name)]);
      const isOneRequest = textOf(parameters, 'request') !== '';
      // In the list of one request the cause comes first.
      const order = isOneRequest ? 'asc' : 'desc';
      const query = { ...Object.fromEntries(filters), after: textOf(parameters, 'after'), order, per_page: PER_PAGE };
      const { body, problem } = await api.ask<ChangesPage>('/changes', query);
      const list = problem ? NONE : body;
      const [titles, people] = await Promise.all([titlesOf(desk, list.changes.map(subjectOf)), peopleIn(desk, list)]);
      const title = words(isOneRequest ? 'audit_request' : 'audit');
      return show(reply, {
        title,
        section: AUDIT,
        problem,
        main: [
          html`<h1>${title}</h1>`,
          isOneRequest && html`<p>${words('audit_request_text')}</p>`,
          problemNote(inWordsOf(problem, { from: words('opened_from'), to: words('opened_to') })),
          filtersForm(
            desk,
            AUDIT,
            [
              choice('kind', words('kind'), textOf(parameters, 'kind'), [
                ['', words('any_kind')],
                ...CHANGE_KINDS.map((kind) => [kind, words(`kind_${kind}`)] as const),
              ]),
              choice('actor', words('by_whom'), textOf(parameters, 'actor'), [
                ['', words('anyone')],
                ...people.map(({ value, name }) => [value, name] as const),
              ]),
              filterDay(desk, { name: 'from', label: words('opened_from') }),
              filterDay(desk, { name: 'to', label: words('opened_to') }),
              filterInput('reason', words('reason_has'), textOf(parameters, 'reason')),
              hiddenFields([['request', textOf(parameters, 'request')]]),
            ],
            filters,
          ),
          mayManageUsers(user) &&
            html`<p><button type="submit" form="filters" formaction=${`${AUDIT}/export`}>${words('audit_export')}</button></p>`,
          isOneRequest &&
            html`<p><a class="button" href=${address(`${AUDIT}/revert`, [['request', textOf(parameters, 'request')]])}>${words('revert_request')}</a></p>`,
          ...results(list.changes.length === 0 ? words('no_changes') : '', [
            html`<ol class="rows">${list.changes.map((change) => row(desk, change, titles(subjectOf(change))))}</ol>`,
            list.has_more &&
              html`<nav class="pages" aria-label=${words('pages')}>
          <a rel="next" href=${address(AUDIT, [...filters, ['after', list.next]])}>${words('older')}</a></nav>`,
          ]),
          importForm(desk),
        ],
      });
    });
    app.get(`${AUDIT}/revert`, async ({ desk }, reply) => revert(reply, desk.parameters, 'preview'));
    app.post(`${AUDIT}/revert`, async ({ desk }, reply) => revert(reply, desk.form, 'carry out'));
  },
};

/** All users, for those who may list them; otherwise those who are on the page. */
async function peopleIn({ api, user, parameters }: DeskRequest, { changes }: ChangesPage): Promise<readonly Person[]> {
  const actorId = textOf(parameters, 'actor');
  const names = new Map(changes.map(({ actor }) => [namedBy(actor), actor.name]));
  if (mayManageUsers(user)) {
    const { body, problem } = await api.ask<UsersPage>('/users', { per_page: MAX_PEOPLE });
    for (const { id, name } of problem ? [] : body.users) names.set(String(id), name);
  }
  if (actorId !== '' && !names.has(actorId)) names.set(actorId, actorId);
  const people = [...names].map(([value, name]) => ({ value, name }));
  return people.toSorted((one, other) => one.name.localeCompare(other.name));
}

async function revert(reply: FastifyReply, query: ParameterMap, how: 'preview' | 'carry out'): Promise<FastifyReply> {
  const { desk } = reply.request;
  const isPreview = how === 'preview';
  const by = textOf(query, 'import') === '' ? 'request' : 'import';
  const id = textOf(query, by);
  const reason = textOf(query, 'reason');
  const request = { [by]: id, ...(isPreview && { dry_run: true }) };
  const { body, problem } = await desk.api.send<RequestReverted>('POST', '/reverts', request, { reason });
  const { words } = desk;
  const title = words(by === 'request' ? 'revert_request' : 'revert_import');
  return show(reply, {
    title,
    section: AUDIT,
    problem,
    main: [
      html`<p><a href=${AUDIT}>${words('audit')}</a></p>`,
      html`<h1>${title}</h1>`,
      html`<p class="hint">${id}</p>`,
      problemNote(problem),
      problem === null &&
        html`<p role="status" class="note">${words(isPreview ? 'revert_would' : 'revert_did', countsOf(body))}</p>`,
      problem === null && table(desk, body.resources),
      problem === null &&
        isPreview &&
        body.done > 0 &&
        html`<form class="box" method="post" action=${`${AUDIT}/revert`}>
          ${formFields(desk)}
          <input type="hidden" name=${by} value=${id} />
          ${textField(typedField(desk, null, 'reason', 'reason', 'hint_reason'))}
          <p class="actions"><button class="main" type="submit">${title}</button></p>
        </form>`,
    ],
  });
}

// The signed audit trail of a span of time, as a file of the browser.

/** For administrators: the trail has the histories of users. */
function auditExportRoute(app: FastifyInstance, { auditTrail }: Installation): void {
  app.get(`${AUDIT}/export`, async ({ desk }, reply) => {
    const { user, parameters, now, siteZone: zone, words } = desk;
    if (!mayManageUsers(user)) throw forbidden(user);
    const [from, to] = ['from', 'to'].map((name) => textOf(parameters, name));
    const range = resolveRange({ ...(from && { from }), ...(to && { to }) }, { now, zone });
    if (typeof range === 'string') throw new ApiProblem(problemOf(words('choose_state')));
    const out = new PassThrough();
    auditTrail(range, linesOf(out)).then(
      () => out.end(),
      (error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    const name = ['audit', from, to].filter(Boolean).join('-');
    return reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="${name.replace(/[^\w-]/g, '')}.jsonl"`)
      .send(out);
  });
}

/** Rejects once the browser has gone. */
const linesOf = (out: PassThrough): Lines => ({
  async write(line) {
    if (out.destroyed) throw new Error('the reader has gone');
    if (!out.write(`${line}\n`)) await Promise.race([once(out, 'drain'), once(out, 'close')]);
  },
});

const countsOf = ({ done, unchanged, conflicts, left }: RequestReverted) => ({ done, unchanged, conflicts, left });

const table = ({ words }: DeskRequest, resources: RequestReverted['resources']) =>
  html`<div class="scroll" role="region" tabindex="0" aria-label=${words('what_changes')}><table>
    <thead><tr><th scope="col">${words('what')}</th><th scope="col">${words('revert_action')}</th><th scope="col">${words('revert_outcome')}</th></tr></thead>
    <tbody>${resources.map(
      ({ kind, id, action, to_revision: revision, outcome, why }) => html`<tr>
        <td><a href=${pathOf(kind, id)}>${words(`kind_${kind}`)} ${id}</a></td>
        <td>${words(`revert_${action}`, { revision: revision ?? '' })}</td>
        <td><span class=${BAD.has(outcome) ? 'label bad' : 'label'}>${words(`outcome_${outcome}`)}</span> ${why}</td>
      </tr>`,
    )}</tbody></table></div>`;

const BAD: ReadonlySet<Answer<'RevertedResource'>['outcome']> = new Set(['changed_later', 'in_use', 'refused', 'left']);

// Who has changed what: the newest first, narrowed by who, when, what and why.

const FILTERS = ['kind', 'actor', 'reason', 'request', 'from', 'to'] as const;

/** An actor to choose: by number, or by name where there is none. */
interface Person {
  readonly value: string;
  readonly name: string;
}

function row(request: DeskRequest, change: Change, title: string): Html {
  const { words, user, language } = request;
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
    <p>${inLanguage(language, summary)}</p>
    ${bypassed !== undefined && html`<p class="problems"><strong>${words('review_bypassed')}</strong> ${bypassed}</p>`}
    ${reason !== null && html`<p class="reason"><q>${reason}</q></p>`}
    <p class="hint"><time datetime=${instant}>${siteMomentText(request, instant)}</time> · <a href=${address(AUDIT, [['actor', namedBy(actor)]])}>${actor.name}</a> ·${' '}
      ${proposal && html`<a href=${`/desk/review/${proposal.id}`}>${words('by_proposal', { name: proposal.author.name })}</a> · `}
      <a href=${address(AUDIT, [['request', correlation]])}>${words('same_request')}<span class="unseen"> ${correlation}</span></a>
      ${mayManageUsers(user) && html` · <a href=${factPath(streamOf(change), revision)}>${words('log_fact')}</a>`}</p>
  </div></li>`;
}

/** As the filter names an actor. */
const namedBy = ({ id, name }: Change['actor']): string => (id === null ? name : String(id));

const importForm = ({ words }: DeskRequest): Html =>
  html`<form class="bulk" method="get" action=${`${AUDIT}/revert`}>
    <div class="field"><label for="import">${words('import_id')}</label><input id="import" name="import" required maxlength="200" /></div>
    <p class="actions"><button type="submit">${words('revert_import')}</button></p>
  </form>`;
