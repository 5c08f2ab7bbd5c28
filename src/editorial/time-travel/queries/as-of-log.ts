// The log as needed to build calendars as of an instant.

import { nextTurn, openTurns } from '../../../kernel/event-loop/turns.ts';
import { type Asker, MemoryShort } from '../../../kernel/memory/watch.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { instantOf, LOG_START, type Position } from '../../../log/envelope.ts';
import { keyText } from '../../../read-model/documents.ts';
import { CONTROL_STREAM } from '../../../read-model/projector/control.ts';
import type { RenderingSettings } from '../../../rendering/post-fragment.ts';
import { ROWS_THEN } from './as-of-documents.ts';
import { type AsOfSummary, type FoldedPast, type FoldedStore, keyIn, pastOf, withoutUsers } from './folded-log.ts';
import { type LogModel, openLogModel, openLogStorage } from './log-storage.ts';
import type { PresentIndex } from './present-index.ts';

/** Read within a few milliseconds, also where texts are long. */
const PAGE = { limit: 250, maxCharacters: 250_000 };

/** What is recorded while the index of the present is copied; with more the whole log is read. */
const MAX_TAIL = 5_000;

/**
 * What was public then. In the read model the status of a post says who may see it: `publish` the public, `private`
 * readers of its history, because it has been closed since, `trash` no reader, because it was not public then.
 */
export interface AsOfCalendar extends AsOfSummary, Pick<FoldedPast, 'some'> {
  readonly readModel: LogModel;
  /** The position up to which it was built. */
  readonly upTo: Position;
  /** Bytes of memory, roughly. */
  readonly bytes: number;
}

/** The log as these calendars need it. Rejections: those of the event store. */
export type AsOfLog = ReturnType<typeof openAsOfLog>;

interface AsOfLogOptions extends Omit<FoldedStore, 'openRoom'> {
  readonly rendering: RenderingSettings;
  readonly openRoom?: (asker: Asker) => () => boolean;
  /** The index of now; null or absent: all is read from the log. */
  readonly present?: () => Promise<PresentIndex | null>;
}

export function openAsOfLog({ rendering, openRoom = () => () => true, present, ...folded }: AsOfLogOptions) {
  const { store } = folded;
  const listed = withoutUsers(folded.projections);
  const prefixes = [...listed.map(({ prefix }) => prefix), CONTROL_STREAM];

  /** The streams of which something was recorded after a position; null: too many were, or not of resources alone. */
  async function touchedBetween(after: Position, upTo: Position): Promise<string[] | null> {
    const touched: string[] = [];
    for (let at = after; at < upTo && touched.length < MAX_TAIL; ) {
      const events = await readOn(at);
      at = events.at(-1)?.position ?? upTo;
      touched.push(...events.map(({ stream }) => stream));
      await nextTurn();
    }
    return touched.length < MAX_TAIL && !touched.includes(CONTROL_STREAM) ? touched : null;
  }

  /** What the index of the present has of an instant, and the streams of all others; null: there is no such index. */
  async function beginningAt(at: EpochSeconds) {
    const now = await present?.();
    if (!now) return null;
    const turn = openTurns();
    const steps = now.index.until(at, ROWS_THEN);
    let step = steps.next();
    for (; !step.done; step = steps.next()) await turn();
    const { index, latest, others } = step.value;
    const upTo = await store.head();
    const touched = await touchedBetween(now.checkpoint, upTo);
    if (touched === null) return null;
    const anew = [...now.parked, ...touched.flatMap((stream) => keyIn(listed, stream) ?? [])];
    index.apply(anew.map((key) => ({ key, row: null })));
    return { index, upTo, latest, others: new Set([...others, ...anew].map(keyText)) };
  }

  /** Reads what has changed since, or the whole log. Others get their turn in between. */
  async function make(at: EpochSeconds, asker: Asker): Promise<AsOfCalendar> {
    const hasRoom = openRoom(asker);
    if (!hasRoom()) throw new MemoryShort('there is too little memory for a calendar of another instant');
    const beginning = await beginningAt(at);
    const upTo = beginning?.upTo ?? (await store.head());
    const from = { ...folded, openRoom: () => hasRoom };
    const past = await pastOf(from, { at, beginning, rendering });
    const readModel = await openLogModel(openLogStorage(past, upTo), beginning?.index);
    const index = await readModel.index();
    const terms = index.termRows();
    // There may be as many as resources, and all have been read.
    beginning?.others.clear();
    return { ...past.summary(), terms, some: past.some, readModel, upTo, bytes: index.bytes() };
  }

  /** The next relevant events after a position, in order; none at the end. */
  const readOn = (after: Position) => store.readAll({ after, prefixes, ...PAGE });

  return {
    make,
    /** When the first event was recorded; null in an empty log. */
    async firstInstant(): Promise<EpochSeconds | null> {
      const [first] = await store.readAll({ after: LOG_START, limit: 1 });
      return first ? instantOf(first) : null;
    },
    head: () => store.head(),
    readOn,
    /** The resource of a stream; null for streams that only concern how others are read. */
    keyOf: (stream: string) => keyIn(listed, stream),
  };
}
