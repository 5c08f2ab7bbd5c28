// Categories and tags as clients see them: on their own, inside an event, and cut down.
import { address, emptyList, integer, object, oneOf, optional, text } from './members.ts';

const id = integer('Id.');
const name = text('Name, encoded for HTML.');
const slug = text('Slug.');
const description = text('Description; empty when there is none.');
const count = integer('Number of published events that carry it.');
const taxonomy = oneOf('tribe_events_cat for categories, post_tag for tags.', ['tribe_events_cat', 'post_tag']);
const parent = integer('Id of the parent category; 0 for none.');
const url = address('Public page.');
const urls = object('Where it lies in this API.', {
  self: address('The term itself.'),
  collection: address('The list of all.'),
  ...optional({ up: address('The parent, when there is one.') }),
});

export const term = object('A category or a tag.', {
  id,
  count,
  description,
  name,
  slug,
  taxonomy,
  ...optional({ parent: integer('Id of the parent, 0 for none; only of categories.') }),
  meta: emptyList('Always empty.'),
  url,
  urls,
});

export const eventTerm = object('A category or a tag inside an event.', {
  name,
  slug,
  term_taxonomy_id: integer('The same as id.'),
  taxonomy,
  description,
  parent,
  count,
  id,
  urls,
});

export const embeddedTerm = object('What context=embed leaves of a category or tag.', {
  id,
  name,
  slug,
  taxonomy,
  url,
  urls,
});
