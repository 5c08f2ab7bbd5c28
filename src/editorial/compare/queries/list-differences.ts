// What differs between a list of events in two calendars.
import { inPortions, openTurns } from '../../../kernel/event-loop/turns.ts';
import type { Difference } from '../../../kernel/text/wire-words.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { Json } from '../../../log/envelope.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { assembleEvents } from '../../../queries/assemble.ts';
import type { Reader } from '../../../queries/reader.ts';
import type { DocumentKind, EventDocument } from '../../../read-model/documents.ts';
import type { ListIndex } from '../../../read-model/list-index/list-index.ts';
import { type EventQuery, isVisible, type TermView } from '../../../read-model/queries.ts';
import { REFERENCES } from '../../../rendering/public-fields.ts';
import { type Change, changedFields, isObject, saysNothing } from '../../history/queries/field-changes.ts';
import type { AheadCalendar } from '../../time-travel/queries/ahead.ts';
import type { NamedCalendar } from '../../time-travel/queries/calendars.ts';
import { readModelFor } from '../../time-travel/queries/lists.ts';
import type { LogModel } from '../../time-travel/queries/log-storage.ts';

/** An event that differs. */
export interface Entry {
  readonly id: number;
  readonly what: Difference;
}

/** A calendar as one of the two sides. */
export interface ComparedCalendar {
  /** Two calendars have one name only if they have the same content. */
  readonly name: string;
  readonly at: EpochSeconds;
  /** The ids of what will have changed by an instant to come: another calendar may give its next revision to something else. */
  readonly touched?: (kind: DocumentKind) => readonly number[];
  /** The calendar as the reader of this side may see it. */
  readonly readModel: LogModel;
  readonly reader: Reader;
}

/** A calendar of the past, with what the caller may see of what has been closed since. */
export const calendarThen = (calendar: NamedCalendar, at: EpochSeconds, reader: Reader): ComparedCalendar => ({
  name: calendar.name,
  at,
  reader,
  readModel: readModelFor(calendar, reader.caller),
});

/** What is public in the calendar of an instant to come: when that instant has come, it is the calendar of then. */
export const calendarAhead = (calendar: AheadCalendar, at: EpochSeconds, reader: Reader): ComparedCalendar => ({
  name: calendar.name,
  at,
  touched: calendar.touched,
  readModel: calendar.readModel,
  reader: { ...reader, caller: THE_PUBLIC },
});

const THE_PUBLIC: Caller = null;

/** A calendar, and what the list asks of it. */
export interface ListSide extends ComparedCalendar {
  readonly query: EventQuery;
}

export interface ListSides {
  readonly before: ListSide;
  readonly after: ListSide;
}

/** More than there are. */
export const ALL = { offset: 0, limit: 2 ** 31 };

/** Differences in the order of the later list; then those of events that only the earlier one has, in its order. */
export async function listDifferences(sides: ListSides): Promise<Entry[]> {
  const { before, after } = sides;
  // Nothing was recorded in between.
  if (before.name === after.name) return [];
  const { items: former } = await before.readModel.findEvents(before.query);
  const { items: present } = await after.readModel.findEvents(after.query);
  const [inFormer, inPresent] = [new Set(former), new Set(present)];
  const suspects = await suspectsAmong(sides, present, inFormer);
  const differences = await differencesOf(sides, suspects);
  const gone = former.filter((id) => !inPresent.has(id));
  const stillPublic = await stillPublicAmong(after, gone);
  const entries: Entry[] = [];
  for (const id of present) {
    const what = inFormer.has(id) ? differences.get(id) : 'added';
    if (what !== undefined) entries.push({ id, what });
  }
  return [...entries, ...gone.map((id): Entry => ({ id, what: stillPublic.has(id) ? 'removed' : 'cancelled' }))];
}

/** The events among these that this reader may see, even where lists leave them out. */
async function publicEvents({ readModel, query }: ListSide, ids: readonly number[]): Promise<EventDocument[]> {
  const documents = await readModel.fetch(ids.map((id) => ({ kind: 'event', id })));
  return documents.filter(
    (document): document is EventDocument => document?.kind === 'event' && isVisible(document, query.visibility),
  );
}

async function stillPublicAmong(side: ListSide, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const events = await inPortions(ids, (some) => publicEvents(side, some));
  return new Set(events.map(({ id }) => id));
}

/** Every event that lists show to this reader. */
const unfiltered = ({ visibility, unmasked, linked }: EventQuery): EventQuery => ({
  visibility,
  unmasked,
  linked,
  page: ALL,
  bounds: {},
  order: 'start',
});

/** Events of both lists that may look different: with another revision, or linked to something that has changed. */
async function suspectsAmong(
  sides: ListSides,
  present: readonly number[],
  inFormer: ReadonlySet<number>,
): Promise<number[]> {
  const { before, after } = sides;
  const [former, latter] = [await before.readModel.index(), await after.readModel.index()];
  const linked = await linkedToChanged(sides);
  const touched = new Set(before.touched?.('event'));
  return present.filter(
    (id) => inFormer.has(id) && (former.revisionOf(id) !== latter.revisionOf(id) || linked.has(id) || touched.has(id)),
  );
}

async function linkedToChanged({ before, after }: ListSides): Promise<ReadonlySet<number>> {
  const touched = (kind: DocumentKind): readonly number[] => before.touched?.(kind) ?? [];
  const [former, latter] = [await before.readModel.index(), await after.readModel.index()];
  const revisions = (index: ListIndex, kind: 'venue' | 'organizer') =>
    new Map(index.linkedPosts(kind).map(({ id, revision }) => [id, revision]));
  const changed = (kind: 'venue' | 'organizer'): number[] => [
    ...differing(revisions(former, kind), revisions(latter, kind), (one, other) => one === other),
    ...touched(kind),
  ];
  const terms = [
    ...differing(await before.readModel.terms(), await after.readModel.terms(), isSameTerm),
    ...touched('category'),
    ...touched('tag'),
  ];
  const links = [
    { venues: changed('venue') },
    { organizers: changed('organizer') },
    { categories: terms },
    { tags: terms },
  ];
  const linked = new Set<number>();
  for (const { readModel, query } of [before, after])
    for (const link of links) {
      const { items } = await readModel.findEvents({ ...unfiltered(query), ...link });
      for (const id of items) linked.add(id);
    }
  return linked;
}

/** How many events it has does not count. */
const isSameTerm = (one: TermView, other: TermView): boolean =>
  one.revision === other.revision && one.parent === other.parent;

/** Keys that have another value, or none in one of the two. */
function differing<Value>(
  before: ReadonlyMap<number, Value>,
  after: ReadonlyMap<number, Value>,
  isSame: (one: Value, other: Value) => boolean,
): number[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((id) => {
    const [one, other] = [before.get(id), after.get(id)];
    return one === undefined || other === undefined || !isSame(one, other);
  });
}

/** An event before and after, as JSON; `''` where there is none for this reader. */
interface Rendered {
  readonly id: number;
  readonly former: string;
  readonly present: string;
}

/** Texts of both lists, which may be long. */
const RENDERED_AT_ONCE = 50;

/** Events before and after. Others have their turn meanwhile. */
export async function* rendered({ before, after }: ListSides, ids: readonly number[]): AsyncGenerator<Rendered> {
  const turn = openTurns();
  for (let at = 0; at < ids.length; at += RENDERED_AT_ONCE) {
    const some = ids.slice(at, at + RENDERED_AT_ONCE);
    const [former, present] = [await bodiesOf(before, some), await bodiesOf(after, some)];
    for (const id of some) {
      await turn();
      yield { id, former: former.get(id) ?? '', present: present.get(id) ?? '' };
    }
  }
}

async function bodiesOf(side: ListSide, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const events = await publicEvents(side, ids);
  const bodies = await assembleEvents(side, events, side.reader, 'plain', new Set());
  return new Map(events.map(({ id }, index) => [id, bodies[index]?.text ?? '']));
}

export const changesIn = ({ former, present }: Rendered): Change[] =>
  former === '' || present === '' ? [] : bodyChanges(JSON.parse(former), JSON.parse(present));

async function differencesOf(sides: ListSides, ids: readonly number[]): Promise<Map<number, Difference>> {
  const differences = new Map<number, Difference>();
  for await (const bodies of rendered(sides, ids)) {
    const changes = changesIn(bodies);
    if (changes.length > 0) differences.set(bodies.id, differenceIn(changes));
  }
  return differences;
}

function differenceIn(changes: readonly Change[]): Difference {
  if (changes.some(isCancellation)) return 'cancelled';
  return changes.some(isMove) ? 'moved' : 'changed';
}

// Two renderings of an event, as lists show it, field by field.

type Members = { readonly [name: string]: Json };

/** What follows from other fields, or changes without the resource. */
const DERIVED: ReadonlySet<string> = new Set([
  ...['modified', 'modified_utc', 'date_utc', 'count', 'urls', 'url', 'rest_url', 'json_ld'],
  ...['global_id', 'global_id_lineage', 'timezone_abbr', 'start_date_details', 'end_date_details'],
  ...['utc_start_date_details', 'utc_end_date_details', 'previous_start_date'],
]);

/** The members that have the name of a resource. */
const NAMES: readonly string[] = ['venue', 'organizer', 'name'];

/** Fields of embedded resources have the name of their member before them: `venue.address`. */
function bodyChanges(before: Members, after: Members): Change[] {
  const [one, other] = [withTexts(before), withTexts(after)];
  return changedIn(one, other).flatMap((field): Change[] => {
    const [former, present] = [one[field] ?? null, other[field] ?? null];
    if (!Object.hasOwn(REFERENCES, field)) return [{ field, before: former, after: present }];
    return embeddedChanges(field, membersIn(former), membersIn(present));
  });
}

/** Notices by their texts: other fields say what else they tell. */
function withTexts(of: Members): Members {
  if (!Array.isArray(of.notices)) return of;
  const texts = of.notices.filter(isObject).flatMap(({ text = '' }) => (text === '' ? [] : [text]));
  return { ...of, notices: texts, event_status: of.event_status === 'scheduled' ? null : (of.event_status ?? null) };
}

function changedIn(before: Members, after: Members): string[] {
  const own = (of: Members): Members =>
    Object.fromEntries(Object.entries(of).filter(([name, value]) => !DERIVED.has(name) && !saysNothing(value)));
  const [former, present] = [own(before), own(after)];
  const names = new Set([...Object.keys(former), ...Object.keys(present)]);
  const all = (of: Members): Members => Object.fromEntries([...names].map((name) => [name, of[name] ?? null]));
  return changedFields(all(former), all(present));
}

function embeddedChanges(field: string, before: readonly Members[], after: readonly Members[]): Change[] {
  const isSame = before.length === after.length && before.every(({ id }, index) => id === after[index]?.id);
  if (!isSame) return [{ field, before: before.map(named), after: after.map(named) }];
  return before.flatMap((one, index) => {
    const other = after[index] ?? {};
    return changedIn(one, other).map((name) => ({
      field: `${field}.${name}`,
      before: one[name] ?? null,
      after: other[name] ?? null,
    }));
  });
}

/** A venue alone is no list. */
const membersIn = (value: Json): readonly Members[] => (Array.isArray(value) ? value : [value]).filter(isObject);

const named = (of: Members): Json => {
  const name = NAMES.find((member) => typeof of[member] === 'string') ?? 'name';
  return { id: of.id ?? null, [name]: of[name] ?? null };
};

/** When and where. */
const MOVING: ReadonlySet<string> = new Set([
  ...['start_date', 'end_date', 'utc_start_date', 'utc_end_date', 'timezone', 'all_day', 'venue'],
  ...['address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'geo_lat', 'geo_lng'].map(
    (name) => `venue.${name}`,
  ),
]);

/** It does not take place any more, and says so. */
const isCancellation = ({ field, after }: Change): boolean => field === 'event_status' && after === 'canceled';

const isMove = ({ field }: Change): boolean => MOVING.has(field);
