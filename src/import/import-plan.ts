// What an import wants to be there, whatever format it was told in.
import type { EventInput } from '../commands/events.ts';
import type { OrganizerInput, VenueInput } from '../commands/linked-posts.ts';
import type { TermKind } from '../domain/term.ts';

export type ImportKind = 'event' | 'venue' | 'organizer' | TermKind;

/** Where a record stands: `index` counts from 0 within its file or page; null when the file is that one record. */
export interface Place {
  readonly file: string;
  readonly index: number | null;
  /** The line on which a row of a table begins, from 1. */
  readonly line?: number | null;
}

export interface Origin {
  /** Who says so: the host of a site, or the name of a collection. */
  readonly source: string;
  /** Names the same thing in every run, so that a later run finds what became of it. */
  readonly key: string;
  /** For people. */
  readonly name: string;
  readonly place: Place;
}

/** `follow`: later runs carry changes over. `leave`: derived from other records; an existing one is not changed. */
export type Upkeep = 'follow' | 'leave';

export interface PlannedTerm {
  readonly kind: TermKind;
  readonly origin: Origin;
  readonly upkeep: Upkeep;
  /** The id that it had where it comes from. */
  readonly id: number | undefined;
  readonly name: string;
  readonly slug: string | undefined;
  readonly description: string | undefined;
  /** Key of the parent; null for none. */
  readonly parent: string | null;
}

/**
 * What is to become of a resource. `trash`: it is created, then put in the trash. `cancelled` and `gone` (a rule leaves it
 * out): it is only put in the trash, if it is there.
 */
export type Disposition = 'stay' | 'trash' | 'cancelled' | 'gone';

export interface PlannedPost<Input> {
  readonly origin: Origin;
  readonly upkeep: Upkeep;
  readonly id: number | undefined;
  readonly input: Input;
  /** Of several versions of one thing the greatest counts; `''` when not known. */
  readonly modified: string;
  /** `stay` when absent. */
  readonly disposition?: 'stay' | 'trash';
}

export interface PlannedEvent {
  readonly origin: Origin;
  readonly id: number | undefined;
  /** Everything but the relations. */
  readonly input: EventInput;
  /** Keys of what it refers to; undefined where the record does not say. */
  readonly categories: readonly string[] | undefined;
  readonly tags: readonly string[] | undefined;
  readonly venues: readonly string[] | undefined;
  readonly organizers: readonly string[] | undefined;
  /** `newest`: the version modified last counts. `union`: each record adds what the others lack, categories above all. */
  readonly merging: 'newest' | 'union';
  readonly modified: string;
  /** `stay` when absent. */
  readonly disposition?: Disposition;
  /** Key of the event that it belongs to, null for none; absent where the record does not say. */
  readonly parent?: string | null;
}

export interface ImportPlan {
  readonly terms: readonly PlannedTerm[];
  readonly venues: readonly PlannedPost<VenueInput>[];
  readonly organizers: readonly PlannedPost<OrganizerInput>[];
  readonly events: readonly PlannedEvent[];
}

/** Why a record, or something inside it, cannot be taken. */
export interface Fault {
  readonly kind: ImportKind | 'record' | 'source';
  readonly name: string;
  readonly place: Place;
  readonly reason: string;
}

/** What a record came to. */
export interface Reading {
  readonly plan: ImportPlan;
  readonly faults: readonly Fault[];
  /** What was taken, though not wholly. */
  readonly remarks?: readonly Remark[];
}

export interface Remark {
  readonly kind: ImportKind;
  readonly origin: Origin;
  readonly text: string;
}

export const EMPTY_PLAN: ImportPlan = { terms: [], venues: [], organizers: [], events: [] };
