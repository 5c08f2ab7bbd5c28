// Dates of series as events of the log: what a read gives when parts cannot be read, or are unknown.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEvent } from '../../../src/calendar/event/domain/calendar-event.ts';
import type { SeriesFact } from '../../../src/editorial/series/domain/facts.ts';
import { openSeries } from '../../../src/editorial/series/domain/series.ts';
import { ALL_EVENTS, withOccurrences } from '../../../src/editorial/series/facts/occurrences.ts';
import { LOG_START, type RecordedEvent } from '../../../src/log/envelope.ts';
import { type EventStore, EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { upcasters } from '../../../src/log/upcasting/upcast.ts';
import { endOf } from '../../support/ends.ts';
import { factsOf, NOW, zoneNamed } from '../../support/given.ts';
import { withUpcasting } from '../../support/pipelines.ts';

const test = suite<{ log: EventStore }>('dates of series in the log');
const METADATA = {
  actor: { id: 1, name: 'ed' },
  instant: new Date(NOW * 1000).toISOString(),
  correlationId: 'c',
  causationId: 'c',
};
let made = 0;
const eventOf = ({ type, data }: Pick<SeriesFact, 'type' | 'data'>, schemaVersion = 1) => {
  made += 1;
  return {
    id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
    type,
    schemaVersion,
    data: data as never,
    metadata: METADATA,
  };
};

function weekly(id: number, dates: number): SeriesFact {
  const start = '2026-03-03 19:00:00';
  const first = 64 * id;
  const drawn = Array.from({ length: dates }, (_, at) => first + at);
  const opening = {
    ...{ id, start, from: start, zone: 'UTC', allDay: false, duration: 3_600, rules: [`FREQ=DAILY;COUNT=${dates}`] },
    ...{ added: [], skipped: [], horizon: NOW + 1_000 * 86_400, splitFrom: null },
  };
  const drafted = createEvent(
    id,
    { title: 'Choir', author: 1, status: 'publish', times: { start, end: '2026-03-03 20:00:00' } },
    { now: NOW, siteZone: zoneNamed('UTC'), slug: 'choir' },
  );
  const [fact] = factsOf(openSeries(opening, factsOf(drafted), { drawn, slugOf: (date) => date }));
  if (!fact) throw new Error('it was not opened');
  return fact;
}
const retitled = (title: string): SeriesFact => ({
  type: 'SeriesContentChanged',
  data: { facts: [{ type: 'EventRetitled', data: { title } }] },
});

const opened: EventStore[] = [];
test.before.each(async (context) => {
  context.log = openSqliteEventStore({ file: ':memory:' });
  opened.push(context.log);
});
test.after.each(async () => {
  for (const log of opened.splice(0)) await log.close();
});

const append = async (log: EventStore, id: number, ...events: ReturnType<typeof eventOf>[]) =>
  log.append([{ stream: `series-${id}`, expected: await endOf(log, `series-${id}`), events }]);
const shown = (events: readonly RecordedEvent[]): string[] =>
  events.map(({ stream, revision, type }) => `${stream} ${revision} ${type}`);
const read = (log: EventStore, after = LOG_START, limit = 1_000) =>
  withOccurrences(withUpcasting(log, upcasters)).readAll({ after, prefixes: ALL_EVENTS, limit });

test('the events of dates come right before the fact that they follow from, at its position', async ({ log }) => {
  await append(log, 1, eventOf(weekly(1, 2)), eventOf(retitled('Chorus')));
  const events = await read(log);
  assert.equal(shown(events), [
    'event-64 0 EventDrafted',
    'event-64 1 EventPublished',
    'event-65 0 EventDrafted',
    'event-65 1 EventPublished',
    'series-1 0 SeriesOpened',
    'event-64 2 EventRetitled',
    'event-65 2 EventRetitled',
    'series-1 1 SeriesContentChanged',
  ]);
  assert.is(new Set(events.map(({ position }) => position)).size, 2);
});

test('an outage while earlier facts of a series are read is an outage of the read', async ({ log }) => {
  await append(log, 1, eventOf(weekly(1, 2)));
  const [first] = await log.readAll({ after: LOG_START, limit: 1 });
  await append(log, 1, eventOf(retitled('Chorus')));
  const down = new EventStoreUnavailable('it does not answer');
  const failing = { ...log, readStream: () => Promise.reject(down) };
  const outcome = await read(failing, first?.position).catch((error: unknown) => error);
  assert.is(outcome, down, 'nothing may be passed over: the reader would go on behind it');
});

test('a fact of a newer version is told to each date as it is, and what follows it on the state before', async ({
  log,
}) => {
  const unknown = eventOf({ ...retitled('X'), type: 'SeriesFrobnicated' } as never);
  const newer = eventOf(retitled('Y'), 99);
  await append(log, 1, eventOf(weekly(1, 1)), unknown, newer, eventOf(retitled('Chorus')));
  const expected = [
    'event-64 1 SeriesFrobnicated',
    'series-1 1 SeriesFrobnicated',
    'event-64 1 SeriesContentChanged',
    'series-1 2 SeriesContentChanged',
    'event-64 2 EventRetitled',
    'series-1 3 SeriesContentChanged',
  ];
  const events = await read(log);
  assert.equal(shown(events).slice(3), expected);
  // Also by a reader that begins behind it, with nothing in memory.
  const last = events.find(({ stream, revision }) => stream === 'series-1' && revision === 2);
  assert.equal(shown(await read(log, last?.position)), expected.slice(4));
  const owner = { ...eventOf(retitled('')), type: 'OccurrencesReserved', data: { series: 1 } };
  await log.append([{ stream: 'occurrences-1', expected: 'no_stream', events: [owner] }]);
  const alone = await withOccurrences(withUpcasting(log, upcasters)).readStream('event-64', { unknown: 'in place' });
  assert.equal(
    shown(alone),
    shown(events).filter((line) => line.startsWith('event-64 ')),
  );
});

test('a page ends behind a whole fact, and the next one goes on there', async ({ log }) => {
  for (const id of [1, 2, 3]) await append(log, id, eventOf(weekly(id, 4)));
  const sizes: number[] = [];
  for (let after = LOG_START; ; ) {
    const page = await read(log, after, 5);
    if (page.length === 0) break;
    sizes.push(page.length);
    after = page.at(-1)?.position ?? after;
  }
  assert.equal(sizes, [9, 9, 9]);
});

test('a subscription hands on what many facts mean in portions', async ({ log }) => {
  for (const id of [1, 20, 40]) await append(log, id, eventOf(weekly(id, 400)));
  const ending = new AbortController();
  const sizes: number[] = [];
  const options = { after: LOG_START, prefixes: ALL_EVENTS, batchSize: 100, signal: ending.signal };
  for await (const batch of withOccurrences(log).subscribe(options)) {
    sizes.push(batch.length);
    if (sizes.length === 3) ending.abort();
  }
  assert.equal(sizes, [801, 801, 801]);
});

test.run();
