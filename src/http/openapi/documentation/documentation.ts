// The documentation of a route besides its parameters: the `schema` of a Fastify route, from which @fastify/swagger
// builds the document.
import type { FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import type { Example } from './examples.ts';
import { type Right, rightMembers, type SecurityRequirement } from './rights.ts';
import type { AnswerHeader, SharedParameter } from './shared.ts';

export const GROUPS = [
  'API',
  'Events',
  'Series',
  'Venues',
  'Organizers',
  'Categories',
  'Tags',
  'Changes',
  'Imports',
  'Proposals',
  'Pictures',
  'Users',
  'Webhooks',
  'Sources',
] as const;
export type Group = (typeof GROUPS)[number];

export interface DocumentedAnswer {
  readonly description: DescriptionKey;
  /** Bodies by media type. Names in them are those of src/http/schemas/components.ts. */
  readonly content?: { readonly [mediaType: string]: { readonly schema: TSchema } };
  /** No body. */
  readonly type?: 'null';
  /** Headers besides those of every answer. */
  readonly carries: readonly AnswerHeader[];
}

/** Texts are keys; the document has them in the language of its reader. */
export interface Documentation extends FastifySchema {
  readonly summary: DescriptionKey;
  readonly description?: DescriptionKey;
  readonly tags: readonly Group[];
  readonly security: readonly SecurityRequirement[];
  readonly 'x-daybook-roles': readonly string[];
  readonly response: { readonly [status: number]: DocumentedAnswer };
  /** Besides those that any request may get (error-responses.ts). */
  readonly errors: readonly ErrorCode[];
  /** Shared parameters besides the declared ones and those of every request. */
  readonly takes: readonly SharedParameter[];
  /** A working example of a body. */
  readonly example?: Example;
  /** The file that it takes as part `file` of a form; absent: it takes none, and all forms of bodies. */
  readonly file?: DescriptionKey;
}

/** Common to all kinds of routes. */
export interface Described {
  readonly group: Group;
  readonly summary: DescriptionKey;
  readonly description?: DescriptionKey;
  readonly right: Right;
  readonly errors?: readonly ErrorCode[];
  readonly takes?: readonly SharedParameter[];
  readonly example?: Example;
  readonly file?: DescriptionKey;
}

export const documented = (
  { group, right, errors = [], takes = [], ...texts }: Described,
  response: Documentation['response'],
): Documentation => ({ ...texts, tags: [group], ...rightMembers(right), response, errors, takes });

export const bodyOf = (schema: TSchema, mediaType = 'application/json'): Pick<DocumentedAnswer, 'content'> => ({
  content: { [mediaType]: { schema } },
});
