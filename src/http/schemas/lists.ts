// Parameters that several lists share.

import type { TermKind } from '../../domain/term.ts';
import {
  idsOnly,
  type LookupKind,
  listedStatus,
  nonEmptyString,
  positiveInt,
  postId,
  postIds,
  searchedText,
  termId,
  termReferences,
  termReferencesOnly,
  type Validator,
} from '../parameters/validators.ts';
import type { Parameter, ParameterTable } from '../route.ts';
import { asOf, existing } from './as-of.ts';
import { anything, flag, integer, list, pageNumber, perPage, text } from './primitives.ts';

export interface ListSettings {
  /** Items on a page when the client does not say. */
  readonly perPage: number;
}

export const search = (where: string): Parameter => text(`Words that must occur in ${where}.`, searchedText);

export const statusFilter: Parameter = anything(
  'One status or several; everything but publish needs the right to edit.',
  listedStatus,
);

export const termsToFilterBy = (kind: TermKind): Validator => existing(termReferences(kind), termReferencesOnly);
export const postsToFilterBy = (kind: LookupKind): Validator => existing(postIds(kind), idsOnly);

/** `GET /venues` and `GET /organizers`. */
export const linkedPostList =
  (what: 'venues' | 'organizers') =>
  (settings: ListSettings): ParameterTable => ({
    page: pageNumber,
    per_page: perPage(settings.perPage),
    search: search('one of the text fields'),
    event: integer(`Only ${what} of the event with this id.`, existing(postId('event'), positiveInt)),
    has_events: anything(`Yes: only ${what} that have events; no: only those without.`),
    only_with_upcoming: anything(`Yes: only ${what} with an event that starts now or later.`, undefined, {
      default: false,
    }),
    status: statusFilter,
    as_of: asOf,
  });

/** `GET /categories` and `GET /tags`. */
export const termList = (kind: TermKind, { perPage: size }: ListSettings): ParameterTable => ({
  page: pageNumber,
  per_page: perPage(size),
  search: search('the name or the slug'),
  exclude: list('Ids of terms to leave out.', termsToFilterBy(kind)),
  include: list('Ids of the only terms to list.', termsToFilterBy(kind)),
  order: text('asc for ascending; anything else is descending.', nonEmptyString),
  orderby: text('Member to order by: name, id, slug, count, description, parent, include.', nonEmptyString),
  hide_empty: flag('Leave out terms that no published event carries.', { default: '1' }),
  ...(kind === 'category' && {
    parent: integer('Only children of the category with this id.', existing(termId('category'), positiveInt)),
  }),
  post: integer('Only terms of the event with this id.', existing(postId('event'), positiveInt)),
  event: integer('The same as post, and stronger.', existing(postId('event'), positiveInt)),
  slug: text('Only the term with exactly this slug.', nonEmptyString),
  as_of: asOf,
});
