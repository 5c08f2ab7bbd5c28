import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventInput } from '../../../src/calendar/event/domain/calendar-event.ts';
import { storable } from '../../../src/calendar/resource/commands/post-input.ts';
import { readDate, type WrittenDate } from '../../../src/kernel/time/date-input.ts';

const test = suite('storable inputs');

function written(text: string): WrittenDate {
  const date = readDate(text);
  if (!date) throw new Error(`${text} is no date`);
  return date;
}

test('dates are stored as they were sent, links and images by their ids, all else as it is', () => {
  const input: EventInput = {
    title: 'Jazz',
    featured: true,
    cost: ['5', '10'],
    times: { start: written('2027-03-01 20:00'), end: written('1803934800'), timezone: 'Europe/Paris', allDay: false },
    date: written('3 March 2027 noon EST'),
    image: { id: 41, url: 'https://img.example/a.jpg', width: null, height: null },
    tags: [{ id: 3 }, { text: 'swing' }],
    venues: [{ id: 4, life: 2 }, { input: { name: 'Hall', date: written('2027-01-01') } }],
    parent: null,
  };
  assert.equal(storable(input), {
    title: 'Jazz',
    featured: true,
    cost: ['5', '10'],
    times: { start: '2027-03-01 20:00', end: '1803934800', timezone: 'Europe/Paris', allDay: false },
    date: '3 March 2027 noon EST',
    image: 41,
    tags: [{ id: 3 }, { text: 'swing' }],
    venues: [{ id: 4 }, { input: { name: 'Hall', date: '2027-01-01' } }],
    parent: null,
  });
});

test.run();
