/** The version of this Daybook, as in package.json. */
export const VERSION = '0.1.0';

/**
 * Of the stores that this Daybook writes. Raise it with each change that an earlier one could not read rightly, such as a
 * new type of fact: earlier ones then refuse the stores of this one.
 */
export const STORE_FORMAT = 1;
