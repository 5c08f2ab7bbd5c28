// What happens to series, and the state that it leads to. The decisions are in series.ts; what facts mean for the event of
// each date, in occurrences.ts.

import type { CalendarEvent, EventFact } from '../../../calendar/event/domain/calendar-event.ts';
import type { Fact } from '../../../domain/decider.ts';
import type { EpochSeconds, WallClock } from '../../../kernel/time/zone.ts';

/** How far ahead dates exist, in seconds: two years. */
export const HORIZON_SECONDS = 731 * 86_400;

/** Rules as written, and single dates, by the clock of the series' zone. */
export interface Recurrence {
  /** The wall clock from which rules count. */
  readonly start: WallClock;
  /** The first wall clock that may be a date: the start, or where the series was split from another. */
  readonly from: WallClock;
  readonly zone: string;
  readonly allDay: boolean;
  /** Seconds by the clock from the start of a date to its end. */
  readonly duration: number;
  readonly rules: readonly string[];
  readonly added: readonly WallClock[];
  readonly skipped: readonly WallClock[];
}

/** When a date takes place, by the zone rules of the time of writing. */
export interface DateTimes {
  /** The wall clock at which the rules put it. */
  readonly wallClock: WallClock;
  readonly startsAt: EpochSeconds;
  readonly endsAt: EpochSeconds;
  /** Only if the zone's clock shows another time then, as in a gap of daylight saving. */
  readonly start?: WallClock;
  readonly end?: WallClock;
}

/** A date with the id of its event, which stays its id whatever the rules become. */
interface NumberedDate extends DateTimes {
  readonly id: number;
  readonly slug: string;
}

export interface KnownDate extends NumberedDate {
  /** Its number among the dates of the series, in the order in which they came to be, from 1. It stays. */
  readonly index: number;
  /** The revision of the last event that the series has in the stream of its event; -1: none. */
  readonly revision: number;
  /** False: left out by the rules of now. Its event is in the trash. */
  readonly isThere: boolean;
  /** Its event has a stream of its own. */
  readonly isDetached: boolean;
}

/** What a fact does to the dates. Facts name them, so that only the decider expands rules. */
export interface DateChanges {
  readonly appear: readonly NumberedDate[];
  readonly disappear: readonly WallClock[];
  /** Ids that were drawn for this series with it. */
  readonly reserved?: readonly number[];
  /** Whether its rules yield dates behind the horizon. */
  readonly goesOn: boolean;
}

export interface Opening extends Recurrence {
  readonly id: number;
  readonly horizon: EpochSeconds;
  /** The series that it was split from, or null. */
  readonly splitFrom: number | null;
}

export interface Series extends Opening {
  /** What the dates have in common: an event of the id and the slug of the series, at its first date. */
  readonly template: CalendarEvent;
  readonly inTrash: boolean;
  /** All dates that there ever were, by wall clock. */
  readonly dates: ReadonlyMap<WallClock, KnownDate>;
  /** Dates that went to another series. */
  readonly left: readonly WallClock[];
  readonly goesOn: boolean;
  /** Ids of this series that no date has yet. */
  readonly spare: readonly number[];
  /** The highest index given. */
  readonly counted: number;
}

/** What a series repeats by. */
export type Repeating = Pick<Recurrence, 'rules' | 'added' | 'skipped'>;

/** Which dates of a series a change of one of them is for. */
export const SCOPES = ['this', 'following', 'all'] as const;
export type Scope = (typeof SCOPES)[number];

interface OneDate {
  readonly date: WallClock;
}

/** There is no date from this wall clock on. */
interface Ended extends Pick<Recurrence, 'rules' | 'added'> {
  readonly from: WallClock;
}

export type SeriesFact =
  /** `drafted`: the facts of a new event, its content. `taken`: dates of the series that this one was split from. */
  | Fact<
      'SeriesOpened',
      Opening & DateChanges & { readonly drafted: readonly EventFact[]; readonly taken: readonly KnownDate[] }
    >
  | Fact<'SeriesRuleChanged', DateChanges & Repeating>
  | Fact<'DateAdded', DateChanges & OneDate>
  | Fact<'DateSkipped', DateChanges & OneDate>
  | Fact<'DateRestored', DateChanges & OneDate>
  | Fact<'SeriesContentChanged', { readonly facts: readonly EventFact[] }>
  /** Another time of day or length of every date; `dates` by the wall clock that they had. */
  | Fact<
      'SeriesRescheduled',
      Recurrence & { readonly text: string; readonly dates: readonly (DateTimes & { readonly was: WallClock })[] }
    >
  /** New time zone rules have changed the wall clock or the instant of these dates. `rules`: their release. */
  | Fact<'SeriesAdjustedToZoneRules', { readonly rules: string; readonly dates: readonly DateTimes[] }>
  | Fact<'OccurrenceDetached', OneDate>
  | Fact<'SeriesEnded', DateChanges & Ended>
  | Fact<'SeriesSplit', Ended & { readonly into: number; readonly leave: readonly WallClock[] }>
  /** Dates that had gone to another series are back, as they were left there. */
  | Fact<'DatesTakenBack', { readonly of: number; readonly taken: readonly KnownDate[] }>
  /** Names the revision that the facts behind it restore. */
  | Fact<'SeriesReverted', { readonly toRevision: number }>
  | Fact<'SeriesTrashed', DateChanges>
  | Fact<'SeriesRestored', DateChanges>
  | Fact<'HorizonMoved', DateChanges & { readonly horizon: EpochSeconds }>;
