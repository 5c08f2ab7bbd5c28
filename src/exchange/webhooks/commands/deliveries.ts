// The record of what became of deliveries: the dispatcher alone writes it, but for requests to send one again.

import type { CommandContext } from '../../../commands/context.ts';
import { type CommandResult, handleCommand } from '../../../commands/handle-command.ts';
import type { StepDependencies } from '../../../commands/numbered.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { rejected } from '../../../domain/decider.ts';
import { factOf, instantOf, type RecordedEvent, type Revision } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import {
  type Deliveries,
  type DeliveryFact,
  evolveDeliveries,
  NO_DELIVERIES,
  type Place,
} from '../domain/deliveries.ts';
import { loadWebhook } from './webhooks.ts';

export const deliveriesStream = (webhook: number): string => streamOf('deliveries', webhook);

/** Facts of a stream after which its state so far is recorded again. */
export const SUMMARIZE_AFTER = 500;
const PORTION = 100;

export interface LoadedDeliveries {
  readonly state: Deliveries;
  /** The revision of the last fact; -1 without any. */
  readonly revision: Revision;
}

/** Reads back to the last summary, not to the beginning. */
export async function loadDeliveries(store: StreamReader, webhook: number): Promise<LoadedDeliveries> {
  const events: RecordedEvent[] = [];
  for await (const portion of portionsBackwards(store, webhook)) {
    const at = portion.findIndex(({ type }) => type === ('DeliveriesSummarized' satisfies DeliveryFact['type']));
    events.push(...(at < 0 ? portion : portion.slice(0, at + 1)));
    if (at >= 0) break;
  }
  return { state: events.reduceRight(evolved, NO_DELIVERIES), revision: events[0]?.revision ?? -1 };
}

/** The state after a further fact. */
export const evolved = (state: Deliveries, event: RecordedEvent): Deliveries =>
  evolveDeliveries(state, factOf(event), instantOf(event)) ?? NO_DELIVERIES;

/** Newest first. */
export async function* portionsBackwards(
  store: StreamReader,
  webhook: number,
  before?: Revision,
): AsyncGenerator<readonly RecordedEvent[]> {
  const stream = deliveriesStream(webhook);
  for (let from = before === undefined ? undefined : before - 1; from === undefined || from >= 0; ) {
    const options = { direction: 'backwards', limit: PORTION, ...(from !== undefined && { from }) } as const;
    const portion = await store.readStream(stream, options);
    if (portion.length > 0) yield portion;
    const oldest = portion.at(-1);
    if (oldest === undefined || portion.length < PORTION) return;
    from = oldest.revision - 1;
  }
}

/**
 * Asks for a delivery once more: of any event that was sent, dropped or parked, or waits. Rejections: `webhook_not_found`,
 * `delivery_not_found`.
 */
export function sendAgain(
  dependencies: StepDependencies,
  context: CommandContext,
  webhook: number,
  event: string,
): Promise<CommandResult<Deliveries>> {
  const stream = deliveriesStream(webhook);
  return handleCommand(dependencies, context, [stream], async (unit) => {
    const loaded = await loadWebhook(unit.store, webhook);
    if (!loaded) return rejected('webhook_not_found');
    const place = await findPlace(dependencies.store, webhook, event.toLowerCase());
    if (!place) return rejected('delivery_not_found');
    await unit.record(stream, [{ type: 'DeliveryRequested', data: place } satisfies DeliveryFact]);
    return { kind: 'planned', id: webhook, stream, evolve: evolveDeliveries, created: false };
  });
}

async function findPlace(store: StreamReader, webhook: number, event: string): Promise<Place | null> {
  for await (const portion of portionsBackwards(store, webhook))
    for (const recorded of portion) {
      const place = placesIn(factOf(recorded)).find((one) => one.event === event);
      if (place) return { event: place.event, stream: place.stream, revision: place.revision };
    }
  return null;
}

function placesIn(fact: DeliveryFact): readonly Place[] {
  switch (fact.type) {
    case 'DeliveriesConfirmed':
      return [...fact.data.done, ...fact.data.waiting];
    case 'DeliveriesSummarized':
      return [...fact.data.waiting, ...fact.data.parked];
    default:
      return [fact.data];
  }
}
