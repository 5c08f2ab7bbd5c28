// Instants as texts: ISO 8601 in UTC.
import type { EpochSeconds } from './zone.ts';

export const instantText = (at: EpochSeconds): string => new Date(at * 1000).toISOString();

/** Without milliseconds. */
export const shortInstant = (at: EpochSeconds): string => instantText(at).replace('.000Z', 'Z');
