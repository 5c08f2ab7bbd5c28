// What a source says now, beside what its polls have found so far: what is new, what has changed and in which members.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventInput } from '../../calendar/event/domain/calendar-event.ts';
import { present } from '../../domain/present.ts';
import { slugFrom } from '../../kernel/text/slug.ts';
import { type EpochSeconds, resolveZone, toInstant, type Zone } from '../../kernel/time/zone.ts';
import type {
  Fault,
  Identity,
  ImportPlan,
  Origin,
  PlannedEvent,
  PlannedPost,
  PlannedTerm,
} from '../import/import-plan.ts';
import { isWithheld } from '../import/publication.ts';
import { type CurrentItem, keysOf, type SourceItem, type SourceItems } from './domain/items.ts';

/** An event that says something else than before, or is new. */
export interface ChangedEvent {
  readonly planned: PlannedEvent;
  readonly item: SourceItem;
  /** What was known of it; null: it is new. */
  readonly known: SourceItem | null;
}

export interface Compared {
  /** What is to be written. Events that say what they said before are left out. */
  readonly plan: ImportPlan;
  readonly events: readonly ChangedEvent[];
  /** All items that differ from those that are known. */
  readonly items: readonly SourceItem[];
  /** Keys of all that the source has now. */
  readonly keys: ReadonlySet<string>;
  /** Keys of what its records were before they repeated, or as long as they did. */
  readonly replaced: ReadonlySet<string>;
  /** Keys of dates that were changed apart, and are as the others of their series again. */
  readonly rejoined: readonly string[];
  /** Records that are older than what it said before. */
  readonly older: readonly Origin[];
  /** How many events it has, and how many of them say what they said before. */
  readonly total: number;
  readonly unchanged: number;
}

/** Enough to notice a change, too short to confirm a guess about what was said. */
const DIGEST_CHARACTERS = 8;
const CONTENT_CHARACTERS = 20;
/** Records that are compared in one turn of the event loop. */
const PORTION = 50;

const hash = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex');
const digest = (value: unknown): string => hash(value).slice(0, DIGEST_CHARACTERS);
const DRAFT = digest('draft');
const contentOf = (...parts: readonly unknown[]): string => hash(parts).slice(0, CONTENT_CHARACTERS);

/** Renames every record to the key by which it is known, and sorts out what has changed. */
export async function compareWith(items: SourceItems, said: ImportPlan, siteZone: Zone): Promise<Compared> {
  const turn = openPortions();
  const names = new Map(said.venues.map(({ origin, input }) => [origin.key, slugFrom(input.name ?? '')]));
  const current: CurrentItem[] = [];
  const uids = new Map<string, string>();
  const note = (uid: string, kind: SourceItem['kind'], content: string): void => {
    current.push({ uid, kind, content });
    uids.set(uid, content);
  };
  for (const { kind, origin, name } of said.terms) note(origin.key, kind, contentOf(slugFrom(name)));
  for (const [kind, posts] of [
    ['venue', said.venues],
    ['organizer', said.organizers],
  ] as const)
    for (const { origin, input } of posts) note(origin.key, kind, contentOf(slugFrom(input.name ?? '')));
  for (const event of said.events) {
    await turn();
    note(event.origin.key, 'event', eventContent(event, names));
    for (const [, part] of event.series?.overrides ?? []) note(part.origin.key, 'part', eventContent(part, names));
  }
  const keys = keysOf(items, current);
  const keyOf = (uid: string): string => keys.get(uid) ?? uid;

  const changed: SourceItem[] = [];
  const older: Origin[] = [];
  function itemOf(
    { key: uid, owner }: Identity,
    kind: SourceItem['kind'],
    end: EpochSeconds | null,
    members: object,
    more: Pick<SourceItem, 'sequence' | 'series'> = {},
  ): Noted {
    const key = keyOf(uid);
    const known = items.get(key) ?? null;
    const digests = Object.fromEntries(
      Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, digest(value)]])),
    );
    // What was an event of its own says nothing that a date of a series has said, and the other way round.
    const alike = known?.kind === kind ? known : null;
    const unchanged = new Set(Object.keys(digests).filter((name) => alike?.members[name] === digests[name]));
    const { missing: _, ...before } = known ?? { missing: undefined };
    const item: SourceItem = {
      ...before,
      key,
      uid,
      kind,
      end,
      content: uids.get(uid) ?? '',
      ...present({ owner }),
      ...more,
      members: { ...known?.members, ...digests },
    };
    const isSame = alike !== null && alike.missing === undefined && unchanged.size === Object.keys(digests).length;
    const isNoted = known?.uid === uid && known.content === item.content && known.end === end;
    if (!isSame || !isNoted || known.sequence !== item.sequence) changed.push(item);
    return { item, known, unchanged, isSame };
  }

  const terms = said.terms.map((term): PlannedTerm => {
    const { origin, kind, name, description, parent } = term;
    const { isSame } = itemOf(origin, kind, null, { name, description, parent });
    const above = parent === null ? null : keyOf(parent);
    const key = keyOf(origin.key);
    return { ...term, origin: { ...origin, key }, parent: above, upkeep: isSame ? 'leave' : term.upkeep };
  });
  const post =
    <Input extends object>(kind: 'venue' | 'organizer') =>
    (planned: PlannedPost<Input>) => {
      const { item, unchanged } = itemOf(planned.origin, kind, null, planned.input);
      return { ...planned, origin: { ...planned.origin, key: item.key }, unchanged };
    };

  const list = (all: readonly string[] | undefined): readonly string[] | undefined => all?.map(keyOf);
  /** With what it does not say any more, and with the keys by which its references are known. */
  function inFull(event: PlannedEvent, known: SourceItem | null): PlannedEvent {
    const wasDraft = known?.members.status === DRAFT && !isWithheld(event.input.status);
    const linked = {
      categories: list(event.categories),
      tags: list(event.tags),
      venues: list(event.venues),
      organizers: list(event.organizers),
    };
    return {
      ...event,
      wasDraft,
      input: {
        ...event.input,
        ...emptied(NOTHING_SAID, event.input, known),
        ...(wasDraft && { status: event.input.status ?? 'publish' }),
      },
      ...linked,
      ...emptied(NOTHING_LINKED, linked, known),
    };
  }

  function eventOf(
    event: PlannedEvent,
    kind: 'event' | 'part',
    of?: string,
  ): Noted & { readonly planned: PlannedEvent & { readonly instead: readonly string[] } } {
    const { origin, series, disposition, parent } = event;
    const known = items.get(keyOf(origin.key)) ?? null;
    const full = inFull(event, known);
    const { input, categories, tags, venues: places, organizers: people } = full;
    const relations = { categories, tags, venues: places, organizers: people };
    const above = parent === undefined ? {} : { parent: parent === null ? null : keyOf(parent) };
    const parts = (series?.overrides ?? []).map(([date, part]) => ({
      date,
      ...eventOf(part, 'part', keyOf(origin.key)),
    }));
    const repeating = series && { repeating: series.repeating, apart: parts.map(({ date }) => date) };
    const members = { ...input, ...relations, ...above, ...repeating, disposition: disposition ?? 'stay' };
    const isOlder = BigInt(origin.sequence ?? known?.sequence ?? 0) < BigInt(known?.sequence ?? 0);
    if (isOlder) older.push(origin);
    const noted =
      known && isOlder
        ? { known, item: known, unchanged: new Set(Object.keys(members)), isSame: true }
        : itemOf(
            ...([origin, kind, endOf(event, siteZone), members] as const),
            present({ sequence: origin.sequence, series: of }),
          );
    const planned = {
      ...full,
      ...above,
      origin: { ...origin, key: noted.item.key },
      unchanged: noted.unchanged,
      instead: insteadOf(event, items),
      ...(series && {
        series: {
          ...series,
          overrides: parts.map(({ date, planned: part }) => [date, part] as const),
          // What a date said when it was changed apart is said by nothing once it is as the others.
          singles: series.singles.map((single) => {
            const part = items.get(keyOf(single.origin.key));
            return part?.kind === 'part' ? inFull(single, part) : single;
          }),
        },
      }),
    };
    return { ...noted, planned, isSame: noted.isSame && parts.every(({ isSame }) => isSame) };
  }

  const venues = said.venues.map(post('venue'));
  const organizers = said.organizers.map(post('organizer'));
  const events: ChangedEvent[] = [];
  const there = new Set(current.map(({ uid }) => keyOf(uid)));
  const replaced = new Set<string>();
  for (const event of said.events) {
    await turn();
    const { planned, item, known, isSame } = eventOf(event, 'event');
    const gone = planned.instead.filter((key) => items.has(key) && !there.has(key));
    for (const key of gone) replaced.add(key);
    if (!isSame || gone.length > 0) events.push({ planned, item, known });
  }
  return {
    plan: { terms, venues, organizers, events: events.map(({ planned }) => planned) },
    events,
    items: changed,
    keys: there,
    replaced,
    rejoined: rejoinedAmong(items, there),
    older,
    total: said.events.length,
    unchanged: said.events.length - events.length,
  };
}

/** Keys of what the same record was here: dates of a series may have been all that the source told of it. */
function insteadOf({ instead = [], series }: PlannedEvent, items: SourceItems): readonly string[] {
  const singles = (series?.singles ?? []).map(({ origin }) => origin.key);
  return [...new Set([...instead, ...singles.filter((key) => items.has(key))])];
}

/** What members are of which a source says nothing any more. What was private stays so. */
export const NOTHING_SAID = {
  website: '',
  image: null,
  cost: '',
  online: { isVirtual: false, virtualUrl: null },
  eventStatus: 'scheduled',
} as const satisfies EventInput;
const NOTHING_LINKED = { categories: [], tags: [], venues: [], organizers: [] } as const;

/** The members that the source had said and does not say any more, with the values that say nothing. */
function emptied<Members extends object>(
  nothing: Members,
  said: { readonly [Member in keyof Members]?: unknown },
  known: SourceItem | null,
): Partial<Members> {
  const names = Object.keys(nothing) as (keyof Members & string)[]; // Its own keys.
  const gone = names.filter((name) => said[name] === undefined && known?.members[name] !== undefined);
  return Object.fromEntries(gone.map((name) => [name, nothing[name]])) as Partial<Members>;
}

/** Dates of series that are there, of which no record differs any more. */
function rejoinedAmong(items: SourceItems, present: ReadonlySet<string>): readonly string[] {
  const apart = [...items.values()].filter(({ kind, key }) => kind === 'part' && !present.has(key));
  return apart.filter(({ series }) => series !== undefined && present.has(series)).map(({ key }) => key);
}

/**
 * Keys of the events that refused records are of, as far as their titles tell: all of them if one has no title. A record that
 * was never readable is of none, so it does not keep others from being missing.
 */
export function unreadAmong(items: SourceItems, refused: readonly Fault[]): ReadonlySet<string> {
  const titles = new Set(refused.filter(({ kind }) => kind === 'event').map(({ name }) => digest(name)));
  const isUnclear = refused.some(({ kind, name }) => name === '' && (kind === 'event' || kind === 'record'));
  const matches = [...items.values()].filter(({ members }) => isUnclear || titles.has(members.title ?? ''));
  return new Set(matches.map(({ key }) => key));
}

interface Noted {
  readonly item: SourceItem;
  readonly known: SourceItem | null;
  readonly unchanged: ReadonlySet<string>;
  readonly isSame: boolean;
}

function openPortions(): () => Promise<void> {
  let done = 0;
  return async () => {
    done += 1;
    if (done % PORTION === 0) await nextTurn();
  };
}

function eventContent({ input, series, venues = [] }: PlannedEvent, names: ReadonlyMap<string, string>): string {
  const places = venues.map((key) => names.get(key) ?? key);
  // A single event that repeats now is not the series that it has become.
  const kind = series === undefined ? [] : ['series'];
  return contentOf(slugFrom(input.title ?? ''), input.times?.start, input.times?.timezone, places, ...kind);
}

/** Null: it cannot be said. */
export const startOf = (times: EventInput['times'], siteZone: Zone): EpochSeconds | null =>
  times?.start === undefined
    ? null
    : instantOf(present({ start: times.start, timezone: times.timezone }), siteZone, '00:00:00');

/** When the event ends; a series ends with its last date before the horizon. */
function endOf({ input, series }: PlannedEvent, siteZone: Zone): EpochSeconds | null {
  const ends = [input, ...(series?.singles ?? []).map((single) => single.input)].map(({ times }) =>
    instantOf(times, siteZone),
  );
  return ends.reduce<EpochSeconds | null>((last, end) => (end === null ? last : Math.max(last ?? end, end)), null);
}

function instantOf(times: EventInput['times'], siteZone: Zone, ofDay = '23:59:59'): EpochSeconds | null {
  const end = times?.end ?? times?.start;
  if (typeof end === 'number') return end;
  if (typeof end !== 'string') return null;
  const zone = resolveZone(times?.timezone ?? '') ?? siteZone;
  try {
    return toInstant(end.length > 10 ? end : `${end} ${ofDay}`, zone);
  } catch {
    return null;
  }
}
