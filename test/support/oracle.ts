// What the queries of a read model mean, said as plainly as possible: filter arrays, sort them, cut a page.

import { isHiddenLabel, LABEL_PARAMETERS, labelOf } from '../../src/calendar/event/domain/event-labels.ts';
import { EVENT_TRAITS, LISTED_FLAGS } from '../../src/calendar/event/domain/event-traits.ts';
import { foldLetters } from '../../src/kernel/text/ascii-folding.ts';
import type {
  Document,
  DocumentLink,
  EventDocument,
  LinkedPostDocument,
  TermDocument,
} from '../../src/read-model/documents.ts';
import type {
  EventAccess,
  EventQuery,
  LinkedPostQuery,
  NewestQuery,
  PageWindow,
  TermQuery,
  TermView,
  TimeBounds,
  Visibility,
} from '../../src/read-model/queries.ts';

interface Place {
  readonly lat: number;
  readonly lng: number;
}

/** A page as ids, which is all that listings can get wrong. */
export interface Ids {
  readonly ids: readonly number[];
  readonly total: number;
}

/** Compares by the first key that differs. */
const byKeys =
  <Item>(...keys: ((item: Item) => number)[]) =>
  (one: Item, other: Item): number =>
    keys.map((key) => key(one) - key(other)).find((difference) => difference !== 0) ?? 0;

const paged = (items: readonly { readonly id: number }[], { offset, limit }: PageWindow): Ids => ({
  ids: items.slice(offset, offset + limit).map(({ id }) => id),
  total: items.length,
});

const sees = ({ statuses, own }: Visibility, post: EventDocument | LinkedPostDocument): boolean =>
  statuses.includes(post.status) || (own?.author === post.author && own.statuses.includes(post.status));

const mayLearn = ({ visible, unmasked }: EventAccess, event: EventDocument): boolean =>
  sees(visible, event) && (!event.protected || sees(unmasked, event));

const looksBehindPasswords = (query: EventQuery): boolean =>
  [query.search, query.geolocated, query.nearby].some((filter) => filter !== undefined) ||
  LABEL_PARAMETERS.some((wire) => isHiddenLabel(wire) && query[wire] !== undefined) ||
  EVENT_TRAITS.some(({ member, behindPassword }) => behindPassword === 'hidden' && query[member] !== undefined);

const inTime = (bounds: TimeBounds, { startsAt, endsAt }: EventDocument): boolean =>
  (bounds.startsFrom === undefined || startsAt >= bounds.startsFrom) &&
  (bounds.startsAfter === undefined || startsAt > bounds.startsAfter) &&
  (bounds.startsBefore === undefined || startsAt < bounds.startsBefore) &&
  (bounds.endsUntil === undefined || endsAt <= bounds.endsUntil) &&
  (bounds.endsBefore === undefined || endsAt < bounds.endsBefore) &&
  (bounds.endsAfter === undefined || endsAt > bounds.endsAfter);

const any = (wanted: readonly number[] | undefined, ids: readonly number[]): boolean =>
  !wanted || ids.some((id) => wanted.includes(id));

function kilometres(one: Place, other: Place): number {
  const rad = Math.PI / 180;
  const square = (value: number) => value * value;
  const half =
    square(Math.sin(((other.lat - one.lat) * rad) / 2)) +
    Math.cos(one.lat * rad) * Math.cos(other.lat * rad) * square(Math.sin(((other.lng - one.lng) * rad) / 2));
  return 2 * 6371.0088 * Math.asin(Math.sqrt(half));
}

const codePoints = (text: string): number[] => [...foldLetters(text)].map((letter) => letter.codePointAt(0) ?? 0);

function compareText(one: string, other: string): number {
  const [a, b] = [codePoints(one), codePoints(other)];
  const at = a.findIndex((point, index) => point !== b[index]);
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}

const isLinkedPost = (document: Document): document is LinkedPostDocument =>
  document.kind === 'venue' || document.kind === 'organizer';

const isTerm = (document: Document): document is TermDocument =>
  document.kind === 'category' || document.kind === 'tag';

/** Answers queries over a fixed set of documents. */
export function oracle(documents: readonly Document[]) {
  const events = documents.filter((document) => document.kind === 'event');
  const series = new Set<number | null>(documents.filter(({ kind }) => kind === 'series').map(({ id }) => id));
  const posts = documents.filter(isLinkedPost);
  const terms = documents.filter(isTerm);

  const alive = (kind: 'venue' | 'organizer', links: readonly DocumentLink[]): LinkedPostDocument[] =>
    posts.filter((post) => post.kind === kind && links.some(({ id, life }) => id === post.id && life === post.life));
  const ids = (found: readonly LinkedPostDocument[]): number[] => found.map(({ id }) => id);

  const finds = (query: EventQuery, found: EventDocument): boolean => {
    if (!query.search) return true;
    const texts = [found.title, found.excerpt, found.description].map((text) => foldLetters(text));
    const has = (word: string) => texts.some((text) => text.includes(word));
    return query.search.words.every(has) && !query.search.without.some(has);
  };

  /** The venues or organizers of an event through which a filter may match. */
  const through = (query: EventQuery, kind: 'venue' | 'organizer', links: readonly DocumentLink[]) =>
    alive(kind, links).filter((post) => sees(query.linked[kind], post));

  const nearest = (query: EventQuery, found: EventDocument): number => {
    const places = through(query, 'venue', found.venues).flatMap(({ coordinates }) =>
      coordinates ? [coordinates] : [],
    );
    const { nearby } = query;
    return nearby ? Math.min(...places.map((place) => kilometres(nearby, place))) : 0;
  };

  const matches = (query: EventQuery, found: EventDocument): boolean =>
    !found.hidden &&
    sees(query.visibility, found) &&
    (!found.protected || sees(query.unmasked, found) || !looksBehindPasswords(query)) &&
    inTime(query.bounds, found) &&
    finds(query, found) &&
    any(query.categories, found.categories) &&
    any(query.tags, found.tags) &&
    LABEL_PARAMETERS.every(
      (wire) => query[wire]?.some((value) => found.labels.includes(labelOf(wire, value))) ?? true,
    ) &&
    any(query.venues, ids(through(query, 'venue', found.venues))) &&
    any(query.organizers, ids(through(query, 'organizer', found.organizers))) &&
    any(query.include, [found.id]) &&
    LISTED_FLAGS.every(({ member }) => (query[member] ?? found[member] ?? false) === (found[member] ?? false)) &&
    (!query.eventStatuses || query.eventStatuses.includes(found.eventStatus ?? 'scheduled')) &&
    (query.parent === undefined || query.parent === found.parent) &&
    (query.geolocated === undefined ||
      query.geolocated === through(query, 'venue', found.venues).some(({ coordinates }) => coordinates !== null)) &&
    (!query.nearby || nearest(query, found) <= query.nearby.radiusKm);

  /** The parent of a date is its series. */
  const isFirstOfSeries = ({ parent }: EventDocument, at: number, all: readonly EventDocument[]): boolean =>
    !series.has(parent) || all.findIndex((one) => one.parent === parent) === at;

  const listEvents = (query: EventQuery): Ids => {
    const byStart = [(found: EventDocument) => found.startsAt, (found: EventDocument) => found.date];
    const keys = {
      start: byStart,
      date: [(found: EventDocument) => found.date],
      distance: [(found: EventDocument) => nearest(query, found), ...byStart],
    }[query.order];
    const found = events.filter((one) => matches(query, one)).sort(byKeys(...keys, ({ id }) => id));
    return paged(query.collapse ? found.filter(isFirstOfSeries) : found, query.page);
  };

  const eventsOf = (post: LinkedPostDocument): EventDocument[] =>
    events.filter((one) => alive(post.kind, post.kind === 'venue' ? one.venues : one.organizers).includes(post));

  const matchesPost = (query: LinkedPostQuery, post: LinkedPostDocument): boolean => {
    const { search, event, hasEvents, upcoming } = query;
    if (post.kind !== query.kind || !sees(query.visibility, post)) return false;
    const linked = eventsOf(post);
    const told = linked.filter((one) => mayLearn(query.events, one));
    const settled = told.some(({ status }) => status !== 'draft' && status !== 'pending');
    const comes = (one: EventDocument) =>
      !!upcoming && one.startsAt >= upcoming.from && !one.hidden && sees(upcoming.visibility, one);
    const inOneField = (words: readonly string[]) =>
      words.length > 0 && post.searchable.some((field) => words.every((word) => foldLetters(field).includes(word)));
    return (
      (!search || inOneField(search)) &&
      (event === undefined || told.some(({ id }) => id === event)) &&
      (hasEvents ?? settled) === settled &&
      (!upcoming || told.some(comes))
    );
  };

  const listLinkedPosts = (query: LinkedPostQuery): Ids => {
    const found = posts.filter((post) => matchesPost(query, post));
    return paged(
      found.sort(
        byKeys(
          ({ date }) => -date,
          ({ id }) => -id,
        ),
      ),
      query.page,
    );
  };

  const parentOf = ({ kind, parent }: TermDocument): TermDocument | undefined => {
    const found = terms.find((term) => term.kind === kind && term.id === parent);
    return found?.deleted ? parentOf(found) : found;
  };

  const lineage = (term: TermDocument | undefined): string[] => (term ? [...lineage(parentOf(term)), term.slug] : []);

  const views = (): TermView[] =>
    terms
      .filter(({ deleted }) => !deleted)
      .map((term) => ({
        kind: term.kind,
        id: term.id,
        revision: term.revision,
        name: term.name,
        slug: term.slug,
        description: term.description,
        parent: parentOf(term)?.id ?? 0,
        ancestorSlugs: lineage(parentOf(term)),
        count: events.filter(
          (one) => one.status === 'publish' && !one.protected && termsOf(one, term.kind).includes(term.id),
        ).length,
      }));

  const termsOf = (one: EventDocument, kind: 'category' | 'tag'): readonly number[] =>
    kind === 'category' ? one.categories : one.tags;

  const matchesTerm = (query: TermQuery, term: TermView): boolean =>
    term.kind === query.kind &&
    (query.search === undefined ||
      [term.name, term.slug].some((text) => foldLetters(text).includes(query.search ?? ''))) &&
    any(query.include, [term.id]) &&
    !query.exclude?.includes(term.id) &&
    (query.slug ?? term.slug) === term.slug &&
    (query.parent ?? term.parent) === term.parent &&
    (query.event === undefined ||
      events.some(
        (one) => one.id === query.event && mayLearn(query.events, one) && termsOf(one, term.kind).includes(term.id),
      )) &&
    (!query.hideEmpty || term.count > 0);

  const compareTerms = (query: TermQuery, one: TermView, other: TermView): number => {
    switch (query.orderBy) {
      case 'name':
      case 'slug':
      case 'description':
        return compareText(one[query.orderBy], other[query.orderBy]);
      case 'count':
      case 'parent':
        return one[query.orderBy] - other[query.orderBy];
      case 'include':
        return (query.include?.indexOf(one.id) ?? 0) - (query.include?.indexOf(other.id) ?? 0);
      default:
        return 0;
    }
  };

  const listTerms = (query: TermQuery): Ids => {
    const found = views()
      .filter((term) => matchesTerm(query, term))
      .sort((one, other) => compareTerms(query, one, other) || one.id - other.id);
    return paged(query.direction === 'ascending' ? found : found.reverse(), query.page);
  };

  const nextEdge = (now: number): number | null => {
    const edges = events.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]).filter((edge) => edge > now);
    return edges.length > 0 ? Math.min(...edges) : null;
  };

  const newestEvents = ({ limit, of }: NewestQuery): readonly number[] =>
    events
      .filter((one) => (of ? matches(of, one) : one.status === 'publish' && !one.hidden))
      .sort(
        byKeys(
          ({ date }) => -date,
          ({ id }) => -id,
        ),
      )
      .slice(0, limit)
      .map(({ id }) => id);

  const scheduled = [...events, ...posts]
    .filter(({ status }) => status === 'future')
    .sort(
      byKeys(
        ({ date }) => date,
        ({ id }) => id,
      ),
    );

  const nextScheduled = (): number | null => scheduled[0]?.date ?? null;

  const scheduledUntil = (instant: number): readonly number[] =>
    scheduled.filter(({ date }) => date <= instant).map(({ id }) => id);

  return {
    listEvents,
    listLinkedPosts,
    listTerms,
    terms: views,
    nextEdge,
    newestEvents,
    nextScheduled,
    scheduledUntil,
  };
}
