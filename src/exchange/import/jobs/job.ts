// An import that the service carries out in the name of a user: what is asked, and how far it is.

import type { PostStatus } from '../../../calendar/resource/domain/post.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { Json } from '../../../log/envelope.ts';
import type { User } from '../../../people/auth/caller.ts';
import type { ColumnUse, Mapping } from '../formats/table/mapping.ts';
import type { Fault, ImportKind, Place } from '../import-plan.ts';
import type { CountedKind, Counts, WrittenOutcome } from '../import-summary.ts';

/** Where the records come from. A file is an upload, in a folder of its own. */
export type ImportSource =
  | { readonly kind: 'file'; readonly file: string; readonly folder: string; readonly name: string }
  | { readonly kind: 'address'; readonly address: string };

export interface ImportAsked {
  readonly user: Pick<User, 'id' | 'login' | 'role'>;
  readonly source: ImportSource;
  readonly mode: 'dry run' | 'import';
  /** The status that new events get; null: what their records say. */
  readonly status: PostStatus | null;
  /** The zone of times that do not say theirs; null: the site's. */
  readonly timezone: string | null;
  /** The encoding of what does not say its own; null: it is recognised by its letters. */
  readonly encoding: string | null;
  /** The mapping as it was sent; null: it is guessed from the names of the columns. */
  readonly map: { readonly text: string; readonly mapping: Mapping } | null;
}

/** `interrupted`: the service ended before it was through; importing the same again goes on. */
export type JobState = 'waiting' | 'reading' | 'writing' | 'done' | 'failed' | 'interrupted';

export const isOver = (state: JobState): boolean => state === 'done' || state === 'failed' || state === 'interrupted';

/** Why it failed: it holds too many resources, takes too long or too much memory, or met a fault of ours. */
export type JobProblem = 'too_many' | 'too_large' | 'fault';

/** A field of a resource, under the name that the API gives it. */
export interface FieldChange {
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
  /** Texts that were there before and after are compared word by word. */
  readonly words?: readonly { readonly change: 'same' | 'added' | 'removed'; readonly text: string }[];
}

/** What becomes of one resource. */
export interface JobRow {
  readonly kind: ImportKind;
  readonly name: string;
  readonly outcome: WrittenOutcome;
  readonly place: Place;
  /** When an event starts. */
  readonly start: string | null;
  /** Which fields of a changed resource become what. */
  readonly changes: readonly FieldChange[];
}

/** What is known of an import as long as the log remembers it. */
export interface JobOutline {
  /** Grows with time. */
  readonly id: number;
  /** Its histories are found by this, and it is reverted by it. */
  readonly correlationId: string;
  readonly user: { readonly id: number; readonly login: string };
  readonly mode: ImportAsked['mode'];
  /** The name of the file, or the address without its query. */
  readonly source: string;
  readonly begun: EpochSeconds;
  readonly ended: EpochSeconds | null;
  readonly state: JobState;
  /** Resources that were written, or would be. */
  readonly done: number;
  /** Null while they are not counted. */
  readonly total: number | null;
  readonly counts: ReadonlyMap<CountedKind, Counts>;
  readonly problem: JobProblem | null;
}

/** What the process that carries it out knows besides. */
export interface JobDetails {
  readonly asked: ImportAsked;
  readonly records: number;
  readonly rows: readonly JobRow[];
  readonly refused: readonly Fault[];
  readonly notes: readonly Fault[];
  readonly remarks: readonly string[];
  readonly columns: readonly ColumnUse[];
}

export interface Job extends JobOutline {
  /** Null: another process carries it out, or an earlier one did. */
  readonly details: JobDetails | null;
}
