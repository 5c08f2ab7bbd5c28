// Zone rules for tests: those of this Node, but for zones of which a government is said to have decided otherwise.
import { resolveZone, type Zone, type ZoneRules } from '../../src/kernel/time/zone.ts';

/** Rules of a release in which these zones are the given hours from UTC all year. */
export function rulesWith(release: string, hours: { readonly [zone: string]: number } = {}): ZoneRules {
  const zoneNamed = (text: string): Zone | null => {
    const zone = resolveZone(text);
    const decided = hours[text];
    return zone === null || decided === undefined ? zone : { ...zone, offsetAt: () => decided * 3_600 };
  };
  return { release, zoneNamed };
}
