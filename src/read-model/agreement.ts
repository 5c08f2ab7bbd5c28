// Whether all that a read model keeps agrees with its documents: rows and names. What lists count follows from rows. Answers
// compare only what they read; commands compare everything.
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fetchReadable, ReadModelDamaged } from './damage.ts';
import { type DocumentKey, keyText, namesOf } from './documents.ts';
import type { Generation } from './generations.ts';
import { isPacked, type PackedRow, packRow, rowOf } from './list-index/rows.ts';
import type { ReadModelStorage } from './storage.ts';

export interface Disagreement {
  /** Null: it is about all of them. */
  readonly key: DocumentKey | null;
  /** What is not as it was written, or not as documents say. */
  readonly part: 'document' | 'row' | 'name';
}

const ALL = { direction: 'ascending', offset: 0, limit: Number.POSITIVE_INFINITY } as const;
const digest = (packed: PackedRow): string => hash('sha1', packed);

/** By the names of documents. */
async function rowDigests({ rows }: ReadModelStorage): Promise<Map<string, readonly [DocumentKey, string]>> {
  const digests = new Map<string, readonly [DocumentKey, string]>();
  let from: string | null = null;
  do {
    const { value } = await rows(from);
    for (const { key, row } of value.rows)
      if (row !== null) digests.set(keyText(key), [key, digest(isPacked(row) ? row : packRow(row))]);
    from = value.next;
    await nextTurn();
  } while (from !== null);
  return digests;
}

/** The ids that one list lacks or has beyond the other. */
function unlike(one: readonly number[], other: readonly number[]): number[] {
  const [ones, others] = [new Set(one), new Set(other)];
  return [...one.filter((id) => !others.has(id)), ...other.filter((id) => !ones.has(id))];
}

/**
 * Compares everything. What is written meanwhile is left out; null: so much is that it is not known what. Rejections:
 * `ReadModelUnavailable`.
 */
export async function disagreementsIn({
  model,
  storage,
  keys,
}: Omit<Generation, 'beside'>): Promise<readonly Disagreement[] | null> {
  const disagreements: Disagreement[] = [];
  const begun = await storage.version();
  const idsOf = new Map<string, { readonly key: DocumentKey; readonly name: string; readonly ids: number[] }>();

  /** A part that is damaged as a whole disagrees with all documents. */
  async function orDamaged(part: Disagreement['part'], work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      if (!(error instanceof ReadModelDamaged)) throw error;
      disagreements.push({ key: null, part });
    });
  }

  async function compareDocuments(): Promise<void> {
    const digests = await rowDigests(storage);
    for await (const portion of keys()) {
      const documents = await fetchReadable(model, portion);
      for (const [at, key] of portion.entries()) {
        const document = documents[at] ?? null;
        const [, stored = null] = digests.get(keyText(key)) ?? [];
        digests.delete(keyText(key));
        if (document === 'damaged') disagreements.push({ key, part: 'document' });
        if (document === 'damaged' || document === null) continue;
        const row = rowOf(document);
        if (stored !== (row && digest(packRow(row)))) disagreements.push({ key, part: 'row' });
        for (const name of namesOf(document)) {
          const entry = idsOf.get(`${key.kind} ${name}`) ?? { key, name, ids: [] };
          idsOf.set(`${key.kind} ${name}`, entry);
          entry.ids.push(key.id);
        }
      }
      await nextTurn();
    }
    for (const [key] of digests.values()) disagreements.push({ key, part: 'row' });
  }

  async function compareNames(): Promise<void> {
    for (const { key, name, ids } of idsOf.values()) {
      const { value } = await storage.names({ kind: key.kind, name, ...ALL });
      for (const id of unlike(ids, value.ids)) disagreements.push({ key: { kind: key.kind, id }, part: 'name' });
      await nextTurn();
    }
  }

  await orDamaged('row', compareDocuments);
  await orDamaged('name', compareNames);
  const since = await storage.changesSince(begun);
  if (since === null) return null;
  const changed = new Set(since.value.map(({ key }) => keyText(key)));
  const first = new Map(disagreements.map((one) => [one.key && keyText(one.key), one] as const).reverse());
  return [...first.values()].reverse().filter(({ key }) => !key || !changed.has(keyText(key)));
}
