// The routes of webhooks. Who may manage them is decided by the API.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { isKind, pathOf } from '../../../editorial/audit/desk/reading.ts';
import { ACTOR_ROLES } from '../../../editorial/audit/queries/change-filter.ts';
import { CHANGE_KINDS } from '../../../editorial/history/http/history-schema.ts';
import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { AnswerOf } from '../../../http/schemas/components.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import type { DeskApi, Problem } from '../../../pages/desk/api.ts';
import { buttonForm, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { type DeskRequest, type DeskSection, textOf, textsOf } from '../../../pages/desk/page.ts';
import { type ById, formsOf, saveTagged, withoutForm } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import type { Options } from '../../../pages/options.ts';
import { mayManageWebhooks } from '../../../people/auth/policy.ts';
import type { UsersPage } from '../../../people/users/desk/reading.ts';
import { secretNote } from '../../../people/users/desk/tokens.ts';
import type { webhookList, webhookWithSecret } from '../http/webhook-schema.ts';
import { type Deliveries, failureText, type TestResult, titleOf, WEBHOOKS, type Webhook } from './reading.ts';

/** Users that are suggested; others are entered by their numbers. */
const MAX_USERS = 100;

export const webhookSection: DeskSection = {
  word: 'webhooks',
  path: WEBHOOKS,
  may: mayManageWebhooks,
  routes(app) {
    app.get(WEBHOOKS, (_request, reply) => showList(reply, null));
    app.post(WEBHOOKS, ({ desk }, reply) => add(desk, reply));
    app.get<ById>(`${WEBHOOKS}/${ID}`, ({ params }, reply) => showOne(reply, params.id, {}, null));
    writes(app);
  },
};

const usersIn = async (api: DeskApi): Promise<UsersPage['users']> =>
  (await api.read<UsersPage>('/users', { per_page: MAX_USERS })).users;

async function showList(reply: FastifyReply, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { webhooks } = await desk.api.read<AnswerOf<typeof webhookList>>('/webhooks');
  const users = await usersIn(desk.api);
  const { words } = desk;
  return show(reply, {
    title: words('webhooks'),
    section: WEBHOOKS,
    problem,
    main: [
      html`<h1>${words('webhooks')}</h1>`,
      html`<p>${words('webhooks_text')}</p>`,
      webhooks.length === 0 && html`<p role="status">${words('no_webhooks')}</p>`,
      warningNotes(desk, webhooks),
      html`<ul class="rows">${webhooks.map((one) => webhookRow(desk, one))}</ul>`,
      html`<form class="box fields narrow" method="post" action=${WEBHOOKS}>
        <h2>${words('new_webhook')}</h2>
        ${problemNote(problem, labelsOf(desk))}
        ${formFields(desk)}
        ${webhookFields(desk, { webhook: null, users, problem })}
        <p class="actions"><button class="main" type="submit">${words('new_webhook')}</button></p>
      </form>`,
    ],
  });
}

/** Adds a webhook, and shows its secret: once. */
async function add({ api, form }: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  const added = await api.send<AnswerOf<typeof webhookWithSecret>>('POST', '/webhooks', membersIn(form));
  if (added.problem) return showList(reply, added.problem);
  const { id, secret } = added.body;
  withoutForm(reply);
  return showOne(reply, String(id), { secret }, null);
}

async function showOne(reply: FastifyReply, id: string, just: Just, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api, parameters, words } = desk;
  const { body: webhook, etag: tag } = await api.tagged<Webhook>(`/webhooks/${id}`);
  const deliveries = await api.read<Deliveries>(`/webhooks/${id}/deliveries`, { before: textOf(parameters, 'before') });
  const users = await usersIn(api);
  const path = `${WEBHOOKS}/${webhook.id}`;
  const title = webhook.name || new URL(webhook.url).host;
  return show(reply, {
    title,
    section: WEBHOOKS,
    problem,
    main: html`<div class="narrow">
      <p><a href=${WEBHOOKS}>${words('webhooks')}</a></p>
      <h1>${title}</h1>
      ${just.secret !== undefined && secretOf(desk, just.secret)}
      ${just.tested && testedNote(desk, just.tested)}
      ${problemNote(problem, labelsOf(desk))}
      <p class="labels">${stateLabels(desk, webhook)}</p>
      ${warningNotes(desk, [webhook])}
      ${webhook.paused === 'gone' && html`<p class="note">${words('webhook_paused_gone')}</p>`}
      ${webhook.paused === 'no_user' && html`<p class="note">${words('webhook_paused_no_user')}</p>`}
      ${deliveries.quiet_until !== null && html`<p class="note">${words('webhook_quiet', { date: siteMomentText(desk, deliveries.quiet_until) })}</p>`}
      ${facts(desk, webhook)}
      <div class="actions">
        ${buttonForm(desk, `${path}/test`, words('webhook_test'))}
        ${
          webhook.paused === null
            ? buttonForm(desk, `${path}/pause`, words('pause'))
            : buttonForm(desk, `${path}/resume`, words('resume'))
        }
      </div>
      ${deliveryLists(desk, path, deliveries)}
      <section><h2>${words('settings')}</h2><form method="post" action=${path} class="fields">
          ${formFields({ ...desk, form: {} })}
          <input type="hidden" name="_tag" value=${tag} />
          ${webhookFields(desk, { webhook, users, problem })}
          <p class="actions"><button class="main" type="submit">${words('save')}</button></p>
        </form></section>
      <section><h2>${words('webhook_secret')}</h2>
        ${webhook.former_secret_until !== null && html`<p>${words('webhook_former', { date: siteMomentText(desk, webhook.former_secret_until) })}</p>`}
        <details class="box"><summary>${words('webhook_rotate')}</summary>
          <p>${words('webhook_rotate_text')}</p>
          ${buttonForm(desk, `${path}/rotate`, words('webhook_rotate_sure'))}
        </details></section>
      <details class="box"><summary>${words('webhook_remove')}</summary>
        <p>${words('webhook_remove_text')}</p>
        ${buttonForm(desk, `${path}/remove`, words('remove_sure'))}
      </details>
    </div>`,
  });
}

function writes(app: FastifyInstance): void {
  app.post<ById>(`${WEBHOOKS}/${ID}`, ({ desk: { form }, params: { id } }, reply) =>
    saveTagged(reply, {
      path: `/webhooks/${id}`,
      members: membersIn(form),
      to: `${WEBHOOKS}/${id}`,
      again: (problem) => showOne(reply, id, {}, problem),
    }),
  );

  app.post<ById>(`${WEBHOOKS}/${ID}/rotate`, async ({ desk, params: { id } }, reply) => {
    const { body, problem } = await desk.api.send<AnswerOf<typeof webhookWithSecret>>('POST', `/webhooks/${id}/rotate`);
    return showOne(reply, id, problem ? {} : { secret: body.secret }, problem);
  });

  app.post<ById>(`${WEBHOOKS}/${ID}/test`, async ({ desk, params: { id } }, reply) => {
    const { body, problem } = await desk.api.send<TestResult>('POST', `/webhooks/${id}/test`);
    return showOne(reply, id, problem ? {} : { tested: body }, problem);
  });

  // These answer with the page itself, so their addresses may be asked for again.
  for (const step of ['rotate', 'test'])
    app.get<ById>(`${WEBHOOKS}/${ID}/${step}`, async ({ params: { id } }, reply) => leadTo(reply, `${WEBHOOKS}/${id}`));

  const form = formsOf(app, WEBHOOKS, (reply, id, problem) => showOne(reply, id, {}, problem));
  form('pause', 'said_webhook_paused', ({ api }, id) => api.send('POST', `/webhooks/${id}/pause`));
  form('resume', 'said_webhook_resumed', ({ api }, id) => api.send('POST', `/webhooks/${id}/resume`));
  form('send-again', 'said_webhook_again', ({ api, form: values }, id) =>
    api.send('POST', `/webhooks/${id}/deliveries/${encodeURIComponent(textOf(values, 'event'))}/send-again`),
  );
  form('remove', 'said_webhook_removed', ({ api }, id) => api.send('DELETE', `/webhooks/${id}`), WEBHOOKS);
}

// One webhook: its state, its secret when that is new, what became of deliveries, and its settings.

/** What has just been done, and is shown once. */
interface Just {
  /** Null: the form was sent again, and it was shown before. */
  readonly secret?: string | null;
  readonly tested?: TestResult;
}

const secretOf = ({ words }: DeskRequest, secret: string | null): Html =>
  secretNote(
    words('webhook_secret'),
    secret ?? '',
    words(secret === null ? 'webhook_secret_gone' : 'webhook_secret_text'),
  );

function testedNote(request: DeskRequest, tested: TestResult): Html {
  const { words } = request;
  const { delivered, status, milliseconds } = tested;
  return delivered
    ? html`<p class="said" role="status">${words('webhook_test_arrived', { status: status ?? '', milliseconds })}</p>`
    : html`<p class="problems" role="status">${words('webhook_test_failed', { why: failureText(request, tested) })}</p>`;
}

function facts(request: DeskRequest, { url, user, filters }: Webhook): Html {
  const { words } = request;
  const selected = filtersText(request, filters);
  return html`<dl class="facts">
    <div><dt>${words('webhook_url')}</dt><dd>${url}</dd></div>
    <div><dt>${words('webhook_whose')}</dt><dd><a href=${`/desk/users/${user.id}`}>${user.name || String(user.id)}</a></dd></div>
    ${selected !== '' && html`<div><dt>${words('webhook_filters')}</dt><dd>${selected}</dd></div>`}
  </dl>`;
}

// What became of the deliveries of a webhook: those that were given up, those that wait, and what happened last.

/** So many deliveries that wait or are parked are listed; the API names all. */
const MAX_SHOWN = 20;

/** `path`: of the webhook at the desk. */
function deliveryLists(request: DeskRequest, path: string, lists: Deliveries): Html {
  const { words } = request;
  const { deliveries, waiting, parked, before } = lists;
  const latest = parked.toReversed();
  return html`
    ${
      parked.length > 0 &&
      html`<section><h2>${words('webhook_parked')}</h2>
        <p>${words('webhook_parked_text')}</p>
        <ul class="rows">${latest.slice(0, MAX_SHOWN).map((one) => parkedRow(request, path, one))}</ul>
        ${more(request, latest)}</section>`
    }
    ${
      waiting.length > 0 &&
      html`<section><h2>${words('webhook_waiting')}</h2>
        <ul class="rows">${waiting.slice(0, MAX_SHOWN).map((one) => waitingRow(request, path, one))}</ul>
        ${more(request, waiting)}</section>`
    }
    <section><h2>${words('webhook_deliveries')}</h2>
      ${deliveries.length === 0 && html`<p role="status">${words('webhook_no_deliveries')}</p>`}
      <ul class="rows">${deliveries.map((one) => row(request, path, one))}</ul>
      ${
        before !== null &&
        html`<nav class="pages" aria-label=${words('pages')}>
          <a rel="next" href=${address(path, [['before', String(before)]])}>${words('older')}</a></nav>`
      }
    </section>`;
}

const more = ({ words }: DeskRequest, all: readonly object[]): Html | false =>
  all.length > MAX_SHOWN && html`<p class="hint">${words('webhook_more', { count: all.length - MAX_SHOWN })}</p>`;

/** The resource that has changed, with a link where the desk shows it. */
function what(
  { words }: DeskRequest,
  { kind, id }: { readonly kind: string; readonly id: number },
  label?: Html,
): Html {
  const path = pathOf(kind, id);
  const text = `${isKind(kind) ? words(`kind_${kind}`) : kind} ${id}`;
  return html`<p class="what labels">${path === null ? text : html`<a href=${path}>${text}</a>`} ${label}</p>`;
}

const againForm = (request: DeskRequest, path: string, event: string): Html =>
  buttonForm(request, `${path}/send-again`, request.words('send_again'), { event });

/** What is said about an attempt, as far as there was one. */
const triedText = (request: DeskRequest, attempt: number): string =>
  attempt === 0 ? '' : request.words('webhook_attempt', { attempt });

const joined = (...parts: readonly string[]): string => parts.filter(Boolean).join(' · ');

function parkedRow(request: DeskRequest, path: string, one: Deliveries['parked'][number]): Html {
  const hint = joined(siteMomentText(request, one.at), triedText(request, one.attempt), failureText(request, one));
  return html`<li><div>${what(request, one)}<p class="hint">${hint}</p></div>
    ${againForm(request, path, one.event)}</li>`;
}

function waitingRow(request: DeskRequest, path: string, one: Deliveries['waiting'][number]): Html {
  const { words } = request;
  const hint = joined(
    words('webhook_since', { date: siteMomentText(request, one.since) }),
    ...(one.attempt === 0 ? [] : [triedText(request, one.attempt), failureText(request, one)]),
    one.next === null ? '' : words('webhook_next', { date: siteMomentText(request, one.next) }),
  );
  return html`<li><div>${what(request, one)}<p class="hint">${hint}</p></div>
    ${one.next !== null && againForm(request, path, one.event)}</li>`;
}

function row(request: DeskRequest, path: string, one: Deliveries['deliveries'][number]): Html {
  const { words } = request;
  const { outcome, status } = one;
  const said = failureText(request, one) || (outcome === 'delivered' && status !== null ? String(status) : '');
  const hint = joined(siteMomentText(request, one.at), triedText(request, one.attempt), said);
  const isOver = outcome === 'delivered' || outcome === 'dropped';
  const tone = outcome === 'delivered' ? 'good' : isOver || outcome === 'requested' ? '' : 'bad';
  const label = html`<span class=${`label ${tone}`.trim()}>${words(`webhook_outcome_${outcome}`)}</span>`;
  return html`<li><div>${what(request, one, label)}
      <p class="hint">${hint}</p></div>
    ${isOver && againForm(request, path, one.event)}</li>`;
}

/** What receivers would wonder about, each once. */
const warningNotes = ({ words }: DeskRequest, webhooks: readonly Pick<Webhook, 'warnings'>[]): Html =>
  html`${[...new Set(webhooks.flatMap(({ warnings }) => warnings))].map(
    (warning) => html`<p class="note">${words(`webhook_${warning}`)}</p>`,
  )}`;

function webhookRow(request: DeskRequest, webhook: Webhook): Html {
  const { words } = request;
  const { id, name, url, user, filters } = webhook;
  const hint = [
    name === '' ? '' : url,
    `${words('webhook_whose')}: ${user.name || user.id}`,
    filtersText(request, filters),
  ];
  return html`<li><div><p class="what"><a href=${`${WEBHOOKS}/${id}`}>${titleOf(webhook)}</a></p>
      <p class="hint">${hint.filter(Boolean).join(' · ')}</p></div>
    <p class="labels">${stateLabels(request, webhook)}</p></li>`;
}

/** Whether it delivers, and what is outstanding. */
function stateLabels({ words }: DeskRequest, { paused, waiting, parked }: Webhook): readonly (Html | false)[] {
  const isWell = paused === null && waiting + parked === 0;
  return [
    isWell && html`<span class="label good">${words('webhook_state_delivering')}</span>`,
    paused !== null && html`<span class="label">${words('webhook_state_paused')}</span>`,
    waiting > 0 && html`<span class="label">${words('webhook_state_waiting', { count: waiting })}</span>`,
    parked > 0 && html`<span class="label bad">${words('webhook_state_parked', { count: parked })}</span>`,
  ];
}

// The form of a webhook: where to, whose rights count, and which changes.

const TEXTS = ['url', 'name', 'user', 'types', 'actor', 'field', 'reason'] as const;
type TextName = (typeof TEXTS)[number];

/** What the form is filled in with; lists of words are texts with commas. */
type Values = { readonly [Name in TextName]: string } & {
  readonly kinds: readonly string[];
  readonly role: readonly string[];
};

/** Nothing is filtered, and the rights are one's own. */
const blankFor = ({ user }: DeskRequest): Values => ({
  url: '',
  name: '',
  user: String(user.id),
  kinds: [],
  types: '',
  actor: '',
  role: [],
  field: '',
  reason: '',
});

function valuesOf({ url, name, user, filters }: Webhook): Values {
  const { types, actor, role, field, reason } = filters;
  return {
    url,
    name,
    user: String(user.id),
    role,
    reason,
    kinds: types.filter(isKind),
    types: types.filter((word) => !isKind(word)).join(', '),
    actor: actor.join(', '),
    field: field.join(', '),
  };
}

const textsTyped = (form: ParameterMap) =>
  Object.fromEntries(TEXTS.map((name) => [name, textOf(form, name).trim()])) as Record<TextName, string>; // All of them.

const typedIn = (form: ParameterMap): Values => ({
  ...textsTyped(form),
  kinds: textsOf(form, 'kinds'),
  role: textsOf(form, 'role'),
});

const listed = (text: string): readonly string[] => text.split(/[\s,、，]+/).filter(Boolean);

/** The members of a creation or a change; all of them, since the form shows all. */
function membersIn(form: ParameterMap): object {
  const { url, name, user, kinds, types, actor, role, field, reason } = typedIn(form);
  return {
    url,
    name,
    user: /^\d+$/.test(user) ? Number(user) : user,
    types: [...kinds, ...listed(types)].join(),
    actor: listed(actor).join(),
    role: role.join(),
    field: listed(field).join(),
    reason,
  };
}

interface FormState {
  /** Null: a new one. */
  readonly webhook: Webhook | null;
  /** Users that the field for one suggests. */
  readonly users: readonly { readonly id: number; readonly name: string }[];
  readonly problem: Problem | null;
}

function webhookFields(request: DeskRequest, { webhook, users, problem }: FormState): Html[] {
  const { words, form } = request;
  const values = 'url' in form ? typedIn(form) : webhook ? valuesOf(webhook) : blankFor(request);
  const fields = problem?.fields ?? {};
  const labels = labelsOf(request);
  const fieldOf = (name: TextName) => ({ name, label: labels[name], value: values[name], problem: fields[name] });
  return [
    html`${textField(
      { ...fieldOf('url'), hint: words('hint_webhook_url') },
      { type: 'url', required: true, maxlength: 2000, autocomplete: 'off' },
    )}`,
    html`<div class="pair">
      ${textField(fieldOf('name'), { maxlength: 200, autocomplete: 'off' })}
      ${textField(
        { ...fieldOf('user'), hint: words('hint_webhook_user') },
        { required: true, inputmode: 'numeric', list: 'webhook-users', maxlength: 15, autocomplete: 'off' },
      )}
      <datalist id="webhook-users">${users.map(({ id, name }) => html`<option value=${String(id)}>${name}</option>`)}</datalist>
    </div>`,
    html`<details class="box filters-of" open=${hasFilters(values) || isAboutFilters(problem)}>
      <summary>${words('webhook_filters')}</summary>
      <div class="fields">
        <p class="hint">${words('hint_webhook_filters')}</p>
        ${ticks('kinds', words('kind'), values.kinds, kindOptions(request), fields.kind)}
        ${textField({ ...fieldOf('types'), hint: words('hint_webhook_types') }, { maxlength: 2000 })}
        ${ticks('role', words('webhook_roles'), values.role, roleOptions(request), fields.role)}
        <div class="pair">
          ${textField({ ...fieldOf('actor'), hint: words('hint_webhook_actors') }, { maxlength: 1000 })}
          ${textField({ ...fieldOf('field'), hint: words('hint_webhook_fields') }, { maxlength: 1000 })}
        </div>
        ${textField(fieldOf('reason'), { maxlength: 200 })}
      </div>
    </details>`,
  ].flat();
}

const FILTERS = ['kinds', 'types', 'actor', 'role', 'field', 'reason'] as const;
const hasFilters = (values: Values): boolean => FILTERS.some((name) => values[name].length > 0);
const isAboutFilters = (problem: Problem | null): boolean =>
  Object.keys(problem?.fields ?? {}).some((name) => FILTERS.some((one) => one === name));

const kindOptions = ({ words }: DeskRequest): Options => CHANGE_KINDS.map((kind) => [kind, words(`kind_${kind}`)]);
const roleOptions = ({ words }: DeskRequest): Options => ACTOR_ROLES.map((role) => [role, words(`role_${role}`)]);

const ticks = (
  name: string,
  label: string,
  chosen: readonly string[],
  options: Options,
  problem: string | undefined,
): Html =>
  html`<fieldset><legend>${label}</legend>
    <div class="checks">${options.map(
      ([value, text]) => html`<div class="check">
        <input type="checkbox" id=${`${name}-${value}`} name=${`${name}[]`} value=${value} checked=${chosen.includes(value)} />
        <label for=${`${name}-${value}`}>${text}</label></div>`,
    )}</div>
    ${problem && html`<p class="problem">${problem}</p>`}
  </fieldset>`;

/** The labels of what may be refused. */
const labelsOf = ({ words }: DeskRequest): { readonly [Name in TextName]: string } => ({
  url: words('webhook_url'),
  name: words('name'),
  user: words('webhook_user'),
  types: words('webhook_types'),
  actor: words('webhook_actors'),
  field: words('webhook_fields'),
  reason: words('reason_has'),
});

/** In words, as far as there are some; '' for all changes. */
function filtersText({ words }: DeskRequest, { types, actor, role, field, reason }: Webhook['filters']): string {
  const parts = [
    types.map((word) => (isKind(word) ? words(`kind_${word}`) : word)).join(', '),
    role.map((one) => words(`role_${one}`)).join(', '),
    actor.length > 0 ? `${words('webhook_actors')}: ${actor.join(', ')}` : '',
    field.length > 0 ? `${words('webhook_fields')}: ${field.join(', ')}` : '',
    reason === '' ? '' : `${words('reason_has')}: ${reason}`,
  ];
  return parts.filter(Boolean).join(' · ');
}
