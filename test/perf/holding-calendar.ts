// What the benchmark of long holds adds to the sample calendar: the worst that its writers could put there.

import { MAX_TEXT_BYTES } from '../../src/kernel/text/text-size.ts';
import type { NewEvent } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { firstEventId, LARGE, post, recorded } from './sample-calendar.ts';

/** Events that belong to the first one, each with a description and an excerpt as long as can be. */
const HUGE = 50;
/** Of which such texts consist, one event after the other. */
const HUGE_TEXTS = ['Words &amp; more words, "quoted" and so on. ', '<a href="x">x</a> ', '<p><b><i>', '&<"', '<br>\n'];
export const CHANGES = 2_500;
const APPENDED_AT_ONCE = 500;
/** Categories, each below the one before. */
const DEEPEST = 200;

export const HUGE_PARENT = firstEventId(LARGE);
export const FIRST_HUGE = firstEventId(LARGE) + LARGE.events;
/** The event that has been changed so often. */
export const CHANGED = FIRST_HUGE + HUGE;
export const DEEPEST_CATEGORY = LARGE.categories + LARGE.tags + DEEPEST;

export async function addWorst(store: EventStore, now: number): Promise<void> {
  for (let index = 0; index < HUGE; index++) {
    const startsAt = now + 86_400 + index * 3_600;
    const text = longest(HUGE_TEXTS[index % HUGE_TEXTS.length] ?? '');
    const texts = { description: text, excerpt: text };
    await store.append([post('event', 'Event', FIRST_HUGE + index, { ...eventAt(startsAt), ...texts }, now)]);
  }
  // Two of them have texts of other words.
  for (const index of [40, 42]) {
    const events = [recorded({ type: 'EventDescribed', data: { description: longest('other <i>words</i>\n') } })];
    await store.append([{ stream: `event-${FIRST_HUGE + index}`, expected: 1, events }]);
  }
  await store.append([post('event', 'Event', CHANGED, { ...eventAt(now + 86_400), parent: null }, now - 1_000)]);
  for (let told = 0; told < CHANGES; told += APPENDED_AT_ONCE) {
    const events = Array.from({ length: APPENDED_AT_ONCE }, (_, index) => retitled(told + index));
    await store.append([{ stream: `event-${CHANGED}`, expected: told + 1, events }]);
  }
  const first = LARGE.categories + LARGE.tags + 1;
  for (let id = first; id <= DEEPEST_CATEGORY; id++) {
    const data = { id, name: `Level ${id}`, slug: `level-${id}`, description: '', parent: id === first ? 0 : id - 1 };
    const events = [recorded({ type: 'CategoryCreated', data })];
    await store.append([{ stream: `category-${id}`, expected: 'no_stream', events }]);
  }
}

export const longest = (text: string): string => text.repeat(Math.floor(MAX_TEXT_BYTES / text.length));

const retitled = (number: number): NewEvent =>
  recorded({ type: 'EventRetitled', data: { title: `Title number ${number}` } });

function eventAt(startsAt: number) {
  const wallClock = (at: number): string => new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ');
  const endsAt = startsAt + 3_600;
  return {
    title: 'The worst',
    description: '',
    excerpt: '',
    image: null,
    cost: null,
    website: null,
    showMap: true,
    showMapLink: true,
    hidden: false,
    sticky: false,
    featured: false,
    ticketed: false,
    categories: [DEEPEST_CATEGORY],
    tags: [],
    venues: [{ id: 1, life: 0 }],
    organizers: [],
    parent: HUGE_PARENT as number | null,
    schedule: {
      timezone: 'UTC',
      allDay: false,
      start: wallClock(startsAt),
      end: wallClock(endsAt),
      startsAt,
      endsAt,
    },
  };
}
