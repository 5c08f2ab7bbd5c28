// Allocates ids so that no two processes ever allocate the same: every id comes from a block reserved in the log.
// decision 3
import type { EventMetadata } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { OCCURRENCE_BLOCK } from '../../event-store/occurrences.ts';
import { type CreateBlock, type ImportBlock, openReservationLog, type ReservationLog } from './id-reservations.ts';

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

export interface IdSequence {
  /** The next id. Requests that wait at the same time share one reservation, so ids stay dense. */
  next(metadata: EventMetadata): Promise<number>;
  /**
   * Whole blocks of 64, aligned, at least `count` ids: for the dates of one series, whose owner is found by the block.
   * What is left over before the first of them is never used.
   */
  block(count: number, metadata: EventMetadata): Promise<readonly number[]>;
  /** Which of the requested ids the caller may use; the others belong, or may belong, to another resource. */
  claim(ids: readonly number[], metadata: EventMetadata, claim: ImportClaim): Promise<ReadonlySet<number>>;
}

interface Waiting {
  readonly metadata: EventMetadata;
  resolve(id: number): void;
  reject(reason: unknown): void;
}

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
export function openIdSequence(store: EventStore, options: IdSequenceOptions): IdSequence {
  const { blockSize } = options;
  const log = openReservationLog(store, options);
  let next = 0;
  let end = 0;
  let waiting: Waiting[] = [];
  let isReserving = false;

  function handOut(): void {
    const served = waiting.slice(0, end - next);
    waiting = waiting.slice(served.length);
    for (const request of served) {
      request.resolve(next);
      next += 1;
    }
  }

  async function reserveFor(asking: number, metadata: EventMetadata): Promise<void> {
    const count = Math.max(blockSize, asking);
    const plan = (first: number): CreateBlock => ({ first, last: first + count - 1, purpose: 'create' });
    const block = await log.reserve(plan, metadata);
    if (block === null) return;
    next = block.first;
    end = block.last + 1;
  }

  function rejectFirst(count: number, reason: unknown): void {
    const failed = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const request of failed) request.reject(reason);
  }

  // One at a time: requests that arrive during a reservation wait for the next round, which serves them together.
  async function serveWaiting(): Promise<void> {
    if (isReserving) return;
    isReserving = true;
    handOut();
    while (waiting[0] !== undefined) {
      const asking = waiting.length;
      try {
        await reserveFor(asking, waiting[0].metadata);
        handOut();
      } catch (error) {
        rejectFirst(asking, error);
      }
    }
    isReserving = false;
  }

  return {
    next(metadata) {
      return new Promise((resolve, reject) => {
        waiting.push({ metadata, resolve, reject });
        void serveWaiting();
      });
    },
    async block(count, metadata) {
      const aligned = (free: number): number => Math.ceil(free / OCCURRENCE_BLOCK) * OCCURRENCE_BLOCK;
      const size = Math.ceil(count / OCCURRENCE_BLOCK) * OCCURRENCE_BLOCK;
      const plan = (first: number): CreateBlock => ({ first, last: aligned(first) + size - 1, purpose: 'create' });
      const block = await log.reserve(plan, metadata);
      const first = block ? aligned(block.first) : 0;
      return Array.from({ length: size }, (_, index) => first + index);
    },
    claim: (ids, metadata, claim) => claimIds(log, ids, metadata, claim),
  };
}

// Claims ids for an import; see above why nothing else can use what is granted here.

/** Larger ids are not granted: clients store ids in 32 bits, and one huge id would use up the sequence. */
const MAX_ID = 2 ** 31 - 1;
/** Requested ids per reservation: keeps the event small even if no two of them are adjacent. */
const IDS_PER_RESERVATION = 10_000;
/** Concurrent claims of single ids. */
const CLAIMS_AT_ONCE = 50;

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
  const wished = ascending(ids).filter((id) => Number.isInteger(id) && id >= 1 && id <= MAX_ID);
  const allowed = new Set<number>();
  for (const chunk of chunksOf(wished, IDS_PER_RESERVATION)) {
    for (const id of await claimFresh(log, chunk, metadata, claim.claimant)) allowed.add(id);
  }
  const older = wished.filter((id) => !allowed.has(id));
  const blocks = older[0] === undefined ? [] : await log.importsDownTo(older[0]);
  for (const chunk of chunksOf(older, CLAIMS_AT_ONCE)) {
    const answers = await Promise.all(chunk.map((id) => mayHaveOlder(log, blocks, id, metadata, claim)));
    for (const [index, id] of chunk.entries()) if (answers[index]) allowed.add(id);
  }
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
  const block = blocks.find(({ first, last }) => first <= id && id <= last);
  if (block === undefined) return false;
  const holder = isInRanges(id, block.granted) ? block.claimant : await log.claim(id, claimant, metadata);
  return holder === claimant && !(await isUsed(id));
}

// Sets of ids as ranges: an import of ten thousand adjacent ids is one range, not ten thousand numbers.

export interface IdRange {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

/** Without duplicates, ascending. */
function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((left, right) => left - right);
}

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

function isInRanges(id: number, ranges: readonly IdRange[]): boolean {
  return ranges.some((range) => range.first <= id && id <= range.last);
}

function chunksOf(ids: readonly number[], size: number): number[][] {
  const chunks: number[][] = [];
  for (let start = 0; start < ids.length; start += size) chunks.push(ids.slice(start, start + size));
  return chunks;
}

// The ids of one command: an attempt that lost its race without writing anything leaves its ids to the next one.

export interface DrawnIds {
  block(sequence: Pick<IdSequence, 'block'>, count: number, metadata: EventMetadata): Promise<readonly number[]>;
  next(sequence: Pick<IdSequence, 'next'>, metadata: EventMetadata): Promise<number>;
  /** Starts over with the ids drawn so far, in the same order: nothing with these ids has been written. */
  reuse(): void;
  /** Something may have been written: from here on ids are new. */
  forget(): void;
}

export function openDrawnIds(): DrawnIds {
  const drawn = new Map<object, number[]>();
  const used = new Map<object, number>();
  let blocks: (readonly number[])[] = [];
  let usedBlocks = 0;
  return {
    async block(sequence, count, metadata) {
      const earlier = blocks[usedBlocks];
      const block = earlier && earlier.length >= count ? earlier : await sequence.block(count, metadata);
      blocks[usedBlocks] = block;
      usedBlocks += 1;
      return block;
    },
    async next(sequence, metadata) {
      const ids = drawn.get(sequence) ?? [];
      const at = used.get(sequence) ?? 0;
      drawn.set(sequence, ids);
      used.set(sequence, at + 1);
      const earlier = ids[at];
      if (earlier !== undefined) return earlier;
      const id = await sequence.next(metadata);
      ids.push(id);
      return id;
    },
    reuse() {
      used.clear();
      usedBlocks = 0;
    },
    forget() {
      drawn.clear();
      used.clear();
      blocks = [];
      usedBlocks = 0;
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
    reuse() {},
    forget() {},
    isAsked: () => last < 0,
  };
}
