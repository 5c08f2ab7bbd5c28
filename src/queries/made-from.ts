// What a list of events was made from: decides whether later changes can have touched it.
import type { DocumentKey, EventDocument } from '../read-model/documents.ts';
import type { RecentChange } from '../read-model/followed-changes.ts';
import { mayMatch } from '../read-model/may-match.ts';
import type { EventQuery, TermView } from '../read-model/queries.ts';
import type { ReadModel } from '../read-model/read-model.ts';

type Terms = ReadonlyMap<number, TermView>;

export interface MadeFrom {
  readonly query: EventQuery;
  /** Every document that it shows or embeds, and those that were looked for in vain. */
  readonly documents: ReadonlySet<string>;
  /** The categories and tags of its events, as it shows them. */
  readonly terms: ReadonlyMap<number, TermView | undefined>;
}

const nameOf = ({ kind, id }: DocumentKey): string => `${kind} ${id}`;

/** A read model that notes what a list of events is made from. */
export function notingReads(readModel: ReadModel, query: EventQuery) {
  const documents = new Set<string>();
  const found: EventDocument[] = [];
  return {
    readModel: {
      ...readModel,
      async listEvents(asked: EventQuery) {
        const page = await readModel.listEvents(asked);
        found.push(...page.items);
        for (const event of page.items) documents.add(nameOf(event));
        return page;
      },
      fetch(keys: readonly DocumentKey[]) {
        for (const key of keys) documents.add(nameOf(key));
        return readModel.fetch(keys);
      },
    },
    async madeFrom(): Promise<MadeFrom> {
      const terms = await readModel.terms();
      const ids = found.flatMap(({ categories, tags }) => [...categories, ...tags]);
      return { query, documents, terms: new Map(ids.map((id) => [id, terms.get(id)])) };
    },
  };
}

/** Whether a list would still be the same after these changes; `terms` are those of now. */
export function isUntouched(madeFrom: MadeFrom, changes: readonly RecentChange[], terms: Terms): boolean {
  return !changes.some((change) => mayTouch(madeFrom, change)) && areSame(madeFrom.terms, terms);
}

/** Categories and tags are compared: filters by them name what they meant when the list was asked for. */
function mayTouch({ query, documents }: MadeFrom, { key, outlines }: RecentChange): boolean {
  if (documents.has(nameOf(key)) || outlines.some((outline) => mayMatch(query, outline))) return true;
  if (key.kind === 'venue' || key.kind === 'organizer') return looksAtLinked(query);
  return key.kind === 'series' && query.collapse !== undefined;
}

/** Whether events are found by their venues and organizers. */
const looksAtLinked = ({ venues, organizers, geolocated, nearby }: EventQuery): boolean =>
  [venues, organizers, geolocated, nearby].some((filter) => filter !== undefined);

const areSame = (shown: MadeFrom['terms'], now: Terms): boolean =>
  [...shown].every(([id, term]) => JSON.stringify(term) === JSON.stringify(now.get(id)));
