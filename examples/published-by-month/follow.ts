import type { CalendarEvent } from '../../src/calendar/event/domain/calendar-event.ts';
import type { RecordedEvent } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { readControl } from '../../src/read-model/projector/control.ts';
import type { Batch, MonthFile } from './month-file.ts';
import { fold, PREFIX } from './months.ts';

const BATCH = 500;

/** Applies everything up to the present end of the log. Rejections: those of the store, and of `fold`. */
export async function catchUp(store: EventStore, view: MonthFile): Promise<void> {
  const { skips } = await readControl(store);
  for (;;) {
    const after = view.checkpoint();
    const events = await store.readAll({ after, prefixes: [PREFIX], limit: BATCH });
    const last = events.at(-1);
    if (!last) return;
    const applied = events.filter(({ position }) => !skips.has(position));
    view.apply({ after, upTo: last.position, states: folded(applied, view) });
  }
}

/** Catches up, then again after every change of the log, until the signal. */
export async function follow(store: EventStore, view: MonthFile, signal: AbortSignal): Promise<void> {
  await catchUp(store, view);
  const subscription = { after: view.checkpoint(), prefixes: [PREFIX], batchSize: BATCH, signal };
  for await (const _news of store.subscribe(subscription)) await catchUp(store, view);
}

function folded(events: readonly RecordedEvent[], view: MonthFile): Batch['states'] {
  const states = new Map<string, CalendarEvent>();
  for (const event of events) {
    const state = fold(states.get(event.stream) ?? view.state(event.stream), event);
    if (state) states.set(event.stream, state);
  }
  return states;
}
