// Parameters that several lists share, and the envelope of their answers.
import type { TermKind } from '../../calendar/term/domain/term.ts';
import { asOf, existing, withProposals } from '../../editorial/time-travel/http/as-of-schema.ts';
import type { DescriptionKey } from '../../locales/language.ts';
import type { Check } from './keywords.ts';
import * as member from './members.ts';
import { anything, flag, integer, list, optional, paging, refused, text } from './primitives.ts';
import Type, { type Static, type TObject, type TSchema } from './type.ts';

export interface ListSettings {
  /** Items on a page by default. */
  readonly perPage: number;
}

/** The parameters of a list that has no filters. */
export const onlyPages = ({ perPage }: ListSettings) => Type.Object(paging(perPage));

export const search = (description: DescriptionKey) => text(description, 'searchedText');

export const statusFilter = anything('list.status', 'listedStatus');

export const termFilter = (kind: TermKind): Check => existing(['termFilter', kind], 'termReferencesOnly');
const someTerms = (kind: TermKind): Check => existing(['termReferences', kind], 'termReferencesOnly');
export const postsToFilterBy = (kind: 'venue' | 'organizer'): Check => existing(['postIds', kind], 'idsOnly');
export const eventToFilterBy = existing(['postId', 'event'], 'positiveInt');

/** `GET /venues` and `GET /organizers`. */
export const linkedPostList =
  (what: 'venue' | 'organizer') =>
  ({ perPage }: ListSettings) =>
    Type.Object({
      ...paging(perPage),
      ...optional({
        search: search('post_list.search'),
        event: integer(`${what}_list.event`, eventToFilterBy),
        has_events: anything(`${what}_list.has_events`),
        only_with_upcoming: anything(`${what}_list.only_with_upcoming`, 'anything', { default: false }),
        status: statusFilter,
        as_of: asOf,
        with: withProposals,
      }),
    });

/** The parameters of both. */
export type LinkedPostListInput = Static<ReturnType<ReturnType<typeof linkedPostList>>>;

const parent = integer('term_list.parent', existing(['termId', 'category'], 'positiveInt'));

/** `GET /categories` and `GET /tags`; tags have no parents. */
export const termList = (kind: TermKind, { perPage }: ListSettings) =>
  Type.Object({
    ...paging(perPage),
    ...optional({
      search: search('term_list.search'),
      exclude: list('term_list.exclude', someTerms(kind)),
      include: list('term_list.include', someTerms(kind)),
      order: text('term_list.order', 'nonEmptyString'),
      orderby: text('term_list.orderby', 'nonEmptyString'),
      hide_empty: flag('term_list.hide_empty', { default: '1' }),
      parent: kind === 'category' ? parent : refused<number>(),
      post: integer('term_list.post', eventToFilterBy),
      event: integer('term_list.event', eventToFilterBy),
      slug: text('term_list.slug', 'nonEmptyString'),
      as_of: asOf,
      with: withProposals,
    }),
  });

const totals = { total: member.integer('list.total'), total_pages: member.integer('list.total_pages') };
export const restUrl = member.address('list.rest_url');
const neighbours = optional({
  next_rest_url: member.address('list.next_rest_url'),
  previous_rest_url: member.address('list.previous_rest_url'),
});

/** A page of `name`, with `items`. */
export const page = (name: string, description: DescriptionKey, ...items: readonly TSchema[]): TObject => {
  const [item = Type.Unknown()] = items;
  const one = items.length === 1 ? item : Type.Union([...items]);
  return member.object(description, {
    [name]: member.listOf(one, 'list.items'),
    rest_url: restUrl,
    ...neighbours,
    ...totals,
  });
};
