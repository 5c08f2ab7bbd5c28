// What representations depend on beside the thing itself. A change of any of these makes the read models anew.
import type { Zone } from '../time/zone.ts';

export interface RenderingSettings {
  readonly siteZone: Zone;
  readonly defaultSymbol: string;
  readonly defaultPosition: 'prefix' | 'postfix';
  /** What a cost of 0 is called. */
  readonly freeLabel: string;
}
