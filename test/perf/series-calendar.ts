// The sample calendar with a series in the place of each event, written straight into an event store by the decider.
import type { EventFact } from '../../src/calendar/event/domain/calendar-event.ts';
import type { Opening } from '../../src/editorial/series/domain/facts.ts';
import { openSeries } from '../../src/editorial/series/domain/series.ts';
import {
  EVENT_PREFIX,
  OCCURRENCE_BLOCK,
  ownerStream,
  SERIES_PREFIX,
} from '../../src/editorial/series/facts/occurrences.ts';
import { formatCivil, parseCivil } from '../../src/kernel/time/civil-time.ts';
import type { NewEvent } from '../../src/log/envelope.ts';
import type { EventStore, StreamAppend } from '../../src/log/event-store.ts';
import { appendAll, type CalendarSize, firstEventId, recorded, sampleStreams } from './sample-calendar.ts';

export const DATES_OF_EACH = 100;
const DAY = 86_400;
const WEEKS = 7 * DAY * DATES_OF_EACH;
/** The ids of a series: whole blocks. */
const BLOCKS_OF_EACH = Math.ceil(DATES_OF_EACH / OCCURRENCE_BLOCK);
const IDS_OF_EACH = BLOCKS_OF_EACH * OCCURRENCE_BLOCK;

/** The first id of a date of such a calendar; those of the series are where its events would be. */
const firstDateId = (size: CalendarSize): number =>
  Math.ceil((firstEventId(size) + size.events) / OCCURRENCE_BLOCK) * OCCURRENCE_BLOCK;

/** Fills an empty store: `size.events` weekly series; `middle` is the middle of the years over which their dates are spread. */
export const fillWithSeries = (store: EventStore, size: CalendarSize, middle: number): Promise<void> =>
  appendAll(store, seriesStreams(size, middle));

function* seriesStreams(size: CalendarSize, middle: number): Generator<StreamAppend> {
  let ids = firstDateId(size);
  for (const append of sampleStreams(size, middle)) {
    if (!append.stream.startsWith(EVENT_PREFIX)) {
      yield append;
      continue;
    }
    yield* seriesOf(append.events, ids, middle);
    ids += IDS_OF_EACH;
  }
}

/** Its owners of ids and its stream; the single event is the first date, two years earlier. */
function* seriesOf(events: readonly NewEvent[], firstId: number, middle: number): Generator<StreamAppend> {
  const facts = events as unknown as readonly EventFact[]; // As sampleStreams writes them.
  const [drafted] = facts;
  if (drafted?.type !== 'EventDrafted') throw new Error('an event begins with its draft');
  const { id, slug, schedule } = drafted.data;
  // The latest begin in the middle, and all are over when the sample calendar is.
  const shift = Math.floor((schedule.startsAt - middle) / 2 / DAY) * DAY + WEEKS / 2;
  const [start, end] = [schedule.start, schedule.end].map((at) => formatCivil(parseCivil(at) - shift));
  if (start === undefined || end === undefined) return;
  const moved = { ...schedule, start, end, startsAt: schedule.startsAt - shift, endsAt: schedule.endsAt - shift };
  const opening: Opening = {
    ...{
      id,
      start,
      from: start,
      zone: schedule.timezone,
      allDay: false,
      duration: schedule.endsAt - schedule.startsAt,
    },
    ...{ rules: [`FREQ=WEEKLY;COUNT=${DATES_OF_EACH}`], added: [], skipped: [] },
    ...{ horizon: moved.startsAt + 2 * WEEKS, splitFrom: null },
  };
  const naming = {
    drawn: Array.from({ length: IDS_OF_EACH }, (_, at) => firstId + at),
    slugOf: (wallClock: string) => `${slug}-${wallClock.slice(0, 10)}`,
  };
  const content = [{ ...drafted, data: { ...drafted.data, schedule: moved } }, ...facts.slice(1)];
  const decision = openSeries(
    opening,
    content.map(({ type, data }) => ({ type, data }) as EventFact),
    naming,
  );
  if (decision.kind === 'rejected') throw new Error(`${id}: ${JSON.stringify(decision.rejection)}`);
  for (let block = 0; block < BLOCKS_OF_EACH; block++) {
    const stream = ownerStream(firstId + block * OCCURRENCE_BLOCK);
    const owner = recorded({ type: 'SeriesIdsReserved', data: { series: id } });
    yield { stream, expected: 'no_stream', events: [owner] };
  }
  yield { stream: `${SERIES_PREFIX}${id}`, expected: 'no_stream', events: decision.facts.map(recorded) };
}
