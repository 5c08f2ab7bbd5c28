// The routes of histories: the timeline, old states, comparisons and the way back.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ID } from '../../../http/plugins/routing.ts';
import { inLanguage, momentText } from '../../../pages/dates.ts';
import { ApiProblem, type Problem, problemOf } from '../../../pages/desk/api.ts';
import { formFields, problemNote, textField, typedField } from '../../../pages/desk/forms.ts';
import { pagesNav } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import type { ById } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { askedInstant, timeControl } from '../../../pages/desk/time-control.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { safeHtml } from '../../../pages/safe-html.ts';
import { mayManageSite } from '../../../people/auth/policy.ts';
import { factPath } from '../../audit/desk/reading.ts';
import {
  type Comparison,
  compared,
  type FieldChange,
  type HistoryEntry,
  type HistoryPage,
  KINDS,
  type Kind,
  type Members,
  nameIn,
  newestOf,
  pathOf,
  readHistory,
  revisionOn,
  type Subject,
  timesOf,
  undone,
} from './reading.ts';
import { changeList, fieldName, isEmpty, valueShown } from './values.ts';

export function historyRoutes(app: FastifyInstance): void {
  for (const kind of KINDS) routesOf(app, kind);
}

function routesOf(app: FastifyInstance, kind: Kind): void {
  const section = `/desk/${kind.path}`;
  const path = `${section}/${ID}/history`;
  const subjectOf = ({ params }: FastifyRequest<ById>): Subject => ({ kind, section, id: params.id });

  app.get<ById>(path, async (request, reply) => {
    const { desk } = request;
    const subject = subjectOf(request);
    const timeline = await readHistory(desk.api, subject, textOf(desk.parameters, 'page'));
    const name = await nameOf(desk, subject);
    const { words } = desk;
    const title = words('history_of', { name });
    const isChosen = timeline.history.length > 1;
    return show(reply, {
      title,
      section: subject.section,
      main: [
        html`<h1>${title}</h1>`,
        html`<p class="actions"><a href=${`${subject.section}/${subject.id}`}>${words('back_to', { name })}</a>
        <a class="button" href=${`${pathOf(subject)}/values`}>${words('values_by')}</a></p>`,
        timeControl(desk, timesOf(subject)),
        html`<form class="timeline" method="get" action=${`${pathOf(subject)}/compare`}>
        <ol class="rows" reversed>${timeline.history.map((entry, at) => entryOf(desk, subject, entry, isChosen ? at : null))}</ol>
        ${isChosen && html`<p class="actions"><button type="submit">${words('compare_chosen')}</button></p>`}
      </form>`,
        pagesNav(desk, timeline.total_pages, pathOf(subject)),
      ],
    });
  });

  app.get<ById>(`${path}/compare`, async (request, reply) => {
    const { desk } = request;
    const subject = subjectOf(request);
    const [from, to] = sidesIn(desk);
    if (from === '' || to === '') throw new ApiProblem(problemOf(desk.words('choose_states')));
    const comparison = await compared(desk.api, subject, from, to);
    const { changes } = comparison;
    const name = await nameOf(desk, subject);
    const { words, language } = desk;
    const named = ({ revision, date }: Comparison['from']): string =>
      [revision ?? '', `(${momentText(language.code, date)})`].join(' ').trim();
    const title = words('compare_of', { name });
    return show(reply, {
      title,
      section: subject.section,
      main: [
        html`<h1>${title}</h1>`,
        timeControl(desk, timesOf(subject)),
        html`<p>${words('compared', { from: named(comparison.from), to: named(comparison.to) })}</p>`,
        changes.length === 0 ? html`<p role="status">${words('no_difference')}</p>` : changeList(desk, changes),
        html`<p><a href=${pathOf(subject)}>${words('history_of', { name })}</a></p>`,
      ],
    });
  });

  app.get<ById>(`${path}/values`, async (request, reply) =>
    show(reply, await valuesPage(request.desk, subjectOf(request))),
  );

  app.get<ById>(`${path}/at`, async (request, reply) => {
    const { desk } = request;
    const subject = subjectOf(request);
    const at = textOf(desk.parameters, 'as_of');
    if (at === '') return showState(reply, subject, textOf(desk.parameters, 'revision'), null);
    const instant = askedInstant(at, desk.siteZone);
    if (Number.isNaN(instant)) throw new ApiProblem(problemOf(desk.words('choose_state')));
    // What is to come has no revision yet: what will be different is shown instead.
    if (instant > desk.now) return leadTo(reply, address(`${pathOf(subject)}/compare`, [['as_of', at]]));
    return showState(reply, subject, await revisionOn(desk, subject, at), null);
  });

  app.post<ById>(`${path}/revert`, async (request, reply) => {
    const { api, form } = request.desk;
    const subject = subjectOf(request);
    const revision = textOf(form, 'revision');
    const terms = { ifMatch: textOf(form, '_etag'), reason: textOf(form, 'reason') };
    const { status, problem } = await api.send('POST', `/${kind.path}/${subject.id}/revert`, { revision }, terms);
    if (problem) return showState(reply, subject, revision, problem);
    return leadTo(reply, pathOf(subject), status === 202 ? 'said_proposed' : 'said_reverted');
  });
}

/** Two that were chosen, or another time and today, the earlier one first. */
function sidesIn({ parameters, now, siteZone }: DeskRequest): readonly [from: string, to: string] {
  const at = textOf(parameters, 'as_of');
  if (at === '') return [textOf(parameters, 'from'), textOf(parameters, 'to')];
  return askedInstant(at, siteZone) > now ? [`@${now}`, at] : [at, `@${now}`];
}

async function showState(
  reply: FastifyReply,
  subject: Subject,
  revision: string,
  problem: Problem | null,
): Promise<FastifyReply> {
  const { desk } = reply.request;
  if (revision === '') throw new ApiProblem(problemOf(desk.words('choose_state')));
  const newest = await newestOf(desk.api, subject);
  const present = await desk.api.ask<Members>(`/${subject.kind.path}/${subject.id}`);
  if (present.problem) throw new ApiProblem(present.problem);
  const state = await desk.api.read<Members>(`/${subject.kind.path}/${subject.id}`, { revision });
  const changes =
    Number(revision) < newest ? undone((await compared(desk.api, subject, revision, String(newest))).changes) : null;
  const view = {
    subject,
    state,
    newest,
    problem,
    revision: Number(revision),
    entry: await entryAt(desk, subject, newest, revision),
    changes,
    etag: present.headers.etag ?? '',
    name: nameIn(desk, subject, present.body),
  };
  return show(reply, await statePage(desk, view));
}

/** The change that led to a revision: histories are read from the newest. */
async function entryAt({ api }: DeskRequest, { kind, id }: Subject, newest: number, revision: string) {
  const query = { per_page: 1, page: newest - Number(revision) + 1 };
  const { body, problem } = await api.ask<HistoryPage>(`/${kind.path}/${id}/history`, query);
  return problem ? null : (body.history[0] ?? null);
}

const nameOf = async (desk: DeskRequest, subject: Subject): Promise<string> =>
  nameIn(desk, subject, await desk.api.read(`/${subject.kind.path}/${subject.id}`));

// Each value of something as it is today, with the change that made it so: from what the public reads to its fact.

/** Pages of the history that are looked through. */
const MAX_PAGES = 8;

async function valuesPage(request: DeskRequest, subject: Subject): Promise<DeskPage> {
  const { api, words } = request;
  const state = await api.read<Members>(`/${subject.kind.path}/${subject.id}`);
  const fields = shownFields(subject.kind, state);
  const changes = await lastChanges(request, subject, fields);
  const title = words('values_of', { name: nameIn(request, subject, state) });
  return {
    title,
    section: subject.section,
    main: [
      html`<h1>${title}</h1>`,
      html`<p><a href=${pathOf(subject)}>${words('history')}</a></p>`,
      html`<dl class="facts">${fields.map(
        (field) => html`<div><dt>${fieldName(request, field)}</dt>
          <dd>${valueShown(request, field, state[field] ?? null)}${changeNote(request, subject, changes.get(field))}</dd></div>`,
      )}</dl>`,
    ],
  };
}

/** The newest change of each field. */
async function lastChanges(
  { api }: DeskRequest,
  subject: Subject,
  fields: readonly string[],
): Promise<ReadonlyMap<string, HistoryEntry>> {
  const entryByField = new Map<string, HistoryEntry>();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { history, total_pages: pages } = await readHistory(api, subject, String(page));
    for (const entry of history)
      for (const { field } of entry.changes) if (!entryByField.has(field)) entryByField.set(field, entry);
    if (page >= pages || fields.every((field) => entryByField.has(field))) break;
  }
  return entryByField;
}

function changeNote(
  { language, user, words }: DeskRequest,
  { kind, id }: Subject,
  entry: HistoryEntry | undefined,
): Html | false {
  if (entry === undefined) return false;
  return html`<p class="hint"><a href=${address('/desk/audit', [['request', entry.correlation_id]])}>${inLanguage(language, entry.summary)}</a> · ${entry.actor.name} · ${momentText(language.code, entry.date)}${entry.reason !== null && html` · <q>${entry.reason}</q>`}
    ${mayManageSite(user) && html` · <a href=${factPath(`${kind.kind}-${id}`, entry.revision)}>${words('log_fact')}</a>`}</p>`;
}

/** What fits on a screen: of a new text all words are different. */
const isShort = (changes: readonly FieldChange[]): boolean => JSON.stringify(changes).length < 2_000;

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
    <p class="what">${inLanguage(language, summary)}</p>
    <p class="hint"><time datetime=${date.replace(' ', 'T')}>${momentText(language.code, date)}</time> · ${actor.name}</p>
    ${reason !== null && html`<p class="reason"><q>${reason}</q></p>`}
    ${changes.length > 0 && html`<details open=${revision > 0 && isShort(changes)}><summary>${words('what_changed')}</summary>${changeList(request, changes)}</details>`}
    <p class="actions">${at !== null && html`${choice('from')} ${choice('to')}`}
      <a href=${address(`${pathOf(subject)}/at`, [['revision', String(revision)]])}>${words('as_it_was')}<span class="unseen"> ${words('revision', { revision })}</span></a></p>
  </li>`;
}

// Something as it was at one of its revisions, and the way back to it.

interface StateView {
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

async function statePage(request: DeskRequest, view: StateView): Promise<DeskPage> {
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
        html`<p class="what">${inLanguage(language, entry.summary)} <span class="hint">${momentText(language.code, entry.date)} · ${entry.actor.name}</span></p>`,
      await facts(request, view),
      revision < newest && goBack(request, view),
    ],
  };
}

/** Works as a form; the script sends it when the slider moves. */
const slider = ({ words }: DeskRequest, { subject, revision, newest }: StateView): Html =>
  html`<form class="slider" method="get" action=${`${pathOf(subject)}/at`}>
    <label for="revision">${words('slide')}</label>
    <input type="range" id="revision" name="revision" min="0" max=${newest} value=${revision} data-submits />
    <output for="revision">${revision} / ${newest}</output>
    <button type="submit">${words('show_it')}</button>
  </form>`;

async function facts(request: DeskRequest, { subject, state }: StateView): Promise<Html> {
  const present = shownFields(subject.kind, state);
  const rows = present.map(async (field) => {
    const value = state[field] ?? null;
    const text =
      field === 'description'
        ? html`<div class="prose" dangerouslySetInnerHTML=${await safeHtml(String(value))}></div>`
        : valueShown(request, field, value);
    return html`<div><dt>${fieldName(request, field)}</dt><dd>${text}</dd></div>`;
  });
  return html`<dl class="facts">${await Promise.all(rows)}</dl>`;
}

/** The fields that have a value. */
const shownFields = ({ fields }: Subject['kind'], state: Members): readonly string[] =>
  fields.filter((field) => !isEmpty(state[field]));

function goBack(request: DeskRequest, { subject, revision, changes, etag }: StateView): Html {
  const { words } = request;
  return html`<section class="box">
    <h2>${words('go_back')}</h2>
    ${previewOf(request, changes)}
    <form method="post" action=${`${pathOf(subject)}/revert`}>
      ${formFields(request)}
      <input type="hidden" name="revision" value=${revision} />
      <input type="hidden" name="_etag" value=${etag} />
      ${textField(typedField(request, null, 'reason', 'reason', 'hint_reason'))}
      <p class="actions"><button class="main" type="submit">${words('go_back')}</button></p>
    </form>
  </section>`;
}

function previewOf(request: DeskRequest, changes: StateView['changes']): Html | false {
  const { words } = request;
  if (changes === null) return false;
  if (changes.length === 0) return html`<p>${words('go_back_nothing')}</p>`;
  return html`<p>${words('go_back_text')}</p>${changeList(request, changes)}`;
}
