// Creating, changing and removing subscriptions. Who may do so is decided where the command comes from: over HTTP by rights,
// at the command line by access to the log.
import { randomBytes } from 'node:crypto';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { type CommandResult, refused } from '../../../commands/handle-command.ts';
import {
  allNumbered,
  createNumbered,
  type Loaded,
  loadNumbered,
  type StepDependencies,
  takeStep,
} from '../../../commands/numbered.ts';
import { streamOfUser } from '../../../commands/reservations/user-names.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { fold } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { evolveUser, type UserAccount } from '../../../people/users/domain/user.ts';
import {
  changeWebhook,
  evolveWebhook,
  type PauseReason,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
  rotateSecret,
  type Webhook,
  type WebhookFact,
  type WebhookSettings,
} from '../domain/webhook.ts';

const WEBHOOKS = { kind: 'webhook', evolve: evolveWebhook, missing: 'webhook_not_found' } as const;

/** Subscriptions that are not removed; each is looked after all the time. */
const MAX_WEBHOOKS = 50;

type WebhookResult = Promise<CommandResult<Webhook>>;

/** `begun`: what was recorded before is not sent. */
export type LoadedWebhook = Loaded<Webhook>;

/** The form of the specification: 24 random bytes. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

export const loadWebhook = (store: StreamReader, id: number) => loadNumbered(WEBHOOKS, store, id);

export const allWebhooks = (store: StreamReader) => allNumbered(WEBHOOKS, store);

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
  return createNumbered<Webhook, WebhookFact>(WEBHOOKS, dependencies, context, async (unit) => {
    if (!(await isUser(unit.store, settings.user))) return refused(invalidParameter('user'));
    if ((await allWebhooks(unit.store)).length >= MAX_WEBHOOKS) return refused({ code: 'too_many_webhooks' });
    return (id) => ({ type: 'WebhookCreated', data: { id, ...settings, secret } });
  });
}

/** Whether there is such a user now. */
async function isUser(store: StreamReader, id: number): Promise<boolean> {
  const user: UserAccount | null = fold(await store.readStream(streamOfUser(id)), evolveUser);
  return user !== null && !user.erased;
}

/** Rejections: `webhook_not_found`, `precondition_failed`, and `invalid_parameter` for a user who is not there. */
export const changeWebhookOf = (
  dependencies: StepDependencies,
  context: CommandContext,
  id: number,
  wanted: Partial<WebhookSettings>,
): WebhookResult =>
  takeStep<Webhook, WebhookFact>(WEBHOOKS, dependencies, context, id, async (webhook) => {
    const { user } = wanted;
    if (user !== undefined && !(await isUser(dependencies.store, user)))
      return { kind: 'rejected', rejection: invalidParameter('user') };
    return changeWebhook(webhook, wanted);
  });

export const rotateSecretOf = (
  dependencies: StepDependencies,
  context: CommandContext,
  id: number,
  secret: string,
): WebhookResult =>
  takeStep<Webhook, WebhookFact>(WEBHOOKS, dependencies, context, id, (webhook) =>
    rotateSecret(webhook, secret, context.now),
  );

export const pauseWebhookOf = (
  dependencies: StepDependencies,
  context: CommandContext,
  id: number,
  why: PauseReason,
): WebhookResult =>
  takeStep<Webhook, WebhookFact>(WEBHOOKS, dependencies, context, id, (webhook) => pauseWebhook(webhook, why));

export const resumeWebhookOf = (dependencies: StepDependencies, context: CommandContext, id: number): WebhookResult =>
  takeStep<Webhook, WebhookFact>(WEBHOOKS, dependencies, context, id, resumeWebhook);

export const removeWebhookOf = (dependencies: StepDependencies, context: CommandContext, id: number): WebhookResult =>
  takeStep<Webhook, WebhookFact>(WEBHOOKS, dependencies, context, id, removeWebhook);
