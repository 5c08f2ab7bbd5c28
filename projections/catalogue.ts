// Every view there is.
import type { RenderingSettings } from '../src/rendering/settings.ts';
import { eventsProjection } from './events.ts';
import { organizersProjection } from './organizers.ts';
import type { AnyProjection } from './projection.ts';
import { termsProjection } from './terms.ts';
import { usersProjection } from './users.ts';
import { venuesProjection } from './venues.ts';

/**
 * Raise it with every change of what a projection folds or shows: read models made by another version are filled anew
 * at the next start.
 */
const VERSION = 4;

export const allProjections = (settings: RenderingSettings): readonly AnyProjection[] => [
  eventsProjection(settings),
  venuesProjection(),
  organizersProjection(),
  termsProjection('category'),
  termsProjection('tag'),
  usersProjection(),
];

/** Identifies everything that documents depend on beside the log. */
export const fingerprintOf = (settings: RenderingSettings): string =>
  JSON.stringify([VERSION, settings.defaultSymbol, settings.defaultPosition, settings.freeLabel]);
