// The events that were published last, all of them or those that filters select: for RSS and Atom.

import { withStaying } from '../../../editorial/merges/queries/merged.ts';
import type { QueryRefusal } from '../../../queries/arguments.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import type { EventQuery } from '../../../read-model/queries.ts';
import type { EventListInput } from '../http/event-schema.ts';
import { eventListRequest } from './list-events.ts';

/** The query of a filtered feed, in which dates and pages play no part; null without a filter. */
export async function newestQuery(
  dependencies: QueryDependencies,
  input: EventListInput,
  reader: Reader,
): Promise<EventQuery | null | QueryRefusal> {
  if (Object.keys(input).length === 0) return null;
  const { readModel } = dependencies;
  const staying = await withStaying(readModel, input);
  const request = eventListRequest(staying, dependencies, reader, await readModel.terms());
  return 'refused' in request ? request : { ...request.query, bounds: {} };
}
