// Fills an empty calendar with the sample.
import { changeCalendarEvent, trashCalendarEvent } from '../../../calendar/event/commands/events.ts';
import { evolveEvent } from '../../../calendar/event/domain/calendar-event.ts';
import { POST_STATUSES } from '../../../calendar/resource/domain/post.ts';
import type { TermKind } from '../../../calendar/term/domain/term.ts';
import type { CommandContext } from '../../../commands/context.ts';
import { present } from '../../../domain/present.ts';
import { ALL_EVENTS } from '../../../editorial/series/facts/occurrences.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY, weekdayOf } from '../../../kernel/time/civil-time.ts';
import { type EpochSeconds, toWallClock, type Zone } from '../../../kernel/time/zone.ts';
import { LOG_START } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import {
  type Origin,
  type PlannedEvent,
  type PlannedPost,
  type PlannedTerm,
  postNamed,
  termNamed,
} from '../import-plan.ts';
import { openImportSummary } from '../import-summary.ts';
import { type Progress, SILENT } from '../progress.ts';
import { writeAll } from '../run.ts';
import { openCachingStore } from '../write/caching-store.ts';
import { IMPORTER, type ImportCommands, presentOf, type Writing } from '../write/writing.ts';
import town from './town.json' with { type: 'json' };

/** The sample begins this many weeks before today: some of it is over, most is to come. */
export const WEEKS_BEFORE = 10;

export const SAMPLE = { weeks: 36 } as const;

interface Filling {
  readonly store: EventStore;
  readonly commandsOn: (store: EventStore) => ImportCommands;
  readonly now: EpochSeconds;
  /** All of it is one request: it can be reverted as one. */
  readonly correlationId: string;
  readonly progress?: Progress;
}

interface Sample {
  readonly weeks: number;
  /** Default: the Monday `WEEKS_BEFORE` weeks ago. */
  readonly firstDay?: string | undefined;
}

/** Fills a calendar that holds nothing yet: see `holdsCalendar`. */
export async function fillWithSample(
  { store, commandsOn, now, correlationId, progress = SILENT }: Filling,
  { weeks, firstDay }: Sample,
) {
  const commands = commandsOn(openCachingStore(store));
  const from = firstDay ?? mondayBefore(now, commands.siteZone);
  const calendar = demoCalendar({ weeks, firstDay: from });
  const summary = openImportSummary();
  const writing: Writing = { commands, summary, now, correlationId, ids: new Map(), grantedIds: new Map() };
  await writeAll(writing, calendar.plan, progress);
  await placeParts(writing, calendar);
  for (const change of town.changes) await carryOut(writing, change, from);
  return { summary, plan: calendar.plan, firstDay: from };
}

export async function holdsCalendar(store: Pick<EventStore, 'readAll'>): Promise<boolean> {
  const prefixes = [...ALL_EVENTS, 'venue-', 'organizer-', 'category-', 'tag-'];
  return (await store.readAll({ after: LOG_START, prefixes, limit: 1 })).length > 0;
}

function mondayBefore(now: EpochSeconds, siteZone: Zone): string {
  const today = parseCivil(`${toWallClock(now, siteZone).slice(0, 10)} 00:00:00`) / SECONDS_PER_DAY;
  const sinceMonday = (weekdayOf(today) + 6) % 7;
  return formatCivil((today - sinceMonday - 7 * WEEKS_BEFORE) * SECONDS_PER_DAY).slice(0, 10);
}

/** Parents must exist before their parts. */
async function placeParts(writing: Writing, { parts }: DemoCalendar): Promise<void> {
  for (const [part, whole] of parts) {
    const [event, parent] = [
      await presentOf(writing, { key: part }, evolveEvent),
      await presentOf(writing, { key: whole }, evolveEvent),
    ];
    if (event && parent)
      await changeCalendarEvent(writing.commands, contextOf(writing, undefined), event.id, { parent: parent.id });
  }
}

/** So that there is a history. */
async function carryOut(writing: Writing, change: Change, firstDay: string): Promise<void> {
  const { reason, cost, venue, day, trash } = change;
  const event = await presentOf(writing, { key: demoKey('event', change.event) }, evolveEvent);
  if (!event) return;
  const context = contextOf(writing, reason);
  if (trash) {
    await trashCalendarEvent(writing.commands, context, event.id);
    return;
  }
  const moved = venue === undefined ? undefined : writing.ids.get(demoKey('venue', venue));
  const venues = moved === undefined ? undefined : [{ id: moved }];
  const times = day === undefined ? undefined : timesOf(firstDay, { ...change, day });
  await changeCalendarEvent(writing.commands, context, event.id, present({ cost, venues, times }));
}

const contextOf = ({ now, correlationId }: Writing, reason: string | undefined): CommandContext => ({
  caller: IMPORTER,
  now,
  correlationId,
  reason,
});

// The sample calendar: what town.json says of a fictional small harbour town, in the order of starts. Each day in it is so
// many days after the first one. What repeats says only what differs from its programme.

type Happening = (typeof town.events)[number];
type Change = (typeof town.changes)[number];

type DemoCalendar = ReturnType<typeof demoCalendar>;

const SOURCE = 'the sample calendar';

const demoKey = (kind: string, key: string): string => `demo:${kind}:${key}`;

const originOf = (kind: string, key: string, name: string): Origin => ({
  source: SOURCE,
  key: demoKey(kind, key),
  name,
  place: { file: SOURCE, index: null },
});

/**
 * Creates the calendar of so many weeks from a day (`YYYY-MM-DD`). Ids count from 1 in this order: venues, organizers, events;
 * categories, tags.
 */
export function demoCalendar({ weeks, firstDay }: Sample & { readonly firstDay: string }) {
  const ids = counter();
  const termIds = counter();
  const categories = town.categories.map(
    ({ description, ...term }): PlannedTerm => ({
      ...termOf('category', term.key, term.name),
      description,
      id: termIds(),
      parent: term.parent === undefined ? null : demoKey('category', term.parent),
    }),
  );
  const tags = town.tags.map((name): PlannedTerm => ({ ...termOf('tag', name, name), id: termIds() }));
  const venues = town.venues.map(({ key, at: [lat = 0, lng = 0], ...venue }) =>
    linked('venue', key, ids(), { ...venue, ...town.place, showMap: true, coordinates: { lat, lng } }),
  );
  const organizers = town.organizers.map(({ key, ...organizer }) => linked('organizer', key, ids(), organizer));
  const happenings = town.events.filter(({ programme, day }) => programme === undefined || day < weeks * 7);
  const events = happenings.map((one) => ({ ...plannedEvent(one, firstDay), id: ids() }));
  return {
    plan: { terms: [...categories, ...tags], venues, organizers, events },
    /** Parts of other events, linked once those exist: keys of part and whole. */
    parts: new Map(
      happenings.flatMap(({ key, partOf }) => (partOf ? [[demoKey('event', key), demoKey('event', partOf)]] : [])),
    ),
  };
}

function counter(): () => number {
  let last = 0;
  return () => ++last;
}

const termOf = (kind: TermKind, key: string, name: string): PlannedTerm =>
  termNamed(kind, originOf(kind, key, name), name);

const linked = <Input extends { readonly name: string }>(
  kind: 'venue' | 'organizer',
  key: string,
  id: number,
  input: Input,
): PlannedPost<Input> => ({ ...postNamed(originOf(kind, key, input.name), input), id });

function plannedEvent(happening: Happening, firstDay: string): PlannedEvent {
  const programme = town.programmes.find(({ key }) => key === happening.programme);
  const { title, day, days = 0, publishedOn, venue, ...one } = { ...programme, ...happening };
  const { categories = [], tags = [], organizers = ['town'] } = one;
  const { description, cost, featured, sticky, password } = one;
  const times =
    days === 0
      ? timesOf(firstDay, { ...one, day })
      : {
          start: instantText(firstDay, day, '00:00', 0),
          end: instantText(firstDay, day + days - 1, '00:00', 0),
          allDay: true,
        };
  return {
    origin: originOf('event', happening.key, title),
    id: undefined,
    input: present({
      ...{ title, description, times, cost, featured, sticky, password },
      status: POST_STATUSES.find((status) => status === one.status),
      date: publishedOn === undefined ? undefined : instantText(firstDay, publishedOn, '09:00', 0),
    }),
    categories: categories.map((name) => demoKey('category', name)),
    tags: tags.map((name) => demoKey('tag', name)),
    venues: venue ? [demoKey('venue', venue)] : [],
    organizers: organizers.map((name) => demoKey('organizer', name)),
    merging: 'newest',
    modified: '',
  };
}

interface Times {
  readonly day: number;
  readonly at?: string | undefined;
  readonly minutes?: number | undefined;
}

const timesOf = (firstDay: string, { day, at = '10:00', minutes = 120 }: Times) => ({
  start: instantText(firstDay, day, at, 0),
  end: instantText(firstDay, day, at, minutes),
});

/** `days` after the first day, at a time of day, `minutes` later: wall clock, `YYYY-MM-DD HH:MM:SS`. */
const instantText = (firstDay: string, days: number, at: string, minutes: number): string =>
  formatCivil(parseCivil(`${firstDay} ${at}:00`) + days * SECONDS_PER_DAY + minutes * 60);
