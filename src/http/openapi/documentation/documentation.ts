// What an endpoint says about itself beside its parameters: src/http/openapi makes the OpenAPI document of it.

import type { TSchema } from 'typebox';
import type { Caller } from '../../../auth/caller.ts';
import type { PostStanding } from '../../../auth/policy.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import type { Example } from './examples.ts';
import type { AnswerHeader, SharedParameter } from './shared.ts';

export interface DocumentedAnswer {
  readonly status: 200 | 201 | 202 | 204 | 302 | 303 | 304;
  readonly description: DescriptionKey;
  /** Bodies by media type; none where there is no body. Names in them are those of src/http/schemas/answers/components.ts. */
  readonly bodies: { readonly [mediaType: string]: TSchema };
  /** Headers that it carries beside those of every answer. */
  readonly headers: readonly AnswerHeader[];
}

/** Who may use an endpoint, asked of src/auth/policy.ts: once for all, post by post, or user by user (their ids). */
export type Right =
  | { readonly of: 'endpoint'; readonly may: (caller: Caller) => boolean }
  | { readonly of: 'users'; readonly may: (caller: Caller, user: number) => boolean }
  | { readonly of: 'posts'; readonly may: (caller: Caller, post: PostStanding) => boolean };

export const GROUPS = ['API', 'Events', 'Venues', 'Organizers', 'Categories', 'Tags', 'Changes', 'Users'] as const;
export type Group = (typeof GROUPS)[number];

export interface Documentation {
  readonly group: Group;
  readonly summary: DescriptionKey;
  readonly description?: DescriptionKey;
  readonly right: Right;
  readonly answers: readonly DocumentedAnswer[];
  /** Beside those that any request may meet (common-errors.ts). */
  readonly errors: readonly ErrorCode[];
  /** What is taken beside the table of parameters and what every request may send. */
  readonly takes: readonly SharedParameter[];
  /** A body that works as it stands, where one is taken. */
  readonly example?: Example;
}

/** Everybody may. */
export const FOR_ALL: Right = { of: 'endpoint', may: () => true };

export const JSON_TYPE = 'application/json';
