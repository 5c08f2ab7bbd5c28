// Categories and tags as clients see them: on their own, inside an event, and cut down.
import { address, emptyList, integer, object, oneOf, optional, text } from './members.ts';

const id = integer('shown.id');
const name = text('shown_term.name');
const slug = text('shown.slug');
const description = text('shown_term.description');
const count = integer('shown_term.count');
const taxonomy = oneOf('shown_term.taxonomy', ['tribe_events_cat', 'post_tag']);
const parent = integer('shown_term.parent');
const url = address('shown.url');
const urls = object('shown_term.urls', {
  self: address('shown_term.self'),
  collection: address('shown_term.collection'),
  ...optional({ up: address('shown_term.up') }),
});

export const term = object('shown_term', {
  id,
  count,
  description,
  name,
  slug,
  taxonomy,
  ...optional({ parent: integer('shown_term.parent_of_category') }),
  meta: emptyList('shown.always_empty'),
  url,
  urls,
});

export const eventTerm = object('event_term', {
  name,
  slug,
  term_taxonomy_id: integer('event_term.term_taxonomy_id'),
  taxonomy,
  description,
  parent,
  count,
  id,
  urls,
});

export const embeddedTerm = object('embedded_term', {
  id,
  name,
  slug,
  taxonomy,
  url,
  urls,
});
