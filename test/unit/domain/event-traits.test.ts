// Filters by the day of the week and the time of day, where an event takes place.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CalendarEvent } from '../../../src/calendar/event/domain/calendar-event.ts';
import { traitsOf } from '../../../src/calendar/event/domain/event-traits.ts';

const test = suite('traits of events');

/** As far as traits of time look. */
const beginning = (start: string) => traitsOf({ schedule: { start }, cost: null, image: null } as CalendarEvent);

for (const [start, onWeekend, inEvening] of [
  ['2026-12-04 19:00:00', undefined, true],
  ['2026-12-05 16:59:59', true, undefined],
  ['2026-12-06 17:00:00', true, true],
  ['2026-12-07 00:00:00', undefined, undefined],
] as const)
  test(start, () => {
    const traits = beginning(start);
    assert.equal([traits.onWeekend, traits.inEvening], [onWeekend, inEvening]);
  });

test.run();
