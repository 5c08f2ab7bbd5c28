// A part of a batch in the format of the script (lua/apply-batch.lua): the halves of documents are staged under keys of their
// own, and the script gets one long value with the rest. It splits that in a fraction of the time that it takes a client to
// write thousands of arguments and a server to read them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { packRow, rowOfChange } from '../list-index/rows.ts';
import type { Batch, DocumentChange } from '../read-model.ts';
import { storedDocument } from '../stored-document.ts';
import { documentName, type Keys, nameEntries } from './keys.ts';
import type { TrackedCache } from './tracked-cache.ts';
import type { Writer, WrittenPart } from './writer.ts';

/** Documents after which other work gets a turn: requests, and the previous batch, which is being sent. */
const AT_ONCE = 50;

/** Whole numbers below 2^32, big-endian. */
function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The length in bytes, then the bytes. */
const sized = (bytes: Buffer): readonly [Buffer, Buffer] => [uint32(bytes.length), bytes];

const NOTHING = Buffer.alloc(0);

async function preparedPart(
  keys: Keys,
  changes: readonly DocumentChange[],
): Promise<{ readonly waiting: readonly string[]; readonly payload: Buffer }> {
  const payload: Buffer[] = [uint32(changes.length)];
  const waiting: string[] = [];
  for (const [at, change] of changes.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const { key, document } = change;
    const name = documentName(key);
    const row = rowOfChange(change);
    const entries = document ? Buffer.from(nameEntries(document).join('\n')) : NOTHING;
    payload.push(...sized(Buffer.from(name)), uint32(document ? 1 : 0));
    payload.push(...sized(row ? packRow(row) : NOTHING), ...sized(entries));
    if (!document) continue;
    const { body, state } = storedDocument(document);
    waiting.push(keys.waiting(`b:${name}`), body, keys.waiting(`z:${name}`), state);
  }
  return { waiting, payload: Buffer.concat(payload) };
}

/** Documents per script call: some milliseconds, far below what Redis calls busy. */
const PART = 1_000;

/** The last change of each document: earlier ones would be overwritten at once. */
function lastChanges(changes: readonly DocumentChange[]): DocumentChange[] {
  return [...new Map(changes.map((change) => [documentName(change.key), change])).values()];
}

const partName = (at: number, parts: number): string => {
  if (parts === 1) return 'only';
  if (at === 0) return 'first';
  return at === parts - 1 ? 'last' : 'middle';
};

/**
 * Returns the script's result; see lua/apply-batch.lua. Preparation starts at once, so that a caller who passes the
 * next batch early has it prepared while the server is busy with this one.
 */
export async function applyBatch(writer: Writer, cache: TrackedCache, keys: Keys, batch: Batch): Promise<string> {
  const changes = lastChanges(batch.changes);
  const count = Math.max(1, Math.ceil(changes.length / PART));
  const preparing = Promise.all(
    Array.from({ length: count }, async (_, at): Promise<WrittenPart> => {
      const { waiting, payload } = await preparedPart(keys, changes.slice(at * PART, (at + 1) * PART));
      const { after, upTo, fill = '', mark = '' } = batch;
      return { waiting, parameters: [keys.base, partName(at, count), after, upTo, payload, fill, mark] };
    }),
  );
  // The call that waits for its turn gets the failure.
  preparing.catch(() => {});
  const outcome = await writer.inTurn(async () => writer.applyParts(keys.base, await preparing));
  if (outcome !== 'applied') return outcome;
  // The server says so as well, but on another connection, and perhaps a moment later than this reply.
  for (const { key } of changes) {
    cache.invalidate(keys.body(key));
    cache.invalidate(keys.rest(key));
  }
  cache.invalidate(keys.version);
  return outcome;
}
