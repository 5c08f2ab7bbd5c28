// What webhooks have to send still, and what was given up, as far as this process sends it.
import type { EpochSeconds } from '../kernel/time/zone.ts';

interface Outstanding {
  readonly webhook: number;
  readonly waiting: readonly { readonly since: EpochSeconds; readonly failed: object | null }[];
  readonly parked: readonly object[];
}

export interface WebhookFinding {
  readonly webhook: number;
  /** Deliveries that have failed and are tried again, or wait behind those. */
  readonly waiting: number;
  readonly parked: number;
  /** How long the oldest of them has waited. */
  readonly seconds: number;
}

export type WebhookWatch = ReturnType<typeof watchWebhooks>;

interface WatchOptions {
  readonly clock: { now(): EpochSeconds };
  /** What receivers would wonder about; null: nothing. */
  readonly doubt: string | null;
  /** Learns of it once, as soon as there is a webhook. */
  readonly log: { warn(fields: object, doubt: string): void };
}

export function watchWebhooks({ clock, doubt, log }: WatchOptions) {
  let present: readonly Outstanding[] = [];
  let hasReported = false;
  return {
    /** Null: another process sends. */
    look(webhooks: readonly Outstanding[] | null) {
      present = webhooks ?? [];
      if (doubt === null || hasReported || present.length === 0) return;
      hasReported = true;
      log.warn({ webhooks: present.length }, doubt);
    },
    /** Findings about the webhooks that have anything outstanding. */
    findings: (): readonly WebhookFinding[] =>
      present
        .map(({ webhook, waiting, parked }) => ({
          webhook,
          waiting: waiting.length,
          parked: parked.length,
          seconds: Math.max(0, ...waiting.map(({ since }) => clock.now() - since)),
        }))
        .filter(({ waiting, parked }) => waiting + parked > 0),
    /** What is wrong with what is sent; null: nothing, or nothing is sent from here. */
    doubt: (): string | null => (present.length > 0 ? doubt : null),
  };
}
