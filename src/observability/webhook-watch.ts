// What webhooks have to send still, and what was given up, as far as this process sends it.
import type { EpochSeconds } from '../time/zone.ts';

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

export interface WebhookWatch {
  /** Null: another process sends. */
  look(seen: readonly Outstanding[] | null): void;
  /** Of those that have anything outstanding. */
  found(): readonly WebhookFinding[];
}

export function watchWebhooks({ now }: { now(): EpochSeconds }): WebhookWatch {
  let present: readonly Outstanding[] = [];
  return {
    look(seen) {
      present = seen ?? [];
    },
    found: () =>
      present
        .map(({ webhook, waiting, parked }) => ({
          ...{ webhook, waiting: waiting.length, parked: parked.length },
          seconds: Math.max(0, ...waiting.map(({ since }) => now() - since)),
        }))
        .filter(({ waiting, parked }) => waiting + parked > 0),
  };
}
