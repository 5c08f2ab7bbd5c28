// What a list of events was made from: decides whether it is still the same after changes.
import { isDeepStrictEqual } from 'node:util';
import type { EventQuery } from '../read-model/queries.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import type { ListedBody } from './bodies.ts';

export type MadeFrom = ReturnType<typeof madeFromBodies>;

/** Bytes that are kept of an event beside its names, roughly: lists of one state share its terms. */
const BYTES_OF_EVENT = 100;

/** What a list of events was made from that has these bodies. */
export function madeFromBodies(
  readModel: Pick<ReadModel, 'findEvents' | 'terms' | 'version'>,
  query: EventQuery,
  bodies: readonly ListedBody[],
  total: number,
) {
  const documents = bodies.map((body) => body.documents).join(' ');
  const items = bodies.map(({ id }) => id);
  const [termIds, terms] = [bodies.map((body) => body.termIds), bodies.map((body) => body.terms)];
  return {
    /**
     * The names of all documents that it shows or embeds, and of those that were looked for in vain, some of them more than once, with
     * blanks between them: `event-20 venue-3`. A thousand lists and more are kept, and a list of names takes several times as much.
     */
    documents,
    /** Bytes of memory, roughly. */
    bytes: documents.length + BYTES_OF_EVENT * bodies.length,
    /**
     * Whether it is the same in a version of the read model if none of its documents was changed: the index finds the same events
     * again, and their terms are the same. False if the read model has gone on from that version.
     */
    async isFoundAgain(version: string) {
      const [matches, termsNow] = [await readModel.findEvents(query), await readModel.terms()];
      return (
        isDeepStrictEqual(matches, { items, total }) &&
        isDeepStrictEqual(
          termIds.flat().map((id) => termsNow.get(id)),
          terms.flat(),
        ) &&
        (await readModel.version()) === version
      );
    },
  };
}
