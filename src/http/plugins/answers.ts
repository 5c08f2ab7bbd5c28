// What every answer of the API gets: common headers, `_fields`, `_envelope`, HEAD.

import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { askedOnce } from '../../kernel/event-loop/shared-work.ts';
import { envelopeAround, lastingWithFields, listWithFields, wantsEnvelope, withFields } from '../answers/envelope.ts';
import {
  type HeaderSet,
  JSON_CONTENT_TYPE,
  originHeaders,
  PRIVATE_HEADERS,
  PUBLIC_VARY,
  spelled,
  totalsUnderBothNames,
  UNKNOWN_PARAMETERS,
} from '../answers/headers.ts';
import { membersOfLasting } from '../answers/text-members.ts';
import type { ParameterMap } from '../parameters/parameter-map.ts';
import { namesForHeader } from '../parameters/unknown-parameters.ts';
import type { Method, PathParameters } from '../route.ts';
import type { ShellLog } from '../settings.ts';
import { concernsApi } from './request-context.ts';
import { methodOnWire } from './routing.ts';

/** Drops the headers of a failed answer. Those that plugins wrote to the response stay. */
export function forgetHeaders(reply: FastifyReply): void {
  for (const name of Object.keys(ownHeaders(reply))) reply.removeHeader(name);
}

/** The answer's own headers, in order. */
function ownHeaders(reply: FastifyReply): { readonly [name: string]: string } {
  const written = new Set(['content-type', ...reply.raw.getHeaderNames()]);
  const own = Object.entries(reply.getHeaders()).filter(([name]) => !written.has(name));
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}

type Payload = unknown;

interface AnswersOptions {
  readonly log: ShellLog;
  /** Time-out for a client that does not read its answer. */
  readonly stallMs: number;
}

/** Answers larger than the buffers of a connection may have to wait for their client. */
const LARGE_BYTES = 16_384;

export const answers = fp(async (app: FastifyInstance, { log, stallMs }: AnswersOptions) => {
  app.addHook('onRequest', (request, reply, done) => {
    if (concernsApi(request)) reply.header('content-type', JSON_CONTENT_TYPE);
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.site === undefined) return done(null, payload);
    const allow = allowed(request);
    if (allow instanceof Promise) {
      const answer = allow.catch((error: unknown) => notKnown(request, error));
      return void answer.then((methods) => done(null, complete(request, reply, payload, methods))).catch(done);
    }
    done(null, complete(request, reply, payload, allow));
  });

  function notKnown({ id }: FastifyRequest, error: unknown): null {
    log.error({ err: error, correlationId: id }, 'allowed methods could not be determined');
    return null;
  }

  /** The caller's methods here. Not worth failing for: on an error the header is left out. */
  function allowed(request: FastifyRequest): Promise<readonly Method[]> | readonly Method[] | null {
    const { allow, listed = NOT_LISTED } = request.routeOptions.config;
    if (allow === undefined || request.caller === undefined) return null;
    try {
      return allow(request.caller, request.params as PathParameters, listed); // As made with the other parameters.
    } catch (error) {
      return notKnown(request, error);
    }
  }

  function complete(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: Payload,
    methods: readonly Method[] | null,
  ): Payload {
    const allow = methods === null ? null : joined(methods);
    const framed = frame(request, reply, payload, allow);
    // The server itself resets the time-out when the answer has been sent, and destroys connections that are silent for
    // too long.
    if (isLarge(framed) && reply.raw.socket instanceof Socket) reply.raw.socket.setTimeout(stallMs);
    return framed;
  }
});

const NOT_LISTED = { endpoints: [] };

const isLarge = (payload: Payload): boolean =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length > LARGE_BYTES : isStream(payload);

/** An answer with all its headers. Streams and anything but JSON are neither reduced nor wrapped. */
function frame(request: FastifyRequest, reply: FastifyReply, payload: Payload, allow: string | null): Payload {
  const query = request.queryString;
  const isJson = reply.getHeader('content-type') === JSON_CONTENT_TYPE;
  const cut = isJson && query._fields !== undefined ? reduced(reply, payload, query) : payload;
  const body = reply.statusCode === 304 || reply.statusCode === 204 ? null : cut;
  const isWrapped = isJson && wantsEnvelope(query);
  const whole = isWrapped ? wrapped(reply, body, allow) : joinedPieces(reply, body);
  if (!isWrapped) {
    if (allow !== null) reply.header('allow', allow);
    if (isJson) copyTotals(reply);
  }
  addCommonHeaders(request, reply);
  return request.method === 'HEAD' ? withoutBody(reply, whole) : whole;
}

/** A body reduced to `_fields`: text, or the pieces of a list. */
function reduced({ stored, statusCode }: FastifyReply, payload: Payload, query: ParameterMap): Payload {
  const outline = stored?.list.outline;
  if (outline && Buffer.isBuffer(payload) && statusCode < 400) return listWithFields(payload, outline, query);
  const members = Buffer.isBuffer(payload) ? membersOfLasting(payload) : undefined;
  if (members && Buffer.isBuffer(payload)) return lastingWithFields(payload, members, query);
  const json = Buffer.isBuffer(payload) ? payload.toString() : payload;
  return typeof json === 'string' ? withFields(json, statusCode, query) : json;
}

/** The answer inside the body of another. */
function wrapped(reply: FastifyReply, payload: Payload, allow: string | null): Payload {
  const own = ownHeaders(reply);
  const names = Object.fromEntries(Object.entries(own).map(([name, value]) => [spelled(name), value]));
  const inner: HeaderSet = {
    ...totalsUnderBothNames(names),
    ...(allow !== null && { Allow: allow }),
    ...unknownNames(reply.request),
  };
  const { before, after } = envelopeAround(reply.statusCode, inner);
  const language = own['content-language'];
  const isInLanguage = own.vary?.endsWith('Accept-Language');
  forgetHeaders(reply);
  if (isInLanguage) reply.header('vary', own.vary);
  if (language !== undefined) reply.header('content-language', language);
  reply.code(200);
  if (isPieces(payload)) return joinedPieces(reply, [Buffer.from(before), ...payload, Buffer.from(after)]);
  if (Buffer.isBuffer(payload) && payload.length > LARGE_BYTES)
    return joinedPieces(reply, [Buffer.from(before), payload, Buffer.from(after)]);
  return before + (payloadText(payload) || 'null') + after;
}

const isPieces = (payload: Payload): payload is readonly Buffer[] => Array.isArray(payload);

const payloadText = (payload: Payload): string => {
  if (typeof payload === 'string') return payload;
  return Buffer.isBuffer(payload) ? payload.toString() : '';
};

/** A body in pieces as it is sent. Long ones are sent piece by piece: joining megabytes takes its time. */
function joinedPieces(reply: FastifyReply, payload: Payload): Payload {
  if (!isPieces(payload)) return payload;
  const length = payload.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= LARGE_BYTES) return Buffer.concat(payload);
  reply.header('content-length', String(length));
  return Readable.from(payload, { objectMode: false });
}

function copyTotals(reply: FastifyReply): void {
  const total = reply.getHeader('x-tec-total');
  const pages = reply.getHeader('x-tec-totalpages');
  if (total === undefined || pages === undefined) return;
  reply.header('x-wp-total', total).header('x-wp-totalpages', pages);
}

function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const { caller, site, headers } = request;
  const neighbours = reply.getHeader('link');
  reply
    .headers(request.server.policies)
    .headers(site.headers)
    .header('x-request-id', request.id)
    .headers(unknownNames(request));
  if (neighbours !== undefined) reply.header('link', `${site.headers.link}, ${neighbours}`);
  if (caller) addMissing(reply, PRIVATE_HEADERS);
  else if (reply.storage !== undefined) addMissing(reply, { 'cache-control': reply.storage });
  const { origin } = headers;
  if (origin !== undefined) reply.headers(originHeaders(origin));
  if (origin !== undefined || isPublicRead(request)) addMissing(reply, PUBLIC_VARY);
}

/** In an envelope and outside of it: what had no effect is never passed over in silence. */
const unknownNames = ({ unknownParameters }: FastifyRequest): HeaderSet =>
  unknownParameters === undefined ? NO_HEADERS : { [UNKNOWN_PARAMETERS]: namesForHeader(unknownParameters) };

const NO_HEADERS: HeaderSet = {};

function addMissing(reply: FastifyReply, headers: HeaderSet): void {
  for (const name in headers) if (!reply.hasHeader(name)) reply.header(name, headers[name]);
}

function isPublicRead(request: FastifyRequest): boolean {
  const method = methodOnWire(request);
  return !request.caller && (method === 'GET' || method === 'HEAD');
}

/** Streams are not started for that. */
function withoutBody(reply: FastifyReply, payload: Payload): null {
  if (typeof payload === 'string' || Buffer.isBuffer(payload))
    reply.header('content-length', String(Buffer.byteLength(payload)));
  else if (isStream(payload)) payload.destroy();
  return null;
}

const isStream = (payload: Payload): payload is { destroy(): void } =>
  typeof payload === 'object' && payload !== null && 'destroy' in payload && typeof payload.destroy === 'function';

/** Routes send the same few lists again and again. */
const joined = askedOnce((methods: readonly Method[]) => methods.join(', '), new WeakMap());
