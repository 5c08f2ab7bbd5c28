// `daybook webhooks`: subscriptions to changes, as POST /webhooks of the API makes them.

import type { Group } from '../../../cli/command.ts';
import { synopsis } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { printable } from '../../../cli/terminal.ts';
import { JSON_FLAG, POSITIVE_INTEGER, wholeNumber } from '../../../cli/values.ts';
import { isDestination } from '../../../kernel/outbound/destinations.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { factOf, type RecordedEvent } from '../../../log/envelope.ts';
import { loadDeliveries, portionsBackwards, sendAgain } from '../commands/deliveries.ts';
import {
  allWebhooks,
  changeWebhookOf,
  createWebhook,
  newWebhookSecret,
  pauseWebhookOf,
  removeWebhookOf,
  resumeWebhookOf,
  rotateSecretOf,
} from '../commands/webhooks.ts';
import type { DeliveryFact } from '../domain/deliveries.ts';
import { testDelivery } from '../reactions/webhook-sender.ts';
import { FILTER_OPTIONS, filtersIn } from './filters.ts';
import {
  carriedOut,
  ID,
  operatorContext,
  presentWebhook,
  refusedAddress,
  type WebhooksDependencies,
  webhookJson,
  webhooksCommand,
} from './shared.ts';

const ADD = synopsis({
  name: 'webhooks add',
  summary: 'send changes from now on to an address, and show the secret that signs them',
  description: [
    'The secret is shown once. Deliveries follow Standard Webhooks; docs/webhooks.md says how to receive them.',
    'A running service begins at once.',
  ],
  arguments: { url: { label: 'URL', description: 'where changes are sent by POST' } },
  options: {
    user: { value: 'ID', description: 'user whose rights decide what is sent', type: POSITIVE_INTEGER, required: true },
    ...FILTER_OPTIONS,
    name: { value: 'TEXT', description: 'what it is for', default: '' },
    json: { description: 'answer with one line {"id":…,"secret":"…"}' },
  },
  examples: [['daybook webhooks add https://hooks.example/in --user 1 --types event', 'sends changes of events']],
});

const add = webhooksCommand('existing', ADD, async ({ url, user, name, json, ...filters }, dependencies) => {
  const { commands, privateHosts, warning, out } = dependencies;
  if (!isDestination(url, privateHosts)) throw refusedAddress(ADD.name);
  const secret = newWebhookSecret();
  const settings = { name: oneLine(name), url, user, filters: filtersIn(ADD.name, filters, {}) ?? {} };
  const adding = createWebhook(commands, operatorContext(dependencies), settings, secret);
  const { id } = await carriedOut(ADD.name, adding);
  if (json) return out(JSON.stringify({ id, secret, ...(warning !== null && { warning }) }));
  out(`Added webhook ${id}.`);
  out(`Secret, shown this once: ${secret}`);
  if (warning !== null) out(`Warning: ${warning}`);
});

const LIST = synopsis({
  name: 'webhooks list',
  summary: 'list all webhooks',
  description: ['A line for each: number, address, state, deliveries that wait, and deliveries that were parked.'],
  arguments: {},
  options: { json: JSON_FLAG },
  examples: [['daybook webhooks list', 'lists all webhooks']],
});

const list = webhooksCommand('read', LIST, async ({ json }, dependencies) => {
  const { commands, out } = dependencies;
  const all = await allWebhooks(commands.store);
  if (json) return out(JSON.stringify(await Promise.all(all.map((one) => webhookJson(dependencies, one)))));
  for (const { state: webhook } of all) {
    const { id, url, paused } = webhook;
    const { waiting, parked } = (await loadDeliveries(commands.store, id)).state;
    const state = paused === null ? 'sends' : `paused (${paused})`;
    out([id, printable(url), state, `${waiting.length} waiting`, `${parked.length} parked`].join('\t'));
  }
});

const SHOW = synopsis({
  name: 'webhooks show',
  summary: 'show one webhook, without its secret',
  arguments: { id: ID },
  options: {},
  examples: [['daybook webhooks show 1', 'shows address, user, filters and state as JSON']],
});

const show = webhooksCommand('read', SHOW, async ({ id }, dependencies) => {
  const webhook = await presentWebhook(SHOW.name, dependencies, id);
  dependencies.out(JSON.stringify(await webhookJson(dependencies, webhook), null, 2));
});

const CHANGE = synopsis({
  name: 'webhooks change',
  summary: 'change where and what a webhook sends',
  description: ['What is not named stays as it is; a filter with an empty text selects all again.'],
  arguments: { id: ID },
  options: {
    url: { value: 'URL', description: 'where changes are sent by POST' },
    user: { value: 'ID', description: 'user whose rights decide what is sent', type: POSITIVE_INTEGER },
    ...FILTER_OPTIONS,
    name: { value: 'TEXT', description: 'what it is for' },
  },
  examples: [["daybook webhooks change 1 --field start_date,end_date --role ''", 'sends new dates, by any role']],
  check: ({ id: _, ...wanted }) =>
    Object.values(wanted).every((one) => one === undefined) ? 'say what is to be changed.' : null,
});

const change = webhooksCommand('existing', CHANGE, async ({ id, url, user, name, ...filters }, dependencies) => {
  const { commands, privateHosts, out } = dependencies;
  if (url !== undefined && !isDestination(url, privateHosts)) throw refusedAddress(CHANGE.name);
  const { state } = await presentWebhook(CHANGE.name, dependencies, id);
  const chosen = filtersIn(CHANGE.name, filters, state.filters);
  const wanted = {
    ...(url !== undefined && { url }),
    ...(user !== undefined && { user }),
    ...(name !== undefined && { name: oneLine(name) }),
    ...(chosen && { filters: chosen }),
  };
  await carriedOut(CHANGE.name, changeWebhookOf(commands, operatorContext(dependencies), id, wanted));
  out(`Changed webhook ${id}.`);
});

const TEST = synopsis({
  name: 'webhooks test',
  summary: 'send a test delivery, and say what the receiver answered',
  description: ['Of the type webhook.test, signed like any other. It is sent from here, at once, and never again.'],
  arguments: { id: ID },
  options: {},
  examples: [['daybook webhooks test 1', 'sends it; the exit code is 1 if it was not accepted']],
});

const test = webhooksCommand('read', TEST, async ({ id }, dependencies) => {
  const { state } = await presentWebhook(TEST.name, dependencies, id);
  const { now, newId, send, out } = dependencies;
  const delivery = testDelivery(state, { id: newId(), now: now() });
  const { failure, status } = await send(delivery, new AbortController().signal);
  const answered = status === null ? 'no answer' : `status ${status}`;
  if (failure !== null) throw new UsageError(`${TEST.name}: not accepted: ${failure}, ${answered}.`, 1);
  out(`Accepted: ${answered}.`);
});

const ROTATE = synopsis({
  name: 'webhooks rotate',
  summary: 'give a webhook a new secret and show it',
  description: ['For a day deliveries are signed with both.'],
  arguments: { id: ID },
  options: {},
  examples: [['daybook webhooks rotate 1', 'shows the new secret']],
});

const rotate = webhooksCommand('existing', ROTATE, async ({ id }, dependencies) => {
  const secret = newWebhookSecret();
  const context = operatorContext(dependencies);
  await carriedOut(ROTATE.name, rotateSecretOf(dependencies.commands, context, id, secret));
  dependencies.out(`Secret, shown this once: ${secret}`);
});

const PAUSE = synopsis({
  name: 'webhooks pause',
  summary: 'stop sending for a while',
  description: ['What changes meanwhile is sent after `daybook webhooks resume`.'],
  arguments: { id: ID },
  options: {},
  examples: [['daybook webhooks pause 1', 'pauses webhook 1']],
});

const pause = webhooksCommand('existing', PAUSE, async ({ id }, dependencies) => {
  await carriedOut(PAUSE.name, pauseWebhookOf(dependencies.commands, operatorContext(dependencies), id, 'asked'));
  dependencies.out(`Paused webhook ${id}.`);
});

const RESUME = synopsis({
  name: 'webhooks resume',
  summary: 'go on sending',
  arguments: { id: ID },
  options: {},
  examples: [['daybook webhooks resume 1', 'sends what has changed meanwhile, then goes on']],
});

const resume = webhooksCommand('existing', RESUME, async ({ id }, dependencies) => {
  await carriedOut(RESUME.name, resumeWebhookOf(dependencies.commands, operatorContext(dependencies), id));
  dependencies.out(`Resumed webhook ${id}.`);
});

const REMOVE = synopsis({
  name: 'webhooks remove',
  summary: 'remove a webhook, its address and its secrets',
  arguments: { id: ID },
  options: {},
  examples: [['daybook webhooks remove 1', 'removes webhook 1; its number is not given again']],
});

const remove = webhooksCommand('existing', REMOVE, async ({ id }, dependencies) => {
  await carriedOut(REMOVE.name, removeWebhookOf(dependencies.commands, operatorContext(dependencies), id));
  await dependencies.destroyKey(`webhook-${id}`);
  dependencies.out(`Removed webhook ${id}.`);
});

const DELIVERIES = synopsis({
  name: 'webhooks deliveries',
  summary: 'show the outcome of deliveries, newest first',
  description: ['A JSON object a line, with the id of the event: `daybook webhooks send-again` takes it.'],
  arguments: { id: ID },
  options: { limit: { value: 'N', description: 'lines at most', type: wholeNumber(10_000), default: '50' } },
  examples: [['daybook webhooks deliveries 1', 'shows the last 50 deliveries and attempts']],
});

const deliveries = webhooksCommand('read', DELIVERIES, async ({ id, limit }, dependencies) => {
  const { commands, out } = dependencies;
  await presentWebhook(DELIVERIES.name, dependencies, id);
  let left = limit;
  for await (const portion of portionsBackwards(commands.store, id))
    for (const line of portion.flatMap(linesOf)) {
      if (left === 0) return;
      left -= 1;
      out(line);
    }
});

const OUTCOMES = {
  DeliveryFailed: 'failed',
  DeliveryParked: 'parked',
  DeliveryRequested: 'requested',
} as const;

function linesOf(event: RecordedEvent): readonly string[] {
  const fact = factOf<DeliveryFact>(event);
  if (fact.type === 'DeliveriesConfirmed') return fact.data.done.map((one) => JSON.stringify(one)).reverse();
  if (fact.type === 'DeliveriesSummarized') return [];
  return [JSON.stringify({ ...fact.data, outcome: OUTCOMES[fact.type] })];
}

const SEND_AGAIN = synopsis({
  name: 'webhooks send-again',
  summary: 'send a delivery again',
  arguments: { id: ID, event: { label: 'EVENT', description: 'id of the event, from webhooks deliveries' } },
  options: {},
  examples: [['daybook webhooks send-again 1 5e0c5ae9-7f3b-4a76-8a9b-4b3fd3f3a001', 'a running service sends it']],
});

const again = webhooksCommand('existing', SEND_AGAIN, async ({ id, event }, dependencies: WebhooksDependencies) => {
  const { commands, out } = dependencies;
  await presentWebhook(SEND_AGAIN.name, dependencies, id);
  const result = await sendAgain(commands, operatorContext(dependencies), id, event);
  if (result.kind === 'rejected')
    throw new UsageError(`${SEND_AGAIN.name}: webhook ${id} has had no delivery of an event ${event}.`, 1);
  out('Asked for it: a running service sends it.');
});

export const webhooksGroup: Group<WebhooksDependencies> = {
  name: 'webhooks',
  subcommands: { add, list, show, change, test, rotate, pause, resume, remove, deliveries, 'send-again': again },
};
