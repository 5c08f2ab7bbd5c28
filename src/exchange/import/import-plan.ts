// The target state that an import describes, whatever the format of its source.

import type { EventInput } from '../../calendar/event/domain/calendar-event.ts';
import type { OrganizerInput } from '../../calendar/linked-post/domain/organizer.ts';
import type { VenueInput } from '../../calendar/linked-post/domain/venue.ts';
import type { TermKind } from '../../calendar/term/domain/term.ts';
import type { Repeating } from '../../editorial/series/domain/facts.ts';
import type { WallClock } from '../../kernel/time/zone.ts';

export type ImportKind = 'event' | 'venue' | 'organizer' | TermKind;

/** The place of a record: `index` counts from 0 within its file or page; null if the file is that one record. */
export interface Place {
  readonly file: string;
  readonly index: number | null;
  /** The first line of a table row, from 1. */
  readonly line?: number | null;
}

/** The source of a calendar that was given as a file: others may have been other calendars. */
export const ANY_FILE = 'an iCalendar file';

export interface Origin {
  /** The source: the host of a site, or the name of a collection. */
  readonly source: string;
  /** Identifies the same resource in every run, so that a later run finds it again. */
  readonly key: string;
  /** Whose record it is, if others may use the same key for records of their own. */
  readonly owner?: string;
  /** A number that grows with each version of the record; absent if it does not say. */
  readonly sequence?: string;
  /** The name that people read. */
  readonly name: string;
  readonly place: Place;
}

/** A resource is found again by these. */
export type Identity = Pick<Origin, 'key' | 'owner'>;

/** `follow`: later runs apply changes. `leave`: derived from other records; an existing one is not changed. */
type Upkeep = 'follow' | 'leave';

export interface PlannedTerm {
  readonly kind: TermKind;
  readonly origin: Origin;
  readonly upkeep: Upkeep;
  /** Its id in the source. */
  readonly id: number | undefined;
  readonly name: string;
  readonly slug: string | undefined;
  readonly description: string | undefined;
  /** Key of the parent; null for none. */
  readonly parent: string | null;
}

/**
 * The target state of a resource. `trash`: it is created, then put in the trash. `gone` (a rule excludes it):
 * put in the trash if it exists.
 */
export type Disposition = 'stay' | 'trash' | 'gone';

export interface PlannedPost<Input> {
  readonly origin: Origin;
  readonly upkeep: Upkeep;
  readonly id: number | undefined;
  readonly input: Input;
  /** The version that was modified last counts; `''` if unknown. */
  readonly modified: string;
  /** `stay` if absent. */
  readonly disposition?: 'stay' | 'trash';
  /** Members that say what they said before: an existing resource keeps what it has. */
  readonly unchanged?: ReadonlySet<string>;
}

/** A term that events name: one that exists is not changed. */
export const termNamed = (kind: TermKind, origin: Origin, name: string): PlannedTerm => ({
  kind,
  origin,
  name,
  upkeep: 'leave',
  id: undefined,
  slug: undefined,
  description: undefined,
  parent: null,
});

/** A venue or an organizer that events name: one that exists is not changed. */
export const postNamed = <Input>(origin: Origin, input: Input): PlannedPost<Input> => ({
  origin,
  input,
  upkeep: 'leave',
  id: undefined,
  modified: '',
});

export interface PlannedEvent {
  readonly origin: Origin;
  readonly id: number | undefined;
  /** Everything but the relations. */
  readonly input: EventInput;
  /** Keys of its references; undefined if the record does not say. */
  readonly categories: readonly string[] | undefined;
  readonly tags: readonly string[] | undefined;
  readonly venues: readonly string[] | undefined;
  readonly organizers: readonly string[] | undefined;
  /**
   * `newest`: the version modified last counts. `union`: each record adds what the others lack, categories above all.
   */
  readonly merging: 'newest' | 'union';
  readonly modified: string;
  /** `stay` if absent. */
  readonly disposition?: Disposition;
  /** Key of the parent event, null for none; absent if the record does not say. */
  readonly parent?: string | null;
  /** Keys of what the same record was, or will be, if it repeats otherwise. */
  readonly instead?: readonly string[];
  /** It repeats by rules, and `input` is its first date. */
  readonly series?: PlannedSeries;
  /** Members, relations and `repeating` that say what they said before: an existing event keeps what it has. */
  readonly unchanged?: ReadonlySet<string>;
  /** Its record called it a draft before, and does not any more. */
  readonly wasDraft?: boolean;
}

export interface PlannedSeries {
  readonly repeating: Repeating;
  /** The dates that differ, by the wall clock at which the rules put them. */
  readonly overrides: readonly (readonly [date: WallClock, event: PlannedEvent])[];
  /** Its dates as single events: for a calendar that has taken them as such, or cannot take the rules. */
  readonly singles: readonly PlannedEvent[];
}

/** Planned events, in an array or packed: then each look makes an event anew. */
export interface EventList extends Iterable<PlannedEvent> {
  readonly length: number;
  at(index: number): PlannedEvent | undefined;
  /** The event is not needed any more: once for each. */
  drop?(index: number): void;
}

/** A plan that may be too large for arrays. */
export interface LargePlan extends Omit<ImportPlan, 'events'> {
  readonly events: EventList;
}

export interface ImportPlan {
  readonly terms: readonly PlannedTerm[];
  readonly venues: readonly PlannedPost<VenueInput>[];
  readonly organizers: readonly PlannedPost<OrganizerInput>[];
  readonly events: readonly PlannedEvent[];
}

/** What is to be changed of an existing resource. */
export const changedOf = <Input extends object>(input: Input, unchanged: ReadonlySet<string> | undefined): Input =>
  unchanged === undefined
    ? input
    : // Some of the same members, all of which are optional.
      (Object.fromEntries(Object.entries(input).filter(([member]) => !unchanged.has(member))) as Input);

/** Why a record, or a part of it, is refused. */
export interface Fault {
  readonly kind: ImportKind | 'record' | 'source';
  readonly name: string;
  readonly place: Place;
  readonly reason: string;
}

/** The result of a record. */
export interface Reading {
  readonly plan: ImportPlan;
  readonly faults: readonly Fault[];
  /** Accepted, but not completely. */
  readonly remarks?: readonly Remark[];
}

export interface Remark {
  readonly kind: ImportKind;
  readonly origin: Origin;
  readonly text: string;
}

export const EMPTY_PLAN: ImportPlan = { terms: [], venues: [], organizers: [], events: [] };

/** Everything that these readings have. */
export const joined = (readings: readonly Reading[]): Required<Reading> => ({
  plan: {
    terms: readings.flatMap(({ plan }) => plan.terms),
    venues: readings.flatMap(({ plan }) => plan.venues),
    organizers: readings.flatMap(({ plan }) => plan.organizers),
    events: readings.flatMap(({ plan }) => plan.events),
  },
  faults: readings.flatMap(({ faults }) => faults),
  remarks: readings.flatMap(({ remarks = [] }) => remarks),
});

/** How many resources there are, dates of series not counted. */
export const sizeOf = ({ terms, venues, organizers, events }: LargePlan): number =>
  terms.length + venues.length + organizers.length + events.length;
