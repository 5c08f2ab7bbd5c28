// What this machine and its runtime say of the time.
import { type EpochSeconds, resolveZone, type ZoneRules } from './zone.ts';

/** The system clock, read anew each time. */
export const systemNow = (): EpochSeconds => Math.floor(Date.now() / 1000);

/** Milliseconds of a monotonic clock; only differences matter. */
export const elapsed = (): number => performance.now();

/** The zone rules of this runtime; null if their release is unknown. */
export const SYSTEM_ZONE_RULES: ZoneRules | null =
  process.versions.tz === undefined ? null : { release: process.versions.tz, zoneNamed: resolveZone };
