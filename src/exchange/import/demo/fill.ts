// Fills an empty calendar with the sample.
import { changeCalendarEvent, trashCalendarEvent } from '../../../calendar/event/commands/events.ts';
import { type EventInput, evolveEvent } from '../../../calendar/event/domain/calendar-event.ts';
import { POST_STATUSES } from '../../../calendar/resource/domain/post.ts';
import type { TermKind } from '../../../calendar/term/domain/term.ts';
import type { CommandContext } from '../../../commands/context.ts';
import { present } from '../../../domain/present.ts';
import { ALL_EVENTS } from '../../../editorial/series/facts/occurrences.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY, weekdayOf } from '../../../kernel/time/civil-time.ts';
import { type EpochSeconds, toWallClock, type Zone } from '../../../kernel/time/zone.ts';
import { LOG_START } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { ImportPlan, Origin, PlannedEvent, PlannedPost, PlannedTerm } from '../import-plan.ts';
import { type ImportSummary, openImportSummary } from '../import-summary.ts';
import { type Progress, SILENT } from '../progress.ts';
import { writeAll } from '../run.ts';
import { openCachingStore } from '../write/caching-store.ts';
import { IMPORTER, type ImportCommands, presentOf, type Writing } from '../write/writing.ts';
import town from './town.json' with { type: 'json' };

/** The sample begins this many weeks before today: some of it is over, most is to come. */
export const WEEKS_BEFORE = 10;

export const SAMPLE = { seed: 1, weeks: 36 } as const;

interface Filling {
  readonly store: EventStore;
  readonly commandsOn: (store: EventStore) => ImportCommands;
  readonly now: EpochSeconds;
  /** All of it is one request: it can be reverted as one. */
  readonly correlationId: string;
  readonly progress?: Progress;
}

interface Sample {
  readonly seed: number;
  readonly weeks: number;
  /** Default: the Monday `WEEKS_BEFORE` weeks ago. */
  readonly firstDay?: string | undefined;
}

export interface Filled {
  readonly summary: ImportSummary;
  readonly plan: DemoCalendar['plan'];
  readonly firstDay: string;
}

/** Fills a calendar that holds nothing yet: see `holdsCalendar`. */
export async function fillWithSample(
  { store, commandsOn, now, correlationId, progress = SILENT }: Filling,
  { seed, weeks, firstDay }: Sample,
): Promise<Filled> {
  const commands = commandsOn(openCachingStore(store));
  const from = firstDay ?? mondayBefore(now, commands.siteZone);
  const calendar = demoCalendar({ seed, weeks, firstDay: from });
  const summary = openImportSummary();
  const writing: Writing = { commands, summary, now, correlationId, ids: new Map(), granted: new Map() };
  await writeAll(writing, calendar.plan, progress);
  await placeParts(writing, calendar);
  for (const change of calendar.changes) await carryOut(writing, change);
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

async function carryOut(writing: Writing, { event, reason, change, venue }: DemoChange): Promise<void> {
  const found = await presentOf(writing, { key: event }, evolveEvent);
  if (!found) return;
  const context = contextOf(writing, reason);
  if (change.kind === 'trash') {
    await trashCalendarEvent(writing.commands, context, found.id);
    return;
  }
  const moved = venue === undefined ? undefined : writing.ids.get(venue);
  const input = present({ ...change.input, venues: moved === undefined ? undefined : [{ id: moved }] });
  await changeCalendarEvent(writing.commands, context, found.id, input);
}

const contextOf = ({ now, correlationId }: Writing, reason: string | undefined): CommandContext => ({
  caller: IMPORTER,
  now,
  correlationId,
  reason,
});

// The sample calendar, made from what town.json says of a fictional small harbour town: the same for the same seed and first
// day, whenever and wherever it is created. In town.json a programme repeats, and a single event is so many days after the first.

type Programme = (typeof town.programmes)[number];
type Single = (typeof town.singles)[number];

interface DemoOptions {
  readonly seed: number;
  /** A Monday, `YYYY-MM-DD`: the first day of the calendar. */
  readonly firstDay: string;
  readonly weeks: number;
}

/** A change after everything was created, so that there is a history. */
interface DemoChange {
  /** Key of the event. */
  readonly event: string;
  readonly reason: string;
  readonly change: { readonly kind: 'trash' } | { readonly kind: 'input'; readonly input: EventInput };
  /** Key of the new venue. */
  readonly venue?: string;
}

interface DemoCalendar {
  readonly plan: ImportPlan;
  /** Parts of other events, linked once those exist: keys of part and whole. */
  readonly parts: ReadonlyMap<string, string>;
  readonly changes: readonly DemoChange[];
}

const SOURCE = 'the sample calendar';

const demoKey = (kind: string, key: string): string => `demo:${kind}:${key}`;

const originOf = (kind: string, key: string, name: string): Origin => ({
  source: SOURCE,
  key: demoKey(kind, key),
  name,
  place: { file: SOURCE, index: null },
});

/** Creates the calendar. Ids count from 1 in this order: venues, organizers, events; categories, tags. */
export function demoCalendar(options: DemoOptions): DemoCalendar {
  const random = seeded(options.seed);
  const ids = counter();
  const termIds = counter();
  const categories = town.categories.map(
    (term): PlannedTerm => ({
      ...termOf('category', term.key, term.name, term.description),
      id: termIds(),
      parent: term.parent === undefined ? null : demoKey('category', term.parent),
    }),
  );
  const tags = town.tags.map(
    (name): PlannedTerm => ({ ...termOf('tag', name, name, undefined), id: termIds(), parent: null }),
  );
  const venues = town.venues.map(({ key, at: [lat = 0, lng = 0], ...venue }) =>
    linked('venue', key, ids(), { ...venue, ...town.place, showMap: true, coordinates: { lat, lng } }),
  );
  const organizers = town.organizers.map(({ key, ...organizer }) => linked('organizer', key, ids(), organizer));
  const repeated = town.programmes.flatMap((programme) => eventsOf(programme, options, random));
  const single = town.singles.map((one) => singleEvent(one, options));
  const events = [...repeated, ...single]
    .sort((one, other) => compare(startOf(one), startOf(other)) || compare(one.origin.key, other.origin.key))
    .map((event): PlannedEvent => ({ ...event, id: ids() }));
  return {
    plan: { terms: [...categories, ...tags], venues, organizers, events },
    parts: new Map(
      town.singles.flatMap(({ key, partOf }) => (partOf ? [[demoKey('event', key), demoKey('event', partOf)]] : [])),
    ),
    changes: changesOf(repeated, random),
  };
}

function counter(): () => number {
  let last = 0;
  return () => ++last;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const startOf = ({ input }: PlannedEvent): string => String(input.times?.start ?? '');

const termOf = (kind: TermKind, key: string, name: string, description: string | undefined) =>
  ({ kind, origin: originOf(kind, key, name), upkeep: 'leave', name, slug: undefined, description }) as const;

const linked = <Input extends { readonly name: string }>(
  kind: 'venue' | 'organizer',
  key: string,
  id: number,
  input: Input,
): PlannedPost<Input> => ({ origin: originOf(kind, key, input.name), upkeep: 'leave', id, input, modified: '' });

function eventsOf(programme: Programme, options: DemoOptions, random: () => number): PlannedEvent[] {
  const { key, subjects, weekday, at, minutes, every, costs } = programme;
  const first = Math.floor(random() * every);
  const order = shuffled(subjects, random);
  const found: PlannedEvent[] = [];
  for (let week = first; week < options.weeks; week += every) {
    // Some weeks are left out.
    if (random() < 0.06) continue;
    const title = programme.title.replace('{subject}', order[found.length % order.length] ?? '');
    const cost = costs[Math.floor(random() * costs.length)] ?? '';
    const start = instantText(options.firstDay, week * 7 + weekday, at, 0);
    found.push(
      plannedEvent(`${key}-${week}`, {
        ...relationsOf(programme),
        input: present({
          title: capitalised(title),
          description: programme.description,
          times: { start, end: instantText(options.firstDay, week * 7 + weekday, at, minutes) },
          cost: cost || undefined,
          featured: random() < 0.05 || undefined,
        }),
      }),
    );
  }
  return found;
}

function singleEvent(one: Single, { firstDay }: DemoOptions): PlannedEvent {
  const { title, description, day, days = 0, at = '10:00', minutes = 120, cost = '' } = one;
  const { featured, sticky, password, publishedOn } = one;
  const status = POST_STATUSES.find((known) => known === one.status);
  const times =
    days === 0
      ? { start: instantText(firstDay, day, at, 0), end: instantText(firstDay, day, at, minutes) }
      : {
          start: instantText(firstDay, day, '00:00', 0),
          end: instantText(firstDay, day + days - 1, '00:00', 0),
          allDay: true,
        };
  return plannedEvent(one.key, {
    ...relationsOf(one),
    input: present({
      ...{ title, description, times, status, cost: cost || undefined, featured, sticky, password },
      date: publishedOn === undefined ? undefined : instantText(firstDay, publishedOn, '09:00', 0),
    }),
  });
}

type Relations = Pick<PlannedEvent, 'categories' | 'tags' | 'venues' | 'organizers'>;

const plannedEvent = (key: string, { input, ...relations }: Relations & Pick<PlannedEvent, 'input'>): PlannedEvent => ({
  origin: originOf('event', key, input.title ?? ''),
  id: undefined,
  input,
  ...relations,
  merging: 'newest',
  modified: '',
});

const relationsOf = ({ categories = [], tags = [], venue, organizers = ['town'] }: Programme | Single): Relations => ({
  categories: categories.map((key) => demoKey('category', key)),
  tags: tags.map((key) => demoKey('tag', key)),
  venues: venue === null ? [] : [demoKey('venue', venue)],
  organizers: organizers.map((key) => demoKey('organizer', key)),
});

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `days` after the first day, at a time of day, `minutes` later: wall clock, `YYYY-MM-DD HH:MM:SS`. */
const instantText = (firstDay: string, days: number, at: string, minutes: number): string =>
  formatCivil(parseCivil(`${firstDay} ${at}:00`) + days * SECONDS_PER_DAY + minutes * 60);

function shuffled<Member>(members: readonly Member[], random: () => number): Member[] {
  const order = members.map((member) => ({ member, at: random() }));
  return order.sort((one, other) => one.at - other.at).map(({ member }) => member);
}

const EVERY = 9;

/** Every ninth recurring event is changed afterwards: postponed, moved, given another price, cancelled. */
function changesOf(events: readonly PlannedEvent[], random: () => number): DemoChange[] {
  return events
    .filter((_, index) => index % EVERY === EVERY - 1)
    .map((event): DemoChange => {
      const { origin, input } = event;
      const dice = random();
      if (dice < 0.15)
        return { event: origin.key, reason: 'Called off, too few have booked', change: { kind: 'trash' } };
      if (dice < 0.4) {
        const change = { kind: 'input', input: { cost: '9' } } as const;
        return { event: origin.key, reason: 'New prices of the season', change };
      }
      if (dice < 0.6) {
        const change = { kind: 'input', input: {} } as const;
        return { event: origin.key, reason: 'The roof is being repaired', change, venue: demoKey('venue', 'hall') };
      }
      const times = { start: hourLater(String(input.times?.start)), end: hourLater(String(input.times?.end)) };
      return {
        event: origin.key,
        reason: 'The ferry is late on this day',
        change: { kind: 'input', input: { times } },
      };
    });
}

const hourLater = (wallClock: string): string => formatCivil(parseCivil(wallClock) + 3_600);

// Reproducible random numbers.

/** A generator of numbers in [0, 1) from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
