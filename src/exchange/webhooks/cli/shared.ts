// Shared by the subcommands of `daybook webhooks`.

import {
  type Arguments,
  type Command,
  command,
  type Given,
  type Options,
  type Synopsis,
} from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { POSITIVE_INTEGER } from '../../../cli/values.ts';
import { contextOfOperator, linksAt, SURROUNDINGS, type Surroundings, withLog } from '../../../cli/with-log.ts';
import type { CommandDependencies } from '../../../commands/context.ts';
import { commandDependencies } from '../../../commands/dependencies.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { siteAddress, unnamedSite } from '../../../config.ts';
import { MAX_DESTINATION_LENGTH } from '../../../kernel/outbound/destinations.ts';
import type { PrivateHosts } from '../../../kernel/outbound/fetch-outside.ts';
import type { Opening } from '../../../opening/log.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { loadDeliveries } from '../commands/deliveries.ts';
import { type LoadedWebhook, loadWebhook } from '../commands/webhooks.ts';
import type { Webhook } from '../domain/webhook.ts';
import { openSender, type Send } from '../reactions/webhook-sender.ts';

export interface WebhooksDependencies extends Surroundings {
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

export const webhooksCommand = <A extends Arguments, O extends Options>(
  opening: Opening,
  spec: Synopsis<A, O>,
  perform: (given: Given<A, O>, dependencies: WebhooksDependencies) => Promise<void>,
): Command<Given<A, O>, WebhooksDependencies> => {
  const work = async (given: Given<A, O>, dependencies: WebhooksDependencies): Promise<0> => {
    await perform(given, dependencies);
    return 0;
  };
  return command(spec, {
    perform: work,
    run: (given) =>
      withLog(opening, (stores, config) =>
        work(given, {
          ...SURROUNDINGS,
          commands: commandDependencies(stores, config),
          privateHosts: config.privateHosts,
          warning: unnamedSite(config),
          site: siteAddress(config),
          send: openSender({ ...config, clock: SURROUNDINGS }),
          destroyKey: (subject) => stores.keys.destroy(subject),
        }),
      ),
  });
};

export const ID = { label: 'ID', description: 'number of the webhook', type: POSITIVE_INTEGER } as const;

export const operatorContext = contextOfOperator('daybook webhooks');

export async function presentWebhook(
  name: string,
  { commands }: WebhooksDependencies,
  id: number,
): Promise<LoadedWebhook> {
  const found = await loadWebhook(commands.store, id);
  if (!found || found.state.removed) throw new UsageError(`${name}: there is no webhook ${id}.`, 1);
  return found;
}

export async function carriedOut(name: string, doing: Promise<CommandResult<Webhook>>): Promise<Webhook> {
  const result = await doing;
  if (result.kind === 'written') return result.written.state;
  throw new UsageError(`${name}: ${sentenceOf(result.rejection.code)}`, 1);
}

function sentenceOf(code: string): string {
  switch (code) {
    case 'webhook_not_found':
      return 'there is no such webhook.';
    case 'invalid_parameter':
      return 'there is no such user.';
    case 'too_many_webhooks':
      return 'there are 50 webhooks already. Remove one first.';
    default:
      return 'other writers were faster each time. Try again.';
  }
}

export const refusedAddress = (name: string): UsageError =>
  new UsageError(
    `${name}: URL must be an http or https address of at most ${MAX_DESTINATION_LENGTH} characters, without user name and ` +
      'password, and not in a private network unless DAYBOOK_PRIVATE_HOSTS names its host.',
  );

/** As the API answers it. */
export async function webhookJson({ commands, now, site, warning }: WebhooksDependencies, webhook: LoadedWebhook) {
  // Loaded here alone: other subcommands need nothing of HTTP.
  const { webhookObject } = await import('../http/webhook-answers.ts');
  const { state } = await loadDeliveries(commands.store, webhook.state.id);
  const warnings = warning === null ? [] : (['links_to_localhost'] as const);
  return webhookObject(webhook, state, {
    ...{ links: linksAt(site), actors: openActors(commands.store), now: now(), warnings },
  });
}
