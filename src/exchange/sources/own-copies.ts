// Two calendars may be each other's source: what one has taken from the other comes back with every poll, under ids of the
// other. Such copies of our own events are left alone and remembered; taken again, they would go to and fro for ever.
import { loadEvent } from '../../calendar/resource/commands/references.ts';
import { ownerOfSlug } from '../../commands/reservations/slugs.ts';
import { loadAllOfSeries } from '../../editorial/series/commands/compare-dates.ts';
import { EVENT_PREFIX, SERIES_PREFIX } from '../../editorial/series/facts/occurrences.ts';
import { slugFrom, suffixedSlug } from '../../kernel/text/slug.ts';
import type { EpochSeconds, Zone } from '../../kernel/time/zone.ts';
import type { StreamReader } from '../../log/event-store.ts';
import type { ImportPlan, PlannedEvent } from '../import/import-plan.ts';
import { importReason } from '../import/write/writing.ts';
import { type ChangedEvent, type Compared, startOf } from './compare.ts';
import type { SourceItem } from './domain/items.ts';

/** Items of another Daybook, as iCalendar, or of any calendar with the same API: only these may be copies of our events. */
const OF_CALENDARS = /^import:(?:ical:(?:event|series):\["(?:event|series)-\d+@|(?!ical:).+:(?:event|series):\d+$)/;

/** Events with one title that are looked at. */
const MAX_NAMESAKES = 32;

/** What is to be written without copies of our own events; these are among the items, with the event that they copy. */
export async function withoutOwnCopies(store: StreamReader, compared: Compared, siteZone: Zone): Promise<Compared> {
  const copies = new Map<string, number>();
  for (const event of compared.events) {
    const own = event.known ? event.known.own : await ownEvent(store, event, siteZone);
    if (own !== undefined) copies.set(event.item.key, own);
  }
  if (copies.size === 0) return compared;
  const isOther = ({ key }: { readonly key: string }): boolean => !copies.has(key);
  const [left, others] = [
    compared.plan.events.filter(({ origin }) => !isOther(origin)),
    compared.plan.events.filter(({ origin }) => isOther(origin)),
  ];
  return {
    ...compared,
    plan: withoutReferencesOf(left, { ...compared.plan, events: others }),
    events: compared.events.filter(({ item }) => isOther(item)),
    items: compared.items.map((item): SourceItem => {
      const own = copies.get(item.key);
      return own === undefined ? item : { ...item, own };
    }),
    unchanged: compared.unchanged + copies.size,
  };
}

/** Undefined: there is none. */
async function ownEvent(
  store: StreamReader,
  { planned: { origin, input }, item }: ChangedEvent,
  siteZone: Zone,
): Promise<number | undefined> {
  if (!OF_CALENDARS.test(item.uid)) return undefined;
  const start = startOf(input.times, siteZone);
  const title = slugFrom(input.title ?? '');
  if (start === null || title === '') return undefined;
  for (let suffix = 1; suffix <= MAX_NAMESAKES; suffix += 1) {
    const owner = await ownerOfSlug(store, 'event', suffix === 1 ? title : suffixedSlug(title, suffix));
    if (owner === null) return undefined;
    if (await isFrom(store, owner, origin)) continue;
    const own = await startsAt(store, owner);
    if (own?.start === start) return own.id;
  }
  return undefined;
}

/** Whether this source has brought it: it may have several of one title at one time. */
async function isFrom(store: StreamReader, stream: string, origin: PlannedEvent['origin']): Promise<boolean> {
  const [first] = await store.readStream(stream, { limit: 1 });
  return first !== undefined && first.metadata.reason === importReason(origin);
}

interface Start {
  readonly id: number;
  readonly start: EpochSeconds;
}

async function startsAt(store: StreamReader, owner: string): Promise<Start | null> {
  if (owner.startsWith(SERIES_PREFIX)) {
    const [series] = await loadAllOfSeries(store, Number(owner.slice(SERIES_PREFIX.length)));
    return series ? { id: series.template.id, start: series.template.schedule.startsAt } : null;
  }
  const id = Number(owner.slice(EVENT_PREFIX.length));
  const event = await loadEvent(store, id);
  return event && { id, start: event.schedule.startsAt };
}

/** Venues, organizers and terms that only events have which are left out are left out, too. */
function withoutReferencesOf(left: readonly PlannedEvent[], plan: ImportPlan): ImportPlan {
  const referred = (events: readonly PlannedEvent[]): ReadonlySet<string> =>
    new Set(
      events.flatMap(({ venues = [], organizers = [], categories = [], tags = [] }) => [
        ...[...venues, ...organizers, ...categories, ...tags],
      ]),
    );
  const [ofLeft, ofTaken] = [referred(left), referred(plan.events)];
  const isWanted = ({ origin: { key } }: { readonly origin: { readonly key: string } }): boolean =>
    !ofLeft.has(key) || ofTaken.has(key);
  return {
    ...plan,
    terms: plan.terms.filter(isWanted),
    venues: plan.venues.filter(isWanted),
    organizers: plan.organizers.filter(isWanted),
  };
}
