// What a list of events was made from: decides whether it is still the same after changes.
import type { DocumentKey, EventDocument } from '../read-model/documents.ts';
import type { EventQuery, PageOf, TermView } from '../read-model/queries.ts';
import type { ReadModel } from '../read-model/read-model.ts';

export interface MadeFrom {
  readonly query: EventQuery;
  /** The ids of its events. */
  readonly page: PageOf<number>;
  /**
   * The names of all documents that it shows or embeds, and of those that were looked for in vain, each between blanks:
   * ` event-20 venue-3 `. Some two thousand lists are kept, and a set of names takes several times as much.
   */
  readonly documents: string;
  /** The ids of the categories and tags of its events, and these as it shows them; undefined: there is none. */
  readonly termIds: readonly number[];
  readonly terms: readonly (TermView | undefined)[];
}

const nameOf = ({ kind, id }: DocumentKey): string => `${kind}-${id}`;

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
      const termIds = [...new Set(items.flatMap(({ categories, tags }) => [...categories, ...tags]))];
      return {
        query,
        documents: ` ${[...documents].join(' ')} `,
        page: { items: items.map(({ id }) => id), total },
        termIds,
        terms: termIds.map((id) => terms.get(id)),
      };
    },
  };
}

/**
 * Whether a list is the same in a version of the read model: what it shows is not among the changes since it was made, and the
 * index finds the same events again. False if the read model has gone on from that version.
 */
export async function isUntouched(
  { query, page, documents, termIds, terms }: MadeFrom,
  changed: readonly DocumentKey[],
  readModel: Pick<ReadModel, 'findEvents' | 'terms' | 'version'>,
  version: string,
): Promise<boolean> {
  if (changed.some((key) => documents.includes(` ${nameOf(key)} `))) return false;
  const [now, termsNow] = [await readModel.findEvents(query), await readModel.terms()];
  const isSame =
    JSON.stringify(now) === JSON.stringify(page) &&
    JSON.stringify(termIds.map((id) => termsNow.get(id))) === JSON.stringify(terms);
  return isSame && (await readModel.version()) === version;
}
