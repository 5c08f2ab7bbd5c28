// The documentation of the routes of categories and tags.
import Type from 'typebox';
import type { TermKind } from '../../../domain/term.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { page } from '../../schemas/lists.ts';
import { termOrEmbedded } from '../../schemas/term.ts';
import type { Documentation, Group } from './documentation.ts';
import { TERM_EXAMPLES } from './examples.ts';
import { listing, OLD_STATE_ERRORS, reading } from './reads.ts';
import { toManage } from './rights.ts';
import { changing, creating, deleting } from './writes.ts';

export interface TermDocumentation {
  readonly list: Documentation;
  readonly create: Documentation;
  readonly read: Documentation;
  readonly update: Documentation;
  readonly delete: Documentation;
}

interface Specifics {
  readonly group: Group;
  readonly collection: string;
  readonly refusals: readonly ErrorCode[];
}

function termDocumentation(kind: TermKind, { group, collection, refusals }: Specifics): TermDocumentation {
  const answer = Type.Ref('Term');
  const write = { group, answer, right: toManage(kind) };
  const takes = ['EmbedContext', 'AtLeast'] as const;
  return {
    list: listing({
      group,
      summary: `${kind}_list.summary`,
      answer: page(collection, `${kind}_list.answer`, answer, Type.Ref('EmbeddedTerm')),
      errors: ['rest_not_there_then'],
      takes,
    }),
    create: creating({
      ...write,
      example: TERM_EXAMPLES[kind].create,
      summary: `${kind}.create`,
      errors: ['term_exists', ...refusals],
    }),
    read: reading({ group, summary: `${kind}.read`, answer: termOrEmbedded, errors: OLD_STATE_ERRORS, takes }),
    update: changing({
      ...write,
      example: TERM_EXAMPLES[kind].change,
      summary: `${kind}.update`,
      errors: refusals,
    }),
    delete: deleting({ ...write, summary: `${kind}.delete` }),
  };
}

export const TERM_DOCUMENTATION: { readonly [Kind in TermKind]: TermDocumentation } = {
  category: termDocumentation('category', {
    group: 'Categories',
    collection: 'categories',
    refusals: ['duplicate_term_slug'],
  }),
  tag: termDocumentation('tag', {
    group: 'Tags',
    collection: 'tags',
    refusals: ['duplicate_term_slug', 'rest_taxonomy_not_hierarchical'],
  }),
};
