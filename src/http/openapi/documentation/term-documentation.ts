// The documentation of the routes of categories and tags.

import Type from 'typebox';
import type { TermKind } from '../../../domain/term.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import { page, termOrEmbedded } from '../../schemas/answers/lists.ts';
import type { Documentation, Group } from './documentation.ts';
import { TERM_EXAMPLES } from './examples.ts';
import { listing, OLD_STATE_ERRORS, reading } from './reads.ts';
import { toManage } from './rights.ts';
import { changing, creating, deleting, MERGE } from './writes.ts';

export interface TermDocumentation {
  readonly list: Documentation;
  readonly create: Documentation;
  readonly read: Documentation;
  readonly update: Documentation;
  readonly delete: Documentation;
}

interface Wording {
  readonly group: Group;
  readonly collection: string;
  readonly list: DescriptionKey;
  readonly page: DescriptionKey;
  readonly create: DescriptionKey;
  readonly read: DescriptionKey;
  readonly update: DescriptionKey;
  readonly delete: DescriptionKey;
}

function termDocumentation(kind: TermKind, words: Wording): TermDocumentation {
  const { group, collection } = words;
  const answer = Type.Ref('Term');
  const right = toManage(kind);
  const refusals: readonly ErrorCode[] =
    kind === 'tag' ? ['duplicate_term_slug', 'rest_taxonomy_not_hierarchical'] : ['duplicate_term_slug'];
  return {
    list: listing({
      group,
      summary: words.list,
      answer: page(collection, words.page, answer, Type.Ref('EmbeddedTerm')),
      errors: ['rest_not_there_then'],
      takes: ['EmbedContext', 'AtLeast'],
    }),
    create: creating({
      group,
      example: TERM_EXAMPLES[kind].create,
      summary: words.create,
      right,
      answer,
      errors: ['term_exists', ...refusals],
    }),
    read: reading({
      group,
      summary: words.read,
      answer: termOrEmbedded,
      errors: OLD_STATE_ERRORS,
      takes: ['EmbedContext', 'AtLeast'],
    }),
    update: changing({
      group,
      example: TERM_EXAMPLES[kind].change,
      summary: words.update,
      description: MERGE,
      right,
      answer,
      errors: refusals,
    }),
    delete: deleting({ group, summary: words.delete, right, answer, errors: [] }),
  };
}

export const TERM_DOCUMENTATION: { readonly [Kind in TermKind]: TermDocumentation } = {
  category: termDocumentation('category', {
    group: 'Categories',
    collection: 'categories',
    list: 'category_list.summary',
    page: 'category_list.answer',
    create: 'category.create',
    read: 'category.read',
    update: 'category.update',
    delete: 'category.delete',
  }),
  tag: termDocumentation('tag', {
    group: 'Tags',
    collection: 'tags',
    list: 'tag_list.summary',
    page: 'tag_list.answer',
    create: 'tag.create',
    read: 'tag.read',
    update: 'tag.update',
    delete: 'tag.delete',
  }),
};
