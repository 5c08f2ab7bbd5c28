// Whether a query could find an event. Texts, passwords and the venues themselves are not looked at: what depends on them
// counts as found.
import type { EventRow } from './list-index/rows.ts';
import { type EventQuery, isVisible, type TimeBounds } from './queries.ts';

/** What lists find an event by, without its words. */
export type EventOutline = Pick<
  EventRow,
  | 'id'
  | 'startsAt'
  | 'endsAt'
  | 'status'
  | 'author'
  | 'hidden'
  | 'parent'
  | 'categories'
  | 'tags'
  | 'venues'
  | 'organizers'
>;

/** False only if the query certainly does not find the event. */
export function mayMatch(query: EventQuery, event: EventOutline): boolean {
  if (event.hidden || !isVisible(event, query.visibility) || !isWithin(query.bounds, event)) return false;
  const { categories, tags, venues, organizers, include, parent } = query;
  return (
    sharesOne(categories, event.categories) &&
    sharesOne(tags, event.tags) &&
    sharesOne(venues, idsOf(event.venues)) &&
    sharesOne(organizers, idsOf(event.organizers)) &&
    sharesOne(include, [event.id]) &&
    (parent === undefined || event.parent === parent)
  );
}

const idsOf = (links: EventOutline['venues']): readonly number[] => links.map(({ id }) => id);

/** Without a filter all do. */
const sharesOne = (wanted: readonly number[] | undefined, found: readonly number[]): boolean =>
  wanted === undefined || found.some((id) => wanted.includes(id));

function isWithin(bounds: TimeBounds, { startsAt, endsAt }: EventOutline): boolean {
  const { startsFrom, startsAfter, startsBefore, endsUntil, endsBefore, endsAfter } = bounds;
  return (
    (startsFrom === undefined || startsAt >= startsFrom) &&
    (startsAfter === undefined || startsAt > startsAfter) &&
    (startsBefore === undefined || startsAt < startsBefore) &&
    (endsUntil === undefined || endsAt <= endsUntil) &&
    (endsBefore === undefined || endsAt < endsBefore) &&
    (endsAfter === undefined || endsAt > endsAfter)
  );
}
