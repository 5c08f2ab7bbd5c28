// The seam between transport and routes: what a route is told, what it answers, and how it is declared.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { Caller } from '../auth/caller.ts';
import type { Language } from '../locales/language.ts';
import type { Documentation } from './openapi/documentation/documentation.ts';
import type { Target } from './plugins/request-context.ts';
import type { StoredAnswer } from './stored-list.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Where links in an answer point, without a trailing slash. */
export interface Links {
  /** The public web site, e.g. `https://cal.example`. */
  readonly site: string;
  /** The API's root under the prefix that the request used, e.g. `https://cal.example/calendar/events/v1`. */
  readonly root: string;
  /** Host and path of the site, without scheme and port, for `global_id`. */
  readonly host: string;
}

/** What an endpoint takes, the variables of its path included: src/http/schemas. */
export type ParameterTable = TObject;

/** What the check of an endpoint with this schema has made of a request. */
export const givenBy = <Schema extends TObject>(
  _schema: Schema,
  { given }: Pick<FastifyRequest, 'given'>,
): Static<Schema> =>
  // `compileInput` has made it of this very schema: src/http/plugins/parameters.ts.
  given as Static<Schema>;

/** Something secret that is being guessed at, or known. Unless it is forgiven it was wrong. */
export interface Attempt {
  /** It was right, or nothing was found out. */
  forgive(): void;
}

/** An answer. A body of text or bytes is JSON already and is sent as it is. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: string | Buffer | { readonly [key: string]: unknown } | readonly unknown[];
  readonly headers?: { readonly [name: string]: string };
  /** What its texts are in: headers then say so. Absent when it would be the same in every language. */
  readonly language?: Language;
  /** Stands for status, body and headers; which form of it is sent, or none, follows from the request. */
  readonly stored?: StoredAnswer;
  /**
   * Stands for the body: text that is sent piece by piece, the next when the client has room for it. Ended early it is
   * told so (`return`); for HEAD it is never begun. It must come to an end when `reply.waiting()` is aborted.
   * When it fails the answer ends there, so it has to be text whose reader can make do with its beginning, or be `whole`.
   */
  readonly pieces?: AsyncIterable<string | Uint8Array>;
  /** The pieces are of use together only: when they do not come to their end the connection is cut, for all to see. */
  readonly whole?: true;
}

export interface Endpoint {
  /** Several methods share one endpoint where they are identical (POST, PUT, PATCH of a resource). */
  readonly methods: readonly Method[];
  readonly parameters: ParameterTable;
  /** What clients are told of it, beside the parameters. */
  readonly documentation: Documentation;
  /** Rights, checked after the parameters and before `handle`; throws an `ApiError` (src/http/errors.ts) to refuse. */
  readonly authorize?: (request: FastifyRequest) => Promise<void> | void;
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<ApiAnswer>;
}

export interface Route {
  /** Below the prefix: `/events/{id}`, `/events/by-slug/{slug}`. */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  /** The methods that this caller may use on this very thing, for the `Allow` header. */
  readonly allow: (caller: Caller, target: Target) => Promise<readonly Method[]> | readonly Method[];
}
