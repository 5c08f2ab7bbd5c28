// Addresses in one line, and links to a map.
import type { VenueAnswer } from './answers.ts';

type Address = Pick<VenueAnswer, 'address' | 'zip' | 'city' | 'stateprovince' | 'country'>;
type Place = Address & Pick<VenueAnswer, 'show_map' | 'geo_lat' | 'geo_lng'>;

export const addressOf = ({ address = '', zip = '', city = '', stateprovince = '', country = '' }: Address): string =>
  [address, `${zip} ${city}`.trim(), stateprovince, country].filter(Boolean).join(', ');

/** A map of the place, on OpenStreetMap; undefined where the place is not known or not to be shown. */
export function mapOf(venue: Place): string | undefined {
  const { geo_lat: lat, geo_lng: lng, show_map: isShown } = venue;
  if (isShown === null) return undefined;
  if (lat !== undefined && lng !== undefined)
    return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`;
  const text = addressOf(venue);
  return text === '' ? undefined : `https://www.openstreetmap.org/search?${new URLSearchParams({ query: text })}`;
}
