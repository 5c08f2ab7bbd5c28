// Sends a batch, in parts that one script call can handle.
import type { Batch, DocumentChange } from '../read-model.ts';
import { preparedPart } from './batch-payload.ts';
import { documentName, type Keys } from './keys.ts';
import type { TrackedCache } from './tracked-cache.ts';
import type { Writer } from './writer.ts';

/** Documents per script call: some tens of milliseconds, far below what Redis calls busy. */
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
 * The present search texts of the events. They cannot change before the batch is applied: otherwise the checkpoint
 * would differ, and the batch would be stale.
 */
async function textsBefore(writer: Writer, keys: Keys, changes: readonly DocumentChange[]): Promise<(string | null)[]> {
  const events = changes.filter(({ key }) => key.kind === 'event');
  if (events.length === 0) return [];
  const texts = await writer.with(keys.base, (redis) => redis.mget(events.map(({ key }) => keys.text(key))));
  const before = new Map(events.map(({ key }, at) => [key, texts[at] ?? null]));
  return changes.map(({ key }) => before.get(key) ?? null);
}

/**
 * Returns the script's result; see lua/apply-batch.lua. Preparation starts at once, so that a caller who passes the
 * next batch early has it prepared while the server is busy with this one.
 */
export async function applyBatch(writer: Writer, cache: TrackedCache, keys: Keys, batch: Batch): Promise<string> {
  const changes = lastChanges(batch.changes);
  const count = Math.max(1, Math.ceil(changes.length / PART));
  const slices = Array.from({ length: count }, (_, at) => [at * PART, (at + 1) * PART] as const);
  const preparing = Promise.all(slices.map(([from, to]) => preparedPart(keys, changes.slice(from, to))));
  // The call that waits for its turn gets the failure.
  preparing.catch(() => {});
  const outcome = await writer.inTurn(async () => {
    const prepared = await preparing;
    const before = await textsBefore(writer, keys, changes);
    return writer.applyParts(
      keys.base,
      prepared.map((finish, at) => {
        const { waiting, payload } = finish(before.slice(...(slices[at] ?? [])));
        return {
          waiting,
          parameters: [
            keys.base,
            partName(at, count),
            batch.after,
            batch.upTo,
            payload,
            batch.fill ?? '',
            batch.mark ?? '',
          ],
        };
      }),
    );
  });
  if (outcome !== 'applied') return outcome;
  // The server says so as well, but on another connection, and perhaps a moment later than this reply.
  for (const { key } of changes) {
    cache.invalidate(keys.body(key));
    cache.invalidate(keys.rest(key));
  }
  cache.invalidate(keys.termsVersion);
  return outcome;
}
