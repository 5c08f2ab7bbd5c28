// The slug of a series.

import type { SlugRequest } from '../../../commands/reservations/slugs.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { SERIES_PREFIX } from '../facts/occurrences.ts';

/** Reserves the slug that those of the dates begin with. */
export async function seriesSlug(
  unit: UnitOfWork,
  id: number,
  { wanted, origin }: Pick<SlugRequest, 'wanted' | 'origin'>,
): Promise<string> {
  const { metadata, newEventId } = unit;
  const owner = `${SERIES_PREFIX}${id}`;
  const { slug, append } = await unit.findSlug({
    kind: 'event',
    wanted: wanted || String(id),
    origin,
    owner,
    metadata,
    newEventId,
  });
  unit.add(append);
  return slug;
}
