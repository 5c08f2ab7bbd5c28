// Assembles answers from pre-rendered fragments: no document is parsed, none is serialised again.
// decision 8

import { LRUCache } from 'lru-cache';
import type { CalendarEvent } from '../calendar/event/domain/calendar-event.ts';
import { currencyOf } from '../calendar/event/domain/currency.ts';
import type { Organizer } from '../calendar/linked-post/domain/organizer.ts';
import type { Venue } from '../calendar/linked-post/domain/venue.ts';
import { type Parents, withoutCircles } from '../calendar/resource/domain/tree.ts';
import { askedOnce } from '../kernel/event-loop/shared-work.ts';
import { openTurns } from '../kernel/event-loop/turns.ts';
import { drawAhead } from '../kernel/text/paragraphs.ts';
import { type EpochSeconds, toWallClock } from '../kernel/time/zone.ts';
import type { Position } from '../log/envelope.ts';
import { maySeePost } from '../people/auth/policy.ts';
import {
  type DocumentLink,
  type EventDocument,
  keyText,
  type LinkedPostDocument,
  type SeriesDocument,
} from '../read-model/documents.ts';
import type { TermView } from '../read-model/queries.ts';
import { byName } from '../read-model/term-queries.ts';
import { eventJsonLd, organizerJsonLd, venueJsonLd } from '../rendering/json-ld.ts';
import { fill, insideString } from '../rendering/slots.ts';
import type { Assembled, AssembledEvent } from './bodies.ts';
import { digestOf } from './digest.ts';
import type { EmbeddedSource, LinkTargets, Reader } from './reader.ts';

/** `single`: with `json_ld`. `plain`: without, as in lists and answers to writes. */
export type Shape = 'single' | 'plain';

interface Embedding {
  /** The effective links from events to their parents. */
  readonly parents: Parents;
  /** The links as they are stored, which may lead in circles. */
  readonly links: Parents;
  readonly posts: ReadonlyMap<string, LinkedPostDocument>;
  readonly terms: ReadonlyMap<number, TermView>;
  /** By id. */
  readonly series: ReadonlyMap<number, SeriesDocument>;
}

/** Documents whose password the reader has sent, or does not need. */
export type Unlocked = ReadonlySet<EventDocument | LinkedPostDocument>;

/** The bodies of events, in the given order. */
export async function assembleEvents(
  dependencies: { readonly readModel: EmbeddedSource },
  events: readonly EventDocument[],
  reader: Reader,
  shape: Shape,
  unlocked: Unlocked,
): Promise<AssembledEvent[]> {
  if (events.length === 0) return [];
  const turn = openTurns();
  const embedding = await embeddingOf(dependencies.readModel, events);
  const links = readerSlots(reader);
  const assembled: AssembledEvent[] = [];
  for (const event of events) {
    const { undrawn } = event.fragments;
    await (undrawn ? drawAhead(undrawn, turn) : turn());
    assembled.push(assembleEvent(event, embedding, reader, links, shape, unlocked));
  }
  await turn();
  return assembled;
}

/** Fetches everything that a page of events embeds, in one call. */
async function embeddingOf(source: EmbeddedSource, events: readonly EventDocument[]): Promise<Embedding> {
  const targets = new Map<string, { kind: 'venue' | 'organizer'; id: number }>();
  for (const { venues, organizers } of events) {
    for (const { id } of venues) targets.set(keyText({ kind: 'venue', id }), { kind: 'venue', id });
    for (const { id } of organizers) targets.set(keyText({ kind: 'organizer', id }), { kind: 'organizer', id });
  }
  const inSeries = new Set(events.flatMap((event) => event.series ?? []));
  const [documents, terms, { parents, links }, ofSeries] = await Promise.all([
    targets.size === 0 ? [] : source.fetch([...targets.values()]),
    source.terms(events),
    parentsOf(source, events),
    inSeries.size === 0 ? [] : source.fetch([...inSeries].map((id) => ({ kind: 'series', id }))),
  ]);
  const series = new Map<number, SeriesDocument>();
  for (const document of ofSeries) if (document?.kind === 'series') series.set(document.id, document);
  const posts = new Map<string, LinkedPostDocument>();
  for (const document of documents) {
    if (document?.kind === 'venue' || document?.kind === 'organizer') posts.set(keyText(document), document);
  }
  return { posts, terms, parents, links, series };
}

/** Fetches ancestors level by level, all of a page at once. */
async function parentsOf(
  source: EmbeddedSource,
  events: readonly EventDocument[],
): Promise<Pick<Embedding, 'parents' | 'links'>> {
  const links = new Map<number, number>();
  const visited = new Set<number>();
  for (let level = events; level.length > 0; ) {
    for (const { id, parent } of level) {
      visited.add(id);
      if (parent !== null) links.set(id, parent);
    }
    const above = new Set(level.flatMap(({ parent }) => (parent === null || visited.has(parent) ? [] : [parent])));
    const documents = above.size === 0 ? [] : await source.fetch([...above].map((id) => ({ kind: 'event', id })));
    level = documents.filter((document) => document?.kind === 'event');
  }
  return { parents: withoutCircles(links), links };
}

/** The events above one, as far as they are known. */
function ancestorsOf(id: number, links: Parents): Set<number> {
  const above = new Set<number>();
  for (let parent = links.get(id); parent !== undefined && !above.has(parent); parent = links.get(parent))
    above.add(parent);
  return above;
}

function assembleEvent(
  event: EventDocument,
  { posts, terms, parents, links: stored, series: allSeries }: Embedding,
  reader: Reader,
  links: ReturnType<typeof readerSlots>,
  shape: Shape,
  unlocked: Unlocked,
): AssembledEvent {
  const { fragments } = event;
  const parent = parents.get(event.id) ?? 0;
  const own = { ...links, parent: String(parent) };
  const termIds = [...event.categories, ...event.tags];
  const madeOf = {
    termIds,
    terms: termIds.map((id) => terms.get(id)),
    documents: [
      keyText(event),
      ...event.venues.map(({ id }) => keyText({ kind: 'venue', id })),
      ...event.organizers.map(({ id }) => keyText({ kind: 'organizer', id })),
      ...(event.series === undefined ? [] : [keyText({ kind: 'series', id: event.series })]),
      ...[...ancestorsOf(event.id, stored)].map((id) => keyText({ kind: 'event', id })),
    ].join(' '),
  };
  if (fragments.masked !== null && !unlocked.has(event))
    return { ...madeOf, text: fill(fragments.masked, own), mark: () => `masked${parkMark(event)}` };
  const visiblePosts = (kind: 'venue' | 'organizer', all: readonly DocumentLink[]): LinkedPostDocument[] =>
    all.flatMap((link) => {
      const post = posts.get(keyText({ kind, id: link.id }));
      return post && post.life === link.life && post.status !== 'trash' && maySeePost(reader.caller, post)
        ? [post]
        : [];
    });
  const venues = visiblePosts('venue', event.venues);
  const organizers = visiblePosts('organizer', event.organizers);
  const embed = (post: LinkedPostDocument): string => embeddedPost(post, reader, shape, unlocked);
  const series = allSeries.get(event.series ?? 0);
  const text = fill(fragments.full, {
    ...own,
    recurrence: series?.fragment ?? 'null',
    categories: nestedTerms(event.categories, terms, reader.links),
    tags: nestedTerms(event.tags, terms, reader.links),
    venue: venues[0] && venues.length === 1 ? embed(venues[0]) : `[${venues.map(embed).join(',')}]`,
    organizer: `[${organizers.map(embed).join(',')}]`,
    commaThenJsonLd:
      shape === 'plain' || event.protected ? '' : `,"json_ld":${jsonLdOfEvent(event, venues, organizers, links)}`,
  });
  return {
    ...madeOf,
    text,
    mark() {
      const opened = event.parent === null || event.parent === parent ? [] : ['top'];
      if (series) opened.push(`series${series.id}.${series.revision}`);
      if (event.parkedAt !== undefined) opened.push(parkMark(event));
      if (reader.prices.currency !== null) opened.push(reader.prices.currency);
      return markOf(event, [...venues, ...organizers], terms, opened);
    },
  };
}

// The schema.org objects of single reads are made of the state when they are read: a list has none, and kept they took a
// third of the time that rendering takes.

function jsonLdOfPost({ kind, state }: LinkedPostDocument): string {
  // Its projection has stored what it folded.
  return kind === 'venue' ? venueJsonLd(state as unknown as Venue) : organizerJsonLd(state as unknown as Organizer);
}

function jsonLdOfEvent(
  event: EventDocument,
  [venue]: readonly LinkedPostDocument[],
  [organizer]: readonly LinkedPostDocument[],
  links: ReturnType<typeof readerSlots>,
): string {
  // Protected content is left out of the summary, too.
  const jsonLd = (post: LinkedPostDocument | undefined): string =>
    post && !post.protected ? fill(jsonLdOfPost(post), links) : '';
  const [place, contact] = [jsonLd(venue), jsonLd(organizer)];
  // The state of a document of an event is an event.
  return fill(eventJsonLd(event.state as unknown as CalendarEvent), {
    ...links,
    location: place && `"location":${place},`,
    organizerLd: contact && `"organizer":${contact},`,
    commaThenPlace: place && `,${place}`,
  });
}

/** The body of a venue or organizer. */
export function assembleLinkedPost(
  post: LinkedPostDocument,
  reader: Reader,
  shape: Shape,
  unlocked: Unlocked,
): Assembled {
  const { fragments } = post;
  const links = readerSlots(reader);
  if (fragments.masked !== null && !unlocked.has(post))
    return { text: fill(fragments.masked, links), mark: () => `masked${parkMark(post)}` };
  const jsonLdThenComma = shape === 'plain' ? '' : `"json_ld":${fill(jsonLdOfPost(post), links)},`;
  return { text: fill(fragments.full, { ...links, jsonLdThenComma }), mark: () => parkMark(post) };
}

interface EmbeddedText {
  readonly links: LinkTargets;
  readonly zone: string;
  readonly prices: Reader['prices'];
  readonly text: string;
}

/** As it was embedded last in a list. Read models return the same document to many lists. */
const embeddedTexts = new WeakMap<LinkedPostDocument, EmbeddedText>();

function embeddedPost(post: LinkedPostDocument, reader: Reader, shape: Shape, unlocked: Unlocked): string {
  const { links, prices } = reader;
  const zone = reader.siteZone.name;
  const isForAll = shape === 'plain' && post.fragments.masked === null;
  const cached = isForAll ? embeddedTexts.get(post) : undefined;
  // Site and prefix of a request have one object of links.
  if (cached?.links === links && cached.zone === zone && cached.prices === prices) return cached.text;
  const { text } = assembleLinkedPost(post, reader, shape, unlocked);
  if (isForAll) embeddedTexts.set(post, { links, zone, prices, text });
  return text;
}

const readerSlots = ({ links, siteZone, prices }: Reader) => ({
  site: insideString(links.site),
  root: insideString(links.root),
  host: insideString(links.host),
  free: insideString(prices.freeLabel),
  signBefore: insideString(prices.signBefore),
  signAfter: insideString(prices.signAfter),
  currency: (mark: string) => currencyOf(mark, prices.currency) ?? '',
  siteTime: (instant: EpochSeconds) => toWallClock(instant, siteZone),
});

/** A parked document is shown as it was, with its revision of that time. */
const parkMark = ({ parkedAt }: { readonly parkedAt?: Position }): string =>
  parkedAt === undefined ? '' : `at${parkedAt}`;

/** What an event embeds, as a text short enough for an ETag (a digest of revisions and counts). */
function markOf(
  event: EventDocument,
  posts: readonly LinkedPostDocument[],
  terms: Embedding['terms'],
  others: readonly string[],
): string {
  const parts = [...others, ...posts.map((post) => `${post.kind}${post.id}.${post.revision}${parkMark(post)}`)];
  for (const id of [...event.categories, ...event.tags]) {
    const term = terms.get(id);
    if (term) parts.push(`${id}.${term.revision}.${term.count}.${term.parent}${parkMark(term)}`);
  }
  return parts.length === 0 ? '' : digestOf(parts.join());
}

// Categories and tags as clients see them. They are few and small: rendered on request, cached until something changes.

const TAXONOMIES = { category: 'tribe_events_cat', tag: 'post_tag' } as const;
const COLLECTIONS = { category: 'categories', tag: 'tags' } as const;

function urls(term: TermView, { root }: LinkTargets): { [name: string]: string } {
  const collection = `${root}/${COLLECTIONS[term.kind]}`;
  return {
    self: `${collection}/${term.id}`,
    collection,
    ...(term.parent === 0 ? {} : { up: `${collection}/${term.parent}` }),
  };
}

function publicUrl(term: TermView, { site }: LinkTargets): string {
  if (term.kind === 'tag') return `${site}/tag/${term.slug}/`;
  return `${site}/events/category/${[...term.ancestorSlugs, term.slug].join('/')}/`;
}

const parkedMember = ({ parkedAt }: TermView) => (parkedAt === undefined ? {} : { parked_at: parkedAt });

/** A term on its own: in lists, single reads and answers to writes (to a deletion: the former term). */
export function termObject(term: TermView, links: LinkTargets): { readonly [key: string]: unknown } {
  return {
    id: term.id,
    count: term.count,
    description: term.description,
    name: term.name,
    slug: term.slug,
    taxonomy: TAXONOMIES[term.kind],
    ...(term.kind === 'category' ? { parent: term.parent } : {}),
    meta: [],
    url: publicUrl(term, links),
    urls: urls(term, links),
    ...parkedMember(term),
  };
}

/** The members of a term with `context=embed`. */
export function embeddedTermObject(term: TermView, links: LinkTargets): { readonly [key: string]: unknown } {
  const { id, name, slug, taxonomy, url, urls: all } = termObject(term, links);
  return { id, name, slug, taxonomy, url, urls: all };
}

/** A term inside an event, as JSON text. */
function nestedTerm(term: TermView, links: LinkTargets): string {
  return JSON.stringify({
    name: term.name,
    slug: term.slug,
    term_taxonomy_id: term.id,
    taxonomy: TAXONOMIES[term.kind],
    description: term.description,
    parent: term.parent,
    count: term.count,
    id: term.id,
    urls: urls(term, links),
    ...parkedMember(term),
  });
}

/** A client that makes up host names must not fill the memory. */
const MAX_ROOTS = 20;

/**
 * Rendered nested terms, per set of terms (the read model returns the same object until something changes) and root.
 */
const renderedFor = askedOnce(
  (_terms: ReadonlyMap<number, TermView>) =>
    askedOnce((_root: string) => new Map<number, string>(), new LRUCache({ max: MAX_ROOTS })),
  new WeakMap(),
);

/** The terms of an event as a JSON array, by name; missing ids are left out. */
function nestedTerms(ids: readonly number[], terms: ReadonlyMap<number, TermView>, links: LinkTargets): string {
  const texts = renderedFor(terms)(links.root);
  const present = ids.flatMap((id) => terms.get(id) ?? []);
  const objects = present.sort(byName).map((term) => {
    const text = texts.get(term.id) ?? nestedTerm(term, links);
    texts.set(term.id, text);
    return text;
  });
  return `[${objects.join(',')}]`;
}
