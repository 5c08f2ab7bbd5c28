// What becomes of events that a source has no more, and of those that come back.
import { changeCalendarEvent, trashCalendarEvent } from '../../commands/events.ts';
import { earlierAnswer } from '../../commands/handle-command.ts';
import { loadEvent } from '../../commands/references.ts';
import { revertCalendarEvent } from '../../commands/reverts/revert.ts';
import { changeRepeatingEvent, trashRepeatingEvent } from '../../commands/series/change.ts';
import type { Missing, SourceItem } from '../../domain/sources/items.ts';
import type { OnMissing } from '../../domain/sources/source.ts';
import { EVENT_PREFIX } from '../../event-store/occurrences.ts';
import { contextOf, IMPORTER, type Writing } from '../write/writing.ts';
import type { ChangedEvent } from './compare.ts';

/** The event that an item became; null if it became none. */
export async function eventOfItem({ commands: { store } }: Writing, item: SourceItem): Promise<number | null> {
  if (item.event !== undefined) return item.event;
  const earlier = await earlierAnswer(store, IMPORTER, item.key);
  return earlier?.stream.startsWith(EVENT_PREFIX) ? earlier.id : null;
}

const FATES: { readonly [Way in OnMissing]: Missing } = { bin: 'binned', cancel: 'canceled', leave: 'left' };

/** Bins, cancels or leaves it. What editors have put into the trash is there already. */
export async function dealWithMissing(
  writing: Writing,
  item: SourceItem,
  { onMissing, host }: { readonly onMissing: OnMissing; readonly host: string },
): Promise<SourceItem> {
  const noted = { ...item, missing: FATES[onMissing] };
  const { commands } = writing;
  const id = onMissing === 'leave' ? null : await eventOfItem(writing, item);
  const event = id === null ? null : await loadEvent(commands.store, id);
  if (id === null || !event || event.status === 'trash') return noted;
  const context = { ...missingContext(writing, item, host), reason: `no longer at ${host}` };
  if (onMissing === 'bin') {
    await (event.series
      ? trashRepeatingEvent(commands, context, id, 'all')
      : trashCalendarEvent(commands, context, id));
    return noted;
  }
  const input = { eventStatus: 'canceled' } as const;
  await (event.series
    ? changeRepeatingEvent(commands, context, id, 'all', { input })
    : changeCalendarEvent(commands, context, id, input));
  return noted;
}

const missingContext = (writing: Writing, { key }: SourceItem, host: string) => ({
  ...contextOf(writing, { source: host, key, name: '', place: { file: host, index: null } }),
  idempotencyKey: undefined,
});

/** What was taken away because it had disappeared is there again, as it was. */
export async function bringBack(writing: Writing, { planned, item, known }: ChangedEvent): Promise<ChangedEvent> {
  const { commands } = writing;
  const id = known?.missing === undefined || known.missing === 'left' ? null : await eventOfItem(writing, item);
  if (id === null) return { planned, item, known };
  if (known?.missing === 'canceled') {
    const unchanged = new Set(planned.unchanged);
    unchanged.delete('eventStatus');
    return {
      ...{ item, known },
      planned: { ...planned, unchanged, input: { eventStatus: 'scheduled', ...planned.input } },
    };
  }
  const events = await commands.store.readStream(`${EVENT_PREFIX}${id}`);
  const last = events.at(-1);
  const context = { ...contextOf(writing, planned.origin), idempotencyKey: undefined };
  if (last?.type === 'EventTrashed') await revertCalendarEvent(commands, context, id, last.revision - 1);
  return { planned, item, known };
}
