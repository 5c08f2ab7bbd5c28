// Comparisons on the wire: of two states of an event, and of a list as of two instants.
import Type from 'typebox';
import { eventList } from '../../../calendar/event/http/event-schema.ts';
import type { PostKind } from '../../../calendar/resource/domain/post.ts';
import type { TermKind } from '../../../calendar/term/domain/term.ts';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anyId, flag, optional, text } from '../../../http/schemas/primitives.ts';
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
  shown.object(description, {
    ...optional({ proposal: shown.integer('compare.proposal') }),
    revision: shown.integer('revision.revision'),
    instant: shown.instant('revision.instant'),
    date: shown.dateTime('revision.date'),
    actor: shown.component('Actor', 'actor'),
    [kind]: Type.Ref(component),
  });

const words = shown.listOf(
  shown.object('compare.one_text', {
    change: shown.oneOf('compare.text_change', ['same', 'added', 'removed']),
    text: shown.text('compare.text'),
  }),
  'compare.words',
);

/** A field of two states, also of what an import has changed. */
export const comparedField = shown.object('compare.field', {
  field: shown.text('field_change.field'),
  before: shown.anything('field_change.before'),
  after: shown.anything('field_change.after'),
  ...optional({ words }),
});

export const stateComparison = (kind: ResourceKind, component: string) =>
  shown.object('compare.answer', {
    id: shown.integer('compare.id'),
    from: state('compare.state_from', kind, component),
    to: state('compare.state_to', kind, component),
    changes: shown.listOf(comparedField, 'compare.changes'),
  });

const difference = shown.object('compare_list.difference', {
  id: shown.integer('compare_list.id'),
  what: shown.oneOf('compare_list.what', DIFFERENCES),
  changes: shown.listOf(comparedField, 'compare_list.changes'),
  event: shown.orNull(Type.Ref('Event')),
});

const totals = shown.object(
  'compare_list.totals',
  Object.fromEntries(DIFFERENCES.map((what) => [what, shown.integer(`compare_list.${what}`)])),
);

export const listComparison = shown.object('compare_list.answer', {
  events: shown.listOf(difference, 'compare_list.events'),
  from: shown.instant('compare_list.from_shown'),
  to: shown.instant('compare_list.to_shown'),
  totals,
  rest_url: shown.address('list.rest_url'),
  ...optional({
    next_rest_url: shown.address('list.next_rest_url'),
    previous_rest_url: shown.address('list.previous_rest_url'),
  }),
  total: shown.integer('list.total'),
  total_pages: shown.integer('list.total_pages'),
});
