// What happened, as the histories and the feed of changes tell it.
import { POST_KINDS } from '../../../domain/post.ts';
import { TERM_KINDS } from '../../../domain/term.ts';
import {
  address,
  anything,
  component,
  dateTime,
  instant,
  integer,
  listOf,
  object,
  oneOf,
  orNull,
  text,
} from './members.ts';

export const actor = object('actor', {
  id: orNull(integer('actor.id')),
  name: text('actor.name'),
});

const toldMembers = {
  revision: integer('revision.revision'),
  instant: instant('revision.instant'),
  date: dateTime('revision.date'),
  actor: component('Actor', 'actor'),
  reason: orNull(text('revision.reason')),
  type: text('revision.type'),
  summary: text('revision.summary'),
  correlation_id: text('revision.correlation_id'),
};

export const change = object('field_change', {
  field: text('field_change.field'),
  before: anything('field_change.before'),
  after: anything('field_change.after'),
});

export const revisionEntry = object('revision', {
  ...toldMembers,
  changes: listOf(component('FieldChange', 'revision.one_change'), 'revision.changes'),
});

export const changeEntry = object('change_entry', {
  position: text('change_entry.position'),
  kind: oneOf('resource.kind', [...POST_KINDS, ...TERM_KINDS]),
  id: integer('resource.id'),
  url: address('change_entry.url'),
  ...toldMembers,
});
