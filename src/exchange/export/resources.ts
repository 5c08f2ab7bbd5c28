// Exports all resources as of one log position, kind by kind, stream by stream: memory holds a number or two per
// resource, and the longest stream.

import { isSkipped, type Skips } from '../../../projections/projection.ts';
import {
  type CalendarEvent,
  type EventFact,
  evolveEvent,
  type Link,
} from '../../calendar/event/domain/calendar-event.ts';
import { evolveOrganizer, type Organizer, type OrganizerFact } from '../../calendar/linked-post/domain/organizer.ts';
import { evolveVenue, type Venue, type VenueFact } from '../../calendar/linked-post/domain/venue.ts';
import { imageAt } from '../../calendar/picture/domain/picture.ts';
import { withoutCircles } from '../../calendar/resource/domain/tree.ts';
import { evolveTerm, type Term, type TermFact, type TermKind } from '../../calendar/term/domain/term.ts';
import { type Evolve, type Fact, UnexpectedFact } from '../../domain/decider.ts';
import { evolveProposal, type Proposal, type ProposalFact } from '../../editorial/proposals/domain/proposal.ts';
import { ALL_EVENTS } from '../../editorial/series/facts/occurrences.ts';
import { fold, LOG_START, type Position, type RecordedEvent } from '../../log/envelope.ts';
import { byStream, type EventStore } from '../../log/event-store.ts';
import {
  calendarEventLine,
  organizerLine,
  proposalLine,
  type ResourceCounts,
  type ResourceKind,
  resourceHeader,
  resourceTrailer,
  termLine,
  venueLine,
} from './resource-lines.ts';
import type { Sink } from './sink.ts';
import { throwIfAborted, Unusable } from './unusable.ts';

export interface ResourceExportOptions {
  readonly store: Pick<EventStore, 'readAll' | 'readByStream' | 'head'>;
  readonly kinds: ReadonlySet<ResourceKind>;
  /** Skipped events, by position. */
  readonly skips: Skips;
  /** The address of the site, without a slash at its end: uploaded pictures are found there. */
  readonly site: string;
  readonly daybook: string;
  readonly exported: string;
  readonly signal: AbortSignal;
  readonly begin: (what: string, total: number | null) => void;
  readonly reach: (resources: number) => void;
}

/** Returns how many of each kind. Throws `Unusable` for a resource that cannot be read, and `Interrupted`. */
export async function exportResources(options: ResourceExportOptions, sink: Sink): Promise<ResourceCounts> {
  const { store, kinds, site, daybook, exported, begin } = options;
  const position = await store.head();
  const scope: Scope = { ...options, upTo: position, sink, counts: {} };
  await sink.write(resourceHeader({ daybook, exported, origin: await originOf(store), position }));
  begin('Writing', null);
  const categories = await liveTerms(scope);
  await writeTerms(scope, 'category', (term) => categories.parentOf(term));
  const tags = await writeTerms(scope, 'tag', () => 0);
  const venues = await writePosts<Venue, VenueFact>(scope, 'venue', evolveVenue, venueLine);
  const organizers = await writePosts<Organizer, OrganizerFact>(scope, 'organizer', evolveOrganizer, organizerLine);
  if (kinds.has('event')) {
    for await (const event of statesOf<CalendarEvent, EventFact>(scope, 'event', evolveEvent)) {
      const links = {
        categories: event.categories.filter((id) => categories.has(id)),
        tags: event.tags.filter((id) => tags.has(id)),
        venues: valid(event.venues, venues),
        organizers: valid(event.organizers, organizers),
      };
      await put(scope, 'event', calendarEventLine({ ...event, image: imageAt(site, event.image) }, links));
    }
  }
  if (kinds.has('proposal')) {
    for await (const proposal of statesOf<Proposal, ProposalFact>(scope, 'proposal', evolveProposal))
      await put(scope, 'proposal', proposalLine(proposal));
  }
  await sink.write(resourceTrailer(scope.counts, sink.digest()));
  return scope.counts;
}

/** The id of the first event of a log: it stays the same in a restored copy. Null for an empty log. */
export async function originOf(store: Pick<EventStore, 'readAll'>): Promise<string | null> {
  const [first] = await store.readAll({ after: LOG_START, limit: 1 });
  return first?.id ?? null;
}

interface Scope extends ResourceExportOptions {
  readonly upTo: Position;
  readonly sink: Sink;
  readonly counts: { [Kind in ResourceKind]?: number };
}

async function put({ kinds, sink, counts, reach }: Scope, kind: ResourceKind, line: string): Promise<void> {
  if (!kinds.has(kind)) return;
  await sink.write(line);
  counts[kind] = (counts[kind] ?? 0) + 1;
  reach(Object.values(counts).reduce((sum, count) => sum + count, 0));
}

type Reading = Pick<Scope, 'store' | 'upTo' | 'skips' | 'signal'>;

/** The state of each resource of a kind. */
export async function* statesOf<State, F extends Fact>(
  scope: Reading,
  kind: ResourceKind,
  evolve: Evolve<State, F>,
): AsyncGenerator<State> {
  for await (const events of streamsOf(scope, kind)) {
    const state = foldedOf(events, evolve, scope.skips);
    if (state !== null) yield state;
  }
}

/** The events of each resource of a kind. */
export async function* streamsOf(
  { store, upTo, signal }: Reading,
  kind: ResourceKind,
): AsyncGenerator<readonly RecordedEvent[]> {
  const prefix = `${kind}-`;
  const prefixes = kind === 'event' ? ALL_EVENTS : [prefix];
  for await (const batch of store.readByStream({ upTo, prefixes })) {
    throwIfAborted(signal);
    for (const [stream, events] of byStream(batch)) if (stream.startsWith(prefix)) yield events;
  }
}

/** The state of a resource; null: all of its events are skipped. Throws `Unusable`. */
export function foldedOf<State, F extends Fact>(
  events: readonly RecordedEvent[],
  evolve: Evolve<State, F>,
  skips: Skips,
): State | null {
  try {
    return fold(
      events.filter((event) => !isSkipped(skips, event)),
      evolve,
    );
  } catch (error) {
    if (!(error instanceof UnexpectedFact)) throw error;
    throw new Unusable(`${events[0]?.stream} cannot be written down: ${error.message}`);
  }
}

async function liveTerms(scope: Scope) {
  const known = new Set<number>();
  const parents = new Map<number, number>();
  const deleted = new Set<number>();
  for await (const { id, parent, deleted: isDeleted } of statesOf<Term, TermFact>(scope, 'category', evolveTerm)) {
    known.add(id);
    if (parent !== 0) parents.set(id, parent);
    if (isDeleted) deleted.add(id);
  }
  const counting = withoutCircles(parents);
  return {
    has: (id: number) => known.has(id) && !deleted.has(id),
    /** The effective parent: a deleted one is replaced by its own. 0 for none. */
    parentOf({ id }: Term) {
      let above = counting.get(id);
      while (above !== undefined && deleted.has(above)) above = counting.get(above);
      return above !== undefined && known.has(above) ? above : 0;
    },
  };
}

/** Returns the ids of those that are not deleted. */
async function writeTerms(scope: Scope, kind: TermKind, parentOf: (term: Term) => number): Promise<Set<number>> {
  const live = new Set<number>();
  for await (const term of statesOf(scope, kind, evolveTerm)) {
    if (term.deleted) continue;
    live.add(term.id);
    await put(scope, kind, termLine(kind, term, parentOf(term)));
  }
  return live;
}

/** Returns the present life of each; resources in the trash have none. */
async function writePosts<State extends Venue | Organizer, F extends Fact>(
  scope: Scope,
  kind: 'venue' | 'organizer',
  evolve: Evolve<State, F>,
  line: (state: State) => string,
): Promise<Map<number, number>> {
  const lives = new Map<number, number>();
  for await (const post of statesOf(scope, kind, evolve)) {
    if (post.status !== 'trash') lives.set(post.id, post.life);
    await put(scope, kind, line({ ...post, image: imageAt(scope.site, post.image) }));
  }
  return lives;
}

const valid = (links: readonly Link[], lives: ReadonlyMap<number, number>): number[] =>
  links.filter(({ id, life }) => lives.get(id) === life).map(({ id }) => id);
