// What a route says of itself beside its parameters: the `schema` of a Fastify route, of which @fastify/swagger makes the document.
import type { FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import type { Example } from './examples.ts';
import { type Right, rightMembers, type SecurityRequirement } from './rights.ts';
import type { AnswerHeader, SharedParameter } from './shared.ts';

export const GROUPS = ['API', 'Events', 'Venues', 'Organizers', 'Categories', 'Tags', 'Changes', 'Users'] as const;
export type Group = (typeof GROUPS)[number];

export interface DocumentedAnswer {
  readonly description: DescriptionKey;
  /** Bodies by media type. Names in them are those of src/http/schemas/components.ts. */
  readonly content?: { readonly [mediaType: string]: { readonly schema: TSchema } };
  /** No body. */
  readonly type?: 'null';
  /** Headers that it carries beside those of every answer. */
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
  /** Beside those that any request may meet (error-responses.ts). */
  readonly errors: readonly ErrorCode[];
  /** Shared parameters that are taken beside the declared ones and what every request may send. */
  readonly takes: readonly SharedParameter[];
  /** A body that works as it is. */
  readonly example?: Example;
}

/** What all kinds of routes say of themselves. */
export interface Described {
  readonly group: Group;
  readonly summary: DescriptionKey;
  readonly description?: DescriptionKey;
  readonly right: Right;
  readonly errors?: readonly ErrorCode[];
  readonly takes?: readonly SharedParameter[];
  readonly example?: Example;
}

export const documented = (
  { group, right, errors = [], takes = [], ...texts }: Described,
  response: Documentation['response'],
): Documentation => ({ ...texts, tags: [group], ...rightMembers(right), response, errors, takes });

export const bodyOf = (schema: TSchema, mediaType = 'application/json'): Pick<DocumentedAnswer, 'content'> => ({
  content: { [mediaType]: { schema } },
});
