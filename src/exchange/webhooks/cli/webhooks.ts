// `daybook webhooks`: subscriptions to changes, as POST /webhooks of the API makes them.
import { command, type Group } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { printable } from '../../../cli/terminal.ts';
import { JSON_FLAG, POSITIVE_INTEGER, wholeNumber } from '../../../cli/values.ts';
import {
  carriedOutOr,
  contextOfOperator,
  linksAt,
  onLog,
  SURROUNDINGS,
  type Surroundings,
} from '../../../cli/with-log.ts';
import type { CommandDependencies } from '../../../commands/context.ts';
import { commandDependencies } from '../../../commands/dependencies.ts';
import { type Config, siteAddress, unnamedSite } from '../../../config.ts';
import { present } from '../../../domain/present.ts';
import type { PrivateHosts } from '../../../kernel/outbound/fetch-outside.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { factOf, type RecordedEvent } from '../../../log/envelope.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import type { LogStores } from '../../../stores.ts';
import { loadDeliveries, portionsBackwards, sendAgain } from '../commands/deliveries.ts';
import {
  allWebhooks,
  changeWebhookOf,
  createWebhook,
  type LoadedWebhook,
  loadWebhook,
  newWebhookSecret,
  removeWebhookOf,
  stepOfWebhook,
} from '../commands/webhooks.ts';
import type { DeliveryFact } from '../domain/deliveries.ts';
import { pauseWebhook, resumeWebhook, rotateSecret } from '../domain/webhook.ts';
import { settingsIn, urlIn } from '../http/webhook-settings.ts';
import { openSender, type Send, testDelivery } from '../reactions/webhook-sender.ts';

// Shared by the subcommands of `daybook webhooks`.

interface WebhooksDependencies extends Surroundings {
  readonly commands: CommandDependencies;
  readonly privateHosts: PrivateHosts;
  /** What receivers would wonder about; null: nothing. */
  readonly warning: string | null;
  /** Where this calendar is. */
  readonly site: string;
  readonly send: Send;
  /** Destroys what encrypts the address and secrets of one. */
  readonly destroyKey: (subject: string) => Promise<unknown>;
}

const dependenciesOf = (stores: LogStores, config: Config): WebhooksDependencies => ({
  ...SURROUNDINGS,
  commands: commandDependencies(stores, config),
  privateHosts: config.privateHosts,
  warning: unnamedSite(config),
  site: siteAddress(config),
  send: openSender({ ...config, clock: SURROUNDINGS }),
  destroyKey: (subject) => stores.keys.destroy(subject),
});

const reading = onLog('read', dependenciesOf);
const writing = onLog('existing', dependenciesOf);

const ID = { label: 'ID', description: 'number of the webhook', type: POSITIVE_INTEGER } as const;

const operatorContext = contextOfOperator('daybook webhooks');

async function presentWebhook({ commands }: WebhooksDependencies, id: number): Promise<LoadedWebhook> {
  const webhook = await loadWebhook(commands.store, id);
  if (!webhook) throw new UsageError(`there is no webhook ${id}.`, 1);
  return webhook;
}

const carriedOut = carriedOutOr({
  webhook_not_found: 'there is no such webhook.',
  invalid_parameter: 'there is no such user.',
  too_many_webhooks: 'there are 50 webhooks already. Remove one first.',
});

/** As the API answers it. */
async function webhookJson({ commands, now, site, warning }: WebhooksDependencies, webhook: LoadedWebhook) {
  // Loaded here alone: other subcommands need nothing of HTTP.
  const { webhookObject } = await import('../http/webhook-answers.ts');
  const { state } = await loadDeliveries(commands.store, webhook.state.id);
  return webhookObject(webhook, state, {
    links: linksAt(site),
    actors: openActors(commands.store),
    now: now(),
    warnings: warning === null ? [] : ['links_to_localhost'],
  });
}

// The filters of a webhook at the command line: those of GET /changes.

const BY_COMMAS = 'by commas';

/** An empty text selects all. */
const FILTER_OPTIONS = {
  types: { value: 'WORDS', description: `kinds and types of changes, ${BY_COMMAS}`, otherwise: 'all' },
  kind: { value: 'KINDS', description: `kinds of resources alone, ${BY_COMMAS}`, otherwise: 'all' },
  actor: { value: 'IDS', description: `users who made the changes, ${BY_COMMAS}`, otherwise: 'all' },
  role: { value: 'ROLES', description: `roles that those had, ${BY_COMMAS}`, otherwise: 'all' },
  field: { value: 'NAMES', description: `fields that changed, ${BY_COMMAS}`, otherwise: 'all' },
  reason: {
    value: 'TEXT',
    description: 'part of the reason of the change',
    type: { must: 'a text', read: oneLine },
    otherwise: 'all',
  },
} as const;

const add = command(
  {
    name: 'webhooks add',
    summary: 'send changes from now on to an address, and show the secret that signs them',
    description: [
      'The secret is shown once. Deliveries follow Standard Webhooks; docs/webhooks.md says how to receive them.',
      'A running service begins at once.',
    ],
    arguments: { url: { label: 'URL', description: 'where changes are sent by POST' } },
    options: {
      user: {
        value: 'ID',
        description: 'user whose rights decide what is sent',
        type: POSITIVE_INTEGER,
        required: true,
      },
      ...FILTER_OPTIONS,
      name: { value: 'TEXT', description: 'what it is for', default: '' },
      json: { description: 'answer with one line {"id":…,"secret":"…"}' },
    },
    examples: [['daybook webhooks add https://hooks.example/in --user 1 --types event', 'sends changes of events']],
  },
  async ({ url, user, json: _, ...options }, dependencies) => {
    const { commands, privateHosts, warning } = dependencies;
    const secret = newWebhookSecret();
    const settings = { name: '', filters: {}, ...settingsIn(present(options)), url: urlIn(url, privateHosts), user };
    const { id } = await carriedOut(createWebhook(commands, operatorContext(dependencies), settings, secret));
    return {
      json: { id, secret, ...(warning !== null && { warning }) },
      lines: [
        `Added webhook ${id}.`,
        `Secret, shown this once: ${secret}`,
        ...(warning === null ? [] : [`Warning: ${warning}`]),
      ],
    };
  },
  writing,
);

const list = command(
  {
    name: 'webhooks list',
    summary: 'list all webhooks',
    description: ['A line for each: number, address, state, deliveries that wait, and deliveries that were parked.'],
    options: { json: JSON_FLAG },
    examples: [['daybook webhooks list', 'lists all webhooks']],
  },
  async (_, dependencies) => {
    const webhooks = await allWebhooks(dependencies.commands.store);
    const json = await Promise.all(webhooks.map((one) => webhookJson(dependencies, one)));
    const lines = json.map(({ id, url, paused, waiting, parked }) => {
      const state = paused === null ? 'sends' : `paused (${paused})`;
      return [id, printable(url), state, `${waiting} waiting`, `${parked} parked`].join('\t');
    });
    return { json, lines };
  },
  reading,
);

const show = command(
  {
    name: 'webhooks show',
    summary: 'show one webhook, without its secret',
    arguments: { id: ID },
    examples: [['daybook webhooks show 1', 'shows address, user, filters and state as JSON']],
  },
  async ({ id }, dependencies) =>
    JSON.stringify(await webhookJson(dependencies, await presentWebhook(dependencies, id)), null, 2),
  reading,
);

const change = command(
  {
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
    check: ({ id: _, ...options }) =>
      Object.values(options).every((one) => one === undefined) ? 'say what is to be changed.' : null,
  },
  async ({ id, url, ...options }, dependencies) => {
    const { commands, privateHosts } = dependencies;
    const { state } = await presentWebhook(dependencies, id);
    const settings = settingsIn(present(options), state.filters);
    const changes = present({ ...settings, url: url === undefined ? url : urlIn(url, privateHosts) });
    await carriedOut(changeWebhookOf(commands, operatorContext(dependencies), id, changes));
    return `Changed webhook ${id}.`;
  },
  writing,
);

const test = command(
  {
    name: 'webhooks test',
    summary: 'send a test delivery, and say what the receiver answered',
    description: ['Of the type webhook.test, signed like any other. It is sent from here, at once, and never again.'],
    arguments: { id: ID },
    examples: [['daybook webhooks test 1', 'sends it; the exit code is 1 if it was not accepted']],
  },
  async ({ id }, dependencies) => {
    const { state } = await presentWebhook(dependencies, id);
    const { now, newId, send } = dependencies;
    const delivery = testDelivery(state, { id: newId(), now: now() });
    const { failure, status } = await send(delivery, new AbortController().signal);
    const answered = status === null ? 'no answer' : `status ${status}`;
    if (failure !== null) throw new UsageError(`not accepted: ${failure}, ${answered}.`, 1);
    return `Accepted: ${answered}.`;
  },
  reading,
);

const rotate = command(
  {
    name: 'webhooks rotate',
    summary: 'give a webhook a new secret and show it',
    description: ['For a day deliveries are signed with both.'],
    arguments: { id: ID },
    examples: [['daybook webhooks rotate 1', 'shows the new secret']],
  },
  async ({ id }, dependencies) => {
    const secret = newWebhookSecret();
    const context = operatorContext(dependencies);
    const decide = () => rotateSecret(secret, context.now);
    await carriedOut(stepOfWebhook(dependencies.commands, context, id, decide));
    return `Secret, shown this once: ${secret}`;
  },
  writing,
);

const pause = command(
  {
    name: 'webhooks pause',
    summary: 'stop sending for a while',
    description: ['What changes meanwhile is sent after `daybook webhooks resume`.'],
    arguments: { id: ID },
    examples: [['daybook webhooks pause 1', 'pauses webhook 1']],
  },
  async ({ id }, dependencies) => {
    await carriedOut(stepOfWebhook(dependencies.commands, operatorContext(dependencies), id, pauseWebhook('asked')));
    return `Paused webhook ${id}.`;
  },
  writing,
);

const resume = command(
  {
    name: 'webhooks resume',
    summary: 'go on sending',
    arguments: { id: ID },
    examples: [['daybook webhooks resume 1', 'sends what has changed meanwhile, then goes on']],
  },
  async ({ id }, dependencies) => {
    await carriedOut(stepOfWebhook(dependencies.commands, operatorContext(dependencies), id, resumeWebhook));
    return `Resumed webhook ${id}.`;
  },
  writing,
);

const remove = command(
  {
    name: 'webhooks remove',
    summary: 'remove a webhook, its address and its secrets',
    arguments: { id: ID },
    examples: [['daybook webhooks remove 1', 'removes webhook 1; its number is not given again']],
  },
  async ({ id }, dependencies) => {
    const { commands, destroyKey } = dependencies;
    await carriedOut(removeWebhookOf(commands, operatorContext(dependencies), id, destroyKey));
    return `Removed webhook ${id}.`;
  },
  writing,
);

const deliveries = command(
  {
    name: 'webhooks deliveries',
    summary: 'show the outcome of deliveries, newest first',
    description: ['A JSON object a line, with the id of the event: `daybook webhooks send-again` takes it.'],
    arguments: { id: ID },
    options: { limit: { value: 'N', description: 'lines at most', type: wholeNumber(10_000), default: '50' } },
    examples: [['daybook webhooks deliveries 1', 'shows the last 50 deliveries and attempts']],
  },
  async ({ id, limit }, dependencies) => {
    const { commands, out } = dependencies;
    await presentWebhook(dependencies, id);
    let left = limit;
    for await (const portion of portionsBackwards(commands.store, id))
      for (const line of portion.flatMap(linesOf)) {
        if (left === 0) return 0;
        left -= 1;
        out(line);
      }
    return 0;
  },
  reading,
);

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

const sendAgainCommand = command(
  {
    name: 'webhooks send-again',
    summary: 'send a delivery again',
    arguments: { id: ID, event: { label: 'EVENT', description: 'id of the event, from webhooks deliveries' } },
    examples: [['daybook webhooks send-again 1 5e0c5ae9-7f3b-4a76-8a9b-4b3fd3f3a001', 'a running service sends it']],
  },
  async ({ id, event }, dependencies) => {
    await presentWebhook(dependencies, id);
    const result = await sendAgain(dependencies.commands, operatorContext(dependencies), id, event);
    if (result.kind === 'rejected') throw new UsageError(`webhook ${id} has had no delivery of an event ${event}.`, 1);
    return 'Asked for it: a running service sends it.';
  },
  writing,
);

export const webhooksGroup: Group<WebhooksDependencies> = {
  name: 'webhooks',
  subcommands: [add, list, show, change, test, rotate, pause, resume, remove, deliveries, sendAgainCommand],
};
