// The places that visitors filter by: the venues where something is to come, and their cities.

import { findLinkedPosts, linkedPostListRequest } from '../calendar/linked-post/queries/list-linked-posts.ts';
import { openTurns } from '../kernel/event-loop/turns.ts';
import { compareLetters, foldLetters } from '../kernel/text/ascii-folding.ts';
import { lineOfHtml } from '../kernel/text/html-text.ts';
import type { QueryDependencies, Reader } from '../queries/reader.ts';
import type { VenueAnswer } from './answers.ts';

/** In degrees. */
interface Point {
  readonly lat: number;
  readonly lng: number;
}

export type Places = ReturnType<typeof places>;

/** A longer list is of no use in a form: those added last are offered. */
const MAX_VENUES = 100;
/** Suggestions only: each of them can be written. */
const MAX_NAMES = 100;
const PER_PAGE = 50;

/** What the public may know of them, as the API answers. */
export async function placesOf(queries: QueryDependencies, reader: Reader): Promise<Places> {
  const turn = openTurns();
  const venues: VenueAnswer[] = [];
  for (let page = 1; venues.length < MAX_VENUES; page += 1) {
    const input = { only_with_upcoming: true, page, per_page: PER_PAGE };
    const request = await linkedPostListRequest(queries, 'venue', input, reader);
    if ('refused' in request) break;
    const { bodies, total } = await findLinkedPosts(queries, request.query, reader);
    for (const { text } of bodies) {
      await turn();
      venues.push(JSON.parse(text));
    }
    if (venues.length >= total) break;
  }
  return places(venues);
}

export function places(answers: readonly VenueAnswer[]) {
  const venues = answers.toSorted((one, other) => compareLetters(one.venue, other.venue) || one.id - other.id);
  const cities = new Map<string, Point[]>();
  const points = new Map<string, Point[]>();
  for (const venue of venues) {
    const point = pointOf(venue);
    if (!point) continue;
    const city = lineOfHtml(venue.city ?? '');
    if (city !== '') cities.set(city, [...(cities.get(city) ?? []), point]);
    points.set(lineOfHtml(venue.venue), [point]);
  }
  const known = [...[...cities].sort(([one], [other]) => compareLetters(one, other)), ...points];
  // A city comes before a venue of the same name.
  const byName = new Map(known.toReversed().map(([name, all]) => [foldLetters(name), middleOf(all)]));
  return {
    /** By name. */
    venues,
    /** Cities, then venues, of which it is known where they are. */
    names: [...new Set(known.map(([name]) => name))].slice(0, MAX_NAMES),
    /** A place by its name, in any case, or by coordinates such as `53.8, -1.55`. */
    find: (text: string): Point | null => coordinatesIn(text) ?? byName.get(foldLetters(text.trim())) ?? null,
  };
}

/** Without the password of a venue its coordinates are not shown. */
function pointOf({ show_map: isShown, geo_lat: lat, geo_lng: lng }: VenueAnswer): Point | null {
  return isShown === null || lat === undefined || lng === undefined ? null : { lat, lng };
}

const COORDINATES = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;

function coordinatesIn(text: string): Point | null {
  const [, lat, lng] = COORDINATES.exec(text) ?? [];
  return lat === undefined || lng === undefined ? null : { lat: Number(lat), lng: Number(lng) };
}

function middleOf(points: readonly Point[]): Point {
  const mean = (member: keyof Point): number =>
    Math.round((points.reduce((sum, point) => sum + point[member], 0) / points.length) * 10_000) / 10_000;
  return { lat: mean('lat'), lng: mean('lng') };
}
