// The index that answers every list: what the rows of the read model say, in this process. Pure: rows go in, ids come out.
// decision 9

import { isDeepStrictEqual } from 'node:util';
import { POST_STATUSES, type PostStatus } from '../../calendar/resource/domain/post.ts';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import { type DocumentKey, statusCode } from '../documents.ts';
import type {
  EventQuery,
  FacetCounts,
  Facets,
  LinkedPostQuery,
  NewestQuery,
  PageOf,
  ScheduledPost,
  TermQuery,
  TermView,
} from '../queries.ts';
import { type EventOfTerms, listTerms, type Terms, termViews } from '../term-queries.ts';
import { marking, type Unproven } from './event-filters.ts';
import {
  type EventMatches,
  type EventPlace,
  findEvents,
  firstOfSeries,
  newestEvents,
  nextEdge,
  nextState,
  placeOf,
} from './event-lists.ts';
import { openEventTable, type TargetKind } from './event-table.ts';
import { countFacets } from './facets.ts';
import { findLinkedPosts, type LinkedPosts, openLinkedPosts } from './linked-posts.ts';
import type { EventRow, LinkedPostRow, Row, SeriesRow, TermRow } from './rows.ts';
import { flagBit, statusIn, withStatus } from './traits.ts';

/** A row, or that there is none any more. */
interface RowChange {
  readonly key: DocumentKey;
  readonly row: Row | null;
}

/** A document of a list, and of which revision. */
export interface Listed {
  readonly id: number;
  readonly revision: number;
}

/** An event, and the series that it is a date of; 0: of none. */
export interface ListedEvent extends Listed {
  /** The instant of its publication. */
  readonly date: number;
  readonly series: number;
}

export const lastPublished = (one: ListedEvent, other: ListedEvent): number =>
  other.date - one.date || other.id - one.id;

/** The events of a page; or all that may match, if phrases have to be looked for in their texts. */
export type ListedEvents = PageOf<ListedEvent> & { readonly unproven: Unproven | null };

/** What rows say in the index of another instant; null: it has none. */
export interface RowsThen {
  event(status: PostStatus): PostStatus | null;
  linkedPost(row: LinkedPostRow): LinkedPostRow;
}

/** An index that is loading. */
interface IndexUntil {
  readonly index: ListIndex;
  /** When the last of what it has was recorded. */
  readonly latest: EpochSeconds;
  /** All other resources. */
  readonly others: readonly DocumentKey[];
}

export interface ListIndex {
  /** Enters changes: while it is loading, all rows. */
  apply(changes: readonly RowChange[]): void;
  /**
   * What it has of resources of which nothing was recorded after an instant, made step by step. What changes meanwhile has to
   * be entered there.
   */
  until(instant: EpochSeconds, rowsThen: RowsThen): Generator<undefined, IndexUntil>;
  /** Ends the loading step by step; no query is answered before, and no change comes in between. */
  loaded(): Generator<undefined, void>;
  /** Indexes the words of loaded texts, in steps of about a millisecond: from then on texts can be searched. */
  indexWords(): Generator<undefined, void>;
  /** Whether it has what this row says. */
  shows(row: Row): boolean;
  /** The revision of an event; undefined: there is none. */
  revisionOf(id: number): number | undefined;
  /** All of them. */
  linkedPosts: LinkedPosts['all'];
  /** All categories and tags, also deleted ones. */
  termRows(): readonly TermRow[];
  /** Searches the words of a query step by step; what is asked next needs not do it at once. */
  searching(query: EventQuery): Generator<undefined, void>;
  findEvents(query: EventQuery): ListedEvents;
  /** Null: phrases have to be looked for in the texts of all that `findEvents` finds. */
  placeOf(query: EventQuery, id: number): EventPlace | null;
  countFacets(query: EventQuery, facets: Facets): FacetCounts | null;
  findLinkedPosts(query: LinkedPostQuery): PageOf<Listed>;
  listTerms(query: TermQuery): PageOf<TermView>;
  /** All categories and tags that are not deleted; the same object until one of them or a count changes. */
  terms(): Terms;
  nextEdge(now: number): number | null;
  newestEvents(query: NewestQuery): ListedEvents;
  nextScheduled(): number | null;
  scheduledUntil(instant: number, limit: number): readonly ScheduledPost[];
  /** Whether most of its texts are former ones, so that a new index is smaller. */
  isWorn(): boolean;
  /** Bytes of memory, roughly. */
  bytes(): number;
}

/** Events that are looked at in about a millisecond. */
const EVENTS_AT_ONCE = 2_048;
/** Terms, venues and organizers that are entered in about a millisecond. */
const ROWS_AT_ONCE = 512;
const SCHEDULED = statusCode('future');
const PROTECTED = flagBit('protected');
const LINKED_KINDS = ['venue', 'organizer'] as const;

const byDate = (one: ScheduledPost, other: ScheduledPost): number => one.date - other.date || one.id - other.id;

/** The page that is left of events when phrases were looked for in their texts. */
export function pageOfProven({ page, collapse }: EventQuery, proven: readonly ListedEvent[]): PageOf<ListedEvent> {
  const isFirst = firstOfSeries();
  const left = collapse ? proven.filter(({ series }) => isFirst(series)) : proven;
  return { items: left.slice(page.offset, page.offset + page.limit), total: left.length };
}

export function openListIndex(table = openEventTable()): ListIndex {
  const posts = openLinkedPosts();
  const terms = new Map<string, TermRow>();
  const series = new Map<number, SeriesRow>();
  const sources = { table, posts, seriesOf, state: nextState() };
  /** Null: a term has changed. */
  let views: Terms | null = null;

  const { columns } = table;
  const listed = (slot: number): ListedEvent => ({
    id: columns.id[slot] ?? 0,
    revision: columns.revision[slot] ?? 0,
    date: columns.date[slot] ?? 0,
    series: seriesOf(slot),
  });
  const allListed = ({ slots, ...matches }: EventMatches): ListedEvents => ({ items: slots.map(listed), ...matches });
  /** The parent of a date is its series. */
  function seriesOf(slot: number): number {
    const parent = columns.parent[slot] ?? 0;
    return series.has(parent) ? parent : 0;
  }

  function replace({ key: { kind, id }, row }: RowChange): void {
    switch (kind) {
      case 'event':
        table.replace(id, row as EventRow | null); // As its kind says; so with the others.
        return;
      case 'venue':
      case 'organizer':
        posts.replace(kind, id, row as LinkedPostRow | null);
        return;
      case 'category':
      case 'tag':
        views = null;
        if (row === null) terms.delete(`${kind} ${id}`);
        else terms.set(`${kind} ${id}`, row as TermRow);
        return;
      case 'series':
        if (row === null) series.delete(id);
        else series.set(id, row as SeriesRow);
    }
  }

  function* until(instant: EpochSeconds, then: RowsThen): Generator<undefined, IndexUntil> {
    const others: DocumentKey[] = [];
    let latest = Number.NEGATIVE_INFINITY;
    function isUntil({ kind, id, recordedAt }: DocumentKey & Pick<Row, 'recordedAt'>): boolean {
      if (recordedAt > instant) others.push({ kind, id });
      else latest = Math.max(latest, recordedAt);
      return recordedAt <= instant;
    }
    const unlinked = [...terms.values(), ...series.values()].filter(isUntil);
    const linkedPosts = LINKED_KINDS.flatMap(posts.all).filter(isUntil).map(then.linkedPost);
    const statuses = POST_STATUSES.map(then.event);
    const copied: number[] = [];
    const slots = table.order.items.slice(0, table.order.length);
    for (const [at, slot] of slots.entries()) {
      const [id = 0, recordedAt = 0] = [columns.id[slot], columns.recordedAt[slot]];
      if (isUntil({ kind: 'event', id, recordedAt }) && statuses[statusIn(columns.traits[slot] ?? 0)] !== null)
        copied.push(slot);
      if (at % EVENTS_AT_ONCE === 0) yield;
    }
    const traitsThen = (traits: number) => withStatus(traits, statuses[statusIn(traits)] ?? 'trash');
    const index = openListIndex(yield* table.copy(Int32Array.from(copied), others.length, traitsThen));
    const unlisted = [...unlinked, ...linkedPosts].map((row) => ({ key: row, row }));
    for (let at = 0; at < unlisted.length; at += ROWS_AT_ONCE) {
      yield;
      index.apply(unlisted.slice(at, at + ROWS_AT_ONCE));
    }
    yield;
    return { index, latest, others };
  }

  function shows(row: Row): boolean {
    switch (row.kind) {
      case 'event':
        return table.shows(row);
      case 'venue':
      case 'organizer':
        return isDeepStrictEqual(posts.of(row.kind, row.id), row);
      case 'category':
      case 'tag':
        return isDeepStrictEqual(terms.get(`${row.kind} ${row.id}`), row);
      case 'series':
        return isDeepStrictEqual(series.get(row.id), row);
    }
  }

  /** Nearly every write of an event changes counts alone: 500 terms made anew take 250 us, and 35 so. */
  function allTerms(): Terms {
    const recounted = table.recounted();
    views ??= termViews(terms.values(), ({ kind, id }) => table.target(kind, id)?.open ?? 0);
    if (recounted.length === 0) return views;
    const counted = new Map(views);
    for (const { kind, id, open: count } of recounted) {
      const view = counted.get(Number(id));
      if (view?.kind === kind) counted.set(view.id, { ...view, count });
    }
    views = counted;
    return counted;
  }

  function eventOf(id: number): EventOfTerms | null {
    const slot = table.slotOf(id);
    if (slot === undefined) return null;
    const traits = columns.traits[slot] ?? 0;
    const linked = [...table.linkedTo(slot)];
    const idsOf = (kind: TargetKind): number[] =>
      linked.flatMap((target) => (target.kind === kind ? [Number(target.id)] : []));
    return {
      status: POST_STATUSES[statusIn(traits)] ?? 'trash',
      author: columns.author[slot] ?? 0,
      protected: (traits & PROTECTED) !== 0,
      categories: idsOf('category'),
      tags: idsOf('tag'),
    };
  }

  function scheduled(): ScheduledPost[] {
    const scheduledPosts: ScheduledPost[] = [];
    const { items, length } = table.order;
    for (let at = 0; at < length; at++) {
      const slot = items[at] ?? 0;
      if (statusIn(columns.traits[slot] ?? 0) === SCHEDULED) scheduledPosts.push({ kind: 'event', ...listed(slot) });
    }
    for (const kind of LINKED_KINDS)
      for (const { id, status, date } of posts.all(kind))
        if (status === 'future') scheduledPosts.push({ kind, id, date, series: 0 });
    return scheduledPosts.sort(byDate);
  }

  return {
    loaded: table.loaded,
    indexWords: table.work,
    apply(changes) {
      sources.state = nextState();
      for (const change of changes) replace(change);
    },
    shows,
    revisionOf: (id) => columns.revision[table.slotOf(id) ?? -1],
    until,
    linkedPosts: posts.all,
    termRows: () => [...terms.values()],
    searching: (query) => marking(table, query),
    findEvents: (query) => allListed(findEvents(sources, query)),
    placeOf: (query, id) => placeOf(sources, query, id),
    countFacets: (query, facets) => countFacets(sources, query, facets),
    findLinkedPosts(query) {
      const matches = findLinkedPosts(table, posts, query);
      const { offset, limit } = query.page;
      return { items: matches.slice(offset, offset + limit), total: matches.length };
    },
    listTerms: (query) => listTerms(allTerms(), query, eventOf),
    terms: allTerms,
    nextEdge: (now) => nextEdge(table, now),
    newestEvents: (query) => allListed(newestEvents(sources, query)),
    nextScheduled: () => scheduled()[0]?.date ?? null,
    scheduledUntil: (instant, limit) =>
      scheduled()
        .filter(({ date }) => date <= instant)
        .slice(0, limit),
    isWorn: table.isWorn,
    bytes: table.bytes,
  };
}
