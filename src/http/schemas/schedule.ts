// What will happen by itself, on the wire.
import Type from 'typebox';
import { SCHEDULED_ACTIONS, SCHEDULED_KINDS } from '../../domain/upcoming.ts';
import type { WrittenDate } from '../../time/date-input.ts';
import type { ListSettings } from './lists.ts';
import * as shown from './members.ts';
import { anything, dateFilter, optional, paging } from './primitives.ts';

export const scheduleList = ({ perPage }: ListSettings) =>
  Type.Object({
    ...paging(perPage),
    ...optional({
      kind: anything('schedule.kind'),
      from: dateFilter<WrittenDate>('schedule.from'),
      to: dateFilter<WrittenDate>('schedule.to'),
    }),
  });

export const scheduledItem = shown.object('scheduled', {
  instant: shown.instant('scheduled.instant'),
  date: shown.dateTime('scheduled.date'),
  action: shown.oneOf('scheduled.action', [...SCHEDULED_ACTIONS]),
  kind: shown.oneOf('resource.kind', [...SCHEDULED_KINDS]),
  id: shown.integer('resource.id'),
  url: shown.address('change_entry.url'),
  title: shown.text('scheduled.title'),
  author: shown.component('Actor', 'scheduled.author'),
});
