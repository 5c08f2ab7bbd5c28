// A calendar feed: parsed like the list of events, outlined, then written piece by piece.
// decision 17

import { createHash, type Hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { EventListInput } from '../../calendar/event/http/event-schema.ts';
import { eventListRequest } from '../../calendar/event/queries/list-events.ts';
import { withStaying } from '../../editorial/merges/queries/merged.ts';
import { orUpcoming } from '../../editorial/schedule/queries/upcoming.ts';
import { singleFlight } from '../../kernel/event-loop/shared-work.ts';
import { openTurns } from '../../kernel/event-loop/turns.ts';
import { shareOf } from '../../kernel/memory/limit.ts';
import { phrase } from '../../locales/phrases.ts';
import type { QueryRefusal } from '../../queries/arguments.ts';
import { assembleEvents } from '../../queries/assemble.ts';
import { DIGEST_LENGTH } from '../../queries/digest.ts';
import { inOneState } from '../../queries/one-state.ts';
import type { QueryDependencies, Reader } from '../../queries/reader.ts';
import { unlockedBy } from '../../queries/unlock.ts';
import type { DocumentLink, EventDocument } from '../../read-model/documents.ts';
import { type EventQuery, isVisible, type TermView, type Visibility } from '../../read-model/queries.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import type { FeedEvent } from './feed-event.ts';
import { feedEvent } from './feed-events.ts';
import { openSeriesDates, type SeriesPart } from './feed-series.ts';
import { CALENDAR_END, calendarHead } from './icalendar/calendar.ts';
import { type EventSurroundings, eventComponent } from './icalendar/event-component.ts';
import { dateComponent, type FeedSeries, seriesComponent } from './icalendar/series-component.ts';
import { yearOf } from './icalendar/time-zone.ts';
import { nameOf, needsWords, type Presentation, presentQuery } from './presentation.ts';
import { openPieces, type PieceLimits, TooManyCalendars } from './text-chunks.ts';

/** Limit of ids in all cached outlines; a calendar of the largest size takes 80 kB. */
const MAX_CACHED_IDS = 200_000;
/** Size of an outline besides its ids, counted in ids. */
const OUTLINE_IDS = 200;
/** What an outline takes for a series that it says by a rule, counted in ids. */
const SERIES_IDS = 10;

const idsIn = ({ pages, series }: FeedOutline): number =>
  OUTLINE_IDS + SERIES_IDS * series.size + pages.reduce((ids, page) => ids + page.length, 0);

/** Calendars are built one after the other, a page at a time each; this many may wait for their outlines. */
const CALENDAR_LIMITS: PieceLimits = { maxBytes: shareOf(32 * 1_048_576, 1 / 64), maxWaiting: 100 };

export function openCalendarFeeds(dependencies: QueryDependencies, limits: PieceLimits = CALENDAR_LIMITS) {
  const { readModel } = dependencies;
  const pieces = openPieces(limits);
  const cached = new LRUCache<string, FeedOutline>({ maxSize: MAX_CACHED_IDS, sizeCalculation: idsIn });
  let cachedVersion = '';
  /** Subscribers all come at the full hour: outlines being built, by version and key. */
  const making = singleFlight<FeedOutline>();

  function cache(key: string, outline: FeedOutline, version: string): void {
    if (version !== cachedVersion) cached.clear();
    cachedVersion = version;
    cached.set(key, outline);
  }

  async function outlineOf(
    query: EventQuery,
    reader: Reader,
    presentation: Presentation,
    waiting: AbortSignal,
  ): Promise<FeedOutline> {
    const make = () => feedOutline(dependencies, query, reader, presentation);
    const isWaiting = (): boolean => !waiting.aborted;
    if (!isPublic(reader)) return (await pieces.begin(whileWanted(isWaiting, make))).outline;
    const { links } = reader;
    const key = JSON.stringify([links.site, links.root, links.host, query, nameOf(presentation)]);
    const current = await readModel.version();
    const outline = current === cachedVersion ? cached.get(key) : undefined;
    const begin = (isWanted: () => boolean) => pieces.begin(whileWanted(isWanted, () => madeAndCached(key, make)));
    return outline ?? making(`${current} ${key}`, begin, isWaiting);
  }

  async function madeAndCached(key: string, make: () => Promise<VersionedOutline>): Promise<FeedOutline> {
    const { outline, version, isSettled } = await make();
    if (isSettled) cache(key, outline, version);
    return outline;
  }

  return {
    /**
     * The outline for a request. Public outlines are cached while the read model does not change. Rejects with
     * `TooManyCalendars`, also if every client has disconnected before its turn.
     */
    async outline(
      input: EventListInput,
      reader: Reader,
      presentation: Presentation,
      waiting: AbortSignal = FOR_ITSELF,
    ): Promise<FeedOutline | QueryRefusal> {
      const staying = await withStaying(readModel, await orUpcoming(readModel, input, reader.now));
      const request = eventListRequest(staying, dependencies, reader, await readModel.terms());
      if ('refused' in request) return request;
      return outlineOf(presentQuery(request.query, presentation), reader, presentation, waiting);
    },
    /**
     * The calendar as text (UTF-8), a page of events at a time. Each event of the outline is in its state at the time of
     * its page, none twice, and events that the reader may no longer see are left out. Public pages are cached by the tag
     * of the calendar and built once for concurrent readers.
     */
    async *text(outline: FeedOutline, reader: Reader): AsyncGenerator<string | Uint8Array, void, undefined> {
      yield outline.head;
      for (const ids of outline.pages) {
        const page = () => pageText(dependencies, outline, ids, reader);
        // Two outlines with one tag have the same events in the same order; where pages end may differ.
        const name = `${outline.etag} ${ids[0]} ${ids.length}`;
        yield await (isPublic(reader) ? pieces.find(name, page) : pieces.inTurn(page));
      }
      yield CALENDAR_END;
    },
  };
}

const isPublic = ({ caller, password }: Reader): boolean => caller === null && password === undefined;

/** For outlines that are built without a client, which cannot disconnect. */
const FOR_ITSELF = new AbortController().signal;

/** Skips the work if every client has disconnected before its turn: a calendar takes seconds, and clients that time out ask again. */
const whileWanted =
  <Made>(isWanted: () => boolean, work: () => Promise<Made>) =>
  async (): Promise<Made> => {
    if (!isWanted()) throw new TooManyCalendars('every client has disconnected');
    return work();
  };

async function pageText(
  dependencies: QueryDependencies,
  outline: FeedOutline,
  ids: readonly number[],
  reader: Reader,
): Promise<string> {
  const { query, unlocked, described, presentation } = outline;
  const surroundings = { host: reader.links.host, described, presentation };
  const turn = openTurns();
  const components: string[] = [];
  const { version } = dependencies.readModel;
  const { documents, bodies } = await inOneState({
    version,
    startVersion: await version(),
    content: JSON.stringify,
    async read() {
      const visible = await visibleEvents(dependencies.readModel, ids, query.visibility);
      const open = new Set(visible.filter(({ id, revision }) => unlocked.get(id) === revision));
      return { documents: visible, bodies: await assembleEvents(dependencies, visible, reader, 'plain', open) };
    },
  });
  for (const [index, document] of documents.entries()) {
    await turn();
    const body = bodies[index];
    if (!body) continue;
    const event = feedEvent(document, body);
    components.push(written(event, outline.series.get(document.id), surroundings));
  }
  return components.join('');
}

function written(event: FeedEvent, part: SeriesPart | undefined, surroundings: EventSurroundings): string {
  if (part === undefined) return eventComponent(event, surroundings);
  if (part.kind === 'rule') return seriesComponent(part.series, event, surroundings);
  return dateComponent(part.series, part.date, event, surroundings);
}

// The outline of a calendar feed, before any of it is written: its events, their order and revisions, and its zones.
// That is enough for its tag, so a client that has the calendar already costs no more than this.

/** Most events of one calendar: the first ones. */
const MAX_FEED_EVENTS = 10_000;
/** Events that are read and written at once. */
const PAGE = 50;
/** As many as a page of the list has: verifying a password takes time on purpose. */
const MAX_PASSWORD_CHECKS = 50;
/** Part of every tag; raise it when events are written differently. */
const FORM = '3';
/** Part of the tag of a calendar with words in a language; raise it when they are written differently. */
const FORM_OF_WORDS = '2';

interface FeedOutline {
  readonly query: EventQuery;
  readonly presentation: Presentation;
  /** Whether its texts depend on the language. */
  readonly isInLanguage: boolean;
  /** The events, some at a time. */
  readonly pages: readonly (readonly number[])[];
  /** Events that are written for others of their series, or as its dates that differ, by their ids. */
  readonly series: ReadonlyMap<number, SeriesPart>;
  /** How many events match, included or not. */
  readonly total: number;
  /** The calendar up to its first event. */
  readonly head: string;
  /** Names of the zones that it describes. */
  readonly described: ReadonlySet<string>;
  /** Protected events that the reader's password opens, each at the revision for which that was found. */
  readonly unlocked: ReadonlyMap<number, number>;
  readonly etag: string;
}

interface VersionedOutline {
  readonly outline: FeedOutline;
  readonly version: string;
  /** Nothing has changed meanwhile. */
  readonly isSettled: boolean;
}

/**
 * Runs a query: the ids at one moment, then the events, a few at a time. Events that were removed or closed meanwhile
 * are left out; none is included twice.
 */
export async function feedOutline(
  dependencies: QueryDependencies,
  query: EventQuery,
  reader: Reader,
  presentation: Presentation,
): Promise<VersionedOutline> {
  const { readModel } = dependencies;
  const version = await readModel.version();
  const outline = await gather(dependencies, query, reader, presentation);
  return { outline, version, isSettled: (await readModel.version()) === version };
}

async function gather(
  dependencies: QueryDependencies,
  query: EventQuery,
  reader: Reader,
  presentation: Presentation,
): Promise<FeedOutline> {
  const { readModel } = dependencies;
  const page = { offset: 0, limit: MAX_FEED_EVENTS };
  const { items: matches, total } = await readModel.findEvents({ ...query, page });
  const pages: (readonly number[])[] = [];
  const zones = new Map<string, Set<number>>();
  const unlocked = new Map<number, number>();
  const marks = openMarks(dependencies, reader);
  const dates = openSeriesDates();
  const turn = openTurns();
  let checks = 0;
  let hasWords = false;
  for (let at = 0; at < matches.length; at += PAGE) {
    await turn();
    const events = await visibleEvents(readModel, matches.slice(at, at + PAGE), query.visibility);
    const locked = events.filter((event) => event.protected).slice(0, MAX_PASSWORD_CHECKS - checks);
    checks += locked.length;
    const opened = await unlockedBy(dependencies, locked, reader);
    await marks.add(events, (event) => opened.has(event));
    pages.push(events.map(({ id }) => id));
    hasWords ||= events.some(needsWords);
    for (const event of events) {
      const isOpen = !event.protected || opened.has(event);
      if (event.protected && isOpen) unlocked.set(event.id, event.revision);
      noteZone(zones, event, isOpen);
      dates.note(event);
    }
  }
  const series = await dates.said(readModel);
  let rules = '';
  for (const part of series.parts.values()) {
    await turn();
    if (part.kind !== 'rule') continue;
    noteYears(zones, part.series);
    rules += ruleIn(part.series);
  }
  const isCut = total > MAX_FEED_EVENTS;
  const cut = isCut ? phrase('calendar_cut', { shown: MAX_FEED_EVENTS, total })(presentation.language) : '';
  const head = calendarHead(dependencies.site.name ?? reader.links.host, zones, cut);
  const etag = `"${marks.digest(`${hasWords ? `${head} ${nameOf(presentation)} ${FORM_OF_WORDS}` : head}${rules}`)}"`;
  const isInLanguage = isCut || (hasWords && presentation.cancelled !== 'status');
  const written = pages.map((ids) => ids.filter((id) => !series.covered.has(id)));
  return {
    query,
    presentation,
    isInLanguage,
    total,
    head,
    unlocked,
    etag,
    pages: written.filter((ids) => ids.length > 0),
    series: series.parts,
    described: new Set(zones.keys()),
  };
}

/** Those events that still exist for their reader. */
async function visibleEvents(
  readModel: Pick<ReadModel, 'fetch'>,
  ids: readonly number[],
  visibility: Visibility,
): Promise<EventDocument[]> {
  const documents = await readModel.fetch(ids.map((id) => ({ kind: 'event', id })));
  return documents.filter(
    (document): document is EventDocument =>
      document?.kind === 'event' && !document.hidden && isVisible(document, visibility),
  );
}

/**
 * The zone of an event in its fragment. Inside a JSON string a quotation mark is escaped by a backslash, so no text of
 * an editor can look like this.
 */
const ZONE = /"timezone":("(?:[^"\\]|\\.)*"),"timezone_abbr":/;
const WHOLE_DAYS = '"all_day":true,"start_date":';

function noteZone(zones: Map<string, Set<number>>, event: EventDocument, isOpen: boolean): void {
  const { full } = event.fragments;
  if (isOpen && full.includes(WHOLE_DAYS)) return;
  const quoted = ZONE.exec(full)?.[1];
  if (quoted === undefined) return;
  const name: string = JSON.parse(quoted);
  const years = zones.get(name) ?? new Set<number>();
  zones.set(name, years);
  years.add(yearOf(event.startsAt)).add(yearOf(event.endsAt));
}

/** The zone of a rule is needed as long as the rule goes on. */
function noteYears(zones: Map<string, Set<number>>, { said, times }: FeedSeries): void {
  if (times.allDay) return;
  const years = zones.get(said.zone.name) ?? new Set<number>();
  zones.set(said.zone.name, years);
  for (const year of said.years) years.add(year);
}

const ruleIn = ({ id, said: { first, rule, added, leftOut } }: FeedSeries): string =>
  JSON.stringify([id, first, rule, added, leftOut]);

/** Revisions of the events and of what they embed; links and rights of the reader. */
function openMarks({ readModel }: QueryDependencies, { caller, links }: Reader) {
  const hash: Hash = createHash('sha256');
  const rights = caller === null ? 'public' : `${caller.role} ${caller.id}`;
  hash.update(JSON.stringify([FORM, links.site, links.root, links.host, rights]));
  /** For venues and organizers; -1 if there is none. */
  const revisions = new Map<string, number>();

  async function learn(events: readonly EventDocument[]): Promise<void> {
    const keys = new Map<string, { readonly kind: 'venue' | 'organizer'; readonly id: number }>();
    for (const { venues, organizers } of events) {
      for (const { id } of venues) keys.set(`venue ${id}`, { kind: 'venue', id });
      for (const { id } of organizers) keys.set(`organizer ${id}`, { kind: 'organizer', id });
    }
    const unknown = [...keys].filter(([key]) => !revisions.has(key));
    const documents = unknown.length === 0 ? [] : await readModel.fetch(unknown.map(([, key]) => key));
    for (const [index, [key]] of unknown.entries()) revisions.set(key, documents[index]?.revision ?? -1);
  }

  const linked = (kind: 'venue' | 'organizer', posts: readonly DocumentLink[]): string =>
    posts.map(({ id, life }) => `${kind[0]}${id}.${life}.${revisions.get(`${kind} ${id}`)}`).join();

  const carried = (ids: readonly number[], terms: ReadonlyMap<number, TermView>): string =>
    ids.map((id) => `t${id}.${terms.get(id)?.revision}`).join();

  return {
    async add(events: readonly EventDocument[], isOpened: (event: EventDocument) => boolean) {
      await learn(events);
      const terms = await readModel.terms();
      for (const event of events)
        hash.update(
          `|${event.id}.${event.revision}${isOpened(event) ? ' open' : ''}:` +
            `${linked('venue', event.venues)}${linked('organizer', event.organizers)}` +
            `${carried(event.categories, terms)}${carried(event.tags, terms)}`,
        );
    },
    /** 132 bits over everything that the calendar is written from. */
    digest: (further: string) => hash.update(further).digest('base64url').slice(0, DIGEST_LENGTH),
  };
}
