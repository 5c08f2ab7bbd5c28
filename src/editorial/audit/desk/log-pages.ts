// The log, fact by fact, for administrators: what it stores, in which request, what led to it and what followed.
import { forbidden } from '../../../http/errors.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import { resolveRange } from '../../../kernel/time/time-range.ts';
import type { DeskWord } from '../../../locales/language.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import { ApiProblem, type Problem, problemOf } from '../../../pages/desk/api.ts';
import { problemNote, textField } from '../../../pages/desk/forms.ts';
import { choice, filterDay, filtersForm, results } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address, without } from '../../../pages/links.ts';
import { mayManageSite } from '../../../people/auth/policy.ts';
import { dataOf, type FactValue, MAX_VALUES, metadataOf } from '../queries/fact-values.ts';
import type { FactsPage, FactWithOthers, StoredFact, StoredFacts } from '../queries/stored-facts.ts';
import { factPath, LOG } from './reading.ts';

/** What is typed to narrow the list, with its label. */
const TYPED = {
  stream: 'log_stream',
  type: 'log_type',
  request: 'log_request',
  actor: 'by_whom',
  from: 'opened_from',
  to: 'opened_to',
  after: 'log_after',
} as const satisfies { readonly [name: string]: DeskWord };
const DAYS: ReadonlySet<string> = new Set(['from', 'to']);
const NAMES = Object.keys(TYPED) as (keyof typeof TYPED)[]; // Its keys.

export const logSection: DeskSection = {
  word: 'log',
  path: LOG,
  may: mayManageSite,
  routes(app, { facts }) {
    app.get(LOG, async ({ desk }, reply) => {
      assertAdministrator(desk);
      const page = await askedPage(desk, facts);
      return show(
        reply,
        typeof page === 'string' ? listPage(desk, null, unreadable(desk, page)) : listPage(desk, page, null),
      );
    });
    app.get<{ readonly Params: { readonly stream: string; readonly revision: string } }>(
      `${LOG}/:stream/:revision(^\\d{1,15}$)`,
      async ({ desk, params: { stream, revision } }, reply) => {
        assertAdministrator(desk);
        const fact = await facts.fact(stream, Number(revision));
        if (!fact) throw new ApiProblem({ ...problemOf(desk.words('no_changes')), status: 404 });
        return show(reply, factPage(desk, fact));
      },
    );
  },
};

/** The log has what happened to users, and what is private. */
function assertAdministrator({ user }: DeskRequest): void {
  if (!mayManageSite(user)) throw forbidden(user);
}

/** Or the name of what cannot be read. */
async function askedPage({ parameters, now, siteZone: zone }: DeskRequest, facts: StoredFacts) {
  const [from, to] = [textOf(parameters, 'from'), textOf(parameters, 'to')];
  const range = resolveRange({ ...(from && { from }), ...(to && { to }) }, { now, zone });
  if (typeof range === 'string') return range;
  const actors = listOf(textOf(parameters, 'actor'));
  const page = await facts.page({
    after: textOf(parameters, 'after'),
    order: textOf(parameters, 'order') === 'asc' ? 'asc' : 'desc',
    stream: textOf(parameters, 'stream').trim(),
    types: listOf(textOf(parameters, 'type')),
    of: listOf(textOf(parameters, 'request')),
    ...(actors.length > 0 && { actors }),
    ...range,
  });
  return page ?? 'after';
}

function unreadable({ words, parameters }: DeskRequest, name: string): Problem {
  const message = words('log_unreadable', { value: textOf(parameters, name) });
  return problemOf(message, { [name]: message });
}

function listPage(request: DeskRequest, page: FactsPage | null, problem: Problem | null): DeskPage {
  const { words, parameters } = request;
  const labels = Object.fromEntries(NAMES.map((name) => [name, words(TYPED[name])]));
  const narrowed = [...NAMES, 'order'].map((name) => [name, textOf(parameters, name)] as const);
  return {
    title: words('log'),
    section: LOG,
    status: problem?.status ?? 200,
    main: [
      html`<h1>${words('log')}</h1>`,
      html`<p>${words('log_text')}</p>`,
      problemNote(problem, labels),
      filtersForm(
        request,
        LOG,
        [
          ...NAMES.map((name) => {
            const field = {
              name,
              label: words(TYPED[name]),
              value: textOf(parameters, name),
              problem: problem?.fields[name],
            };
            return DAYS.has(name) ? filterDay(request, field) : textField(field, { maxlength: 300 });
          }),
          choice('order', words('log_order'), textOf(parameters, 'order'), [
            ['', words('log_newest')],
            ['asc', words('log_oldest')],
          ]),
        ],
        narrowed,
      ),
      ...results(page?.facts.length === 0 ? words(page.hasMore ? 'log_part' : 'no_changes') : '', [
        html`<ol class="rows">${page?.facts.map((fact) => row(request, fact))}</ol>`,
        page?.hasMore &&
          html`<nav class="pages" aria-label=${words('pages')}>
          <a rel="next" href=${address(LOG, [...without(narrowed, 'after'), ['after', page.next]])}>${words('log_on')}</a></nav>`,
      ]),
    ],
  };
}

/** `part`: what it is to the fact that is shown. */
function row(request: DeskRequest, { event, actor }: StoredFact, part?: 'log_cause' | 'log_effect'): Html {
  const { words } = request;
  const { stream, revision, type, position, metadata } = event;
  return html`<li><div>
    <p class="what"><a href=${factPath(stream, revision)}>${type}</a> <span class="label">${stream} · ${revision}</span>
      ${part && html` <span class="label good">${words(part)}</span>`}</p>
    <p class="hint"><time datetime=${metadata.instant}>${siteMomentText(request, metadata.instant)}</time> · ${actor} · ${position}</p>
  </div></li>`;
}

function factPage(request: DeskRequest, { event, actor, before, behind }: FactWithOthers): DeskPage {
  const { words } = request;
  const { id, stream, type, revision, position, metadata } = event;
  const isCause = (one: StoredFact): boolean => one.event.id === metadata.causationId;
  const isEffect = (one: StoredFact): boolean => one.event.metadata.causationId === id;
  const further = (word: DeskWord, request: string, order: string): Html =>
    html`<a href=${address(LOG, Object.entries({ request, order, after: position }))}>${words(word)}</a>`;
  return {
    title: `${type} · ${stream} · ${revision}`,
    section: LOG,
    main: [
      html`<h1>${type}</h1>`,
      html`<p><a href=${address(LOG, [['stream', stream]])}>${stream}</a> · ${revision} · <time datetime=${metadata.instant}>${siteMomentText(request, metadata.instant)}</time> · ${actor}</p>`,
      html`<h2>${words('log_before')}</h2>`,
      html`<ol class="rows">${before.map((one) => row(request, one, isCause(one) ? 'log_cause' : undefined))}</ol>`,
      html`<p class="actions">${further('log_back', [metadata.causationId, metadata.correlationId].join(), 'desc')}</p>`,
      html`<h2>${words('log_data')}</h2>`,
      valueList(request, dataOf(event)),
      html`<h2>${words('log_metadata')}</h2>`,
      valueList(request, metadataOf(event)),
      html`<h2>${words('log_behind')}</h2>`,
      html`<ol class="rows">${behind.map((one) => row(request, one, isEffect(one) ? 'log_effect' : undefined))}</ol>`,
      html`<p class="actions">${further('log_forth', [id, metadata.correlationId].join(), 'asc')}</p>`,
    ],
  };
}

const valueList = ({ words }: DeskRequest, values: readonly FactValue[]): Html =>
  html`<dl class="facts">${values.slice(0, MAX_VALUES).map(
    ({ path, text, mask }) => html`<div><dt>${path}</dt>
      <dd>${mask === null ? text : html`<span class="label">${words(`log_${mask}`)}</span>`}</dd></div>`,
  )}</dl>
  ${values.length > MAX_VALUES && html`<p class="hint">${words('log_cut')}</p>`}`;
