// What a list of events was made from: decides whether it is still the same after changes.
import { isDeepStrictEqual } from 'node:util';
import { type DocumentKey, type EventDocument, keyText } from '../read-model/documents.ts';
import type { EventQuery, PageOf } from '../read-model/queries.ts';
import type { ReadModel } from '../read-model/read-model.ts';

export interface MadeFrom {
  /**
   * The names of all documents that it shows or embeds, and of those that were looked for in vain, with blanks between them:
   * `event-20 venue-3`. A thousand lists and more are kept, and a list of names takes several times as much.
   */
  readonly documents: string;
  /** Of memory, roughly. */
  readonly bytes: number;
  /**
   * Whether it is the same in a version of the read model if none of its documents was changed: the index finds the same events
   * again, and their terms are the same. False if the read model has gone on from that version.
   */
  isFoundAgain(version: string): Promise<boolean>;
}

/** Of a term in what a list was made from, roughly: lists of one state share them. */
const TERM_BYTES = 100;

/** A read model that notes what a list of events is made from. */
export function notingReads(readModel: ReadModel, query: EventQuery) {
  const names = new Set<string>();
  let page: PageOf<EventDocument> = { items: [], total: 0 };
  return {
    readModel: {
      ...readModel,
      async listEvents(listQuery: EventQuery) {
        page = await readModel.listEvents(listQuery);
        for (const event of page.items) names.add(keyText(event));
        return page;
      },
      fetch(keys: readonly DocumentKey[]) {
        for (const key of keys) names.add(keyText(key));
        return readModel.fetch(keys);
      },
    },
    async madeFrom(): Promise<MadeFrom> {
      const { items, total } = page;
      const found = { items: items.map(({ id }) => id), total };
      const termIds = [...new Set(items.flatMap(({ categories, tags }) => [...categories, ...tags]))];
      const termsNow = async () => {
        const terms = await readModel.terms();
        return termIds.map((id) => terms.get(id));
      };
      const terms = await termsNow();
      const documents = [...names].join(' ');
      return {
        documents,
        bytes: documents.length + TERM_BYTES * terms.length,
        async isFoundAgain(version) {
          const now = [await readModel.findEvents(query), await termsNow()];
          return isDeepStrictEqual(now, [found, terms]) && (await readModel.version()) === version;
        },
      };
    },
  };
}
