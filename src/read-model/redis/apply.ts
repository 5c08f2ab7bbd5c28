// Sends a batch: what is to be stored and indexed of each document, in parts that a script can take.
import type { Batch, DocumentChange } from '../read-model.ts';
import { bodyText } from './documents.ts';
import { indexed } from './index-entries.ts';
import { documentName, type Keys } from './keys.ts';
import type { TrackedCache } from './tracked-cache.ts';
import type { Writer } from './writer.ts';

/** So many documents in one run of the script: some tens of milliseconds, far below what Redis calls busy. */
const PART = 1_000;

const NOTHING = ['', '', '', '', ''] as const;

function parametersOf({ key, document }: DocumentChange): readonly (string | Buffer)[] {
  if (!document) return [documentName(key), ...NOTHING];
  const { member, description, text } = indexed(document);
  return [documentName(key), bodyText(document), JSON.stringify(document.state), member, description, text];
}

/** The last change of each document: those before it would be overwritten at once. */
function lastChanges(changes: readonly DocumentChange[]): DocumentChange[] {
  return [...new Map(changes.map((change) => [documentName(change.key), change])).values()];
}

const partName = (at: number, parts: number): string => {
  if (parts === 1) return 'only';
  if (at === 0) return 'first';
  return at === parts - 1 ? 'last' : 'middle';
};

/** Answers what the script answers; see scripts/apply.ts. */
export async function applyBatch(writer: Writer, cache: TrackedCache, keys: Keys, batch: Batch): Promise<string> {
  const changes = lastChanges(batch.changes);
  const count = Math.max(1, Math.ceil(changes.length / PART));
  const parts = Array.from({ length: count }, (_, at) => [
    keys.base,
    partName(at, count),
    batch.after,
    batch.upTo,
    ...changes.slice(at * PART, (at + 1) * PART).flatMap(parametersOf),
  ]);
  const outcome = await writer.applyParts(parts);
  if (outcome !== 'applied') return outcome;
  // The server says so as well, but on another connection, and perhaps a moment later than it answers here.
  for (const { key } of changes) {
    cache.invalidate(keys.body(key));
    cache.invalidate(keys.state(key));
  }
  cache.invalidate(keys.termsVersion);
  return outcome;
}
