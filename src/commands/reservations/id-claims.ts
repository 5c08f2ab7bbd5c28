// Ids that an import brings along; ids.ts says why nobody else can use what is granted here.
import type { EventMetadata } from '../../event-store/envelope.ts';
import { ascending, chunksOf, isInRanges, rangesOf } from './id-ranges.ts';
import type { ImportBlock, ReservationLog } from './id-reservations.ts';

/** Larger ids are not granted: clients keep ids in 32 bits, and one stray giant would use the sequence up. */
const MAX_ID = 2 ** 31 - 1;
/** Wished ids per reservation: keeps the event small even when no two of them are neighbours. */
const IDS_PER_RESERVATION = 10_000;
/** Claims of single ids that are under way at a time. */
const CLAIMS_AT_ONCE = 50;

export interface ImportClaim {
  /**
   * Where the wished ids come from, such as the address of an exported site. Two imports of the same claimant must mean
   * the same thing by the same id; then an import that broke off may be run again and gets its ids again.
   */
  readonly claimant: string;
  /** Whether any resource of this sequence has the id, whatever its kind. */
  readonly isUsed: (id: number) => Promise<boolean>;
}

export async function claimIds(
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

/** Those of the wished ids, which come ascending, that lay in no block; they do now. */
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
