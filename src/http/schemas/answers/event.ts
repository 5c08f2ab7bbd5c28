// A calendar event as clients see it.
import Type from 'typebox';
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
const shownFlag = (description: string) => orNull(flag(description));

export const event = object(
  'A calendar event. What is under a password is empty or null until the password is presented.',
  {
    id: integer('Id.'),
    ...globalIdMembers,
    ...authorshipMembers,
    url: address('Public page.'),
    rest_url: address('Address of the event in this API.'),
    title: text('Title, ready to be shown as HTML.'),
    description: text('Description as HTML; empty when there is none.'),
    excerpt: text('Short description as HTML; empty when there is none.'),
    slug: text('Slug; empty as long as a draft has none.'),
    image: shownOrHidden('The picture, or false when there is none.', Type.Ref('Image')),
    all_day: shownFlag('Whether it takes whole days.'),
    ...dateMembers('start_date', 'Start, on the clock of its own zone.'),
    ...dateMembers('end_date', 'End, on the clock of its own zone.'),
    ...dateMembers('utc_start_date', 'Start in UTC.'),
    ...dateMembers('utc_end_date', 'End in UTC.'),
    timezone: text('Its time zone.'),
    timezone_abbr: text('Abbreviation of the zone as it is valid at the start.'),
    cost: text('Cost as it is shown; empty when none was given.'),
    cost_details: component('CostDetails', 'What the cost is made of.'),
    website: text('Its own web site, escaped for HTML; the public page when it never had one.'),
    show_map: shownFlag('Whether a map is shown.'),
    show_map_link: shownFlag('Whether a link to a map is shown.'),
    hide_from_listings: shownFlag('Whether lists leave it out.'),
    sticky: shownFlag('Whether it is pinned in the calendar.'),
    featured: shownFlag('Whether it is featured.'),
    categories: listOf(Type.Ref('EventTerm'), 'Its categories, by name.'),
    tags: listOf(Type.Ref('EventTerm'), 'Its tags, by name.'),
    venue: eitherOf('The venue itself when there is one; a list when there are none or several.', [
      Type.Ref('Venue'),
      Type.Array(Type.Ref('Venue')),
    ]),
    organizer: listOf(Type.Ref('Organizer'), 'Its organizers, in their order.'),
    ticketed: flag('Whether it has tickets.'),
    post_parent: integer('Id of the event that it belongs to; 0 for none.'),
    custom_fields: emptyList('Always empty.'),
    ...optional({ json_ld: component('EventJsonLd', 'Only in single reads.') }),
  },
);
