// One list of events as of two instants: what was added, removed, moved, changed and cancelled in between.

import { LRUCache } from 'lru-cache';
import type { EventDocument } from '../../read-model/documents.ts';
import type { EventQuery, TermView } from '../../read-model/queries.ts';
import { isVisible } from '../../read-model/queries.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import { DIFFERENCES, type Difference } from '../../text/wire-words.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import { type Arguments, type ListPlan, listLinks, pageCount, type QueryRefusal, windowOf } from '../arguments.ts';
import type { NamedCalendar } from '../as-of/calendars.ts';
import { asOfEventRequest, instantText, readModelFor } from '../as-of/lists.ts';
import { assembleEvents } from '../assemble.ts';
import { openGate } from '../gate.ts';
import type { Change } from '../history/field-changes.ts';
import type { EventListInput } from '../list-events.ts';
import type { QueryDependencies, Reader } from '../reader.ts';
import { openTurns, portionsOf } from '../time-slices.ts';
import { bodyChanges, isCancellation, isMove } from './body-changes.ts';

interface Entry {
  readonly id: number;
  readonly what: Difference;
}

export interface CalendarAt {
  readonly calendar: NamedCalendar;
  readonly at: EpochSeconds;
}

export interface ListComparison {
  /** How to answer with a page of what differs. Dates without a filter, and relative ones, are those of the later instant. */
  plan(given: EventListInput, reader: Reader, from: CalendarAt, to: CalendarAt): Promise<ListPlan | QueryRefusal>;
}

/** Comparisons whose pages may be asked for next. */
const MAX_CACHED = 8;
const MAX_WAITING = 8;
const FETCHED_AT_ONCE = 50;

/** `queueFull` makes what is thrown when too many comparisons wait. */
export function openListComparison(
  dependencies: Pick<QueryDependencies, 'siteZone' | 'perPage'>,
  queueFull: () => Error,
): ListComparison {
  const cached = new LRUCache<string, Promise<readonly Entry[]>>({ max: MAX_CACHED });
  const gate = openGate({ concurrency: 1, maxWaiting: MAX_WAITING, refused: queueFull });

  function entriesFor(key: string, compare: () => Promise<readonly Entry[]>): Promise<readonly Entry[]> {
    const before = cached.get(key);
    if (before) return before;
    const entries = gate.pass(compare);
    cached.set(key, entries);
    entries.catch(() => cached.delete(key));
    return entries;
  }

  return {
    async plan(given, reader, from, to) {
      const [earlier, later] = [
        await asOfEventRequest(dependencies, given, { ...reader, now: to.at }, from),
        await asOfEventRequest(dependencies, given, { ...reader, now: to.at }, to),
      ];
      if ('refused' in earlier) return earlier;
      if ('refused' in later) return later;
      const { paging } = later;
      const instants: Arguments = [
        ['from', instantText(from.at)],
        ['to', instantText(to.at)],
      ];
      const args = [...later.args.filter(([name]) => name !== 'as_of' && name !== 'status'), ...instants];
      const sides: Sides = { before: sideOf(from, earlier.query, reader), after: sideOf(to, later.query, reader) };
      const key = JSON.stringify([from.calendar.name, to.calendar.name, reader.caller, earlier.query, later.query]);
      return {
        key: JSON.stringify(['compare', key, args]),
        async read() {
          const { page: _, ...rest } = later.query;
          const all = await entriesFor(JSON.stringify([key, rest]), () => compared(sides, reader));
          const { offset, limit } = windowOf(paging);
          const pages = pageCount(all.length, paging);
          if (paging.page > Math.max(pages, 1)) return { body: null, total: all.length, pages };
          const links = listLinks(`${reader.links.root}/events/compare`, args, paging, pages);
          const body = await pageBody(sides, all.slice(offset, offset + limit), reader);
          return { body: [...body, envelopeEnd(all, { ...links, pages, from, to })], total: all.length, pages };
        },
      };
    },
  };
}

interface Side {
  readonly calendar: NamedCalendar;
  /** As the reader may see it. */
  readonly readModel: ReadModel;
  readonly query: EventQuery;
}

interface Sides {
  readonly before: Side;
  readonly after: Side;
}

const sideOf = ({ calendar }: CalendarAt, query: EventQuery, { caller }: Reader): Side => ({
  calendar,
  readModel: readModelFor(calendar, caller),
  query: { ...query, page: ALL },
});

/** More than there are. */
const ALL = { offset: 0, limit: 2 ** 31 };

/** In the order of the later list; behind that, in the order of the earlier one, what only that one has. */
async function compared(sides: Sides, reader: Reader): Promise<Entry[]> {
  const { before, after } = sides;
  // Nothing was recorded in between.
  if (before.calendar.name === after.calendar.name) return [];
  const { items: former } = await before.readModel.findEvents(before.query);
  const { items: present } = await after.readModel.findEvents(after.query);
  const [inFormer, inPresent] = [new Set(former), new Set(present)];
  const suspects = await suspectsAmong(sides, present, inFormer);
  const differences = await differencesOf(sides, suspects, reader);
  const gone = former.filter((id) => !inPresent.has(id));
  const stillPublic = await stillPublicAmong(after, gone);
  const entries: Entry[] = [];
  for (const id of present) {
    const what = inFormer.has(id) ? differences.get(id) : 'added';
    if (what !== undefined) entries.push({ id, what });
  }
  return [...entries, ...gone.map((id): Entry => ({ id, what: stillPublic.has(id) ? 'removed' : 'cancelled' }))];
}

/** Of some events those that this reader may see, even where lists leave them out. */
async function publicEvents(
  { readModel, query }: Pick<Side, 'readModel' | 'query'>,
  ids: readonly number[],
): Promise<EventDocument[]> {
  const documents = await readModel.fetch(ids.map((id) => ({ kind: 'event', id })));
  return documents.filter(
    (document): document is EventDocument => document?.kind === 'event' && isVisible(document, query.visibility),
  );
}

async function stillPublicAmong(side: Side, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const turn = openTurns();
  const found = new Set<number>();
  for (let at = 0; at < ids.length; at += FETCHED_AT_ONCE) {
    for (const { id } of await publicEvents(side, ids.slice(at, at + FETCHED_AT_ONCE))) found.add(id);
    await turn();
  }
  return found;
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
  sides: Sides,
  present: readonly number[],
  inFormer: ReadonlySet<number>,
): Promise<number[]> {
  const { before, after } = sides;
  const [former, latter] = [before.calendar.revisions.event, after.calendar.revisions.event];
  const linked = await linkedToChanged(sides);
  const turn = openTurns();
  const suspects: number[] = [];
  for (const id of present) {
    const pause = turn();
    if (pause) await pause;
    if (inFormer.has(id) && (former.get(id) !== latter.get(id) || linked.has(id))) suspects.push(id);
  }
  return suspects;
}

async function linkedToChanged({ before, after }: Sides): Promise<ReadonlySet<number>> {
  const changed = (kind: 'venue' | 'organizer'): number[] =>
    differing(before.calendar.revisions[kind], after.calendar.revisions[kind], (one, other) => one === other);
  const terms = differing(await before.readModel.terms(), await after.readModel.terms(), isSameTerm);
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

interface Rendered {
  readonly id: number;
  readonly former: string;
  readonly present: string;
}

/** Bodies of events before and after; `''` where there is none for this reader. Others have their turn meanwhile. */
async function* rendered({ before, after }: Sides, ids: readonly number[], reader: Reader): AsyncGenerator<Rendered> {
  const turn = openTurns();
  const portions = portionsOf(ids);
  for (let portion = portions.next(); portion.length > 0; portion = portions.next()) {
    const [former, present] = [await bodiesOf(before, portion, reader), await bodiesOf(after, portion, reader)];
    let characters = 0;
    for (const id of portion) {
      await turn();
      const bodies = { id, former: former.get(id) ?? '', present: present.get(id) ?? '' };
      characters += bodies.former.length + bodies.present.length;
      yield bodies;
    }
    portions.weighed(characters);
  }
}

async function bodiesOf(
  { readModel, query }: Pick<Side, 'readModel' | 'query'>,
  ids: readonly number[],
  reader: Reader,
): Promise<ReadonlyMap<number, string>> {
  const events = await publicEvents({ readModel, query }, ids);
  const bodies = await assembleEvents({ readModel }, events, reader, 'plain', new Set());
  return new Map(events.map(({ id }, index) => [id, bodies[index]?.text ?? '']));
}

const changesIn = ({ former, present }: Rendered): Change[] =>
  former === '' || present === '' ? [] : bodyChanges(JSON.parse(former), JSON.parse(present));

async function differencesOf(sides: Sides, ids: readonly number[], reader: Reader): Promise<Map<number, Difference>> {
  const differences = new Map<number, Difference>();
  for await (const bodies of rendered(sides, ids, reader)) {
    const changes = changesIn(bodies);
    if (changes.length > 0) differences.set(bodies.id, differenceIn(changes));
  }
  return differences;
}

function differenceIn(changes: readonly Change[]): Difference {
  if (changes.some(isCancellation)) return 'cancelled';
  return changes.some(isMove) ? 'moved' : 'changed';
}

async function pageBody(sides: Sides, entries: readonly Entry[], reader: Reader): Promise<string[]> {
  const what = new Map(entries.map((entry) => [entry.id, entry.what]));
  const pieces = ['{"events":['];
  for await (const bodies of rendered(sides, [...what.keys()], reader)) {
    const { id, former, present } = bodies;
    const difference = what.get(id) ?? 'changed';
    const head = JSON.stringify({ id, what: difference, changes: changesIn(bodies) }).slice(0, -1);
    const shown = difference === 'removed' ? former : present || former;
    pieces.push(pieces.length === 1 ? head : `,${head}`, `,"event":${shown || 'null'}}`);
  }
  return pieces;
}

interface End {
  readonly rest: string;
  readonly next: string | null;
  readonly previous: string | null;
  readonly pages: number;
  readonly from: CalendarAt;
  readonly to: CalendarAt;
}

function envelopeEnd(all: readonly Entry[], { rest, next, previous, pages, from, to }: End): string {
  const members = {
    from: instantText(from.at),
    to: instantText(to.at),
    totals: Object.fromEntries(DIFFERENCES.map((what) => [what, all.filter((entry) => entry.what === what).length])),
    rest_url: rest,
    ...(next !== null && { next_rest_url: next }),
    ...(previous !== null && { previous_rest_url: previous }),
    total: all.length,
    total_pages: pages,
  };
  return `],${JSON.stringify(members).slice(1)}`;
}
