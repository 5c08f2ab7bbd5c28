// Categories and tags on the wire: parameters and answers of their routes.
import { oldState } from '../../../editorial/time-travel/http/as-of-schema.ts';
import { type ListSettings, termList } from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import { anyId, existingId, integer, optional, refused, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
import { parkedMember } from '../../resource/http/post-schema.ts';
import type { TermKind } from '../domain/term.ts';

const name = text('term.name', 'termName');

/** Tags have no parents; the handler says so if one is sent. */
const fields = (kind: TermKind) =>
  optional({
    description: text('term.description', 'nonEmptyString'),
    slug: text('term.slug', 'nonEmptyString'),
    parent: kind === 'category' ? integer('term.parent', ['termId', 'category']) : refused<number>(),
  });

export type TermTables = ReturnType<typeof termTables>;

function termTables(kind: TermKind) {
  const id = existingId(kind, ['termId', kind]);
  return {
    list: (settings: ListSettings) => termList(kind, settings),
    create: Type.Object({ name, ...fields(kind) }),
    // The handler decides whether it exists: the log still has deleted ones.
    read: Type.Object({ id: anyId(kind), ...oldState }),
    update: Type.Object({ id, ...optional({ name }), ...fields(kind) }),
    delete: Type.Object({ id }),
  };
}

export const categoryTables = termTables('category');
export const tagTables = termTables('tag');

export const termExamples = {
  category: {
    create: { name: 'Film nights', description: 'Films of all kinds' },
    change: { description: 'Films of all kinds, indoors and outdoors' },
  },
  tag: { create: { name: 'free entry' }, change: { description: 'Donations are welcome' } },
} as const;

const members = {
  id: member.integer('shown.id'),
  count: member.integer('shown_term.count'),
  description: member.text('shown_term.description'),
  name: member.text('shown_term.name'),
  slug: member.text('shown.slug'),
  taxonomy: member.oneOf('shown_term.taxonomy', ['tribe_events_cat', 'post_tag']),
  url: member.address('shown.url'),
  urls: member.object('shown_term.urls', {
    self: member.address('shown_term.self'),
    collection: member.address('shown_term.collection'),
    ...optional({ up: member.address('shown_term.up') }),
  }),
};
const { id, count, description, slug, taxonomy, url, urls } = members;

export const term = member.object('shown_term', {
  id,
  count,
  description,
  name: members.name,
  slug,
  taxonomy,
  ...optional({ parent: member.integer('shown_term.parent_of_category') }),
  meta: member.emptyList('shown.always_empty'),
  url,
  urls,
  ...parkedMember,
});

/** Inside an event. */
export const eventTerm = member.object('event_term', {
  name: members.name,
  slug,
  term_taxonomy_id: member.integer('event_term.term_taxonomy_id'),
  taxonomy,
  description,
  parent: member.integer('shown_term.parent'),
  count,
  id,
  urls,
  ...parkedMember,
});

/** The members of a term with `context=embed`. */
export const embeddedTerm = member.object('embedded_term', { id, name: members.name, slug, taxonomy, url, urls });

/** A term, complete or reduced by `context=embed`. */
export const termOrEmbedded = member.eitherOf('answer.term', [Type.Ref('Term'), Type.Ref('EmbeddedTerm')]);
