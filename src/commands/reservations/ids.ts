// Hands out ids, so that no two processes ever hand out the same: every id comes from a block reserved in the log.
import type { EventMetadata } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { claimIds, type ImportClaim } from './id-claims.ts';
import { type CreateBlock, openReservationLog } from './id-reservations.ts';

export interface IdSequenceOptions {
  readonly stream: 'ids-post' | 'ids-term' | 'ids-user';
  /** The first id of an empty log. */
  readonly first: number;
  /** Ids per reservation: 1 wastes none; more saves an append per id where several processes or a network are involved. */
  readonly blockSize: number;
  readonly newEventId: () => string;
}

export interface IdSequence {
  /** The next id. Requests that wait at the same time share one reservation, so ids stay dense. */
  next(metadata: EventMetadata): Promise<number>;
  /** Which of the wished ids the caller may use; the others belong, or may belong, to somebody else. */
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
 *    revision of that event; of two writers who start from the same event one gets a conflict and reads again.
 * 2. `next` hands out ids of its own process's `create` blocks only, each once. A process that dies leaves a gap, never
 *    a duplicate.
 * 3. `claim` of ids that lie in no block yet reserves everything up to the highest wished id as one `import` block, and
 *    writes into the same event who gets which of them. So the append of point 1 decides about the grant, too.
 * 4. An id in a `create` block is never given to an import: its process may be about to use it.
 * 5. An id in an import block that was not granted with it is a gap that nobody has a right to. Whoever wishes it
 *    appends `IdClaimed` to the id's own stream at `no_stream`: one append succeeds, all others learn whom it names.
 *    Only then is `isUsed` asked, as a last line of defence.
 * 6. An id granted before (3) or claimed before (5) is given again to the same claimant only, and only while unused.
 *    If two runs of one claimant overlap, both hold the id, but for the same resource of the same kind: its first append
 *    expects `no_stream`, so one of them creates it and the other gets a conflict.
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

  // One at a time: whoever comes while a reservation is under way waits for the next round, which serves them together.
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
    claim: (ids, metadata, claim) => claimIds(log, ids, metadata, claim),
  };
}
