// All projections.
// decision 11: read models are refilled, never migrated.
import { ROW_SHAPE } from '../src/read-model/list-index/rows.ts';
import type { RenderingSettings } from '../src/rendering/post-fragment.ts';
import { eventsProjection } from './events.ts';
import { organizersProjection } from './organizers.ts';
import { picturesProjection } from './pictures.ts';
import type { AnyProjection } from './projection.ts';
import { proposalsProjection } from './proposals.ts';
import { seriesProjection } from './series.ts';
import { termsProjection } from './terms.ts';
import { usersProjection } from './users.ts';
import { venuesProjection } from './venues.ts';

/**
 * Raise it whenever a projection folds or renders something else, or a member of a row is packed in another way: read models of
 * another version are refilled at the next start. Members that come or go refill them by themselves.
 */
const VERSION = 11;

export const allProjections = (settings: RenderingSettings): readonly AnyProjection[] => [
  eventsProjection(settings),
  venuesProjection(),
  organizersProjection(),
  termsProjection('category'),
  termsProjection('tag'),
  usersProjection(),
  proposalsProjection(),
  picturesProjection(),
  seriesProjection(),
];

/** Identifies everything that documents depend on besides the log. */
export const fingerprintOf = (): string => JSON.stringify([VERSION, ROW_SHAPE]);
