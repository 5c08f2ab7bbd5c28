// Allocates ids so that no two processes ever allocate the same: every id comes from a block reserved in the log.
// decision 3

import { OCCURRENCE_BLOCK } from '../../editorial/series/facts/occurrences.ts';
import { inPortions } from '../../kernel/event-loop/turns.ts';
import type { EventMetadata } from '../../log/envelope.ts';
import type { AppendOutcome, EventStore } from '../../log/event-store.ts';
import {
  type CreateBlock,
  type Drawn,
  type IdRange,
  type ImportBlock,
  openReservationLog,
  type ReservationLog,
  writeDrawn,
} from './id-reservations.ts';

interface IdSequenceOptions {
  readonly stream: 'ids-post' | 'ids-term' | 'ids-user';
  /** The first id of an empty log. */
  readonly first: number;
  /**
   * Ids per reservation: 1 leaves no gaps; more saves an append per id if several processes or a network are involved.
   */
  readonly blockSize: number;
  readonly newEventId: () => string;
}

export type IdSequence = ReturnType<typeof openIdSequence>;

interface DrawnSequence {
  next(metadata: EventMetadata): Promise<Drawn>;
  block(count: number, metadata: EventMetadata): Promise<Drawn>;
}

/** What commands draw ids from. */
export type Ids = Pick<IdSequence, 'next' | 'block'> & Partial<Pick<IdSequence, 'drawn'>>;

/**
 * Why two processes can never use the same id:
 *
 * 1. Blocks do not overlap. Each `IdsReserved` starts where the last event of the stream ends and is appended at the
 *    revision of that event; of two writers that start from the same event one gets a conflict and reads again.
 * 2. `next` allocates ids only from `create` blocks of its own process, each once. A process that dies leaves a gap,
 *    never a duplicate.
 * 3. `claim` of ids that are in no block yet reserves everything up to the highest requested id as one `import` block,
 *    and the same event records who gets which of them. So the append of point 1 decides about the grant, too.
 * 4. An id in a `create` block is never granted to an import: its process may be about to use it.
 * 5. An id in an import block that was not granted with it is a gap without an owner. A claimant appends `IdClaimed` to
 *    the id's own stream at `no_stream`: one append succeeds, all others learn the owner from it. Only then is `isUsed`
 *    asked, as a last line of defence.
 * 6. An id granted before (3) or claimed before (5) is granted again to the same claimant only, and only while unused.
 *    If two runs of one claimant overlap, both hold the id, but for the same resource of the same kind: its first
 *    append expects `no_stream`, so one of them creates it and the other gets a conflict.
 */
export function openIdSequence(store: EventStore, options: IdSequenceOptions) {
  const { blockSize } = options;
  const log = openReservationLog(store, options);
  const oneOf =
    (count: number) =>
    (first: number): CreateBlock => ({ first, last: first + count - 1, purpose: 'create' });
  /** Reserved, and not handed out. */
  let spare: readonly number[] = [];
  let filling: Promise<void> | null = null;

  async function fill(metadata: EventMetadata): Promise<void> {
    const block = await log.reserveAtOnce(oneOf(blockSize), metadata).finally(() => {
      filling = null;
    });
    spare = [...spare, ...idsOf(block)];
  }

  async function next(metadata: EventMetadata): Promise<number> {
    if (blockSize === 1) return (await log.reserveAtOnce(oneOf(1), metadata)).last;
    while (spare.length === 0) {
      filling ??= fill(metadata);
      await filling;
    }
    const [id = 0, ...rest] = spare;
    spare = rest;
    return id;
  }

  const drawn: DrawnSequence = {
    next: (metadata) => log.draw(oneOf(1), metadata),
    block: (count, metadata) => log.draw(blocksFor(count), metadata),
  };

  return {
    /** The next id. Requests that wait at the same time share one reservation, so ids stay dense. */
    next,
    /**
     * Whole blocks of 64, aligned, at least `count` ids: for the dates of one series, whose owner is found by the block.
     * What is left over before the first of them is never used.
     */
    block: async (count: number, metadata: EventMetadata) =>
      wholeBlocks(await log.reserveAtOnce(blocksFor(count), metadata)),
    /** Draws ids for what is written in one append with their reservations; undefined while these are better written before. */
    get drawn() {
      // Where other processes draw ids, too, a reservation would often fail with all that is decided on it.
      return blockSize === 1 && !log.isContended() ? drawn : undefined;
    },
    /** Which of the requested ids the caller may use; the others belong, or may belong, to another resource. */
    claim: (ids: readonly number[], metadata: EventMetadata, claim: ImportClaim) => claimIds(log, ids, metadata, claim),
  };
}

const idsOf = ({ first, last }: IdRange): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const aligned = (free: number): number => Math.ceil(free / OCCURRENCE_BLOCK) * OCCURRENCE_BLOCK;

const blocksFor =
  (count: number) =>
  (first: number): CreateBlock => ({ first, last: aligned(first) + aligned(count) - 1, purpose: 'create' });

/** What is used of a reservation of whole blocks. */
const wholeBlocks = ({ first, last }: IdRange): readonly number[] => idsOf({ first: aligned(first), last });

// Claims ids for an import; see above why nothing else can use what is granted here.

/** Larger ids are not granted: clients store ids in 32 bits, and one huge id would use up the sequence. */
const MAX_ID = 2 ** 31 - 1;
/** Requested ids per reservation: keeps the event small even if no two of them are adjacent. */
const IDS_PER_RESERVATION = 10_000;

interface ImportClaim {
  /**
   * Where the requested ids come from, such as the address of an exported site. Two imports of the same claimant must
   * mean the same resource by the same id; then an interrupted import can be repeated and gets its ids again.
   */
  readonly claimant: string;
  /** Whether a resource of any kind in this sequence has the id. */
  readonly isUsed: (id: number) => Promise<boolean>;
}

async function claimIds(
  log: ReservationLog,
  ids: readonly number[],
  metadata: EventMetadata,
  claim: ImportClaim,
): Promise<ReadonlySet<number>> {
  const possible = ids.filter((id) => Number.isInteger(id) && id >= 1 && id <= MAX_ID);
  const wished = [...new Set(possible)].sort((left, right) => left - right);
  const allowed = new Set<number>();
  for (let at = 0; at < wished.length; at += IDS_PER_RESERVATION) {
    const some = wished.slice(at, at + IDS_PER_RESERVATION);
    for (const id of await claimFresh(log, some, metadata, claim.claimant)) allowed.add(id);
  }
  const older = wished.filter((id) => !allowed.has(id));
  const blocks = older[0] === undefined ? [] : await log.importsDownTo(older[0]);
  const answers = await inPortions(older, (some) =>
    Promise.all(some.map((id) => mayHaveOlder(log, blocks, id, metadata, claim))),
  );
  for (const [index, id] of older.entries()) if (answers[index]) allowed.add(id);
  return allowed;
}

/** Those of the requested ids, in ascending order, that were in no block; they are now. */
async function claimFresh(
  log: ReservationLog,
  wished: readonly number[],
  metadata: EventMetadata,
  claimant: string,
): Promise<number[]> {
  const above = (free: number) => wished.filter((id) => id >= free);
  const plan = (first: number): ImportBlock | null => {
    const granted = rangesOf(above(first));
    const last = granted.at(-1)?.last;
    return last === undefined ? null : { first, last, purpose: 'import', claimant, granted };
  };
  const reserved = await log.reserve(plan, metadata);
  return reserved === null ? [] : above(reserved.first);
}

async function mayHaveOlder(
  log: ReservationLog,
  blocks: readonly ImportBlock[],
  id: number,
  metadata: EventMetadata,
  { claimant, isUsed }: ImportClaim,
): Promise<boolean> {
  const hasId = ({ first, last }: IdRange): boolean => first <= id && id <= last;
  const block = blocks.find(hasId);
  if (block === undefined) return false;
  const holder = block.granted.some(hasId) ? block.claimant : await log.claim(id, claimant, metadata);
  return holder === claimant && !(await isUsed(id));
}

// Sets of ids as ranges: an import of ten thousand adjacent ids is one range, not ten thousand numbers.

/** The fewest ranges that hold exactly these ids, given in ascending order. */
function rangesOf(ids: readonly number[]): IdRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (const id of ids) {
    const current = ranges.at(-1);
    if (current !== undefined && current.last + 1 === id) current.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges;
}

// The ids of one command: an attempt that lost its race without writing anything leaves its ids to the next one.

export type DrawnIds = ReturnType<typeof openDrawnIds>;

/** What a command has drawn in one call. */
interface Draw {
  readonly ids: readonly number[];
  readonly reserved?: Drawn;
}

/** `before`: what uses the ids may be written by another unit than the one that draws them. */
export function openDrawnIds(reserving: 'before' | 'with what uses them' = 'with what uses them') {
  /** By sequence; blocks of all sequences are under a key of their own. */
  const draws = new Map<object, Draw[]>();
  let used: Draw[] = [];
  const BLOCKS = {};
  const drawnOf = ({ drawn }: Pick<Ids, 'drawn'>) => (reserving === 'before' ? undefined : drawn);

  async function drawAgain(of: object, isEnough: (ids: readonly number[]) => boolean, draw: () => Promise<Draw>) {
    const earlier = draws.get(of) ?? [];
    draws.set(of, earlier);
    const at = used.filter((one) => earlier.includes(one)).length;
    const before = earlier[at];
    const now = before && isEnough(before.ids) ? before : await draw();
    earlier[at] = now;
    used.push(now);
    return now.ids;
  }

  return {
    block: (
      sequence: Pick<Ids, 'block' | 'drawn'>,
      count: number,
      metadata: EventMetadata,
    ): Promise<readonly number[]> =>
      drawAgain(
        BLOCKS,
        ({ length }) => length >= count,
        async () => {
          const drawn = drawnOf(sequence);
          if (!drawn) return { ids: await sequence.block(count, metadata) };
          const reserved = await drawn.block(count, metadata);
          return { ids: wholeBlocks(reserved), reserved };
        },
      ),
    async next(sequence: Pick<Ids, 'next' | 'drawn'>, metadata: EventMetadata) {
      const [id = 0] = await drawAgain(
        sequence,
        () => true,
        async () => {
          const drawn = drawnOf(sequence);
          if (!drawn) return { ids: [await sequence.next(metadata)] };
          const reserved = await drawn.next(metadata);
          return { ids: [reserved.last], reserved };
        },
      );
      return id;
    },
    /** As `writeDrawn`. */
    write: (append: Parameters<typeof writeDrawn>[1]): Promise<AppendOutcome> =>
      writeDrawn(
        used.flatMap(({ reserved }) => reserved ?? []),
        append,
      ),
    /** Starts over with the ids drawn so far, in the same order: nothing with these ids has been written. */
    reuse() {
      used = [];
    },
    /** Something may have been written: from here on ids are new. */
    forget() {
      draws.clear();
      used = [];
    },
  };
}

/** Sequences for what is only tried out: their ids are below zero, where none is. */
export function openUndrawnSequences() {
  const ids = openUndrawnIds();
  const sequence: Pick<IdSequence, 'next' | 'block'> = {
    next: (metadata) => ids.next(sequence, metadata),
    block: (count, metadata) => ids.block(sequence, count, metadata),
  };
  return { sequences: { postIds: sequence, termIds: sequence }, isAsked: ids.isAsked };
}

/** Ids of what is only tried out: below zero, where none is. */
export function openUndrawnIds(): DrawnIds & { isAsked(): boolean } {
  let last = 0;
  return {
    async block(_sequence, count) {
      const first = last - count;
      last = first;
      return Array.from({ length: count }, (_, index) => first + index);
    },
    async next() {
      last -= 1;
      return last;
    },
    write: (append) => append([]),
    reuse() {},
    forget() {},
    isAsked: () => last < 0,
  };
}
