// Creating, changing and removing subscriptions. Who may do so is decided where the command comes from: over HTTP by rights,
// at the command line by access to the log.
import { randomBytes } from 'node:crypto';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import {
  type CommandResult,
  handleCommand,
  handleCommandOnce,
  recordDecision,
  refused,
} from '../../../commands/handle-command.ts';
import { reserveIdIn } from '../../../commands/reservations/id-reservations.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { streamOfUser } from '../../../commands/reservations/user-names.ts';
import type { Decision } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { fold, type Position, type Revision } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
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

const WEBHOOKS = { kind: 'webhook', evolve: evolveWebhook } as const;
/** Creations take turns at it. */
const IDS = 'ids-webhook';

/** Subscriptions that are not removed; each is looked after all the time. */
export const MAX_WEBHOOKS = 50;

type Reader = Pick<EventStore, 'readStream'>;
type Dependencies = Pick<CommandDependencies, 'store' | 'newEventId' | 'turns' | 'slugSearches'>;
export type WebhookResult = Promise<CommandResult<Webhook>>;

export interface LoadedWebhook {
  readonly state: Webhook;
  readonly revision: Revision;
  /** Of its creation: what was recorded before is not sent. */
  readonly begun: Position;
}

/** The form of the specification: 24 random bytes. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

/** Null if there is none; removed ones are there. */
export async function loadWebhook(store: Reader, id: number): Promise<LoadedWebhook | null> {
  const events = await store.readStream(streamOf('webhook', id));
  const state = fold<Webhook, WebhookFact>(events, evolveWebhook);
  const [first, last] = [events[0], events.at(-1)];
  return state && first && last ? { state, revision: last.revision, begun: first.position } : null;
}

/** All that are not removed, by id. */
export async function allWebhooks(store: Reader): Promise<LoadedWebhook[]> {
  const reservations = await store.readStream(IDS);
  const found = await Promise.all(reservations.map((_, index) => loadWebhook(store, index + 1)));
  return found.filter((one) => one !== null).filter(({ state }) => !state.removed);
}

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
  return handleCommandOnce<Webhook, WebhookFact>(dependencies, context, WEBHOOKS, [IDS], async (unit) => {
    // There is none to be changed.
    if (context.ifRevision !== undefined) return refused({ code: 'precondition_failed' });
    if (!(await isUser(unit.store, settings.user))) return refused(invalidParameter('user'));
    if ((await allWebhooks(unit.store)).length >= MAX_WEBHOOKS) return refused({ code: 'too_many_webhooks' });
    const id = await reserveIdIn(unit, IDS);
    const decision: Decision<WebhookFact> = {
      kind: 'accepted',
      facts: [{ type: 'WebhookCreated', data: { id, ...settings, secret } }],
    };
    return recordDecision(unit, WEBHOOKS, id, decision, 'created');
  });
}

/** Whether there is such a user now. */
async function isUser(store: Reader, id: number): Promise<boolean> {
  const user: UserAccount | null = fold(await store.readStream(streamOfUser(id)), evolveUser);
  return user !== null && !user.erased;
}

/** Rejections: `webhook_not_found`, `precondition_failed`, and `invalid_parameter` for a user who is not there. */
export const changeWebhookOf = (
  dependencies: Dependencies,
  context: CommandContext,
  id: number,
  wanted: Partial<WebhookSettings>,
): WebhookResult =>
  step(dependencies, context, id, async (webhook) => {
    const { user } = wanted;
    if (user !== undefined && !(await isUser(dependencies.store, user)))
      return { kind: 'rejected', rejection: invalidParameter('user') };
    return changeWebhook(webhook, wanted);
  });

export const rotateSecretOf = (
  dependencies: Dependencies,
  context: CommandContext,
  id: number,
  secret: string,
): WebhookResult => step(dependencies, context, id, (webhook) => rotateSecret(webhook, secret, context.now));

export const pauseWebhookOf = (
  dependencies: Dependencies,
  context: CommandContext,
  id: number,
  why: PauseReason,
): WebhookResult => step(dependencies, context, id, (webhook) => pauseWebhook(webhook, why));

export const resumeWebhookOf = (dependencies: Dependencies, context: CommandContext, id: number): WebhookResult =>
  step(dependencies, context, id, resumeWebhook);

export const removeWebhookOf = (dependencies: Dependencies, context: CommandContext, id: number): WebhookResult =>
  step(dependencies, context, id, removeWebhook);

function step(
  dependencies: Dependencies,
  context: CommandContext,
  id: number,
  decide: (webhook: Webhook) => Decision<WebhookFact> | Promise<Decision<WebhookFact>>,
): WebhookResult {
  const stream = streamOf('webhook', id);
  return handleCommand<Webhook, WebhookFact>(dependencies, context, [stream], async (unit) => {
    const { state, revision } = await unit.load(stream, evolveWebhook);
    if (!state || state.removed) return refused({ code: 'webhook_not_found' });
    if (context.ifRevision !== undefined && context.ifRevision !== revision)
      return refused({ code: 'precondition_failed' });
    return recordDecision(unit, WEBHOOKS, id, await decide(state));
  });
}
