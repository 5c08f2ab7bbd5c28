// How routes of the API are declared: as plugins, typed by the schemas of their routes.
import type { FastifyPluginAsync, FastifyPluginOptions, FastifyTypeProvider, RawServerDefault } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Caller } from '../people/auth/caller.ts';

/** The type of @fastify/type-provider-typebox, whose compilers cannot keep the contract's order of errors. */
interface TypeBoxTypeProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
}

/** A plugin of routes. */
export type Routes<Dependencies extends FastifyPluginOptions = Record<never, never>> = FastifyPluginAsync<
  Dependencies,
  RawServerDefault,
  TypeBoxTypeProvider
>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a path names. */
export interface PathParameters {
  /** Clamped when absurdly large. */
  readonly id: number;
  readonly slug: string;
  readonly credential: number;
}

/** Whether this caller may use a route. */
export type Guard = (caller: Caller, path: PathParameters) => boolean;

/** The methods that this caller may use on this very resource, for the `Allow` header. `route`: all that has its path. */
export type Allow = (
  caller: Caller,
  path: PathParameters,
  route: Pick<ListedRoute, 'endpoints'>,
) => Promise<readonly Method[]> | readonly Method[];

/** What all may read takes no other method than GET. */
export const READ_ONLY: { readonly allow: Allow } = { allow: () => ['GET'] };

/** What a route takes, the variables of its path included: src/http/schemas. */
export type ParameterTable = TObject;

/** The base of links in an answer, without a trailing slash. */
export interface Links {
  /** The public web site, e.g. `https://cal.example`. */
  readonly site: string;
  /** The API's root under the prefix of the request, e.g. `https://cal.example/calendar/events/v1`. */
  readonly root: string;
  /** Host and path of the site, without scheme and port, for `global_id`. */
  readonly host: string;
}

/** An attempt at a secret. Unless it is forgiven it counts as wrong. */
export interface Attempt {
  /** It was right, or could not be verified. */
  forgive(): void;
}

/** Begins to try a password on an existing resource. Throws 429. */
export type Begin = (target: string) => Attempt;

export interface ListedRoute {
  readonly path: string;
  readonly endpoints: readonly ListedEndpoint[];
}

export interface ListedEndpoint {
  /** Several methods share one endpoint where they are identical (POST, PUT, PATCH of a resource). */
  readonly methods: readonly Method[];
  readonly parameters: ParameterTable;
  readonly may?: Guard | undefined;
}
