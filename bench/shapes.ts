// What is asked of both, by path: each once, so that no cache has its answer, as long as the paths of a shape last.

import { type CalendarSize, firstEventId } from '../test/perf/sample-calendar.ts';
import { seeded } from '../test/support/seeded.ts';

/** Of our API; the peer has the same paths at its root. */
export const ROOT = '/calendar/events/v1';

export interface Shape {
  readonly what: string;
  /** In the order in which they are asked for, below the root. */
  readonly paths: readonly string[];
}

/** A turn has a quarter of them. */
const MANY = 240_000;
const DAY_MS = 86_400_000;
/** In most events of the sample. */
const WORDS = ['concert', 'music', 'garden', 'history', 'reading'];

/** The shapes of lists of a calendar whose four years are around `now` (milliseconds). */
export function shapesOf(size: CalendarSize, now: number): readonly Shape[] {
  const random = seeded(11);
  const below = (most: number): number => Math.floor(random() * most);
  const day = (offset: number): string => new Date(now + offset * DAY_MS).toISOString().slice(0, 10);
  const window = (days: number): string => {
    const from = below(1_200) - 600;
    return `start_date=${day(from)}&end_date=${day(from + days)}`;
  };
  const perPage = (): string => `per_page=${5 + below(16)}&page=${1 + below(4)}`;
  const many = (path: () => string): string[] => [...new Set(Array.from({ length: MANY }, path))];
  return [
    { what: 'a month', paths: many(() => `/events?${window(25 + below(10))}&${perPage()}`) },
    {
      what: 'a month of a category',
      paths: many(() => `/events?categories=${1 + below(size.categories)}&${window(30)}&per_page=${5 + below(16)}`),
    },
    {
      what: 'a year of a venue',
      paths: many(() => `/events?venue=${1 + below(size.venues)}&${window(365)}&per_page=${5 + below(16)}`),
    },
    {
      what: 'a word in a month',
      paths: many(
        () => `/events?search=${WORDS[below(WORDS.length)]}&${window(25 + below(10))}&per_page=${5 + below(16)}`,
      ),
    },
    { what: 'one event', paths: many(() => `/events/${firstEventId(size) + below(size.events)}`) },
    { what: 'the same list again', paths: [`/events?start_date=${day(0)}&end_date=${day(365)}&per_page=20`] },
  ];
}
