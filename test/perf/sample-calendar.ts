// A calendar of a wished size, written straight into an event store: what the benchmarks list and read.
import { randomUUID } from 'node:crypto';
import { resolveZone, toWallClock } from '../../src/kernel/time/zone.ts';
import type { Json, NewEvent } from '../../src/log/envelope.ts';
import type { EventStore, StreamAppend } from '../../src/log/event-store.ts';
import { seeded } from '../support/seeded.ts';

export interface CalendarSize {
  readonly events: number;
  readonly venues: number;
  readonly organizers: number;
  readonly categories: number;
  readonly tags: number;
}

export const LARGE: CalendarSize = { events: 100_000, venues: 2_000, organizers: 500, categories: 50, tags: 500 };

const DAY = 86_400;
const YEARS = 4;
const APPENDS_AT_ONCE = 1_000;
const WORDS =
  'open evening concert reading market walk workshop lecture film dance choir garden river harbour museum history children music theatre jazz'.split(
    ' ',
  );

/** Ids: venues from 1, organizers behind them, then events; categories from 1, tags behind them. */
export const firstEventId = ({ venues, organizers }: CalendarSize): number => 1 + venues + organizers;

/** Fills an empty store; `middle` (UTC seconds) is the middle of the four years over which events are spread. */
export async function fillStore(store: EventStore, size: CalendarSize, middle: number): Promise<void> {
  await appendAll(store, sampleStreams(size, middle));
}

/** Appends many at once. */
export async function appendAll(store: EventStore, streams: Iterable<StreamAppend>): Promise<void> {
  let appends: StreamAppend[] = [];
  const flush = async (): Promise<void> => {
    await store.append(appends);
    appends = [];
  };
  for (const append of streams) {
    appends.push(append);
    if (appends.length === APPENDS_AT_ONCE) await flush();
  }
  if (appends.length > 0) await flush();
}

/** The whole calendar, as `fillStore` writes it. */
export function* sampleStreams(size: CalendarSize, middle: number): Generator<StreamAppend> {
  const zone = resolveZone('UTC');
  if (!zone) throw new Error('no zone UTC');
  const random = seeded(size.events);
  const pick = (count: number): number => 1 + Math.floor(random() * count);
  const text = (words: number): string => Array.from({ length: words }, () => WORDS[pick(WORDS.length) - 1]).join(' ');
  for (let id = 1; id <= size.categories; id++) yield term('category', 'Category', id, text(2));
  for (let id = size.categories + 1; id <= size.categories + size.tags; id++) yield term('tag', 'Tag', id, text(1));
  for (let id = 1; id <= size.venues; id++) yield post('venue', 'Venue', id, venueOf(text(3), id), middle);
  for (let id = size.venues + 1; id < firstEventId(size); id++)
    yield post('organizer', 'Organizer', id, organizerOf(text(2)), middle);
  for (let id = firstEventId(size); id < firstEventId(size) + size.events; id++) {
    const startsAt = Math.floor((middle + (random() - 0.5) * YEARS * 365 * DAY) / 900) * 900;
    const endsAt = startsAt + 3_600 * pick(random() < 0.1 ? 72 : 5);
    const fields = {
      title: `${text(4)} ${id}`,
      description: `<p>${text(60)}</p>\n\n<p>${text(40)}</p>`,
      excerpt: text(15),
      image: null,
      cost: random() < 0.5 ? { entries: [String(pick(40))], symbol: '', position: '' } : null,
      website: null,
      showMap: true,
      showMapLink: true,
      hidden: false,
      sticky: false,
      featured: random() < 0.05,
      ticketed: false,
      categories: [pick(size.categories)],
      tags: [size.categories + pick(size.tags), size.categories + pick(size.tags)],
      venues: [{ id: pick(size.venues), life: 0 }],
      organizers: [{ id: size.venues + pick(size.organizers), life: 0 }],
      parent: null,
      schedule: {
        timezone: 'UTC',
        allDay: false,
        start: toWallClock(startsAt, zone),
        end: toWallClock(endsAt, zone),
        startsAt,
        endsAt,
      },
    };
    yield post('event', 'Event', id, fields, middle - id);
  }
}

/** Every venue has a place of its own, all over the country. */
const venueOf = (name: string, id: number) => ({
  name,
  description: '',
  address: '1 Mill Lane',
  city: 'Leeds',
  country: 'United Kingdom',
  province: '',
  state: '',
  zip: 'LS1 1AA',
  stateprovince: '',
  phone: '',
  website: '',
  image: null,
  showMap: true,
  showMapLink: true,
  coordinates: { lat: 50 + (id % 89) / 12, lng: -5 + (id % 97) / 14 },
});

const organizerOf = (name: string) => ({ name, description: '', phone: '', website: '', email: '', image: null });

export function post(kind: string, noun: string, id: number, content: object, date: number): StreamAppend {
  const born = { id, ...content, author: 1, slug: `${kind}-${id}`, date, dateFloats: false, passwordHash: null };
  const facts = [
    { type: `${noun}Drafted`, data: born },
    { type: `${noun}Published`, data: { date } },
  ];
  return { stream: `${kind}-${id}`, expected: 'no_stream', events: facts.map(recorded) };
}

function term(kind: string, noun: string, id: number, name: string): StreamAppend {
  const data = { id, name: `${name} ${id}`, slug: `${kind}-${id}`, description: '', parent: 0 };
  return { stream: `${kind}-${id}`, expected: 'no_stream', events: [recorded({ type: `${noun}Created`, data })] };
}

const INSTANT = '2026-01-01T00:00:00.000Z';

export const recorded = ({ type, data }: { readonly type: string; readonly data: object }): NewEvent => ({
  id: randomUUID(),
  type,
  schemaVersion: 1,
  data: data as Json, // Plain data by construction.
  metadata: { actor: { id: 1, name: 'bench' }, instant: INSTANT, correlationId: 'bench', causationId: 'bench' },
});
