// Creating, changing and removing subscriptions. Who may do so is decided where the command comes from: over HTTP by rights,
// at the command line by access to the log.
import { randomBytes } from 'node:crypto';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { type Loaded, numbered, type StepDependencies } from '../../../commands/numbered.ts';
import { streamOfUser } from '../../../commands/reservations/user-names.ts';
import { rejected } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { fold } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { evolveUser, type UserAccount } from '../../../people/users/domain/user.ts';
import {
  changeWebhook,
  evolveWebhook,
  type Webhook,
  type WebhookFact,
  type WebhookSettings,
} from '../domain/webhook.ts';

/** Steps and removals reject with `webhook_not_found`, `precondition_failed`, and what the step is refused for. */
const webhooks = numbered<Webhook, WebhookFact>({
  kind: 'webhook',
  evolve: evolveWebhook,
  missing: 'webhook_not_found',
});

export const { load: loadWebhook, all: allWebhooks, step: stepOfWebhook } = webhooks;

/** Subscriptions that are not removed; each is looked after all the time. */
const MAX_WEBHOOKS = 50;

type WebhookResult = Promise<CommandResult<Webhook>>;

/** `begun`: what was recorded before is not sent. */
export type LoadedWebhook = Loaded<Webhook>;

/** The form of the specification: 24 random bytes. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

/**
 * `secret` is drawn by the caller, who shows it. Rejections: `too_many_webhooks`, and `invalid_parameter` for a user who is
 * not there.
 */
export function createWebhook(
  dependencies: CommandDependencies,
  context: CommandContext,
  settings: WebhookSettings,
  secret: string,
): WebhookResult {
  return webhooks.create(dependencies, context, async (unit) => {
    if (!(await isUser(unit.store, settings.user))) return rejected(invalidParameter('user'));
    if ((await allWebhooks(unit.store)).length >= MAX_WEBHOOKS) return rejected('too_many_webhooks');
    return (id) => ({ type: 'WebhookCreated', data: { id, ...settings, secret } });
  });
}

/** Whether there is such a user now. */
async function isUser(store: StreamReader, id: number): Promise<boolean> {
  const user: UserAccount | null = fold(await store.readStream(streamOfUser(id)), evolveUser);
  return user !== null && !user.erased;
}

/** Rejections besides: `invalid_parameter` for a user who is not there. */
export const changeWebhookOf = (
  dependencies: StepDependencies,
  context: CommandContext,
  id: number,
  changes: Partial<WebhookSettings>,
): WebhookResult =>
  stepOfWebhook(dependencies, context, id, async (webhook) => {
    const { user } = changes;
    if (user !== undefined && !(await isUser(dependencies.store, user))) return rejected(invalidParameter('user'));
    return changeWebhook(webhook, changes);
  });

export const removeWebhookOf = (
  dependencies: StepDependencies,
  context: CommandContext,
  id: number,
  destroyKey: (subject: string) => Promise<unknown>,
): WebhookResult => webhooks.remove(dependencies, context, id, { type: 'WebhookRemoved', data: {} }, destroyKey);
