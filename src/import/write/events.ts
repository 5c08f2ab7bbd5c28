// Brings about events, once everything is there that they refer to.
import {
  changeCalendarEvent,
  createCalendarEvent,
  type EventInput,
  trashCalendarEvent,
} from '../../commands/events.ts';
import { type CalendarEvent, evolveEvent } from '../../domain/calendar-event.ts';
import type { EventWish } from '../import-plan.ts';
import { contextOf, type Present, presentOf, refuse, type Writing } from './writing.ts';

/** Creates an event, or carries changes over to it. */
export async function writeEvent(writing: Writing, wish: EventWish): Promise<void> {
  const { origin } = wish;
  const { commands, granted, ledger } = writing;
  const present = await presentOf(writing, origin.key, evolveEvent);
  if (present) return keepUp(writing, wish, present);
  // What is not there need not go.
  if (wish.fate === 'cancelled') return ledger.count('event', 'skipped');
  if (wish.fate === 'gone') return;
  const id = granted.get(origin.key);
  const input: EventInput = {
    ...wish.input,
    ...relations(writing, wish, null),
    ...(id === undefined ? {} : { id }),
  };
  const result = await createCalendarEvent(commands, contextOf(writing, origin), input);
  if (result.kind === 'rejected') return refuse(writing, 'event', origin, result.rejection);
  if (wish.fate === 'trash') await trashCalendarEvent(commands, contextOf(writing, origin), result.written.id);
  ledger.count('event', result.written.created ? 'created' : 'unchanged');
}

/** Puts an event under its parent, once both are there. */
export async function placeUnderParent(writing: Writing, { origin, parent = null, fate }: EventWish): Promise<void> {
  const { commands, ledger } = writing;
  const present = await presentOf(writing, origin.key, evolveEvent);
  if (!present || (present.state.status === 'trash' && fate !== 'trash')) return;
  const above = parent === null ? null : await presentOf(writing, parent, evolveEvent);
  if (parent !== null && !above) return ledger.note('event', origin, 'the event that it belongs to is not there');
  if (present.state.parent === (above?.id ?? null)) return;
  const change = { parent: above?.id ?? null };
  const result = await changeCalendarEvent(commands, contextOf(writing, origin), present.id, change);
  if (result.kind === 'rejected') refuse(writing, 'event', origin, result.rejection);
}

async function throwAway(writing: Writing, { origin }: EventWish, id: number): Promise<void> {
  const { commands, ledger } = writing;
  const result = await trashCalendarEvent(commands, contextOf(writing, origin), id);
  if (result.kind === 'rejected') return refuse(writing, 'event', origin, result.rejection);
  ledger.count('event', 'changed');
}

async function keepUp(writing: Writing, wish: EventWish, { id, state, revision }: Present<CalendarEvent>) {
  const { origin, input, fate = 'stay' } = wish;
  const { commands, ledger } = writing;
  if (state.status === 'trash') {
    if (input.status !== 'trash' && fate === 'stay')
      ledger.note('event', origin, 'it is in the trash here; it stays there');
    return ledger.count('event', 'unchanged');
  }
  if (fate !== 'stay') return throwAway(writing, wish, id);
  const change = { ...input, ...relations(writing, wish, state) };
  const result = await changeCalendarEvent(commands, contextOf(writing, origin), id, change);
  if (result.kind === 'rejected') return refuse(writing, 'event', origin, result.rejection);
  ledger.count('event', result.written.revision > revision ? 'changed' : 'unchanged');
}

function relations(writing: Writing, wish: EventWish, event: CalendarEvent | null): EventInput {
  const { categories, tags, venues, organizers, merging } = wish;
  // A list of one topic knows nothing of the others that the event was found in.
  const kept = merging === 'union' ? (event?.categories ?? []) : [];
  return {
    ...(categories && {
      categories: [...kept.map((id) => ({ id })), ...referred(writing, wish, 'category', categories)],
    }),
    ...(tags && { tags: referred(writing, wish, 'tag', tags) }),
    ...(venues && { venues: referred(writing, wish, 'venue', venues) }),
    ...(organizers && { organizers: referred(writing, wish, 'organizer', organizers) }),
  };
}

function referred({ ids, ledger }: Writing, { origin }: EventWish, kind: string, keys: readonly string[]) {
  return keys.flatMap((key) => {
    const id = ids.get(key);
    if (id === undefined) ledger.note('event', origin, `taken without a ${kind}, which could not be taken`);
    return id === undefined ? [] : [{ id }];
  });
}
