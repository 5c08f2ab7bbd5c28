// The log as needed to build calendars as of an instant.
import { CONTROL_STREAM } from '../../../projections/engine/control.ts';
import { type AnyProjection, keyOf } from '../../../projections/projection.ts';
import { instantOf, LOG_START, type Position } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { MemoryShort } from '../../memory/watch.ts';
import type { Document, DocumentKey } from '../../read-model/documents.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import type { RenderingSettings } from '../../rendering/post-fragment.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import type { AsOfDocumentOptions } from './as-of-documents.ts';
import {
  type AsOfOptions,
  fillAsOf,
  isStillOpen,
  type PresentDocuments,
  type ReplayedDocuments,
  type ReplaySummary,
  replayAsOf,
  replayPresent,
  withoutUsers,
} from './replay-as-of.ts';
import type { PresentOptions } from './replay-thread.ts';
import { type RevisedModel, withRevisions } from './revisions.ts';

/** Read within a few milliseconds, also where texts are long. */
const PAGE = { limit: 250, maxCharacters: 250_000 };

/** Whether the events of a calendar can be searched: building that takes half as long again. */
export type Texts = AsOfDocumentOptions['texts'];

/**
 * What was public then. In the read model the status of a post says who may see it: `publish` the public, `private`
 * readers of its history, because it has been closed since, `trash` no reader, because it was not public then.
 */
export interface AsOfCalendar extends ReplaySummary, RevisedModel {
  /** The position up to which it was built. */
  readonly upTo: Position;
}

/** The log as these calendars need it. Rejections: those of the event store. */
export type AsOfLog = ReturnType<typeof openAsOfLog>;

interface AsOfLogOptions {
  readonly store: EventStore;
  readonly projections: readonly AnyProjection[];
  readonly rendering: RenderingSettings;
  /** An empty read model, in memory. */
  readonly openAsOfModel: () => ReadModel;
  /** Builds the documents in another thread. */
  readonly replayAsOf?: (options: AsOfOptions) => ReplayedDocuments;
  /** Whether there is memory for more of it; absent: always. */
  readonly hasRoom?: () => boolean;
}

export function openAsOfLog({ store, projections, rendering, openAsOfModel, ...elsewhere }: AsOfLogOptions) {
  const replay = elsewhere.replayAsOf ?? ((options) => replayAsOf(store, projections, options));
  const documentsOf = (options: AsOfOptions) => whileRoom(replay(options), elsewhere.hasRoom);
  const listed = withoutUsers(projections);
  const prefixes = [...listed.map(({ prefix }) => prefix), CONTROL_STREAM];

  /** Reads the whole log. Others get their turn in between. */
  async function make(at: EpochSeconds, texts: Texts): Promise<AsOfCalendar> {
    const upTo = await store.head();
    const readModel = openAsOfModel();
    try {
      const { summary, revisions } = await fillAsOf(readModel, documentsOf({ upTo, at, texts, rendering }), upTo);
      return { ...summary, revisions, readModel, upTo };
    } catch (error) {
      await readModel.close();
      throw error;
    }
  }

  return {
    make,
    /** When the first event was recorded; null in an empty log. */
    async firstInstant(): Promise<EpochSeconds | null> {
      const [first] = await store.readAll({ after: LOG_START, limit: 1 });
      return first ? instantOf(first) : null;
    },
    head: () => store.head(),
    /** The next relevant events after a position, in order; none at the end. */
    readOn: (after: Position) => store.readAll({ after, prefixes, ...PAGE }),
    /** The resource of a stream; null for streams that only concern how others are read. */
    keyOf(stream: string): DocumentKey | null {
      const projection = listed.find(({ prefix }) => stream.startsWith(prefix));
      return projection ? keyOf(projection, stream) : null;
    },
    /** Whether the former state of a resource may still be shown to the public. */
    isStillOpen: (document: Document) => isStillOpen(store, listed, document),
  };
}

/** As long as there is memory for more of them; throws `MemoryShort` otherwise. */
async function* whileRoom<Portion, Summary>(
  portions: AsyncGenerator<Portion, Summary>,
  hasRoom = () => true,
): AsyncGenerator<Portion, Summary> {
  try {
    for (;;) {
      if (!hasRoom()) throw new MemoryShort('there is too little memory for a calendar of another instant');
      const next = await portions.next();
      if (next.done) return next.value;
      yield next.value;
    }
  } finally {
    await portions.return(undefined as never);
  }
}

interface PresentModelOptions extends Omit<AsOfLogOptions, 'replayAsOf'> {
  /** Builds the documents in another thread. */
  readonly replayPresent?: (options: PresentOptions) => PresentDocuments;
}

/** A read model in memory with all of the present calendar. Reads the whole log; others get their turn in between. */
export async function openPresentModel(options: PresentModelOptions): Promise<RevisedModel> {
  const { store, projections, rendering, openAsOfModel } = options;
  const documentsOf = options.replayPresent ?? (({ upTo }) => replayPresent(store, projections, upTo));
  const upTo = await store.head();
  const readModel = openAsOfModel();
  try {
    const { revisions } = await fillAsOf(readModel, whileRoom(documentsOf({ upTo, rendering }), options.hasRoom), upTo);
    return withRevisions(readModel, revisions);
  } catch (error) {
    await readModel.close();
    throw error;
  }
}
