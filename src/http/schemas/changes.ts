// The parameters of the feed of changes.

import { range } from '../parameters/allowed.ts';
import { allowing, countUpTo } from '../parameters/validators.ts';
import type { ParameterTable } from '../route.ts';
import { anything, integer, text } from './primitives.ts';
import { textOf } from './words.ts';

/** What is wrong with these is said in words of their own, by the handler. */
const anyValue = (): true => true;

export const CHANGES_PER_PAGE = 50;
export const MOST_CHANGES_PER_PAGE = 100;
export const LONGEST_WAIT_SECONDS = 60;

const seconds = allowing(range(0, LONGEST_WAIT_SECONDS), (value) => /^\d{1,9}$/.test(textOf(value)));

export const changeFeed: ParameterTable = {
  after: text('changes.after', anyValue),
  types: anything('changes.types'),
  per_page: integer('changes.per_page', countUpTo(MOST_CHANGES_PER_PAGE), {
    default: CHANGES_PER_PAGE,
  }),
  wait: integer('changes.wait', seconds, {
    default: 0,
  }),
};
