// What becomes of events that a source has no more, and of those that come back.
import { changeCalendarEvent, trashCalendarEvent } from '../../calendar/event/commands/events.ts';
import { loadEvent } from '../../calendar/resource/commands/references.ts';
import { changeRepeatingEvent, trashRepeatingEvent } from '../../editorial/series/commands/change.ts';
import { EVENT_PREFIX } from '../../editorial/series/facts/occurrences.ts';
import { bringOut, GONE, seriesOf } from '../import/write/replaced.ts';
import { answersTo, contextOf, type Writing } from '../import/write/writing.ts';
import type { ChangedEvent } from './compare.ts';
import type { Missing, SourceItem } from './domain/items.ts';
import type { OnMissing } from './domain/source.ts';

/** The event that an item became; null if it became none. */
export async function eventOfItem(writing: Writing, item: SourceItem): Promise<number | null> {
  if (item.event !== undefined) return item.event;
  const { own, unowned } = await answersTo(writing, item);
  const answer = own ?? unowned;
  return answer?.stream.startsWith(EVENT_PREFIX) ? answer.id : null;
}

const FATES: { readonly [Way in OnMissing]: Missing } = { bin: 'binned', cancel: 'canceled', leave: 'left' };

/** Bins, cancels or leaves it. What editors have put into the trash is there already, and not brought back. */
export async function dealWithMissing(
  writing: Writing,
  item: SourceItem,
  { onMissing, host }: { readonly onMissing: OnMissing; readonly host: string },
): Promise<SourceItem> {
  if (onMissing === 'leave') return { ...item, missing: 'left' };
  const { commands } = writing;
  const known = await eventOfItem(writing, item);
  // A record of one date may be all that is left of a series, which has a record of its own.
  const whole = known === null || item.members.repeating === undefined ? null : await seriesOf(writing, known);
  const id = whole?.id ?? known;
  const event = id === null ? null : await loadEvent(commands.store, id);
  if (id === null || !event || event.status === 'trash') return { ...item, missing: 'binned' };
  const context = { ...missingContext(writing, item, host), reason: `${GONE}${host}` };
  const input = { eventStatus: 'canceled' } as const;
  const result =
    onMissing === 'bin'
      ? await (whole ? trashRepeatingEvent(commands, context, id, 'all') : trashCalendarEvent(commands, context, id))
      : await (whole
          ? changeRepeatingEvent(commands, context, id, 'all', { input })
          : changeCalendarEvent(commands, context, id, input));
  // Refused: the next poll that compares finds it missing again.
  return result.kind === 'rejected' ? item : { ...item, missing: FATES[onMissing] };
}

const missingContext = (writing: Writing, { key }: SourceItem, host: string) => ({
  ...contextOf(writing, { source: host, key, name: '', place: { file: host, index: null } }),
  idempotencyKey: undefined,
});

/** What was taken away because it had disappeared is there again, as it was. */
export async function bringBack(writing: Writing, { planned, item, known }: ChangedEvent): Promise<ChangedEvent> {
  const id = known?.missing === undefined || known.missing === 'left' ? null : await eventOfItem(writing, item);
  if (id === null) return { planned, item, known };
  if (known?.missing === 'canceled') {
    const unchanged = new Set(planned.unchanged);
    unchanged.delete('eventStatus');
    return {
      item,
      known,
      planned: { ...planned, unchanged, input: { eventStatus: 'scheduled', ...planned.input } },
    };
  }
  await bringOut(writing, planned.origin, id);
  return { planned, item, known };
}
