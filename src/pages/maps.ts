// Addresses in one line, links to a map, and maps of the tiles that the theme names.
import type { VenueAnswer } from './answers.ts';
import { type Html, html } from './html.ts';
import type { Surroundings } from './public/layout.ts';

type Address = Pick<VenueAnswer, 'address' | 'zip' | 'city' | 'stateprovince' | 'country'>;
type Place = Address & Pick<VenueAnswer, 'geo_lat' | 'geo_lng'>;

export const addressOf = ({ address = '', zip = '', city = '', stateprovince = '', country = '' }: Address): string =>
  [address, `${zip} ${city}`.trim(), stateprovince, country].filter(Boolean).join(', ');

/** What a venue shows of where it is: a map of the theme's tiles, a link to one, both, or false. */
export function mapOf(
  { theme, words }: Pick<Surroundings, 'theme' | 'words'>,
  venue: Place & Pick<VenueAnswer, 'show_map' | 'show_map_link'>,
): Html | false {
  const { show_map: showsMap, show_map_link: showsLink, geo_lat: lat, geo_lng: lng } = venue;
  const isDrawn = theme.map !== null && showsMap === true && lat !== undefined && lng !== undefined;
  const url = showsLink === true ? mapAddress(venue) : undefined;
  if (!isDrawn && url === undefined) return false;
  return html`${isDrawn && html`<br />${mapPicture(theme.map, lat, lng)}`}
    ${url !== undefined && html`<br /><a rel="noopener" href=${url}>${words('map')}</a>`}`;
}

/** A place on OpenStreetMap; undefined where nothing is known of it. */
export function mapAddress(place: Place): string | undefined {
  const { geo_lat: lat, geo_lng: lng } = place;
  if (lat !== undefined && lng !== undefined)
    return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`;
  const text = addressOf(place);
  return text === '' ? undefined : `https://www.openstreetmap.org/search?${new URLSearchParams({ query: text })}`;
}

/** Streets with their names. */
const ZOOM = 16;
const TILE = 256;
const [WIDTH, HEIGHT] = [400, 220];
const TILES_ACROSS = 2 ** ZOOM;
/** The square of the Mercator projection ends there. */
const MAX_LATITUDE = 85.05;

/** The tiles around a place with a mark in the middle. Degrees; source: the numbering of tiles of web maps (Web Mercator, EPSG:3857). */
function mapPicture({ tiles, credit }: NonNullable<Surroundings['theme']['map']>, lat: number, lng: number): Html {
  const angle = (Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat)) * Math.PI) / 180;
  const left = ((lng + 180) / 360) * TILES_ACROSS * TILE - WIDTH / 2;
  const top = ((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * TILES_ACROSS * TILE - HEIGHT / 2;
  const tile = (x: number, y: number): Html => {
    const numbers: { readonly [name: string]: number } = { z: ZOOM, x: (x + TILES_ACROSS) % TILES_ACROSS, y };
    const url = tiles.replace(/\{([zxy])\}/g, (_, name: string) => String(numbers[name]));
    return html`<image href=${url} x=${x * TILE - Math.round(left)} y=${y * TILE - Math.round(top)} width=${TILE} height=${TILE} />`;
  };
  const columns = numbersBetween(Math.floor(left / TILE), Math.floor((left + WIDTH) / TILE));
  const rows = numbersBetween(Math.max(0, Math.floor(top / TILE)), Math.floor((top + HEIGHT) / TILE));
  return html`<svg class="map" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      ${rows.filter((y) => y < TILES_ACROSS).map((y) => columns.map((x) => tile(x, y)))}
      <circle cx=${WIDTH / 2} cy=${HEIGHT / 2} r="9" />
    </svg><small>${credit}</small>`;
}

const numbersBetween = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
