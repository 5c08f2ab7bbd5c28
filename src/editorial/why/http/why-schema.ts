// Why an event is in a list or not: the question and its answer on the wire.
import Type from 'typebox';
import { eventList } from '../../../calendar/event/http/event-schema.ts';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anyId, optional, passwordToPresent, text } from '../../../http/schemas/primitives.ts';
import { ROLES } from '../../../people/auth/caller.ts';
import { PUBLIC_ROLE } from '../../../people/auth/policy.ts';

/** All that the list takes. Which roles may be named depends on the caller: the handler says so. */
export const whyListed = (settings: ListSettings) =>
  Type.Object({
    id: anyId('event'),
    ...eventList(settings).properties,
    ...optional({
      role: text('why.role', 'anything'),
      password: passwordToPresent,
    }),
  });

const condition = shown.object('why.one_condition', {
  condition: shown.text('why.condition'),
  passes: shown.flag('why.passes'),
  sentence: shown.text('why.sentence'),
});

export const whyAnswer = shown.object('why.answer', {
  event: shown.integer('why.id'),
  listed: shown.flag('why.listed'),
  on_page: shown.flag('why.on_page'),
  summary: shown.text('why.summary'),
  role: shown.orNull(shown.oneOf('why.role_asked', [...ROLES, PUBLIC_ROLE])),
  place: shown.orNull(shown.integer('why.place')),
  page: shown.orNull(shown.integer('why.page')),
  place_on_page: shown.orNull(shown.integer('why.place_on_page')),
  total: shown.integer('list.total'),
  total_pages: shown.integer('list.total_pages'),
  conditions: shown.listOf(condition, 'why.conditions'),
  list_url: shown.address('why.list_url'),
});
