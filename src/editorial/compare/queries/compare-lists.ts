// One list of events as of two instants: what was added, removed, moved, changed and cancelled in between. Page by page.

import { LRUCache } from 'lru-cache';
import type { EventListInput } from '../../../calendar/event/http/event-schema.ts';
import { openQueue } from '../../../kernel/event-loop/shared-work.ts';
import { jsonWith } from '../../../kernel/text/json-member.ts';
import { DIFFERENCES } from '../../../kernel/text/wire-words.ts';
import { shortInstant } from '../../../kernel/time/instant.ts';
import {
  type Arguments,
  type ListPlan,
  listLinks,
  pageCount,
  type QueryRefusal,
  windowOf,
} from '../../../queries/arguments.ts';
import type { LinkTargets, QueryDependencies } from '../../../queries/reader.ts';
import type { EventQuery } from '../../../read-model/queries.ts';
import { publicEventRequest } from '../../time-travel/queries/lists.ts';
import {
  ALL,
  type ComparedCalendar,
  changesIn,
  type Entry,
  type ListSide,
  type ListSides,
  listDifferences,
  rendered,
} from './list-differences.ts';
import { type CompareWords, openWords } from './text-changes.ts';

/** The parameters of the list and of the comparison. */
interface ListComparisonInput extends EventListInput {
  readonly to?: string;
  /** Texts are compared word by word. */
  readonly words?: boolean;
}

/** `from` is the earlier one. */
interface ComparedCalendars {
  readonly from: ComparedCalendar;
  readonly to: ComparedCalendar;
}

export type ListComparison = ReturnType<typeof openListComparison>;

/** Comparisons whose pages may be asked for next. */
const MAX_CACHED = 8;
const MAX_WAITING = 8;

/** `queueFull` makes what is thrown when too many comparisons wait. */
export function openListComparison(
  dependencies: Pick<QueryDependencies, 'siteZone' | 'perPage'>,
  queueFull: () => Error,
) {
  const cached = new LRUCache<string, Promise<readonly Entry[]>>({ max: MAX_CACHED });
  const inTurn = openQueue({ maxWaiting: MAX_WAITING, refused: queueFull });

  function entriesFor(key: string, compare: () => Promise<readonly Entry[]>): Promise<readonly Entry[]> {
    const existing = cached.get(key);
    if (existing) return existing;
    const entries = inTurn(compare);
    cached.set(key, entries);
    entries.catch(() => cached.delete(key));
    return entries;
  }

  return {
    /** How to answer with a page of what differs. Dates without a filter, and relative ones, are those of the later instant. */
    async plan(
      input: ListComparisonInput,
      { root }: LinkTargets,
      { from, to }: ComparedCalendars,
    ): Promise<ListPlan | QueryRefusal> {
      const requestOf = (side: ComparedCalendar) =>
        publicEventRequest(dependencies, input, { ...side.reader, now: to.at }, side);
      const [earlier, later] = [await requestOf(from), await requestOf(to)];
      if ('refused' in earlier) return earlier;
      if ('refused' in later) return later;
      const { paging } = later;
      const args = argumentsOf(input, later.args, { from, to });
      const sides: ListSides = { before: sideOf(from, earlier.query), after: sideOf(to, later.query) };
      const key = JSON.stringify([from.name, to.name, from.reader.caller, earlier.query, later.query]);
      return {
        key: JSON.stringify(['compare', key, args]),
        async read() {
          const { page: _, ...rest } = later.query;
          const all = await entriesFor(JSON.stringify([key, rest]), () => listDifferences(sides));
          const { offset, limit } = windowOf(paging);
          const pages = pageCount(all.length, paging);
          if (paging.page > Math.max(pages, 1)) return { body: null, total: all.length, pages };
          const links = listLinks(`${root}/events/compare`, args, paging, pages);
          const body = await pageBody(sides, all.slice(offset, offset + limit), input);
          return { body: [...body, envelopeEnd(all, { ...links, pages, from, to })], total: all.length, pages };
        },
      };
    },
  };
}

const sideOf = (calendar: ComparedCalendar, query: EventQuery): ListSide => ({
  ...calendar,
  query: { ...query, page: ALL },
});

/** Links to what is not scheduled yet name no later instant unless the request did: it is the present. */
function argumentsOf(input: ListComparisonInput, list: Arguments, { from, to }: ComparedCalendars): Arguments {
  const isPresent = input.with !== undefined && input.to === undefined;
  return [
    ...list.filter(([name]) => name !== 'as_of' && name !== 'status'),
    ['from', shortInstant(from.at)],
    ...(isPresent ? [] : [['to', shortInstant(to.at)] as const]),
    ...(input.words ? [['words', 'true'] as const] : []),
  ];
}

const WITHOUT_WORDS: CompareWords = async (changes) => changes;

async function pageBody(
  sides: ListSides,
  entries: readonly Entry[],
  { words }: ListComparisonInput,
): Promise<string[]> {
  const compareWords = words ? openWords() : WITHOUT_WORDS;
  const what = new Map(entries.map((entry) => [entry.id, entry.what]));
  // Not one text: a list is encoded piece by piece, in turns.
  const pieces = ['{"events":['];
  for await (const bodies of rendered(sides, [...what.keys()])) {
    const { id, former, present } = bodies;
    const difference = what.get(id) ?? 'changed';
    const head = { id, what: difference, changes: await compareWords(changesIn(bodies)) };
    const event = difference === 'removed' ? former : present || former;
    if (pieces.length > 1) pieces.push(',');
    pieces.push(jsonWith(head, 'event', event || 'null'));
  }
  return pieces;
}

interface End extends ComparedCalendars {
  readonly rest: string;
  readonly next: string | null;
  readonly previous: string | null;
  readonly pages: number;
}

function envelopeEnd(all: readonly Entry[], { rest, next, previous, pages, from, to }: End): string {
  const members = {
    from: shortInstant(from.at),
    to: shortInstant(to.at),
    totals: Object.fromEntries(DIFFERENCES.map((what) => [what, all.filter((entry) => entry.what === what).length])),
    rest_url: rest,
    ...(next !== null && { next_rest_url: next }),
    ...(previous !== null && { previous_rest_url: previous }),
    total: all.length,
    total_pages: pages,
  };
  return `],${JSON.stringify(members).slice(1)}`;
}
