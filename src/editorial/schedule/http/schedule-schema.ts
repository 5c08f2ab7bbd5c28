// What will happen by itself, on the wire.
import Type from 'typebox';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anything, dateFilter, optional, paging } from '../../../http/schemas/primitives.ts';
import type { WrittenDate } from '../../../kernel/time/date-input.ts';
import { SCHEDULED_ACTIONS, SCHEDULED_KINDS } from '../domain/upcoming.ts';

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
