// Measures the list index alone: microseconds a query and a change, and memory.
// Usage: node --expose-gc test/perf/list-index.ts [events]
import { COUNTED_LABELS } from '../../src/calendar/event/domain/event-labels.ts';
import { LISTED_FLAGS } from '../../src/calendar/event/domain/event-traits.ts';
import { type ListIndex, openListIndex } from '../../src/read-model/list-index/list-index.ts';
import { type EventRow, packRow, type Row, rowOf, unpackRow } from '../../src/read-model/list-index/rows.ts';
import type { Facets } from '../../src/read-model/queries.ts';
import { category, event, eventQuery, tag, venue } from '../support/documents.ts';

const EVENTS = Number(process.argv[2] ?? 100_000);
const DAY = 86_400;
const FIRST = Date.UTC(2024, 0, 1) / 1_000;
const NOW = Date.UTC(2026, 10, 26) / 1_000;

let state = 42;
const random = (below: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return (state >>> 8) % below;
};

/** As frequent as words are: few of them often. */
const word = (): string => `word${Math.floor(60_000 * (random(10_000) / 10_000) ** 4)}`;
const words = (count: number): string => Array.from({ length: count }, word).join(' ');

const LABELS = [
  ['weekdays:monday'],
  ['weekdays:friday', 'languages:de'],
  ['weekdays:sunday', 'languages:de', 'languages:en', 'ages:0-5', 'ages:6-12'],
] as const;

function row(id: number): Row {
  const startsAt = FIRST + random(4 * 365) * DAY + random(24) * 3_600;
  const made = event(id, {
    startsAt,
    endsAt: startsAt + 3_600 * (1 + random(6)),
    status: random(20) === 0 ? 'draft' : 'publish',
    author: 1 + random(50),
    date: startsAt - random(100) * DAY,
    featured: random(10) === 0,
    categories: [100 + random(40), 100 + random(40)],
    labels: LABELS[random(LABELS.length)] ?? [],
    tags: [1_000 + random(2_000), 1_000 + random(2_000)],
    venues: [{ id: 10_000 + random(2_000), life: 0 }],
    organizers: [{ id: 20_000 + random(500), life: 0 }],
    title: `The ${words(5)}`,
    description: `<p>with ${words(40)}</p>`,
  });
  const found = rowOf(made);
  if (!found) throw new Error('an event has a row');
  return found;
}

const heap = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
};

const rows: Buffer[] = [];
for (let id = 1; id <= EVENTS; id++) rows.push(packRow(row(id)));
console.log(`${EVENTS} events, ${Math.round(rows.reduce((sum, { length }) => sum + length, 0) / EVENTS)} bytes a row`);
const before = heap();

/** Milliseconds of processor time of this thread: the machine may be busy. */
const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

let began = spent();
const index: ListIndex = openListIndex();
const others = [
  ...Array.from({ length: 40 }, (_, at) => category(100 + at)),
  ...Array.from({ length: 2_000 }, (_, at) => tag(1_000 + at)),
  ...Array.from({ length: 2_000 }, (_, at) =>
    venue(10_000 + at, { coordinates: { lat: (at % 80) - 40, lng: at % 170 } }),
  ),
].flatMap((document) => rowOf(document) ?? []);
index.apply(others.map((one) => ({ key: one, row: one })));
let longest = 0;
const step = (work: () => void): void => {
  const from = spent();
  work();
  longest = Math.max(longest, spent() - from);
};
for (let from = 0; from < EVENTS; from += 500)
  step(() =>
    index.apply(
      rows.slice(from, from + 500).map((packed, at) => {
        const key = { kind: 'event', id: 1 + from + at } as const;
        return { key, row: unpackRow(key, packed) };
      }),
    ),
  );
const stepThrough = (steps: Iterator<undefined>): void => {
  for (let more = true; more; ) step(() => (more = steps.next().done !== true));
};
stepThrough(index.loaded());
console.log(`columns and links: ${Math.round(spent() - began)} ms, longest step ${longest.toFixed(1)} ms`);
const columns = heap();
began = spent();
longest = 0;
stepThrough(index.indexWords());
console.log(`words: ${Math.round(spent() - began)} ms, longest step ${longest.toFixed(1)} ms`);
const all = heap();
console.log(
  `memory: ${Math.round(all - before)} MB (bytes(): ${Math.round(index.bytes() / 2 ** 20)} MB), with pending texts ${Math.round(columns - before)} MB`,
);

function measure(name: string, work: (round: number) => unknown, rounds = 300): void {
  for (let round = 0; round < 20; round++) work(round);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const from = spent();
    work(round);
    times.push(1_000 * (spent() - from));
  }
  times.sort((one, other) => one - other);
  const at = (part: number): string => (times[Math.floor(part * times.length)] ?? 0).toFixed(0).padStart(7);
  console.log(`${name.padEnd(34)} least ${at(0)} µs   p50 ${at(0.5)} µs   p99 ${at(0.99)} µs`);
}

const bounds = { startsFrom: NOW, startsBefore: NOW + 730 * DAY };
const page = { offset: 0, limit: 10 };
measure('dates alone', () => index.findEvents(eventQuery({ bounds, page })));
measure('dates alone, running ones too', () => index.findEvents(eventQuery({ bounds: { endsAfter: NOW }, page })));
measure('everything', () => index.findEvents(eventQuery({ page })));
measure('category + venue + dates', (at) =>
  index.findEvents(eventQuery({ bounds, page, categories: [100 + (at % 40)], venues: [10_000 + ((at * 7) % 2_000)] })),
);
measure('category + dates', (at) => index.findEvents(eventQuery({ bounds, page, categories: [100 + (at % 40)] })));
const tags = Array.from({ length: 500 }, (_, at) => 1_000 + at);
measure('500 tags', () => index.findEvents(eventQuery({ page, tags })));
measure('a word in every event', () => index.findEvents(eventQuery({ page, search: { words: ['the'], without: [] } })));
measure('a word in most events', () =>
  index.findEvents(eventQuery({ page, search: { words: ['word0'], without: [] } })),
);
measure('a part of a rare word', () =>
  index.findEvents(eventQuery({ page, search: { words: ['ord5999'], without: [] } })),
);
measure('one letter', () => index.findEvents(eventQuery({ page, search: { words: ['o'], without: [] } })), 50);
measure(
  'within 2,000 km by distance',
  () => index.findEvents(eventQuery({ page, nearby: { lat: 10, lng: 50, radiusKm: 2_000 }, order: 'distance' })),
  50,
);
const facets: Facets = {
  flags: LISTED_FLAGS.map(({ member }) => member),
  labels: COUNTED_LABELS,
  categories: Array.from({ length: 40 }, (_, at) => [100 + at]),
  periods: [0, 2, 7].map((day) => ({ endsAfter: NOW + day * DAY, startsBefore: NOW + (day + 7) * DAY })),
};
measure('facets of everything', () => index.countFacets(eventQuery({ page }), facets), 50);
measure(
  'facets of a word in every event',
  () => index.countFacets(eventQuery({ page, search: { words: ['the'], without: [] } }), facets),
  50,
);
measure('newest', () => index.newestEvents({ limit: 50 }));
measure('next scheduled', () => index.nextScheduled());
measure('terms after a change of counts', (at) => {
  index.apply([{ key: { kind: 'event', id: 1 + at }, row: null }]);
  return index.terms();
});
const changed: EventRow[] = Array.from({ length: 400 }, (_, at) => row(EVENTS - at)) as EventRow[];
measure('apply of one change', (at) => {
  const one = changed[at % 400];
  if (one) index.apply([{ key: one, row: one }]);
});
measure('apply of one change, same text', (at) => {
  const one = changed[at % 400];
  if (one) index.apply([{ key: one, row: { ...one, startsAt: one.startsAt + at, revision: at } }]);
});
