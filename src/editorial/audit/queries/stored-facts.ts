// The facts of the log as they are stored, for operators: page by page, and each with what led to it and what followed.
import { LOG_START, type Position, type RecordedEvent, type Revision } from '../../../log/envelope.ts';
import type { EventStore, ReadAllOptions } from '../../../log/event-store.ts';
import { STREAM_PREFIXES } from '../../../log/stream-prefixes.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { type ChangeFilter, matchesRecord } from './change-filter.ts';
import type { ChangesOrder } from './changes.ts';
import { isCursor, PORTION, searchPage } from './log-reads.ts';

export interface FactsQuestion extends Pick<ChangeFilter, 'actors' | 'from' | 'to'> {
  /** Where an earlier page has ended: a position, or a revision of the one stream. */
  readonly after: string;
  readonly order: ChangesOrder;
  /** The name of a stream, or with a `-` at its end the beginning of the names of several; '' for all. */
  readonly stream: string;
  /** Types of facts; none for all. */
  readonly types: readonly string[];
  /** Ids of requests, of causes, or of the facts themselves, one of them; none for all. */
  readonly of: readonly string[];
}

export interface StoredFact {
  readonly event: RecordedEvent;
  /** The present name of the actor. */
  readonly actor: string;
}

export interface FactsPage {
  readonly facts: readonly StoredFact[];
  readonly next: string;
  readonly hasMore: boolean;
}

/** What is nearest of its request, its cause and its effects, in the order of the log. */
export interface FactWithOthers extends StoredFact {
  readonly before: readonly StoredFact[];
  readonly behind: readonly StoredFact[];
}

/** Rejections: `EventStoreUnavailable`. */
export type StoredFacts = ReturnType<typeof openStoredFacts>;

const PER_PAGE = 30;
/** Facts examined for one page. */
const MAX_EXAMINED = 5_000;
/** The same before and behind a fact, and how many of them are shown. */
const NEAR = { most: 1_000, limit: 20 };
/** Of a read, which is parsed at once. */
const MAX_CHARACTERS = 250_000;

const LOG_WAYS = { asc: 'forwards', desc: 'backwards' } as const;

type Reads = Pick<EventStore, 'readStream' | 'readAll' | 'head'>;

/** `store`: the same log with what is derived from it, and names. */
export function openStoredFacts({ rawLog, store }: { readonly rawLog: Reads; readonly store: Reads }) {
  const readLog = (options: Pick<ReadAllOptions, 'after' | 'direction'> & Partial<ReadAllOptions>) =>
    rawLog.readAll({ prefixes: STREAM_PREFIXES, limit: PORTION, maxCharacters: MAX_CHARACTERS, ...options });

  async function readStream(stream: string, order: ChangesOrder, after: string): Promise<readonly RecordedEvent[]> {
    const step = order === 'asc' ? 1 : -1;
    const from = after === '' ? {} : { from: Number(after) + step };
    return from.from === -1 ? [] : rawLog.readStream(stream, { ...from, direction: LOG_WAYS[order], limit: PORTION });
  }

  async function search(
    { after, order, stream, types, of, ...filter }: FactsQuestion,
    { limit, most }: typeof NEAR,
  ): Promise<FactsPage> {
    const actors = openActors(store);
    const isOne = isName(stream);
    const { matches, ...rest } = await searchPage({
      ...{ after, limit, most },
      read: (place) =>
        isOne ? readStream(stream, order, place) : readLog({ after: place, direction: LOG_WAYS[order] }),
      async matching(events) {
        const matching: { readonly event: RecordedEvent }[] = [];
        for (const event of events) {
          const isWanted = event.stream.startsWith(stream) && (types.length === 0 || types.includes(event.type));
          if (isWanted && (of.length === 0 || isPartOf(event, of)) && (await matchesRecord(filter, event, actors)))
            matching.push({ event });
        }
        return matching;
      },
      isLast: ({ length }) => length === 0,
      placeOf: ({ position, revision }) => (isOne ? String(revision) : position),
    });
    const named = matches.map(async ({ event }) => ({ event, actor: await actors.nameOf(event.metadata.actor) }));
    return { facts: await Promise.all(named), ...rest };
  }

  /** The fact at the position of another one that is derived from it. */
  async function factAt(position: Position): Promise<RecordedEvent | undefined> {
    const [before] = await readLog({ after: position, direction: 'backwards', limit: 1 });
    const [fact] = await readLog({ after: before?.position ?? LOG_START, limit: 1 });
    return fact;
  }

  return {
    /** Null if there is no such position in this log. */
    async page(question: FactsQuestion): Promise<FactsPage | null> {
      const { after, stream } = question;
      const isPlace = isName(stream) ? /^\d{0,15}$/.test(after) : isCursor(after, await rawLog.head());
      return isPlace ? search(question, { limit: PER_PAGE, most: MAX_EXAMINED }) : null;
    },
    /** One fact; for a date without a stream of its own, the fact of its series that it follows from. Null: there is none. */
    async fact(stream: string, revision: Revision): Promise<FactWithOthers | null> {
      const [stored] = await rawLog.readStream(stream, { from: revision, limit: 1 });
      const [derived] = stored ? [] : await store.readStream(stream, { from: revision, limit: 1, unknown: 'in place' });
      const event = stored ?? (derived && (await factAt(derived.position)));
      if (!event) return null;
      const question = { after: event.position, stream: '', types: [], of: idsOf(event) };
      const [before, behind] = await Promise.all([
        search({ ...question, order: 'desc' }, NEAR),
        search({ ...question, order: 'asc' }, NEAR),
      ]);
      const actor = await openActors(store).nameOf(event.metadata.actor);
      return { event, actor, before: before.facts.toReversed(), behind: behind.facts };
    },
  };
}

const isName = (stream: string): boolean => stream !== '' && !stream.endsWith('-');

const idsOf = ({ id, metadata }: RecordedEvent): readonly string[] => [
  id,
  metadata.correlationId,
  metadata.causationId,
];

const isPartOf = (event: RecordedEvent, of: readonly string[]): boolean => idsOf(event).some((id) => of.includes(id));
