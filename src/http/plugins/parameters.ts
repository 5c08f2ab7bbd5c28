// Parameters from path, query and body: joined, and checked together by the schema of the route.

import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { FastifyValidationResult } from 'fastify/types/schema.js';
import fp from 'fastify-plugin';
import { type SitePrices, sitePrices } from '../../calendar/event/domain/currency.ts';
import type { PostDocument } from '../../calendar/resource/queries/find-by-slug.ts';
import { askedOnce } from '../../kernel/event-loop/shared-work.ts';
import { queryOf } from '../../kernel/text/query-text.ts';
import type { EpochSeconds, Zone } from '../../kernel/time/zone.ts';
import { ENGLISH } from '../../locales/languages.ts';
import { firstOf } from '../answers/headers.ts';
import { invalidParameters, slugChanged } from '../errors.ts';
import type { Limits } from '../limits/limits.ts';
import { compileInput, type Use } from '../parameters/compile.ts';
import type { Lookups } from '../parameters/lookups.ts';
import type { Upload } from '../parameters/multipart.ts';
import { emptyMap, type ParameterMap } from '../parameters/parameter-map.ts';
import { reasonIn, textOfHeader } from '../parameters/reasons.ts';
import { collectParameters } from '../parameters/request-body.ts';
import { compileUnknown } from '../parameters/unknown-parameters.ts';
import type { ValidationContext } from '../parameters/validator.ts';
import type { ParameterTable, PathParameters } from '../route.ts';
import { methodOnWire } from './routing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** A form with a file, of routes that take one: plugins/uploads.ts. */
    upload: Upload | null;
    /** The post that the slug in the path names, where the schema has that checked. */
    namedPost: number | null;
    /** Names that were sent and that the route does not have, shortened; undefined: none. */
    unknownParameters: readonly string[] | undefined;
  }
}

export interface ParametersOptions {
  readonly lookups: Lookups;
  /** For requests that only read; default: `lookups`. */
  readonly viewLookups?: Lookups;
  readonly clock: { now(): EpochSeconds };
  readonly siteZone: Zone;
  /** How the site shows costs. */
  readonly prices?: () => SitePrices;
  readonly limits: Pick<Limits, 'passwords'>;
  /** Publishes what is due at an instant; reads at that instant wait for it. */
  readonly schedule?: { settled(now: EpochSeconds): Promise<void> | null };
}

const DOLLARS = sitePrices(ENGLISH, null);

/**
 * Parameters stand at `schema.querystring` of a route, or at `schema.body` for POST, PUT and PATCH. Handlers find them in
 * the same place of the request: those that were sent, from all sources, coerced as the schema says; defaults are not
 * filled in. What is not declared is left out.
 */
export const parameters = fp(async (api: FastifyInstance, options: ParametersOptions) => {
  const { clock, siteZone, prices = () => DOLLARS, schedule, limits } = options;
  api.decorateRequest('upload', null);
  api.decorateRequest('namedPost', null);
  api.setValidatorCompiler(compileParameters);

  api.addHook('preValidation', (request, _reply, done) => {
    request.now = clock.now();
    request.siteZone = siteZone;
    request.prices = prices();
    request.params = numbered(request.params as PathTexts); // Of the paths of routes.
    if (request.method === 'OPTIONS') return done();
    const publishing = isRead(request) ? schedule?.settled(request.now) : null;
    const joining = publishing ? publishing.then(() => join(request, options)) : join(request, options);
    if (joining instanceof Promise) return void joining.then(() => done(), done);
    done();
  });

  api.addHook('preHandler', (request, _reply, done) => {
    const { password, context, _reason } = partOf(request) as ParameterMap; // The validator has made it.
    if (typeof context === 'string') request.context = context;
    if (!isRead(request)) request.reason = reasonOf(request, _reason);
    if (typeof password === 'string') {
      request.password = password;
      request.guess = limits.passwords(request);
    }
    done();
  });
});

/** Everything that a request sends, and what it is checked with: Fastify hands a validator one value. */
interface Question extends ValidationContext {
  /** Takes what the check makes of it. A validator that has to wait could only pass or fail. */
  readonly settle: (checked: ParameterMap) => void;
  /** Takes the names that the schema does not have. */
  readonly note: (unknown: readonly string[]) => void;
}

/** Once for each table: its route is registered under several prefixes. */
const compiledFor = (use: Use) =>
  askedOnce(
    (table: ParameterTable) => ({ check: compileInput(table, use), unknownIn: compileUnknown(table, use) }),
    new WeakMap(),
  );

const COMPILED = { read: compiledFor('read'), write: compiledFor('write') };

/** The `validatorCompiler` of the API: one check for all parts, in the contract's order of errors. */
const compileParameters: FastifySchemaCompiler<ParameterTable> = ({ schema, method, httpPart }) => {
  // The router and `numbered` have seen to them.
  if (httpPart === 'params') return () => true;
  // A route of several methods has a list of them, whatever the type of the library says.
  const use = [method].flat().includes('GET') ? 'read' : 'write';
  const { check, unknownIn } = COMPILED[use](schema);
  const validate = (question: Question | null): true | Promise<true> => {
    // Nothing is joined of a request for OPTIONS: this is what its body or query is, and none of it is a function.
    if (typeof question?.settle !== 'function') return true;
    question.note(unknownIn(question.values));
    const pass = (checked: ParameterMap): true => {
      question.settle(checked);
      return true;
    };
    const checked = check(question);
    return checked instanceof Promise ? checked.then(pass) : pass(checked);
  };
  return validate as FastifyValidationResult; // Its promises bear a mark for linters.
};

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

const WRITING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const isWrite = ({ method }: FastifyRequest): boolean => WRITING.has(method);

/** Where the parameters of a request stand. */
const partOf = (request: FastifyRequest): unknown => (isWrite(request) ? request.body : request.query);

interface PathTexts {
  readonly id?: string;
  readonly slug?: string;
  readonly credential?: string;
  readonly event?: string;
}

const numbered = ({ id, slug, credential, event }: PathTexts) => ({
  id: numberIn(id),
  slug,
  event,
  credential: numberIn(credential),
});

const numberIn = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Math.min(Number(digits), Number.MAX_SAFE_INTEGER);

/** Puts everything that was sent where the schema stands. A promise only where there is something to wait for. */
function join(request: FastifyRequest, options: ParametersOptions): void | Promise<void> {
  const { body, queryString, server } = request;
  const uploading = server.readUpload?.(request);
  if (uploading)
    return uploading.then((upload) => {
      request.upload = upload;
      put(request, Object.assign(emptyMap(), queryString, upload.fields), options);
    });
  if (!(body instanceof Uint8Array)) return put(request, queryString, options);
  const payload = { method: methodOnWire(request), contentType: request.headers['content-type'], bytes: body };
  const collected = collectParameters(queryString, payload);
  if (!(collected instanceof Promise)) return put(request, collected, options);
  return collected.then((all) => put(request, all, options));
}

function put(request: FastifyRequest, map: ParameterMap, { lookups, viewLookups = lookups }: ParametersOptions): void {
  const { caller, now, siteZone, headers } = request;
  const path = request.params as PathParameters; // As made above.
  // A request with a required position may name resources that the read model does not have yet; the handler waits for
  // it.
  const known = isRead(request) && headers['x-daybook-position'] === undefined ? viewLookups : lookups;
  const part = isWrite(request) ? 'body' : 'query';
  // A slug that only the path says is checked, and not to be written.
  const isNamed = part === 'body' && path.slug !== undefined && (map.slug ?? null) === null;
  const question: Question = {
    caller,
    now,
    siteZone,
    lookups: known,
    slug: path.slug,
    values: withPath(request, map, path),
    takePost(named) {
      if ('post' in named) request.namedPost = named.post.id;
      else if (isRead(request)) throw slugChanged(bySlugAddress(request, named.moved));
      return 'post' in named;
    },
    settle(checked) {
      if (isNamed) delete checked.slug;
      request[part] = checked;
    },
    note(unknown) {
      if (unknown.length > 0) request.unknownParameters = unknown;
    },
  };
  request[part] = question;
}

/** The address of the same read by the slug of today. */
function bySlugAddress({ links, url }: FastifyRequest, { kind, slug }: PostDocument): string {
  return `${links.root}/${kind}s/by-slug/${encodeURIComponent(slug)}${queryOf(url)}`;
}

/** The path's id overrides any other; its slug too, except that a write may send a new one. */
function withPath(request: FastifyRequest, values: ParameterMap, { id, slug }: PathParameters): ParameterMap {
  if (id !== undefined) return Object.assign(emptyMap(), values, { id });
  if (slug === undefined || (isWrite(request) && (values.slug ?? null) !== null)) return values;
  return Object.assign(emptyMap(), values, { slug });
}

/** The reason of a write; the header overrides the member, which has been checked. Throws 400 if it is too long. */
function reasonOf({ headers }: FastifyRequest, member: unknown): string | undefined {
  const header = firstOf(headers['x-change-reason']);
  const value = header === undefined ? member : textOfHeader(header);
  if (typeof value !== 'string') return undefined;
  const reason = reasonIn(value);
  if (reason === null) throw invalidParameters('X-Change-Reason');
  return reason === '' ? undefined : reason;
}
