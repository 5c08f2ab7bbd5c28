// Distances on the globe.
const EARTH_RADIUS_KM = 6371.0088;

interface Coordinates {
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

/** The most degrees of latitude that a distance spans, rounded up so that nothing is missed. */
export const degreesOfLatitude = (km: number): number => (km / EARTH_RADIUS_KM) * (180 / Math.PI) + 1e-6;
