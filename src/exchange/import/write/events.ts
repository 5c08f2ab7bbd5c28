// Writes events, once their references exist.
import {
  changeCalendarEvent,
  createCalendarEvent,
  trashCalendarEvent,
} from '../../../calendar/event/commands/events.ts';
import {
  type CalendarEvent,
  type EventFact,
  type EventInput,
  evolveEvent,
} from '../../../calendar/event/domain/calendar-event.ts';
import type { PostStatus } from '../../../calendar/resource/domain/post.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { factOf, instantOf, type RecordedEvent } from '../../../log/envelope.ts';
import { NOTHING_SAID } from '../../sources/compare.ts';
import { changedOf, type PlannedEvent } from '../import-plan.ts';
import { isWithheld } from '../publication.ts';
import { bringOut, isOlderVersion, presentEvent, replaceOtherKinds } from './replaced.ts';
import {
  authorOf,
  contextOf,
  isImported,
  presentOf,
  refuse,
  type Target,
  tellOthers,
  type Writing,
} from './writing.ts';

/** Creates an event, or applies changes to it. */
export async function writeEvent(writing: Writing, source: PlannedEvent): Promise<void> {
  let planned = source;
  const { origin } = planned;
  const { commands, grantedIds, summary } = writing;
  if (await isOlderVersion(writing, planned)) return;
  let present = await presentEvent(writing, planned);
  if (planned.disposition !== 'gone') await replaceOtherKinds(writing, planned);
  if (present?.state.status === 'trash' && (await bringOut(writing, origin, present.id))) {
    present = await presentEvent(writing, planned);
    // What the record said when it was that for the last time has been said by nothing since.
    const { categories = [], tags = [], venues = [], organizers = [] } = planned;
    const linked = { categories, tags, venues, organizers };
    planned = { ...planned, ...linked, input: { ...NOTHING_SAID, ...planned.input } };
  }
  if (present) {
    const outcome = await keepUp(writing, planned, present);
    return outcome === null ? undefined : summary.count('event', origin, outcome, present.id);
  }
  // A missing resource need not be removed.
  if (planned.disposition === 'gone') return;
  await tellOthers(writing, 'event', origin);
  const id = grantedIds.get(origin.key);
  const input = { ...newInputOf(writing, planned), ...(id === undefined ? {} : { id }) };
  const result = await createCalendarEvent(commands, contextOf(writing, origin), input);
  if (result.kind === 'rejected') return refuse(writing, 'event', origin, result.rejection);
  if (planned.disposition === 'trash')
    await trashCalendarEvent(commands, contextOf(writing, origin), result.written.id);
  summary.count('event', origin, result.written.created ? 'created' : 'unchanged');
}

/** What a new event is created with. */
export function newInputOf(writing: Writing, planned: PlannedEvent): EventInput {
  const status = writing.startedBy?.status ?? null;
  return {
    ...authorOf(writing),
    ...planned.input,
    ...(status === null || isWithheld(planned.input.status) ? {} : { status }),
    ...relations(writing, planned, null),
  };
}

/** Sets the parent of an event, once both exist. */
export async function placeUnderParent(
  writing: Writing,
  { origin, parent = null, disposition }: PlannedEvent,
): Promise<void> {
  const { commands, summary } = writing;
  const present = await presentOf(writing, origin, evolveEvent);
  if (!present || (present.state.status === 'trash' && disposition !== 'trash')) return;
  const above = parent === null ? null : await presentOf(writing, { ...origin, key: parent }, evolveEvent);
  if (parent !== null && !above) return summary.note('event', origin, 'the event that it belongs to is not there');
  if (present.state.parent === (above?.id ?? null)) return;
  const change = { parent: above?.id ?? null };
  const result = await changeCalendarEvent(commands, contextOf(writing, origin), present.id, change);
  if (result.kind === 'rejected') refuse(writing, 'event', origin, result.rejection);
}

async function throwAway(writing: Writing, { origin }: PlannedEvent, id: number): Promise<'changed' | null> {
  const result = await trashCalendarEvent(writing.commands, contextOf(writing, origin), id);
  if (result.kind === 'written') return 'changed';
  refuse(writing, 'event', origin, result.rejection);
  return null;
}

/** Applies changes to an event that an earlier run created; null if they are refused. */
export async function keepUp(
  writing: Writing,
  planned: PlannedEvent,
  { id, state, revision }: Target<CalendarEvent>,
): Promise<'changed' | 'unchanged' | null> {
  const { origin, input, disposition = 'stay' } = planned;
  const { commands, summary } = writing;
  if (state.status === 'trash') {
    if (input.status !== 'trash' && disposition === 'stay')
      summary.note('event', origin, 'it is in the trash here; it stays there');
    return 'unchanged';
  }
  if (disposition !== 'stay') return throwAway(writing, planned, id);
  const { status: _, ...content } = input;
  const newInput = { ...content, ...(await followedStatus(writing, planned, { id, state })) };
  const change = changedOf({ ...newInput, ...relations(writing, planned, state) }, planned.unchanged);
  const result = await changeCalendarEvent(commands, contextOf(writing, origin), id, change);
  if (result.kind === 'written') return result.written.revision > revision ? 'changed' : 'unchanged';
  refuse(writing, 'event', origin, result.rejection);
  return null;
}

/**
 * What becomes of the status of an event that is there. The status of new events is not that of events which editors may have
 * published since: but what was a draft by its record alone becomes what new events become, once that does not call it so.
 */
export async function followedStatus(
  { startedBy, commands: { store } }: Writing,
  { input: { status }, wasDraft }: PlannedEvent,
  { id, state }: Pick<Target<CalendarEvent>, 'id' | 'state'>,
): Promise<Pick<EventInput, 'status'>> {
  const choice = startedBy?.status ?? null;
  if (isWithheld(status) || (choice === null && !wasDraft)) return status === undefined ? {} : { status };
  if (!wasDraft || state.status !== 'draft') return {};
  const decisions: { readonly by: RecordedEvent; readonly status: PostStatus | undefined }[] = [];
  let event: CalendarEvent | null = null;
  for (const by of await store.readStream(streamOf('event', id))) {
    event = evolveEvent(event, factOf<EventFact>(by), instantOf(by));
    if (event?.status !== decisions.at(-1)?.status) decisions.push({ by, status: event?.status });
  }
  return isImported(decisions.at(-1)?.by) ? { status: choice ?? status ?? 'publish' } : {};
}

export function relations(writing: Writing, planned: PlannedEvent, event: CalendarEvent | null): EventInput {
  const { categories, tags, venues, organizers, merging } = planned;
  // A list of one topic does not know the other topics of the event.
  const otherTopics = merging === 'union' ? (event?.categories ?? []) : [];
  return {
    ...(categories && {
      categories: [...otherTopics.map((id) => ({ id })), ...referred(writing, planned, 'category', categories)],
    }),
    ...(tags && { tags: referred(writing, planned, 'tag', tags) }),
    ...(venues && { venues: referred(writing, planned, 'venue', venues) }),
    ...(organizers && { organizers: referred(writing, planned, 'organizer', organizers) }),
  };
}

function referred({ ids, summary }: Writing, { origin }: PlannedEvent, kind: string, keys: readonly string[]) {
  return keys.flatMap((key) => {
    const id = ids.get(key);
    if (id === undefined) summary.note('event', origin, `taken without a ${kind}, which could not be taken`);
    return id === undefined ? [] : [{ id }];
  });
}
