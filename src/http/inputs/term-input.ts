// From what a client sent of a category or tag to the command's input.
import type { TermInput } from '../../commands/terms.ts';
import { type Given, text } from './post-input.ts';

export const termInput = (given: Given): TermInput => ({
  ...text(given, 'name', 'name'),
  ...text(given, 'description', 'description'),
  ...text(given, 'slug', 'slug'),
  ...(given.parent === undefined ? {} : { parent: Number(given.parent) }),
});
