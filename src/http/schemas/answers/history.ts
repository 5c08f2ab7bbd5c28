// What happened, as the histories and the feed of changes tell it.
import { THING_KINDS } from '../../../queries/history/resource.ts';
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

export const actor = object('Who did it.', {
  id: orNull(integer('Id of the user; null when it was no user.')),
  name: text('Name at that time.'),
});

const toldMembers = {
  revision: integer('Revision that it led to, from 0.'),
  instant: instant('When it was recorded, in UTC.'),
  date: dateTime('The same on the clock of the site.'),
  actor: component('Actor', 'Who did it.'),
  reason: orNull(text('Why, if that was said.')),
  type: text('Sort of fact. It is the same in every language.'),
  summary: text('What happened, as a sentence.'),
  correlation_id: text('Shared by everything that one request or one import did.'),
};

export const change = object('A field that changed.', {
  field: text('Name of the field.'),
  before: anything('Value before; null where there was none.'),
  after: anything('Value after; null where there is none.'),
});

export const revisionEntry = object('One revision of a thing.', {
  ...toldMembers,
  changes: listOf(component('FieldChange', 'One field.'), 'Which fields changed, and how.'),
});

export const changeEntry = object('One change of a thing.', {
  position: text('Place in the log.'),
  kind: oneOf('Kind of the thing.', THING_KINDS),
  id: integer('Id of the thing.'),
  url: address('Address of the thing in this API.'),
  ...toldMembers,
});
