// Errors of every kind, in the envelope of the one catalogue: thrown by routes, refused by Fastify, or without a route.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { MemoryShort } from '../../kernel/memory/watch.ts';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import type { Language } from '../../locales/language.ts';
import { JSON_CONTENT_TYPE } from '../answers/headers.ts';
import { ApiError, asApiError, errorBody } from '../errors.ts';
import type { ShellLog } from '../settings.ts';
import { forgetHeaders } from './answers.ts';
import type { BeginContext } from './request-context.ts';
import { methodOnWire } from './routing.ts';

interface ErrorsOptions {
  readonly begin: BeginContext;
  readonly log: ShellLog;
}

export const errors = fp(async (app: FastifyInstance, { begin, log }: ErrorsOptions) => {
  app.setErrorHandler((thrown, request, reply) => {
    begin(request);
    forgetHeaders(reply);
    return reply.send(errorIn(request, reply, clientError(log, request, thrown)));
  });
  app.setNotFoundHandler((request) => {
    begin(request);
    throw request.refusal ?? new ApiError('rest_no_route');
  });
});

/** Refusals, because of overload or waiting, or of what is not offered: they are no failures, and would flood the log. */
const DELIBERATE: ReadonlySet<ErrorCode> = new Set(['rest_unavailable', 'rest_trash_not_supported']);

/** The error for clients. Failures are logged. */
export function clientError(log: ShellLog, request: FastifyRequest, thrown: unknown): ApiError {
  const error = asApiError(thrown);
  const isOnPurpose = (thrown === error || thrown instanceof MemoryShort) && DELIBERATE.has(error.code);
  // Nor is a client that has gone before the first piece of its answer.
  const hasGone = request.raw.socket.destroyed && codeOf(thrown) === 'ERR_STREAM_PREMATURE_CLOSE';
  if (error.status >= 500 && !isOnPurpose && !hasGone) {
    const details = {
      correlationId: request.id,
      method: methodOnWire(request),
      path: pathIn(request),
      code: error.code,
    };
    log.error({ err: thrown, ...details }, 'request failed');
  }
  return error;
}

const codeOf = (thrown: unknown): unknown => (thrown instanceof Error && 'code' in thrown ? thrown.code : undefined);

/** The body of an error; its status and headers are set. */
function errorIn(request: FastifyRequest, reply: FastifyReply, error: ApiError): object {
  reply.code(error.status).headers(error.headers).header('content-type', JSON_CONTENT_TYPE);
  reply.inLanguage(request.language);
  return errorBody(error, request.language);
}

const MAX_LOGGED_PATH_LENGTH = 200;

/** The private link of a submission opens it. */
const SECRET_PART = /^\/submit\/[^/]+/;

/** For the log. The query is left out: it may contain a password. */
const pathIn = ({ raw }: FastifyRequest): string =>
  (raw.url ?? '').split('?', 1)[0]?.replace(SECRET_PART, '/submit/…').slice(0, MAX_LOGGED_PATH_LENGTH) ?? '';

const CONNECTION_ERRORS: ReadonlyMap<unknown, ErrorCode> = new Map([
  ['HPE_HEADER_OVERFLOW', 'rest_headers_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'rest_request_timeout'],
]);

const REASONS: { readonly [status: number]: string } = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Requests that are not valid HTTP get the envelope too, written by hand: there is no request to reply to. */
export function refuseConnection(error: { readonly code?: unknown }, socket: Socket, language: Language): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const refusal = new ApiError(CONNECTION_ERRORS.get(error.code) ?? 'rest_bad_request');
  const text = JSON.stringify(errorBody(refusal, language));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${REASONS[refusal.status]}\r\nContent-Type: ${JSON_CONTENT_TYPE}\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Language: ${language.code}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
