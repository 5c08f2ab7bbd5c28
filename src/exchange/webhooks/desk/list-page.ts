// All webhooks with their states, and adding another one.

import type { Problem } from '../../../pages/desk/api.ts';
import { formFields, problemNote } from '../../../pages/desk/forms.ts';
import type { DeskPage, DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { type FieldsShown, filtersText, labelsOf, webhookFields } from './fields.ts';
import { titleOf, WEBHOOKS, type Webhook } from './reading.ts';

export interface WebhookListShown extends Pick<FieldsShown, 'users'> {
  readonly webhooks: readonly Webhook[];
  readonly problem: Problem | null;
}

export function webhookListPage(request: DeskRequest, { webhooks, users, problem }: WebhookListShown): DeskPage {
  const { words } = request;
  return {
    title: words('webhooks'),
    section: WEBHOOKS,
    status: problem?.status ?? 200,
    main: [
      html`<h1>${words('webhooks')}</h1>`,
      html`<p>${words('webhooks_text')}</p>`,
      webhooks.length === 0 && html`<p role="status">${words('no_webhooks')}</p>`,
      warningNotes(request, webhooks),
      html`<ul class="rows">${webhooks.map((one) => row(request, one))}</ul>`,
      html`<form class="box fields narrow" method="post" action=${WEBHOOKS}>
        <h2>${words('new_webhook')}</h2>
        ${problemNote(problem, labelsOf(request))}
        ${formFields(request)}
        ${webhookFields(request, { webhook: null, users, problem })}
        <p class="actions"><button class="main" type="submit">${words('new_webhook')}</button></p>
      </form>`,
    ].filter((part) => part !== false),
  };
}

/** What receivers would wonder about, each once. */
export const warningNotes = ({ words }: DeskRequest, webhooks: readonly Pick<Webhook, 'warnings'>[]): Html =>
  html`${[...new Set(webhooks.flatMap(({ warnings }) => warnings))].map(
    (warning) => html`<p class="note">${words(`webhook_${warning}`)}</p>`,
  )}`;

function row(request: DeskRequest, webhook: Webhook): Html {
  const { words } = request;
  const { id, name, url, user, filters } = webhook;
  const hint = [
    name === '' ? '' : url,
    `${words('webhook_whose')}: ${user.name || user.id}`,
    filtersText(request, filters),
  ];
  return html`<li><div><p class="what"><a href=${`${WEBHOOKS}/${id}`}>${titleOf(webhook)}</a></p>
      <p class="hint">${hint.filter((part) => part !== '').join(' · ')}</p></div>
    <p class="labels">${stateLabels(request, webhook)}</p></li>`;
}

/** Whether it delivers, and what is outstanding. */
export function stateLabels({ words }: DeskRequest, { paused, waiting, parked }: Webhook): Html[] {
  const isWell = paused === null && waiting + parked === 0;
  return [
    isWell && html`<span class="label good">${words('webhook_state_delivering')}</span>`,
    paused !== null && html`<span class="label">${words('webhook_state_paused')}</span>`,
    waiting > 0 && html`<span class="label">${words('webhook_state_waiting', { count: waiting })}</span>`,
    parked > 0 && html`<span class="label bad">${words('webhook_state_parked', { count: parked })}</span>`,
  ]
    .filter((part) => part !== false)
    .flat();
}
