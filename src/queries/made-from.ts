// What a list of events was made from: decides whether it is still the same after changes.
import type { DocumentKey, EventDocument } from '../read-model/documents.ts';
import type { EventQuery, PageOf, TermView } from '../read-model/queries.ts';
import type { ReadModel } from '../read-model/read-model.ts';

export interface MadeFrom {
  readonly query: EventQuery;
  /** The ids of its events. */
  readonly page: PageOf<number>;
  /** Every document that it shows or embeds, and those that were looked for in vain. */
  readonly documents: ReadonlySet<string>;
  /** The categories and tags of its events, as it shows them. */
  readonly terms: ReadonlyMap<number, TermView | undefined>;
}

const nameOf = ({ kind, id }: DocumentKey): string => `${kind} ${id}`;

/** A read model that notes what a list of events is made from. */
export function notingReads(readModel: ReadModel, query: EventQuery) {
  const documents = new Set<string>();
  let page: PageOf<EventDocument> = { items: [], total: 0 };
  return {
    readModel: {
      ...readModel,
      async listEvents(listQuery: EventQuery) {
        page = await readModel.listEvents(listQuery);
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
      const { items, total } = page;
      const ids = items.flatMap(({ categories, tags }) => [...categories, ...tags]);
      return {
        query,
        documents,
        page: { items: items.map(({ id }) => id), total },
        terms: new Map(ids.map((id) => [id, terms.get(id)])),
      };
    },
  };
}

/**
 * Whether a list is the same in a version of the read model: what it shows is not among the changes since it was made, and the
 * index finds the same events again. False if the read model has gone on from that version.
 */
export async function isUntouched(
  { query, page, documents, terms }: MadeFrom,
  changed: readonly DocumentKey[],
  readModel: Pick<ReadModel, 'findEvents' | 'terms' | 'version'>,
  version: string,
): Promise<boolean> {
  if (changed.some((key) => documents.has(nameOf(key)))) return false;
  const [now, termsNow] = [await readModel.findEvents(query), await readModel.terms()];
  const isSame =
    JSON.stringify(now) === JSON.stringify(page) &&
    [...terms].every(([id, term]) => JSON.stringify(term) === JSON.stringify(termsNow.get(id)));
  return isSame && (await readModel.version()) === version;
}
