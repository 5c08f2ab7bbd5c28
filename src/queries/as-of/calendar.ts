// The public calendar as it was at an instant, and whose job it is to make it from the log.

import type { Position, RecordedEvent } from '../../event-store/envelope.ts';
import type { Document, DocumentKey, TermDocument } from '../../read-model/documents.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import type { EpochSeconds } from '../../time/zone.ts';

/** Whether the events of a calendar of the past can be searched: that takes half as long again to make. */
export type Texts = 'searchable' | 'left out';

/**
 * What was public then. In the read model the status of a post says who may be shown it: `publish` everybody, `private`
 * those who may read its history, as it has been closed since, `trash` nobody, as it was not public then.
 */
export interface PastCalendar {
  readonly readModel: ReadModel;
  /** The place in the log up to which it was made. */
  readonly upTo: Position;
  /** The calendar is the same from the first of these instants to before the second; they may be infinite. */
  readonly from: EpochSeconds;
  readonly until: EpochSeconds;
  /** As they were then; those that had been deleted are signposts. */
  readonly terms: readonly TermDocument[];
  /** Ids of terms that have been deleted since. */
  readonly closedTerms: ReadonlySet<number>;
  /** Of each term the events that carried it, were public then and have been closed since. */
  readonly closedCounts: ReadonlyMap<number, number>;
  /** What it takes in memory, roughly. */
  readonly bytes: number;
}

/** The log as calendars of the past need it. Rejections: those of the event store. */
export interface PastLog {
  /** When the first event of all was recorded; null in an empty log. */
  firstInstant(): Promise<EpochSeconds | null>;
  head(): Promise<Position>;
  /** The next events after a position of which calendars of the past are made, in order; none at the end. */
  readOn(after: Position): Promise<readonly RecordedEvent[]>;
  /** What a stream tells of; null when it tells how others are to be read. */
  keyOf(stream: string): DocumentKey | null;
  /** Whether what a thing was then may still be told to everybody. */
  isStillOpen(document: Document): Promise<boolean>;
  /** Reads all of the log. Others have their turn meanwhile. */
  make(at: EpochSeconds, texts: Texts): Promise<PastCalendar>;
}
