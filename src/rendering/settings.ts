// What representations depend on besides the resource. A change of any of these refills the read models.
import type { Zone } from '../time/zone.ts';

export interface RenderingSettings {
  readonly siteZone: Zone;
  readonly defaultSymbol: string;
  readonly defaultPosition: 'prefix' | 'postfix';
  /** The text for a cost of 0. */
  readonly freeLabel: string;
}
