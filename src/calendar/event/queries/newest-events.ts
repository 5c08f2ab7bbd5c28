// The events that were published last, all of them or those that filters select: for RSS and Atom.

import { withStaying } from '../../../editorial/merges/queries/merged.ts';
import { nextTurn } from '../../../kernel/event-loop/turns.ts';
import type { QueryRefusal } from '../../../queries/arguments.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import { type EventQuery, MAX_NEWEST } from '../../../read-model/queries.ts';
import type { EventListInput } from '../http/event-schema.ts';
import { eventListRequest } from './list-events.ts';

/** The query of a filtered feed, in which dates and pages play no part; null without a filter. */
export async function newestQuery(
  dependencies: QueryDependencies,
  given: EventListInput,
  reader: Reader,
): Promise<EventQuery | null | QueryRefusal> {
  if (Object.keys(given).length === 0) return null;
  const { readModel } = dependencies;
  const staying = await withStaying(readModel, given);
  const request = eventListRequest(staying, dependencies, reader, await readModel.terms());
  return 'refused' in request ? request : { ...request.query, bounds: {}, order: 'date' };
}

/** The ids of these events, the one published last first. */
export async function newestIds(
  { readModel }: Pick<QueryDependencies, 'readModel'>,
  query: EventQuery | null,
): Promise<readonly number[]> {
  if (query === null) return readModel.newestEvents({ limit: MAX_NEWEST });
  const { total } = await readModel.findEvents({ ...query, order: 'start', page: { offset: 0, limit: 0 } });
  // Each walks over all events that may be found.
  await nextTurn();
  const page = { offset: Math.max(0, total - MAX_NEWEST), limit: MAX_NEWEST };
  const { items } = await readModel.findEvents({ ...query, page });
  return items.toReversed();
}
