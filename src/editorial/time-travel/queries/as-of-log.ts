// The log as needed to build calendars as of an instant.

import type { Asker } from '../../../kernel/memory/watch.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { instantOf, LOG_START, type Position } from '../../../log/envelope.ts';
import { CONTROL_STREAM } from '../../../read-model/projector/control.ts';
import type { RenderingSettings } from '../../../rendering/post-fragment.ts';
import type { AsOfDocumentOptions } from './as-of-documents.ts';
import { type AsOfSummary, type FoldedPast, type FoldedStore, keyIn, pastOf, withoutUsers } from './folded-log.ts';
import { type LogModel, openLogModel, openLogStorage } from './log-storage.ts';

/** Read within a few milliseconds, also where texts are long. */
const PAGE = { limit: 250, maxCharacters: 250_000 };

/** Whether the events of a calendar can be searched: building that takes half as long again. */
export type Texts = AsOfDocumentOptions['texts'];

/**
 * What was public then. In the read model the status of a post says who may see it: `publish` the public, `private`
 * readers of its history, because it has been closed since, `trash` no reader, because it was not public then.
 */
export interface AsOfCalendar extends AsOfSummary, Pick<FoldedPast, 'some'> {
  readonly readModel: LogModel;
  /** The position up to which it was built. */
  readonly upTo: Position;
  /** Of memory, roughly. */
  readonly bytes: number;
}

/** The log as these calendars need it. Rejections: those of the event store. */
export type AsOfLog = ReturnType<typeof openAsOfLog>;

interface AsOfLogOptions extends Omit<FoldedStore, 'openRoom'> {
  readonly rendering: RenderingSettings;
  readonly openRoom?: (asker: Asker) => () => boolean;
}

export function openAsOfLog({ rendering, openRoom = () => () => true, ...folded }: AsOfLogOptions) {
  const { store } = folded;
  const listed = withoutUsers(folded.projections);
  const prefixes = [...listed.map(({ prefix }) => prefix), CONTROL_STREAM];

  /** Reads the whole log. Others get their turn in between. */
  async function make(at: EpochSeconds, texts: Texts, asker: Asker): Promise<AsOfCalendar> {
    const upTo = await store.head();
    const past = await pastOf({ ...folded, openRoom: () => openRoom(asker) }, { at, texts, rendering });
    const readModel = await openLogModel(openLogStorage(past, upTo));
    return { ...past.summary(), some: past.some, readModel, upTo, bytes: (await readModel.index()).bytes() };
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
    keyOf: (stream: string) => keyIn(listed, stream),
  };
}
