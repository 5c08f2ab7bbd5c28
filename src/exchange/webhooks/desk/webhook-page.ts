// One webhook: its state, its secret when that is new, what became of deliveries, and its settings.

import type { Problem } from '../../../pages/desk/api.ts';
import { buttonForm, formFields, problemNote } from '../../../pages/desk/forms.ts';
import type { DeskPage, DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { whenText } from '../../../people/users/desk/reading.ts';
import { secretNote } from '../../../people/users/desk/tokens.ts';
import { deliveryLists } from './deliveries.ts';
import { type FieldsShown, filtersText, labelsOf, webhookFields } from './fields.ts';
import { stateLabels, warningNotes } from './list-page.ts';
import { type Deliveries, failureText, type TestResult, WEBHOOKS, type Webhook } from './reading.ts';

/** What has just been done, and is shown once. */
export interface Just {
  /** Null: the form was sent again, and it was shown before. */
  readonly secret?: string | null;
  readonly tested?: TestResult;
}

export interface WebhookShown extends Pick<FieldsShown, 'users'> {
  readonly webhook: Webhook;
  /** The state that is shown. */
  readonly tag: string;
  readonly deliveries: Deliveries;
  readonly just: Just;
  readonly problem: Problem | null;
}

export function webhookPage(request: DeskRequest, shown: WebhookShown): DeskPage {
  const { words } = request;
  const { webhook, deliveries, just, problem } = shown;
  const path = `${WEBHOOKS}/${webhook.id}`;
  const title = webhook.name || new URL(webhook.url).host;
  return {
    title,
    section: WEBHOOKS,
    status: problem?.status ?? 200,
    main: html`<div class="narrow">
      <p><a href=${WEBHOOKS}>${words('webhooks')}</a></p>
      <h1>${title}</h1>
      ${just.secret !== undefined && secretOf(request, just.secret)}
      ${just.tested && testedNote(request, just.tested)}
      ${problemNote(problem, labelsOf(request))}
      <p class="labels">${stateLabels(request, webhook)}</p>
      ${warningNotes(request, [webhook])}
      ${webhook.paused === 'gone' && html`<p class="note">${words('webhook_paused_gone')}</p>`}
      ${webhook.paused === 'no_user' && html`<p class="note">${words('webhook_paused_no_user')}</p>`}
      ${deliveries.quiet_until !== null && html`<p class="note">${words('webhook_quiet', { date: whenText(request, deliveries.quiet_until) })}</p>`}
      ${facts(request, webhook)}
      <div class="actions">
        ${buttonForm(request, `${path}/test`, words('webhook_test'))}
        ${
          webhook.paused === null
            ? buttonForm(request, `${path}/pause`, words('webhook_pause'))
            : buttonForm(request, `${path}/resume`, words('webhook_resume'))
        }
      </div>
      ${deliveryLists(request, path, deliveries)}
      <section><h2>${words('settings')}</h2>${settingsForm(request, shown)}</section>
      <section><h2>${words('webhook_secret')}</h2>
        ${webhook.former_secret_until !== null && html`<p>${words('webhook_former', { date: whenText(request, webhook.former_secret_until) })}</p>`}
        <details class="box"><summary>${words('webhook_rotate')}</summary>
          <p>${words('webhook_rotate_text')}</p>
          ${buttonForm(request, `${path}/rotate`, words('webhook_rotate_sure'))}
        </details></section>
      <details class="box"><summary>${words('webhook_remove')}</summary>
        <p>${words('webhook_remove_text')}</p>
        ${buttonForm(request, `${path}/remove`, words('remove_user_sure'))}
      </details>
    </div>`,
  };
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

function settingsForm(request: DeskRequest, { webhook, users, tag, problem }: WebhookShown): Html {
  return html`<form method="post" action=${`${WEBHOOKS}/${webhook.id}`} class="fields">
    ${formFields({ ...request, form: {} })}
    <input type="hidden" name="_tag" value=${tag} />
    ${webhookFields(request, { webhook, users, problem })}
    <p class="actions"><button class="main" type="submit">${request.words('save')}</button></p>
  </form>`;
}
