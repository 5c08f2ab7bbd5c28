// Keeps count of what became of everything, and of what did not become anything.
import type { Fault, ImportKind, Origin } from './wishes.ts';

export type Fate = 'created' | 'changed' | 'unchanged' | 'refused';
export type Counts = { readonly [Key in Fate]: number };
export type CountedKind = ImportKind | 'record' | 'source';

export interface Ledger {
  count(kind: ImportKind, fate: Exclude<Fate, 'refused'>): void;
  refuse(fault: Fault): void;
  /** Something was taken, though not wholly. */
  note(kind: ImportKind, origin: Origin, remark: string): void;
  readonly refused: readonly Fault[];
  readonly notes: readonly Fault[];
  counts(): ReadonlyMap<CountedKind, Counts>;
}

const KINDS: readonly CountedKind[] = ['event', 'venue', 'organizer', 'category', 'tag', 'record', 'source'];

/** The same fault of the same record counts once. */
export function openLedger(): Ledger {
  const counts = new Map<CountedKind, { -readonly [Key in Fate]: number }>();
  const refused: Fault[] = [];
  const notes: Fault[] = [];
  const known = new Set<string>();
  const of = (kind: CountedKind) => {
    const row = counts.get(kind) ?? { created: 0, changed: 0, unchanged: 0, refused: 0 };
    counts.set(kind, row);
    return row;
  };
  return {
    count(kind, fate) {
      of(kind)[fate] += 1;
    },
    refuse(fault) {
      const { kind, name, place, reason } = fault;
      const identity = JSON.stringify([kind, name, place, reason]);
      if (known.has(identity)) return;
      known.add(identity);
      of(kind).refused += 1;
      refused.push(fault);
    },
    note(kind, { name, place }, reason) {
      notes.push({ kind, name, place, reason });
    },
    refused,
    notes,
    counts: () => new Map(KINDS.flatMap((kind) => (counts.has(kind) ? [[kind, of(kind)] as const] : []))),
  };
}
