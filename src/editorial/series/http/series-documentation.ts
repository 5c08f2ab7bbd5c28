// The documentation of the routes of series.
import Type from 'typebox';
import { listing, reading } from '../../../http/openapi/documentation/reads.ts';
import { onPosts, toReadHistory, toRevert } from '../../../http/openapi/documentation/rights.ts';
import { changing } from '../../../http/openapi/documentation/writes.ts';
import { page } from '../../../http/schemas/lists.ts';

const about = { group: 'Series', right: onPosts('read', 'event'), takes: ['AtLeast'] } as const;
const answer = Type.Ref('Series');

export const SERIES_DOCUMENTATION = {
  list: listing({
    ...about,
    summary: 'series.list',
    description: 'series.list_description',
    answer: page('series', 'series.page', answer),
    errors: ['rest_series_page_not_found'],
  }),
  revert: changing({
    group: 'Series',
    right: toRevert('event'),
    summary: 'series.revert',
    description: 'series.revert_description',
    example: { revision: 0 },
    answer: Type.Union([answer, Type.Ref('TriedOnDates')]),
    errors: [
      'rest_series_not_found',
      'rest_revision_not_found',
      'rest_series_joined',
      'rest_review_required',
      'rest_bypass_refused',
    ],
    takes: ['BypassReview'],
  }),
  history: listing({
    ...about,
    right: toReadHistory('event'),
    summary: 'series.history',
    answer: page('history', 'history.answer', Type.Ref('Revision')),
    errors: ['rest_forbidden', 'rest_series_not_found', 'rest_history_page_not_found'],
  }),
  read: reading({ ...about, summary: 'series.read', answer, errors: ['rest_series_not_found'] }),
} as const;
