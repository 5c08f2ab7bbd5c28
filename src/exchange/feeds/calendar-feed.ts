// A calendar feed: parsed like the list of events, outlined, then written piece by piece.
// decision 17

import type { EventListInput } from '../../calendar/event/http/event-schema.ts';
import { eventListRequest } from '../../calendar/event/queries/list-events.ts';
import { withStaying } from '../../editorial/merges/queries/merged.ts';
import { orUpcoming } from '../../editorial/schedule/queries/upcoming.ts';
import { openTurns } from '../../kernel/event-loop/turns.ts';
import { shareOf } from '../../kernel/memory/limit.ts';
import type { QueryRefusal } from '../../queries/arguments.ts';
import { assembleEvents } from '../../queries/assemble.ts';
import { inOneState } from '../../queries/one-state.ts';
import type { QueryDependencies, Reader } from '../../queries/reader.ts';
import type { EventQuery } from '../../read-model/queries.ts';
import type { FeedEvent } from './feed-event.ts';
import { feedEvent } from './feed-events.ts';
import { type FeedOutline, feedOutline, type OutlineMade, visibleEvents } from './feed-outline.ts';
import type { SeriesPart } from './feed-series.ts';
import { CALENDAR_END } from './icalendar/calendar.ts';
import { type EventSurroundings, eventComponent } from './icalendar/event-component.ts';
import { dateComponent, seriesComponent } from './icalendar/series-component.ts';
import { nameOf, type Presentation, presentQuery } from './presentation.ts';
import { openPieces, type PieceLimits, TooManyCalendars } from './text-chunks.ts';

/** Limit of ids in all cached outlines; a calendar of the largest size takes 80 kB. */
const MAX_CACHED_IDS = 200_000;
/** Size of an outline besides its ids, counted in ids. */
const OUTLINE_IDS = 200;
/** Of a series that it says by a rule. */
const SERIES_IDS = 10;

export interface CalendarFeeds {
  /**
   * The outline for a request. Public outlines are cached while the read model does not change. Rejects with
   * `TooManyCalendars`, also if every client has disconnected before its turn.
   */
  outline(
    asked: EventListInput,
    reader: Reader,
    presentation: Presentation,
    waiting?: AbortSignal,
  ): Promise<FeedOutline | QueryRefusal>;
  /**
   * The calendar as text (UTF-8), a page of events at a time. Each event of the outline is in its state at the time of
   * its page, none twice, and events that the reader may no longer see are left out. Public pages are cached by the tag
   * of the calendar and built once for concurrent readers.
   */
  text(outline: FeedOutline, reader: Reader): AsyncGenerator<string | Uint8Array, void, undefined>;
}

/** Calendars are built one after the other, a page at a time each; this many may wait for their outlines. */
export const CALENDAR_LIMITS: PieceLimits = { maxBytes: shareOf(32 * 1_048_576, 1 / 64), maxWaiting: 100 };

export function openCalendarFeeds(
  dependencies: QueryDependencies,
  limits: PieceLimits = CALENDAR_LIMITS,
): CalendarFeeds {
  const { readModel } = dependencies;
  const pieces = openPieces(limits);
  let cached = new Map<string, FeedOutline>();
  let cachedVersion = '';
  let cachedIds = 0;
  /** Outlines being built, by version and key, with all who wait for them. */
  const underWay = new Map<string, { readonly made: Promise<FeedOutline>; readonly readers: AbortSignal[] }>();

  function cache(key: string, outline: FeedOutline, version: string): void {
    const others = OUTLINE_IDS + SERIES_IDS * outline.series.size;
    const size = outline.pages.reduce((ids, page) => ids + page.length, others);
    if (version !== cachedVersion || cachedIds + size > MAX_CACHED_IDS) {
      cached = new Map();
      cachedIds = 0;
    }
    cachedVersion = version;
    cachedIds += size;
    cached.set(key, outline);
  }

  async function outlineOf(
    query: EventQuery,
    reader: Reader,
    presentation: Presentation,
    waiting: AbortSignal,
  ): Promise<FeedOutline> {
    const make = () => feedOutline(dependencies, query, reader, presentation);
    if (!isPublic(reader)) return (await pieces.begin(whileWaiting([waiting], make))).outline;
    const { links } = reader;
    const key = JSON.stringify([links.site, links.root, links.host, query, nameOf(presentation)]);
    const current = await readModel.version();
    const found = current === cachedVersion ? cached.get(key) : undefined;
    return found ?? makeOnce(key, current, make, waiting);
  }

  /** Subscribers all come at the full hour. */
  function makeOnce(
    key: string,
    current: string,
    make: () => Promise<OutlineMade>,
    waiting: AbortSignal,
  ): Promise<FeedOutline> {
    const flight = `${current} ${key}`;
    const before = underWay.get(flight);
    if (before) {
      before.readers.push(waiting);
      return before.made;
    }
    const readers = [waiting];
    const work = whileWaiting(readers, () => madeAndCached(key, make));
    const made = pieces.begin(work).finally(() => underWay.delete(flight));
    underWay.set(flight, { made, readers });
    return made;
  }

  async function madeAndCached(key: string, make: () => Promise<OutlineMade>): Promise<FeedOutline> {
    const { outline, version, isSettled } = await make();
    if (isSettled) cache(key, outline, version);
    return outline;
  }

  return {
    async outline(asked, reader, presentation, waiting = FOR_ITSELF) {
      const staying = await withStaying(readModel, await orUpcoming(readModel, asked, reader.now));
      const request = eventListRequest(staying, dependencies, reader, await readModel.terms());
      if ('refused' in request) return request;
      return outlineOf(presentQuery(request.query, presentation), reader, presentation, waiting);
    },
    async *text(outline, reader) {
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
const whileWaiting =
  <Made>(readers: readonly AbortSignal[], work: () => Promise<Made>) =>
  async (): Promise<Made> => {
    if (readers.every(({ aborted }) => aborted)) throw new TooManyCalendars('every client has disconnected');
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
  const { shown, bodies } = await inOneState({
    version,
    before: await version(),
    shown: JSON.stringify,
    async read() {
      const visible = await visibleEvents(dependencies.readModel, ids, query.visibility);
      const open = new Set(visible.filter(({ id, revision }) => unlocked.get(id) === revision));
      return { shown: visible, bodies: await assembleEvents(dependencies, visible, reader, 'plain', open) };
    },
  });
  for (const [index, document] of shown.entries()) {
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
