// What keeps a thing from looking as it did: values; src/locales/conflicts.ts has the words for them.

/** One obstacle. */
export interface RevertConflict {
  /** The field that cannot be had back, as clients call it. */
  readonly field: string;
  /** What the obstacle is about: who has the slug, or what is no longer there. Absent when nobody can say. */
  readonly thing?: { readonly kind: string; readonly id: number };
  /** Only where it is taken. */
  readonly slug?: string;
  readonly why: ConflictReason;
}

export type ConflictReason = 'taken' | 'in_trash' | 'deleted' | 'gone' | 'circle';
