// The log as calendars as of an instant are made from it.
import { CONTROL_STREAM } from '../../../projections/control.ts';
import { type AnyProjection, keyOf } from '../../../projections/projection.ts';
import { LOG_START, type Position } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { instantOf } from '../../event-store/fold.ts';
import type { Document, DocumentKey } from '../../read-model/documents.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import type { RenderingSettings } from '../../rendering/settings.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import type { AsOfDocumentOptions } from './as-of-documents.ts';
import {
  type AsOfOptions,
  fillAsOf,
  isStillOpen,
  type ReplayedDocuments,
  type ReplaySummary,
  replayAsOf,
  withoutUsers,
} from './replay-as-of.ts';

const PAGE = 1_000;

/** Whether the events of a calendar can be searched: that takes half as long again to make. */
export type Texts = AsOfDocumentOptions['texts'];

/**
 * What was public then. In the read model the status of a post says who may be shown it: `publish` the public, `private`
 * those who may read its history, as it has been closed since, `trash` no one, as it was not public then.
 */
export interface AsOfCalendar extends ReplaySummary {
  readonly readModel: ReadModel;
  /** The position up to which it was made. */
  readonly upTo: Position;
}

/** The log as these calendars need it. Rejections: those of the event store. */
export type AsOfLog = ReturnType<typeof openAsOfLog>;

export interface AsOfLogOptions {
  readonly store: EventStore;
  readonly projections: readonly AnyProjection[];
  readonly rendering: RenderingSettings;
  /** An empty read model, in memory. */
  readonly openAsOfModel: () => ReadModel;
  /** Makes the documents elsewhere than in this thread. */
  readonly replayAsOf?: (options: AsOfOptions) => ReplayedDocuments;
}

export function openAsOfLog({ store, projections, rendering, openAsOfModel, ...elsewhere }: AsOfLogOptions) {
  const documentsOf = elsewhere.replayAsOf ?? ((options) => replayAsOf(store, projections, options));
  const listed = withoutUsers(projections);
  const prefixes = [...listed.map(({ prefix }) => prefix), CONTROL_STREAM];

  /** Reads all of the log. Others have their turn meanwhile. */
  async function make(at: EpochSeconds, texts: Texts): Promise<AsOfCalendar> {
    const upTo = await store.head();
    const readModel = openAsOfModel();
    try {
      const filled = await fillAsOf(readModel, documentsOf({ upTo, at, texts, rendering }), upTo);
      return { ...filled, readModel, upTo };
    } catch (error) {
      await readModel.close();
      throw error;
    }
  }

  return {
    make,
    /** When the first event of all was recorded; null in an empty log. */
    async firstInstant(): Promise<EpochSeconds | null> {
      const [first] = await store.readAll({ after: LOG_START, limit: 1 });
      return first ? instantOf(first) : null;
    },
    head: () => store.head(),
    /** The next events after a position that count for these calendars, in order; none at the end. */
    readOn: (after: Position) => store.readAll({ after, prefixes, limit: PAGE }),
    /** The resource of a stream; null for one that says how others are to be read. */
    keyOf(stream: string): DocumentKey | null {
      const projection = listed.find(({ prefix }) => stream.startsWith(prefix));
      return projection ? keyOf(projection, stream) : null;
    },
    /** Whether what a resource was then may still be shown publicly. */
    isStillOpen: (document: Document) => isStillOpen(store, listed, document),
  };
}
