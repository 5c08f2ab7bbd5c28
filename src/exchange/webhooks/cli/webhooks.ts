// `daybook webhooks`: subscriptions to changes, as POST /webhooks of the API makes them.
import { type Group, synopsis } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { carriedOutOr, commandsOn, stepsOn } from '../../../cli/log-commands.ts';
import { printable } from '../../../cli/terminal.ts';
import { JSON_FLAG, POSITIVE_INTEGER, wholeNumber } from '../../../cli/values.ts';
import { contextOfOperator, linksAt, SURROUNDINGS, type Surroundings } from '../../../cli/with-log.ts';
import type { CommandDependencies } from '../../../commands/context.ts';
import { commandDependencies } from '../../../commands/dependencies.ts';
import { siteAddress, unnamedSite } from '../../../config.ts';
import { present } from '../../../domain/present.ts';
import { ACTOR_ROLES } from '../../../editorial/audit/queries/actor-roles.ts';
import { CHANGE_KINDS, selectionOf, wordsOf } from '../../../editorial/audit/queries/selection.ts';
import { isDestination, MAX_DESTINATION_LENGTH } from '../../../kernel/outbound/destinations.ts';
import type { PrivateHosts } from '../../../kernel/outbound/fetch-outside.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import { factOf, type RecordedEvent } from '../../../log/envelope.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
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
import { pauseWebhook, resumeWebhook, rotateSecret, type WebhookFilters } from '../domain/webhook.ts';
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

const webhooksCommand = commandsOn(
  (stores, config): WebhooksDependencies => ({
    ...SURROUNDINGS,
    commands: commandDependencies(stores, config),
    privateHosts: config.privateHosts,
    warning: unnamedSite(config),
    site: siteAddress(config),
    send: openSender({ ...config, clock: SURROUNDINGS }),
    destroyKey: (subject) => stores.keys.destroy(subject),
  }),
);

const ID = { label: 'ID', description: 'number of the webhook', type: POSITIVE_INTEGER } as const;

const operatorContext = contextOfOperator('daybook webhooks');

async function presentWebhook(name: string, { commands }: WebhooksDependencies, id: number): Promise<LoadedWebhook> {
  const found = await loadWebhook(commands.store, id);
  if (!found) throw new UsageError(`${name}: there is no webhook ${id}.`, 1);
  return found;
}

const carriedOut = carriedOutOr({
  webhook_not_found: 'there is no such webhook.',
  invalid_parameter: 'there is no such user.',
  too_many_webhooks: 'there are 50 webhooks already. Remove one first.',
});

const refusedAddress = (name: string): UsageError =>
  new UsageError(
    `${name}: URL must be an http or https address of at most ${MAX_DESTINATION_LENGTH} characters, without user name and ` +
      'password, and not in a private network unless DAYBOOK_PRIVATE_HOSTS names its host.',
  );

/** As the API answers it. */
async function webhookJson({ commands, now, site, warning }: WebhooksDependencies, webhook: LoadedWebhook) {
  // Loaded here alone: other subcommands need nothing of HTTP.
  const { webhookObject } = await import('../http/webhook-answers.ts');
  const { state } = await loadDeliveries(commands.store, webhook.state.id);
  const warnings = warning === null ? [] : (['links_to_localhost'] as const);
  return webhookObject(webhook, state, {
    links: linksAt(site),
    actors: openActors(commands.store),
    now: now(),
    warnings,
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
  reason: { value: 'TEXT', description: 'part of the reason of the change', otherwise: 'all' },
} as const;

type TypedFilters = { readonly [Name in keyof typeof FILTER_OPTIONS]?: string | undefined };

/** What was typed, over what was there before; throws `UsageError`. Undefined: none was typed. */
function filtersIn(command: string, given: TypedFilters, before: WebhookFilters): WebhookFilters | undefined {
  const { types, kind, actor, role, field, reason } = given;
  const wanted: { readonly [Name in keyof WebhookFilters]-?: WebhookFilters[Name] | undefined } = {
    types: types === undefined && kind === undefined ? undefined : typesIn(command, types ?? '', kind ?? ''),
    actors: actor === undefined ? undefined : idsIn(command, actor),
    roles: role === undefined ? undefined : wordsIn(command, '--role', role, ACTOR_ROLES),
    fields: field === undefined ? undefined : listOf(field),
    reason: reason === undefined ? undefined : oneLine(reason),
  };
  const typed = Object.entries(wanted).filter(([, value]) => value !== undefined);
  if (typed.length === 0) return undefined;
  const all = { ...before, ...Object.fromEntries(typed) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value.length > 0));
}

/** What both allow. */
function typesIn(command: string, types: string, kind: string): readonly string[] {
  const selection = selectionOf(listOf(types));
  if ('unknown' in selection)
    throw new UsageError(
      `${command}: --types must name kinds (${CHANGE_KINDS.join(', ')}) or types such as EventRescheduled, not "${selection.unknown}".`,
    );
  const kinds = wordsIn(command, '--kind', kind, [...selection.keys()]);
  if (kinds.length > 0) return wordsOf(new Map([...selection].filter(([one]) => kinds.includes(one))));
  return listOf(types).length === 0 ? [] : wordsOf(selection);
}

function wordsIn<Word extends string>(
  command: string,
  option: string,
  text: string,
  allowed: readonly Word[],
): readonly Word[] {
  const words = listOf(text);
  if (words.some((word) => !allowed.some((one) => one === word)))
    throw new UsageError(`${command}: ${option} must name some of ${allowed.join(', ')}.`);
  return allowed.filter((word) => words.includes(word));
}

function idsIn(command: string, text: string): readonly number[] {
  const ids = listOf(text).map((word) => POSITIVE_INTEGER.read(word));
  const known = ids.filter((id) => id !== undefined);
  if (known.length < ids.length || ids.length > MAX_ACTORS)
    throw new UsageError(`${command}: --actor must be at most ${MAX_ACTORS} ids of users, by commas.`);
  return known;
}

/** As over the API. */
const MAX_ACTORS = 100;

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
  const wanted = present({ url, user, name: name && oneLine(name), filters: chosen });
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

const step = stepsOn('webhooks', ID, webhooksCommand);

const rotate = step('rotate', {
  summary: 'give a webhook a new secret and show it',
  description: ['For a day deliveries are signed with both.'],
  effect: 'shows the new secret',
  async take(dependencies, id, name) {
    const secret = newWebhookSecret();
    const context = operatorContext(dependencies);
    const rotate = () => rotateSecret(secret, context.now);
    await carriedOut(name, stepOfWebhook(dependencies.commands, context, id, rotate));
    return `Secret, shown this once: ${secret}`;
  },
});

const pause = step('pause', {
  summary: 'stop sending for a while',
  description: ['What changes meanwhile is sent after `daybook webhooks resume`.'],
  effect: 'pauses webhook 1',
  async take(dependencies, id, name) {
    await carriedOut(
      name,
      stepOfWebhook(dependencies.commands, operatorContext(dependencies), id, pauseWebhook('asked')),
    );
    return `Paused webhook ${id}.`;
  },
});

const resume = step('resume', {
  summary: 'go on sending',
  effect: 'sends what has changed meanwhile, then goes on',
  async take(dependencies, id, name) {
    await carriedOut(name, stepOfWebhook(dependencies.commands, operatorContext(dependencies), id, resumeWebhook));
    return `Resumed webhook ${id}.`;
  },
});

const remove = step('remove', {
  summary: 'remove a webhook, its address and its secrets',
  effect: 'removes webhook 1; its number is not given again',
  async take(dependencies, id, name) {
    const { commands, destroyKey } = dependencies;
    await carriedOut(name, removeWebhookOf(commands, operatorContext(dependencies), id, destroyKey));
    return `Removed webhook ${id}.`;
  },
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
