// The rules of time zones as one release of the tz database has them. Governments change them, often at short notice, so
// two processes may know different ones.
import type { Zone } from './zone.ts';

export interface ZoneRules {
  /** Of the tz database: a year and a letter (`2026c`). Texts compare as releases do. */
  readonly release: string;
  /** The zone that a text names, or null when it names none. */
  readonly zoneNamed: (text: string) => Zone | null;
}
