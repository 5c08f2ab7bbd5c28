// Parameters from path, query and body, validated together; then the right to the route.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { EpochSeconds, Zone } from '../../time/zone.ts';
import { invalidParameters } from '../errors.ts';
import { firstOf } from '../headers.ts';
import type { Limits } from '../limits/limits.ts';
import { emptyMap, type ParameterMap } from '../parameters/parameter-map.ts';
import { decodePercent } from '../parameters/query-string.ts';
import { collectParameters } from '../parameters/request-body.ts';
import type { Lookups } from '../parameters/validators.ts';
import { queryOf, type Target } from './request-context.ts';
import { methodOnWire } from './routing.ts';

export interface ParametersOptions {
  readonly lookups: Lookups;
  /** For requests that only read; default: `lookups`. */
  readonly viewLookups?: Lookups;
  readonly clock: { now(): EpochSeconds };
  readonly siteZone: Zone;
  readonly limits: Pick<Limits, 'passwords'>;
  /** Publishes what is due at an instant; reads at that instant wait for it. */
  readonly schedule?: { settled(now: EpochSeconds): Promise<void> | null };
}

export const parameters = fp(async (app: FastifyInstance, options: ParametersOptions) => {
  const { clock, siteZone, schedule } = options;

  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.api === undefined) return done();
    request.now = clock.now();
    request.siteZone = siteZone;
    request.target = targetOf(request);
    if (request.routeOptions.config.api.plan === undefined) return done();
    const publishing = isRead(request) ? schedule?.settled(request.now) : null;
    const read = publishing
      ? publishing.then(() => readParameters(request, options))
      : readParameters(request, options);
    if (read instanceof Promise) return void read.then(() => done(), done);
    done();
  });

  app.addHook('preHandler', (request, _reply, done) => {
    const authorized = request.routeOptions.config.api?.authorize?.(request);
    if (authorized instanceof Promise) return void authorized.then(() => done(), done);
    done();
  });
});

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

function targetOf({ params }: FastifyRequest): Target {
  const { id, slug, credential } = params as { readonly [name: string]: string | undefined }; // Of the routes' paths.
  // A route whose path has none of them does not ask for it.
  return { id: numberIn(id), slug, credential: numberIn(credential) } as Target;
}

const numberIn = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Math.min(Number(digits), Number.MAX_SAFE_INTEGER);

/** A promise only if there is something to wait for: most reads need not. */
function readParameters(request: FastifyRequest, options: ParametersOptions): void | Promise<void> {
  const body: unknown = request.body;
  if (!(body instanceof Uint8Array)) return check(request, queryOf(request), options);
  const sent = { method: methodOnWire(request), contentType: request.headers['content-type'], bytes: body };
  return collectParameters(queryOf(request), sent).then((collected) => check(request, collected, options));
}

function check(
  request: FastifyRequest,
  elsewhere: ParameterMap,
  { lookups, viewLookups = lookups, limits }: ParametersOptions,
): void | Promise<void> {
  const { plan } = request.routeOptions.config.api ?? {};
  if (plan === undefined) return;
  const { caller, now, siteZone, target, headers } = request;
  const { sent, fromPath } = withPath(elsewhere, request);
  // A request with a required position may name resources that the read model does not have yet; the handler waits for
  // it.
  const known = isRead(request) && headers['x-daybook-position'] === undefined ? viewLookups : lookups;
  const checked = plan({ caller, now, siteZone, lookups: known, slug: target.slug, sent });
  const settle = (given: ParameterMap): void => {
    for (const name of fromPath) delete given[name];
    request.given = given;
    request.reason = reasonOf(request);
    // For the few requests that have one.
    if (given.password !== undefined) request.guess = limits.passwords(request);
  };
  return checked instanceof Promise ? checked.then(settle) : settle(checked);
}

/** Everything that was sent, including the path. */
interface SentParameters {
  readonly sent: ParameterMap;
  /** Parameters that only the path has: they are validated, but not written. */
  readonly fromPath: readonly string[];
}

const NO_NAMES: readonly string[] = [];
const ID_NAME: readonly string[] = ['id'];
const SLUG_NAME: readonly string[] = ['slug'];
const WRITING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** The path's id overrides any other; its slug too, except that a write may send a new one. */
function withPath(elsewhere: ParameterMap, { target: { id, slug }, method }: FastifyRequest): SentParameters {
  if (id === undefined && slug === undefined) return { sent: elsewhere, fromPath: NO_NAMES };
  const sent = Object.assign(emptyMap(), elsewhere);
  if (id !== undefined) {
    sent.id = id;
    return { sent, fromPath: ID_NAME };
  }
  if (WRITING.has(method) && (elsewhere.slug ?? null) !== null) return { sent, fromPath: NO_NAMES };
  sent.slug = slug;
  return { sent, fromPath: SLUG_NAME };
}

const MAX_REASON_LENGTH = 1_000;
/** Line ends and other control characters, and marks that change the direction of text. */
const DISORDERLY = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * The reason of a write, as one line. The header overrides the member; it is ASCII, so other characters come
 * percent-encoded (invalid UTF-8 then stays as it is), or as plain bytes of UTF-8. Throws 400 if it is too long.
 */
function reasonOf(request: FastifyRequest): string | undefined {
  if (isRead(request)) return undefined;
  const header = firstOf(request.headers['x-change-reason']);
  const sent = header === undefined ? request.given._reason : decodePercent(asUtf8(header));
  if (typeof sent !== 'string') return undefined;
  const reason = sent.toWellFormed().replace(DISORDERLY, ' ').trim();
  if (reason.length > MAX_REASON_LENGTH) throw invalidParameters(header === undefined ? '_reason' : 'X-Change-Reason');
  return reason === '' ? undefined : reason;
}

/** Node passes each byte of a header as a character. */
function asUtf8(header: string): string {
  if (!/[\x80-\xff]/.test(header)) return header;
  const bytes = Buffer.from(header, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? header : text;
}
