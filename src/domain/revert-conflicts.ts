// What keeps a thing from looking as it did: values, and the words for them.

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

/** A conflict as a clause: `the slug rehearsal belongs to event 14`. */
export function conflictClause({ field, thing, slug, why }: RevertConflict): string {
  const named = thing ? `${thing.kind} ${thing.id}` : 'something else';
  switch (why) {
    case 'taken':
      return `the slug ${slug} belongs to ${named}`;
    case 'in_trash':
      return `${named} is in the trash (${field})`;
    case 'deleted':
      return `${named} has been deleted (${field})`;
    case 'gone':
      return `${named} is no longer there (${field})`;
    case 'circle':
      return `under ${named} it would stand below itself (${field})`;
  }
}
