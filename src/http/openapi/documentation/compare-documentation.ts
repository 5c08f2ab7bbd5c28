// The documentation of comparisons.
import { listComparison, stateComparison } from '../../schemas/compare.ts';
import type { Documentation } from './documentation.ts';
import { listing, OLD_STATE_ERRORS, reading } from './reads.ts';
import { toReadHistory } from './rights.ts';

export const STATE_COMPARISON_DOCUMENTATION: Documentation = reading({
  group: 'Events',
  summary: 'event.compare',
  right: toReadHistory('event'),
  answer: stateComparison,
  errors: ['rest-event-not-found', 'rest-invalid-event-id', ...OLD_STATE_ERRORS],
});

export const LIST_COMPARISON_DOCUMENTATION: Documentation = listing({
  group: 'Events',
  summary: 'compare_list.summary',
  description: 'compare_list.description',
  answer: listComparison,
  errors: ['event-archive-page-not-found', 'rest_not_there_then'],
});
