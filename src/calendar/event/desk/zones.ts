// Time zones by the names of their cities.

const ZONES = Intl.supportedValuesOf('timeZone');

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');

/** Each zone with its city, by which people look for it. */
export const CITIES: readonly (readonly [zone: string, city: string])[] = ZONES.map((zone) => [zone, cityOf(zone)]);

/** The zone of a city, or what was typed if it is none. */
export function zoneNamed(text: string): string {
  const city = CITIES.find((names) => names.some((name) => name.toLowerCase() === text.toLowerCase()));
  return city?.[0] ?? text;
}
