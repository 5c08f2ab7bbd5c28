// Bodies of answers.
import type { TermView } from '../read-model/queries.ts';

export interface Assembled {
  /** JSON. */
  readonly text: string;
  /**
   * Changes whenever an embedded resource changes; `''` if nothing is embedded. Lists need none. It is no accessor: V8 makes a
   * shape of its own for each object that is written with one, in the old generation (twelve events: a quarter of the
   * processor time of their list).
   */
  readonly mark: () => string;
}

/** An event, and what it was assembled from besides its document. */
export interface AssembledEvent extends Assembled {
  /** The names (`keyText`) of its document, of those that it embeds, and of those that were looked for in vain, with blanks between them. */
  readonly documents: string;
  readonly termIds: readonly number[];
  /** These categories and tags, as it shows them; undefined: one is gone. */
  readonly terms: readonly (TermView | undefined)[];
}

/** An event of a list with its body. It may be kept for long, so it holds nothing of what it was assembled from. */
export interface ListedBody extends Omit<AssembledEvent, 'mark'> {
  readonly id: number;
}

export const listedBody = (id: number, { text, documents, termIds, terms }: AssembledEvent): ListedBody => ({
  ...{ id, text, documents, termIds, terms },
});
