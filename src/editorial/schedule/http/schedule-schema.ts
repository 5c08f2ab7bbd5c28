// What will happen by itself, on the wire.
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import { anything, dateFilter, optional, paging } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
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

export const scheduledItem = member.object('scheduled', {
  instant: member.instant('scheduled.instant'),
  date: member.dateTime('scheduled.date'),
  action: member.oneOf('scheduled.action', [...SCHEDULED_ACTIONS]),
  kind: member.oneOf('resource.kind', [...SCHEDULED_KINDS]),
  id: member.integer('resource.id'),
  url: member.address('change_entry.url'),
  title: member.text('scheduled.title'),
  author: member.component('Actor', 'scheduled.author'),
});
