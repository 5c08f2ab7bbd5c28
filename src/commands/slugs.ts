// Slugs are unique per kind: whoever holds the last reservation of `slug-<kind>-<slug>` has it.
import { suffixedSlug } from '../domain/slug.ts';
import type { EventMetadata, RecordedEvent } from '../event-store/envelope.ts';
import type { EventStore, ExpectedRevision, StreamAppend } from '../event-store/event-store.ts';
import { currentSchemaVersion } from '../event-store/upcasters.ts';

type StreamReader = Pick<EventStore, 'readStream'>;

/** Reservations older than this, in milliseconds, whose owner was never written are free to take. */
const ABANDONED_AFTER = 60_000;
/** Up to this suffix the smallest free one is given. */
const EXHAUSTIVE_UP_TO = 32;
/** Suffixes asked for at once while looking closely: the first alone, as it is free most of the time. */
const CLOSE_RANGES = [range(1, 1), range(2, 8), range(9, EXHAUSTIVE_UP_TO)];
/** Beyond it: 64, 128, ... up to some 67 million. */
const DOUBLINGS = Array.from({ length: 21 }, (_, index) => EXHAUSTIVE_UP_TO * 2 ** (index + 1));
/** How many suffixes are asked for at once while narrowing down. */
const NARROWING = 16;

export interface SlugRequest {
  /** `event`, `venue`, `category`, ...: each has slugs of its own. */
  readonly kind: string;
  /** Normalised, as `slugFrom` gives it. */
  readonly wanted: string;
  /** Stream of the resource that is to bear the slug (`event-12`). */
  readonly owner: string;
  /** Of the reservation; its instant is "now". */
  readonly metadata: EventMetadata;
  readonly newEventId: () => string;
}

export interface FreeSlug {
  readonly slug: string;
  /** Belongs before the resource's own append in the same batch; null when the owner holds the slug already. */
  readonly append: StreamAppend | null;
}

/**
 * The wanted slug or, when another owner has it, one with a suffix (`-2`, `-3`, ...), and the append that reserves it.
 * A conflict of that append means that somebody was faster: ask again.
 *
 * Up to `-32` it is the smallest free suffix. Beyond that, where a title is used by thousands, a free suffix is searched
 * by doubling until one is free and narrowing between the last taken and the first free: it follows a taken one and has
 * itself been seen to be free, in a handful of rounds instead of thousands of reads; suffixes that were given back among
 * the higher ones are not hunted for.
 *
 * A reservation by an owner that has no events is abandoned after 60 s: its writer died between two appends (only where
 * a batch is not one transaction), and the slug may be taken over. A writer must give up its batch well before that. For
 * the same reason an owner that is not written yet reserves again: that append fails if somebody has taken over.
 */
export async function findFreeSlug(store: StreamReader, request: SlugRequest): Promise<FreeSlug> {
  const probe = (n: number) => probeSlug(store, request, n);
  for (const candidates of CLOSE_RANGES) {
    const close = await firstFree(candidates, probe);
    if (close.free !== undefined) return close.free.offer;
  }
  const reached = await firstFree(DOUBLINGS, probe);
  if (reached.free === undefined) throw new Error(`No suffix is left for the slug ${request.wanted}.`);
  let lastTaken = reached.lastTaken ?? EXHAUSTIVE_UP_TO;
  let free = reached.free;
  while (free.n - lastTaken > 1) {
    const step = Math.ceil((free.n - lastTaken) / (NARROWING + 1));
    const candidates = range(1, NARROWING).map((index) => lastTaken + index * step);
    const closer = await firstFree(within(candidates, free.n), probe);
    lastTaken = closer.lastTaken ?? lastTaken;
    free = closer.free ?? free;
  }
  return free.offer;
}

/** Gives a slug back; null when the owner does not hold it. The append belongs after the resource's own in the same batch. */
export async function releaseSlug(
  store: StreamReader,
  { kind, slug, owner, metadata, newEventId }: Omit<SlugRequest, 'wanted'> & { readonly slug: string },
): Promise<StreamAppend | null> {
  const reservation = await readReservation(store, kind, slug);
  if (reservation.owner !== owner) return null;
  return slugAppend('SlugReleased', reservation, { owner, metadata, newEventId });
}

/** Stream of the resource that has reserved the slug; null when nobody has. */
export async function ownerOfSlug(store: StreamReader, kind: string, slug: string): Promise<string | null> {
  return (await readReservation(store, kind, slug)).owner;
}

interface Reservation {
  readonly stream: string;
  readonly owner: string | null;
  readonly expected: ExpectedRevision;
  /** When the reservation was made; null when there is none. */
  readonly instant: string | null;
}

interface Probe {
  readonly n: number;
  /** Null: taken. */
  readonly offer: FreeSlug | null;
}

interface Found {
  readonly free?: { readonly n: number; readonly offer: FreeSlug };
  /** The candidate just before the free one, or the last of all; undefined when the very first is free. */
  readonly lastTaken?: number;
}

async function firstFree(candidates: readonly number[], probe: (n: number) => Promise<Probe>): Promise<Found> {
  let found: Found = {};
  for (const { n, offer } of await Promise.all(candidates.map(probe))) {
    if (offer !== null) return { ...found, free: { n, offer } };
    found = { lastTaken: n };
  }
  return found;
}

async function probeSlug(store: StreamReader, request: SlugRequest, n: number): Promise<Probe> {
  const { kind, wanted, owner, metadata } = request;
  const slug = n === 1 ? wanted : suffixedSlug(wanted, n);
  const reservation = await readReservation(store, kind, slug);
  const reserve = () => ({ n, offer: { slug, append: slugAppend('SlugReserved', reservation, request) } });
  if (reservation.owner === null) return reserve();
  if (reservation.owner === owner) {
    return (await isWritten(store, owner)) ? { n, offer: { slug, append: null } } : reserve();
  }
  const age = Date.parse(metadata.instant) - Date.parse(reservation.instant ?? '');
  const isAbandoned = age > ABANDONED_AFTER && !(await isWritten(store, reservation.owner));
  return isAbandoned ? reserve() : { n, offer: null };
}

async function readReservation(store: StreamReader, kind: string, slug: string): Promise<Reservation> {
  const stream = `slug-${kind}-${slug}`;
  const [last] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
  if (last === undefined) return { stream, owner: null, expected: 'no_stream', instant: null };
  if (last.type === 'SlugReleased') return { stream, owner: null, expected: last.revision, instant: null };
  return { stream, owner: ownerIn(last), expected: last.revision, instant: last.metadata.instant };
}

async function isWritten(store: StreamReader, owner: string): Promise<boolean> {
  return (await store.readStream(owner, { limit: 1 })).length > 0;
}

function slugAppend(
  type: 'SlugReserved' | 'SlugReleased',
  { stream, expected }: Reservation,
  { owner, metadata, newEventId }: Pick<SlugRequest, 'owner' | 'metadata' | 'newEventId'>,
): StreamAppend {
  const event = { id: newEventId(), type, schemaVersion: currentSchemaVersion(type), data: { owner }, metadata };
  return { stream, expected, events: [event] };
}

function ownerIn({ data }: RecordedEvent): string {
  // Only this file writes to these streams.
  return (data as { owner: string }).owner;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function within(candidates: readonly number[], limit: number): number[] {
  return candidates.filter((candidate) => candidate < limit);
}
