// A calendar event as clients see it.

import Type from 'typebox';
import { FURTHER_EVENT_ROWS } from '../../../domain/calendar-event.ts';
import type { Row } from '../../../domain/fields.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import { aboutRow } from '../event.ts';
import { dateMembers } from './details.ts';
import {
  address,
  component,
  eitherOf,
  emptyList,
  flag,
  integer,
  listOf,
  object,
  optional,
  orNull,
  text,
} from './members.ts';
import { authorshipMembers, globalIdMembers, shownOrHidden } from './post.ts';

/** A flag that is null while the event owes its password. */
const shownFlag = (description: DescriptionKey) => orNull(flag(description));

/** What a password hides is null or empty while it is owed. */
const furtherMember = (row: Row) => {
  if (row.kind !== 'flag') return text(aboutRow(row));
  return row.addition === 'always shown' ? flag(aboutRow(row)) : shownFlag(aboutRow(row));
};

const furtherMembers = (addition: 'expected' | 'added') =>
  Object.fromEntries(
    FURTHER_EVENT_ROWS.filter((row) => (row.addition === undefined) === (addition === 'expected')).map((row) => [
      row.wire,
      furtherMember(row),
    ]),
  );

export const event = object('shown_event', {
  id: integer('shown.id'),
  ...globalIdMembers,
  ...authorshipMembers,
  url: address('shown.url'),
  rest_url: address('shown_event.rest_url'),
  title: text('shown_event.title'),
  description: text('shown_event.description'),
  excerpt: text('shown_event.excerpt'),
  slug: text('shown_event.slug'),
  image: shownOrHidden('shown_event.image', Type.Ref('Image')),
  all_day: shownFlag('event.all_day'),
  ...dateMembers('start_date', 'shown_event.start_date'),
  ...dateMembers('end_date', 'shown_event.end_date'),
  ...dateMembers('utc_start_date', 'shown_event.utc_start_date'),
  ...dateMembers('utc_end_date', 'shown_event.utc_end_date'),
  timezone: text('shown_event.timezone'),
  timezone_abbr: text('shown_event.timezone_abbr'),
  cost: text('shown_event.cost'),
  cost_details: component('CostDetails', 'cost_details'),
  website: text('shown_event.website'),
  ...furtherMembers('expected'),
  categories: listOf(Type.Ref('EventTerm'), 'shown_event.categories'),
  tags: listOf(Type.Ref('EventTerm'), 'shown_event.tags'),
  venue: eitherOf('shown_event.venue', [Type.Ref('Venue'), Type.Array(Type.Ref('Venue'))]),
  organizer: listOf(Type.Ref('Organizer'), 'shown_event.organizer'),
  ...furtherMembers('added'),
  post_parent: integer('event.post_parent'),
  custom_fields: emptyList('shown.always_empty'),
  ...optional({ json_ld: component('EventJsonLd', 'shown.json_ld') }),
});
