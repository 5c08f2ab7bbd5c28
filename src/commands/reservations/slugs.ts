// Slugs are unique per kind: the owner of the last reservation in `slug-<kind>-<slug>` has it. A slug that was public and
// has been changed leads to its former owner: for a while no other resource gets it unless it is given by name.
import { present } from '../../domain/present.ts';
import { loadAllOfSeries } from '../../editorial/series/commands/compare-dates.ts';
import { EVENT_PREFIX, SERIES_PREFIX } from '../../editorial/series/facts/occurrences.ts';
import { suffixedSlug } from '../../kernel/text/slug.ts';
import type { EventMetadata, RecordedEvent } from '../../log/envelope.ts';
import { type ExpectedRevision, lastEvent, type StreamAppend, type StreamReader } from '../../log/event-store.ts';
import { eventOf } from '../../log/writing.ts';

/** Reservations older than this, in milliseconds, whose owner was never written can be taken over. */
const ABANDONED_AFTER = 60_000;
/** Up to this suffix the smallest free one is used. */
const EXHAUSTIVE_UP_TO = 32;
/** Suffixes queried at once among the low ones: the first alone, as it is usually free. */
const CLOSE_RANGES = [range(1, 1), range(2, 8), range(9, EXHAUSTIVE_UP_TO)];
/** Beyond it: 64, 128, … up to some 67 million. */
const DOUBLINGS = Array.from({ length: 21 }, (_, index) => EXHAUSTIVE_UP_TO * 2 ** (index + 1));
/** How many suffixes are queried at once while narrowing down. */
const NARROWING = 16;

export type SlugOrigin = 'given' | 'derived';

export interface SlugRequest {
  /** `event`, `venue`, `category`, …: each has slugs of its own. */
  readonly kind: string;
  /** Normalised, as `slugFrom` gives it. */
  readonly base: string;
  /** `given`: by name, and no longer an address of its former owner. `derived`: from a title or name. */
  readonly origin: SlugOrigin;
  /** Stream of the resource that will have the slug (`event-12`). */
  readonly owner: string;
  /** Metadata of the reservation; its instant is "now". */
  readonly metadata: EventMetadata;
  readonly newEventId: () => string;
}

export interface FreeSlug {
  readonly slug: string;
  /** Its suffix; 1 for none. */
  readonly n: number;
  /** Belongs before the resource's own append in the same batch; null if the owner holds the slug already. */
  readonly append: StreamAppend | null;
}

/**
 * The requested slug or, if another owner has it, one with a suffix (`-2`, `-3`, …), and the append that reserves it. A
 * conflict of that append is a lost race: try again.
 *
 * Up to `-32` it is the smallest free suffix. Beyond that, if thousands share a title, suffixes are doubled until one
 * is free, then narrowed down between the last taken and the first free one. The result follows a taken suffix and was
 * itself seen to be free, after a handful of rounds instead of thousands of reads; released suffixes among the higher
 * ones are not searched for.
 *
 * A reservation by an owner without events is abandoned after 60 s: its writer died between two appends (only where a
 * batch is not one transaction), and the slug may be taken over. A writer must give up its batch well before that. For
 * the same reason an owner that is not written yet reserves again: that append fails if the slug has been taken over.
 *
 * None of those that are `promised` to others, by the streams of their reservations, is found; nor, of those that are not checked one
 * by one, any before the suffix `from`.
 */
export async function findFreeSlug(
  store: StreamReader,
  request: SlugRequest,
  promised: ReadonlySet<string> = new Set(),
  from = 1,
): Promise<FreeSlug> {
  const probe = (n: number) => probeSlug(store, request, promised, n);
  const isBeyond = from > EXHAUSTIVE_UP_TO + 1;
  for (const candidates of isBeyond ? [] : CLOSE_RANGES) {
    const offers = await Promise.all(candidates.map(probe));
    const offer = offers.find((one) => one !== null);
    if (offer) return offer;
  }
  for (let n = isBeyond ? from : await firstBeyond(probe, request.base); ; n += 1) {
    const offer = await probe(n);
    if (offer) return offer;
  }
}

type Probe = (n: number) => Promise<FreeSlug | null>;

/** A suffix beyond those that are checked one by one: free, and following a taken one. */
async function firstBeyond(probe: Probe, base: string): Promise<number> {
  const reached = await firstFree(DOUBLINGS, probe);
  if (reached.free === undefined) throw new Error(`No suffix is left for the slug ${base}.`);
  let lastTaken = reached.lastTaken ?? EXHAUSTIVE_UP_TO;
  let { free } = reached;
  while (free - lastTaken > 1) {
    const step = Math.ceil((free - lastTaken) / (NARROWING + 1));
    const [above, below] = [lastTaken, free];
    const candidates = range(1, NARROWING).map((index) => above + index * step);
    const closer = await firstFree(
      candidates.filter((candidate) => candidate < below),
      probe,
    );
    lastTaken = closer.lastTaken ?? lastTaken;
    free = closer.free ?? free;
  }
  return free;
}

/** How long a slug that leads to its former owner is kept from others, in milliseconds: a year. */
const KEPT_FOR = 366 * 86_400_000;

export interface SlugRelease extends Omit<SlugRequest, 'base' | 'origin'> {
  readonly slug: string;
  /** `leads on`: it was public, and is an address of the owner still. */
  readonly leaving: 'leads on' | 'free at once';
}

/**
 * Releases a slug; null if the owner does not hold it. The append belongs after the resource's own in the same batch.
 * Dates of a series hold none, but what was theirs leads on as well.
 */
export async function releaseSlug(
  store: StreamReader,
  { kind, slug, owner, metadata, newEventId, leaving }: SlugRelease,
): Promise<StreamAppend | null> {
  const reservation = await readReservation(store, kind, slug);
  const leadsOn = leaving === 'leads on';
  if (reservation.owner !== owner && !(leadsOn && reservation.owner === null)) return null;
  const keptUntil = new Date(Date.parse(metadata.instant) + KEPT_FOR).toISOString();
  const data = { owner, ...(leadsOn && { keptUntil }) };
  return slugAppend('SlugReleased', reservation, { data, metadata, newEventId });
}

const OF_DATE = /^(.+)-\d{4}-\d\d-\d\d(?:-\d{4})?(?:-\d+)?$/;

/** Dates reserve no slugs: each has that of its series with the day behind it. */
async function dateWithSlug(store: StreamReader, kind: string, slug: string): Promise<string | null> {
  const base = kind === 'event' && OF_DATE.exec(slug)?.[1];
  if (!base) return null;
  const owner = await ownerOfSlug(store, kind, base);
  if (!owner?.startsWith(SERIES_PREFIX)) return null;
  const all = await loadAllOfSeries(store, Number(owner.slice(SERIES_PREFIX.length)));
  const match = all.flatMap(({ dates }) => [...dates.values()]).find((date) => date.slug === slug);
  return match ? `${EVENT_PREFIX}${match.id}` : null;
}

/** Whether the slug is free for any other resource: reserved by none, and kept for none. */
export async function isFreeSlug(store: StreamReader, kind: string, slug: string, now: string): Promise<boolean> {
  const { owner, former } = await readReservation(store, kind, slug);
  return owner === null && (former === undefined || former.until <= now);
}

/** How many changes of owner are read. */
const MAX_OWNERS = 100;

/** What documents that are built from the log are found by. */
export const slugOwners = (store: StreamReader) => ({
  /** Stream of the resource that has reserved the slug, or of the date of a series that has it; null if it is free. */
  present: async (kind: string, slug: string): Promise<string | null> =>
    (await ownerOfSlug(store, kind, slug)) ?? dateWithSlug(store, kind, slug),
  /** Streams of the resources that have or had reserved the slug, the latest first. */
  async ever(kind: string, slug: string): Promise<readonly string[]> {
    const changes = await store.readStream(streamOfSlug(kind, slug), { direction: 'backwards', limit: MAX_OWNERS });
    return [...new Set(changes.map(ownerIn))];
  },
});

/** Stream of the resource that has reserved the slug; null if it is free. */
export async function ownerOfSlug(store: StreamReader, kind: string, slug: string): Promise<string | null> {
  return (await readReservation(store, kind, slug)).owner;
}

interface Reservation {
  readonly stream: string;
  readonly owner: string | null;
  readonly expected: ExpectedRevision;
  /** When the reservation was made; null if there is none. */
  readonly instant: string | null;
  /** The former owner that it leads to, for whom it is kept until then. */
  readonly former?: { readonly owner: string; readonly until: string };
}

interface SearchResult {
  readonly free?: number;
  /** The candidate just before the free one, or the last of all; undefined if the first one is free. */
  readonly lastTaken?: number;
}

async function firstFree(candidates: readonly number[], probe: Probe): Promise<SearchResult> {
  const offers = await Promise.all(candidates.map(probe));
  const at = offers.findIndex((offer) => offer !== null);
  return at < 0
    ? present({ lastTaken: candidates.at(-1) })
    : present({ free: candidates[at], lastTaken: candidates[at - 1] });
}

/** Null: it is taken. */
async function probeSlug(
  store: StreamReader,
  { kind, base, origin, owner, metadata, newEventId }: SlugRequest,
  promised: ReadonlySet<string>,
  n: number,
): Promise<FreeSlug | null> {
  const slug = n === 1 ? base : suffixedSlug(base, n);
  if (promised.has(streamOfSlug(kind, slug))) return null;
  const reservation = await readReservation(store, kind, slug);
  const { owner: holder, instant, former } = reservation;
  const now = metadata.instant;
  const offer = (): FreeSlug => ({
    slug,
    n,
    append: slugAppend('SlugReserved', reservation, { data: { owner }, metadata, newEventId }),
  });
  if (holder === owner) return (await isWritten(store, owner)) ? { slug, n, append: null } : offer();
  if (holder !== null) {
    const isOld = Date.parse(now) - Date.parse(instant ?? '') > ABANDONED_AFTER;
    return isOld && !(await isWritten(store, holder)) ? offer() : null;
  }
  if (await dateWithSlug(store, kind, slug)) return null;
  // A number behind a slug that was given is ours.
  const isFree = !former || former.until <= now || former.owner === owner || (origin === 'given' && n === 1);
  return isFree ? offer() : null;
}

const streamOfSlug = (kind: string, slug: string): string => `slug-${kind}-${slug}`;

async function readReservation(store: StreamReader, kind: string, slug: string): Promise<Reservation> {
  const stream = streamOfSlug(kind, slug);
  const last = await lastEvent(store, stream);
  const free = { stream, owner: null, instant: null } as const;
  if (last === undefined) return { ...free, expected: 'no_stream' };
  if (last.type === 'SlugReleased') return { ...free, expected: last.revision, ...formerIn(last) };
  return { stream, owner: ownerIn(last), expected: last.revision, instant: last.metadata.instant };
}

export async function isWritten(store: StreamReader, owner: string): Promise<boolean> {
  return (await store.readStream(owner, { limit: 1 })).length > 0;
}

function slugAppend(
  type: 'SlugReserved' | 'SlugReleased',
  { stream, expected }: Reservation,
  {
    data,
    metadata,
    newEventId,
  }: Pick<SlugRequest, 'metadata' | 'newEventId'> & { readonly data: { readonly [member: string]: string } },
): StreamAppend {
  return { stream, expected, events: [eventOf({ type, data }, { metadata, newEventId })] };
}

function ownerIn({ data }: RecordedEvent): string {
  // Only this file writes to these streams.
  return (data as { owner: string }).owner;
}

function formerIn(released: RecordedEvent): Pick<Reservation, 'former'> {
  // Only this file writes to these streams.
  const { keptUntil: until } = released.data as { readonly keptUntil?: string };
  return until === undefined ? {} : { former: { owner: ownerIn(released), until } };
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
