// Ids and slugs for new dates of a series. Ids come in whole blocks, whose owner is recorded before they are used, so that
// an id leads to its series; slugs are that of the series with the day behind it.

import type { CommandDependencies } from '../../../commands/context.ts';
import { isFreeSlug, type SlugRequest } from '../../../commands/reservations/slugs.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { suffixedBy } from '../../../kernel/text/slug.ts';
import type { WallClock } from '../../../kernel/time/zone.ts';
import type { Repeating } from '../domain/facts.ts';
import type { Naming, PlannedDates } from '../domain/series.ts';
import { type BlockOwner, OCCURRENCE_BLOCK, ownerStream, SERIES_PREFIX } from '../facts/occurrences.ts';

interface SeriesNames {
  readonly id: number;
  /** Reserved by the series. */
  readonly slug: string;
  /** Days that have a date already. */
  readonly days: ReadonlySet<string>;
}

/** What new dates are called; draws ids if more are needed than the series has left. */
export async function nameDates(
  unit: UnitOfWork,
  { postIds }: Pick<CommandDependencies, 'postIds'>,
  { id, slug, days }: SeriesNames,
  { come, toDraw }: PlannedDates,
): Promise<Naming> {
  const drawn = toDraw === 0 ? [] : await unit.nextBlock(postIds, toDraw);
  const owner: BlockOwner = { series: id };
  for (let at = 0; at < drawn.length; at += OCCURRENCE_BLOCK)
    await unit.record(ownerStream(drawn[at] ?? 0), [{ type: 'SeriesIdsReserved', data: owner }], 'first');
  const slugs = new Map<WallClock, string>();
  const usedDays = new Set(days);
  for (const { wallClock } of come) {
    const day = dayOf(wallClock);
    slugs.set(wallClock, await freeSlug(unit, slug, usedDays.has(day) ? `${day}-${timeOf(wallClock)}` : day));
    usedDays.add(day);
  }
  return { drawn, slugOf: (wallClock) => slugs.get(wallClock) ?? slug };
}

/** Single days get the time of day of the series. */
export function datedAt(repeating: Partial<Repeating>, start: WallClock): Partial<Repeating> {
  const timed = (dates: readonly string[]): WallClock[] =>
    dates.map((date) => (date.length === 'YYYY-MM-DD'.length ? date + start.slice(10) : date));
  const { added, skipped } = repeating;
  return { ...repeating, ...(added && { added: timed(added) }), ...(skipped && { skipped: timed(skipped) }) };
}

export const dayOf = (wallClock: WallClock): string => wallClock.slice(0, 10);
const timeOf = (wallClock: WallClock): string => wallClock.slice(11, 16).replace(':', '');

/** Others may have had such a title before; none gets one afterwards (`probeSlug` in slugs.ts). */
async function freeSlug(unit: UnitOfWork, slug: string, suffix: string): Promise<string> {
  for (let n = 1; ; n++) {
    const candidate = suffixedBy(slug, n === 1 ? suffix : `${suffix}-${n}`);
    if (await isFreeSlug(unit.store, 'event', candidate, unit.metadata.instant)) return candidate;
  }
}

/** Reserves the slug that those of the dates begin with. */
export async function seriesSlug(
  unit: UnitOfWork,
  id: number,
  { base, origin }: Pick<SlugRequest, 'base' | 'origin'>,
): Promise<string> {
  const { metadata, newEventId } = unit;
  const owner = `${SERIES_PREFIX}${id}`;
  const { slug, append } = await unit.findSlug({
    kind: 'event',
    base: base || String(id),
    origin,
    owner,
    metadata,
    newEventId,
  });
  unit.add(append);
  return slug;
}
