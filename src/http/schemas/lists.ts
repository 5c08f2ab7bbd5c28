// Parameters that several lists share.

import type { TermKind } from '../../domain/term.ts';
import type { DescriptionKey } from '../../locales/language.ts';
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

export const search = (description: DescriptionKey): Parameter => text(description, searchedText);

export const statusFilter: Parameter = anything('list.status', listedStatus);

export const termsToFilterBy = (kind: TermKind): Validator => existing(termReferences(kind), termReferencesOnly);
export const postsToFilterBy = (kind: LookupKind): Validator => existing(postIds(kind), idsOnly);

/** `GET /venues` and `GET /organizers`. */
export const linkedPostList =
  (what: 'venue' | 'organizer') =>
  (settings: ListSettings): ParameterTable => ({
    page: pageNumber,
    per_page: perPage(settings.perPage),
    search: search('post_list.search'),
    event: integer(`${what}_list.event`, existing(postId('event'), positiveInt)),
    has_events: anything(`${what}_list.has_events`),
    only_with_upcoming: anything(`${what}_list.only_with_upcoming`, undefined, {
      default: false,
    }),
    status: statusFilter,
    as_of: asOf,
  });

/** `GET /categories` and `GET /tags`. */
export const termList = (kind: TermKind, { perPage: size }: ListSettings): ParameterTable => ({
  page: pageNumber,
  per_page: perPage(size),
  search: search('term_list.search'),
  exclude: list('term_list.exclude', termsToFilterBy(kind)),
  include: list('term_list.include', termsToFilterBy(kind)),
  order: text('term_list.order', nonEmptyString),
  orderby: text('term_list.orderby', nonEmptyString),
  hide_empty: flag('term_list.hide_empty', { default: '1' }),
  ...(kind === 'category' && {
    parent: integer('term_list.parent', existing(termId('category'), positiveInt)),
  }),
  post: integer('term_list.post', existing(postId('event'), positiveInt)),
  event: integer('term_list.event', existing(postId('event'), positiveInt)),
  slug: text('term_list.slug', nonEmptyString),
  as_of: asOf,
});
