// Random edits of series against a naive oracle: the dates are those of the rules, an id never moves, and what the facts
// mean for the event of a date adds up to the event that a new read model would have.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CalendarEvent, createEvent, evolveEvent } from '../../src/calendar/event/domain/calendar-event.ts';
import type { Decision } from '../../src/domain/decider.ts';
import type { Series, SeriesFact } from '../../src/editorial/series/domain/facts.ts';
import { afterFact, draftedAgain, scheduleOf } from '../../src/editorial/series/domain/occurrences.ts';
import { parseSeriesRule, type SeriesRule, seriesDates } from '../../src/editorial/series/domain/rule-set.ts';
import {
  changeDates,
  continuationOf,
  type DateChange,
  endedBefore,
  openSeries,
  planChange,
  planOpening,
  presentDates,
  splitSeries,
} from '../../src/editorial/series/domain/series.ts';
import { DAY, factsOf, NOW, zoneNamed } from '../support/given.ts';

const test = suite('series, edited at random');

const START = '2026-03-03 02:30:00';
const ZONE = 'Europe/Berlin';
const RULES = [
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU',
  'FREQ=WEEKLY',
  'FREQ=DAILY;COUNT=40',
  'FREQ=WEEKLY;BYDAY=TU,SU',
  'FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20270101',
  // Used up before most of the dates that are added.
  'FREQ=WEEKLY;COUNT=3',
  'FREQ=WEEKLY;UNTIL=20260407',
  'FREQ=WEEKLY;UNTIL=20260407T003000Z',
  'FREQ=DAILY;UNTIL=20260320T023000',
];
const HORIZON = Date.UTC(2026, 8, 1) / 1000;

/** A series, and the events of its dates as their facts have made them. */
interface Calendar {
  readonly series: Series;
  readonly events: ReadonlyMap<number, CalendarEvent>;
  readonly revisions: ReadonlyMap<number, number>;
  readonly nextId: number;
}

const DRAFTED = factsOf(
  createEvent(
    1,
    {
      title: 'Choir',
      author: 1,
      status: 'publish',
      times: { start: START, end: '2026-03-03 04:00:00', timezone: ZONE },
    },
    { now: NOW, siteZone: zoneNamed('UTC'), slug: 'choir' },
  ),
);

const naming = (first: number, count: number) => ({
  drawn: Array.from({ length: count }, (_, index) => first + index),
  slugOf: (date: string) => `choir-${date.slice(0, 10)}`,
});
const plannedIds = (plan: ReturnType<typeof planChange>): number => ('fault' in plan ? 0 : plan.toDraw);

function folded(
  { series, events, revisions }: Partial<Calendar>,
  decision: Decision<SeriesFact>,
  nextId: number,
): Calendar {
  const all = new Map(events);
  const last = new Map(revisions);
  let state: Series | null = series ?? null;
  // As they are stored.
  for (const fact of JSON.parse(JSON.stringify(factsOf(decision))) as readonly SeriesFact[]) {
    const step = afterFact(state, fact, NOW);
    state = step.series;
    for (const { id, after, facts } of step.happenings) {
      assert.is(after, last.get(id) ?? -1, 'revisions have no gaps');
      const next = facts();
      last.set(id, after + next.length);
      for (const one of next) {
        const event = evolveEvent(all.get(id) ?? null, one, NOW);
        if (event) all.set(id, event);
      }
    }
  }
  if (!state) throw new Error('it was not opened');
  return { series: state, events: all, revisions: last, nextId };
}

function opened(rules: readonly string[]): Calendar {
  const opening = {
    ...{ id: 1, start: START, from: START, zone: ZONE, allDay: false, duration: 5_400, rules, added: [], skipped: [] },
    ...{ horizon: HORIZON, splitFrom: null },
  };
  const count = plannedIds(planOpening(opening));
  return folded({}, openSeries(opening, DRAFTED, naming(100, count)), 100 + count);
}

function edited(calendar: Calendar, change: DateChange): Calendar {
  const count = plannedIds(planChange(calendar.series, change));
  const decision = changeDates(calendar.series, change, naming(calendar.nextId, count));
  return folded(calendar, decision, calendar.nextId + count);
}

/** Everything anew, from the rules that the series has now. */
function oracle({ rules, added, skipped, horizon, inTrash }: Series): readonly (readonly [string, number])[] {
  if (inTrash) return [];
  const parsed = rules.map((text) => parseSeriesRule(text) as SeriesRule);
  const dates = seriesDates({ start: START, zone: zoneNamed(ZONE), rules: parsed, added, skipped }, horizon);
  if ('fault' in dates) throw new Error(dates.detail);
  return dates.filter(({ wallClock }) => wallClock >= START).map(({ wallClock, instant }) => [wallClock, instant]);
}

const anyDate = fc.integer({ min: 0, max: 200 }).map((days) => {
  const day = new Date((Date.UTC(2026, 2, 1) / 1000 + days * DAY) * 1000).toISOString().slice(0, 10);
  return `${day} 02:30:00`;
});
const anyRules = fc.uniqueArray(fc.constantFrom(...RULES), { maxLength: 2 });
const anyChange: fc.Arbitrary<DateChange> = fc.oneof(
  fc
    .record({
      rules: anyRules,
      added: fc.uniqueArray(anyDate, { maxLength: 3 }),
      skipped: fc.uniqueArray(anyDate, { maxLength: 3 }),
    })
    .map((repeating): DateChange => ({ kind: 'rules', ...repeating })),
  fc
    .tuple(fc.constantFrom('add' as const, 'skip' as const, 'restore' as const), anyDate)
    .map(([kind, date]): DateChange => ({ kind, date })),
  anyDate.map((from): DateChange => ({ kind: 'end', from })),
  fc.constantFrom('trash' as const, 'untrash' as const).map((kind): DateChange => ({ kind })),
  fc.integer({ min: 1, max: 300 }).map((days): DateChange => ({ kind: 'horizon', horizon: HORIZON + days * DAY })),
);

test('dates are those of the rules, an id stays with its date, and events say the same', () => {
  fc.assert(
    fc.property(anyRules, fc.array(anyChange, { maxLength: 12 }), (rules, changes) => {
      let calendar = opened(rules);
      for (const change of changes) {
        const before = calendar.series.dates;
        calendar = edited(calendar, change);
        const { series, events } = calendar;
        const present = presentDates(series);
        assert.equal(
          present.map(({ wallClock, startsAt }) => [wallClock, startsAt]),
          oracle(series),
        );
        for (const [wallClock, { id }] of before) assert.is(series.dates.get(wallClock)?.id, id);
        assert.is(new Set([...series.dates.values()].map(({ id }) => id)).size, series.dates.size, 'no id twice');
        for (const date of series.dates.values()) {
          const event = events.get(date.id);
          assert.is(event?.status, date.isThere ? 'publish' : 'trash');
          assert.equal(event?.schedule, scheduleOf(series, date));
          assert.is(calendar.revisions.get(date.id), date.revision);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('an end takes the dates from there on, and brings none, whatever ends or counts the rules', () => {
  fc.assert(
    fc.property(anyRules, fc.array(anyChange, { maxLength: 3 }), fc.nat(), (rules, changes, at) => {
      const whole = changes.reduce(edited, opened(rules)).series;
      const present = presentDates(whole).map(({ wallClock }) => wallClock);
      const from = present[1 + (at % Math.max(1, present.length - 1))];
      if (from === undefined) return;
      const left = present.filter((wallClock) => wallClock < from);
      const dates = (series: Series): string[] => oracle(series).map(([wallClock]) => wallClock);
      assert.equal(dates(endedBefore(whole, from) as Series), left, JSON.stringify(whole.rules));
    }),
    { numRuns: 150 },
  );
});

test('a change and the one that takes it back lead to the same dates with the same ids', () => {
  const before = opened(['FREQ=WEEKLY']);
  const { rules, added, skipped } = before.series;
  const without = edited(before, { kind: 'rules', rules: ['FREQ=MONTHLY;BYDAY=-1FR'], added, skipped });
  const again = edited(without, { kind: 'rules', rules, added, skipped });
  const ids = ({ series }: Calendar) => presentDates(series).map(({ id, wallClock }) => [id, wallClock]);
  assert.equal(ids(again), ids(before));
});

test('both halves of a split have the dates of the whole, with their ids, and events stay what they were', () => {
  fc.assert(
    fc.property(anyRules, fc.array(anyChange, { maxLength: 4 }), fc.nat(), (rules, changes, at) => {
      const whole = changes.reduce(edited, opened(rules));
      const present = presentDates(whole.series);
      const from = present[1 + (at % Math.max(1, present.length - 1))]?.wallClock;
      if (from === undefined || from <= START) return;
      const taken = [...whole.series.dates.values()].filter(({ wallClock }) => wallClock >= from);
      const rest = continuationOf(whole.series, from, 2);
      assert.is(plannedIds(planOpening(rest, taken)), 0, 'every date has its id already');
      const drafted = draftedAgain(whole.series.template, {
        id: 2,
        slug: 'choir-2',
        schedule: whole.series.template.schedule,
      });
      const first = folded(whole, splitSeries(whole.series, from, 2), whole.nextId);
      const { events, revisions } = first;
      const second = folded({ events, revisions }, openSeries(rest, drafted, naming(0, 0), taken), whole.nextId);
      const named = (series: Series) => presentDates(series).map(({ wallClock, id }) => `${wallClock} ${id}`);
      assert.equal([...named(first.series), ...named(second.series)].sort(), named(whole.series).sort());
      assert.equal(
        oracle(first.series).map(([wallClock]) => wallClock),
        presentDates(first.series).map(({ wallClock }) => wallClock),
        'its rules say no more than its dates',
      );
      for (const { id, wallClock } of presentDates(second.series)) {
        const event = second.events.get(id);
        assert.equal([event?.parent, event?.series?.id, event?.status], [2, 2, 'publish'], wallClock);
        assert.equal(event?.schedule, whole.events.get(id)?.schedule);
      }
    }),
    { numRuns: 60 },
  );
});

test.run();
