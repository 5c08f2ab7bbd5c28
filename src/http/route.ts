// The seam between transport and routes: what a route gets, what it returns, and how it is declared.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { Caller } from '../auth/caller.ts';
import type { Language } from '../locales/language.ts';
import type { Documentation } from './openapi/documentation/documentation.ts';
import type { Target } from './plugins/request-context.ts';
import type { StoredAnswer } from './stored-list.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The base of links in an answer, without a trailing slash. */
export interface Links {
  /** The public web site, e.g. `https://cal.example`. */
  readonly site: string;
  /** The API's root under the prefix of the request, e.g. `https://cal.example/calendar/events/v1`. */
  readonly root: string;
  /** Host and path of the site, without scheme and port, for `global_id`. */
  readonly host: string;
}

/** The parameters of an endpoint, including those of its path: src/http/schemas. */
export type ParameterTable = TObject;

/** The validated parameters of an endpoint with this schema. */
export const givenBy = <Schema extends TObject>(
  _schema: Schema,
  { given }: Pick<FastifyRequest, 'given'>,
): Static<Schema> =>
  // `compileInput` has built it from this very schema: src/http/plugins/parameters.ts.
  given as Static<Schema>;

/** An attempt at a secret. Unless it is forgiven it counts as wrong. */
export interface Attempt {
  /** It was right, or could not be verified. */
  forgive(): void;
}

/** An answer. A body of text or bytes is JSON already and is sent unchanged. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: string | Buffer | { readonly [key: string]: unknown } | readonly unknown[];
  readonly headers?: { readonly [name: string]: string };
  /** The language of its texts, for headers. Absent if it is the same in every language. */
  readonly language?: Language;
  /** Replaces status, body and headers; which form of it is sent, or none, follows from the request. */
  readonly stored?: StoredAnswer;
  /**
   * Replaces the body: text sent piece by piece, as fast as the client reads it. If it is ended early it is told so
   * (`return`); for HEAD it never begins. It must end when `reply.waiting()` is aborted. At a failure the answer ends,
   * so a beginning of it must be useful, or it must be `whole`.
   */
  readonly pieces?: AsyncIterable<string | Uint8Array>;
  /** A part of it is useless: if it fails, the connection is cut, which clients notice. */
  readonly whole?: true;
}

export interface Endpoint {
  /** Several methods share one endpoint if they are identical (POST, PUT, PATCH of a resource). */
  readonly methods: readonly Method[];
  readonly parameters: ParameterTable;
  /** Its documentation, besides the parameters. */
  readonly documentation: Documentation;
  /** Rights, checked after the parameters and before `handle`; throws an `ApiError` (src/http/errors.ts) to refuse. */
  readonly authorize?: (request: FastifyRequest) => Promise<void> | void;
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<ApiAnswer>;
}

export interface Route {
  /** Below the prefix: `/events/{id}`, `/events/by-slug/{slug}`. */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  /** The methods that this caller may use on this very resource, for the `Allow` header. */
  readonly allow: (caller: Caller, target: Target) => Promise<readonly Method[]> | readonly Method[];
}
