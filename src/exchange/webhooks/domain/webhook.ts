// A subscription to changes: where they are sent to, which of them, in whose name, and the secret that signs them. Its streams
// are called `webhook-<id>`; what became of single deliveries is in deliveries.ts.

import { accepted, type Decision, type Evolve, type Fact, UnexpectedFact } from '../../../domain/decider.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';

/** Which changes are sent, as the feed of changes selects them; what is absent selects all. */
export interface WebhookFilters {
  /** Kinds of resources and types of changes. */
  readonly types?: readonly string[];
  /** Ids of users who made them. */
  readonly actors?: readonly number[];
  /** The roles that those had. */
  readonly roles?: readonly string[];
  readonly fields?: readonly string[];
  /** Part of the reason. */
  readonly reason?: string;
}

/** `gone`: the receiver answered that it exists no more. `no_user`: the user whose rights count was removed. */
export const PAUSE_REASONS = ['asked', 'gone', 'no_user'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

export interface Webhook {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  /** The user whose rights decide what is sent. */
  readonly user: number;
  readonly filters: WebhookFilters;
  readonly secret: string;
  /** The secret before the last rotation; it signs, too, until then. */
  readonly former: { readonly secret: string; readonly until: EpochSeconds } | null;
  /** Null while changes are sent. */
  readonly paused: PauseReason | null;
  readonly created: EpochSeconds;
  /** When it was resumed last, or got another address: what had failed before is tried again at once. */
  readonly renewed: EpochSeconds;
  readonly removed: boolean;
}

/** What users decide about a subscription. */
export type WebhookSettings = Pick<Webhook, 'name' | 'url' | 'user' | 'filters'>;

export type WebhookFact =
  | Fact<'WebhookCreated', WebhookSettings & Pick<Webhook, 'id' | 'secret'>>
  | Fact<'WebhookChanged', Partial<WebhookSettings>>
  | Fact<'WebhookSecretRotated', { readonly secret: string; readonly formerUntil: EpochSeconds }>
  | Fact<'WebhookPaused', { readonly why: PauseReason }>
  | Fact<'WebhookResumed', Record<never, never>>
  | Fact<'WebhookRemoved', Record<never, never>>;

/** How long the secret before a rotation still signs, in seconds: receivers have a day to take over the new one. */
const FORMER_SECRET_SECONDS = 86_400;

export function changeWebhook(webhook: Webhook, changes: Partial<WebhookSettings>): Decision<WebhookFact> {
  const entries = Object.entries(changes).filter(
    // Changes have the names of settings.
    ([name, value]) => !isSame(webhook[name as keyof WebhookSettings], value),
  );
  return accepted(entries.length === 0 ? [] : [{ type: 'WebhookChanged', data: Object.fromEntries(entries) }]);
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const rotateSecret = (secret: string, now: EpochSeconds): Decision<WebhookFact> =>
  accepted([{ type: 'WebhookSecretRotated', data: { secret, formerUntil: now + FORMER_SECRET_SECONDS } }]);

/** One that is paused already stays as it is, and why. */
export const pauseWebhook =
  (why: PauseReason) =>
  ({ paused }: Webhook): Decision<WebhookFact> =>
    accepted(paused ? [] : [{ type: 'WebhookPaused', data: { why } }]);

export const resumeWebhook = ({ paused }: Webhook): Decision<WebhookFact> =>
  accepted(paused ? [{ type: 'WebhookResumed', data: {} }] : []);

/** The secrets that sign at an instant, the present one first. */
export const signingSecrets = ({ secret, former }: Webhook, now: EpochSeconds): readonly string[] =>
  former && now < former.until ? [secret, former.secret] : [secret];

export const evolveWebhook: Evolve<Webhook, WebhookFact> = (webhook, fact, at) => {
  if (fact.type === 'WebhookCreated')
    return { ...fact.data, former: null, paused: null, created: at, renewed: at, removed: false };
  if (!webhook) throw new UnexpectedFact(fact);
  switch (fact.type) {
    case 'WebhookChanged':
      return { ...webhook, ...fact.data, ...(fact.data.url !== undefined && { renewed: at }) };
    case 'WebhookSecretRotated': {
      const { secret, formerUntil } = fact.data;
      return { ...webhook, secret, former: { secret: webhook.secret, until: formerUntil } };
    }
    case 'WebhookPaused':
      return { ...webhook, paused: fact.data.why };
    case 'WebhookResumed':
      return { ...webhook, paused: null, renewed: at };
    case 'WebhookRemoved':
      return { ...webhook, removed: true };
    default:
      throw new UnexpectedFact(fact); // The log may hold what today's code does not know.
  }
};
