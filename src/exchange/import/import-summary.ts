// Counts the outcomes, refusals and notes of an import.
import type { Fault, ImportKind, Origin, Place } from './import-plan.ts';

export type Outcome = 'created' | 'changed' | 'unchanged' | 'merged' | 'refused';
/** The outcomes of resources that were accepted. */
export type WrittenOutcome = Exclude<Outcome, 'refused' | 'merged'>;
export type Counts = { readonly [Key in Outcome]: number };
export type CountedKind = ImportKind | 'record' | 'source';

/** A record of a resource that another record has described before. */
export interface Merger {
  readonly kind: ImportKind;
  readonly name: string;
  readonly place: Place;
  /** The place of the other one. */
  readonly into: Place;
}

export type ImportSummary = ReturnType<typeof openImportSummary>;

const KINDS: readonly CountedKind[] = ['event', 'venue', 'organizer', 'category', 'tag', 'record', 'source'];

/** Is given what became of each resource. */
type OnOutcome = (kind: ImportKind, origin: Origin, outcome: WrittenOutcome, id?: number) => void;

/** Each fault of a record counts once, and so does each note on a resource. */
export function openImportSummary(onOutcome: OnOutcome = () => {}) {
  const counts = new Map<CountedKind, { -readonly [Key in Outcome]: number }>();
  const refused: Fault[] = [];
  const notes: Fault[] = [];
  const mergers: Merger[] = [];
  const known = new Set<string>();
  const of = (kind: CountedKind) => {
    const row = counts.get(kind) ?? {
      created: 0,
      changed: 0,
      unchanged: 0,
      merged: 0,
      refused: 0,
    };
    counts.set(kind, row);
    return row;
  };
  return {
    /** `id`: of the resource here, where what has changed of it can be told. */
    count(kind: ImportKind, origin: Origin, outcome: WrittenOutcome, id?: number) {
      of(kind)[outcome] += 1;
      onOutcome(kind, origin, outcome, id);
    },
    refuse(fault: Fault) {
      const { kind, name, place, reason } = fault;
      const identity = JSON.stringify([kind, name, place, reason]);
      if (known.has(identity)) return;
      known.add(identity);
      of(kind).refused += 1;
      refused.push(fault);
    },
    merge(merger: Merger) {
      of(merger.kind).merged += 1;
      mergers.push(merger);
    },
    /** Accepted, but not completely. */
    note(
      kind: CountedKind,
      { key, owner, name, place }: Pick<Origin, 'key' | 'owner' | 'name' | 'place'>,
      reason: string,
    ) {
      const identity = JSON.stringify([kind, key, owner, reason]);
      if (known.has(identity)) return;
      known.add(identity);
      notes.push({ kind, name, place, reason });
    },
    refused,
    notes,
    mergers,
    counts: (): ReadonlyMap<CountedKind, Counts> =>
      new Map(KINDS.flatMap((kind) => (counts.has(kind) ? [[kind, of(kind)] as const] : []))),
  };
}
