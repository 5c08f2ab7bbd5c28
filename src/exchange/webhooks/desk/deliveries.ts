// What became of the deliveries of a webhook: those that were given up, those that wait, and what happened last.

import { pathOf } from '../../../editorial/audit/desk/reading.ts';
import { CHANGE_KINDS } from '../../../editorial/history/http/history-schema.ts';
import { buttonForm } from '../../../pages/desk/forms.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { whenText } from '../../../people/users/desk/reading.ts';
import { type Deliveries, failureText } from './reading.ts';

/** Of those that wait or are parked; the API names all. */
const MAX_SHOWN = 20;

/** `path`: of the webhook at the desk. */
export function deliveryLists(request: DeskRequest, path: string, shown: Deliveries): Html {
  const { words } = request;
  const { deliveries, waiting, parked, before } = shown;
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
  const known = CHANGE_KINDS.find((one) => one === kind);
  const path = known === undefined ? null : pathOf(known, id);
  const text = known === undefined ? `${kind} ${id}` : `${words(`kind_${known}`)} ${id}`;
  return html`<p class="what labels">${path === null ? text : html`<a href=${path}>${text}</a>`} ${label}</p>`;
}

const againForm = (request: DeskRequest, path: string, event: string): Html =>
  buttonForm(request, `${path}/send-again`, request.words('send_again'), { event });

/** What is said about an attempt, as far as there was one. */
const triedText = (request: DeskRequest, attempt: number): string =>
  attempt === 0 ? '' : request.words('webhook_attempt', { attempt });

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');

function parkedRow(request: DeskRequest, path: string, one: Deliveries['parked'][number]): Html {
  const hint = joined(whenText(request, one.at), triedText(request, one.attempt), failureText(request, one));
  return html`<li><div>${what(request, one)}<p class="hint">${hint}</p></div>
    ${againForm(request, path, one.event)}</li>`;
}

function waitingRow(request: DeskRequest, path: string, one: Deliveries['waiting'][number]): Html {
  const { words } = request;
  const hint = joined(
    words('webhook_since', { date: whenText(request, one.since) }),
    ...(one.attempt === 0 ? [] : [triedText(request, one.attempt), failureText(request, one)]),
    one.next === null ? '' : words('webhook_next', { date: whenText(request, one.next) }),
  );
  return html`<li><div>${what(request, one)}<p class="hint">${hint}</p></div>
    ${one.next !== null && againForm(request, path, one.event)}</li>`;
}

function row(request: DeskRequest, path: string, one: Deliveries['deliveries'][number]): Html {
  const { words } = request;
  const { outcome, status } = one;
  const said = failureText(request, one) || (outcome === 'delivered' && status !== null ? String(status) : '');
  const hint = joined(whenText(request, one.at), triedText(request, one.attempt), said);
  const isOver = outcome === 'delivered' || outcome === 'dropped';
  const tone = outcome === 'delivered' ? 'good' : isOver || outcome === 'requested' ? '' : 'bad';
  const label = html`<span class=${`label ${tone}`.trim()}>${words(`webhook_outcome_${outcome}`)}</span>`;
  return html`<li><div>${what(request, one, label)}
      <p class="hint">${hint}</p></div>
    ${isOver && againForm(request, path, one.event)}</li>`;
}
