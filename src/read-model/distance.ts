// Distances on the globe.
const EARTH_RADIUS_KM = 6371.0088;

export interface Coordinates {
  readonly lat: number;
  readonly lng: number;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Great-circle distance in kilometres (haversine, mean earth radius). */
export function distanceKm(from: Coordinates, to: Coordinates): number {
  const lat = Math.sin(radians(to.lat - from.lat) / 2);
  const lng = Math.sin(radians(to.lng - from.lng) / 2);
  const half = lat * lat + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * lng * lng;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** How many degrees of latitude a distance spans at most; a little more, so that rounding leaves nothing out. */
export const degreesOfLatitude = (km: number): number => (km / EARTH_RADIUS_KM) * (180 / Math.PI) + 1e-6;
