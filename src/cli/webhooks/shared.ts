// Shared by the subcommands of `daybook webhooks`.
import type { CommandContext, CommandDependencies } from '../../commands/context.ts';
import { commandDependencies } from '../../commands/dependencies.ts';
import type { CommandResult } from '../../commands/handle-command.ts';
import { loadDeliveries } from '../../commands/webhooks/deliveries.ts';
import { type LoadedWebhook, loadWebhook } from '../../commands/webhooks/webhooks.ts';
import { unnamedSite } from '../../config.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { systemActor } from '../../event-store/writing.ts';
import type { Opening } from '../../opening/log.ts';
import { MAX_DESTINATION_LENGTH } from '../../outbound/destinations.ts';
import type { PrivateHosts } from '../../outbound/fetch-outside.ts';
import { openSender, type Send } from '../../reactions/webhook-sender.ts';
import { type Arguments, type Command, command, type Given, type Options, type Synopsis } from '../command.ts';
import { UsageError } from '../errors.ts';
import { POSITIVE_INTEGER } from '../values.ts';
import { SURROUNDINGS, type Surroundings, withLog } from '../with-log.ts';

export interface WebhooksDependencies extends Surroundings {
  readonly commands: CommandDependencies;
  readonly privateHosts: PrivateHosts;
  /** What receivers would wonder about; null: nothing. */
  readonly warning: string | null;
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
          send: openSender({ ...config, clock: SURROUNDINGS }),
          destroyKey: (subject) => stores.keys.destroy(subject),
        }),
      ),
  });
};

export const ID = { label: 'ID', description: 'number of the webhook', type: POSITIVE_INTEGER } as const;

/** What operators do is done in no user's name. */
export const operatorContext = ({ now, newId }: Surroundings): CommandContext => ({
  caller: null,
  actor: systemActor('daybook webhooks'),
  now: now(),
  correlationId: newId(),
  ...{ reason: undefined, ifRevision: undefined, idempotencyKey: undefined },
});

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
    2,
  );

/** Without its secrets. */
export async function webhookJson({ commands }: WebhooksDependencies, webhook: Webhook): Promise<object> {
  const { secret: _, former: __, removed: ___, created, ...shown } = webhook;
  const { waiting, parked } = (await loadDeliveries(commands.store, webhook.id)).state;
  const outstanding = { waiting: waiting.length, parked: parked.length };
  return { ...shown, created: new Date(created * 1000).toISOString(), ...outstanding };
}
