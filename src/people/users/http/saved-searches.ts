// Searches that a user keeps, as clients send them.

import { allowed } from '../../../http/parameters/allowed.ts';
import { allowing, type Validator } from '../../../http/parameters/validator.ts';
import { MAX_QUERY, MAX_SEARCH_NAME } from '../domain/saved-searches.ts';

/** The name is kept without blanks around it. */
export const searchName: Validator = allowing(
  allowed('allowed_characters', { least: 1, most: MAX_SEARCH_NAME }),
  (value) => {
    const name = typeof value === 'string' ? value.trim() : '';
    return name !== '' && name.length <= MAX_SEARCH_NAME && { value: name };
  },
);

export const searchQuery: Validator = allowing(
  allowed('allowed_characters', { least: 0, most: MAX_QUERY }),
  (value) => typeof value === 'string' && value.length <= MAX_QUERY,
);
