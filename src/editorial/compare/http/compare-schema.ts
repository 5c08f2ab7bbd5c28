// Comparisons on the wire: of two states of an event, and of a list as of two instants.
import { eventList } from '../../../calendar/event/http/event-schema.ts';
import type { PostKind } from '../../../calendar/resource/domain/post.ts';
import type { TermKind } from '../../../calendar/term/domain/term.ts';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import { anyId, flag, optional, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
import { DIFFERENCES } from '../../../kernel/text/wire-words.ts';

type ResourceKind = PostKind | TermKind;

/** What is wrong with the two is said in words of their own, by the handler. */
export const stateCompare = (kind: ResourceKind) =>
  Type.Object({
    id: anyId(kind),
    from: text('compare.from', 'anything', { alsoTakes: ['number'] }),
    ...optional({ to: text('compare.to', 'anything', { alsoTakes: ['number'] }) }),
  });

/** All that the list takes, but for its instant. */
export const listCompare = (settings: ListSettings) => {
  const { as_of: _, ...filters } = eventList(settings).properties;
  return Type.Object({
    from: text('compare_list.from', 'anything', { format: 'date-time', alsoTakes: ['number'] }),
    ...optional({ to: text('compare_list.to', 'anything', { format: 'date-time', alsoTakes: ['number'] }) }),
    ...optional({ words: flag('compare_list.words') }),
    ...filters,
  });
};

const state = (description: 'compare.state_from' | 'compare.state_to', kind: ResourceKind, component: string) =>
  member.object(description, {
    ...optional({ proposal: member.integer('compare.proposal') }),
    revision: member.integer('revision.revision'),
    instant: member.instant('revision.instant'),
    date: member.dateTime('revision.date'),
    actor: member.component('Actor', 'actor'),
    [kind]: Type.Ref(component),
  });

const words = member.listOf(
  member.object('compare.one_text', {
    change: member.oneOf('compare.text_change', ['same', 'added', 'removed']),
    text: member.text('compare.text'),
  }),
  'compare.words',
);

/** A field of two states, also of what an import has changed. */
export const comparedField = member.object('compare.field', {
  field: member.text('field_change.field'),
  before: member.anything('field_change.before'),
  after: member.anything('field_change.after'),
  ...optional({ words }),
});

export const stateComparison = (kind: ResourceKind, component: string) =>
  member.object('compare.answer', {
    id: member.integer('compare.id'),
    from: state('compare.state_from', kind, component),
    to: state('compare.state_to', kind, component),
    changes: member.listOf(comparedField, 'compare.changes'),
  });

const difference = member.object('compare_list.difference', {
  id: member.integer('compare_list.id'),
  what: member.oneOf('compare_list.what', DIFFERENCES),
  changes: member.listOf(comparedField, 'compare_list.changes'),
  event: member.orNull(Type.Ref('Event')),
});

const totals = member.object(
  'compare_list.totals',
  Object.fromEntries(DIFFERENCES.map((what) => [what, member.integer(`compare_list.${what}`)])),
);

export const listComparison = member.object('compare_list.answer', {
  events: member.listOf(difference, 'compare_list.events'),
  from: member.instant('compare_list.from_shown'),
  to: member.instant('compare_list.to_shown'),
  totals,
  rest_url: member.address('list.rest_url'),
  ...optional({
    next_rest_url: member.address('list.next_rest_url'),
    previous_rest_url: member.address('list.previous_rest_url'),
  }),
  total: member.integer('list.total'),
  total_pages: member.integer('list.total_pages'),
});
