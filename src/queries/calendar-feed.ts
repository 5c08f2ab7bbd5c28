// A calendar feed: understood like the list of events, outlined, then written page by page.
import { CALENDAR_END } from '../feeds/icalendar/calendar.ts';
import { eventComponent } from '../feeds/icalendar/event-component.ts';
import type { EventDocument } from '../read-model/documents.ts';
import type { EventQuery } from '../read-model/queries.ts';
import { isVisible } from '../read-model/visibility.ts';
import { feedEvents } from './feed-events.ts';
import { type FeedOutline, feedOutline } from './feed-outline.ts';
import { eventListRequest } from './list-events.ts';
import type { QueryRefusal } from './post-list.ts';
import type { QueryDependencies, Reader } from './reader.ts';

/** How many events are in memory at once. */
const PAGE = 50;
/** Ids of all outlines that are kept; a calendar of the largest size takes 80 kB. */
const MOST_KEPT_IDS = 200_000;
/** What an outline takes beside its ids, counted in ids. */
const OUTLINE_IDS = 200;

type Given = { readonly [name: string]: unknown };

export interface CalendarFeeds {
  /** What a request asks for. Outlines of the public are kept while the read model stands still. */
  outline(given: Given, reader: Reader): Promise<FeedOutline | QueryRefusal>;
  /**
   * The calendar as text, whole pages of events at a time. It tells each event of the outline as it is when its page
   * is reached, none twice, and leaves out what the reader may not see by then.
   */
  text(outline: FeedOutline, reader: Reader): AsyncGenerator<string, void, undefined>;
}

export function openCalendarFeeds(dependencies: QueryDependencies): CalendarFeeds {
  const { readModel } = dependencies;
  let kept = new Map<string, FeedOutline>();
  let keptVersion = '';
  let keptIds = 0;
  /** Outlines that are being made, by version and key. */
  const underWay = new Map<string, Promise<FeedOutline>>();

  function keep(key: string, outline: FeedOutline, version: string): void {
    const size = outline.ids.length + OUTLINE_IDS;
    if (version !== keptVersion || keptIds + size > MOST_KEPT_IDS) {
      kept = new Map();
      keptIds = 0;
    }
    keptVersion = version;
    keptIds += size;
    kept.set(key, outline);
  }

  async function outlineOf(query: EventQuery, reader: Reader): Promise<FeedOutline> {
    const { caller, links, password } = reader;
    if (caller !== null || password !== undefined) return (await feedOutline(dependencies, query, reader)).outline;
    const key = JSON.stringify([links.site, links.root, links.host, query]);
    const current = await readModel.version();
    const known = current === keptVersion ? kept.get(key) : undefined;
    return known ?? makeOnce(key, current, query, reader);
  }

  /** Subscribers come at the full hour, all of them. */
  function makeOnce(key: string, current: string, query: EventQuery, reader: Reader): Promise<FeedOutline> {
    const flight = `${current} ${key}`;
    const before = underWay.get(flight);
    if (before !== undefined) return before;
    const made = make(key, query, reader).finally(() => underWay.delete(flight));
    underWay.set(flight, made);
    return made;
  }

  async function make(key: string, query: EventQuery, reader: Reader): Promise<FeedOutline> {
    const { outline, version, isSettled } = await feedOutline(dependencies, query, reader);
    if (isSettled) keep(key, outline, version);
    return outline;
  }

  return {
    async outline(given, reader) {
      const request = eventListRequest(given, dependencies, reader, await readModel.terms());
      return 'refused' in request ? request : outlineOf(request.query, reader);
    },
    async *text(outline, reader) {
      yield outline.head;
      for (let at = 0; at < outline.ids.length; at += PAGE)
        yield await pageText(dependencies, outline, outline.ids.slice(at, at + PAGE), reader);
      yield CALENDAR_END;
    },
  };
}

async function pageText(
  dependencies: QueryDependencies,
  { query, unlocked, described }: FeedOutline,
  ids: readonly number[],
  reader: Reader,
): Promise<string> {
  const documents = await dependencies.readModel.fetch(ids.map((id) => ({ kind: 'event', id })));
  const shown = documents.filter(
    (document): document is EventDocument =>
      document?.kind === 'event' && !document.hidden && isVisible(document, query.visibility),
  );
  const open = new Set(shown.filter(({ id, revision }) => unlocked.get(id) === revision));
  const events = await feedEvents(dependencies, shown, reader, open);
  return events.map((event) => eventComponent(event, { host: reader.links.host, described })).join('');
}
