// The parameters of histories.
import type { ThingKind } from '../../queries/history/resource.ts';
import type { ParameterTable } from '../route.ts';
import type { ListSettings } from './lists.ts';
import { anyId, pageNumber, perPage } from './primitives.ts';

/** The id is looked up in the log by the handler: views may lag, or have forgotten what the log still has. */
export const historyList = (what: ThingKind, { perPage: size }: ListSettings): ParameterTable => ({
  id: anyId(what),
  page: pageNumber,
  per_page: perPage(size),
});
