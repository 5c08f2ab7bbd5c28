// What the rules of the read model contract share.
import * as assert from 'uvu/assert';
import type { DocumentKey } from '../../src/read-model/documents.ts';
import type { IndexedModel } from '../../src/read-model/indexed-model.ts';
import type { EventQuery } from '../../src/read-model/queries.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { eventQuery } from '../support/documents.ts';

/** An empty read model, and what a test may do to what lies behind it. */
export interface OpenedReadModel {
  readonly model: IndexedModel;
  /** A second handle on the same data, as another process would have it; null where there can be none. */
  readonly another: ((fingerprint?: string) => Promise<IndexedModel>) | null;
  /**
   * Changes what is stored of a document, or its row or names, behind the back of the read model; null where no other process
   * has access.
   */
  readonly damage:
    | ((
        part: 'shown' | 'not shown' | 'row' | 'name',
        key: DocumentKey,
        edit: (text: string) => string,
      ) => Promise<void>)
    | null;
  cleanup(): Promise<void>;
}

interface Page {
  readonly items: readonly { readonly id: number }[];
  readonly total: number;
}

export const idsOf = ({ items }: Page): number[] => items.map(({ id }) => id);

/** Registers a test that gets an empty read model. */
export type Check = (rule: string, run: (model: ReadModel, opened: OpenedReadModel) => Promise<void>) => void;

/** Lists by ids what a question about events finds, which is the same with documents and without. */
export async function listed(model: ReadModel, query: Partial<EventQuery>): Promise<number[]> {
  const { items, total } = await model.listEvents(eventQuery(query));
  const ids = items.map(({ id }) => id);
  assert.equal(await model.findEvents(eventQuery(query)), { items: ids, total });
  return ids;
}

/** Links to one post. */
export const link = (id: number, life = 0) => [{ id, life }];
