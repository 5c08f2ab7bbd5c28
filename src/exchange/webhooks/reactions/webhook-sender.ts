// Sends one delivery, signed as Standard Webhooks says: https://github.com/standard-webhooks/standard-webhooks.
import { Webhook as Signer } from 'standardwebhooks';
import { fetchOutside, type PrivateHosts, PrivateNetwork } from '../../../kernel/outbound/fetch-outside.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { Traceparent, Tracing } from '../../../observability/tracing.ts';
import type { DeliveryFailure } from '../domain/deliveries.ts';
import { signingSecrets, type Webhook } from '../domain/webhook.ts';

export interface Delivery {
  /** The id of the event: the same on every attempt. */
  readonly id: string;
  readonly url: string;
  /** One signature for each, in this order. */
  readonly secrets: readonly string[];
  /** JSON. */
  readonly body: string;
  /** The trace of the request that the change follows from, where requests are traced. */
  readonly cause?: Traceparent;
}

/** To try out: of no event. `id` is its own. */
export function testDelivery(
  webhook: Webhook,
  { id, now }: { readonly id: string; readonly now: EpochSeconds },
): Delivery {
  const timestamp = instantText(now);
  const body = JSON.stringify({ type: 'webhook.test', timestamp, data: { webhook: webhook.id } });
  return { id, url: webhook.url, secrets: signingSecrets(webhook, now), body };
}

export interface DeliveryResult {
  /** Null: delivered. */
  readonly failure: DeliveryFailure | null;
  /** The status of the receiver's answer; null if there was none. */
  readonly status: number | null;
  /** What the receiver asks for, in seconds; 0 if it does not. */
  readonly retryAfter: number;
}

/** Never rejects but with the reason of the signal. */
export type Send = (delivery: Delivery, ending: AbortSignal) => Promise<DeliveryResult>;

interface SenderOptions {
  readonly privateHosts: PrivateHosts;
  readonly clock: { now(): EpochSeconds };
  /** Absent: deliveries are not traced. */
  readonly tracing?: Tracing;
  /** For everything from the name to the answer, in milliseconds. */
  readonly timeoutMs?: number;
}

const USER_AGENT = 'Daybook';
const TIMEOUT_MS = 15_000;

export function openSender({ privateHosts, clock, tracing, timeoutMs = TIMEOUT_MS }: SenderOptions): Send {
  return async (delivery, ending) => {
    const span = tracing?.asking('webhook', delivery.cause);
    const result = await deliver(delivery, span?.traceparent, ending);
    span?.end({ 'http.response.status_code': result.status ?? 0, 'webhook.id': delivery.id }, result.failure);
    return result;
  };

  async function deliver({ id, url, secrets, body }: Delivery, traceparent: Traceparent, ending: AbortSignal) {
    const now = clock.now();
    const sentAt = new Date(now * 1000);
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': String(now),
      'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, sentAt, body)).join(' '),
      ...(traceparent !== undefined && { traceparent }),
    };
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([ending, timeout]);
    try {
      const answer = await fetchOutside(url, { method: 'POST', headers, body, signal }, privateHosts);
      // Its status says everything: what else it says is neither read nor kept.
      await answer.body?.cancel();
      return outcomeOf(answer, now);
    } catch (error) {
      if (ending.aborted) throw ending.reason;
      if (timeout.aborted) return failed('timeout');
      return failed(error instanceof PrivateNetwork ? 'private_network' : 'connection');
    }
  }
}

const failed = (failure: DeliveryFailure): DeliveryResult => ({ failure, status: null, retryAfter: 0 });

/** Statuses with which a receiver may ask for a pause. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

function outcomeOf({ status, headers }: Response, now: EpochSeconds): DeliveryResult {
  const retryAfter = BUSY.has(status) ? secondsIn(headers.get('retry-after'), now) : 0;
  if (status >= 200 && status < 300) return { failure: null, status, retryAfter };
  return { failure: status >= 300 && status < 400 ? 'redirect' : 'status', status, retryAfter };
}

/** `Retry-After`: seconds, or a date. */
function secondsIn(text: string | null, now: EpochSeconds): number {
  if (text === null) return 0;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, Math.ceil(at / 1000) - now);
}
