// Sends changes to the subscriptions of webhooks. One process does, by a lease where processes share a read model; the log
// accepts what became of deliveries from one of them only, so a second one would notice and step back.
// decision 25
import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '../../../log/envelope.ts';
import type { WebhookWatch } from '../../../observability/webhook-watch.ts';
import { isBadMoment, repeat } from '../../../reactions/repeat.ts';
import type { Lease } from '../../../read-model/generations.ts';
import { allWebhooks, type LoadedWebhook, loadWebhook } from '../commands/webhooks.ts';
import type { Webhook } from '../domain/webhook.ts';
import { type Ending, type Line, type LineOptions, openLine, TakenOver } from './webhook-line.ts';

export interface DispatcherOptions extends Omit<LineOptions, 'progressed'> {
  /** Null: only this process answers for the calendar. */
  readonly lease: Lease | null;
  readonly watch: Pick<WebhookWatch, 'look'>;
}

/** Between two looks at the end of the log and at the clock. */
const LOOK_AFTER_MS = 250;
/** While something is being sent. */
const BUSY_LOOK_AFTER_MS = 5;
const HEAD_AFTER_MS = 100;
/** Well below the expiry of the lease. */
const HOLD_AFTER_MS = 500;
/** After a failure of ours, and after another process has been at work. */
const AGAIN_AFTER_MS = 2_000;
const STEP_BACK_MS = 10_000;
/** For deliveries under way when the process ends; what is not accepted by then is sent again. Shorter than requests have. */
const ENDING_MS = 5_000;
const WEBHOOK = 'webhook-';
const DELIVERIES = 'deliveries-';
const PORTION = 500;

interface Served {
  readonly line: Line;
  isAsked: boolean;
}

/** What asks the application for what it sends. */
export interface Dispatcher {
  /** Deliveries under way may end, for a few seconds. Neither promise rejects. */
  stop(): Ending;
}

export function startWebhookDispatcher(options: DispatcherOptions): Dispatcher {
  const { store, lease, log, watch, elapsed } = options;
  const webhooks = new Map<number, LoadedWebhook>();
  const served = new Map<number, Served>();
  /** By `elapsed`, of subscriptions that are left alone for a while. */
  const notBefore = new Map<number, number>();
  /** Everything up to here is known of subscriptions. */
  let checkpoint: Position | null = null;
  /** Aborted once a delivery has ended. */
  let progress = new AbortController();
  const lineOptions: LineOptions = {
    ...options,
    progressed: () => progress.abort(),
  };

  function end(id: number, graceMs: number): Ending {
    const entry = served.get(id);
    served.delete(id);
    const { quiet, ended } = entry?.line.stop(graceMs) ?? NOTHING;
    const isExpected = (error: unknown): boolean => isBadMoment(error) || error instanceof TakenOver;
    const recorded = ended.catch((error: unknown) => {
      if (!isExpected(error)) throw error;
    });
    return { quiet, ended: recorded };
  }

  const endNow = (id: number): Promise<void> => end(id, 0).ended;

  async function endAll(): Promise<void> {
    await Promise.all([...served.keys()].map(endNow));
    forget();
  }

  function forget(): void {
    checkpoint = null;
    watch.look(null);
  }

  /** The lease is held until all is recorded: another process would send the same. Never rejects. */
  async function endWithin(graceMs: number, onQuiet: () => void): Promise<void> {
    const holding = served.size === 0 ? null : repeat({ pauseMs: HOLD_AFTER_MS, look: hold, failed() {} });
    const endings = [...served.keys()].map((id) => ({ id, ...end(id, graceMs) }));
    const recorded = endings.map(({ id, ended }) =>
      ended.catch((error: unknown) => log.error({ err: error, webhook: id }, 'recording deliveries failed')),
    );
    await Promise.all(endings.map((one) => one.quiet));
    onQuiet();
    await Promise.all(recorded);
    await holding?.stop();
    await lease?.release().catch(() => {});
    forget();
  }

  const hold = async (): Promise<void> => void (await lease?.hold());

  /** Learns what has changed about subscriptions since. */
  async function learn(head: Position): Promise<void> {
    if (checkpoint === head) return;
    if (checkpoint === null) {
      webhooks.clear();
      for (const one of await allWebhooks(store)) webhooks.set(one.state.id, one);
    } else for (const [id, what] of await changedSince(checkpoint)) await learnOf(id, what);
    checkpoint = head;
  }

  async function changedSince(after: Position): Promise<Map<number, Set<string>>> {
    const changed = new Map<number, Set<string>>();
    for (let at = after; ; ) {
      const events = await store.readAll({ after: at, prefixes: [WEBHOOK, DELIVERIES], limit: PORTION });
      for (const { stream } of events) {
        const prefix = stream.startsWith(WEBHOOK) ? WEBHOOK : DELIVERIES;
        const id = Number(stream.slice(prefix.length));
        if (Number.isSafeInteger(id)) changed.set(id, new Set([...(changed.get(id) ?? []), prefix]));
      }
      const last = events.at(-1);
      if (last === undefined || events.length < PORTION) return changed;
      at = last.position;
    }
  }

  async function learnOf(id: number, what: ReadonlySet<string>): Promise<void> {
    const at = served.get(id);
    if (at && what.has(DELIVERIES)) at.isAsked = true;
    if (!what.has(WEBHOOK)) return;
    // It may have been resumed already.
    if (at?.line.hasPaused()) await endNow(id);
    const webhook = await loadWebhook(store, id);
    if (webhook) webhooks.set(id, webhook);
    else webhooks.delete(id);
  }

  async function serve(head: Position): Promise<void> {
    const active = new Map([...webhooks].filter(([, { state }]) => state.paused === null));
    for (const id of served.keys()) if (!active.has(id)) await endNow(id);
    await Promise.all([...active].map(([id, webhook]) => serveOne(id, webhook, head)));
  }

  async function serveOne(id: number, webhook: LoadedWebhook, head: Position): Promise<void> {
    if (elapsed() < (notBefore.get(id) ?? 0)) return;
    try {
      const one = served.get(id) ?? { line: await openLine(webhook, lineOptions), isAsked: false };
      served.set(id, one);
      const { isAsked } = one;
      one.isAsked = false;
      await one.line.look(webhook.state, { head, isAsked });
    } catch (error) {
      notBefore.set(id, elapsed() + (error instanceof TakenOver ? STEP_BACK_MS : AGAIN_AFTER_MS));
      if (isBadMoment(error)) return;
      report(webhook.state, error);
      await endNow(id);
    }
  }

  function report({ id }: Webhook, error: unknown): void {
    if (error instanceof TakenOver) log.info({ webhook: id }, 'webhook taken over by another process');
    else log.error({ err: error, webhook: id }, 'sending the changes of a webhook failed; retrying');
  }

  const leads = every(HOLD_AFTER_MS, async () => lease === null || lease.hold().catch(() => false));
  const head = every(HEAD_AFTER_MS, () => store.head());

  /** Asks once in a while, and repeats the answer in between. */
  function every<Answer>(milliseconds: number, ask: () => Promise<Answer>): () => Promise<Answer> {
    let last: { readonly answer: Answer; readonly at: number } | null = null;
    return async () => {
      if (last === null || elapsed() - last.at >= milliseconds) last = { at: elapsed(), answer: await ask() };
      return last.answer;
    };
  }

  const reaction = repeat({
    pauseMs: BUSY_LOOK_AFTER_MS,
    async look(ending) {
      try {
        if (!(await leads())) return await endAll();
        const end = await head();
        await learn(end);
        await serve(end);
        watch.look([...served].map(([id, { line }]) => ({ webhook: id, ...line.outstanding() })));
      } finally {
        await idle(ending);
      }
    },
    failed: (error) => log.error({ err: error }, 'sending webhooks failed; retrying'),
  });

  /** Waits until it is time to look again, or something was sent. */
  async function idle(ending: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([ending, progress.signal]);
    await sleep(LOOK_AFTER_MS, undefined, { signal }).catch(() => {});
    if (progress.signal.aborted) progress = new AbortController();
  }

  return {
    stop() {
      const quiet = Promise.withResolvers<void>();
      return { quiet: quiet.promise, ended: reaction.stop().then(() => endWithin(ENDING_MS, quiet.resolve)) };
    },
  };
}

const NOTHING: Ending = { quiet: Promise.resolve(), ended: Promise.resolve() };
